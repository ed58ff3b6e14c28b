/* Variants whose libraries are equal, and what else of their trees decides. */
#include "e2e.h"

#include <signal.h>
#include <sys/stat.h>

#include "base/mem.h"

TEST_GROUP(e2e_set_up, NULL);

/* A commit of the library that reads `table`; `path` has `text` in it from then on. */
static void commit(e2e *t, const char *name, const char *path, const char *text)
{
	put(t->repo, path, text);
	e2e_commit(t, name, "cost_from_tree");
}

static e2e begin(void)
{
	e2e t = e2e_begin();
	put(t.repo, "table", "100\n");
	commit(&t, "old", "source.c", "/* a comment */\n");
	return t;
}

static void check_regressed(e2e *t, double ratio, const char *says)
{
	assert_status(t, 1);
	assert_string_equal(e2e_text(t, "variants.0.artefacts.0.sha256"),
		e2e_text(t, "variants.1.artefacts.0.sha256"));
	assert_string_equal(e2e_verdict(t, 1), "regressed");
	assert_close(e2e_ratio(t, 1), ratio, 1e-6);
	assert_has(t->out, says);
	e2e_check_verifies(t);
}

TEST(a_file_that_is_read_when_it_runs_is_part_of_a_variant)
{
	e2e t = begin();
	commit(&t, "new", "table", "450\n");
	e2e_against(&t, "--gate=strict", "old", "new");
	check_regressed(&t, 4.5, "'table' was opened");
	e2e_end(&t);
}

TEST(a_file_that_only_one_has_is_part_of_it_when_it_is_read)
{
	e2e t = begin();
	commit(&t, "new", "tuned", "450\n");
	e2e_against(&t, "--gate=strict", "old", "new");
	check_regressed(&t, 4.5, "'tuned' was opened");
	e2e_end(&t);
}

static void check_identical(e2e *t)
{
	assert_status(t, 0);
	assert_string_equal(e2e_verdict(t, 1), "identical");
	/* the control */
	assert_int_equal(e2e_count(t, "series.0.samples"), 4);
	assert_close(e2e_ratio(t, 1), 1, 1e-9);
	assert_has(t->out, "control");
}

TEST(a_file_that_nothing_opens_leaves_variants_identical)
{
	e2e t = begin();
	commit(&t, "comment", "source.c", "/* another comment */\n");
	e2e_against(&t, "old", "comment");
	check_identical(&t);
	assert_has(e2e_text(&t, "series.0.comparisons.0.reason"), "opened");
	assert_string_equal(
		e2e_text(&t, "variants.0.used_sha256"), e2e_text(&t, "variants.1.used_sha256"));
	assert_string_not_equal(
		e2e_text(&t, "variants.0.tree_sha256"), e2e_text(&t, "variants.1.tree_sha256"));
	e2e_check_verifies(&t);
	commit(&t, "added", "doc/page.md", "# A page\n");
	e2e_against(&t, "old", "added");
	check_identical(&t);
	e2e_end(&t);
}

TEST(a_control_that_contradicts_is_a_verdict)
{
	e2e t = begin();
	commit(&t, "new", "slow", "its being there is enough\n");
	e2e_against(&t, "--gate=strict", "old", "new");
	assert_has(e2e_text(&t, "series.0.comparisons.0.reason"), "control");
	check_regressed(&t, 10, "got slower");
	e2e_end(&t);
}

/* A fifth of the visits is slow: the mean says so, the typical time hardly does. */
TEST(a_control_whose_mean_contradicts_is_a_verdict)
{
	e2e t = begin();
	commit(&t, "new", "tail", "its being there is enough\n");
	e2e_against(&t, "--gate=strict", "--blocks", "64", "--fixed", "8", "old", "new");
	assert_status(&t, 1);
	assert_non_null(strstr(e2e_verdict(&t, 1), "regressed"));
	assert_in_range((int)(100 * e2e_ratio(&t, 1)), 99, 110);
	assert_has(e2e_text(&t, "series.0.comparisons.0.reason"), "contradicts");
	e2e_check_verifies(&t);
	e2e_end(&t);
}

/* Slow in every other process: the first look sees it and cannot confirm it. */
TEST(a_control_that_is_suspicious_is_never_identical)
{
	e2e t = begin();
	BA_AUTO_FREE char *turns = at("%s/turns", t.dir);
	commit(&t, "new", "tail", "its being there is enough\n");
	e2e_env("BA_TEST_TURNS", turns);
	e2e_against(&t, "--gate=strict", "old", "new");
	assert_status(&t, 125);
	assert_string_equal(e2e_verdict(&t, 1), "inconclusive");
	assert_has(e2e_text(&t, "series.0.comparisons.0.reason"), "the control was");
	e2e_check_verifies(&t);
	e2e_against(&t, "--gate=strict", "--fixed", "24", "old", "new");
	assert_status(&t, 1);
	assert_int_equal(e2e_count(&t, "series.0.samples"), 24);
	assert_has(e2e_text(&t, "series.0.comparisons.0.reason"), "contradicts");
	e2e_check_verifies(&t);
	e2e_env("BA_TEST_TURNS", NULL);
	e2e_end(&t);
}

TEST(what_the_configuration_calls_irrelevant_is_left_out)
{
	e2e t = e2e_begin();
	e2e_configure(&t, E2E_BUILD ", \"irrelevant\": [\".git\", \"doc\"]", "[0]");
	put(t.repo, "table", "100\n");
	commit(&t, "old", "doc/a/page.md", "one\n");
	commit(&t, "new", "doc/a/page.md", "two\n");
	e2e_against(&t, "old", "new");
	check_identical(&t);
	assert_string_equal(
		e2e_text(&t, "variants.0.tree_sha256"), e2e_text(&t, "variants.1.tree_sha256"));
	e2e_check_verifies(&t);
	e2e_end(&t);
}

TEST(permissions_and_links_are_not_excused)
{
	e2e t = begin();
	BA_AUTO_FREE char *source = at("%s/source.c", t.repo);
	assert_int_equal(chmod(source, 0755), 0);
	e2e_commit(&t, "mode", "cost_from_tree");
	e2e_against(&t, "old", "mode");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	assert_has(t.out, "'source.c'");
	e2e_end(&t);
}

TEST(of_three_the_identical_one_rests_after_its_control)
{
	e2e t = begin();
	commit(&t, "comment", "source.c", "/* another comment */\n");
	commit(&t, "slow", "table", "110\n");
	e2e_against(&t, "--fixed", "8", "old", "comment", "slow");
	/* the table was opened, and it is in question for the third alone */
	assert_status(&t, 1);
	assert_string_equal(e2e_verdict(&t, 1), "identical");
	assert_string_equal(e2e_verdict(&t, 2), "regressed");
	e2e_check_verifies(&t);
	e2e_end(&t);
}

TEST(what_was_opened_is_known_after_a_resume)
{
	e2e t = begin();
	commit(&t, "new", "table", "100 \n");
	e2e_stop_at(2, SIGKILL);
	e2e_start_against(&t, "--fixed", "8", "old", "new");
	BA_AUTO_FREE char *journal = e2e_stopped(&t, SIGKILL);
	e2e_tool(&t, "--resume", journal);
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	e2e_end(&t);
}
