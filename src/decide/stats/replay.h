/*
 * Applies the decision rule to a recorded trace (docs: `bench-against replay`).
 *
 *     BA_AUTO_PTR(ba_replay) ba_replay *replay = ba_replay_new(&options);
 *     for each row:  ba_replay_row(replay, &row, err);
 *     ba_replay_end(replay, err);
 *     ba_replay_decide(replay, &rule, err);
 *     for (size_t i = 0; i < ba_replay_count(replay); i++)
 *             ba_replay_result r = ba_replay_at(replay, i);
 *
 * Rows stream. As soon as the next invocation of a benchmark begins, the last one is
 * reduced to one number a candidate. So memory holds one invocation and sixteen bytes
 * for each finished one. This needs the rows of an invocation to stand together. If
 * they do not, ba_replay_row fails, and ba_replay_is_unordered says that this may be
 * the reason. Then begin again with `any_order`, which keeps all rows (48 bytes each)
 * and sorts them.
 *
 * The baseline is the first of these that applies: the variant named in the options;
 * 'A', if all variants are single capital letters; the variant of the first row.
 */
#pragma once

#include "stats/sequential.h"
#include "stats/trace.h"

enum { BA_REPLAY_VARIANTS_MAX = 64 };

typedef struct ba_replay ba_replay;

typedef struct ba_replay_options {
	const char *baseline; /* a variant's name, or NULL */
	bool any_order;
	bool any_blocks; /* invocations may differ in their number of blocks */
} ba_replay_options;

/* the options' strings must outlive the replay */
ba_replay *ba_replay_new(const ba_replay_options *options);
BA_DECLARE_FREE(ba_replay)

int ba_replay_row(ba_replay *r, const ba_trace_row *row, ba_error *err);
bool ba_replay_is_unordered(const ba_replay *r);
int ba_replay_end(ba_replay *r, ba_error *err);

typedef struct ba_replay_rule {
	ba_policy policy;
	double theta_reg, theta_imp;
	size_t fixed;  /* one look at this many invocations; 0: the sequential design */
	size_t family; /* m; 0: the hypotheses of the trace */
} ba_replay_rule;

/* Call once, after _end. BA_EINVAL if the trace has more hypotheses than the family. */
int ba_replay_decide(ba_replay *r, const ba_replay_rule *rule, ba_error *err);

typedef struct ba_replay_result {
	const char *benchmark, *candidate;
	const ba_decision *decision;
	size_t recorded; /* invocations in the trace */
} ba_replay_result;

/* hypotheses: the candidates of each benchmark, in the order of their first rows */
size_t ba_replay_count(const ba_replay *r);
ba_replay_result ba_replay_at(const ba_replay *r, size_t i);

size_t ba_replay_family(const ba_replay *r); /* the m of the decision */
/* all variants, the baseline among them; valid after the first invocation */
const ba_trace_variants *ba_replay_variants(const ba_replay *r);
/* how many benchmarks have gaps in their invocations; *first: one of them or NULL */
size_t ba_replay_gaps(const ba_replay *r, const char **first);
