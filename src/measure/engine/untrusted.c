/*
 * Each variant in a sandbox of its own, timed by the host.
 *
 * A visit's time is that from the request to the answer by the host's clock, less what a
 * visit takes besides its runs: the median over the baseline's visits of the host's time
 * less its worker's own. The baseline is trusted, and the candidates have the same worker.
 * On a GPU a candidate's own median counts as far as it is near the baseline's.
 * What a candidate's worker says of its time decides nothing. It must agree all the same:
 * one that reports more than a visit took, or much less, has failed.
 *
 * Processor time that a worker uses between its answer and its next request is added to
 * its visit: work that is put off counts, too, and so does what it takes from the others,
 * with which it shares a processor. More than a tenth, three times in a row, or a process
 * that it starts, is a failure. Once may be a stall: a virtual machine's pauses count as
 * processor time of the process that they interrupt.
 *
 * Time in which the worker waited for a processor is subtracted as far as others caused it.
 * A launcher has no children. A program may have some whose time nobody can count: of it,
 * no more waiting is subtracted than the variant that waited least had, within a limit.
 *
 * The host looks at the witness of launches (wire/witness.h) itself.
 *
 * A visit has one reading, and runs that are not to be timed are a request of their own.
 * Launches always have some: the first ones after another process had the processor and
 * the GPU are slower, and the baseline's worker, which also makes the bare driver calls,
 * often follows itself. Processor time of untimed runs beyond their share is added to the
 * visit.
 */

#include "engine/engine.h"
#include "engine/row.h"
#include "proc/usage.h"
#include "stats/quantile.h"

/* allowed difference of the two clocks: reading them, and half of a rounded nanosecond */
#define CLOCKS_NS 1000.0
/* The share of its visits that a worker need not account for; its other requested work
 * is the same for the baseline. */
#define SHORT_MOST 0.2
#define SHORT_LEAST_NS 5e5 /* less missing time than this is never held against it */

/* The overhead of a variant's own process counts up to this share of a visit more or less
 * than the baseline's. A candidate can forge its own, and gains no more than this. */
#define OVERHEAD_DIFFERS 0.005

/* launches before a visit that are not timed: one of this many, at most one burst */
#define WARM_PART 32
/* The time that untimed runs may take: this many times their share, and a constant. */
#define WARM_SHARE 2.0
#define WARM_NS 5e5

#define WAITED_LITTLE 0.01 /* of a visit */
/* How much more a program may wait than another variant's: this factor, and this share
 * of its visits. Other processes disturb both alike. */
#define WAITED_TIMES 2.0
#define WAITED_MORE 0.02
/* processor time that a worker may use between its visits, beyond the baseline's: a
 * share of the visits' time */
#define ASIDE_MOST 0.1
/* so many times in a row it must use more before it fails */
#define ASIDE_TIMES 3

/* The visits of one variant, in ns. */
typedef struct visit_times {
	double *host, *own, *waited; /* [n] */
	size_t n;
	/* sums of the host's times, of the processor time between visits, and of waiting */
	double all, aside, waits;
} visit_times;

/* ---- visits ---- */

/* Adds processor time since it answered, of all processes that it started, to that visit. */
static void charge(ba_worker_slot *s, ba_samples *out)
{
	if (s->last_visit == SIZE_MAX)
		return;
	int64_t now = ba_usage_box_cpu_ns((pid_t)ba_link_pid(s->link));
	uint64_t aside = now > s->cpu_ns && s->cpu_ns >= 0 ? (uint64_t)(now - s->cpu_ns) : 0;
	out->ns[s->last_visit] += aside;
	s->engine->seen[s->last_visit].aside += aside;
	s->last_visit = SIZE_MAX;
}

/* The answer may arrive before this process gets the processor. */
static int64_t waited_by_both(pid_t worker)
{
	return ba_usage_waited_ns(worker) + ba_usage_waited_ns(getpid());
}

/* A library makes its launches in bursts; the sum of their times is the reading. */
static ba_samples bursts_of(const ba_engine *e, const ba_visits *q, size_t visit)
{
	unsigned bursts = ba_engine_bursts(e, q->mode, q->s->batch);
	ba_samples out = {.participants = q->s->participants,
		.positions = 1,
		.blocks = bursts,
		.readings = 1,
		.batch = q->s->batch / bursts,
		.seed = ba_witness_seed(q->s->seed, q->mode, visit)};
	return out;
}

int ba_untrusted_time_bursts(ba_worker_slot *s, const ba_visits *q, size_t visit, ba_failure *f)
{
	BA_AUTO(ba_samples) ba_samples bursts = bursts_of(s->engine, q, visit);
	const ba_visits all = {.s = &bursts, .mode = q->mode};
	ba_samples_alloc(&bursts);
	memset(bursts.order, q->s->order[visit], bursts.blocks);
	int rc = ba_library_measure_in(s, &all, f);
	q->s->ns[visit] = 0;
	for (unsigned b = 0; rc == 0 && b < bursts.blocks; b++)
		q->s->ns[visit] += bursts.ns[b];
	return rc;
}

/* Replaces readings by the host's time; e->seen keeps the worker's. Time that other
 * processes used during the visit is excluded, unless the worker started them. */
static int time_visit(ba_worker_slot *s, const ba_visits *q, size_t visit, ba_failure *f)
{
	const ba_engine *e = s->engine;
	if (!e->seen)
		return e->row->run(s, q, visit, f);
	ba_visit_seen *seen = &e->seen[visit];
	pid_t pid = (pid_t)ba_link_pid(s->link);
	int64_t waited = waited_by_both(pid), ran = ba_usage_box_cpu_ns(pid);
	BA_TRY(e->row->time(s, q, visit, f));
	ran = ba_usage_box_cpu_ns(pid) - ran;
	waited = waited_by_both(pid) - waited;
	ba_link_times t = ba_link_times_of(s->link);
	int64_t host = t.heard_ns - t.asked_ns, least = ran < host ? ran : host;
	seen->own = q->s->ns[visit];
	waited = waited > 0 ? waited : 0;
	seen->waited = (uint64_t)waited;
	/* the GPU continues while a process waits for a processor */
	if (e->row->on_gpu)
		least = host;
	q->s->ns[visit] = (uint64_t)(host - waited > least ? host - waited : least);
	if (s->spec->programs)
		seen->waited = (uint64_t)host - q->s->ns[visit];
	return 0;
}

/* Makes runs without timing; *ran: their processor time. */
static int discard(ba_worker_slot *s, const ba_visits *q, size_t visit, int64_t *ran, ba_failure *f)
{
	pid_t pid = (pid_t)ba_link_pid(s->link);
	int64_t before = ba_usage_box_cpu_ns(pid);
	BA_AUTO(ba_samples)
	ba_samples one = {.participants = q->s->participants,
		.positions = 1,
		.blocks = 1,
		.readings = 1,
		.batch = q->discard};
	const ba_visits untimed = {.s = &one, .mode = q->mode};
	ba_samples_alloc(&one);
	one.order[0] = q->s->order[visit];
	int rc = s->engine->row->warm(s, &untimed, 0, f);
	*ran = ba_usage_box_cpu_ns(pid) - before;
	return rc;
}

static unsigned warm_launches(const ba_engine *e, const ba_visits *q)
{
	if (e->row->on_gpu) /* the GPU's clock may drop while inputs are made */
		return q->s->batch;
	unsigned burst = q->s->batch / ba_engine_bursts(e, q->mode, q->s->batch);
	unsigned part = q->s->batch / WARM_PART;
	part = part < burst ? part : burst;
	return part ? part : 1;
}

/* Adds the processor time of untimed runs beyond their share. */
static void charge_early(const ba_engine *e, const ba_visits *q, size_t visit, int64_t ran)
{
	double each = (double)q->s->ns[visit] / q->s->batch;
	double early = (double)ran - WARM_SHARE * q->discard * each - WARM_NS;
	if (early <= 0)
		return;
	q->s->ns[visit] += (uint64_t)early;
	e->seen[visit].aside += (uint64_t)early;
}

/* Did the launches of a visit arrive, and with the arguments that they were given? The
 * driver of the host target, or the GPU, counts them in memory that the host reads as soon
 * as the worker has answered. */
static int check_witness(const ba_worker_slot *s, const ba_visits *q, size_t visit,
	const ba_witness *before, ba_failure *f)
{
	ba_engine *e = s->engine;
	const ba_samples all = bursts_of(e, q, visit);
	ba_witness want = *before, seen = ba_link_witness(s->link);
	for (unsigned b = 0; b < all.blocks; b++) {
		uint64_t request = ba_witness_seed(all.seed, q->mode, 0);
		uint64_t seed = ba_witness_visit(request, b);
		const ba_witness_burst burst = {.seed = seed,
			.ring = (unsigned)e->ring,
			.params = e->params,
			.bytes = e->param_bytes,
			.launches = all.batch,
			.moment = ba_witness_moment(seed, all.batch)};
		ba_witness_add(&want, &burst);
	}
	ba_error why;
	unsigned who = q->s->order[visit];
	/* the bare driver call is made in the baseline's worker */
	if (ba_witness_check(before, &want, &seen, &why))
		return ba_failure_accuse(
			f, who < s->spec->variant_count ? who : 0, ba_xstrdup(why.text));
	e->evidence->launches += q->s->batch;
	return 0;
}

static bool is_witnessed(const ba_engine *e)
{
	return !e->spec->programs && !e->row->on_gpu && e->ring &&
	       e->ring <= BA_WITNESS_RING_MOST && strcmp(e->spec->target, "fake") != 0;
}

int ba_untrusted_visit(ba_worker_slot *s, const ba_visits *q, size_t visit, ba_failure *f)
{
	ba_engine *e = s->engine;
	ba_visits timed = *q, warm = *q;
	int64_t ran = 0;
	timed.discard = 0;
	if (e->seen)
		charge(s, q->s);
	if (e->seen && (!s->spec->programs || s->spec->tasks) && !warm.discard)
		warm.discard = warm_launches(e, q);
	int rc = warm.discard ? discard(s, &warm, visit, &ran, f) : 0;
	ba_witness before = ba_link_witness(s->link);
	rc = rc ? rc : time_visit(s, &timed, visit, f);
	if (rc == 0 && e->seen && is_witnessed(e))
		rc = check_witness(s, q, visit, &before, f);
	s->cpu_ns = ba_usage_box_cpu_ns((pid_t)ba_link_pid(s->link));
	/* With inputs from the host, no other variant's worker exists from which time
	 * could be taken, and postponed work comes too late: see fresh.c. */
	s->last_visit = rc == 0 && e->seen && !e->row->on_gpu ? visit : SIZE_MAX;
	if (s->last_visit == visit && warm.discard)
		charge_early(e, &warm, visit, ran);
	return rc;
}

/* ---- what they add up to ---- */

static size_t visits_of(
	visit_times *out, const ba_engine *e, const ba_samples *s, unsigned participant)
{
	size_t visits = (size_t)s->blocks * s->positions;
	out->n = 0;
	out->all = out->aside = out->waits = 0;
	for (size_t i = 0; i < visits; i++) {
		if (s->order[i] != participant)
			continue;
		out->all += (double)s->ns[i];
		out->aside += (double)e->seen[i].aside;
		out->waits += (double)e->seen[i].waited;
		out->host[out->n] = (double)s->ns[i];
		out->waited[out->n] = (double)e->seen[i].waited;
		out->own[out->n++] = (double)e->seen[i].own;
	}
	return out->n;
}

/* A quantile p of the time that the host saw beyond the worker's own. The worker's clock may
 * include waiting: if half of the visits hardly wait, the others do not count. excused:
 * the share of waiting that does not count against it. */
static double unaccounted(const visit_times *t, double excused, double p)
{
	BA_AUTO_FREE double *rest = ba_xcalloc(t->n, sizeof(*rest));
	size_t n = 0;
	for (size_t i = 0; i < t->n; i++)
		if (t->waited[i] < WAITED_LITTLE * t->host[i])
			rest[n++] = t->host[i] - t->own[i];
	if (n < (t->n + 1) / 2)
		for (size_t i = n = 0; i < t->n; i++)
			rest[n++] = t->host[i] - t->own[i] - excused * t->waited[i];
	ba_sort_doubles(rest, n);
	return ba_quantile_sorted(rest, n, p);
}

static int fail_clock(unsigned variant, double own, double host, ba_failure *f)
{
	return ba_failure_accuse(f, variant,
		ba_xprintf(
			"its worker reported %.3g ms for a visit that took %.3g ms by the clock of bench-against",
			own / 1e6, host / 1e6));
}

/* Do the worker's times agree with the host's? */
static int compare_clocks(
	const ba_engine *e, visit_times *t, unsigned variant, double overhead, ba_failure *f)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->own[i] > t->host[i] + t->waited[i] + CLOCKS_NS)
			return fail_clock(variant, t->own[i], t->host[i] + t->waited[i], f);
	/* GPU times include waiting, which others cause on a busy machine */
	double excused = e->row->on_gpu ? 1 : 0;
	double rest = unaccounted(t, excused, 0.5) - overhead;
	/* a busy machine makes visits longer, but hardly all of them */
	double least = unaccounted(t, excused, 0) - overhead;
	double host = ba_median(t->host, t->n), own = ba_median(t->own, t->n);
	e->evidence->short_share = fmax(e->evidence->short_share, rest / host);
	return least > fmax(SHORT_MOST * host, SHORT_LEAST_NS) ? fail_clock(variant, own, host, f)
							       : 0;
}

/* Did it compute between requests, beyond what the baseline's worker does? With `again`, it
 * sets that then, and does not fail. */
static int check_aside(const ba_engine *e, const visit_times *t, unsigned variant, double baseline,
	bool *again, ba_failure *f)
{
	double share = t->aside / t->all;
	const ba_worker_slot *s = ba_engine_slot_of(e, variant);
	bool more = share > baseline + ASIDE_MOST;
	if (more && again) {
		*again = true;
		return 0;
	}
	e->evidence->aside_share = fmax(e->evidence->aside_share, share);
	if (more)
		return ba_failure_accuse(f, variant,
			ba_xprintf(
				"its worker used %.3g ms of processor time between its visits, which took %.3g ms",
				t->aside / 1e6, t->all / 1e6));
	if (!e->spec->programs && s->link && ba_usage_has_company((pid_t)ba_link_pid(s->link)))
		return ba_failure_accuse(f, variant, ba_xstrdup("it started a process"));
	return 0;
}

/* The share of waiting in a variant's visits; NaN: it has none. */
static double waited_share(
	visit_times *t, const ba_engine *e, const ba_samples *s, unsigned variant)
{
	visits_of(t, e, s, variant);
	return t->waits / (t->all + t->waits);
}

/* Other processes disturb all variants alike. A variant that waits longer waited for
 * its own children, so the difference belongs to its visits. */
static void return_waiting(const ba_engine *e, ba_samples *s, visit_times *t)
{
	double least = 1;
	for (unsigned v = 0; v < e->spec->variant_count; v++)
		least = fmin(least, waited_share(t, e, s, v));
	for (unsigned v = 0; v < e->spec->variant_count; v++) {
		double share = waited_share(t, e, s, v);
		double most = WAITED_TIMES * least + WAITED_MORE;
		for (size_t i = 0; share > most && i < (size_t)s->blocks * s->positions; i++) {
			uint64_t own = (uint64_t)((double)e->seen[i].waited * (1 - most / share));
			if (s->order[i] != v)
				continue;
			s->ns[i] += own;
			e->seen[i].waited -= own;
		}
	}
}

/* The overhead of this variant's process: mapping inputs takes a tenth of a millisecond
 * more in one process than in another. */
static double overhead_of(const ba_engine *e, const visit_times *t, double baseline)
{
	double own = unaccounted(t, 0, 0.5); /* before the median sorts the times */
	double most = e->row->on_gpu ? OVERHEAD_DIFFERS * ba_median(t->host, t->n) : 0;
	return fmax(baseline - most, fmin(baseline + most, own));
}

static void subtract(ba_samples *s, unsigned variant, double overhead)
{
	for (size_t i = 0; i < (size_t)s->blocks * s->positions; i++) {
		double ns = (double)s->ns[i] - (s->order[i] == variant ? overhead : 0);
		s->ns[i] = ns > 1 ? (uint64_t)llround(ns) : 1;
	}
}

/* Subtracts the overhead from all visits. A variant without a baseline uses its own
 * overhead. Where `again` is set, the visits must be made again. */
static int take_times(ba_engine *e, ba_samples *s, bool *again, ba_failure *f)
{
	size_t visits = (size_t)s->blocks * s->positions;
	BA_AUTO_FREE double *room = ba_xcalloc(3 * visits, sizeof(*room));
	visit_times t = {.host = room, .own = room + visits, .waited = room + 2 * visits};
	unsigned first = 0;
	if (e->spec->programs)
		return_waiting(e, s, &t);
	while (visits_of(&t, e, s, first) == 0)
		first++;
	double overhead = fmax(0, unaccounted(&t, 0, 0.5)), aside = t.aside / t.all;
	double share = overhead / ba_median(t.host, t.n);
	if (share > e->evidence->overhead_share) {
		e->evidence->overhead_share = share;
		e->evidence->overhead_ns = overhead;
	}
	for (unsigned v = first; v < e->spec->variant_count; v++) {
		if (visits_of(&t, e, s, v) == 0)
			continue;
		BA_TRY(check_aside(e, &t, v, aside, again, f));
		if (again && *again)
			return 0;
		BA_TRY(compare_clocks(e, &t, v, overhead, f));
	}
	for (unsigned v = 0; v < s->participants; v++)
		if (visits_of(&t, e, s, v) > 0)
			subtract(s, v, overhead_of(e, &t, overhead));
	e->evidence->visits += visits;
	return 0;
}

int ba_untrusted_measure(ba_engine *e, const ba_visits *q, ba_failure *f)
{
	ba_samples *s = q->s;
	size_t visits = (size_t)s->blocks * s->positions;
	if (!ba_engine_times_visits(e))
		return e->row->in_order(e, q, f);
	BA_REQUIRE(s->readings == 1);
	BA_AUTO_FREE ba_visit_seen *seen = ba_xcalloc(visits, sizeof(*seen));
	bool again = true;
	int rc = 0;
	/* for values that are not times, there is only the worker's report */
	int metric = ba_metric_from_name(q->mode);
	e->seen = metric < 0 || !ba_metric_get((ba_metric)metric)->quantity ? seen : NULL;
	for (unsigned times = 1; rc == 0 && again; times++) {
		again = false;
		memset(seen, 0, visits * sizeof(*seen));
		for (size_t i = 0; i < e->slot_count; i++)
			e->slots[i].last_visit = SIZE_MAX;
		rc = e->row->in_order(e, q, f);
		for (size_t i = 0; rc == 0 && e->seen && i < e->slot_count; i++)
			charge(&e->slots[i], s);
		if (rc == 0 && e->seen)
			rc = take_times(e, s, times < ASIDE_TIMES ? &again : NULL, f);
	}
	e->seen = NULL;
	return rc;
}
