/* The state of a run while it measures. */
#pragma once

#include "verdict/decide.h"
#include "session/spec.h"

typedef struct ba_session ba_session;
typedef struct ba_session_suite ba_session_suite;
typedef struct ba_task ba_task;

/* How a kind of suite is measured in an invocation; one row for each kind. */
typedef struct ba_kind_ops {
	/* mode that needs no preparation, to try a failed benchmark alone */
	const char *first_mode;
	bool checks_once;  /* checking results takes long, so they are checked once */
	bool takes_memory; /* needs much GPU memory: release one case before the next */
	/* if no metric with a verdict is measured, the first metric decides */
	bool first_metric_decides;
	/* the first reading of a visit is discarded if it is too long */
	bool discards_first;
	/* finds sizes in a short first round: t->ns, batch, blocks, readings */
	int (*rehearse)(ba_session *s, ba_task *t, ba_failure *f);
	/* Is there something to measure for that metric in this invocation? */
	bool (*is_due)(const ba_session *s, const ba_task *t, ba_metric metric);
	/* measures one metric; *out is zeroed */
	int (*measure)(ba_session *s, ba_task *t, ba_metric metric, ba_samples *out, ba_failure *f);
	/* Only for whole programs, which run all of their benchmarks: surveys the
	 * suite, and measures one invocation of it. NULL for other kinds. */
	int (*survey)(ba_suite_spec *suite, ba_result *result, ba_error *err);
	int (*invoke)(ba_session *s, ba_session_suite *suite, ba_error *err);
} ba_kind_ops;

/* A suite's workers. */
struct ba_session_suite {
	const ba_suite_spec *spec;
	const ba_kind_ops *ops;
	ba_engine_spec engine_spec; /* its kind may change from duet to split */
	ba_engine *engine;	    /* NULL: must be opened */
	bool *usable;		    /* [variants] can the library be used? */
	uint64_t peak_bytes;	    /* memory of its largest worker so far; 0: unknown */
	double start_ns;	    /* duration of the last opening of the engine; 0: unknown */
	size_t active_count;	    /* number of its active tasks */
	/* number of sets that count at the same time (process_set.h); 0: unknown */
	size_t process_sets;
};

#define BA_NO_SERIES SIZE_MAX

/* Why a variant's instructions are not counted. */
typedef enum ba_count_end {
	BA_COUNT_UNSUPPORTED, /* this machine, or the limit --count-most, prevents it */
	BA_COUNT_FAULT,	      /* the variant prevents it */
	BA_COUNT_BROKEN,      /* a failure: no memory, or a process ended */
} ba_count_end;

/* One benchmark. */
struct ba_task {
	ba_benchmark *benchmark;
	ba_session_suite *suite;
	size_t index; /* in result->benchmarks */
	/* its series in result->series, by metric; BA_NO_SERIES: none */
	size_t series[BA_METRIC_COUNT];
	bool *wanted;	  /* [variants] the variant has the benchmark and has not failed */
	size_t has_count; /* variants that have the launch path, or may have it */
	bool baseline_has;
	char **failure; /* [variants] sentence, or NULL */
	char **output;	/* [variants] last lines of the failed worker's output, or NULL */
	char **skipped; /* [variants] why it cannot run here, or NULL */
	/* [2 * variants] why its instructions cannot be counted, or NULL; and the kind
	 * of reason. It is timed nevertheless. The second half: the same of its census */
	char **uncounted;
	ba_count_end *count_end;
	bool *explained; /* [variants] are counted after the verdicts; NULL: not yet */
	/* the baseline's instructions at the last count; 0: unknown */
	uint64_t instructions;
	bool active;	/* more invocations will follow; ba_task_set_active() sets it */
	bool took_part; /* in this invocation */
	bool sized;
	bool by_turns;	       /* its variants do not fit into memory together */
	bool control_only;     /* only controls are measured (identity.h) */
	double *ns;	       /* [variants] ns per launch, from the rehearsal */
	bool prepared;	       /* prepared and checked by all participants */
	double prepare_ns;     /* duration of the last preparation; 0: unknown */
	unsigned runs;	       /* of a reading, at least, as the first variants say; 0: any */
	unsigned repeats_done; /* of `sustained` */
	unsigned sets;	       /* sets of a plugin's inputs; 0: unknown yet, 1 */
	ba_metric_state
		rounds[BA_METRIC_COUNT]; /* the sizes of each metric; 0: unknown, or fixed */
};

/* Samples of invocations that are not complete yet (experiment/invoke.h). */
typedef struct ba_held {
	struct ba_held_sample {
		ba_task *task;
		ba_metric metric;
		ba_samples samples;
	} * items;
	size_t count, capacity;
} ba_held;

struct ba_session {
	ba_result *result;
	const ba_session_spec *spec;
	ba_session_suite *suites;
	size_t suite_count;
	ba_task *tasks;
	size_t task_count;
	size_t active_count; /* tasks that are active */
	ba_decisions decisions;
	bool is_grid; /* of codes and environments (model/effect.h) */
	struct ba_opened_files *opened_files;
	ba_names ids;	/* index of the tasks' ids; empty until needed */
	ba_strv opened; /* files opened in this invocation */
	int64_t started_ns;
	unsigned invocation;
	bool restart;		/* the engine was changed: start again */
	bool cut;		/* the budget ran out during this invocation */
	size_t resumed_samples; /* how many of spec->resumed were taken */
	bool again;		/* the run began again: spec->resumed no longer counts */
	/* number of notes of the result that earlier checkpoints contain */
	size_t notes_told;
	double later_ns;     /* what the benchmarks of this invocation take of a later one */
	size_t left_out;     /* benchmarks for which the budget has no time */
	char *left_out_note; /* NULL: all fit */
	bool plan_told;	     /* the plan for the budget was reported */
	size_t kept;	     /* samples kept in this invocation */
	/* holds the samples of incomplete invocations; NULL: they go into the series at
	 * once */
	ba_held *held;
	/* the verdicts exist; nothing more goes to the journal */
	bool explains;
	bool notes_launched;	    /* a census asks for the names of kernels alone */
	unsigned epoch;		    /* how often all members restarted (members.h) */
	struct ba_gpu_watch *watch; /* watches a member's GPU; NULL: not needed yet */
};

/* Of a part: its first invocation, and the step between its invocations. */
static inline unsigned ba_session_first(const ba_session *s)
{
	return s->spec->parts ? s->spec->part - 1 : 0;
}

static inline unsigned ba_session_step(const ba_session *s)
{
	return s->spec->parts ? s->spec->parts : 1;
}

static inline size_t ba_session_variants(const ba_session *s)
{
	return s->result->run.variant_count;
}

static inline size_t ba_session_candidates(const ba_session *s)
{
	return s->result->run.variant_count - 1;
}

/* Was the next invocation measured by an earlier process? */
static inline bool ba_session_is_resumed(const ba_session *s)
{
	return s->spec->resumed && !s->again && s->invocation < s->spec->resumed->count;
}

/* duration of the survey and everything since */
double ba_session_spent_ns(const ba_session *s);
/* Does a budget end the run? A member has orders instead, and a budget that is only an
 * aim ends no wait. */
bool ba_session_has_end(const ba_session *s);
/* May benchmarks be left out, for which the budget has no time until the first look? Not in a
 * part of a run, nor where members measure. */
bool ba_session_may_leave_out(const ba_session *s);
/* Would the run end too late after this many more nanoseconds? */
bool ba_session_is_late(const ba_session *s, double more_ns);
