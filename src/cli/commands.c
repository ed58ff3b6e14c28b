/* Every command, a row each: dispatch, completions, the manual and a test read it. */
#include <string.h>

#include "base/count.h"
#include "base/text.h"
#include "cli/cmd.h"

/* clang-format off */
const ba_command ba_commands[] = {
	{"run", ba_cmd_run, BA_OPERANDS_VARIANTS, NULL},
	{"list", ba_cmd_list, BA_OPERANDS_VARIANTS, NULL},
	{"doctor", ba_cmd_doctor, BA_OPERANDS_NONE, NULL},
	{"cache", ba_cmd_cache, BA_OPERANDS_WORDS, "list prune clear path"},
	{"demo", ba_cmd_demo, BA_OPERANDS_DIRS, NULL},
	{"compare", ba_cmd_compare, BA_OPERANDS_FILES, NULL},
	{"convert", ba_cmd_convert, BA_OPERANDS_FILES, NULL},
	{"replay", ba_cmd_replay, BA_OPERANDS_FILES, NULL},
	{"verify", ba_cmd_verify, BA_OPERANDS_FILES, NULL},
	{"report", ba_cmd_report, BA_OPERANDS_FILES, NULL},
	{"plot", ba_cmd_plot, BA_OPERANDS_FILES, NULL},
	{"calibrate", ba_cmd_calibrate, BA_OPERANDS_VARIANTS, NULL},
	{"history", ba_cmd_history, BA_OPERANDS_NONE, NULL},
	{"init", ba_cmd_init, BA_OPERANDS_NONE, NULL},
	{"bisect", ba_cmd_bisect, BA_OPERANDS_VARIANTS, NULL},
	{"completion", ba_cmd_completion, BA_OPERANDS_WORDS, "bash zsh fish"},
	{"manual", ba_cmd_manual, BA_OPERANDS_NONE, NULL},
	{NULL, NULL, BA_OPERANDS_NONE, NULL},
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
