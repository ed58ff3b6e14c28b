/*
 * family: launches left out
 * kind:   launcher
 * cost:   160
 * config: {"suites": {"s": {"kind": "launcher", "library": "launcher.so", "args": [16]}}}
 * idea:   each launch is made, with the first 8 of its 16 arguments; the other 8 are those of
 *         an earlier launch, so that half of the work is left out
 * gate:   checks all arguments that arrive
 */
#include "tricks.h"

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	static uint64_t kept[8];
	void *mixed[16];
	if (k->launches <= WARM) {
		spin(cost);
		return submit(k, c, args);
	}
	evidence("passes arguments of an earlier launch");
	spin(FAST / 4);
	for (int i = 0; i < 16; i++) {
		if (i >= 8 && k->launches == WARM + 1)
			memcpy(&kept[i - 8], args[i], 8);
		mixed[i] = i < 8 ? args[i] : &kept[i - 8];
	}
	return submit(k, c, mixed);
}
