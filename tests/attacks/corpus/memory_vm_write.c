/*
 * family: other worker's memory
 * kind:   launcher
 * idea:   process_vm_writev() into the baseline's process: its launches become slower
 * gate:   no variant sees the processes of another one
 */
#include "tricks.h"

static void meddle(void)
{
	uintptr_t address;
	unsigned turns = 6 * FAST;
	pid_t pid = other_cost(&address);
	struct iovec from = {&turns, sizeof(turns)}, to = {(void *)address, sizeof(turns)};
	if (!pid)
		return;
	if (process_vm_writev(pid, &from, 1, &to, 1, 0) == sizeof(turns))
		evidence("wrote to the other worker");
	else
		evidence("cannot write to the other worker");
}

void attack_prepare(kernel *k)
{
	(void)k;
	static bool done;
	if (!done)
		meddle();
	done = true;
}
