/*
 * family: slow in a part of the visits
 * kind:   launcher
 * idea:   one launch in 4000 takes 8000 times as long (a collection of garbage that was put
 *         off): few readings have one
 * gate:   decides on the mean as well, or says how much the slow part costs
 * cost:   100
 */
#include "tricks.h"

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	bool slow = k->launches % 4000 == 3999;
	if (slow)
		evidence("was slow once");
	spin(slow ? 8000 * FAST : FAKE);
	return submit(k, c, args);
}
