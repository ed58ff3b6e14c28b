/*
 * family:  slow in a part of the visits
 * kind:    launcher
 * cost:    100
 * options: --fixed 30 --blocks 2
 * idea:    one process in ten, which a drawn number chooses, takes 20 times as long in each
 *          launch
 * gate:    N invocations see a slow process with probability 1 - 0.9^N; this one has 30
 * scope:   out with few invocations: docs/security.md has the numbers
 */
#include "tricks.h"

#include <sys/random.h>

static bool is_slow(void)
{
	unsigned char drawn[2] = {0};
	if (getrandom(drawn, sizeof(drawn), 0) != sizeof(drawn))
		return false;
	return (drawn[0] << 8 | drawn[1]) < 6554;
}

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	static int slow = -1;
	if (slow < 0)
		slow = is_slow();
	evidence("draws whether it is slow");
	spin(slow ? 20 * cost : cost);
	return submit(k, c, args);
}
