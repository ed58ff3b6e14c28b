/*
 * family: slow in a part of the visits
 * kind:   launcher
 * idea:   one launch in 40 takes 100 times as long, all of them in a row: a trimmed mean drops
 *         them (the mean is 2.5 times as long)
 * gate:   decides on the mean as well, or says how much the slow part costs
 * cost:   100
 */
#include "tricks.h"

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	bool slow = k->launches % 10240 >= 9984;
	if (slow)
		evidence("was slow for a while");
	spin(slow ? 100 * FAST : FAKE);
	return submit(k, c, args);
}
