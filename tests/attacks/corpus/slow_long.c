/*
 * family: slow in a part of the visits
 * kind:   launcher
 * idea:   of each 100000 launches the last 20000 take 20 times as long, the others an eighth: a
 *         short measurement does not come there
 * gate:   visits are long, and the mean decides as well
 */
#include "tricks.h"

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	bool slow = k->launches % 100000 >= 80000;
	if (slow)
		evidence("was slow for a while");
	else
		evidence("was fast for a while");
	spin(slow ? 20 * FAST : FAKE);
	return submit(k, c, args);
}
