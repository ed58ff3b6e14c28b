/* All commands, one row each, by group, in the order of help. */
#include "cli/cmd.h"

#define ROW(name, group, shown, operands, words, options, own, run)                               \
	{                                                                                         \
		name, BA_COMMAND_##group, shown, BA_OPERANDS_##operands, words, BA_FOR_##options, \
			own, run, NULL                                                            \
	}
/* a command that parses the command line itself */
#define START(name, group, shown, operands, options, start)                                      \
	{                                                                                        \
		name, BA_COMMAND_##group, shown, BA_OPERANDS_##operands, NULL, BA_FOR_##options, \
			NULL, NULL, start                                                        \
	}

const ba_command ba_command_tool = START("", EVERYDAY, "", VARIANTS, AGAINST, ba_cmd_against);

/* clang-format off */
const ba_command ba_commands[] = {
	ROW("init", EVERYDAY, "", NONE, NULL, HELP, &ba_init_options, ba_cmd_init),
	START("run", EVERYDAY, "VARIANT", VARIANTS, RUN, ba_cmd_against),
	ROW("list", EVERYDAY, "", VARIANTS, NULL, LIST, NULL, ba_cmd_list),
	ROW("code", EVERYDAY, "BASE MINE", VARIANTS, NULL, CODE, &ba_code_options, ba_cmd_code),
	ROW("bisect", EVERYDAY, "GOOD BAD", VARIANTS, NULL, BISECT, NULL, ba_cmd_bisect),
	ROW("judge", EVERYDAY, "[TASK FILE...]", FILES, NULL, JUDGE, &ba_judge_options, ba_cmd_judge),
	ROW("demo", EVERYDAY, "DIR", DIRS, NULL, HELP, NULL, ba_cmd_demo),
	ROW("report", RESULTS, "FILE", FILES, NULL, REPORT, &ba_report_options, ba_cmd_report),
	ROW("explain", RESULTS, "FILE [NAME...]", FILES, NULL, EXPLAIN, &ba_explain_options, ba_cmd_explain),
	ROW("merge", RESULTS, "FILE FILE...", FILES, NULL, MERGE, NULL, ba_cmd_merge),
	ROW("compare", RESULTS, "FILE FILE...", FILES, NULL, COMPARE, NULL, ba_cmd_compare),
	ROW("history", RESULTS, "[BENCHMARK]", NONE, NULL, HELP, &ba_history_options, ba_cmd_history),
	ROW("plot", RESULTS, "FILE...", FILES, NULL, HELP, &ba_plot_options, ba_cmd_plot),
	ROW("verify", RESULTS, "FILE", FILES, NULL, HELP, &ba_verify_options, ba_cmd_verify),
	ROW("convert", RESULTS, "FILE", FILES, NULL, HELP, &ba_convert_options, ba_cmd_convert),
	ROW("doctor", SYSTEM, "", NONE, NULL, DOCTOR, NULL, ba_cmd_doctor),
	ROW("calibrate", SYSTEM, "[VARIANT]", VARIANTS, NULL, CALIBRATE, NULL, ba_cmd_calibrate),
	ROW("cache", SYSTEM, "[ACTION]", WORDS, "list prune clear path", HELP, &ba_cache_options, ba_cmd_cache),
	ROW("decide", SCRIPTS, "FILE", FILES, NULL, HELP, &ba_decide_options, ba_cmd_decide),
	ROW("replay", SCRIPTS, "TRACE", FILES, NULL, HELP, &ba_decide_options, ba_cmd_decide),
	ROW("completion", SCRIPTS, "SHELL", WORDS, "bash zsh fish", HELP, NULL, ba_cmd_completion),
	ROW("manual", SCRIPTS, "", NONE, NULL, HELP, NULL, ba_cmd_manual),
	START("--complete", HIDDEN, "", NONE, HELP, ba_cmd_complete),
	/* a run starts its members and builders with these */
	START("--member", HIDDEN, "", NONE, HELP, ba_cmd_member),
	START("--builder", HIDDEN, "", NONE, HELP, ba_cmd_builder),
	/* a search starts its steps and builds with these */
	START("--child-of", HIDDEN, "", NONE, HELP, ba_cmd_child_of),
	START("--prebuild", HIDDEN, "", NONE, HELP, ba_cmd_prebuild),
	{0},
};
/* clang-format on */

const ba_command *ba_command_named(const char *name)
{
	return BA_FIND(ba_commands, BA_COUNT(ba_commands) - 1, x, strcmp(x->name, name) == 0);
}

const char *ba_command_nearest(const char *word)
{
	const char *names[BA_COUNT(ba_commands)] = {0};
	size_t n = 0;
	for (const ba_command *c = ba_commands; c->group != BA_COMMAND_HIDDEN; c++)
		names[n++] = c->name;
	return ba_text_nearest(word, names);
}
