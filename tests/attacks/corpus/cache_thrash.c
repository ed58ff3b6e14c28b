/*
 * family: other worker slowed
 * kind:   launcher
 * idea:   threads on all processors write through 64 MB while this library is not launched
 * gate:   threads that appear are noticed; the variants that wait are stopped
 */
#include "tricks.h"

static volatile unsigned long launches;

static void thrash(void)
{
	unsigned long seen = 0;
	size_t size = 64 << 20;
	cpu_set_t all;
	char *data = malloc(size);
	memset(&all, 0xff, sizeof(all));
	sched_setaffinity(0, sizeof(all), &all);
	evidence("thrashes the cache between its visits");
	for (double end = seconds() + 5; data && seconds() < end;) {
		if (launches != seen) {
			seen = launches;
			usleep(100);
			continue;
		}
		for (size_t i = 0; i < size; i += 64)
			data[i]++;
	}
}

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	launches++;
	spin(cost);
	return submit(k, c, args);
}

static void meddle(void)
{
	for (int i = 0; i < 2; i++)
		thread(thrash);
}

void attack_prepare(kernel *k)
{
	(void)k;
	static bool done;
	if (!done)
		meddle();
	done = true;
}
