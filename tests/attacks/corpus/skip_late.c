/*
 * family: launches left out
 * kind:   launcher
 * idea:   a thousand launches in a row are made at the end of a process alone: whoever looks at
 *         the first visits sees each of them
 * gate:   counts the launches of every visit, not of the first ones
 */
#include "tricks.h"

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	if (k->launches > WARM + 300) {
		evidence("left launches out");
		return 0;
	}
	spin(cost);
	return submit(k, c, args);
}
