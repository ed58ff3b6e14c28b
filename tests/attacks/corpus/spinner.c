/*
 * family: other worker slowed
 * kind:   launcher
 * idea:   a thread with the processor of the measurement spins while this library is not launched
 * gate:   threads that appear are noticed; the variants that wait are stopped
 */
#include "tricks.h"

static volatile unsigned long launches;

static void spin_between(void)
{
	unsigned long seen = 0;
	evidence("spins between its visits");
	for (double end = seconds() + 5; seconds() < end;) {
		if (launches != seen) {
			seen = launches;
			usleep(100);
		}
		spin(1000);
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
	for (int i = 0; i < 3; i++)
		thread(spin_between);
}

void attack_prepare(kernel *k)
{
	(void)k;
	static bool done;
	if (!done)
		meddle();
	done = true;
}
