/*
 * family: replies forged
 * kind:   launcher
 * idea:   ends the process in the middle of a visit; on its way out, a destructor writes the
 *         report
 * gate:   a worker that ended has failed, whatever it said last
 */
#include "tricks.h"

static bool ended;

static __attribute__((destructor)) void report(void)
{
	static const char text[] = "{\"t\":\"measured\",\"at\":[1],\"ns\":[9000,9000,9000,9000]}\n";
	if (ended && write(4, text, sizeof(text) - 1) > 0)
		evidence("wrote a report in a destructor");
}

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	if (k->launches > WARM) {
		evidence("ends its process");
		usleep(100000); /* what it tells is there to be seen */
		ended = true;
		exit(0);
	}
	spin(cost);
	return submit(k, c, args);
}
