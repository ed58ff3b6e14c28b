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

#endif
