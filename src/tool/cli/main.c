/* Calls the command that argv names. */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "ba_build.h"
#include "base/base.h"
#include "base/parse.h"
#include "cli/cmd.h"
#include "cli/context.h"
#include "proc/inherited.h"

/* Files through which a step speaks to GitHub's runner: what is built and measured has
 * no business with them. */
static void forget_the_runner(void)
{
	static const char *const names[] = {"GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_PATH",
		"GITHUB_STATE", "GITHUB_STEP_SUMMARY"};
	for (size_t i = 0; i < BA_COUNT(names); i++)
		unsetenv(names[i]);
}

/* "--child-of PID" before all else: how a search starts its steps and builds. They end in
 * order when it is killed. */
static void end_with(const char *parent)
{
	uint64_t pid = 0;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (ba_parse_u64(&pid, parent, 1, INT_MAX, "--child-of", NULL) || getppid() != (pid_t)pid)
		raise(SIGTERM);
}

/* "-C DIR list" is "list -C DIR". */
static void put_command_first(int argc, char **argv)
{
	int at = 1;
	while (at < argc &&
		(ba_text_starts(argv[at], "-C") || ba_text_starts(argv[at], "--directory")))
		at += strcmp(argv[at], "-C") == 0 || strcmp(argv[at], "--directory") == 0 ? 2 : 1;
	if (at == 1 || at >= argc || !ba_command_named(argv[at]))
		return;
	char *name = argv[at];
	memmove(&argv[2], &argv[1], (size_t)(at - 1) * sizeof(*argv));
	argv[1] = name;
}

int main(int argc, char **argv)
{
	ba_inherited_settle();
	forget_the_runner();
	if (argc >= 3 && strcmp(argv[1], "--child-of") == 0) {
		end_with(argv[2]);
		argv[2] = argv[0];
		argc -= 2;
		argv += 2;
	}
	put_command_first(argc, argv);
	if (argc >= 2 && (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)) {
		puts("bench-against " BA_VERSION);
		return fflush(stdout) ? 125 : 0;
	}
	/* not for people: how a run starts those that measure and build for it */
	if (argc >= 2 && strcmp(argv[1], "--member") == 0)
		return ba_context_leave(ba_cmd_member(argc - 1, argv + 1));
	if (argc == 2 && strcmp(argv[1], "--builder") == 0)
		return ba_context_leave(ba_cmd_builder());
	/* and a search those that build its commits */
	if (argc >= 2 && strcmp(argv[1], "--prebuild") == 0)
		return ba_context_leave(ba_cmd_prebuild(argc - 1, argv + 1));
	const ba_command *command = argc >= 2 ? ba_command_named(argv[1]) : NULL;
	if (command)
		return ba_context_leave(command->fn(argc - 1, argv + 1));
	/* "bench-against help run" is what some fingers type */
	if (argc >= 2 && strcmp(argv[1], "help") == 0 && argc <= 3) {
		char help[] = "--help";
		char *page[] = {argc == 3 ? argv[2] : argv[0], help, NULL};
		command = ba_command_named(page[0]);
		return command ? command->fn(2, page) : ba_cmd_against(2, page);
	}
	return ba_context_leave(ba_cmd_against(argc, argv));
}
