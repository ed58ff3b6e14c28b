/* The member's side: takes the coordinator's trees, and measures what its orders name. */
#include <sys/prctl.h>

#include "proc/affinity.h"
#include "job/setup.h"
#include "job/state.h"
#include "job/job.h"

#define WAIT_NS (20 * BA_MS)
#define BEAT_EVERY_NS (2 * BA_SECOND)
#define DIFFERENCES_SHOWN 3u

typedef struct service {
	ba_job *job;
	const char *exchange;
	const ba_exchange_plan *plan;
	const ba_member_spec *spec;
	ba_member me;
	bool joined;
	int64_t beat_ns;
	uint64_t version;
	/* time of the last change of the orders that this process saw */
	int64_t heard_ns;
	ba_orders orders;
	size_t busy; /* number of cores in the orders that this process avoids */
	ba_fingerprint header;
	ba_journal *journal; /* journal of the current invocation */
	uint64_t number;
	uint64_t *done; /* in this epoch */
	size_t done_count, done_capacity;
	ba_error err; /* error while writing; code 0: none */
} service;

BA_OWNS_HERE(service, s, ba_member_dispose(&s->me), ba_orders_dispose(&s->orders),
	ba_fingerprint_dispose(&s->header), ba_journal_free(s->journal), free(s->done))

/* ---- who we are ---- */

static void describe_me(service *s)
{
	const ba_environment *env = &s->job->result->run.env;
	bool host = env->target && strcmp(env->target, "host") == 0;
	const char *here = env->host_name ? env->host_name : s->plan->host_name;
	const char *what = host ? "process" : "GPU";
	int number = s->spec->gpu > 0 ? s->spec->gpu : s->job->request->device;
	/* several tasks of a cluster may use the same place in sequence */
	BA_AUTO_FREE char *name =
		s->spec->job ? ba_xprintf("%s %s %d (%s)", s->spec->node ? s->spec->node : here,
				       what, number, s->me.id)
		: strcmp(here, s->plan->host_name) == 0
			? ba_xprintf("%s %d", what, number)
			: ba_xprintf("%s %s %d", here, what, number);
	char now[32];
	ba_time_format(now, time(NULL));
	ba_origin_dispose(&s->me.origin);
	ba_origin_init(&s->me.origin, name, env, s->plan->seed);
	s->me.origin.device = number;
	ba_text_replace(&s->me.origin.started, now);
	if (s->spec->job)
		ba_text_replace(&s->me.origin.job, s->spec->job);
	s->me.cpu = env->pinned_cpu;
}

static int beat(service *s, ba_error *err)
{
	int64_t now = ba_now_ns();
	if (now - s->beat_ns < BEAT_EVERY_NS)
		return 0;
	s->beat_ns = now;
	s->me.beat++;
	return ba_exchange_write_member(s->exchange, &s->me, err);
}

static void on_progress(void *data, double done, const char *text)
{
	service *s = data;
	if (s->joined && !s->err.code)
		beat(s, &s->err);
}

static void leave(service *s, bool misfit, const char *why)
{
	ba_error ignored;
	s->me.misfit = misfit;
	ba_text_replace(&s->me.origin.left, why);
	ba_exchange_write_member(s->exchange, &s->me, &ignored);
}

/* ---- do we fit? ---- */

static int check_model(const service *s, ba_error *err)
{
	const char *theirs = s->plan->device_name, *mine = s->me.origin.device_name;
	if (!*theirs || strcmp(theirs, mine) == 0)
		return 0;
	return ba_fail(err, BA_EINVAL,
		"it is a '%s', and the run measures on '%s'; GPUs of different models are not pooled",
		mine, theirs);
}

static int check_terms(const service *s, ba_error *err)
{
	BA_AUTO(ba_fingerprint) ba_fingerprint mine = {0};
	BA_AUTO(ba_strv) ba_strv differences = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_fingerprint_of_crew(&mine, &s->job->setup, s->job->result);
	ba_fingerprint_differences(&differences, &s->plan->terms, &mine, true);
	for (size_t i = 0; i < differences.count && i < DIFFERENCES_SHOWN; i++)
		ba_buf_printf(&text, "%s%s", i ? "; " : "", differences.items[i]);
	return differences.count
		       ? ba_fail(err, BA_EINVAL, "it does not measure the same: %s", text.data)
		       : 0;
}

/* ---- an invocation ---- */

static int begin_invocation(service *s, ba_error *err)
{
	BA_AUTO_FREE char *path = ba_exchange_work_path(s->exchange, s->me.id);
	ba_journal_free(BA_TAKE(s->journal));
	BA_TRY(ba_journal_create(&s->journal, NULL, path, err));
	return ba_journal_header(
		s->journal, s->job->result, &s->plan->argv, s->plan->directory, &s->header, err);
}

static void on_samples(
	void *data, const ba_result *r, const ba_series *series, const ba_samples *samples)
{
	service *s = data;
	if (!s->err.code)
		ba_journal_samples(s->journal, r->run.benchmarks[series->benchmark].id,
			series->metric, samples, &s->err);
}

static void on_invocation(void *data, unsigned invocation, const ba_checkpoint *c)
{
	service *s = data;
	bool taken;
	int rc = s->err.code;
	rc = rc ? rc : ba_journal_invocation(s->journal, invocation, c, &s->err);
	ba_journal_free(BA_TAKE(s->journal));
	rc = rc ? rc
		: ba_exchange_publish(
			  s->exchange, s->me.id, s->orders.epoch, invocation, &taken, &s->err);
	if (rc == 0)
		*BA_PUSH(s->done, s->done_count, s->done_capacity) = invocation;
}

static void on_restart(void *data)
{
	service *s = data;
	if (!s->err.code)
		begin_invocation(s, &s->err);
}

/* ---- orders ---- */

/* Leaves the processors of other members; this member's workers are pinned. */
static void keep_off(service *s)
{
	const char *host = s->me.origin.host_name;
	size_t n = strlen(host);
	for (; s->busy < s->orders.busy.count; s->busy++) {
		const char *text = s->orders.busy.items[s->busy];
		if (strncmp(text, host, n) != 0 || text[n] != ' ')
			continue;
		int cpu = atoi(text + n + 1);
		if (cpu != s->me.cpu)
			ba_affinity_avoid(cpu, "/sys");
	}
}

static int read_orders(service *s, ba_error *err)
{
	uint64_t version = ba_exchange_orders_version(s->exchange);
	BA_AUTO(ba_orders) ba_orders now = {0};
	if (version == 0 || version == s->version)
		return 0;
	s->heard_ns = ba_now_ns();
	int rc = ba_exchange_read_orders(&now, s->exchange, err);
	if (rc == BA_ENOTFOUND)
		return 0;
	if (rc)
		return rc;
	if (now.epoch != s->orders.epoch)
		s->done_count = 0;
	ba_orders_dispose(&s->orders);
	s->orders = BA_MOVE(now);
	s->version = version;
	keep_off(s);
	return 0;
}

/* Is the coordinator gone, so that nothing would take this member's results? */
static bool is_abandoned(const service *s)
{
	ba_error ignored;
	int64_t patience = s->spec->patience_ns;
	return (s->spec->parent && getppid() != s->spec->parent) ||
	       (patience && ba_now_ns() - s->heard_ns > patience) ||
	       ba_exchange_check(s->exchange, &ignored);
}

static void hand_over(ba_member_order *out, const service *s, uint64_t number)
{
	*out = (ba_member_order){.invocation = (unsigned)number,
		.epoch = s->orders.epoch,
		.looks = s->orders.looks,
		.open = ba_xstrdup(s->orders.open)};
	ba_strv_copy(&out->split, &s->orders.split);
}

static int next_order(void *data, ba_member_order *out, ba_error *err)
{
	service *s = data;
	const struct timespec pause = {.tv_nsec = WAIT_NS};
	if (s->err.code)
		return ba_fail(err, s->err.code, "%s", s->err.text);
	if (!s->joined) {
		s->joined = true;
		s->beat_ns = ba_now_ns();
		BA_TRY(ba_exchange_write_member(s->exchange, &s->me, err));
	}
	for (;;) {
		if (ba_job_is_stopped(s->job->services))
			return ba_fail(err, BA_EINTERRUPTED, "interrupted");
		BA_TRY(read_orders(s, err));
		const ba_order *mine = ba_orders_of(&s->orders, s->me.id);
		if (s->orders.end || (mine && mine->end) || is_abandoned(s)) {
			out->end = true;
			return 0;
		}
		for (size_t i = 0; mine && i < mine->count; i++)
			if (!BA_ANY(s->done, s->done_count, one, *one == mine->numbers[i])) {
				hand_over(out, s, mine->numbers[i]);
				return begin_invocation(s, err);
			}
		BA_TRY(beat(s, err));
		nanosleep(&pause, NULL);
	}
}

/* ---- all of it ---- */

static int prepare(service *s, ba_error *err)
{
	ba_job *job = s->job;
	int rc = ba_job_survey(job, err);
	describe_me(s);
	rc = rc ? rc : check_model(s, err);
	rc = rc ? rc : ba_job_plan(job, err);
	rc = rc ? rc : check_terms(s, err);
	if (rc == BA_EINVAL)
		leave(s, true, err->text);
	return rc;
}

static int measure(service *s, ba_error *err)
{
	ba_job *job = s->job;
	ba_session_spec *spec = &job->setup.spec;
	const ba_members crew = {.data = s, .next = next_order};
	spec->members = &crew;
	spec->stored = on_samples;
	spec->invoked = on_invocation;
	spec->restarted = on_restart;
	spec->stored_data = s;
	spec->progress = on_progress;
	spec->progress_data = s;
	spec->seed = job->result->run.seed = s->plan->seed;
	int rc = ba_experiment_follow(job->result, spec, job->setup.has, err);
	spec->members = NULL;
	return rc;
}

int ba_job_serve(ba_job *job, const char *exchange, ba_exchange_plan *plan,
	const ba_member_spec *spec, ba_error *err)
{
	service s = {.job = job, .exchange = exchange, .plan = plan, .spec = spec};
	s.me.id = ba_xstrdup(spec->id);
	s.me.pid = getpid();
	s.heard_ns = ba_now_ns();
	ba_fingerprint_add(&s.header, "the member", ba_xstrdup(spec->id));
	if (spec->parent)
		prctl(PR_SET_PDEATHSIG, SIGTERM);
	int rc = ba_job_adopt(job, plan, err);
	rc = rc ? rc : prepare(&s, err);
	rc = rc ? rc : measure(&s, err);
	if (rc && rc != BA_EINTERRUPTED && !s.me.origin.left) {
		if (!s.me.origin.name)
			describe_me(&s);
		leave(&s, false, err->text);
	}
	service_dispose(&s);
	return rc;
}
