/* The state of a run while it is measured; private to host/. */
#ifndef HOST_SESSION_H
#define HOST_SESSION_H

#include "host/decide.h"
#include "host/identity.h"
#include "host/openings.h"
#include "host/run.h"

typedef struct ba_sizes {
	unsigned batch, blocks, readings;
} ba_sizes;

/* A suite's workers. */
typedef struct ba_session_suite {
	const ba_run_suite *spec;
	ba_engine_spec engine_spec; /* kind may change: duet to split */
	ba_engine *engine;	    /* NULL: to be opened */
	bool *usable;		    /* [variants] the library can be used */
} ba_session_suite;

/* How one metric of a benchmark of a suite's own is measured. */
typedef struct ba_round_sizes {
	unsigned batch, readings, blocks, blocks_most, discard;
} ba_round_sizes;

#define BA_NO_SERIES SIZE_MAX

/* One benchmark. */
typedef struct ba_task {
	ba_benchmark *benchmark;
	ba_session_suite *suite;
	size_t index; /* in result->benchmarks */
	/* its series by their metrics, in result->series; BA_NO_SERIES */
	size_t series[BA_METRIC_COUNT];
	bool *wanted;	  /* [variants] has it and has not failed */
	size_t has_count; /* variants that have the launch path, or are not known not to
			   */
	bool baseline_has;
	char **failure; /* [variants] sentence, or NULL */
	char **output;	/* [variants] last lines of the worker then, or NULL */
	char **skipped; /* [variants] why it cannot run here, or NULL */
	bool active;	/* more invocations are to come */
	bool took_part; /* in this invocation */
	bool sized;
	bool control_only; /* nothing but controls is measured of it (identity.h) */
	double *ns;	   /* [variants] per launch, from the rehearsal */
	unsigned batch, blocks, readings;
	unsigned blocks_most;  /* to which they may be doubled */
	unsigned repeats_done; /* of `sustained` */
	unsigned sets;	       /* of inputs of a plugin's; 0: not known yet, 1 */
	ba_round_sizes rounds[BA_METRIC_COUNT]; /* where each metric has its own */
} ba_task;

typedef struct ba_session {
	ba_result *result;
	const ba_run_spec *spec;
	ba_session_suite *suites;
	size_t suite_count;
	ba_task *tasks;
	size_t task_count;
	ba_decisions decisions;
	ba_openings *openings;
	ba_strv opened; /* in this invocation */
	int64_t started_ns;
	unsigned invocation;
	bool restart;		/* the engine was changed: begin again */
	size_t resumed_samples; /* of spec->resumed, that were taken */
	size_t notes_told; /* of the result's notes, those in earlier checkpoints */
	size_t kept;	   /* samples of this invocation */
} ba_session;

static inline size_t ba_session_variants(const ba_session *s)
{
	return s->result->variant_count;
}

static inline size_t ba_session_candidates(const ba_session *s)
{
	return s->result->variant_count - 1;
}

/* plan.c: what is asked of a run, before and while it is measured */
/* All of it, from the design to the benchmarks' tasks; to be disposed of also after an
 * error, which is an interruption. */
int ba_session_plan(ba_session *s, ba_result *result, const ba_run_spec *spec,
	const bool *has, ba_error *err);
void ba_session_dispose(ba_session *s);
/* What a look has to know beside the samples: failures, into the series. */
void ba_session_note_failures(ba_session *s);
/* What is measured as a control alone (identity.h) has a part of the time; what is not
 * the same any more, or was not found to be, gets the time that others have. */
void ba_session_set_controls(ba_session *s);
/* What was opened since decides; before it counts as measured. */
void ba_session_take_openings(ba_session *s);

/* resume.c: invocations of an earlier process */
/* Engines as they were; before the session is set up. */
void ba_resume_engines(ba_result *r, const ba_resumed *from);
/* The clock as it was. */
void ba_resume_begin(ba_session *s);
/* Is the invocation that comes next one of them? */
bool ba_resume_covers(const ba_session *s);
/* It counts as made. What does not fit this run is BA_EDATA. */
int ba_resume_invocation(ba_session *s, ba_error *err);
/* An invocation was made here: tell spec->invoked. */
void ba_session_checkpoint(ba_session *s);

/* the task's series of that metric, or NULL */
ba_series *ba_task_series(const ba_session *s, const ba_task *t, ba_metric metric);

/* invocation.c: measure the task once with the open engine, settling failures on the
 * way. 0 also when every variant failed; an error when the run cannot go on. */
int ba_session_invoke(ba_session *s, ba_task *t, ba_error *err);
bool ba_task_is_measurable(const ba_session *s, const ba_task *t);

/* How a kind of suite is measured in an invocation: a row each. */
typedef struct ba_kind_ops {
	/* of a benchmark that fails beside the others, for a first try alone: a mode
	 * that needs nothing before it */
	const char *first_mode;
	bool checks_once;  /* results take long to check */
	bool takes_memory; /* much of the GPU's: one is released before the next comes */
	bool sizes_are_common;	   /* to all metrics: t->batch, blocks, readings */
	bool first_metric_decides; /* where none of those that decide is measured */
	/* sizes from a short first round: t->ns, batch, blocks, readings */
	int (*rehearse)(ba_session *s, ba_task *t, ba_failure *f, ba_error *err);
	/* is there something of that metric to measure in this invocation? */
	bool (*is_due)(const ba_session *s, const ba_task *t, ba_metric metric);
	/* one metric; *out is zeroed */
	int (*measure)(ba_session *s, ba_task *t, ba_metric metric, ba_samples *out,
		ba_failure *f, ba_error *err);
	/* Of whole programs, which run all of their benchmarks: the survey of the
	 * suite, and an invocation of it. NULL of kinds that have the others. */
	int (*survey)(ba_run_suite *suite, ba_result *result, ba_error *err);
	int (*invoke)(ba_session *s, ba_session_suite *suite, ba_error *err);
} ba_kind_ops;

extern const ba_kind_ops ba_launcher_ops; /* launcher.c */
extern const ba_kind_ops ba_plugin_ops;	  /* plugin.c */
extern const ba_kind_ops ba_program_ops;  /* program_suite.c */
extern const ba_kind_ops ba_command_ops;  /* command_suite.c */
const ba_kind_ops *ba_kind_ops_of(ba_suite_kind kind);

/* inspect.c: the device code of a plugin's benchmarks into result->benchmarks, where it
 * can be told and somebody can be compared. An error: the run was interrupted. */
int ba_session_inspect(ba_session *s, ba_error *err);

/* failure.c: the suite's engine, opened by all that can be. 0 also when nobody can, or
 * when the engine was changed; then suite->engine is NULL. */
int ba_session_open_engine(
	ba_session *s, ba_session_suite *suite, bool reversed, ba_error *err);
/* After BA_EVARIANT: another engine, or the variant is out. t is NULL for a library that
 * cannot be opened. */
int ba_session_settle(ba_session *s, ba_session_suite *suite, ba_task *t, ba_failure *f,
	ba_error *err);
/* the variant is out of this benchmark */
void ba_task_fail(ba_session *s, ba_task *t, const ba_failure *f);
/* Takes *samples into the series, and what they say into its comparisons. */
void ba_session_keep(ba_session *s, ba_task *t, ba_metric metric, ba_samples *samples);

/* The blocks that are set in *out, of `mode`, in the order drawn for this task and
 * invocation; a palindrome, or a plain turn of everybody. */
int ba_session_measure(ba_session *s, ba_task *t, ba_samples *out, const char *mode,
	unsigned discard, bool palindrome, ba_clock_report *clocks, ba_failure *f,
	ba_error *err);
/* throttle.c: the same of a metric of runs, where what was measured while the clock was
 * held down is measured again; BA_EGPU for a machine that does not hold it at all */
int ba_session_measure_fit(ba_session *s, ba_task *t, ba_metric m, ba_samples *out,
	unsigned discard, ba_failure *f, ba_error *err);
/* runs that are queued while a gate holds, so that nothing waits for it to open */
unsigned ba_sizes_gated_batch_most(const ba_session *s);
/* Where gpu_rotate is measured, the task is prepared again, with as many sets of inputs
 * as the cache forgets. */
int ba_session_make_sets(ba_session *s, ba_task *t, ba_failure *f, ba_error *err);
/* prepare.c: the task's kernels or cases set up by all that take part */
int ba_session_prepare(ba_session *s, ba_task *t, ba_failure *f, ba_error *err);
/* by those of `only`, in another engine; what they say of it counts for nothing */
int ba_task_prepare_alone(ba_session *s, ba_engine *e, const ba_task *t,
	const bool *only, ba_failure *f, ba_error *err);
size_t ba_task_wanted_count(const ba_session *s, const ba_task *t);
/* Is the variant to be measured in that metric? Not where its answer is known: the GPU
 * has the same to do as in the baseline, which then runs only for the others. */
bool ba_task_takes_part(
	const ba_session *s, const ba_task *t, ba_metric metric, size_t variant);
/* nobody is left to measure in that metric */
bool ba_task_is_settled(const ba_session *s, const ba_task *t, ba_metric metric);
/* With an absolute floor the threshold is known once the baseline's time is. */
void ba_task_apply_absolute(ba_session *s, const ba_task *t);
/* one metric, where t->ns is that metric's */
void ba_task_apply_absolute_to(ba_session *s, const ba_task *t, ba_metric metric);
/* of the metric that decides, the smaller side */
double ba_task_threshold(const ba_session *s, const ba_task *t, ba_metric metric);

/* sizes.c: how long a burst, how many of them */
/* launches of a reading before the queue makes the GPU's time of the host's */
unsigned ba_sizes_batch_most(const ba_session *s);
/* ns: the fastest participant's time of a launch; total_ns: of all of them together */
ba_sizes ba_sizes_for(const ba_session *s, const ba_task *t, double ns, double total_ns,
	double theta);
/* a benchmark's share of the time that an invocation measures; of a control, a part
 * of that */
double ba_sizes_task_ns(const ba_session *s, const ba_task *t);
/* that part; 1 of a benchmark that is no control */
double ba_sizes_part(const ba_task *t);
/* escalate.c: the most blocks, from those at first */
unsigned ba_sizes_blocks_most(const ba_session *s, unsigned blocks);
/* After a look: more blocks where noise within the invocations keeps a benchmark
 * undecided. */
void ba_session_escalate(ba_session *s);

#endif
