/* Connects a job with its members: what they must know, how they start, what one takes. */

#include "job/fingerprint.h"
#include "job/state.h"

/* ---- the coordinator ---- */

static void copy_variants(ba_exchange_plan *out, const ba_job *job)
{
	const ba_result *r = job->result;
	out->variants = ba_xcalloc(r->run.variant_count, sizeof(*out->variants));
	for (; out->variant_count < r->run.variant_count; out->variant_count++) {
		ba_planned_variant *p = &out->variants[out->variant_count];
		ba_variant_copy(&p->variant, &r->run.variants[out->variant_count]);
		p->failure = ba_xstrdup(job->variants.failures[out->variant_count]);
	}
}

int ba_job_describe_for_members(ba_exchange_plan *out, const ba_job *job, ba_error *err)
{
	const ba_result *r = job->result;
	const ba_variants *t = &job->variants;
	if (!job->journal)
		return ba_fail(err, BA_EUNSUPPORTED, "only a run with a journal can have members");
	*out = (ba_exchange_plan){.directory = ba_xstrdup(job->journal->directory),
		.repository = ba_xstrdup(r->run.repository),
		.started = ba_xstrdup(r->run.started),
		.seed = job->setup.spec.seed,
		.host_name = ba_xstrdup(r->run.env.host_name),
		.device_name = ba_xstrdup(r->run.env.device_name),
		.config_name = ba_xstrdup(t->config_path),
		.config_text = ba_xstrdup(t->config.text)};
	ba_strv_copy(&out->argv, &job->journal->argv);
	ba_fingerprint_of_crew(&out->terms, &job->setup, r);
	copy_variants(out, job);
	return 0;
}

/* This program, even if its file was replaced. */
#define OWN_PROGRAM "/proc/self/exe"

static int start(ba_local_members *local, const char *exchange, int device, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv argv = {0};
	BA_AUTO_FREE char *id = ba_xprintf("gpu%d", device);
	BA_AUTO_FREE char *number = ba_xprintf("%d", device);
	BA_AUTO_FREE char *parent = ba_xprintf("%ld", (long)getpid());
	BA_STRV_PUSH(&argv, OWN_PROGRAM, "--member", exchange, "--device", number, "--id", id,
		"--parent", parent);
	return ba_local_members_start(local, id, &argv, err);
}

int ba_job_coordinate(ba_coordinator **out, const ba_job *job, const char *exchange,
	const ba_exchange_plan *plan, ba_error *err)
{
	const ba_coordinator_spec spec = {
		job->services, job->request->devices, job->result, job->journal};
	return ba_coordinator_new(out, exchange, plan, &spec, err);
}

int ba_job_start_members(
	ba_coordinator **coordinator, ba_local_members **local, ba_job *job, ba_error *err)
{
	ba_job_setup *p = &job->setup;
	BA_AUTO(ba_exchange_plan) ba_exchange_plan plan = {0};
	BA_AUTO_FREE char *dir = ba_path_join(p->scratch, "desk");
	BA_TRY(ba_job_describe_for_members(&plan, job, err));
	BA_TRY(ba_job_coordinate(coordinator, job, dir, &plan, err));
	*local = ba_local_members_new(job->services->stop);
	for (size_t i = 0; i < p->device_count; i++)
		BA_TRY(start(*local, dir, p->devices[i], err));
	const ba_member_source source = ba_local_members_source(*local);
	ba_coordinator_set_source(*coordinator, &source);
	return 0;
}

/* ---- a member ---- */

int ba_job_adopt(ba_job *job, ba_exchange_plan *plan, ba_error *err)
{
	ba_result *r = job->result;
	ba_variants *t = &job->variants;
	r->run.variants = ba_xcalloc(plan->variant_count, sizeof(*r->run.variants));
	for (; r->run.variant_count < plan->variant_count; r->run.variant_count++)
		r->run.variants[r->run.variant_count] =
			BA_MOVE(plan->variants[r->run.variant_count].variant);
	job->setup.member = true;
	t->repository = ba_xstrdup(plan->repository);
	BA_TRY(ba_variants_adopt(t, r->run.variants, r->run.variant_count, err));
	for (size_t v = 0; v < t->count; v++)
		t->failures[v] = BA_TAKE(plan->variants[v].failure);
	BA_TRY(ba_variants_configure_as(t, plan->config_name, plan->config_text, err));
	BA_TRY(ba_job_choose_suites(&job->suites, &t->config, job->request, err));
	return ba_variants_adopt_built(t, err);
}
