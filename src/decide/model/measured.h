/* What a run measured, and how: variants, benchmarks, suites, environment, origins,
 * evidence. It is complete when the measuring ends, and contains no verdict. */
#pragma once

#include "model/benchmark.h"
#include "model/environment.h"
#include "model/sample.h"
#include "model/variant.h"

/* One suite of the run. */
typedef struct ba_measured_suite {
	char *name;
	ba_suite_kind kind;
	char *engine, *engine_reason; /* as in ba_result */
	/* For each variant the digest of what its processes execute: host code, data and
	 * kernels. "": unknown. Empty: not compared, or a control has contradicted it. */
	ba_strv executes;
	/* In runs with environments, for each variant a digest of the files that a worker had
	 * loaded from outside of its tree when it listed its benchmarks; "": unknown. */
	ba_strv loads;
	/* Not in documents. The same of host code and its data alone; and the kernels that processes
	 * can launch: "VARIANT NAME ", and what is to be compared, which ends with a digest and
	 * begins with a space if several of one name may differ; "?": not known. */
	ba_strv host, kernels;
} ba_measured_suite;

/* The digest of what a variant executes, by host and kernels: of kernels only those of these
 * names; NULL: all. "": unknown. */
void ba_measured_suite_digest(
	char out[65], const ba_measured_suite *s, size_t variant, const ba_strv *names);

void ba_measured_suite_dispose(ba_measured_suite *s);

/* Where the paths of an overlay came from. */
typedef struct ba_overlay_source {
	char *from;  /* "worktree" or "variant"; NULL: there was no overlay */
	char *label; /* the variant's label, or "the working tree" */
	/* hex; for the working tree: HEAD, and a snapshot */
	char commit[65], tree_id[65];
	bool dirty;	      /* a working tree with changes */
	char diff_sha256[65]; /* digest of the difference to HEAD if dirty, else "" */
	ba_strv paths;
} ba_overlay_source;

void ba_overlay_source_dispose(ba_overlay_source *s);
void ba_overlay_source_copy(ba_overlay_source *out, const ba_overlay_source *from);

/* How the run spent its time, in seconds. Parallel work counts once. */
typedef struct ba_spent {
	double build;	/* creating and building the trees */
	double survey;	/* examining libraries, programs and the machine */
	double count;	/* instructions counted */
	double start;	/* starting processes and loading variants */
	double prepare; /* setting up and checking benchmarks */
	double measure; /* timing, and trying out sizes */
	double cold;	/* processes that only metrics of starts need */
	double judge;	/* looks, estimates, verdicts */
} ba_spent;

static inline double ba_spent_total(const ba_spent *s)
{
	return s->build + s->survey + s->count + s->start + s->prepare + s->measure + s->cold +
	       s->judge;
}

/* What a run that does not trust its candidates (--untrusted) observed, for reports and
 * for users who judge the verdict. All 0 for other runs. */
typedef struct ba_evidence {
	bool untrusted;
	/* visits that the host timed, and launches in them that its witness saw arrive with
	 * the right arguments; 0 launches: no witness */
	uint64_t visits, launches;
	/* The largest overhead of a visit of the baseline, in ns and as a share of the
	 * visit. It is subtracted from the visits of every variant. */
	double overhead_ns, overhead_share;
	/* the largest share of a visit by which a worker's clock read less than the host's,
	 * beyond the overhead (medians of visits, over all variants and measurements) */
	double short_share;
	/* the processor time that a worker used between its visits, as a share of their time:
	 * the largest over all variants and measurements (sums of visits) */
	double aside_share;
	/* GPU benchmarks: visits on inputs that the variant had not seen before, and
	 * how many of them were followed by the baseline's check() of the results */
	uint64_t fresh, checks;
} ba_evidence;

typedef struct ba_measured {
	char *tool_version;
	char *started; /* RFC 3339, UTC */
	double wall_seconds, measure_seconds;
	ba_spent spent; /* all 0 in documents of earlier versions */
	ba_evidence evidence;
	uint64_t seed;
	char *engine;	     /* "duet", "split", "single", "files"; "mixed": see suites */
	char *engine_reason; /* why the duet was not used, or "" */
	ba_measured_suite *suites;
	size_t suite_count;
	char suite_sha256[65]; /* digest of the plan: kernels, axes, loops, burst rule */
	char *command_line;
	char *repository;  /* path of the user's repository, "" if none */
	char *config_path; /* where the configuration was read from */
	ba_overlay_source overlay;
	bool measure_identical; /* byte-identical artefacts were measured, too */
	/* --only-changed: of benchmarks whose variants execute the same code, only one in
	 * `controls` was measured; 0: all were */
	unsigned controls;
	/* Runs that stopped at looks of their own, whose p-values are combined; then the
	 * decision has one look, at all invocations together. */
	ba_merged_run *merged;
	size_t merged_count;
	/* Part number `part` of `parts` of a run whose invocations are split: it has
	 * the invocations whose number is part - 1 modulo parts. 0: not split. */
	unsigned part, parts;
	ba_variant *variants;
	size_t variant_count;
	ba_benchmark *benchmarks;
	size_t benchmark_count;
	ba_environment env; /* with several origins, the environment of the first */
	/* the processes that measured the invocations; NULL: one measured all */
	ba_origin *origins;
	size_t origin_count;
	ba_strv notes; /* sentences: remarks, and what was not measured and why */
	bool interrupted;
	int signal; /* the signal that ended the run; 0: none */
} ba_measured;

/* How many of `invocations` a part measures; 1 <= part <= parts. */
static inline unsigned ba_part_size(unsigned invocations, unsigned part, unsigned parts)
{
	return (invocations - part + parts) / parts;
}
/* Was it merged from runs of which some had several planned looks, and stopped at looks
 * of their own? Then their p-values are combined. Runs with one planned look each are
 * pooled as one run. */
bool ba_measured_is_combined(const ba_measured *m);
/* Are all its suites launcher suites? */
bool ba_measured_is_of_launches(const ba_measured *m);
/* Were result files compared (compare/compare.h), and nothing measured here? */
bool ba_measured_is_of_files(const ba_measured *m);
/* An invocation's number in the schedule of its origin, and the seed of that schedule. */
unsigned ba_measured_drawn_as(const ba_measured *m, const ba_samples *s);
uint64_t ba_measured_seed(const ba_measured *m, const ba_samples *s);
/* Appends *o, zeroes it, and numbers the places of all origins anew. Returns its index. */
size_t ba_measured_add_origin(ba_measured *m, ba_origin *o);
/* Does a variant name an environment? */
bool ba_measured_has_environments(const ba_measured *m);
/* The suite of that name, added if there is none. Invalidates pointers into m->suites. */
ba_measured_suite *ba_measured_add_suite(ba_measured *m, const char *name, ba_suite_kind kind);
/* Sets engine and engine_reason from those of the suites. */
void ba_measured_sum_up_engines(ba_measured *m);
/* The suite of a benchmark; NULL: the document does not name its suites. */
ba_measured_suite *ba_measured_suite_of(const ba_measured *m, const ba_benchmark *b);
/* The engine that measured a benchmark. */
const char *ba_measured_engine(const ba_measured *m, size_t benchmark);

void ba_measured_dispose(ba_measured *m);

/* ---- the order of visits ---- */

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
