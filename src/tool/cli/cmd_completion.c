/* `bench-against completion SHELL`, and `bench-against manual`: describe the command
 * line to a shell and to man. */
#include <stdio.h>
#include <string.h>

#include "cli/complete.h"
#include "cli/context.h"
#include "cli/opt.h"

/* -1: go on; else the exit status */
static int parse(ba_strv *operands, const char *page, int argc, char **argv)
{
	ba_error err = {0};
	bool help = false;
	ba_opt rows[] = {
		OPT_GROUP("Options"),
		OPT_FLAG('h', "help", &help, "this page"),
		OPT_END,
	};
	if (ba_opt_parse(operands, rows, argc - 1, argv + 1, &err) < 0)
		return ba_context_complain(NULL, &err);
	if (!help)
		return -1;
	ba_help_show(page, rows, true);
	return ba_context_end(0);
}

static const ba_shell *shell_named(const char *name)
{
	for (const ba_shell *const *s = ba_shells; *s; s++)
		if (strcmp((*s)->name, name) == 0)
			return *s;
	return NULL;
}

int ba_cmd_completion(int argc, char **argv)
{
	ba_error err = {0};
	BA_AUTO(ba_strv) ba_strv operands = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	int status = parse(&operands, "completion", argc, argv);
	if (status >= 0)
		return status;
	const ba_shell *shell = operands.count == 1 ? shell_named(operands.items[0]) : NULL;
	if (!shell) {
		ba_fail(&err, BA_EINVAL, "completion is for one shell: bash, zsh or fish%s%s%s",
			operands.count == 1 ? ", not '" : "",
			operands.count == 1 ? operands.items[0] : "",
			operands.count == 1 ? "'" : "");
		return ba_context_complain(NULL, &err);
	}
	ba_complete_write(&text, shell);
	fputs(text.data, stdout);
	return ba_context_end(0);
}

int ba_cmd_manual(int argc, char **argv)
{
	ba_error err = {0};
	BA_AUTO(ba_strv) ba_strv operands = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	int status = parse(&operands, "manual", argc, argv);
	if (status >= 0)
		return status;
	if (operands.count) {
		ba_fail(&err, BA_EINVAL, "manual takes no '%s': it is one page for all commands",
			operands.items[0]);
		return ba_context_complain(NULL, &err);
	}
	ba_manual_write(&text);
	fputs(text.data, stdout);
	return ba_context_end(0);
}
