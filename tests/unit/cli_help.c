/* pages of help: folded to the width, and every command has one */
#include "test.h"

#include "base/text.h"
#include "cli/help.h"

TEST(no_line_is_wider_than_the_terminal)
{
	const char *output = NULL;
	bool quiet;
	ba_opt rows[] = {
		OPT_GROUP("Output"),
		OPT_FLAG('q', "quiet", &quiet, "print the one sentence that answers the question"),
		OPT_STRING(0, "output", &output,
			"write everything that was measured, every sample of it, to "
			"<file>"),
		OPT_END,
	};
	static const size_t widths[] = {60, 80, 100};
	for (size_t w = 0; w < 3; w++) {
		for (const ba_help_page *page = ba_help_pages(); page->name; page++) {
			BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
			ba_help_render(&out, page, rows,
				&(ba_help_style){.width = widths[w], .all = true});
			char *save = NULL;
			for (char *line = strtok_r(out.data, "\n", &save); line;
				line = strtok_r(NULL, "\n", &save)) {
				/* examples are kept as they are: 80 columns */
				size_t limit = widths[w];
				if (ba_text_starts(line, "  ") && limit < 80)
					limit = 80;
				if (ba_text_width(line) > limit)
					fail_msg("%zu columns: %s", widths[w], line);
			}
		}
	}
}

TEST(options_show_their_placeholders)
{
	static const char *const when[] = {"auto", "always", NULL};
	const char *output = NULL;
	int n, color;
	bool quiet;
	ba_opt rows[] = {
		OPT_GROUP("Output"),
		OPT_STRING('o', "output", &output, "write the results to <file>"),
		OPT_INT_IN(0, "seed", &n, 0, INT32_MAX, "<n>: start of the schedule"),
		OPT_CHOICE_OR(0, "color", &color, when, "always", "use colour"),
		OPT_FLAG('q', "quiet", &quiet, "only the answer"),
		OPT_END,
	};
	const ba_help_page page = {.usage = "x [OPTIONS]", .name = "x", .summary = "What.\n"};
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	ba_help_render(&out, &page, rows, &(ba_help_style){.width = 80});
	assert_string_equal(out.data, "usage: x [OPTIONS]\n"
				      "\n"
				      "What.\n"
				      "\n"
				      "Output\n"
				      "  -o, --output <file>         write the results to <file>\n"
				      "      --seed <n>              start of the schedule\n"
				      "      --color[=auto|always]   use colour\n"
				      "  -q, --quiet                 only the answer\n");
}

TEST(bold_titles_only_in_colour)
{
	BA_AUTO(ba_buf) ba_buf plain = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf colour = BA_BUF_INIT;
	ba_help_render(&plain, ba_help_page_named(""), NULL, &(ba_help_style){.width = 80});
	ba_help_render(&colour, ba_help_page_named(""), NULL,
		&(ba_help_style){.width = 80, .colour = true});
	assert_null(strchr(plain.data, '\033'));
	assert_has(colour.data, "\033[1mExit status\033[0m\n");
}

TEST(the_short_page_has_the_everyday_rows_and_their_first_clause)
{
	const char *output = NULL, *seed = NULL;
	bool all, dry;
	ba_opt rows[] = {
		OPT_GROUP("Schedule"),
		OPT_STRING(0, "seed", &seed, "the <n> to start from"),
		OPT_FLAG(0, "dry", &dry, "measure nothing; say what would be measured"),
		OPT_GROUP("Output"),
		OPT_STRING('o', "output", &output, "write the results to <file>"),
		OPT_FLAG(0, "help-all", &all, "print this page with every option"),
		OPT_END,
	};
	static const ba_help_section sections[] = {
		{.title = "Always", .text = "Here.\n", .after_options = true},
		{.title = "More", .text = "There.\n", .only_all = true},
		{0},
	};
	const ba_help_page page = {
		.name = "x", .usage = "x [OPTIONS]", .summary = "What.\n", .sections = sections};
	BA_AUTO(ba_buf) ba_buf brief = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf whole = BA_BUF_INIT;
	rows[2].everyday = rows[4].everyday = rows[5].everyday = true;
	ba_help_render(&brief, &page, rows, &(ba_help_style){.width = 80});
	assert_string_equal(brief.data,
		"usage: x [OPTIONS]\n"
		"\n"
		"What.\n"
		"\n"
		"Options\n"
		"      --dry                   measure nothing\n"
		"  -o, --output <file>         write the results to <file>\n"
		"      --help-all              print this page with every option\n"
		"\n"
		"Always\n"
		"Here.\n");
	ba_help_render(&whole, &page, rows, &(ba_help_style){.width = 80, .all = true});
	assert_has(whole.data, "Schedule\n");
	assert_has(whole.data, "measure nothing; say what would be measured\n");
	assert_has(whole.data, "More\nThere.\n");
}

TEST(each_command_has_a_page)
{
	static const char *const names[] = {"", "run", "list", "doctor", "cache", "demo", "replay"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const ba_help_page *page = ba_help_page_named(names[i]);
		assert_non_null(page);
		assert_true(*page->brief && *page->usage && *page->summary);
	}
	assert_null(ba_help_page_named("frobnicate"));
}
