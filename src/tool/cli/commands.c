/* Every command, a row each, by group, in the order in which help lists them: dispatch,
 * help, completions, the manual and a test read it. */

#include "base/base.h"
#include "cli/cmd.h"

/* clang-format off */
const ba_command ba_commands[] = {
	{"init", ba_cmd_init, BA_COMMAND_EVERYDAY, "", BA_OPERANDS_NONE, NULL},
	{"run", ba_cmd_run, BA_COMMAND_EVERYDAY, "VARIANT", BA_OPERANDS_VARIANTS, NULL},
	{"list", ba_cmd_list, BA_COMMAND_EVERYDAY, "", BA_OPERANDS_VARIANTS, NULL},
	{"bisect", ba_cmd_bisect, BA_COMMAND_EVERYDAY, "GOOD BAD", BA_OPERANDS_VARIANTS, NULL},
	{"demo", ba_cmd_demo, BA_COMMAND_EVERYDAY, "DIR", BA_OPERANDS_DIRS, NULL},
	{"report", ba_cmd_report, BA_COMMAND_RESULTS, "FILE", BA_OPERANDS_FILES, NULL},
	{"explain", ba_cmd_explain, BA_COMMAND_RESULTS, "FILE", BA_OPERANDS_FILES, NULL},
	{"merge", ba_cmd_merge, BA_COMMAND_RESULTS, "FILE FILE", BA_OPERANDS_FILES, NULL},
	{"compare", ba_cmd_compare, BA_COMMAND_RESULTS, "FILE FILE", BA_OPERANDS_FILES, NULL},
	{"history", ba_cmd_history, BA_COMMAND_RESULTS, "[BENCHMARK]", BA_OPERANDS_NONE, NULL},
	{"plot", ba_cmd_plot, BA_COMMAND_RESULTS, "FILE...", BA_OPERANDS_FILES, NULL},
	{"verify", ba_cmd_verify, BA_COMMAND_RESULTS, "FILE", BA_OPERANDS_FILES, NULL},
	{"convert", ba_cmd_convert, BA_COMMAND_RESULTS, "FILE", BA_OPERANDS_FILES, NULL},
	{"doctor", ba_cmd_doctor, BA_COMMAND_SYSTEM, "", BA_OPERANDS_NONE, NULL},
	{"calibrate", ba_cmd_calibrate, BA_COMMAND_SYSTEM, "[VARIANT]", BA_OPERANDS_VARIANTS, NULL},
	{"cache", ba_cmd_cache, BA_COMMAND_SYSTEM, "[ACTION]", BA_OPERANDS_WORDS, "list prune clear path"},
	{"replay", ba_cmd_replay, BA_COMMAND_SCRIPTS, "TRACE", BA_OPERANDS_FILES, NULL},
	{"decide", ba_cmd_decide, BA_COMMAND_SCRIPTS, "FILE", BA_OPERANDS_FILES, NULL},
	{"completion", ba_cmd_completion, BA_COMMAND_SCRIPTS, "SHELL", BA_OPERANDS_WORDS, "bash zsh fish"},
	{"manual", ba_cmd_manual, BA_COMMAND_SCRIPTS, "", BA_OPERANDS_NONE, NULL},
	{NULL, NULL, BA_COMMAND_SCRIPTS, NULL, BA_OPERANDS_NONE, NULL},
};
/* clang-format on */

const ba_command *ba_command_named(const char *name)
{
	for (const ba_command *c = ba_commands; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

const char *ba_command_nearest(const char *word)
{
	size_t n = BA_COUNT(ba_commands);
	const char *names[BA_COUNT(ba_commands)];
	for (size_t i = 0; i < n; i++)
		names[i] = ba_commands[i].name;
	return ba_text_nearest(word, names);
}
