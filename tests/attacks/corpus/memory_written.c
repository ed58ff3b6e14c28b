/*
 * family: other worker's memory
 * kind:   launcher
 * idea:   writes into the memory of the baseline's process through /proc/PID/mem: its launches become
 *         slower
 * gate:   no variant sees the processes of another one
 */
#include "tricks.h"

static void meddle(void)
{
	uintptr_t address;
	char name[64];
	unsigned turns = 6 * FAST;
	pid_t pid = other_cost(&address);
	if (!pid)
		return;
	snprintf(name, sizeof(name), "/proc/%d/mem", (int)pid);
	int fd = open(name, O_RDWR | O_CLOEXEC);
	if (fd >= 0 && pwrite(fd, &turns, sizeof(turns), (off_t)address) == sizeof(turns))
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
