/*
 * Which commit, or which version of a package, made it slower, or faster? A search with a stated error.
 *
 *     ba_bisect b = {.request = ..., ...};
 *     rc = ba_bisect_begin(&b, err);         commits between GOOD and BAD; resumes
 *     rc = rc ? rc : ba_bisect_search(&b, err);
 *     ba_bisect_text(&out, &b); or ba_bisect_json(&out, &b);
 *     ba_bisect_dispose(&b);
 *
 * Each step is a run of bench-against itself, as a child process: GOOD, some commits and
 * BAD in the same invocations. Ratios are always to GOOD in the same invocation. First
 * comes a run of GOOD and BAD with all benchmarks. The benchmark that stands out most is
 * followed, and the values that made it stand out are not used again.
 *
 * Two phases may have values of their own: executed instructions, if BAD executes more
 * of them, which costs a build and a second a commit; then the time, around the places
 * that the instructions name. The answer is that of the last phase.
 *
 * What was learned is in a state file after each step. A search that is killed goes on
 * from there; its child processes end with it.
 */
#pragma once

#include "git/repo.h"
#include "report/format.h"
#include "stats/steps.h"

/* the answer's error rate is 1 - this */
#define BA_BISECT_LEVEL 0.95

/* Strings and lists belong to the caller and must outlive the search. */
typedef struct ba_bisect_request {
	const char *exe;	/* bench-against */
	const char *start_dir;	/* where child processes start */
	const char *cache_root; /* folder for state files and results of steps */
	const char *version;
	/* revisions, or versions of a package, "torch==2.6"; NULL: those of the state file */
	const char *good, *bad;
	/* a file with the versions, oldest first; NULL: those that the index lists */
	const char *among;
	ba_strv options; /* options of all child runs */
	/* options to repeat when a search is resumed; "" or " --on ..." */
	const char *again;
	ba_strv first_options; /* options of the first run only */
	bool faster;	       /* searches for an improvement */
	int fixed;	       /* invocations a step; 0: chosen */
	/* builds at the same time; 0: from the configuration, or the default */
	size_t builders;
	bool no_build; /* only cached trees are measured */
	bool no_build_ahead;
	int64_t budget_ns; /* for measuring, over all steps; 0: no budget */
	/* a state file; NULL: the state of this search, if there is one */
	const char *resume;
	const ba_log *log;
	const volatile sig_atomic_t *stop;
} ba_bisect_request;

typedef struct ba_bisect_commit {
	char *id;   /* hex; "torch==2.9.0" */
	char *name; /* for people: "1a2b3c4d5", "torch==2.9.0" */
	/* identifies what is built: one tree, or equal inputs of the build */
	char inputs[65];
	char build[65]; /* key of the build; "": not built yet */
	/* digest of the code that runs, and of the files it opens; "": unknown */
	char code[65];
	bool ahead;	   /* its build began before a step needed it, and was completed */
	bool same_as_good; /* the benchmark runs the same code as in GOOD */
	char *failure;	   /* why it cannot be measured; NULL: it can, or was not tried */
} ba_bisect_commit;

typedef enum ba_bisect_phase_name {
	BA_BISECT_COUNTS, /* executed instructions */
	BA_BISECT_TIMES,  /* the metric that the first run found slower */
	BA_BISECT_PHASES
} ba_bisect_phase_name;

typedef struct ba_bisect_row {
	size_t *commits; /* [count] ascending, without 0 */
	double *y;	 /* log ratio to GOOD; above 0: in the searched direction */
	size_t count;
} ba_bisect_row;

typedef struct ba_bisect_phase {
	bool wanted, over;
	ba_bisect_row *rows;
	size_t row_count, row_capacity;
	size_t *measured; /* [commit_count] number of invocations with the commit */
	ba_steps steps;	  /* the model of the rows, after the last look */
	double delta, s;  /* from the first run, as a start; delta has the sign of y */
} ba_bisect_phase;

/* The conclusion from the steps. */
typedef enum ba_bisect_outcome {
	BA_BISECT_OPEN, /* the budget is used up, or more values would not help */
	BA_BISECT_ONE,	/* a commit, or several that cannot be distinguished */
	BA_BISECT_TWO,	/* the same, twice */
	BA_BISECT_NONE, /* new values show no step of half the threshold */
	BA_BISECT_MANY, /* many small changes: no one or two commits explain the values */
} ba_bisect_outcome;

/* commits[from..to], one of which made the step */
typedef struct ba_bisect_place {
	size_t from, to;
	double probability;
	double delta, low, high; /* with the sign of y, and a 95 % interval */
} ba_bisect_place;

typedef struct ba_bisect_builds ba_bisect_builds; /* builds.c */

typedef struct ba_bisect {
	ba_bisect_request request;
	ba_repo *repo;
	ba_bisect_commit *commits; /* [0] is GOOD, the last is BAD */
	size_t commit_count;
	char *tree; /* the commit that versions of a package are searched with; NULL: none */
	char *state_path;
	char *results;	 /* where a child run writes its result */
	ba_strv options; /* options of the child runs, from the request or the state */
	/* the benchmark that is followed; NULL before the first run */
	char *benchmark;
	ba_metric metric;
	ba_suite_kind kind;
	double threshold; /* as a ratio */
	double s_floor;
	bool counted; /* instructions of the benchmark are counted */
	/* number of other benchmarks that are slower (or faster, if that is searched) */
	size_t others;
	char *system; /* the system under test: every step must use the same */
	/* was anything timed on this host, rather than on a node of --on? */
	bool timed_here;
	ba_bisect_builds *builds;
	size_t builders; /* builds side by side; 0: unknown */
	ba_bisect_phase phases[BA_BISECT_PHASES];
	ba_bisect_outcome outcome;
	ba_bisect_place places[2];
	size_t place_count;
	/* with BA_BISECT_ONE: a smaller change of an unknown commit; probability 0: none */
	ba_bisect_place besides;
	bool out_of_budget;
	bool exhausted; /* more values would not give more information */
	char *why;	/* the explanation of the change, or NULL */
	char *note;	/* a note about merges, or NULL */
	/* what it cost */
	size_t runs, invocations;
	size_t most;	  /* commits between GOOD and BAD in one run */
	char *last_words; /* the last output of a child run to stderr */
	char *doing;	  /* the current run, when it began, and when it was last reported */
	int64_t began_ns, said_ns;
	bool unsaved; /* the state cannot be written, which was reported */
	double measure_seconds, seconds;
	double build_seconds; /* duration of the longest build of a commit so far */
	double unit_seconds;  /* duration of one variant in one invocation */
} ba_bisect;

BA_DECLARE_DISPOSE(ba_bisect)

/* GOOD, BAD (the caller frees them) and the options of a state file: for `resume`. */
int ba_bisect_load_request(
	char **good, char **bad, ba_strv *options, const char *path, ba_error *err);
/* Finds the commits and, if there is one, the state. BA_EINVAL: GOOD and BAD are one commit, or
 * the state is of another search; BA_ENOTFOUND: no such revision, GOOD is newer than BAD, or no
 * common history. If GOOD is on another branch, the commit where the two part replaces it. */
int ba_bisect_begin(ba_bisect *b, ba_error *err);
/* BA_EUNSUPPORTED: BAD is not slower (or faster), or that is inconclusive; BA_EWORKER: they
 * cannot be compared. The sentence has the command to see it. Other errors: the child runs'. */
int ba_bisect_search(ba_bisect *b, ba_error *err);
/* Ends the search: removes the state file, unless a larger budget could resume it. */
void ba_bisect_end(const ba_bisect *b);

/* The number of parents of the answer; 0: it is not a single commit. */
size_t ba_bisect_parents(const ba_bisect *b);
/* the answer, as text or as JSON (docs/bisect.md) */
void ba_bisect_text(ba_buf *out, const ba_bisect *b);
void ba_bisect_json(ba_buf *out, const ba_bisect *b);
/* the answer as one line of bench-against.verdict/1 (report/brief.h) */
void ba_bisect_brief(ba_buf *out, const ba_bisect *b, int exit_status);
