/*
 * Benchmarks of plugins and Python tasks that are not trusted: each run is on inputs that
 * the variant has not seen before, and the baseline checks what it made of them.
 *
 * Another worker, the checker, has the baseline's library or task. Before each visit it sets up as
 * many cases as the visit has runs, with seeds from the system's entropy, fills their
 * outputs with NaN, and hands over the memory (worker/plugin_fresh.c; for tasks
 * python/bench_against_worker/judge.py). The variant's worker
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

#include "engine/ahead.h"
#include "engine/row.h"
#include "proc/handover.h"
#include "proc/usage.h"

#define LAYOUT_MOST 256u
#define RUNS_MOST 256u /* of a visit */
#define HANDOVER_NS (10 * BA_SECOND)
/* one of this many visits is checked, and at least one of each variant */
#define CHECK_ONE_OF 4u
/* visits with one run, for each variant and invocation; CHECK_ALONE_ONE_OF: one of this
 * many is checked */
#define ALONE_VISITS 8u
#define ALONE_TRIES 3u /* after the first */
#define CHECK_ALONE_ONE_OF 2u

/* The checker's report about the memory of a case. */
typedef struct layout {
	ba_strv names;
	uint64_t kinds[LAYOUT_MOST], bytes[LAYOUT_MOST];
	uint64_t count; /* cases */
	char *call;	/* how a program calls its function; "" for libraries */
} layout;

BA_OWNS_HERE(layout, l, ba_strv_dispose(&l->names), free(l->call))

/* A worker that no longer answers correctly holds only one variant, which is the cause:
 * it closed a descriptor, wrote something else, or ended the process outside its
 * functions. */
static int attribute(int rc, ba_failure *f, size_t variant)
{
	if (rc != BA_EWORKER && rc != BA_EPROTOCOL)
		return rc;
	f->variant = (int)variant;
	f->code = BA_EVARIANT;
	if (!f->text)
		f->text = ba_xprintf("its worker does not answer as it must: %s", f->err->text);
	return ba_fail(f->err, BA_EVARIANT, "%s", f->text);
}

/* ---- workers ---- */

static int start(ba_worker_slot *s, ba_failure *f)
{
	bool program = s->spec->programs;
	BA_TRY(ba_ready_take(s, s->variants[0], f->err));
	BA_TRY(program ? ba_program_start(s, f) : ba_library_start(s, f));
	return program ? ba_program_open(s, NULL, f) : ba_library_open(s, NULL, f);
}

/* Determines what needs no trust: whether the benchmark is skipped, how much work it
 * declares, and whether its results are right for the usual inputs. */
int ba_fresh_prepare(ba_worker_slot *s, const ba_prepare *p, ba_failure *f)
{
	ba_engine *e = s->engine;
	e->fresh.benchmark = p->benchmark;
	e->fresh.seed = p->seed;
	/* a program is examined by the checker's questions alone */
	if (!p->check || !p->wanted[s->variants[0]] || s->spec->programs)
		return 0;
	int rc = start(s, f);
	rc = rc ? rc : ba_library_ask_prepare(s, p, f);
	rc = rc ? rc : ba_library_prepare(s, p, f);
	ba_worker_slot_end(s);
	return attribute(rc, f, s->variants[0]);
}

static int read_layout(layout *l, const ba_message *m, ba_error *err)
{
	ba_strv_dispose(&l->names);
	ba_message_texts(&l->names, m, "names");
	ba_text_replace(&l->call, ba_message_text(m, "call"));
	size_t n = l->names.count;
	if (n == 0 || n > LAYOUT_MOST)
		return ba_fail(err, BA_EPROTOCOL, "a layout of %zu blocks", n);
	int rc = ba_message_u64s(l->kinds, n, m, "kinds", err);
	rc = rc ? rc : ba_message_u64s(l->bytes, n, m, "bytes", err);
	return rc ? rc : ba_message_u64(&l->count, m, "count", err);
}

/* *l: the checker's answer, which the others receive. */
static int prepare_cases(ba_worker_slot *s, bool checks, layout *l, ba_failure *f)
{
	ba_engine *e = s->engine;
	const ba_prepare p = {.benchmark = e->fresh.benchmark, .seed = e->fresh.seed, .sets = 1};
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	BA_AUTO(ba_message) ba_message reply = {0};
	ba_message_begin(&m, "fresh_prepare");
	ba_library_put_case(&m, &p);
	BA_MESSAGE_ADD(&m, BA_SAY_BOOL("checks", checks), BA_SAY_U64("socket", BA_LINK_SOCKET_FD),
		BA_SAY_U64("count", l->count));
	/* from then on, all invocations have the same number of runs, if there is
	 * memory */
	BA_MESSAGE_ADD(&m, BA_SAY_BOOL("limited", l->count == RUNS_MOST));
	if (!checks)
		BA_MESSAGE_ADD(&m, BA_SAY_TEXTS("names", l->names),
			BA_SAY_U64S("kinds", l->kinds, l->names.count),
			BA_SAY_U64S("bytes", l->bytes, l->names.count),
			BA_SAY_TEXT("call", l->call));
	int rc = ba_worker_slot_send(s, &m, f);
	rc = rc ? rc : ba_worker_slot_await(s, "fresh_prepared", &reply, (ba_hearer){0}, f);
	return rc || !checks ? rc : read_layout(l, &reply, f->err);
}

static int start_variant(ba_worker_slot *s, layout *l, ba_failure *f)
{
	int rc = start(s, f);
	rc = rc ? rc : prepare_cases(s, false, l, f);
	return attribute(rc, f, s->variants[0]);
}

/* ---- visits ---- */

static int make_inputs(ba_worker_slot *checker, uint64_t runs, ba_failure *f)
{
	BA_AUTO(ba_strv) ba_strv seeds = {0};
	BA_AUTO(ba_message) ba_message reply = {0};
	for (uint64_t i = 0; i < runs; i++)
		ba_strv_printf(&seeds, "%llu", (unsigned long long)ba_rng_entropy());
	int rc = ba_worker_slot_request(checker, "fresh_inputs",
		BA_SAYS(BA_SAY_TEXTS("seeds", seeds)), "fresh_inputs", &reply, (ba_hearer){0}, f);
	return rc ? rc
		  : ba_handover_receive(
			    &checker->engine->fresh.inputs, checker->socket, HANDOVER_NS, f->err);
}

static void forget_inputs(ba_engine *e)
{
	if (e->fresh.inputs >= 0)
		close(e->fresh.inputs);
	e->fresh.inputs = -1;
}

/* *ns: the time that the worker reports */
static int run(ba_worker_slot *s, uint64_t runs, bool take, uint64_t *ns, ba_failure *f)
{
	ba_engine *e = s->engine;
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	BA_AUTO(ba_message) ba_message reply = {0};
	BA_MESSAGE(&m, "fresh_run", BA_SAY_BOOL("take", take), BA_SAY_U64("runs", runs));
	int rc = ba_worker_slot_send(s, &m, f);
	/* not earlier: until then, no time is measured */
	if (rc == 0 && take)
		rc = ba_handover_send(s->socket, e->fresh.inputs, f->err);
	rc = rc ? rc : ba_worker_slot_await(s, "fresh_ran", &reply, (ba_hearer){0}, f);
	rc = rc ? rc : ba_message_u64(ns, &reply, "ns", f->err);
	if (rc == 0 && (*ns == 0 || *ns > (uint64_t)1 << 62))
		rc = ba_fail(f->err, BA_EPROTOCOL, "the worker reports %llu ns",
			(unsigned long long)*ns);
	if (take)
		forget_inputs(e);
	return rc;
}

int ba_fresh_run(ba_worker_slot *s, const ba_visits *q, size_t visit, ba_failure *f)
{
	return run(s, q->s->batch, true, &q->s->ns[visit], f);
}

int ba_fresh_run_again(ba_worker_slot *s, const ba_visits *q, size_t visit, ba_failure *f)
{
	return run(s, q->s->batch, false, &q->s->ns[visit], f);
}

/* *why: what is wrong with the outputs of that case; NULL: check() accepts them */
static int judge(ba_worker_slot *checker, uint64_t index, size_t variant, char **why, ba_failure *f)
{
	BA_AUTO(ba_message) ba_message reply = {0};
	BA_TRY(ba_worker_slot_request(checker, "fresh_judge",
		BA_SAYS(BA_SAY_U64("case", index), BA_SAY_U64("variant", variant)), "fresh_judged",
		&reply, (ba_hearer){0}, f));
	if (!ba_message_bool(&reply, "right"))
		*why = ba_xstrdup(ba_message_text(&reply, "text"));
	return 0;
}

static int check_visit(ba_worker_slot *checker, uint64_t runs, size_t variant, ba_failure *f)
{
	BA_AUTO_FREE char *why = NULL;
	BA_TRY(judge(checker, ba_rng_entropy() % runs, variant, &why, f));
	if (why && variant == 0)
		return ba_failure_blame(f, 0,
			ba_xprintf(
				"with --untrusted, its results are wrong on inputs that another process made: %s; all inputs that depend on the seed must lie in memory from host->alloc()",
				why));
	if (why)
		return ba_failure_blame(
			f, variant, ba_xprintf("%s, on inputs that it had not seen before", why));
	checker->engine->evidence->checks += !checker->engine->rehearses;
	return 0;
}

/* If check() accepts outputs that nothing has computed, it is useless. */
static int check_the_check(ba_worker_slot *checker, ba_failure *f)
{
	BA_AUTO_FREE char *why = NULL;
	int rc = make_inputs(checker, 1, f);
	forget_inputs(checker->engine);
	rc = rc ? rc : judge(checker, 0, 0, &why, f);
	if (rc || why)
		return rc;
	return ba_failure_blame(f, 0,
		ba_xstrdup(
			"its check() accepts results that nobody has computed, so --untrusted cannot check the candidate: let check() compare outputs that lie in memory from host->alloc() and that run() alone writes"));
}

/* ---- runs that overlap ---- */

static int visit_alone(
	ba_worker_slot *s, ba_worker_slot *checker, const layout *l, double *ns, ba_failure *f)
{
	pid_t pid = (pid_t)ba_link_pid(s->link);
	uint64_t own;
	int rc = make_inputs(checker, 1, f);
	rc = rc ? rc : run(s, l->count, false, &own, f);
	int64_t waited = ba_usage_waited_ns(pid) + ba_usage_waited_ns(getpid());
	rc = rc ? rc : run(s, 1, true, &own, f);
	waited = ba_usage_waited_ns(pid) + ba_usage_waited_ns(getpid()) - waited;
	ba_link_times t = ba_link_times_of(s->link);
	*ns = (double)(t.heard_ns - t.asked_ns - (waited > 0 ? waited : 0));
	return rc;
}

static int find_alone(ba_engine *e, unsigned participant, ba_worker_slot *checker, const layout *l,
	ba_pace *out, ba_failure *f)
{
	ba_worker_slot *slot = ba_engine_slot_of(e, participant);
	double ns[ALONE_VISITS];
	for (size_t i = 0; i < ALONE_VISITS; i++) {
		BA_TRY(attribute(visit_alone(slot, checker, l, &ns[i], f), f, participant));
		if (ba_rng_entropy() % CHECK_ALONE_ONE_OF == 0)
			BA_TRY(check_visit(checker, 1, participant, f));
		e->evidence->fresh++;
	}
	ba_pace_take_alone(out, ns, ALONE_VISITS);
	return 0;
}

/* For the baseline, waiting for a processor is subtracted, as in its visits of one run,
 * because longer runs of the baseline count against a candidate. Longer runs of a
 * candidate only excuse it. */
static void find_together(
	const ba_engine *e, const ba_visits *q, unsigned participant, ba_pace *out)
{
	const ba_samples *s = q->s;
	size_t visits = (size_t)s->blocks * s->positions, n = 0;
	BA_AUTO_FREE double *ns = ba_xcalloc(visits, sizeof(*ns));
	for (size_t i = 0; i < visits; i++)
		if (s->order[i] == participant)
			ns[n++] = (double)s->ns[i] -
				  (participant || !e->seen ? 0 : (double)e->seen[i].waited);
	ba_pace_take_together(out, ns, n);
}

/* Makes all visits of one variant, in a worker that ends afterwards. */
static int make_visits(ba_engine *e, const ba_visits *q, unsigned participant,
	ba_worker_slot *checker, layout *l, ba_pace *found, ba_failure *f)
{
	const ba_samples *s = q->s;
	size_t visits = (size_t)s->blocks * s->positions, mine = 0, made = 0;
	ba_worker_slot *slot = ba_engine_slot_of(e, participant);
	for (size_t i = 0; i < visits; i++)
		mine += s->order[i] == participant;
	if (mine == 0)
		return 0;
	size_t sure = ba_rng_entropy() % mine;
	int rc = start_variant(slot, l, f);
	for (size_t i = 0; rc == 0 && i < visits; i++) {
		if (s->order[i] != participant)
			continue;
		rc = make_inputs(checker, l->count, f);
		if (rc == 0)
			rc = attribute(e->row->visit(slot, q, i, f), f, participant);
		bool checked = made++ == sure || ba_rng_entropy() % CHECK_ONE_OF == 0;
		e->evidence->fresh += rc == 0 && !e->rehearses;
		if (rc == 0 && checked)
			rc = check_visit(checker, l->count, participant, f);
		rc = rc ? rc : ba_engine_look_at_clock(e, q, (int64_t)(i / s->positions), f->err);
	}
	if (rc == 0 && l->count > 1 && !e->rehearses)
		rc = find_alone(e, participant, checker, l, found, f);
	if (rc == 0 && found->known)
		find_together(e, q, participant, found);
	forget_inputs(e);
	/* what a program started, such as a compiler, ends with its sandbox */
	if (rc == 0 && !e->spec->programs && ba_usage_has_company((pid_t)ba_link_pid(slot->link)))
		rc = ba_failure_accuse(f, participant, ba_xstrdup("it started a process"));
	ba_worker_slot_end(slot);
	return rc;
}

static int find_again(ba_engine *e, unsigned participant, ba_worker_slot *checker, layout *l,
	ba_pace *p, ba_failure *f)
{
	ba_worker_slot *slot = ba_engine_slot_of(e, participant);
	int rc = start_variant(slot, l, f);
	rc = rc ? rc : find_alone(e, participant, checker, l, p, f);
	forget_inputs(e);
	ba_worker_slot_end(slot);
	return rc;
}

/* A busy machine also makes visits longer, so the check is repeated, and the baseline's visits
 * of one run with it: they show what the machine is like now. */
static int check_pace(ba_engine *e, unsigned participant, ba_worker_slot *checker, layout *l,
	ba_pace first, ba_pace *p, ba_failure *f)
{
	for (unsigned i = 0; i < ALONE_TRIES && ba_pace_overlaps(&first, p, l->count); i++) {
		first.known = false;
		BA_TRY(find_again(e, 0, checker, l, &first, f));
		BA_TRY(find_again(e, participant, checker, l, p, f));
	}
	if (!ba_pace_overlaps(&first, p, l->count))
		return 0;
	return ba_failure_accuse(f, participant,
		ba_xprintf(
			"a visit of 1 run takes %.3g ms and one of %llu runs %.3g ms; beside the baseline's, its runs overlap or are put off, so their times cannot be compared",
			p->alone / 1e6, (unsigned long long)l->count, p->together / 1e6));
}

/* Starts the checker, unless it is there, and at the same time what is measured. */
static int begin(ba_engine *e, const ba_visits *q, ba_worker_slot *checker, ba_failure *f)
{
	BA_AUTO_FREE bool *wanted = ba_xcalloc(e->spec->variant_count, sizeof(*wanted));
	for (size_t i = 0; i < q->s->positions; i++)
		wanted[q->s->order[i]] = true;
	if (!e->spec->programs)
		return start(checker, f);
	BA_TRY(ba_ready_take(checker, BA_READY_CHECKER, f->err));
	bool stayed = checker->link;
	if (!stayed) {
		BA_TRY(ba_ready_take(checker, checker->variants[0], f->err));
		BA_TRY(ba_program_start(checker, f));
	}
	ba_ready_fill(e->spec, wanted);
	return stayed ? 0 : ba_program_open(checker, NULL, f);
}

int ba_fresh_take_turns(ba_engine *e, const ba_visits *q, ba_failure *f)
{
	size_t n = e->spec->variant_count, baseline = 0;
	ba_worker_slot checker = {
		.engine = e, .spec = e->spec, .variants = &baseline, .count = 1, .copies = 1};
	BA_AUTO(layout) layout l = {0};
	int rc = begin(e, q, &checker, f);
	/* How many cases fit into the GPU's memory, and into the time for setting them up? */
	if (rc == 0 && e->rehearses) {
		l.count = RUNS_MOST;
		rc = prepare_cases(&checker, true, &l, f);
		e->fresh.most = (unsigned)l.count;
	}
	l.count = q->s->batch;
	rc = rc ? rc : prepare_cases(&checker, true, &l, f);
	/* there may be less memory or time than for the last visits */
	q->s->batch = (unsigned)l.count;
	rc = rc ? rc : check_the_check(&checker, f);
	rc = rc ? rc : ba_engine_look_at_clock(e, q, -1, f->err);
	/* No variant is always first. In the rehearsal the baseline is, because a suite
	 * that cannot be checked at all is not the candidate's fault. */
	size_t first = e->rehearses ? 0 : ba_rng_entropy() % n;
	BA_AUTO_FREE ba_pace *paces = ba_xcalloc(n, sizeof(*paces));
	for (size_t k = 0; rc == 0 && k < n; k++) {
		size_t v = (first + k) % n;
		rc = make_visits(e, q, (unsigned)v, &checker, &l, &paces[v], f);
	}
	for (size_t v = 1; rc == 0 && v < n; v++)
		if (paces[0].known && paces[v].known)
			rc = check_pace(e, (unsigned)v, &checker, &l, paces[0], &paces[v], f);
	if (rc == 0 && e->spec->ready)
		ba_ready_keep(&checker, BA_READY_CHECKER);
	ba_worker_slot_end(&checker);
	return rc;
}
