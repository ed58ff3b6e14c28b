/* bisect: the commit that made it slower is found, also past commits that do not build,
 * and what cannot be answered is not answered. */
#include "e2e.h"

#include "base/mem.h"

enum { COMMITS = 12, STEP = 7 };

/* the child's options go through to every step */
#define FAKE BA_BINARY_DIR "/tests/fakecuda/lib/libcuda.so.1"
#define bisect(t, ...)                                                        \
	e2e_tool((t), "bisect", "--fake-driver", FAKE, "--metrics", "submit", \
		"--fixed", "4", "--blocks", "8", "--seed", "7", __VA_ARGS__)

/* commits c0..c11; those in `broken` do not build */
static void make_line(e2e *t, const char *broken)
{
	for (int i = 0; i < COMMITS; i++) {
		BA_AUTO_FREE char *name = at("c%d", i);
		put(t->repo, "number", name);
		e2e_configure(t, E2E_BUILD, "[0]");
		e2e_commit(t, name, i < STEP ? "cost100" : "cost110");
		if (!strchr(broken, 'a' + i))
			continue;
		git(t->repo, "rm", "-q", "-f", "variant.so");
		git(t->repo, "commit", "-q", "--amend", "-m", name);
		git(t->repo, "tag", "-f", name);
	}
}

static void the_commit_that_made_it_slower_is_named(void **state)
{
	(void)state;
	e2e t = e2e_begin();
	make_line(&t, "");
	BA_AUTO_FREE char *guilty = git_says(t.repo, "rev-parse", "c7");
	BA_AUTO_FREE char *view = e2e_users_view(&t);
	bisect(&t, "c0", "c11");
	assert_status(&t, 0);
	BA_AUTO_FREE char *line = at("%s is the first bad commit\n    c7\n", guilty);
	assert_has(t.out, line);
	/* the two ends, and a logarithm of what is between */
	assert_has(t.out, "launch/args=0,path=direct +10.0 % from ");
	assert_has(
		t.out, ", found in 5 steps. To compare it with the commit before:\n");
	assert_has(t.err, "10 commits between c0 (");
	assert_has(t.err, " is slower (launch/args=0,path=direct +10.0 %): c");
	assert_has(t.err, " is not slower: c");
	BA_AUTO_FREE char *after = e2e_users_view(&t);
	assert_string_equal(after, view);
	/* from elsewhere, where a step has to find the way, too */
	bisect(&t, "-C", "../repo", "c6", "c7");
	assert_status(&t, 0);
	assert_has(t.out, line);
	e2e_end(&t);
}

static void what_does_not_build_is_passed_over(void **state)
{
	(void)state;
	e2e t = e2e_begin();
	make_line(&t, "fj"); /* c5, c9: not beside the guilty one */
	bisect(&t, "c0", "c11");
	assert_status(&t, 0);
	assert_has(t.out, " is the first bad commit\n    c7\n");
	assert_has(t.err, "could not be measured");
	e2e_end(&t);
	t = e2e_begin();
	make_line(&t, "g"); /* c6, right before it */
	bisect(&t, "c0", "c11");
	assert_status(&t, 125);
	assert_has(t.out, "The first bad commit is one of these");
	assert_has(t.out, "To compare the ends of this range:\n");
	assert_has(t.out, "    c6\n");
	assert_has(t.out, "    c7\n");
	assert_null(strstr(t.out, "    c5\n"));
	e2e_end(&t);
}

static void questions_without_an_answer_are_refused(void **state)
{
	(void)state;
	e2e t = e2e_begin();
	make_line(&t, "b");
	git(t.repo, "checkout", "-q", "-b", "side", "c3");
	put(t.repo, "side", "x");
	e2e_commit(&t, "aside", "cost110");
	git(t.repo, "checkout", "-q", "-");
	const struct {
		const char *good, *bad, *says;
		int status;
	} rows[] = {
		{"c0", "c5",
			"there is no commit to find. To compare the two:\n    bench-against -",
			125},
		{"c0", "c1", "could not be compared with", 125},
		{"c3", "c3", "are the same commit", 129},
		{"c11", "c0", "is not in the first-parent history of", 129},
		{"aside", "c11", "is not in the first-parent history of", 129},
		{"c0", "nowhere", "no such ref 'nowhere'", 129},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bisect(&t, rows[i].good, rows[i].bad);
		assert_status(&t, rows[i].status);
		assert_has(t.err, rows[i].says);
		assert_string_equal(t.out, "");
	}
	e2e_tool(&t, "bisect", "c0");
	assert_status(&t, 129);
	assert_has(t.err, "bench-against bisect GOOD BAD");
	/* what is wrong with every step is said once */
	bisect(&t, "--suite", "nonsense", "c0", "c11");
	assert_status(&t, 129);
	assert_has(t.err, "no suite 'nonsense'");
	e2e_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_commit_that_made_it_slower_is_named),
		cmocka_unit_test(what_does_not_build_is_passed_over),
		cmocka_unit_test(questions_without_an_answer_are_refused),
	};
	e2e_main();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
