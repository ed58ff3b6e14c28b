/* The state of a run while it measures. Inside the module only. */
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
	ba_engine_spec engine_spec; /* its kind may change from duet to split */
	ba_engine *engine;	    /* NULL: must be opened */
	bool *usable;		    /* [variants] can the library be used? */
	uint64_t peak_bytes;	    /* of its largest worker so far; 0: unknown */
	double start_ns;	    /* to open the engine, the last time; 0: unknown */
	size_t active_count;	    /* of its tasks, those that are active */
	size_t lanes;		    /* how many count side by side (lane.h); 0: unknown */
} ba_session_suite;

/* How one metric of a user's own benchmark is measured. */
typedef struct ba_round_sizes {
	unsigned batch, readings, blocks, blocks_most, discard;
} ba_round_sizes;

#define BA_NO_SERIES SIZE_MAX

/* Why a variant's instructions are not counted. */
typedef enum ba_count_end {
	BA_COUNT_UNSUPPORTED, /* this machine, or the limit of --count-most, rules it out */
	BA_COUNT_FAULT,	      /* what the variant does while it is counted */
	BA_COUNT_BROKEN,      /* something failed: no memory, a process that ended */
} ba_count_end;

/* One benchmark. */
typedef struct ba_task {
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
	unsigned blocks_most;			/* up to which they may be doubled */
	unsigned repeats_done;			/* of `sustained` */
	unsigned sets;				/* of a plugin's inputs; 0: unknown yet, 1 */
	ba_round_sizes rounds[BA_METRIC_COUNT]; /* if each metric has its own sizes */
} ba_task;

typedef struct ba_session {
	ba_result *result;
	const ba_run_spec *spec;
	ba_session_suite *suites;
	size_t suite_count;
	ba_task *tasks;
	size_t task_count;
	size_t active_count; /* tasks that are active */
	ba_decisions decisions;
	ba_openings *openings;
	ba_strv opened; /* files opened in this invocation */
	int64_t started_ns;
	unsigned invocation;
	bool restart;		/* the engine was changed: begin again */
	bool cut;		/* the budget ended within this invocation */
	size_t resumed_samples; /* how many of spec->resumed were taken */
	size_t notes_told;	/* notes of the result that are in earlier checkpoints */
	bool plan_told;		/* what the budget buys */
	size_t kept;		/* samples of this invocation */
	bool explains;		/* the verdicts are there; nothing goes to the journal */
	unsigned epoch;		/* how often a crew began again (crew.h) */
	struct ba_watch *watch; /* of a member's GPU; NULL: not needed so far */
} ba_session;

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
	return s->result->variant_count;
}

static inline size_t ba_session_candidates(const ba_session *s)
{
	return s->result->variant_count - 1;
}

/* plan.c: what a run must measure, before and while it measures */
/* Sets up all of it, from the design to the benchmarks' tasks. Dispose of it also after
 * an error, which is an interruption. */
int ba_session_plan(
	ba_session *s, ba_result *result, const ba_run_spec *spec, const bool *has, ba_error *err);
void ba_session_dispose(ba_session *s);
/* Benchmarks that are measured only as controls (identity.h) get a part of the usual
 * time; those that are no longer identical, or were not found to be, get all of it. */
void ba_session_set_controls(ba_session *s);
/* Takes account of the files that were opened since the last call. Call it before an
 * invocation counts as measured. */
void ba_session_take_openings(ba_session *s);

/* resume.c: invocations of an earlier process */
/* Restores the engines; call it before the session is set up. */
void ba_resume_engines(ba_result *r, const ba_resumed *from);
/* Restores the clock. */
void ba_resume_begin(ba_session *s);
/* Is the invocation that comes next one of them? */
bool ba_resume_covers(const ba_session *s);
/* Counts it as made. BA_EDATA: it does not fit this run. */
int ba_resume_invocation(ba_session *s, ba_error *err);
/* Passes an invocation that was made here to spec->invoked. */
void ba_session_checkpoint(ba_session *s);
/* Are the state's sizes none at all, or each above 0? */
bool ba_resume_fits(const ba_task *t, const ba_benchmark_state *b);
/* Takes its sizes and what the benchmark counts; thresholds only if asked to. */
void ba_resume_sizes(ba_session *s, ba_task *t, const ba_benchmark_state *b, bool thresholds);

/* crew.c: invocations of other processes, or for them */
/* The coordinator's next invocation, made by a member. May set s->restart. */
int ba_session_fetch(ba_session *s, size_t planned, ba_error *err);
/* For a member, before an invocation counts: BA_EGPU if another process uses the GPU, or
 * if what failed is the GPU. */
int ba_session_check_gpu(ba_session *s, ba_error *err);

/* run.c: would the run end too late with so many more nanoseconds? */
bool ba_session_is_late(const ba_session *s, double more_ns);
/* One invocation of everything that is active, or as far as it gets before the
 * engine is changed (s->restart). */
int ba_session_invoke_all(ba_session *s, size_t planned, ba_error *err);
/* Forgets what was measured before that. */
void ba_session_begin_again(ba_session *s);

/* the task's series of that metric, or NULL */
ba_series *ba_task_series(const ba_session *s, const ba_task *t, ba_metric metric);
/* Sets whether the task takes part in later invocations, and counts those that do. */
void ba_task_set_active(ba_session *s, ba_task *t, bool active);

/* invocation.c: measures the task once with the open engine, and settles failures on
 * the way. 0 also if every variant failed; an error if the run cannot continue. */
int ba_session_invoke(ba_session *s, ba_task *t, ba_error *err);
bool ba_task_is_measurable(const ba_session *s, const ba_task *t);
/* Is the variant measured in some metric? What is decided in all is not even started. */
bool ba_task_needs(const ba_session *s, const ba_task *t, size_t variant);
/* Is there something to time, or to check for the first time, in this invocation? */
bool ba_task_is_due_now(const ba_session *s, const ba_task *t);
/* is that metric to be measured in this invocation? */
bool ba_task_is_due(const ba_session *s, const ba_task *t, ba_metric metric);

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
	int (*rehearse)(ba_session *s, ba_task *t, ba_failure *f, ba_error *err);
	/* is there something to measure in that metric in this invocation? */
	bool (*is_due)(const ba_session *s, const ba_task *t, ba_metric metric);
	/* measures one metric; *out is zeroed */
	int (*measure)(ba_session *s, ba_task *t, ba_metric metric, ba_samples *out, ba_failure *f,
		ba_error *err);
	/* Only for whole programs, which run all of their benchmarks: the survey of the
	 * suite, and one invocation of it. NULL for kinds that have the others. */
	int (*survey)(ba_run_suite *suite, ba_result *result, ba_error *err);
	int (*invoke)(ba_session *s, ba_session_suite *suite, ba_error *err);
} ba_kind_ops;

extern const ba_kind_ops ba_launcher_ops; /* launcher.c */
extern const ba_kind_ops ba_plugin_ops;	  /* plugin.c */
extern const ba_kind_ops ba_program_ops;  /* program_suite.c */
extern const ba_kind_ops ba_command_ops;  /* command_suite.c */
const ba_kind_ops *ba_kind_ops_of(ba_suite_kind kind);

/* inspect.c: puts the device code of a plugin's benchmarks into
 * result->benchmarks, if it can be found out and there is something to compare. An
 * error: the run was interrupted. */
int ba_session_inspect(ba_session *s, ba_error *err);

/* failure.c: puts failures into the series: a look needs them beside the samples. */
void ba_session_note_failures(ba_session *s);
/* Opens the suite's engine with all variants that can be opened. 0 also if
 * none can, or if the engine was changed; suite->engine is then NULL. */
int ba_session_open_engine(ba_session *s, ba_session_suite *suite, bool reversed, ba_error *err);
/* How many workers of the suite have a processor and memory now, while nothing is timed. */
size_t ba_session_workers_most(const ba_session_suite *suite);
/* From here on each variant of the suite has its own process; a sentence says why. */
void ba_session_split(ba_session *s, ba_session_suite *suite, const char *why);
/* After BA_EVARIANT: changes the engine, or excludes the variant. t is NULL if a
 * library cannot be opened. */
int ba_session_settle(
	ba_session *s, ba_session_suite *suite, ba_task *t, ba_failure *f, ba_error *err);
/* excludes the variant from this benchmark */
void ba_task_fail(ba_session *s, ba_task *t, const ba_failure *f);
/* Takes *samples into the series, and their estimates into its comparisons. */
void ba_session_keep(ba_session *s, ba_task *t, ba_metric metric, ba_samples *samples);

/* Measures the blocks set in *out, in `mode`, in the order drawn for this task and
 * invocation: a palindrome, or each participant once. */
int ba_session_measure(ba_session *s, ba_task *t, ba_samples *out, const char *mode,
	unsigned discard, bool palindrome, ba_clock_report *clocks, ba_failure *f, ba_error *err);
/* the same to find sizes, by the workers' own times: no verdict may come from it */
int ba_session_rehearse(
	ba_session *s, ba_task *t, ba_samples *out, const char *mode, ba_failure *f, ba_error *err);
/* throttle.c: the same for a metric of runs, but repeats blocks during which the clock
 * was held down; BA_EGPU if the machine never holds its clock */
int ba_session_measure_fit(ba_session *s, ba_task *t, ba_metric m, ba_samples *out,
	unsigned discard, ba_failure *f, ba_error *err);
/* how many runs can be queued while a gate holds, so that none waits for it to open */
unsigned ba_sizes_gated_batch_most(const ba_session *s);
/* For gpu_rotate: prepares the task again, with as many sets of inputs as the cache
 * needs to forget them. */
int ba_session_make_sets(ba_session *s, ba_task *t, ba_failure *f, ba_error *err);
/* prepare.c: lets all participants set up the task's kernels or cases */
int ba_session_prepare(ba_session *s, ba_task *t, ba_failure *f, ba_error *err);
/* only by those of `only`, in another engine; what they report does not count */
/* Is it a GPU benchmark on the host target, whose driver executes no kernels? */
bool ba_task_executes_nothing(const ba_task *t);
int ba_task_ask_alone(ba_session *s, ba_engine *e, const ba_task *t, const bool *only,
	ba_failure *f, ba_error *err);
int ba_task_prepare_alone(ba_session *s, ba_engine *e, const ba_task *t, const bool *only,
	ba_failure *f, ba_error *err);
/* The same without checks, with the fewest sets of inputs that the metrics need.
 * *skipped: a variant skips it. */
int ba_task_prepare_plain(bool *skipped, ba_session *s, ba_engine *e, const ba_task *t,
	const bool *only, unsigned warm_up, ba_failure *f, ba_error *err);
size_t ba_task_wanted_count(const ba_session *s, const ba_task *t);
/* is nothing left to measure in that metric? */
bool ba_task_is_settled(const ba_session *s, const ba_task *t, ba_metric metric);
/* Computes thresholds with an absolute floor, once the baseline's time is known. */
void ba_task_apply_absolute(ba_session *s, const ba_task *t);
/* for one metric; t->ns must be of that metric */
void ba_task_apply_absolute_to(ba_session *s, const ba_task *t, ba_metric metric);
/* of the metric with a verdict, the smaller side */
double ba_task_threshold(const ba_session *s, const ba_task *t, ba_metric metric);

/* sizes.c: the length and number of bursts */
/* how many launches a reading may have before the queue makes it measure the GPU */
unsigned ba_sizes_batch_most(const ba_session *s);
/* ns: a launch's time of the fastest participant; total_ns: of all together */
ba_sizes ba_sizes_for(
	const ba_session *s, const ba_task *t, double ns, double total_ns, double theta);
/* how many launches may follow one another without a wait for the GPU */
unsigned ba_sizes_burst_most(const ba_session *s);
/* how long the visit of a worker of its own should be */
double ba_sizes_visit_ns(const ba_task *t);
/* With several layouts: the next number of blocks that goes round them, forward and
 * back, often enough. */
unsigned ba_sizes_rounds(const ba_task *t, unsigned blocks);
/* What an invocation costs before the first block of this benchmark: setting it up, and
 * its part of starting the suite's processes. 0: unknown. */
double ba_sizes_start_ns(const ba_task *t);
/* How long a benchmark may measure in an invocation before its variances are known; for a
 * control, a part of that. */
double ba_sizes_task_ns(const ba_session *s, const ba_task *t);
/* that part; 1 for a benchmark that is not a control */
double ba_sizes_part(const ba_task *t);
/* the least of that, which the first rehearsal plans for */
double ba_sizes_least_ns(const ba_session *s, const ba_task *t);
/* Before the first look: fewer blocks, if invocations that take next_ns would not fit into
 * left_ns. */
void ba_session_fit_blocks(ba_session *s, double left_ns, double next_ns);
/* blocks.c: the limit of blocks, from their first number */
unsigned ba_sizes_blocks_most(const ba_session *s, unsigned blocks);
/* After the rehearsal: a trial of what decides, which may raise its blocks. */
int ba_session_first_blocks(ba_session *s, ba_task *t, ba_failure *f, ba_error *err);
/* What the next invocation will take, from what starting, preparing and a block took;
 * 0: unknown. */
double ba_session_expected_ns(const ba_session *s);
/* After a look: the blocks that lead to the open verdicts soonest. */
void ba_session_next_blocks(ba_session *s);

#endif
