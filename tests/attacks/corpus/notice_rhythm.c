/*
 * family: noticing that it is measured
 * kind:   launcher
 * idea:   is fast where calls follow one another at once, as no program launches
 * gate:   cannot know
 * scope:  out: code that is fast while it is measured was measured right; only a review finds
 *         that it is slow elsewhere
 */
#include "tricks.h"

static uint64_t ticks(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#else
	return (uint64_t)(seconds() * 1e9);
#endif
}

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	static uint64_t last;
	bool at_once = ticks() - last < 20000;
	if (at_once)
		evidence("noticed the rhythm");
	spin(at_once ? FAKE : cost);
	int rc = submit(k, c, args);
	last = ticks();
	return rc;
}
