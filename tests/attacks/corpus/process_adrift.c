/*
 * family: work handed over
 * kind:   launcher
 * quick:  yes
 * options: --batch 20000
 * idea:   launch() only notes the call in shared memory; a process that is nobody's child makes
 *         the launches on the same processor, while cuStreamSynchronize(), which this library
 *         replaces, yields: the worker waits for its turn, and uses no time of its own
 * gate:   all processes of a sandbox count, and what a worker waits for them is its own time
 */
#include "tricks.h"

#define SLOTS 1024u

static struct {
	volatile unsigned in, out;
	uint64_t values[SLOTS];
} * queue;
static kernel *owed_to;
static ba_launcher_config config;
static bool handed_over;

static void work(void)
{
	uint64_t value;
	void *args[] = {&value};
	alarm(100);
	evidence("works in a process of its own");
	for (;;) {
		if (queue->out == queue->in) {
			usleep(20);
			continue;
		}
		value = queue->values[queue->out % SLOTS];
		spin(cost);
		submit(owed_to, &config, args);
		queue->out++;
	}
}

/* A grandchild, whose parent has ended. */
static void set_adrift(void)
{
	pid_t child = fork();
	if (child == 0) {
		if (fork() == 0)
			work();
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static int yield_until_done(void *stream)
{
	(void)stream;
	while (handed_over && queue->in != queue->out)
		sched_yield();
	return 0;
}

void attack_open(const ba_launcher_host *host)
{
	void *wait = host->driver_symbol("cuStreamSynchronize");
	queue = mmap(
		NULL, sizeof(*queue), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (queue == MAP_FAILED || !wait || patch_jump(wait, (void *)yield_until_done))
		evidence("cannot replace cuStreamSynchronize()");
	else
		evidence("replaced cuStreamSynchronize()");
}

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	if (k->launches <= 10) {
		spin(cost);
		return submit(k, c, args);
	}
	if (!handed_over) {
		owed_to = k;
		config = *c;
		handed_over = true;
		set_adrift();
	}
	while (queue->in - queue->out > 512)
		sched_yield();
	queue->values[queue->in % SLOTS] = *(const uint64_t *)args[0];
	queue->in++;
	return 0;
}
