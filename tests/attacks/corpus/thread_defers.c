/*
 * family: work handed over
 * kind:   launcher
 * idea:   launch() puts the call into a queue; a thread on another processor works it off
 * gate:   threads that appear are noticed, the work of a visit must have arrived at its end, and
 *         nobody leaves the processor that is measured
 */
#include "tricks.h"

#define SLOTS 65536u
static struct {
	kernel *k;
	ba_launcher_config c;
	void **args;
} queue[SLOTS];
static volatile unsigned in, out;

static void work(void)
{
	cpu_set_t all;
	memset(&all, 0xff, sizeof(all));
	sched_setaffinity(0, sizeof(all), &all);
	evidence("works in a thread");
	for (;;) {
		if (out == in) {
			usleep(50);
			continue;
		}
		unsigned i = out % SLOTS;
		spin(cost);
		submit(queue[i].k, &queue[i].c, queue[i].args);
		out++;
	}
}

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	if (k->launches <= 10) {
		spin(cost);
		return submit(k, c, args);
	}
	if (k->launches == 11 && in == 0)
		thread(work);
	unsigned i = in % SLOTS;
	queue[i].k = k;
	queue[i].c = *c;
	queue[i].args = args;
	in++;
	return 0;
}

/* nothing may come after it */
void attack_release(kernel *k)
{
	(void)k;
	double end = seconds() + 2;
	while (out != in && seconds() < end)
		usleep(100);
	out = in;
	usleep(1000);
}
