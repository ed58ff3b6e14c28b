/*
 * family: other variants' files
 * kind:   launcher
 * quick:  yes
 * idea:   while it is measured, writes into the baseline's built library: the next process loads
 *         a slower one
 * gate:   no variant sees the trees of another one, and a tree is checked before each start
 */
#include "tricks.h"

static void edit(const char *path)
{
	if (slow_file(path) == 0)
		evidence("edited the baseline's library");
	else
		evidence("cannot edit the baseline's library");
}

void attack_open(const ba_launcher_host *host)
{
	(void)host;
	if (!in_other_trees("launcher.so", edit))
		evidence("sees no other tree");
}
