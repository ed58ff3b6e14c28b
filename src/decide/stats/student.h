/*
 * Tails of the distributions behind the decisions (docs/statistics.md sections 3.2 and
 * 5).
 *
 * Upper tails are computed directly, never as 1 - cdf, so that values down to 1e-150
 * keep about thirteen digits. Benjamini-Hochberg over 100 000 benchmarks needs 1e-7,
 * and replays print what they find.
 */
#pragma once

/* P(T > t) for Student's t with nu > 0 degrees of freedom; t may be infinite. */
double ba_t_sf(double t, double nu);

/* The t with ba_t_sf(t, nu) = p, 0 < p < 1. */
double ba_t_isf(double p, double nu);

/* P(F > f) for the F distribution with d1 and d2 > 0 degrees of freedom; f >= 0. */
double ba_f_sf(double f, double d1, double d2);

/* P(X <= x) for chi-square with nu degrees of freedom, and its inverse. */
double ba_chi2_cdf(double x, double nu);
double ba_chi2_quantile(double p, double nu);

/* sqrt(nu / chi2_{.10, nu}). This times a standard deviation estimated with nu degrees
 * of freedom is an upper limit of the true one, with 90 % confidence. */
double ba_s_upper_factor_90(double nu);
