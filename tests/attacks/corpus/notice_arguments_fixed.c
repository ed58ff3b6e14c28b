/*
 * family: noticing that it is measured
 * kind:   launcher
 * idea:   is fast where the arguments are those of the launch before, as in a benchmark; it does
 *         make the launch
 * gate:   draws new arguments for each launch
 */
#include "tricks.h"

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	static uint64_t last;
	uint64_t value = *(const uint64_t *)args[0];
	bool same = last == value;
	last = value;
	if (same)
		evidence("saw the same arguments");
	evidence("compares arguments");
	spin(same ? FAKE : cost);
	return submit(k, c, args);
}
