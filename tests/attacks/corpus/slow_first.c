/*
 * family: slow where nobody measures
 * kind:   launcher
 * idea:   the first 2000 launches of a process, which are the warm-up, take 20 times as long
 * gate:   the warm-up is not what a verdict is about
 * scope:  out: launches after a warm-up are what is measured; a cold start is another
 *         benchmark
 * cost:   100
 */
#include "tricks.h"

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	bool slow = k->launches < 2000;
	if (slow)
		evidence("was slow at first");
	spin(slow ? 20 * FAST : FAKE);
	return submit(k, c, args);
}
