/* Every option is documented: the tables themselves are sound, and what --help prints
 * has a sentence for each row. */
#include "test.h"

#include "base/count.h"
#include "cli/cmd.h"
#include "cli/help.h"
#include "cli/options.h"

static void every_row_has_a_name_of_its_own_and_a_sentence(void **state)
{
	(void)state;
	BA_AUTO(ba_options) ba_options o;
	ba_opt rows[BA_OPTION_ROWS_MOST];
	ba_options_init(&o);
	ba_options_rows(rows, &o, BA_FOR_AGAINST);
	BA_AUTO(ba_buf) ba_buf why = BA_BUF_INIT;
	if (!ba_opt_check(&why, rows))
		fail_msg("%s", why.data);
	size_t count = 0;
	for (const ba_opt *row = rows; row->kind != BA_OPT_END; row++)
		count += row->kind != BA_OPT_GROUP;
	assert_true(count > 20);
}

static void every_command_has_a_page_that_says_what_it_is_for(void **state)
{
	(void)state;
	size_t count = 0;
	for (const ba_help_page *page = ba_help_pages(); page->name; page++, count++) {
		assert_ptr_equal(page, ba_help_page_named(page->name));
		assert_true(strlen(page->brief) > 10);
		assert_true(strlen(page->summary) > 40);
		assert_has(page->usage, "bench-against");
	}
	assert_true(count > 6);
}

static size_t taken;

static void check_rows(void *data, const ba_help_page *page, const ba_opt *rows)
{
	BA_AUTO(ba_buf) ba_buf why = BA_BUF_INIT;
	assert_non_null(page);
	assert_string_equal(page->name, data);
	if (!ba_opt_check(&why, rows))
		fail_msg("%s: %s", page->name, why.data);
	taken++;
}

static void every_command_tells_its_options(void **state)
{
	(void)state;
	for (const ba_command *c = ba_commands; c->name; c++) {
		char help[] = "--help", *argv[] = {(char *)c->name, help, NULL};
		taken = 0;
		ba_help_take(check_rows, (void *)c->name);
		assert_int_equal(c->fn(2, argv), 0);
		ba_help_take(NULL, NULL);
		if (taken != 1)
			fail_msg("%s --help does not end in ba_help_show", c->name);
	}
	/* and no page is without a command but the tool's own */
	for (const ba_help_page *page = ba_help_pages(); page->name; page++)
		if (*page->name)
			assert_non_null(ba_command_named(page->name));
}

/* The tool's own page: a screen and a half. */
static void render_short(void *data, const ba_help_page *page, const ba_opt *rows)
{
	ba_help_render(data, page, rows, &(ba_help_style){.width = 80});
}

static void the_first_page_fits_on_a_screen_and_a_half(void **state)
{
	(void)state;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	char help[] = "--help", *argv[] = {help, help, NULL};
	size_t lines = 0;
	ba_help_take(render_short, &text);
	assert_int_equal(ba_cmd_against(2, argv), 0);
	ba_help_take(NULL, NULL);
	for (size_t i = 0; i < text.len; i++)
		lines += text.data[i] == '\n';
	if (lines > 60)
		fail_msg("%zu lines:\n%s", lines, text.data);
	for (const ba_command *c = ba_commands; c->name; c++)
		assert_has(text.data, c->name);
	assert_has(text.data, "Exit status");
	assert_has(text.data, "--help-all");
}

typedef struct wanted {
	const char *option;
	bool found;
} wanted;

static void find_option(void *data, const ba_help_page *page, const ba_opt *rows)
{
	wanted *w = data;
	(void)page;
	for (; rows->kind != BA_OPT_END; rows++)
		w->found = w->found || (rows->long_name && strcmp(rows->long_name, w->option) == 0);
}

/* One variant has no verdict; a list measures nothing; only commits are bisected; ... */
static void no_command_has_an_option_that_means_nothing_there(void **state)
{
	(void)state;
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
		for (size_t k = 0; rows[i].options[k]; k++) {
			wanted w = {.option = rows[i].options[k]};
			char help[] = "--help", *argv[] = {(char *)c->name, help, NULL};
			ba_help_take(find_option, &w);
			assert_int_equal(c->fn(2, argv), 0);
			ba_help_take(NULL, NULL);
			if (w.found)
				fail_msg("%s --%s", c->name, w.option);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_has_a_name_of_its_own_and_a_sentence),
		cmocka_unit_test(every_command_has_a_page_that_says_what_it_is_for),
		cmocka_unit_test(every_command_tells_its_options),
		cmocka_unit_test(the_first_page_fits_on_a_screen_and_a_half),
		cmocka_unit_test(no_command_has_an_option_that_means_nothing_there),
	};
	return cmocka_run_group_tests_name("lint_options", tests, NULL, NULL);
}
