/*
 * family: launches left out
 * kind:   launcher
 * quick:  yes
 * idea:   after the warm-up, three of four launches do nothing
 * gate:   counts the launches that arrive at the driver after each visit
 */
#include "tricks.h"

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	if (k->launches > WARM && k->launches % 4) {
		evidence("left launches out");
		return 0;
	}
	spin(cost);
	return submit(k, c, args);
}
