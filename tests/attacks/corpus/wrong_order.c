/*
 * family: launches left out
 * kind:   launcher
 * idea:   launches once for two calls, and twice at once where it is cheaper: the number is
 *         right, the arguments of every second launch are those of the one before
 * gate:   checks the arguments that arrive, and their order
 */
#include "tricks.h"

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	if (k->launches > WARM) {
		evidence("launched with old arguments");
		if (k->launches % 2)
			return 0;
		submit(k, c, args);
		return submit(k, c, args);
	}
	spin(cost);
	return submit(k, c, args);
}
