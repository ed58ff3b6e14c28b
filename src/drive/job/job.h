/*
 * A run without a command line: from variants as a user names them to the answer.
 *
 *     ba_job_request q;
 *     ba_job_request_init(&q);                   what to measure
 *     q.target = BA_ON_HOST;
 *     ba_job_services s = {.parts = ..., ...};   where things are, and callbacks
 *     ba_result r = {0};
 *
 *     ba_job *job = ba_job_new(&q, &s, NULL, &r);
 *     ba_job_resolve(job, &variants, err)   names to trees, a configuration, suites
 *     ba_job_build(job, err)                trees written and built, or found again
 *     ba_job_survey(job, err)               machine and libraries examined
 *     ba_job_plan(job, err)                 which benchmarks there are
 *     ba_job_measure(job, err)              invocations, until there are verdicts
 *     ba_job_answer(job)                    r.exit_status, r.answer
 *     ba_job_free(job);
 *
 * Each call needs those before it; later ones may be left out: a list of benchmarks
 * ends with ba_job_plan. Each returns 0, or a BA_E code with a sentence, after which
 * only ba_job_free may follow. What a variant does wrong is a result, not an error.
 *
 * Nothing here prints, reads argv or the environment, or ends the process. Sentences
 * use the names of command line options, because users know these. A process
 * measures one job at a time: the worker gets a processor of its own, and this
 * process leaves it.
 */
#pragma once

#include "codediff/codediff.h"
#include "model/calibration.h"
#include "job/document.h"
#include "journal/journal.h"
#include "request/request.h"
#include "cluster/exchange.h"

typedef struct ba_job ba_job;

/* Checks metrics, arguments, sizes and loops, before anything is built. BA_EINVAL. */
int ba_job_check(const ba_job_request *q, ba_error *err);

/* Borrows all arguments. *r is empty, or has what ba_job_describe fills. journal:
 * written while the run measures, or resumed; NULL: none. */
ba_job *ba_job_new(const ba_job_request *q, const ba_job_services *services,
	ba_job_journal *journal, ba_result *r);
/* Removes everything outside the cache, also after a signal. The result stays. */
BA_DECLARE_FREE(ba_job)

/* Variants: "HEAD~", "fast=v1.2", "WORKTREE", "path:DIR". None: HEAD and the working
 * tree, or the last two commits if that is clean. Also finds the configuration that
 * applies and, in a gate, what the candidates would change about it (r->notes).
 * BA_EINVAL also for a journal of another run. */
int ba_job_resolve(ba_job *job, const ba_strv *variants, ba_error *err);
/* A variant that does not build is a row with a failure; BA_EBUILD: nothing is left. */
int ba_job_build(ba_job *job, ba_error *err);
/* After ba_job_resolve: the configuration that applies; belongs to the job. */
const ba_config *ba_job_config(const ba_job *job);
/* After ba_job_build: finds the device code in a built tree (codediff/codediff.h), without
 * files of the commit; those of a directory of the user count. */
int ba_job_read_code(
	ba_code_side *side, const ba_job *job, size_t variant, const ba_strv *paths, ba_error *err);
/* Instead of the survey: the suites, those of several programs as one for each program;
 * they belong to the job. BA_ECONFIG: there is no such program. */
int ba_job_suites(const ba_suite_list **out, ba_job *job, ba_error *err);
/* Fills r->env, r->suites and artefacts; to measure also repository, configuration, time. */
int ba_job_survey(ba_job *job, ba_error *err);
/* Fills r->benchmarks. Begins the journal, or finds that it is of another run
 * (BA_EINVAL). A list needs every variant's library: BA_ELIBRARY. */
int ba_job_plan(ba_job *job, ba_error *err);
/* Fills r->series with verdicts. BA_EINVAL for thresholds that cannot be decided
 * according to this system's calibration, unless q->allow_below_floor. */
int ba_job_measure(ba_job *job, ba_error *err);
/* Sets r->exit_status and r->answer by the policy of the gate. */
void ba_job_answer(ba_job *job);
/* Call when the answer was written: removes the journal, unless the run was stopped. */
void ba_job_end_journal(ba_job *job);

/* ---- calibration ---- */

/* After BA_JOB_CALIBRATE: adds what was measured to what the cache knows of this system.
 * BA_EINTERRUPTED; BA_EVARIANT: nothing was measured. */
int ba_job_learn(ba_calibration *all, const ba_job *job, ba_error *err);
/* After ba_job_survey: how many devices the driver shows. */
int ba_job_device_count(const ba_job *job);
/* Of its benchmark and metric, as a ratio: the calibrated time turns an absolute one into that. */
double ba_job_threshold(const ba_job *job, const ba_noise *n);

/* ---- a member of a run on several devices ---- */

/* The identity of a member. */
typedef struct ba_member_spec {
	const char *id;	  /* its id in the exchange: "gpu0" */
	const char *job;  /* its Slurm job, or NULL */
	pid_t parent;	  /* the coordinator if that started it; else 0 */
	const char *node; /* node of a cluster; NULL: use the host's name */
	int gpu;	  /* the node's number of device 0; negative: 0 */
	/* leave if the coordinator has written no orders for this time; 0: never */
	int64_t patience_ns;
} ba_member_spec;

/* Measures until the coordinator's orders end. `job`: of plan->argv, new and not resolved. */
int ba_job_serve(ba_job *job, const char *exchange, ba_exchange_plan *plan,
	const ba_member_spec *spec, ba_error *err);
