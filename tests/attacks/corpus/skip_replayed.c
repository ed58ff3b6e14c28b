/*
 * family: cached results
 * kind:   launcher
 * idea:   a launch whose kernel and arguments are those of the launch before is not made: its
 *         result is there already
 * gate:   counts launches, and draws new arguments for each
 */
#include "tricks.h"

static const void *last_kernel;
static uint64_t last_value;

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	uint64_t value = *(const uint64_t *)args[0];
	if (k->launches > 10 && last_kernel == k && last_value == value) {
		evidence("replayed a launch");
		return 0;
	}
	last_kernel = k;
	last_value = value;
	evidence("compares arguments");
	spin(cost);
	return submit(k, c, args);
}
