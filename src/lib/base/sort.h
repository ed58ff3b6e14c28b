/* Sorts plain values in place, ascending, and finds strings in a sorted list. n may be
 * 0. Sort structs with qsort() where they are declared. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -1, 0 or 1: a before b. A comparison by several things: BA_ORDER(..) ?: BA_ORDER(..) */
#define BA_ORDER(a, b) (((a) > (b)) - ((a) < (b)))

void ba_sort_doubles(double *x, size_t n); /* none may be NaN */
void ba_sort_int64(int64_t *x, size_t n);
/* in the order of strcmp(); a ba_strv has ba_strv_sort */
void ba_sort_strings(const char **x, size_t n);
bool ba_sorted_has(const char *const *sorted, size_t n, const char *text);

#endif
