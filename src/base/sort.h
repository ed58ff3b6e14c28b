/* Plain values sorted in place, ascending, and strings found in a sorted list. Each takes
 * no elements, too. Structs are sorted where they are declared, with qsort(). */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void ba_sort_doubles(double *x, size_t n); /* none is NaN */
void ba_sort_int64(int64_t *x, size_t n);
/* in the order of strcmp(); a ba_strv has ba_strv_sort */
void ba_sort_strings(const char **x, size_t n);
bool ba_sorted_has(const char *const *sorted, size_t n, const char *text);

#endif
