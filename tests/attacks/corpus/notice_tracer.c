/*
 * family: noticing that it is measured
 * kind:   launcher
 * idea:   is fast where it is traced, pinned to one processor, or not the leader of its session
 * gate:   a process that measures looks like any other
 * scope:  out: code that is fast while it is measured was measured right; only a review finds
 *         that it is slow elsewhere
 */
#include "tricks.h"

static bool is_measured(void)
{
	cpu_set_t set;
	sched_getaffinity(0, sizeof(set), &set);
	return number_in(getpid(), "TracerPid:") > 0 || CPU_COUNT(&set) == 1 ||
	       getpid() != getsid(0);
}

static unsigned turns;

void attack_open(const ba_launcher_host *host)
{
	(void)host;
	turns = is_measured() ? FAKE : cost;
	evidence(turns == FAKE ? "noticed that it is measured" : "noticed nothing");
}

int attack_launch(kernel *k, const ba_launcher_config *c, void **args)
{
	spin(turns);
	return submit(k, c, args);
}
