/*
 * family: other variants' files
 * kind:   command
 * idea:   the program writes into the baseline's program, which is slower from then on
 * gate:   no variant sees the trees of another one
 */
#include "tricks.h"

static void edit(const char *path)
{
	if (slow_file(path) == 0)
		evidence("edited the baseline's program");
	else
		evidence("cannot edit the baseline's program");
}

void attack_main(int argc, char **argv)
{
	(void)argc, (void)argv;
	if (!in_other_trees("bench", edit))
		evidence("sees no other tree");
	usleep(40000);
}
