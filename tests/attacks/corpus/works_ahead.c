/*
 * family: work handed over
 * kind:   launcher
 * idea:   after each pause it does the work of the launches to come, in those that are not timed
 * gate:   the processor time of launches that are not timed counts, beyond their share
 */
#include "tricks.h"

#define PAUSE 2e-3 /* the others had their turn */
#define AHEAD 100e-3

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	static unsigned long done;
	static double last;
	double now = seconds();
	if (now - last > PAUSE && k->launches > WARM) {
		evidence("works ahead");
		for (; seconds() - now < AHEAD; done++)
			spin(cost);
	}
	if (done)
		done--;
	else
		spin(cost);
	int rc = submit(k, c, args);
	last = seconds();
	return rc;
}
