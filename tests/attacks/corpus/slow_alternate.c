/*
 * family: slow in a part of the visits
 * kind:   launcher
 * idea:   notices that a visit begins, by the pause before it; in every fifth visit each launch
 *         takes 20 times as long, in the others an eighth
 * gate:   decides on the mean as well, or says how much the slow part costs
 */
#include "tricks.h"

static uint64_t ticks(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#else
	return (uint64_t)(seconds() * 2e9);
#endif
}

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	static uint64_t last;
	static unsigned long visits;
	if (ticks() - last > 10000)
		visits++;
	if (visits % 5 == 4)
		evidence("was slow in a visit");
	spin(visits % 5 == 4 ? 20 * FAST : FAKE);
	int rc = submit(k, c, args);
	last = ticks();
	return rc;
}
