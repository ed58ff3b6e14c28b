#include "cli/cmd.h"
#include "proc/handover.h"

/* Files to GitHub's runner: builds and measured programs must not reach them. */
static void forget_the_runner(void)
{
	static const char *const names[] = {"GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_PATH",
		"GITHUB_STATE", "GITHUB_STEP_SUMMARY"};
	for (size_t i = 0; i < BA_COUNT(names); i++)
		unsetenv(names[i]);
}

int main(int argc, char **argv)
{
	ba_inherited_settle();
	forget_the_runner();
	return ba_context_leave(ba_cmd_dispatch(argc, argv));
}
