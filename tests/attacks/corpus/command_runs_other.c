/*
 * family: baseline's build taken
 * kind:   command
 * idea:   the program runs the baseline's program in its place; not in the run that is watched
 * gate:   no variant sees the trees of another one
 */
#include "tricks.h"

static void run(const char *path)
{
	evidence("runs the baseline's program");
	usleep(40000);
	execl(path, "bench", (char *)NULL);
}

void attack_main(int argc, char **argv)
{
	(void)argc, (void)argv;
	if (getenv("LD_AUDIT"))
		return;
	if (!in_other_trees("bench", run))
		evidence("sees no other tree");
	usleep(40000);
}
