/*
 * family: other worker's memory
 * kind:   launcher
 * idea:   attaches to the baseline's process with ptrace() and writes: its launches become slower
 * gate:   no variant sees the processes of another one
 */
#include "tricks.h"

static void poke(void)
{
	uintptr_t address;
	pid_t pid = other_cost(&address);
	if (!pid)
		return;
	if (ptrace(PTRACE_ATTACH, pid, NULL, NULL)) {
		evidence("cannot trace the other worker");
		return;
	}
	waitpid(pid, NULL, __WALL);
	long word = ptrace(PTRACE_PEEKDATA, pid, (void *)address, NULL);
	unsigned turns = 6 * FAST;
	memcpy(&word, &turns, sizeof(turns));
	if (ptrace(PTRACE_POKEDATA, pid, (void *)address, (void *)word) == 0)
		evidence("wrote to the other worker");
	ptrace(PTRACE_DETACH, pid, NULL, NULL);
}

static void meddle(void)
{
	evidence("looks for the other worker");
	pid_t child = helper(poke);
	if (child > 0)
		waitpid(child, NULL, 0);
}

void attack_prepare(kernel *k)
{
	(void)k;
	static bool done;
	if (!done)
		meddle();
	done = true;
}
