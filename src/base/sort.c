#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

static int compare_doubles(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

void ba_sort_doubles(double *x, size_t n)
{
	/* visits have five readings and millions of them are sorted: no call per
	 * compare */
	if (n > 32) {
		qsort(x, n, sizeof(*x), compare_doubles);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		double value = x[i];
		size_t j = i;

		for (; j > 0 && x[j - 1] > value; j--)
			x[j] = x[j - 1];
		x[j] = value;
	}
}

static int compare_int64(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

void ba_sort_int64(int64_t *x, size_t n)
{
	if (n)
		qsort(x, n, sizeof(*x), compare_int64);
}

static int compare_strings(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;
	return strcmp(*x, *y);
}

void ba_sort_strings(const char **x, size_t n)
{
	if (n)
		qsort(x, n, sizeof(*x), compare_strings);
}

bool ba_sorted_has(const char *const *sorted, size_t n, const char *text)
{
	return n && bsearch(&text, sorted, n, sizeof(*sorted), compare_strings);
}
