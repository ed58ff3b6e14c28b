#include "job/job.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ba_build.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/path.h"
#include "gpu/ptxgen.h"
#include "proc/proc.h"
#include "job/noise.h"
#include "job/members_slurm.h"
#include "job/fingerprint.h"
#include "job/state.h"
#include "request/services.h"
#include "store/results.h"
#include "suite/plan.h"

int ba_job_check(const ba_job_request *q, ba_error *err)
{
	ba_run_spec spec = {0};
	/* what the configuration says of target and verdicts is not known yet: the
	 * metrics must fit one of the targets */
	ba_error other;
	int rc = ba_measure_choose_metrics(&spec, q, NULL, ba_measure_target(q, NULL), err);
	if (rc && q->target < 0 &&
		ba_measure_choose_metrics(&spec, q, NULL, BA_ON_HOST, &other) == 0)
		rc = 0;
	unsigned part, parts;
	rc = rc ? rc : ba_measure_check_part(&part, &parts, q, err);
	if (rc == 0 && q->desk && ba_fs_exists(q->desk) && !ba_fs_is_dir(q->desk))
		rc = ba_fail(err, BA_EINVAL,
			"--desk '%s' is a file: name a directory that all nodes see", q->desk);
	return rc ? rc : ba_measure_check_launches(q, err);
}

ba_job *ba_job_new(const ba_job_request *q, const ba_job_services *services,
	ba_job_journal *journal, ba_result *r)
{
	ba_job *job = ba_xcalloc(1, sizeof(*job));
	*job = (ba_job){.request = q,
		.services = services,
		.journal = journal,
		.result = r,
		.trees = {.request = q, .services = services},
		.plan = {.request = q, .services = services}};
	return job;
}

void ba_job_free(ba_job *job)
{
	if (!job)
		return;
	ba_measure_dispose(&job->plan);
	ba_trees_tidy(&job->trees);
	ba_suite_list_dispose(&job->suites);
	ba_trees_dispose(&job->trees);
	free(job);
}

/* What a gate expects, and what candidates change, matters where verdicts are. */
static bool gives_verdicts(const ba_job *job)
{
	return job->request->purpose == BA_JOB_MEASURE;
}

int ba_job_resolve(ba_job *job, const ba_strv *variants, ba_error *err)
{
	ba_result *r = job->result;
	ba_trees *t = &job->trees;
	int rc = ba_trees_resolve(t, &r->variants, &r->variant_count, variants, err);
	rc = rc ? rc : ba_trees_configure(t, err);
	if (rc == 0 && gives_verdicts(job))
		rc = ba_trees_rules(t, &r->notes, err);
	rc = rc ? rc : ba_trees_overlay(t, err);
	rc = rc ? rc : ba_measure_choose_suites(&job->suites, &t->config, job->request, err);
	if (rc == 0 && job->journal && job->journal->resumed) {
		BA_AUTO(ba_fingerprint) ba_fingerprint now = {0};
		ba_fingerprint_of_trees(&now, r);
		rc = ba_job_journal_check(job->journal, &now, false, err);
	}
	return rc;
}

int ba_job_build(ba_job *job, ba_error *err)
{
	int64_t start = ba_now_ns();
	int rc = ba_trees_build(&job->trees, &job->suites, err);
	job->result->spent.build = ba_seconds_since(start);
	return rc;
}

/* Where it was measured, into the result of a run. */
static void describe(const ba_job *job)
{
	const ba_trees *t = &job->trees;
	ba_result *r = job->result;
	if (!r->started)
		ba_job_describe(r, job->request->command_line);
	free(r->repository);
	free(r->config_path);
	r->repository = ba_xstrdup(t->repo	   ? ba_repo_common_dir(t->repo)
				   : t->repository ? t->repository
						   : "");
	r->config_path = ba_xstrdup(t->config_path);
	ba_overlay_source_copy(&r->overlay, &t->overlay);
	for (size_t i = 0; i < t->notes.count; i++)
		ba_strv_push(&r->notes, t->notes.items[i]);
}

/* What another process had measured of this run took its time, too. */
static int64_t elapsed_before(const ba_job *job)
{
	return job->journal ? ba_resumed_elapsed_ns(&job->journal->then.resumed) : 0;
}

int ba_job_survey(ba_job *job, ba_error *err)
{
	ba_trees *t = &job->trees;
	ba_measure_plan *p = &job->plan;
	int64_t start = ba_now_ns();
	job->start_ns = start - elapsed_before(job);
	if (gives_verdicts(job)) {
		describe(job);
		p->expected = &t->expected;
		p->rules = t->rules ? (size_t)(t->rules - t->variants) : 0;
		p->manifests = t->manifests;
	}
	if (job->request->on && job->journal && job->journal->resumed)
		p->desk = ba_cluster_desk(job);
	p->config = &t->config;
	p->missing = &t->missing;
	p->sandbox = ba_run_sandbox_of(&t->sandbox);
	p->seals = (const ba_seal *const *)t->seals;
	int rc = ba_workspace_scratch(&p->scratch, t->workspace, err);
	bool ends = job->request->budget_ns && !p->member;
	double limit = BA_BUDGET_LIMIT_NS(job->request->budget_ns);
	if (ends)
		ba_proc_end_waits_at(start + (int64_t)limit);
	rc = rc ? rc : ba_measure_survey(p, job->result, &job->suites, t->failures, err);
	ba_proc_end_waits_at(0);
	if (rc == BA_EINTERRUPTED && ends && !ba_job_is_stopped(job->services))
		rc = ba_fail(err, BA_ETIMEOUT,
			"--budget was over while the machine and the benchmarks were examined: raise it");
	job->result->spent.survey = ba_seconds_since(start);
	return rc;
}

/* The environment is that of the first part of the run, except for the processor. */
static void tell_processor(ba_result *r, const ba_cpu_lock *lock, size_t whole)
{
	int then = r->env.pinned_cpu;
	if (lock->shared)
		ba_strv_push(&r->env.warnings, lock->shared);
	if (whole && then >= 0 && lock->cpu != then)
		ba_strv_push_take(&r->env.warnings,
			ba_xprintf(
				"the first %zu %s measured on processor %d, the others on processor %d",
				whole, ba_plural(whole, "invocation was", "invocations were"), then,
				lock->cpu));
}

static int begin_journal(ba_job *job, ba_error *err)
{
	ba_measure_plan *p = &job->plan;
	ba_job_journal *j = job->journal;
	BA_AUTO(ba_fingerprint) ba_fingerprint now = {0};
	job->result->seed = p->spec.seed;
	ba_fingerprint_of_run(&now, p, job->result);
	p->spec.stored = ba_job_journal_samples;
	p->spec.invoked = ba_job_journal_invocation;
	p->spec.restarted = ba_job_journal_restart;
	p->spec.stored_data = j;
	BA_TRY(ba_job_journal_begin(
		j, job->services, job->request->journal, &now, job->result, err));
	if (!j->resumed)
		return 0;
	p->spec.resumed = &j->then.resumed;
	if (p->cpu_lock)
		tell_processor(job->result, p->cpu_lock, j->whole);
	return 0;
}

int ba_job_plan(ba_job *job, ba_error *err)
{
	ba_measure_plan *p = &job->plan;
	int rc = ba_measure_choose_benchmarks(p, job->result, err);
	if (rc == 0 && job->request->purpose == BA_JOB_LIST)
		rc = ba_measure_check_loaded(p, job->result, err);
	if (rc == 0 && job->journal)
		rc = begin_journal(job, err);
	return rc;
}

int ba_job_measure(ba_job *job, ba_error *err)
{
	ba_measure_plan *p = &job->plan;
	/* in this order: the crew ends first */
	BA_AUTO_PTR(ba_local_crew) ba_local_crew *local = NULL;
	BA_AUTO_PTR(ba_slurm_crew) ba_slurm_crew *tasks = NULL;
	BA_AUTO_PTR(ba_job_crew) ba_job_crew *crew = NULL;
	int rc = 0;
	if (job->request->on)
		rc = ba_job_muster_cluster(&crew, &tasks, job, err);
	else if (p->device_count > 1)
		rc = ba_job_muster(&crew, &local, job, err);
	if (rc && job->journal)
		ba_job_journal_discard(job->journal);
	if (rc == 0 && crew) {
		p->spec.crew = ba_job_crew_calls(crew);
		rc = ba_job_crew_assemble(crew, err);
	}
	rc = rc ? rc : ba_measure_run(p, job->result, err);
	p->spec.crew = NULL;
	job->result->wall_seconds = (double)(ba_now_ns() - job->start_ns) / 1e9;
	return rc;
}

void ba_job_answer(ba_job *job)
{
	ba_measure_judge(&job->plan, job->result);
}

void ba_job_end_journal(ba_job *job)
{
	if (job->journal)
		ba_job_journal_end(job->journal, job->result);
}

int ba_job_learn(ba_calibration *all, const ba_job *job, ba_error *err)
{
	return ba_known_noise_learn(all, &job->plan, job->result, err);
}

int ba_job_device_count(const ba_job *job)
{
	const ba_run_spec *s = &job->plan.spec;
	return s->suite_count ? s->suites[0].survey.device_count : 0;
}

double ba_job_threshold(
	const ba_job *job, const char *benchmark, ba_metric metric, const ba_noise *n)
{
	return ba_known_noise_threshold(&job->plan, benchmark, metric, n);
}

void ba_job_describe(ba_result *r, const char *command_line)
{
	char started[32];
	ba_time_format(started, time(NULL));
	r->schema_revision = BA_RESULTS_REVISION;
	r->rule = BA_RULE_NOW;
	r->tool_version = ba_xstrdup(BA_VERSION);
	r->started = ba_xstrdup(started);
	r->command_line = ba_xstrdup(command_line ? command_line : "");
	r->repository = ba_xstrdup("");
	r->config_path = ba_xstrdup("");
}

/* Since this schema_revision the timed kernel adds up all of its arguments. */
#define REVISION_ARGUMENTS 9
#define RULES(kernels) "kernels/" kernels " readings/" BA_READINGS_VERSION

static bool writes_to_flush(const ba_result *r)
{
	return r->env.flush && strcmp(r->env.flush, "write") == 0;
}

const char *ba_job_sample_rules(const ba_result *r)
{
	return writes_to_flush(r) ? RULES(BA_PTX_TEXT_VERSION) " flush/write"
				  : RULES(BA_PTX_TEXT_VERSION);
}

const char *ba_job_earlier_rules(const ba_result *r)
{
	if (r->schema_revision >= REVISION_ARGUMENTS)
		return NULL;
	if (r->schema_revision >= BA_REVISION_MARKS)
		return writes_to_flush(r) ? RULES("2") " flush/write" : RULES("2");
	return writes_to_flush(r) ? RULES("1") " flush/write" : RULES("1");
}

ba_plan_digest *ba_job_digests(const ba_result *r)
{
	ba_plan_digest *digests = ba_xcalloc(r->benchmark_count + 1, sizeof(*digests));
	for (size_t i = 0; i < r->benchmark_count; i++)
		ba_plan_sha256_one(digests[i], &r->benchmarks[i], ba_job_sample_rules(r));
	return digests;
}
