/* The tests of a program, and its main(). A program that looks at its arguments first has a main()
 * of its own, which ends with test_run(). */
#include <errno.h>

#include "test.h"

static struct test_row *first;
static CMFixtureFunction group_set_up, group_tear_down;

void test_add(struct test_row *row)
{
	struct test_row **at = &first;
	while (*at && (*at)->line <= row->line)
		at = &(*at)->next;
	row->next = *at;
	*at = row;
}

void test_group(CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
	group_set_up = set_up;
	group_tear_down = tear_down;
}

int test_run(void)
{
	struct CMUnitTest picked[128];
	const char *share = getenv("BA_TEST_SHARE");
	size_t count = 0, picks = 0, k = 1, n = 1;
	if (share && (sscanf(share, "%zu/%zu", &k, &n) != 2 || k < 1 || k > n)) {
		fprintf(stderr, "BA_TEST_SHARE=%s is not K/N\n", share);
		return 2;
	}
	for (const struct test_row *row = first; row; row = row->next) {
		if (count++ % n != k - 1)
			continue;
		if (picks == sizeof(picked) / sizeof(picked[0])) {
			fprintf(stderr, "tests.c: more tests than it can hold\n");
			return 2;
		}
		picked[picks++] = row->test;
	}
	if (picks == 0) {
		fprintf(stderr, "there is no TEST() to run\n");
		return 2;
	}
	return _cmocka_run_group_tests(
		program_invocation_short_name, picked, picks, group_set_up, group_tear_down);
}

__attribute__((weak)) int main(int argc, char **argv)
{
	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	return test_run();
}
