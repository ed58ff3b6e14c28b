/*
 * How other tools decide whether B is slower than A, from their sources
 * (docs/statistics.md 1.1), to compare with: none of this is in the product.
 *
 * Each takes the numbers its tool would have (times per launch) and says +1 slower, -1
 * faster, 0 neither.
 */
#ifndef TESTS_PEERS_RULES_H
#define TESTS_PEERS_RULES_H

#include <stddef.h>

typedef int peer_rule(const double *a, size_t na, const double *b, size_t nb);

peer_rule peer_seed_5;	       /* table of means, cutoff at 5 % */
peer_rule peer_seed_1;	       /* cutoff at 1 % */
peer_rule peer_seed_sd;	       /* 1 %, and more than both standard deviations together */
peer_rule peer_google;	       /* compare.py: U test, .05, asymptotic as scipy from n = 9 */
peer_rule peer_benchstat;      /* U test, .05, exact */
peer_rule peer_criterion;      /* Welch t .05 and a CI of the ratio beyond 1 % */
peer_rule peer_nvbench;	       /* legacy: difference beyond the smaller rel. stdev */
peer_rule peer_nvbench_robust; /* [min, q3] disjoint by .5 % */
peer_rule peer_tango;	       /* paired z of 2.6 and beyond 1 %; na = nb */

/* two-sided p of the U test: exact without ties, else (and for asymptotic) normal with
 * corrections for ties and continuity */
double peer_u_test(const double *a, size_t na, const double *b, size_t nb, int asymptotic);

/* Wang and Ramdas's t-test e-process with a Gaussian mixture of precision c2 over the
 * standardised mean: its logarithm for the mean `null` */
double peer_t_mixture(const double *y, size_t n, double null, double c2);

#endif
