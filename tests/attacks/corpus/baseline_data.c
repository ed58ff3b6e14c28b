/*
 * family: baseline in the same process
 * kind:   launcher
 * idea:   prepare() writes into a variable of the baseline's library, which makes it slower;
 *         no code page changes
 * gate:   no other variant may be in the process that acquits
 */
#include "tricks.h"

void attack_prepare(kernel *k)
{
	char path[PATH_MAX];
	uintptr_t base = mapped(getpid(), "/launcher.so", path);
	uintptr_t offset = base ? symbol_of(path, "cost") : 0;
	(void)k;
	if (!offset) {
		evidence("the baseline is not here");
		return;
	}
	*(unsigned *)(base + offset) = 6 * FAST;
	evidence("wrote to the baseline's data");
}
