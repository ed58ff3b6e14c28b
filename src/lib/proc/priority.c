#include "proc/priority.h"

#include <sched.h>
#include <sys/resource.h>

ba_priority ba_priority_now(void)
{
	struct sched_param param = {0};
	sched_getparam(0, &param);
	return (ba_priority){.nice = getpriority(PRIO_PROCESS, 0),
		.policy = sched_getscheduler(0),
		.realtime = param.sched_priority};
}

int ba_priority_set(ba_priority p)
{
	const struct sched_param param = {.sched_priority = p.realtime};
	int rc = sched_setscheduler(0, p.policy, &param);
	return setpriority(PRIO_PROCESS, 0, p.nice) ? -1 : rc;
}
