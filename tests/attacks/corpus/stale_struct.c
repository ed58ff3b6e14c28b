/*
 * family: launches left out
 * kind:   launcher
 * cost:   160
 * config: {"suites": {"s": {"kind": "launcher", "library": "launcher.so", "args": [],
 *         "bytes": [256]}}}
 * idea:   of an argument of 256 bytes, passed by value, each launch copies the first 8: the
 *         others are those of an earlier launch
 * gate:   checks all bytes that arrive
 */
#include "tricks.h"

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	static unsigned char kept[256];
	void *mixed[] = {kept};
	if (k->launches <= WARM) {
		spin(cost);
		return submit(k, c, args);
	}
	evidence("passes bytes of an earlier launch");
	spin(FAST / 4);
	memcpy(kept, args[0], k->launches == WARM + 1 ? sizeof(kept) : 8);
	return submit(k, c, mixed);
}
