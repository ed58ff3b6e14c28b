/* The state of a run while it measures. */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "verdict/decide.h"
#include "base/names.h"
#include "session/spec.h"

typedef struct ba_session ba_session;
typedef struct ba_session_suite ba_session_suite;
typedef struct ba_task ba_task;

/* How a kind of suite is measured in an invocation; each kind is a row. */
typedef struct ba_kind_ops {
	/* to try alone a benchmark that fails beside the others: a mode that needs no
	 * preparation */
	const char *first_mode;
	bool checks_once;	   /* results take long to check */
	bool takes_memory;	   /* much of the GPU's: release one case before the next */
	bool sizes_are_common;	   /* all metrics use t->batch, blocks, readings */
	bool first_metric_decides; /* if no metric with a verdict is measured */
	bool discards_first;	   /* the first reading of a visit, where it is too long */
	/* finds sizes in a short first round: t->ns, batch, blocks, readings */
	int (*rehearse)(ba_session *s, ba_task *t, ba_failure *f);
	/* is there something to measure in that metric in this invocation? */
	bool (*is_due)(const ba_session *s, const ba_task *t, ba_metric metric);
	/* measures one metric; *out is zeroed */
	int (*measure)(ba_session *s, ba_task *t, ba_metric metric, ba_samples *out, ba_failure *f);
	/* Only for whole programs, which run all of their benchmarks: the survey of the
	 * suite, and one invocation of it. NULL for kinds that have the others. */
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
	uint64_t peak_bytes;	    /* of its largest worker so far; 0: unknown */
	double start_ns;	    /* to open the engine, the last time; 0: unknown */
	size_t active_count;	    /* of its tasks, those that are active */
	size_t process_sets;	    /* how many count side by side (process_set.h); 0: unknown */
};

#define BA_NO_SERIES SIZE_MAX

/* Why a variant's instructions are not counted. */
typedef enum ba_count_end {
	BA_COUNT_UNSUPPORTED, /* this machine, or the limit of --count-most, rules it out */
	BA_COUNT_FAULT,	      /* what the variant does while it is counted */
	BA_COUNT_BROKEN,      /* something failed: no memory, a process that ended */
} ba_count_end;

/* One benchmark. */
struct ba_task {
	ba_benchmark *benchmark;
	ba_session_suite *suite;
	size_t index; /* in result->benchmarks */
	/* its series in result->series, by metric; BA_NO_SERIES: none */
	size_t series[BA_METRIC_COUNT];
	bool *wanted;	  /* [variants] has it and has not failed */
	size_t has_count; /* variants that have the launch path, or may have it */
	bool baseline_has;
	char **failure; /* [variants] sentence, or NULL */
	char **output;	/* [variants] last lines of the worker's output then, or NULL */
	char **skipped; /* [variants] why it cannot run here, or NULL */
	/* [variants] why its instructions cannot be counted, or NULL; and whose doing that
	 * is. It is timed all the same. */
	char **uncounted;
	ba_count_end *count_end;
	bool *explained;       /* [variants] are counted after the verdicts; NULL: not yet */
	uint64_t instructions; /* the baseline's, at the last count; 0: unknown */
	bool active;	       /* more invocations will follow; ba_task_set_active() sets it */
	bool took_part;	       /* in this invocation */
	bool sized;
	bool control_only; /* only controls are measured (identity.h) */
	double *ns;	   /* [variants] per launch, from the rehearsal */
	bool prepared;	   /* and checked, by all that take part */
	double prepare_ns; /* to set it up, the last time; 0: unknown */
	unsigned batch, blocks, readings;
	unsigned blocks_most;			 /* up to which they may be doubled */
	unsigned repeats_done;			 /* of `sustained` */
	unsigned sets;				 /* of a plugin's inputs; 0: unknown yet, 1 */
	ba_metric_state rounds[BA_METRIC_COUNT]; /* if each metric has its own sizes */
};

/* Samples of invocations that are not complete yet (experiment/rotation.h). */
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
	struct ba_opened_files *opened_files;
	ba_names ids;	/* of the tasks; empty until needed */
	ba_strv opened; /* files opened in this invocation */
	int64_t started_ns;
	unsigned invocation;
	bool restart;		    /* the engine was changed: begin again */
	bool cut;		    /* the budget ended within this invocation */
	size_t resumed_samples;	    /* how many of spec->resumed were taken */
	size_t notes_told;	    /* notes of the result that are in earlier checkpoints */
	bool plan_told;		    /* what the budget buys */
	size_t kept;		    /* samples of this invocation */
	ba_held *held;		    /* where they wait; NULL: the series take them at once */
	bool explains;		    /* the verdicts are there; nothing goes to the journal */
	unsigned epoch;		    /* how often all members began again (members.h) */
	struct ba_gpu_watch *watch; /* of a member's GPU; NULL: not needed so far */
};

/* Of a part: its first invocation, and how many numbers lie between two of them. */
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

/* Is the next invocation one that an earlier process made? */
static inline bool ba_session_is_resumed(const ba_session *s)
{
	return s->spec->resumed && s->invocation < s->spec->resumed->count;
}

/* of the survey and of all that followed */
double ba_session_spent_ns(const ba_session *s);
/* Does a budget end it? A member has orders instead, and what is only an aim ends no wait. */
bool ba_session_has_end(const ba_session *s);
/* Would the run end too late with so many more nanoseconds? */
bool ba_session_is_late(const ba_session *s, double more_ns);

#endif
