/* Variants that cannot live in one process are measured in one each, and it is said
 * why. */
#include "e2e.h"

#include "base/mem.h"
#include "base/base.h"

TEST_GROUP(e2e_set_up, NULL);

static void commit_with_shared(e2e *t, const char *name, int cost)
{
	BA_AUTO_FREE char *library = at("needs_shared%d", cost);
	BA_AUTO_FREE char *from = at(BA_BINARY_DIR "/tests/suites/shared%d/libshared.so.1", cost);
	BA_AUTO_FREE char *to = at("%s/libshared.so.1", t->repo);
	assert_int_equal(ba_fs_copy(to, from, NULL), 0);
	e2e_commit(t, name, library);
}

static void check_apart(e2e *t, const char *reason)
{
	e2e_against(t, "old", "new");
	assert_status(t, 1);
	assert_string_equal(e2e_text(t, "engine"), "split");
	assert_has(e2e_text(t, "engine_reason"), reason);
	assert_has(t->out, "split");
	assert_string_equal(e2e_verdict(t, 1), "regressed");
	assert_close(e2e_ratio(t, 1), 1.1, 1e-6);
	/* forced together, one variant's code stands in for the other's: this is what
	 * the detection is for */
	e2e_against(t, "--engine", "duet", "old", "new");
	assert_status(t, 0);
	assert_close(e2e_ratio(t, 1), 1.0, 1e-9);
}

TEST(a_dependency_from_the_other_build_is_seen)
{
	e2e t = e2e_begin();
	commit_with_shared(&t, "old", 100);
	commit_with_shared(&t, "new", 110);
	check_apart(&t, "'libshared.so.1', which was resolved to the build of");
	/* what a variant ran is both files */
	e2e_against(&t, "old", "new");
	assert_int_equal(e2e_count(&t, "variants.0.artefacts"), 2);
	assert_int_equal(e2e_count(&t, "variants.1.artefacts"), 2);
	e2e_end(&t);
}

TEST(a_change_in_the_dependency_alone_is_no_identity)
{
	e2e t = e2e_begin();
	commit_with_shared(&t, "old", 100);
	BA_AUTO_FREE char *to = at("%s/libshared.so.1", t.repo);
	assert_int_equal(
		ba_fs_copy(to, BA_BINARY_DIR "/tests/suites/shared110/libshared.so.1", NULL), 0);
	commit_all(t.repo, "new");
	e2e_against(&t, "old", "HEAD");
	assert_status(&t, 1);
	assert_close(e2e_ratio(&t, 1), 1.1, 1e-6);
	e2e_end(&t);
}

TEST(a_unique_symbol_is_seen)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "unique100");
	e2e_commit(&t, "new", "unique110");
	check_apart(&t, "both define the unique symbol 'bench_against_test_unique'");
	e2e_end(&t);
}

TEST(symbols_made_global_are_seen)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "global100");
	e2e_commit(&t, "new", "global110");
	check_apart(&t, "replaces that of");
	e2e_end(&t);
}

TEST(a_crash_in_company_alone_parts_them)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "crash_in_company");
	e2e_against(&t, "old", "new");
	assert_status(&t, 0);
	assert_string_equal(e2e_text(&t, "engine"), "split");
	assert_has(e2e_text(&t, "engine_reason"), "new works alone but not beside the others");
	assert_has(e2e_text(&t, "engine_reason"), "SIGSEGV");
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	/* with the engine forced it is the failure that it is */
	e2e_against(&t, "--engine", "duet", "old", "new");
	assert_status(&t, 125);
	assert_string_equal(e2e_verdict(&t, 1), "failed");
	e2e_end(&t);
}

TEST(what_was_measured_before_they_parted_does_not_count)
{
	e2e t = e2e_begin();
	e2e_configure(&t, E2E_BUILD, "[0, 1, 2]");
	e2e_commit(&t, "old", "cost100_slow_in_company");
	e2e_commit(&t, "new", "crash_in_company_later");
	/* with this seed other benchmarks come before the one that parts them */
	e2e_against(&t, "--seed", "1", "old", "new");
	assert_status(&t, 0);
	for (int i = 0; i < 3; i++) {
		BA_AUTO_FREE char *samples = at("series.%d.samples", i);
		BA_AUTO_FREE char *y = at("series.%d.comparisons.0.y", i);
		assert_int_equal(e2e_count(&t, samples), 4);
		assert_int_equal(e2e_count(&t, y), 4);
	}
	assert_close(e2e_number(&t, "series.0.variants.0.trimmed_ns"), 100, 1e-6);
	e2e_check_verifies(&t);
	e2e_end(&t);
}
