/* Every option is documented: the tables themselves are sound, and what --help prints
 * has a sentence for each row. */
#include "test.h"

#include "cli/cmd.h"
#include "cli/help.h"
#include "cli/options.h"

#define ALL_GROUPS                                                        \
	(BA_OPTS_WHAT | BA_OPTS_DECIDE | BA_OPTS_SAMPLE | BA_OPTS_BUILD | \
		BA_OPTS_MACHINE | BA_OPTS_OUTPUT | BA_OPTS_LIST)

static void every_row_has_a_name_of_its_own_and_a_sentence(void **state)
{
	(void)state;
	BA_AUTO(ba_options) ba_options o;
	ba_opt rows[BA_OPTION_ROWS_MOST];
	ba_options_init(&o);
	ba_options_rows(rows, &o, ALL_GROUPS);
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
	for (; ba_help_pages[count]; count++) {
		const ba_help_page *page = ba_help_pages[count];
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
	size_t pages = 0;
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
	for (; ba_help_pages[pages]; pages++)
		if (*ba_help_pages[pages]->name)
			assert_non_null(ba_command_named(ba_help_pages[pages]->name));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row_has_a_name_of_its_own_and_a_sentence),
		cmocka_unit_test(every_command_has_a_page_that_says_what_it_is_for),
		cmocka_unit_test(every_command_tells_its_options),
	};
	return cmocka_run_group_tests_name("lint_options", tests, NULL, NULL);
}
