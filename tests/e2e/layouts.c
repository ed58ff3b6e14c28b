/* --layouts: what only lies elsewhere is not slower, and what is slower stays so. */
#include "e2e.h"

#include <signal.h>

#include "base/mem.h"
#include "base/base.h"

static e2e begin(const char *baseline, const char *candidate)
{
#ifndef __x86_64__
	skip();
#endif
	e2e t = e2e_begin();
	e2e_configure(&t, E2E_BUILD, "[0, 1]");
	e2e_commit(&t, "old", baseline);
	e2e_commit(&t, "new", candidate);
	return t;
}

/* so that it is there however its compiler places it */
static const char *which_is_slower(e2e *t, double *d)
{
	e2e_against(t, "--fixed", "4", "old", "new");
	*d = fabs(log(e2e_ratio(t, 1)));
	assert_true(*d > 0.02);
	assert_true(strstr(t->out, "layout moves") == NULL);
	return e2e_verdict(t, 1);
}

TEST(code_that_only_moved_is_not_slower)
{
	double d;
	e2e t = begin("place0", "place32");
	const char *verdict = which_is_slower(&t, &d);
	assert_true(strcmp(verdict, "regressed") == 0 || strcmp(verdict, "improved") == 0);
	e2e_against(&t, "--fixed", "4", "--layouts", "4", "--blocks", "32", "old", "new");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	assert_close(e2e_ratio(&t, 1), 1, 1e-9);
	assert_int_equal((int)e2e_number(&t, "series.0.variants.0.layouts"), 4);
	/* two of four are slower by d, in each invocation: that is known */
	assert_close(e2e_number(&t, "series.0.variants.0.layout_sd"), d / sqrt(3), 1e-6);
	assert_close(e2e_number(&t, "series.0.variants.1.layout_sd"), d / sqrt(3), 1e-6);
	assert_has(t.out, "layout moves submit by ");
	assert_has(t.out, " % (standard deviation between 4 layouts)");
	e2e_check_verifies(&t);
	/* each in a process of its own */
	e2e_against(&t, "--fixed", "4", "--layouts", "4", "--blocks", "32", "--engine", "split",
		"old", "new");
	assert_close(e2e_ratio(&t, 1), 1, 1e-9);
	assert_close(e2e_number(&t, "series.0.variants.1.layout_sd"), d / sqrt(3), 1e-6);
	e2e_against(&t, "--fixed", "4", "--layouts", "2", "--blocks", "32", "--engine",
		"sequential", "-v", "old", "new");
	assert_close(e2e_ratio(&t, 1), 1, 1e-9);
	assert_has(t.out, "layout moves it by ");
	e2e_end(&t);
}

TEST(what_is_slower_stays_slower)
{
	e2e t = begin("cost100", "cost110");
	e2e_against(&t, "--fixed", "4", "--layouts", "8", "--blocks", "32", "old", "new");
	assert_status(&t, 1);
	assert_string_equal(e2e_verdict(&t, 1), "regressed");
	assert_true(e2e_number(&t, "series.0.variants.0.layout_sd") < 1e-6);
	e2e_check_verifies(&t);
	e2e_end(&t);
}

TEST(one_layout_is_none)
{
	e2e t = begin("cost100", "cost110");
	e2e_against(&t, "--fixed", "4", "--layouts", "1", "--blocks", "32", "old", "new");
	assert_status(&t, 1);
	BA_AUTO_FREE char *document = e2e_text_of(t.json);
	assert_int_equal((int)e2e_occurrences(document, "\"layouts\""), 0);
	e2e_end(&t);
}

TEST(a_library_finds_what_it_needs_where_it_lies)
{
	e2e t = begin("cost100", "cost100");
	static const int costs[] = {100, 110};
	for (size_t i = 0; i < 2; i++) {
		BA_AUTO_FREE char *library = at("needs_shared%d", costs[i]);
		BA_AUTO_FREE char *from =
			at(BA_BINARY_DIR "/tests/suites/shared%d/libshared.so.1", costs[i]);
		BA_AUTO_FREE char *to = at("%s/libshared.so.1", t.repo);
		assert_int_equal(ba_fs_copy(to, from, NULL), 0);
		e2e_commit(&t, i ? "shared110" : "shared100", library);
	}
	e2e_against(
		&t, "--fixed", "4", "--layouts", "3", "--blocks", "24", "shared100", "shared110");
	assert_status(&t, 1);
	assert_string_equal(e2e_text(&t, "engine"), "split");
	assert_close(e2e_ratio(&t, 1), 1.1, 1e-6);
	/* and files beside it */
	BA_AUTO_FREE char *table = at("%s/table", t.repo);
	assert_int_equal(ba_fs_write(table, "100", 3, 0644, NULL), 0);
	e2e_commit(&t, "table100", "cost_from_tree");
	assert_int_equal(ba_fs_write(table, "110", 3, 0644, NULL), 0);
	e2e_commit(&t, "table110", "cost_from_tree");
	e2e_against(&t, "--fixed", "4", "--layouts", "3", "--blocks", "24", "table100", "table110");
	assert_status(&t, 1);
	assert_string_equal(e2e_verdict(&t, 1), "regressed");
	e2e_end(&t);
}

TEST(a_library_that_cannot_be_moved_says_why)
{
	e2e t = begin("cost100", "one_place");
	e2e_commit(&t, "slow", "cost110");
	e2e_against(&t, "--fixed", "4", "--layouts", "4", "--blocks", "32", "old", "new", "slow");
	assert_has(e2e_failure(&t, 1),
		"--layouts: 'launcher.so' cannot be moved: a section is aligned to 4096 bytes");
	assert_string_equal(e2e_verdict(&t, 2), "regressed");
	e2e_against(&t, "--fixed", "4", "old", "new");
	assert_status(&t, 0);
	e2e_end(&t);
}

TEST(what_makes_no_sense_is_said)
{
	e2e t = begin("cost100", "cost110");
	e2e_against(&t, "--layouts", "4", "--blocks", "10", "old", "new");
	assert_status(&t, 129);
	assert_has(t.err, "it must be a multiple of 8, at least 16");
	e2e_against(&t, "--layouts", "33", "old", "new");
	assert_status(&t, 129);
	e2e_against(&t, "--layouts", "4", "--blocks", "16", "--fixed", "4", "old", "new");
	assert_status(&t, 1);
	assert_int_equal((int)e2e_number(&t, "series.0.samples.0.blocks"), 16);
	e2e_end(&t);
}

TEST(a_killed_run_goes_on_with_its_layouts)
{
	double d;
	e2e t = begin("place0", "place32");
	which_is_slower(&t, &d);
	e2e_stop_at(2, SIGKILL);
	e2e_start_against(&t, "--fixed", "8", "--layouts", "4", "--blocks", "32", "old", "new");
	BA_AUTO_FREE char *journal = e2e_stopped(&t, SIGKILL);
	e2e_tool(&t, "--resume", journal);
	assert_status(&t, 0);
	assert_close(e2e_ratio(&t, 1), 1, 1e-9);
	assert_close(e2e_number(&t, "series.0.variants.0.layout_sd"), d / sqrt(3), 1e-6);
	e2e_check_verifies(&t);
	e2e_end(&t);
}

/* On the host target, where instructions are counted, too: the libraries themselves. */
TEST(counts_are_of_the_library_itself)
{
	e2e t = begin("cost100", "more1");
	e2e_tool(&t, "--target", "host", "--fixed", "2", "--layouts", "4", "--blocks", "32",
		"--blocks", "16", "--threshold", "50%", "--output", t.json, "old", "new");
	assert_true(t.status == 0 || t.status == 1);
	BA_AUTO_FREE char *document = e2e_text_of(t.json);
	assert_has(document, "\"layouts\": 4");
	assert_has(document, "\"layout_sd\"");
	e2e_check_verifies(&t);
	e2e_end(&t);
}
