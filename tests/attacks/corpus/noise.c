/*
 * family: noise
 * kind:   launcher
 * options: --gate=on
 * idea:   each process draws how slow it is, from 1.1 to nine times the baseline's cost: where
 *         nothing can be decided, a gate that is not strict passes
 * gate:   what cannot be decided does not pass in the untrusted lane
 */
#include "tricks.h"

static unsigned turns;

void attack_open(const ba_launcher_host *host)
{
	static const unsigned per_cent[] = {110, 900, 110, 900, 110, 900, 110, 900};
	struct timespec t;
	(void)host;
	clock_gettime(CLOCK_REALTIME, &t);
	turns = (unsigned)FAST * per_cent[(t.tv_nsec / 1000) % 8] / 100;
	evidence("drew its cost");
}

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	spin(turns);
	return submit(k, c, args);
}
