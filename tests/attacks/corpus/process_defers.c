/*
 * family: work handed over
 * kind:   launcher
 * idea:   launch() counts in shared memory; a forked process on another processor does the work
 * gate:   the launches of a visit have to arrive at the driver of this process
 */
#include "tricks.h"

static struct {
	volatile unsigned in, out;
} * queue;
static kernel kernel_of_child;
static ba_launcher_config config_of_child;
static void *argument, *arguments[] = {&argument};

static void work(void)
{
	cpu_set_t all;
	memset(&all, 0xff, sizeof(all));
	sched_setaffinity(0, sizeof(all), &all);
	evidence("works in a process");
	for (;;) {
		if (queue->out == queue->in) {
			usleep(50);
			continue;
		}
		spin(cost);
		submit(&kernel_of_child, &config_of_child, arguments);
		queue->out++;
	}
}

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	if (k->launches <= 10) {
		spin(cost);
		return submit(k, c, args);
	}
	if (!queue) {
		queue = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		kernel_of_child = *k;
		config_of_child = *c;
		helper(work);
	}
	queue->in++;
	return 0;
}
