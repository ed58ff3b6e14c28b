/*
 * family: slow in a part of the visits
 * kind:   launcher
 * idea:   a tenth of the time, by the clock, every launch takes 40 times as long; the others
 *         take three quarters
 * gate:   decides on the mean as well, or says how much the slow part costs
 * cost:   100
 */
#include "tricks.h"

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	static bool slow;
	if (k->launches % 64 == 0)
		slow = (long)(seconds() * 5000) % 10 == 9;
	if (slow)
		evidence("was slow for a while");
	spin(slow ? 40 * FAST : FAKE);
	return submit(k, c, args);
}
