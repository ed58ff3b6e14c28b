#include "base/sort.h"

#include <string.h>

#include "base/mem.h"

enum { FEW = 16 };

static void insert_few(double *x, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		double value = x[i];
		size_t j = i;
		for (; j > 0 && x[j - 1] > value; j--)
			x[j] = x[j - 1];
		x[j] = value;
	}
}

/* room[n / 2] */
static void merge_sort(double *x, size_t n, double *room)
{
	size_t half = n / 2, i = 0, j = half, k = 0;
	if (n <= FEW) {
		insert_few(x, n);
		return;
	}
	merge_sort(x, half, room);
	merge_sort(x + half, n - half, room);
	memcpy(room, x, half * sizeof(*x));
	while (i < half && j < n) {
		/* without a branch, which the processor could not predict */
		double left = room[i], right = x[j];
		bool from_right = right < left;
		x[k++] = from_right ? right : left;
		j += from_right;
		i += !from_right;
	}
	memcpy(x + k, room + i, (half - i) * sizeof(*x));
}

/* Sorts millions of readings: qsort would call a function for each comparison. */
void ba_sort_doubles(double *x, size_t n)
{
	if (n <= FEW) {
		insert_few(x, n);
		return;
	}
	BA_AUTO_FREE double *room = ba_xreallocarray(NULL, n / 2, sizeof(*room));
	merge_sort(x, n, room);
}

BA_DEFINE_ORDER(compare_int64, int64_t, BA_ORDER(*a, *b))

void ba_sort_int64(int64_t *x, size_t n)
{
	BA_SORT(x, n, compare_int64);
}

static int compare_strings(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;
	return strcmp(*x, *y);
}

void ba_sort_strings(const char **x, size_t n)
{
	BA_SORT(x, n, compare_strings);
}

bool ba_sorted_has(const char *const *sorted, size_t n, const char *text)
{
	return n && bsearch(&text, sorted, n, sizeof(*sorted), compare_strings);
}
