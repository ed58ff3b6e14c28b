/* Include this instead of cmocka.h: it brings what cmocka.h forgets to include, and
 * comparisons of doubles that are double precision. Test names are sentences. */
#ifndef TESTS_SUPPORT_TEST_H
#define TESTS_SUPPORT_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* most tests do not use the state that cmocka passes */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* relative tolerance; exact equality (infinities too) always passes */
static inline void assert_close_at(double a, double b, double rel, const char *file, int line)
{
	double scale = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
	if (a == b || fabs(a - b) <= rel * scale)
		return;
	fprintf(stderr, "%s:%d: %.17g is not close to %.17g\n", file, line, a, b);
	_fail(file, line);
}
#define assert_close(a, b, rel) assert_close_at((a), (b), (rel), __FILE__, __LINE__)

/* the text holds the needle; prints the text where it does not */
static inline void assert_has_at(const char *text, const char *needle, const char *file, int line)
{
	if (text && strstr(text, needle))
		return;
	fprintf(stderr, "%s:%d: '%s' is not in:\n%s\n", file, line, needle, text ? text : "(null)");
	_fail(file, line);
}
#define assert_has(text, needle) assert_has_at((text), (needle), __FILE__, __LINE__)

/* Runs the tests; where BA_TEST_SHARE is "K/N", the K-th and each N-th after it, so that N such
 * runs are all of them. */
static inline int run_share_of(const struct CMUnitTest *tests, size_t count)
{
	struct CMUnitTest picked[64];
	const char *share = getenv("BA_TEST_SHARE");
	unsigned k = 1, n = 1;
	size_t picks = 0;
	if (share && (sscanf(share, "%u/%u", &k, &n) != 2 || k < 1 || k > n)) {
		fprintf(stderr, "BA_TEST_SHARE=%s is not K/N\n", share);
		return 2;
	}
	if (count > sizeof(picked) / sizeof(picked[0])) {
		fprintf(stderr, "run_share: more tests than it can hold\n");
		return 2;
	}
	for (size_t i = k - 1; i < count; i += n)
		picked[picks++] = tests[i];
	return _cmocka_run_group_tests("tests", picked, picks, NULL, NULL);
}
#define run_share(tests) run_share_of((tests), sizeof(tests) / sizeof((tests)[0]))

#endif
