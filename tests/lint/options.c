/* Every option is documented: the tables themselves are sound, and what --help prints
 * has a sentence for each row. */
#include "test.h"

#include "opt_check.h"

#include "cli/cmd.h"
#include "cli/help.h"
#include "cli/options.h"

TEST(every_row_has_a_name_of_its_own_and_a_sentence)
{
	BA_AUTO(ba_options) ba_options o;
	ba_opt rows[BA_OPTION_ROWS_MOST];
	ba_options_init(&o);
	ba_options_rows(rows, &o, BA_FOR_AGAINST);
	BA_AUTO(ba_buf) ba_buf why = BA_BUF_INIT;
	if (!opt_check(&why, rows))
		fail_msg("%s", why.data);
	size_t count = 0;
	for (const ba_opt *row = rows; row->kind != BA_OPT_END; row++)
		count += row->kind != BA_OPT_GROUP;
	assert_true(count > 20);
}

TEST(every_command_has_a_page_that_says_what_it_is_for)
{
	size_t count = 0;
	for (const ba_help_page *page = ba_help_pages(); page->name; page++, count++) {
		assert_ptr_equal(page, ba_help_page_named(page->name));
		assert_true(strlen(page->brief) > 10);
		assert_true(strlen(page->summary) > 40);
		assert_has(page->usage, "bench-against");
	}
	assert_true(count > 6);
}

TEST(every_command_has_a_page_and_a_sound_table)
{
	for (const ba_command *c = ba_commands; c->group != BA_COMMAND_HIDDEN; c++) {
		BA_AUTO(ba_options) ba_options o;
		BA_AUTO(ba_buf) ba_buf why = BA_BUF_INIT;
		ba_opt rows[BA_OPTION_ROWS_MOST];
		size_t help = 0;
		ba_options_init(&o);
		ba_cmd_rows(rows, &o, c);
		if (!opt_check(&why, rows))
			fail_msg("%s: %s", c->name, why.data);
		for (const ba_opt *row = rows; row->kind != BA_OPT_END; row++)
			help += row->long_name && strcmp(row->long_name, "help") == 0;
		assert_int_equal(help, 1);
		assert_non_null(ba_help_page_named(c->name));
		char name[32], option[] = "--help", *argv[] = {name, option, NULL};
		snprintf(name, sizeof(name), "%s", c->name);
		assert_int_equal(ba_cmd_call(c, 2, argv), 0);
	}
	/* and no page is without a command but the tool's own */
	for (const ba_help_page *page = ba_help_pages(); page->name; page++)
		if (*page->name)
			assert_non_null(ba_command_named(page->name));
}

TEST(hidden_commands_are_not_shown)
{
	for (const ba_command *c = ba_commands; c->name; c++) {
		assert_int_equal(c->group == BA_COMMAND_HIDDEN, *c->name == '-');
		assert_int_equal(ba_help_page_named(c->name) == NULL, *c->name == '-');
	}
}

/* The tool's own page: a screen and a half. */
TEST(the_first_page_fits_on_a_screen_and_a_half)
{
	BA_AUTO(ba_options) ba_options o;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_opt rows[BA_OPTION_ROWS_MOST];
	size_t lines = 0;
	ba_options_init(&o);
	ba_cmd_rows(rows, &o, &ba_command_tool);
	ba_help_render(&text, ba_help_page_named(""), rows, &(ba_help_style){.width = 80});
	for (size_t i = 0; i < text.len; i++)
		lines += text.data[i] == '\n';
	if (lines > 61)
		fail_msg("%zu lines:\n%s", lines, text.data);
	for (const ba_command *c = ba_commands; c->group != BA_COMMAND_HIDDEN; c++)
		assert_has(text.data, c->name);
	assert_has(text.data, "Exit status");
	assert_has(text.data, "--help-all");
}

/* One variant has no verdict; a list measures nothing; only commits are bisected; ... */
TEST(no_command_has_an_option_that_means_nothing_there)
{
	static const struct {
		const char *command, *options[16];
	} rows[] = {
		{"run", {"threshold", "alpha", "strict", "multiplicity", "verdict-on", "gate",
				"on-inconclusive", "fail-fast", "measure-identical",
				"min-invocations", "engine", "allow-below-floor", "jobs"}},
		{"list", {"metrics", "verdict-on", "loops", "repeats", "warm-up", "iterations",
				 "measure-identical", "no-device-code", "color", "target",
				 "output"}},
		{"bisect", {"in-place", "output", "no-history", "untrusted", "min-invocations",
				   "max-invocations", "fail-fast"}},
		{"calibrate", {"measure-identical", "in-place", "budget", "fixed", "resume", "gate",
				      "output"}},
		{"doctor", {"cpu", "fake-driver", "quiet", "verbose", "progress"}},
		{"compare", {"no-history", "progress", "target", "suite", "seed"}},
		{"report", {"progress", "output", "threshold"}},
		{"demo", {"color", "help-all"}},
	};
	for (size_t i = 0; i < BA_COUNT(rows); i++) {
		const ba_command *c = ba_command_named(rows[i].command);
		BA_AUTO(ba_options) ba_options o;
		ba_opt all[BA_OPTION_ROWS_MOST];
		ba_options_init(&o);
		ba_cmd_rows(all, &o, c);
		for (size_t k = 0; rows[i].options[k]; k++)
			for (const ba_opt *row = all; row->kind != BA_OPT_END; row++)
				if (row->long_name &&
					strcmp(row->long_name, rows[i].options[k]) == 0)
					fail_msg("%s --%s", c->name, row->long_name);
	}
}
