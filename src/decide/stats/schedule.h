/*
 * Which participant is measured when (docs/statistics.md section 2).
 *
 * A block is a row of participants followed by its reverse: each one visits twice, and
 * a linear drift cancels. For two participants a fair coin chooses ABBA or BAAB. For
 * more, rows come from a Williams design (Williams 1949): every participant stands in
 * every place, and follows every other one, equally often. Its labels are shuffled anew
 * for each invocation and each pass through the rows.
 *
 * Everything follows from (run seed, benchmark name, invocation, block) through
 * splitmix64, in whatever order benchmarks are measured. So the printed seed is enough
 * to repeat the schedule.
 */
#pragma once

#include "base/base.h"

enum { BA_PARTICIPANTS_MAX = 64 };

/* the splitmix64 state for this place of the run, independent of other places */
uint64_t ba_schedule_seed(
	uint64_t run_seed, const char *benchmark, uint64_t invocation, uint64_t block);

/* order[2 * participants]; 1 <= participants <= BA_PARTICIPANTS_MAX */
void ba_schedule_block(unsigned char *order, size_t participants, uint64_t run_seed,
	const char *benchmark, uint64_t invocation, uint64_t block);

/* After how many rows is a Williams design balanced? n for even n, 2n for odd n; 1 for
 * n = 2, where each block draws its own coin. */
size_t ba_schedule_period(size_t participants);

/* order[n]: 0..n-1 in random order; for the order of benchmarks in an invocation */
void ba_schedule_shuffle(size_t *order, size_t n, uint64_t run_seed, uint64_t invocation);

/* Load the variants in reverse order? Alternates; a coin chooses for the first invocation. */
bool ba_schedule_load_reversed(uint64_t run_seed, uint64_t invocation);
