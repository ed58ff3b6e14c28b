/*
 * Places as a level of replication (docs/statistics.md section 3.8): the GPUs or hosts at
 * which the invocations of a run were measured.
 *
 * Every place counts alike, however many invocations it made. With y_pi the values of
 * place p, n_p of them, N in all at G places:
 *
 *     estimate   the mean over places of the mean of y_p
 *     s^2        sum over p and i of (y_pi - mean_p)^2 / (N - G)
 *     se^2       s^2 / G^2 * sum over p of 1 / n_p
 *     df         N - G
 *     F          (sum over p of n_p (mean_p - mean)^2 / (G - 1)) / s^2, df G - 1 and N - G,
 *                mean over all N values: do the places agree?
 *
 * A place with one value counts, too; it tells nothing about s. With one place everything
 * is what it is without places, bit for bit.
 */
#pragma once

#include "base/base.h"

enum { BA_PLACES_MOST = 256 };

#define BA_PLACES_LEVEL 0.01 /* level of the test whether the places agree */

typedef struct ba_pooled {
	size_t n; /* values */
	/* places that have values; 0: N - G is 0, and nothing else is set */
	size_t places;
	double mean, s, se, nu;
	double p_agree; /* p-value of the F test; 1 with one place */
} ba_pooled;

/* at[i] < places is the place of y[i]; NULL: all are at one. s is at least s_floor. */
void ba_pool(ba_pooled *out, const double *y, const unsigned *at, size_t n, size_t places,
	double s_floor);

/* Copies the values of one place in their order; returns how many. */
size_t ba_values_at(double *out, const double *y, const unsigned *at, size_t n, unsigned place);
