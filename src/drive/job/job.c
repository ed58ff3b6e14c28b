#include "job/job.h"

#include "job/setup.h"
#include "job/state.h"

int ba_job_check(const ba_job_request *q, ba_error *err)
{
	ba_session_spec spec = {0};
	/* target and verdicts are not known yet: the metrics must fit one of the targets */
	ba_error other;
	int rc = ba_job_choose_metrics(&spec, q, NULL, ba_job_target(q, NULL), err);
	if (rc && q->target < 0 && ba_job_choose_metrics(&spec, q, NULL, BA_ON_HOST, &other) == 0)
		rc = 0;
	unsigned part, parts;
	if (rc)
		return rc;
	BA_TRY(ba_job_check_part(&part, &parts, q, err));
	if (q->exchange && ba_fs_exists(q->exchange) && !ba_fs_is_dir(q->exchange))
		return ba_fail(err, BA_EINVAL,
			"--desk '%s' is a file: name a directory that all nodes see", q->exchange);
	return ba_job_check_launches(q, err);
}

ba_job *ba_job_new(const ba_job_request *q, const ba_job_services *services,
	ba_job_journal *journal, ba_result *r)
{
	ba_job *job = ba_xcalloc(1, sizeof(*job));
	*job = (ba_job){.request = q,
		.services = services,
		.journal = journal,
		.result = r,
		.variants = {.request = q, .services = services},
		.setup = {.request = q, .services = services}};
	return job;
}

BA_OWNS_HANDLE(ba_job, job, ba_job_setup_dispose(&job->setup), ba_variants_tidy(&job->variants),
	ba_suite_list_dispose(&job->suites), ba_variants_dispose(&job->variants))

/* Only verdicts need the expected benchmarks, and candidates' changes to the rules. */
static bool gives_verdicts(const ba_job *job)
{
	return job->request->purpose == BA_JOB_MEASURE || job->request->purpose == BA_JOB_CODE;
}

int ba_job_resolve(ba_job *job, const ba_strv *variants, ba_error *err)
{
	ba_result *r = job->result;
	ba_variants *t = &job->variants;
	BA_TRY(ba_variants_resolve(t, &r->run.variants, &r->run.variant_count, variants, err));
	BA_TRY(ba_variants_configure(t, err));
	if (gives_verdicts(job))
		BA_TRY(ba_variants_rules(t, &r->run.notes, err));
	BA_TRY(ba_variants_overlay(t, err));
	BA_TRY(ba_job_choose_suites(&job->suites, &t->config, job->request, err));
	if (!job->journal || !job->journal->resumed)
		return 0;
	BA_AUTO(ba_fingerprint) ba_fingerprint now = {0};
	ba_fingerprint_of_trees(&now, r);
	return ba_job_journal_check(job->journal, &now, false, err);
}

int ba_job_build(ba_job *job, ba_error *err)
{
	int64_t start = ba_now_ns();
	int rc = ba_variants_build(&job->variants, &job->suites, err);
	job->result->run.spent.build = ba_seconds_since(start);
	return rc;
}

const ba_config *ba_job_config(const ba_job *job)
{
	return &job->variants.config;
}

int ba_job_suites(const ba_suite_list **out, ba_job *job, ba_error *err)
{
	*out = &job->setup.configs;
	return ba_job_add_suites(&job->setup, &job->suites, job->result, &(ba_strv){0}, err);
}

typedef struct tree {
	const ba_job *job;
	size_t variant;
} tree;

static bool is_source(void *data, const char *path)
{
	const tree *t = data;
	char id[65];
	return t->job->variants.variants[t->variant].kind != BA_VARIANT_PATH &&
	       ba_variants_path_id(id, &t->job->variants, t->variant, path);
}

int ba_job_read_code(
	ba_code_side *side, const ba_job *job, size_t variant, const ba_strv *paths, ba_error *err)
{
	const ba_variant *v = &job->result->run.variants[variant];
	tree t = {job, variant};
	return ba_codediff_read(side, v->label, v->tree_dir, paths, is_source, &t, err);
}

/* What the variant's processes execute, for each suite; unknown if it was not built. */
static int add_executes(const ba_job *job, size_t variant, ba_error *err)
{
	const ba_config *config = ba_job_config(job);
	ba_measured *m = &job->result->run;
	BA_AUTO(ba_code_side) ba_code_side side = {0};
	if (!job->variants.failures[variant])
		BA_TRY(ba_job_read_code(&side, job, variant, &config->code.paths, err));
	const ba_suite_list *suites = &job->setup.configs;
	for (size_t i = 0; i < suites->count; i++)
		for (size_t k = 0; k < m->suite_count; k++)
			if (strcmp(m->suites[k].name, suites->items[i]->name) == 0)
				ba_code_suite_put(&m->suites[k], &side, suites->items[i], config);
	return 0;
}

/* --only-changed. If code cannot be read, every benchmark is measured. */
static void compare_code(const ba_job *job)
{
	ba_measured *m = &job->result->run;
	ba_error err;
	int rc = 0;
	ba_job_phase(job->services, "comparing machine code");
	for (size_t v = 0; rc == 0 && v < m->variant_count; v++)
		rc = add_executes(job, v, &err);
	if (!rc)
		return;
	ba_strv_printf(&m->notes, "--only-changed: %s, so every benchmark is measured", err.text);
	for (size_t k = 0; k < m->suite_count; k++)
		ba_strv_dispose(&m->suites[k].executes);
}

/* Records repository, configuration and overlay in the result. */
static void describe(const ba_job *job)
{
	const ba_variants *t = &job->variants;
	ba_result *r = job->result;
	if (!r->run.started)
		ba_job_describe(r, job->request->command_line);
	BA_FREE(r->run.repository, r->run.config_path);
	r->run.repository = ba_xstrdup(t->repo	       ? ba_repo_common_dir(t->repo)
				       : t->repository ? t->repository
						       : "");
	r->run.config_path = ba_xstrdup(t->config_path);
	ba_overlay_source_copy(&r->run.overlay, &t->overlay);
	ba_strv_copy(&r->run.notes, &t->notes);
}

int ba_job_survey(ba_job *job, ba_error *err)
{
	ba_variants *t = &job->variants;
	ba_job_setup *p = &job->setup;
	int64_t start = ba_now_ns();
	job->start_ns = start;
	if (job->journal) /* an earlier process of this run took time, too */
		job->start_ns -= ba_resumed_elapsed_ns(&job->journal->then.resumed);
	if (gives_verdicts(job)) {
		describe(job);
		p->expected = &t->expected;
		p->rules = t->rules ? (size_t)(t->rules - t->variants) : 0;
		p->manifests = t->manifests;
	}
	p->resumes = job->journal && job->journal->resumed;
	if (job->request->on && p->resumes)
		p->exchange = ba_job_exchange_dir(job);
	p->config = &t->config;
	p->missing = &t->missing;
	p->sandbox = ba_variants_sandbox_of(&t->sandbox);
	p->seals = (const ba_seal *const *)t->seals;
	int rc = ba_workspace_scratch(&p->scratch, t->workspace, err);
	bool ends = job->request->budget_ns && !p->member;
	double limit = BA_BUDGET_LIMIT_NS(job->request->budget_ns);
	if (ends)
		ba_proc_end_waits_at(start + (int64_t)limit);
	rc = rc ? rc : ba_job_examine(p, job->result, &job->suites, t->failures, err);
	ba_proc_end_waits_at(0);
	if (rc == 0 && gives_verdicts(job))
		ba_variants_compare_environments(&job->result->run.notes, t->variants, t->count);
	if (rc == BA_EINTERRUPTED && ends && !ba_job_is_stopped(job->services))
		rc = ba_fail(err, BA_ETIMEOUT,
			"--budget was over while the machine and the benchmarks were examined: raise it");
	job->result->run.spent.survey = ba_seconds_since(start);
	return rc;
}

/* A resumed run keeps the environment of its first part, but may have another processor. */
static void tell_processor(ba_result *r, const ba_cpu_lock *lock, size_t whole)
{
	int then = r->run.env.pinned_cpu;
	if (lock->shared)
		ba_strv_push(&r->run.env.warnings, lock->shared);
	if (whole && then >= 0 && lock->cpu != then)
		ba_strv_printf(&r->run.env.warnings,
			"the first %zu %s measured on processor %d, the others on processor %d",
			whole, ba_plural(whole, "invocation was", "invocations were"), then,
			lock->cpu);
}

static int begin_journal(ba_job *job, ba_error *err)
{
	ba_job_setup *p = &job->setup;
	ba_job_journal *j = job->journal;
	BA_AUTO(ba_fingerprint) ba_fingerprint now = {0};
	job->result->run.seed = p->spec.seed;
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
	ba_job_setup *p = &job->setup;
	BA_TRY(ba_job_choose_benchmarks(p, job->result, err));
	/* members measure what their orders name */
	if (p->spec.controls && !p->member)
		compare_code(job);
	if (job->request->purpose == BA_JOB_LIST)
		BA_TRY(ba_job_check_loaded(p, job->result, err));
	if (job->journal)
		BA_TRY(begin_journal(job, err));
	return 0;
}

int ba_job_measure(ba_job *job, ba_error *err)
{
	ba_job_setup *p = &job->setup;
	/* destroyed in reverse order: the coordinator ends before its members */
	BA_AUTO_PTR(ba_local_members) ba_local_members *local = NULL;
	BA_AUTO_PTR(ba_slurm_tasks) ba_slurm_tasks *tasks = NULL;
	BA_AUTO_PTR(ba_coordinator) ba_coordinator *coordinator = NULL;
	int rc = 0;
	if (job->request->on)
		rc = ba_job_start_tasks(&coordinator, &tasks, job, err);
	else if (p->device_count > 1)
		rc = ba_job_start_members(&coordinator, &local, job, err);
	if (rc && job->journal)
		ba_job_journal_discard(job->journal);
	if (rc == 0 && coordinator) {
		p->spec.members = ba_coordinator_calls(coordinator);
		rc = ba_coordinator_assemble(coordinator, err);
	}
	rc = rc ? rc : ba_job_run(p, job->result, err);
	p->spec.members = NULL;
	job->result->run.wall_seconds = (double)(ba_now_ns() - job->start_ns) / 1e9;
	return rc;
}

void ba_job_end_journal(ba_job *job)
{
	if (job->journal)
		ba_job_journal_end(job->journal, job->result);
}

int ba_job_device_count(const ba_job *job)
{
	const ba_session_spec *s = &job->setup.spec;
	return s->suite_count ? s->suites[0].survey.device_count : 0;
}
