/* Measures the invocations, then applies the gate. */

#include "gate/status.h"
#include "job/job.h"
#include "job/state.h"
#include "verdict/calibrate.h"
#include "stats/planning.h"
#include "store/calibration.h"

/* ---- the calibration of this system, and a run ---- */

typedef struct known_noise {
	ba_calibration calibration;
	bool known;		 /* a readable calibration exists */
	ba_plan_digest *digests; /* [benchmark_count] */
} known_noise;

BA_OWNS_HERE(known_noise, b, ba_calibration_dispose(&b->calibration), free(b->digests))

static double threshold_of(const ba_job_setup *p, const ba_noise *n)
{
	ba_session_threshold t = p->spec.threshold(p->spec.threshold_data, n->benchmark, n->metric);
	return ba_threshold_of(fmin(t.slower, t.faster), t.absolute_ns, n->ns);
}

double ba_job_threshold(const ba_job *job, const ba_noise *n)
{
	return threshold_of(&job->setup, n);
}

/* A calibration that cannot be used is a warning; the run continues without it. */
static void open_calibration(
	known_noise *b, const ba_result *r, const ba_job_services *services, const char *command)
{
	ba_error err = {0};
	BA_AUTO_FREE char *path = ba_calibration_path(services->cache_root, &r->run.env);
	int rc = ba_calibration_read(&b->calibration, path, &r->run.env, &err);
	b->known = rc == 0;
	b->digests = ba_job_digests(r);
	if (rc && rc != BA_ENOTFOUND)
		ba_log_printf(services->log, BA_LOG_WARNING,
			"the calibration is not used: %s; to make a new one: %s", err.text,
			command);
}

/* ---- before ---- */

typedef struct outlook {
	size_t asked, below, slow;
	const ba_noise *worst_below, *worst_slow;
	double worst_floor, worst_theta;
	size_t worst_need;
} outlook;

static void look_ahead(outlook *o, const ba_job_setup *p, const ba_noise *n)
{
	double theta = threshold_of(p, n);
	double s = ba_noise_s_upper(n, p->spec.blocks);
	double floor = ba_theta_floor(s);
	o->asked++;
	if (theta < floor) {
		o->below++;
		if (!o->worst_below || floor / theta > o->worst_floor / o->worst_theta) {
			o->worst_below = n;
			o->worst_floor = floor;
			o->worst_theta = theta;
		}
		return;
	}
	size_t need = ba_invocations_for_unchanged(theta, s);
	if (need <= p->spec.design.at[0])
		return;
	o->slow++;
	if (need > o->worst_need) {
		o->worst_need = need;
		o->worst_slow = n;
	}
}

static char *below_text(const outlook *o)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	const ba_noise *n = o->worst_below;
	ba_buf_puts(&text, "the threshold of ");
	ba_percent_plain(&text, o->worst_theta);
	ba_buf_printf(&text, " for %s, %s is below ", n->benchmark, ba_metric_get(n->metric)->name);
	ba_percent_plain(&text, ceil(o->worst_floor * 1e4) / 1e4);
	ba_buf_printf(&text,
		", the smallest threshold that gives verdicts with the noise of this machine (calibrated %s)",
		n->date);
	if (o->below > 1)
		ba_buf_printf(&text, ", and %zu more are", o->below - 1);
	return ba_buf_detach(&text);
}

static int warn_ahead(const outlook *o, ba_result *r, const ba_job_request *q, ba_error *err)
{
	BA_AUTO_FREE char *below = o->below ? below_text(o) : NULL;
	if (below && !q->allow_below_floor)
		return ba_fail(err, BA_EINVAL,
			"%s; raise --threshold, or measure all the same with --allow-below-floor",
			below);
	if (below)
		ba_strv_printf(&r->run.notes, "%s; expect 'inconclusive'", below);
	if (o->slow)
		ba_strv_printf(&r->run.notes,
			"according to the calibration of %s, %zu of %zu benchmarks need more invocations than the first look has: %s about %zu",
			o->worst_slow->date, o->slow, o->asked, o->worst_slow->benchmark,
			o->worst_need);
	return 0;
}

/* Before the run: can the thresholds be decided at all? Opens the calibration of r's system,
 * if there is one. Thresholds below its floor are BA_EINVAL, or a note with
 * --allow-below-floor. A note also names thresholds that take long. */
static int foresee(known_noise *b, const ba_job_setup *p, ba_result *r, ba_error *err)
{
	outlook o = {0};
	open_calibration(b, r, p->services, p->request->suggest.calibrate);
	if (!b->known || r->run.variant_count < 2)
		return 0;
	for (size_t i = 0; i < r->run.benchmark_count; i++)
		for (int m = 0; m < BA_METRIC_COUNT; m++) {
			const ba_noise *n = ba_calibration_find(&b->calibration, b->digests[i],
				(ba_metric)m, ba_measured_engine(&r->run, i));
			if (n && p->spec.measure[m] && p->spec.verdict[m])
				look_ahead(&o, p, n);
		}
	return warn_ahead(&o, r, p->request, err);
}

/* ---- after ---- */

static double blocks_of(const ba_series *s)
{
	double sum = 0;
	for (size_t k = 0; k < s->sample_count; k++)
		sum += s->samples[k].blocks;
	return s->sample_count ? sum / (double)s->sample_count : 0;
}

static size_t count_questions(const known_noise *b, const ba_result *r)
{
	size_t count = 0;
	BA_EACH (const ba_series, s, r->series, r->series_count)
		if (s->role == BA_ROLE_VERDICT &&
			ba_calibration_find(&b->calibration, b->digests[s->benchmark], s->metric,
				ba_measured_engine(&r->run, s->benchmark)))
			count += r->run.variant_count - 1;
	return count;
}

static void note_noise(const ba_noise *n, const ba_comparison *k, double limit, size_t others,
	const ba_job_commands *suggest, ba_result *r)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_buf_printf(&text,
		"this machine is noisier than when it was calibrated (%s): %s varies by %.2g %% between invocations, at most %.2g %% was expected",
		n->date, n->benchmark, 100 * k->s, 100 * limit);
	if (others)
		ba_buf_printf(&text, ", and %zu more do", others);
	ba_buf_printf(&text, "; look for the cause: %s; measure the noise again: %s",
		suggest->doctor, suggest->calibrate);
	ba_strv_push(&r->run.notes, text.data);
}

/* After it: has the system changed? Adds notes about what differs from the calibration. */
static void compare_noise(const known_noise *b, const ba_job_commands *suggest, ba_result *r)
{
	const ba_noise *worst = NULL;
	const ba_comparison *worst_k = NULL;
	double worst_times = 0, worst_limit = 0;
	size_t exceeded = 0, questions = b->known ? count_questions(b, r) : 0;
	for (size_t i = 0; questions && i < r->series_count; i++) {
		const ba_series *s = &r->series[i];
		const ba_noise *n = ba_calibration_find(&b->calibration, b->digests[s->benchmark],
			s->metric, ba_measured_engine(&r->run, s->benchmark));
		for (size_t c = 0; n && s->role == BA_ROLE_VERDICT && c + 1 < r->run.variant_count;
			c++) {
			const ba_comparison *k = &s->comparisons[c];
			double limit = ba_noise_s_upper(n, blocks_of(s));
			if (!ba_noise_is_exceeded(n, k->s, k->invocations, blocks_of(s), questions))
				continue;
			exceeded++;
			if (k->s / limit > worst_times) {
				worst_times = k->s / limit;
				worst_limit = limit;
				worst_k = k;
				worst = n;
			}
		}
	}
	if (worst)
		note_noise(worst, worst_k, worst_limit, exceeded - 1, suggest, r);
}

/* ---- learnt ---- */

/* Keeps the calibration of other benchmarks; replaces a file that cannot be read. */
static void open_to_learn(
	ba_calibration *all, const char *path, const ba_result *r, const ba_job_services *services)
{
	ba_error err = {0};
	int rc = ba_calibration_read(all, path, &r->run.env, &err);
	if (rc == 0)
		return;
	if (rc != BA_ENOTFOUND)
		ba_log_printf(services->log, BA_LOG_WARNING,
			"the previous calibration is replaced: %s", err.text);
	ba_calibration_dispose(all);
	ba_calibration_init(all, &r->run.env);
}

int ba_job_learn(ba_calibration *all, const ba_job *job, ba_error *err)
{
	const ba_result *r = job->result;
	BA_AUTO_FREE ba_plan_digest *digests = ba_job_digests(r);
	BA_AUTO_FREE char *path = ba_calibration_path(job->services->cache_root, &r->run.env);
	if (r->run.interrupted)
		return ba_fail(err, BA_EINTERRUPTED,
			"the calibration was interrupted; the previous one is kept");
	open_to_learn(all, path, r, job->services);
	if (ba_calibration_learn(all, r, (const char(*)[65])digests) == 0)
		return ba_fail(err, BA_EVARIANT,
			"nothing could be measured, so there is no new calibration: %s",
			r->decided.answer);
	return ba_calibration_write(path, all, err);
}

/* ---- the run ---- */

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
	BA_AUTO(known_noise) known_noise noise = {0};
	bool calibrating = p->request->purpose == BA_JOB_CALIBRATE;
	if (!calibrating)
		BA_TRY(foresee(&noise, p, r, err));
	aim(p, r);
	ba_job_phase(p->services, "measuring");
	int rc = ba_experiment_run(r, &p->spec, p->has, err);
	ba_job_quiet(p->services);
	if (rc == 0)
		compare_noise(&noise, &p->request->suggest, r);
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
