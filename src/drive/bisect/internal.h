/* The parts of a search (bisect.h), from the lowest to the highest: a file calls only those of the
 * sections above its own. bisect/answer.c and answer_json.c read what a search found. */
#pragma once

#include "bisect/bisect.h"
#include "proc/proc.h"

#define STOP_LOOK_NS (50 * BA_MS) /* longest delay before request.stop is noticed */
#define GRACE_NS (5 * BA_SECOND)  /* for a child process that is asked to end */

/* ---- history.c ---- */

/* The first-parent line between the two, oldest first, as far as git knows it. */
int ba_bisect_history(ba_bisect *b, ba_error *err);
/* Takes build settings from the configuration that a result names: equal inputs count
 * as one tree, and the number of parallel builds. Without the file nothing changes. */
int ba_bisect_configure(ba_bisect *b, const char *path, ba_error *err);
/* The possible places of the step: 1; 0 between commits that are the same. False: none. */
bool ba_bisect_prior(double *prior, const ba_bisect *b);

/* ---- command.c ---- */

/* Characters that may follow the name of a file in a benchmark's name. */
#define BA_BISECT_PARTS ".:"
/* The command line of a bench-against that ends when this process ends: `first`, the options
 * of the search, `more`, and the commits as variants. It writes its result to `output`.
 * `first`, `more` and `output` may be NULL. */
void ba_bisect_argv(ba_strv *argv, const ba_bisect *b, const ba_strv *first, const ba_strv *more,
	const char *output, const size_t *commits, size_t count);
/* The options of a step: only the followed benchmark and metric. */
void ba_bisect_step_options(
	ba_strv *more, const ba_bisect *b, ba_bisect_phase_name phase, size_t invocations);
/* as a command for people, with the options of the search */
char *ba_bisect_command(const ba_bisect *b, size_t good, size_t bad);

/* ---- look.c ---- */

/* The values of a phase, as the model takes them. */
typedef struct ba_bisect_data {
	ba_step_data d;
	double *prior; /* of d */
	ba_step_values *values;
} ba_bisect_data;

/* BA_EUNSUPPORTED: no place is possible. Dispose of it in any case. */
int ba_bisect_data_of(
	ba_bisect_data *out, const ba_bisect *b, ba_bisect_phase_name phase, ba_error *err);
BA_DECLARE_DISPOSE(ba_bisect_data)
/* Computes the posterior of a phase, and its conclusion. */
int ba_bisect_look(ba_bisect *b, ba_bisect_phase_name phase, ba_error *err);
/* "5 of 64 commits share 95 %: 1a2b3c4d5..9f8e7d6c5, most likely 1a2b3c4d5 (61 %)" */
void ba_bisect_put_posterior(ba_buf *out, const ba_bisect *b, const ba_steps *s);
/* Appends a sentence for each group of marked commits that cannot be measured for one reason:
 * "51 commits from 1a2b3c4d5 to 9f8e7d6c5", `between`, and the reason. Changes the marks. */
void ba_bisect_failures(ba_strv *out, const ba_bisect *b, bool *in, const char *between);
/* 0.9987 -> "99.8 %": rounded down */
void ba_bisect_put_probability(ba_buf *out, double p);
/* Is the place of the step known, although its change may still be zero? */
bool ba_bisect_is_held(const ba_bisect *b);
/* The number of places that share BA_BISECT_LEVEL, if there is one step. */
size_t ba_bisect_candidates(bool *in, const ba_bisect *b, const ba_steps *s);
/* the phase that determines the answer */
const ba_bisect_phase *ba_bisect_answering(const ba_bisect *b);

/* ---- choose.c ---- */

/* Commits between GOOD and BAD in one run. */
enum { BA_BISECT_COMMITS_MOST = 14 };

/* The commits of the next step, ascending, without GOOD and BAD, to out[b->most]. */
size_t ba_bisect_choose(
	size_t *out, size_t *invocations, const ba_bisect *b, ba_bisect_phase_name phase);
/* While a step measures `chosen`: the commits that later steps will probably need, the
 * likeliest first. A commit may occur twice, or may already be built. */
size_t ba_bisect_choose_ahead(size_t *out, size_t most, const ba_bisect *b,
	ba_bisect_phase_name phase, const ba_step_choice *chosen);

/* ---- builds.c ---- */

ba_bisect_builds *ba_bisect_builds_new(void);
/*
 * Builds what the next step measures. Slots that are idle meanwhile build ahead. If the
 * step times nothing on this host, builds ahead continue while it runs
 * (ba_bisect_builds_poll); else none is running when this returns.
 *
 * If a commit does not build, the step builds it again and says why.
 * BA_EINTERRUPTED: all builds are ended.
 */
int ba_bisect_build(
	ba_bisect *b, ba_bisect_phase_name phase, const ba_step_choice *chosen, ba_error *err);
/* Sets the description of the current activity, which is printed after some seconds of
 * waiting, and again every half minute; takes the text. */
void ba_bisect_begin_doing(ba_bisect *b, char *what);
/* Waits until the step ends, and continues with builds meanwhile. Without a step (NULL):
 * until a build ends. BA_ETIMEOUT: neither ended in that time. */
int ba_bisect_builds_poll(ba_bisect *b, ba_proc *step, int64_t timeout_ns, ba_error *err);
/* Ends the running builds and drops their output. */
void ba_bisect_end_builds(ba_bisect *b);

/* ---- child.c ---- */

/* Removes the last child's result, and its journal if it was interrupted. */
void ba_bisect_drop_results(const ba_bisect *b);
/* Runs bench-against with the options of the search, `more`, and the commits as variants.
 * *status is its exit status; *out has its document if it wrote one, else it is empty. */
int ba_bisect_child(ba_result *out, int *status, ba_bisect *b, const ba_strv *more,
	const size_t *commits, size_t count, ba_error *err);
/* ---- learn.c ---- */

/* 1, or -1 if an improvement is searched. A log ratio to GOOD times this is above 0 in
 * the searched direction; such a value times this is a log ratio again. */
double ba_bisect_sign(const ba_bisect *b);
/* "slower", "faster" */
const char *ba_bisect_word(const ba_bisect *b);

/* After the first run: chooses the benchmark to follow. Errors as of ba_bisect_search. */
int ba_bisect_follow(ba_bisect *b, const ba_result *r, int status, ba_error *err);
/* After a step: takes values, failures, and which commits are the same. */
int ba_bisect_learn(ba_bisect *b, ba_bisect_phase_name phase, const ba_result *r,
	const size_t *commits, size_t count, ba_error *err);
/* Does BAD have values in this step, as in the first run? */
bool ba_bisect_has_bad(const ba_bisect *b, ba_bisect_phase_name phase, const ba_result *r);
/* Counts an invocation for each of its commits. */
void ba_bisect_count_row(ba_bisect_phase *p, const ba_bisect_row *row);

/* ---- state.c ---- */

int ba_bisect_save(const ba_bisect *b, ba_error *err);
/* Reads the state of this search. *found: there was one. */
int ba_bisect_load(bool *found, ba_bisect *b, ba_error *err);

/* ---- answer.c ---- */

/* How many commits were built ahead; *used: how many of them a step measured. */
size_t ba_bisect_ahead(size_t *used, const ba_bisect *b);
