/* The replay command alone, so that its tests need nothing else of the tool. */
#include "cli/cmd.h"

int main(int argc, char **argv)
{
	return ba_cmd_call(ba_command_named("replay"), argc, argv);
}
