/* One version of the benchmark code for every variant: `overlay` of the configuration.
 */
#include "e2e.h"

#include <unistd.h>

#include "base/mem.h"
#include "base/path.h"

/* bench/ has the library that is measured; what its commit says stands beside it */
static void configure(e2e *t, const char *overlay)
{
	BA_AUTO_FREE char *text = at(
		"{\n  \"build\": { \"commands\": [[\"cp\", \"bench/variant.so\", "
		"\"launcher.so\"]] },\n  \"suites\": { \"launch\": { \"kind\": "
		"\"launcher\", \"library\": \"launcher.so\", \"args\": [0] } }%s\n}\n",
		overlay);
	put(t->repo, ".bench-against.json", text);
}

static void commit(e2e *t, const char *name, const char *library)
{
	BA_AUTO_FREE char *from = e2e_library(library);
	BA_AUTO_FREE char *dir = at("%s/bench", t->repo);
	BA_AUTO_FREE char *to = at("%s/variant.so", dir);
	assert_int_equal(ba_fs_mkdirs(dir, NULL), 0);
	assert_int_equal(ba_fs_copy(to, from, NULL), 0);
	put(t->repo, "source.txt", name);
	commit_all(t->repo, name);
	git(t->repo, "tag", name);
}

#define OVERLAY ",\n \"overlay\": "

static void paths_of_the_candidate_are_everybodys(void **state)
{
	(void)state;
	e2e t = e2e_begin();
	configure(&t, OVERLAY "[\"bench\"]");
	commit(&t, "old", "cost110");
	commit(&t, "new", "cost100");
	BA_AUTO_FREE char *before = e2e_users_view(&t);
	e2e_against(&t, "--measure-identical", "old", "new");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	/* the rest of the trees is their own */
	assert_string_not_equal(
		e2e_text(&t, "variants.0.tree_id"), e2e_text(&t, "variants.1.tree_id"));
	assert_string_equal(e2e_text(&t, "variants.0.artefacts.0.sha256"),
		e2e_text(&t, "variants.1.artefacts.0.sha256"));
	assert_has(t.out, "benchmark sources differ: bench of old is taken from new");
	BA_AUTO_FREE char *after = e2e_users_view(&t);
	assert_string_equal(before, after);
	e2e_end(&t);
}

static void paths_of_the_baseline_when_asked(void **state)
{
	(void)state;
	e2e t = e2e_begin();
	configure(&t, OVERLAY "{\"from\": \"baseline\", \"paths\": [\"bench/\"]}");
	commit(&t, "old", "cost110");
	commit(&t, "new", "cost100");
	e2e_against(&t, "--measure-identical", "old", "new");
	assert_status(&t, 0);
	assert_has(t.out, "bench of new is taken from old");
	e2e_end(&t);
}

/* the candidate has a quick version of the benchmark code: no gate takes it from there
 */
static void in_a_gate_the_candidate_does_not_bring_the_benchmarks(void **state)
{
	(void)state;
	e2e t = e2e_begin();
	configure(&t, OVERLAY "{\"from\": \"candidate\", \"paths\": [\"bench\"]}");
	commit(&t, "old", "cost110");
	commit(&t, "new", "cost100");
	e2e_against(&t, "--gate", "--measure-identical", "old", "new");
	assert_status(&t, 0);
	assert_has(t.out, "bench of new is taken from old (overlay; in a gate from the "
			  "variant whose configuration rules)");
	assert_null(strstr(t.out, "bench of old is taken"));
	e2e_against(&t, "--measure-identical", "old", "new");
	assert_has(t.out, "bench of old is taken from new (overlay)");
	e2e_against(&t, "--gate", "--config-from", "new", "--measure-identical", "old",
		"new");
	assert_has(t.out, "bench of old is taken from new (overlay; in a gate");
	e2e_end(&t);
}

/* built before with the files of the same names and contents, written otherwise */
static void other_attributes_are_another_build(void **state)
{
	(void)state;
	e2e t = e2e_begin();
	configure(&t, OVERLAY "[\"bench\"]");
	put(t.repo, "bench/text.x", "x\n");
	commit(&t, "old", "cost100");
	put(t.repo, ".gitattributes", "*.x text eol=crlf\n");
	commit(&t, "new", "cost100");
	e2e_against(&t, "--gate", "--measure-identical", "old", "new");
	assert_status(&t, 0);
	assert_has(t.out, "overlay: the .gitattributes of new and old differ; the "
			  "overlaid files are written by those of old");
	BA_AUTO_FREE char *key = ba_xstrdup(e2e_text(&t, "variants.1.build_key"));
	e2e_against(&t, "--gate", "--measure-identical", "new", "new");
	assert_status(&t, 0);
	assert_string_not_equal(key, e2e_text(&t, "variants.1.build_key"));
	e2e_end(&t);
}

static void what_does_not_differ_needs_no_word(void **state)
{
	(void)state;
	e2e t = e2e_begin();
	configure(&t, OVERLAY "[\"bench\"]");
	commit(&t, "old", "cost100");
	commit(&t, "new", "cost100");
	e2e_against(&t, "--measure-identical", "old", "new");
	assert_status(&t, 0);
	assert_null(strstr(t.out, "benchmark sources differ"));
	e2e_end(&t);
}

static void the_working_tree_can_be_the_one(void **state)
{
	(void)state;
	e2e t = e2e_begin();
	configure(&t, OVERLAY "[\"bench\"]");
	commit(&t, "old", "cost110");
	BA_AUTO_FREE char *from = e2e_library("cost100");
	BA_AUTO_FREE char *to = at("%s/bench/variant.so", t.repo);
	assert_int_equal(ba_fs_copy(to, from, NULL), 0);
	e2e_against(&t, "--measure-identical", "old", "WORKTREE");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	assert_has(t.out, "bench of old is taken from WORKTREE");
	e2e_end(&t);
}

static void a_path_that_only_one_has_comes_or_goes(void **state)
{
	(void)state;
	e2e t = e2e_begin();
	configure(&t, OVERLAY "[\"bench\", \"extra.txt\"]");
	put(t.repo, "extra.txt", "old has it\n");
	commit(&t, "old", "cost100");
	BA_AUTO_FREE char *extra = at("%s/extra.txt", t.repo);
	assert_int_equal(unlink(extra), 0);
	commit(&t, "new", "cost110");
	e2e_against(&t, "--measure-identical", "old", "new");
	assert_status(&t, 0);
	assert_has(t.out, "bench, extra.txt of old are taken from new");
	e2e_end(&t);
}

static void what_cannot_be_laid_over_is_told(void **state)
{
	(void)state;
	e2e t = e2e_begin();
	configure(&t, OVERLAY "[\"benches\"]");
	commit(&t, "old", "cost100");
	commit(&t, "new", "cost110");
	e2e_against(&t, "old", "new");
	assert_true(t.status == 125 || t.status == 129);
	assert_has(t.err, "overlay: no variant has 'benches'");
	configure(&t, OVERLAY "[\"bench\"]");
	BA_AUTO_FREE char *dir = at("path:%s", t.repo);
	e2e_against(&t, "old", dir);
	assert_true(t.status == 125 || t.status == 129);
	assert_has(t.err, "is a directory of its own, and its files are left alone");
	e2e_end(&t);
}

int main(void)
{
	e2e_main();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_of_the_candidate_are_everybodys),
		cmocka_unit_test(paths_of_the_baseline_when_asked),
		cmocka_unit_test(in_a_gate_the_candidate_does_not_bring_the_benchmarks),
		cmocka_unit_test(other_attributes_are_another_build),
		cmocka_unit_test(what_does_not_differ_needs_no_word),
		cmocka_unit_test(the_working_tree_can_be_the_one),
		cmocka_unit_test(a_path_that_only_one_has_comes_or_goes),
		cmocka_unit_test(what_cannot_be_laid_over_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
