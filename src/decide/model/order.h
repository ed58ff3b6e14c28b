/* The order of visits in the blocks of an invocation, from the run's seed. Pure: a run
 * fills its orders with it, and ba_verify draws them again. */
#pragma once

#include "model/benchmark.h"
#include "model/sample.h"

/* present[0..n-1]: the variants that take part, ascending, n <= BA_PARTICIPANTS_MAX. s
 * has its counts and an order of blocks * positions. positions is n, or 2 n for
 * palindromes. With has_floor it is one more: the bare driver call (participant
 * `floor`) comes after the first n visits. */
void ba_order_fill(ba_samples *s, const uint8_t *present, size_t n, uint8_t floor,
	uint64_t run_seed, const char *benchmark);

/* The name that the order of a benchmark is drawn from: its id; in a command suite the
 * suite's name, because a program runs all of its benchmarks. */
const char *ba_order_key(const ba_benchmark *b);

/* For whole programs: all n variants, once each. If some lack a benchmark, the rest keep it. */
void ba_order_of_programs(
	uint8_t *order, size_t n, uint64_t run_seed, const char *suite, unsigned invocation);
