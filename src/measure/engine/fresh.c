/*
 * GPU benchmarks that are not trusted: each run is on inputs that the variant has not seen
 * before, and the baseline checks what it made of them.
 *
 * Another worker, the checker, has the baseline's library. Before each visit it sets up as
 * many cases as the visit has runs, with seeds from the system's entropy, fills their
 * outputs with NaN, and hands over the memory (worker/plugin_fresh.c). The variant's worker
 * gets it with the request whose time is taken. After some visits, chosen by chance, the
 * checker calls check() for one of the cases, chosen by chance too. So a variant that leaves
 * out a part f of its work passes n checks with probability (1 - f)^n.
 *
 * A worker could keep the GPU busy while another variant is measured. Therefore the worker
 * of one variant has ended before that of the next starts.
 *
 * The baseline's own visits are checked, too. First of all, check() must reject outputs
 * that nobody has computed: otherwise it cannot tell anything.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "engine/row.h"
#include "proc/handover.h"
#include "proc/usage.h"
#include "stats/quantile.h"

#define LAYOUT_MOST 256u
#define RUNS_MOST 256u /* of a visit */
#define HANDOVER_NS (10 * BA_SECOND)
/* one of so many visits is checked, and at least one of each variant */
#define CHECK_ONE_OF 4u
/* visits of one run, for each variant and invocation; and of these are checked */
#define ALONE_VISITS 8u
#define ALONE_TRIES 3u /* after the first */
#define CHECK_ALONE_ONE_OF 2u
/* by how much a run that nothing follows may take longer, beyond what the baseline's does:
 * so much of the baseline's run, and so much for launches that otherwise hide in it */
#define ALONE_LONGER 0.25
#define ALONE_LONGER_NS 50e3

/* What the checker says of the memory of a case. */
typedef struct layout {
	ba_strv names;
	uint64_t kinds[LAYOUT_MOST], bytes[LAYOUT_MOST];
	uint64_t count; /* cases */
} layout;

static void layout_dispose(layout *l)
{
	ba_strv_dispose(&l->names);
}
BA_DEFINE_AUTO(layout, layout_dispose)

static int fail(ba_failure *failure, size_t variant, ba_error *err, char *text)
{
	ba_failure_dispose(failure);
	*failure = (ba_failure){
		.variant = (int)variant, .code = BA_EVARIANT, .certain = true, .text = text};
	return ba_fail(err, BA_EVARIANT, "%s", text);
}

/* A worker that no longer answers as it must holds one variant alone, which is the cause:
 * it closed a descriptor, wrote something else than an answer, or ended the process while
 * none of its functions was called. */
static int attribute(int rc, ba_failure *failure, size_t variant, ba_error *err)
{
	if (rc != BA_EWORKER && rc != BA_EPROTOCOL)
		return rc;
	failure->variant = (int)variant;
	failure->code = BA_EVARIANT;
	failure->certain = true;
	if (!failure->text)
		failure->text = ba_xprintf("its worker does not answer as it must: %s", err->text);
	return ba_fail(err, BA_EVARIANT, "%s", failure->text);
}

/* ---- workers ---- */

static int start(ba_engine *e, ba_worker_slot *s, ba_failure *failure, ba_error *err)
{
	int rc = ba_library_start(e, s, failure, err);
	return rc ? rc : ba_library_open(e, s, NULL, failure, err);
}

/* A worker starts when it is needed: start() in prepare() and make_visits(). */
static int open_slot(
	ba_engine *e, ba_worker_slot *s, ba_survey *survey, ba_failure *failure, ba_error *err)
{
	(void)e, (void)s, (void)survey, (void)failure, (void)err;
	return 0;
}

/* Finds out what can be found without trust: whether the benchmark is skipped, how much
 * work it says that it does, and whether its results are right on the usual inputs. */
static int prepare(
	ba_engine *e, ba_worker_slot *s, const ba_prepare *p, ba_failure *failure, ba_error *err)
{
	e->fresh.benchmark = p->benchmark;
	e->fresh.seed = p->seed;
	if (!p->check || !p->wanted[s->variants[0]])
		return 0;
	int rc = start(e, s, failure, err);
	rc = rc ? rc : ba_library_ask_prepare(e, s, p, failure, err);
	rc = rc ? rc : ba_library_prepare(e, s, p, failure, err);
	ba_worker_slot_end(s);
	return attribute(rc, failure, s->variants[0], err);
}

static void put_layout(ba_buf *m, const layout *l)
{
	ba_message_put_texts(m, "names", (const char *const *)l->names.items, l->names.count);
	ba_message_put_u64s(m, "kinds", l->kinds, l->names.count);
	ba_message_put_u64s(m, "bytes", l->bytes, l->names.count);
}

static int read_layout(layout *l, const ba_message *m, ba_error *err)
{
	ba_message_texts(&l->names, m, "names");
	size_t n = l->names.count;
	if (n == 0 || n > LAYOUT_MOST)
		return ba_fail(err, BA_EPROTOCOL, "a layout of %zu blocks", n);
	int rc = ba_message_u64s(l->kinds, n, m, "kinds", err);
	rc = rc ? rc : ba_message_u64s(l->bytes, n, m, "bytes", err);
	return rc ? rc : ba_message_u64(&l->count, m, "count", err);
}

/* *l: what the checker answers, and what the others receive. */
static int prepare_cases(
	ba_engine *e, ba_worker_slot *s, bool checks, layout *l, ba_failure *failure, ba_error *err)
{
	const ba_prepare p = {.benchmark = e->fresh.benchmark, .seed = e->fresh.seed, .sets = 1};
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	BA_AUTO(ba_message) ba_message reply = {0};
	ba_message_begin(&m, "fresh_prepare");
	ba_library_put_case(&m, &p);
	ba_message_put_bool(&m, "checks", checks);
	ba_message_put_u64(&m, "socket", BA_LINK_SOCKET_FD);
	ba_message_put_u64(&m, "count", l->count);
	/* from then on, all invocations have the same number, if there is memory */
	ba_message_put_bool(&m, "limited", l->count == RUNS_MOST);
	if (!checks)
		put_layout(&m, l);
	int rc = ba_worker_slot_request(
		s, &m, "fresh_prepared", &reply, e->spec, (ba_hearer){0}, failure, err);
	return rc || !checks ? rc : read_layout(l, &reply, err);
}

/* ---- visits ---- */

static int make_inputs(
	ba_engine *e, ba_worker_slot *checker, uint64_t runs, ba_failure *failure, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv seeds = {0};
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	BA_AUTO(ba_message) ba_message reply = {0};
	for (uint64_t i = 0; i < runs; i++)
		ba_strv_push_take(&seeds, ba_xprintf("%llu", (unsigned long long)ba_rng_entropy()));
	ba_message_begin(&m, "fresh_inputs");
	ba_message_put_texts(&m, "seeds", (const char *const *)seeds.items, seeds.count);
	int rc = ba_worker_slot_request(
		checker, &m, "fresh_inputs", &reply, e->spec, (ba_hearer){0}, failure, err);
	return rc ? rc : ba_handover_receive(&e->fresh.inputs, checker->socket, HANDOVER_NS, err);
}

static void forget_inputs(ba_engine *e)
{
	if (e->fresh.inputs >= 0)
		close(e->fresh.inputs);
	e->fresh.inputs = -1;
}

/* *ns: what the worker says */
static int run(ba_engine *e, ba_worker_slot *s, uint64_t runs, bool take, uint64_t *ns,
	ba_failure *failure, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	BA_AUTO(ba_message) ba_message reply = {0};
	ba_message_begin(&m, "fresh_run");
	ba_message_put_bool(&m, "take", take);
	ba_message_put_u64(&m, "runs", runs);
	int rc = ba_worker_slot_send(s, &m, failure, err);
	/* not before: until then, no time is taken */
	if (rc == 0 && take)
		rc = ba_handover_send(s->socket, e->fresh.inputs, err);
	rc = rc ? rc
		: ba_worker_slot_await(
			  s, "fresh_ran", &reply, e->spec, (ba_hearer){0}, failure, err);
	rc = rc ? rc : ba_message_u64(ns, &reply, "ns", err);
	if (rc == 0 && (*ns == 0 || *ns > (uint64_t)1 << 62))
		rc = ba_fail(
			err, BA_EPROTOCOL, "the worker reports %llu ns", (unsigned long long)*ns);
	if (take)
		forget_inputs(e);
	return rc;
}

int ba_fresh_run(ba_engine *e, ba_worker_slot *s, const ba_visits *q, size_t visit, bool take,
	ba_failure *failure, ba_error *err)
{
	return run(e, s, q->s->batch, take, &q->s->ns[visit], failure, err);
}

/* *right: does check() accept what lies in the outputs of that case? */
static int judge(ba_engine *e, ba_worker_slot *checker, uint64_t index, bool *right, char **why,
	ba_failure *failure, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	BA_AUTO(ba_message) ba_message reply = {0};
	ba_message_begin(&m, "fresh_judge");
	ba_message_put_u64(&m, "case", index);
	int rc = ba_worker_slot_request(
		checker, &m, "fresh_judged", &reply, e->spec, (ba_hearer){0}, failure, err);
	if (rc)
		return rc;
	*right = ba_message_bool(&reply, "right");
	*why = ba_xstrdup(ba_message_text(&reply, "text"));
	return 0;
}

static int check_visit(ba_engine *e, ba_worker_slot *checker, uint64_t runs, size_t variant,
	ba_failure *failure, ba_error *err)
{
	BA_AUTO_FREE char *why = NULL;
	bool right = false;
	int rc = judge(e, checker, ba_rng_entropy() % runs, &right, &why, failure, err);
	if (rc)
		return rc;
	if (!right && variant == 0)
		return fail(failure, 0, err,
			ba_xprintf(
				"with --untrusted, its results are wrong on inputs that another process made: %s; all inputs that depend on the seed must lie in memory from host->alloc()",
				why));
	if (!right)
		return fail(failure, variant, err,
			ba_xprintf("%s, on inputs that it had not seen before", why));
	if (e->spec->evidence && !e->rehearses)
		e->spec->evidence->checks++;
	return 0;
}

/* A check() that accepts what nobody has computed can tell nothing. */
static int check_the_check(
	ba_engine *e, ba_worker_slot *checker, ba_failure *failure, ba_error *err)
{
	BA_AUTO_FREE char *why = NULL;
	bool right = false;
	int rc = make_inputs(e, checker, 1, failure, err);
	forget_inputs(e);
	rc = rc ? rc : judge(e, checker, 0, &right, &why, failure, err);
	if (rc || !right)
		return rc;
	return fail(failure, 0, err,
		ba_xstrdup(
			"its check() accepts results that nobody has computed, so --untrusted cannot check the candidate: let check() compare outputs that lie in memory from host->alloc() and that run() alone writes"));
}

/* ---- runs that overlap ---- */

/* What visits of a variant take, by the host's clock, with one run and with many. */
typedef struct pace {
	bool known;
	double alone, spread; /* of one run: the lower quartile, from the least to the median */
	double together;      /* of all runs of a visit: the lower quartile */
} pace;

/* The inputs of a visit arrive together, so a variant could work on many at once and seem
 * as fast as one that works on one after the other. It cannot do so where there is one. */
static int visit_alone(ba_engine *e, ba_worker_slot *s, ba_worker_slot *checker, const layout *l,
	double *ns, ba_failure *failure, ba_error *err)
{
	pid_t pid = (pid_t)ba_link_pid(s->link);
	uint64_t own;
	int rc = make_inputs(e, checker, 1, failure, err);
	rc = rc ? rc : run(e, s, l->count, false, &own, failure, err);
	int64_t waited = ba_usage_waited_ns(pid) + ba_usage_waited_ns(getpid());
	rc = rc ? rc : run(e, s, 1, true, &own, failure, err);
	waited = ba_usage_waited_ns(pid) + ba_usage_waited_ns(getpid()) - waited;
	ba_link_times t = ba_link_times_of(s->link);
	*ns = (double)(t.heard_ns - t.asked_ns - (waited > 0 ? waited : 0));
	return rc;
}

static int find_alone(ba_engine *e, unsigned participant, ba_worker_slot *checker, const layout *l,
	pace *out, ba_failure *failure, ba_error *err)
{
	ba_worker_slot *slot = ba_engine_slot_of(e, participant);
	double ns[ALONE_VISITS];
	for (size_t i = 0; i < ALONE_VISITS; i++) {
		int rc = attribute(visit_alone(e, slot, checker, l, &ns[i], failure, err), failure,
			participant, err);
		if (rc == 0 && ba_rng_entropy() % CHECK_ALONE_ONE_OF == 0)
			rc = check_visit(e, checker, 1, participant, failure, err);
		if (rc)
			return rc;
		if (e->spec->evidence)
			e->spec->evidence->fresh++;
	}
	double median = ba_median(ns, ALONE_VISITS); /* they are sorted from here on */
	double alone = ba_quantile_sorted(ns, ALONE_VISITS, 0.25);
	if (!out->known || alone < out->alone)
		out->alone = alone;
	out->spread = median - ns[0];
	out->known = true;
	return 0;
}

/* The baseline's without what it waited for a processor, like its visits of one run: longer
 * runs of a baseline accuse. Longer ones of a candidate only excuse it. */
static void find_together(const ba_engine *e, const ba_visits *q, unsigned participant, pace *out)
{
	const ba_samples *s = q->s;
	size_t visits = (size_t)s->blocks * s->positions, n = 0;
	BA_AUTO_FREE double *ns = ba_xcalloc(visits, sizeof(*ns));
	for (size_t i = 0; i < visits; i++)
		if (s->order[i] == participant)
			ns[n++] = (double)s->ns[i] -
				  (participant || !e->waited_ns ? 0 : (double)e->waited_ns[i]);
	ba_median(ns, n);
	out->together = ba_quantile_sorted(ns, n, 0.25);
}

/* A visit of one run takes what is done besides runs, and a run. Runs that follow one
 * another take as long each. The baseline's say how much there is besides. */
static bool overlaps(const pace *first, const pace *p, uint64_t runs)
{
	double others = (double)runs - 1;
	double run = fmax(0, (first->together - first->alone) / others);
	double mine = fmax(0, (p->together - p->alone) / others);
	double most = ALONE_LONGER * run + ALONE_LONGER_NS + first->spread;
	return p->alone - mine > first->alone - run + most;
}

/* All visits of one variant, in a worker that has ended afterwards. */
static int make_visits(ba_engine *e, const ba_visits *q, unsigned participant,
	ba_worker_slot *checker, layout *l, pace *found, ba_failure *failure, ba_error *err)
{
	const ba_samples *s = q->s;
	size_t visits = (size_t)s->blocks * s->positions, mine = 0, made = 0;
	ba_worker_slot *slot = ba_engine_slot_of(e, participant);
	for (size_t i = 0; i < visits; i++)
		mine += s->order[i] == participant;
	if (mine == 0)
		return 0;
	size_t sure = ba_rng_entropy() % mine;
	int rc = start(e, slot, failure, err);
	rc = rc ? rc : prepare_cases(e, slot, false, l, failure, err);
	rc = attribute(rc, failure, participant, err);
	for (size_t i = 0; rc == 0 && i < visits; i++) {
		if (s->order[i] != participant)
			continue;
		rc = make_inputs(e, checker, l->count, failure, err);
		if (rc == 0)
			rc = attribute(e->row->visit(e, slot, q, i, failure, err), failure,
				participant, err);
		bool checked = made++ == sure || ba_rng_entropy() % CHECK_ONE_OF == 0;
		if (rc == 0 && e->spec->evidence && !e->rehearses)
			e->spec->evidence->fresh++;
		if (rc == 0 && checked)
			rc = check_visit(e, checker, l->count, participant, failure, err);
		rc = rc ? rc : ba_engine_look_at_clock(e, q, (int64_t)(i / s->positions), err);
	}
	if (rc == 0 && l->count > 1 && !e->rehearses)
		rc = find_alone(e, participant, checker, l, found, failure, err);
	if (rc == 0 && found->known)
		find_together(e, q, participant, found);
	forget_inputs(e);
	if (rc == 0 && ba_usage_has_company((pid_t)ba_link_pid(slot->link)))
		rc = fail(failure, participant, err, ba_xstrdup("it started a process"));
	ba_worker_slot_end(slot);
	return rc;
}

/* A machine that was busy makes a visit longer, too, so it is tried again. */
static int check_pace(ba_engine *e, unsigned participant, ba_worker_slot *checker, layout *l,
	const pace *first, pace *p, ba_failure *failure, ba_error *err)
{
	ba_worker_slot *slot = ba_engine_slot_of(e, participant);
	int rc = 0;
	for (unsigned i = 0; rc == 0 && i < ALONE_TRIES && overlaps(first, p, l->count); i++) {
		rc = start(e, slot, failure, err);
		rc = rc ? rc : prepare_cases(e, slot, false, l, failure, err);
		rc = attribute(rc, failure, participant, err);
		rc = rc ? rc : find_alone(e, participant, checker, l, p, failure, err);
		forget_inputs(e);
		ba_worker_slot_end(slot);
	}
	if (rc || !overlaps(first, p, l->count))
		return rc;
	return fail(failure, participant, err,
		ba_xprintf(
			"a visit of 1 run takes %.3g ms and one of %llu runs %.3g ms; beside the baseline's, its runs overlap or are put off, so their times cannot be compared",
			p->alone / 1e6, (unsigned long long)l->count, p->together / 1e6));
}

/* How many cases fit into the GPU's memory, and into the time for setting them up? */
static int find_most(ba_engine *e, ba_worker_slot *checker, ba_failure *failure, ba_error *err)
{
	BA_AUTO(layout) layout l = {.count = RUNS_MOST};
	int rc = prepare_cases(e, checker, true, &l, failure, err);
	e->fresh.most = (unsigned)l.count;
	return rc;
}

int ba_fresh_take_turns(ba_engine *e, const ba_visits *q, ba_failure *failure, ba_error *err)
{
	size_t n = e->spec->variant_count, baseline = 0;
	ba_worker_slot checker = {.variants = &baseline, .count = 1, .copies = 1};
	BA_AUTO(layout) layout l = {0};
	int rc = start(e, &checker, failure, err);
	if (rc == 0 && e->rehearses)
		rc = find_most(e, &checker, failure, err);
	l.count = q->s->batch;
	rc = rc ? rc : prepare_cases(e, &checker, true, &l, failure, err);
	/* there may be less memory or time than for the last visits */
	q->s->batch = (unsigned)l.count;
	rc = rc ? rc : check_the_check(e, &checker, failure, err);
	rc = rc ? rc : ba_engine_look_at_clock(e, q, -1, err);
	/* No variant is always the first. But in the rehearsal the baseline is: a suite that
	 * cannot be checked at all is not the candidate's fault. */
	size_t first = e->rehearses ? 0 : ba_rng_entropy() % n;
	BA_AUTO_FREE pace *paces = ba_xcalloc(n, sizeof(*paces));
	for (size_t k = 0; rc == 0 && k < n; k++) {
		size_t v = (first + k) % n;
		rc = make_visits(e, q, (unsigned)v, &checker, &l, &paces[v], failure, err);
	}
	for (size_t v = 1; rc == 0 && v < n; v++)
		if (paces[0].known && paces[v].known)
			rc = check_pace(
				e, (unsigned)v, &checker, &l, &paces[0], &paces[v], failure, err);
	ba_worker_slot_end(&checker);
	return rc;
}

const ba_engine_row ba_engine_fresh = {
	.name = "untrusted",
	.needs_baseline = true,
	.begin = ba_watched_begin,
	.open = open_slot,
	.prepare = prepare,
	.measure = ba_untrusted_measure,
	.visit = ba_untrusted_visit,
	.look = ba_watched_look,
};
