/* argv to a command. */
#include <stdio.h>
#include <string.h>

#include "ba_build.h"
#include "base/text.h"
#include "cli/cmd.h"

static const struct {
	const char *name;
	int (*fn)(int argc, char **argv);
} commands[] = {
	{"run", ba_cmd_run},
	{"list", ba_cmd_list},
	{"doctor", ba_cmd_doctor},
	{"cache", ba_cmd_cache},
	{"demo", ba_cmd_demo},
	{"replay", ba_cmd_replay},
	{"verify", ba_cmd_verify},
	{"calibrate", ba_cmd_calibrate},
};

int main(int argc, char **argv)
{
	if (argc >= 2 &&
		(strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)) {
		puts("bench-against " BA_VERSION);
		return fflush(stdout) ? 125 : 0;
	}
	for (size_t i = 0; argc >= 2 && i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return commands[i].fn(argc - 1, argv + 1);
	/* "bench-against help run" is what some fingers type */
	if (argc >= 2 && strcmp(argv[1], "help") == 0 && argc <= 3) {
		char help[] = "--help";
		char *page[] = {argc == 3 ? argv[2] : argv[0], help, NULL};
		for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
			if (strcmp(page[0], commands[i].name) == 0)
				return commands[i].fn(2, page);
		return ba_cmd_against(2, page);
	}
	return ba_cmd_against(argc, argv);
}
