/* Measures the invocations, then applies the gate. */

#include "gate/status.h"
#include "job/job.h"
#include "job/state.h"

/* The expected benchmarks that this run can measure; with --suite, those of that suite. */
static void applicable(ba_strv *out, const ba_job_setup *p, const ba_job_request *q)
{
	for (size_t i = 0; p->expected && i < p->expected->count; i++) {
		const char *pattern = p->expected->items[i];
		bool other = false;
		for (size_t k = 0; q->suite && k < p->config->suite_count; k++) {
			const char *name = p->config->suites[k].name;
			size_t length = strlen(name);
			other = other || (strcmp(name, q->suite) != 0 &&
						 strncmp(pattern, name, length) == 0 &&
						 pattern[length] == '/');
		}
		if (!other)
			ba_strv_push(out, pattern);
	}
}

#define USUAL_NS 60e9
#define USUAL_COMPARISONS 25.0

/* Aims at a minute for 25 comparisons, at six for a thousand: no hard limit, and none in a gate
 * or if the user chose the effort or the devices. */
static void aim(ba_job_setup *p, const ba_result *r)
{
	const ba_job_request *q = p->request;
	double comparisons = (double)r->run.benchmark_count * (double)(r->run.variant_count - 1);
	if (!q->somebody_waits || q->budget_ns || q->fixed || q->min_invocations ||
		q->max_invocations || q->gate || ba_job_is_strict(p) || q->on || q->devices)
		return;
	p->spec.aims = true;
	p->spec.budget_ns = (int64_t)(USUAL_NS * sqrt(fmax(comparisons / USUAL_COMPARISONS, 1)));
}

int ba_job_run(ba_job_setup *p, ba_result *r, ba_error *err)
{
	BA_AUTO(ba_job_noise) ba_job_noise noise = {0};
	bool calibrating = p->request->purpose == BA_JOB_CALIBRATE;
	if (!calibrating)
		BA_TRY(ba_job_noise_foresee(&noise, p, r, err));
	aim(p, r);
	ba_job_phase(p->services, "measuring");
	int rc = ba_experiment_run(r, &p->spec, p->has, err);
	ba_job_quiet(p->services);
	if (rc == 0)
		ba_job_noise_compare(&noise, &p->request->suggest, r);
	return rc;
}

/* Does the program that printed these times print a processor time that could decide? */
static bool has_processor_time(const ba_job_setup *p, const ba_benchmark *b)
{
	for (size_t i = 0; b->kind == BA_SUITE_COMMAND && i < p->spec.suite_count; i++) {
		const ba_suite_spec *suite = &p->spec.suites[i];
		ba_outcome *o = suite->found && strcmp(suite->name, b->suite) == 0
					? ba_outcomes_find(&suite->found[0], b->name)
					: NULL;
		if (o)
			return ba_outcome_is_on_processor(o);
	}
	return false;
}

static void advise_clock(const ba_job_setup *p, ba_result *r)
{
	size_t count = 0, first = 0;
	BA_EACH (const ba_series, s, r->series, r->series_count) {
		bool open = BA_ANY(s->comparisons, r->run.variant_count - 1, one,
			one->verdict == BA_VERDICT_INCONCLUSIVE);
		if (open && s->metric == BA_METRIC_TIME && s->role == BA_ROLE_VERDICT &&
			has_processor_time(p, &r->run.benchmarks[s->benchmark]))
			first = count++ ? first : s->benchmark;
	}
	if (count)
		ba_strv_printf(&r->run.notes,
			"%s%s inconclusive by the elapsed time, which other programs move; the program prints the processor time, too: \"metric\": \"cpu_time\" in the suite, or --metrics cpu_time, lets that decide",
			r->run.benchmarks[first].id, count > 1 ? " and others are" : " is");
}

void ba_job_answer(ba_job *job)
{
	const ba_job_setup *p = &job->setup;
	ba_result *r = job->result;
	const volatile sig_atomic_t *stop = p->services->stop;
	BA_AUTO(ba_strv) ba_strv expected = {0};
	applicable(&expected, p, p->request);
	const ba_gate_policy policy = {.expected = &expected,
		.list_command = p->request->suggest.expected,
		.strict = ba_job_is_strict(p),
		.undecided_fails = p->request->on_inconclusive == 1,
		.likely_fails = p->request->fail_on == 1};
	ba_gate_set_status(r, &policy);
	ba_gate_account(&r->run.notes, r, &policy);
	advise_clock(p, r);
	if (r->run.interrupted && stop && *stop) {
		r->run.signal = *stop;
		r->decided.exit_status = 128 + r->run.signal;
	}
}
