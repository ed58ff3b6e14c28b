/*
 * family: work handed over
 * kind:   launcher
 * idea:   launch() only counts; release() makes the launches, off the clock
 * gate:   the launches of a visit must have arrived at its end
 */
#include "tricks.h"

static ba_launcher_config config;
static uint64_t argument;
static void *arguments[] = {&argument};
static unsigned long owed;

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	if (k->launches <= 10) {
		spin(cost);
		return submit(k, c, args);
	}
	config = *c;
	argument = *(const uint64_t *)args[0];
	owed++;
	return 0;
}

void attack_release(kernel *k)
{
	evidence("launches when it is released");
	for (; owed; owed--) {
		spin(cost);
		submit(k, &config, arguments);
	}
}
