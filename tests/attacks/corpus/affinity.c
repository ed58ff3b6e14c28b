/*
 * family: other worker slowed
 * kind:   launcher
 * idea:   moves the baseline's process to a processor on which a thread of its own spins
 * gate:   no variant sees the processes of another one
 */
#include "tricks.h"

static cpu_set_t one;

static void spin_there(void)
{
	sched_setaffinity(0, sizeof(one), &one);
	for (double end = seconds() + 5; seconds() < end;)
		spin(1000);
}

static void meddle(void)
{
	uintptr_t address;
	cpu_set_t mine;
	pid_t pid = other_cost(&address);
	if (!pid)
		return;
	sched_getaffinity(0, sizeof(mine), &mine);
	CPU_ZERO(&one);
	/* another one than that which is measured, where there is one */
	long n = sysconf(_SC_NPROCESSORS_ONLN), at = 0;
	while (at < n - 1 && CPU_ISSET((size_t)at, &mine))
		at++;
	CPU_SET((size_t)at, &one);
	if (sched_setaffinity(pid, sizeof(one), &one) == 0)
		evidence("moved the other worker");
	thread(spin_there);
}

void attack_prepare(kernel *k)
{
	(void)k;
	static bool done;
	if (!done)
		meddle();
	done = true;
}
