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

/* TEST(what_is_true) { ... } is a test of this program, which runs them all in their order in the
 * file: tests.c has main(). An argument picks by name (* and ?), BA_TEST_SHARE=K/N the K-th and each
 * N-th after it. cmocka's `state` is a parameter. */
#define TEST(name) TEST_WITH(name, NULL, NULL)
/* with functions before and after it */
#define TEST_WITH(name, set_up, tear_down)                                       \
	static void name(void **state);                                          \
	__attribute__((constructor)) static void add_##name(void)                \
	{                                                                        \
		static struct test_row self = {                                  \
			{#name, name, set_up, tear_down, NULL}, __LINE__, NULL}; \
		test_add(&self);                                                 \
	}                                                                        \
	static void name(void **state)
/* functions before the first and after the last test; NULL: none */
#define TEST_GROUP(set_up, tear_down)                            \
	__attribute__((constructor)) static void add_group(void) \
	{                                                        \
		test_group(set_up, tear_down);                   \
	}                                                        \
	struct test_row

struct test_row {
	struct CMUnitTest test;
	int line;
	struct test_row *next;
};
void test_add(struct test_row *row);
void test_group(CMFixtureFunction set_up, CMFixtureFunction tear_down);
/* 0: all passed; 2: there is none */
int test_run(void);

#endif
