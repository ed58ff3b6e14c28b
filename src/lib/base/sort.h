/* Sorts plain values in place, ascending, and finds strings in a sorted list. n may be
 * 0. Sort structs with BA_SORT() where they are declared. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* -1, 0 or 1: a before b. A comparison by several things: BA_ORDER(..) ?: BA_ORDER(..) */
#define BA_ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* The first i below `count` for which the condition holds, or count; from there on it must
 * hold. size_t at = BA_FIRST(n, i, items[i].at >= place); */
#define BA_FIRST(count, i, condition)                         \
	__extension__({                                       \
		size_t low_ = 0, high_ = (count);             \
		while (low_ < high_) {                        \
			size_t i = low_ + (high_ - low_) / 2; \
			if (condition)                        \
				high_ = i;                    \
			else                                  \
				low_ = i + 1;                 \
		}                                             \
		low_;                                         \
	})
/* Defines an order for BA_SORT(): the order of two elements, `a` before `b`.
 * BA_DEFINE_ORDER(by_place, spot, BA_ORDER(a->place, b->place)) */
#define BA_DEFINE_ORDER(name, type, order)                     \
	static int name(const void *left_, const void *right_) \
	{                                                      \
		const type *a = left_, *b = right_;            \
		return (order);                                \
	}
/* qsort() of an array that may be empty */
#define BA_SORT(items, count, order)                                        \
	do {                                                                \
		if (count)                                                  \
			qsort((items), (count), sizeof(*(items)), (order)); \
	} while (0)

/* Widens the range from *low to *high so that it reaches from x to y. A NaN widens nothing. */
static inline void ba_widen(double *low, double *high, double x, double y)
{
	*low = fmin(*low, x);
	*high = fmax(*high, y);
}

void ba_sort_doubles(double *x, size_t n); /* none may be NaN */
void ba_sort_int64(int64_t *x, size_t n);
/* in the order of strcmp(); a ba_strv has ba_strv_sort */
void ba_sort_strings(const char **x, size_t n);
bool ba_sorted_has(const char *const *sorted, size_t n, const char *text);
