#include "session/prepare.h"

#define SETS_AT_FIRST 1u
#define SETS_MOST 256u
#define SETS_TIMES_L2 5.0

static void free_cases(ba_case_facts *cases, const ba_session *s)
{
	BA_FREE_ARRAY(ba_case_facts_dispose, cases, ba_session_variants(s));
}

static ba_prepare prepare_of(
	const ba_session *s, const ba_task *t, const bool *wanted, ba_case_facts *cases)
{
	const ba_suite_spec *suite = t->suite->spec;
	bool warm = ba_task_is_warm(s, t), check = !t->suite->ops->checks_once && warm;
	return (ba_prepare){.benchmark = t->benchmark,
		.check = (check || !t->sized) && !ba_task_executes_nothing(t),
		.first = !t->sized,
		.first_call = ba_task_needs_start(s, t),
		.seed = s->spec->seed,
		.cases = cases,
		.sets = t->sets ? t->sets : SETS_AT_FIRST,
		.warm_up = warm ? suite->warm_up : 0,
		.runs = t->runs,
		.wanted = wanted};
}

int ba_task_ask_alone(
	ba_session *s, ba_engine *e, const ba_task *t, const bool *only, ba_failure *f)
{
	const ba_prepare p = prepare_of(s, t, only, NULL);
	return ba_engine_ask_prepare(e, &p, f);
}

int ba_task_prepare_alone(
	ba_session *s, ba_engine *e, const ba_task *t, const bool *only, ba_failure *f)
{
	ba_case_facts *cases = ba_xcalloc(ba_session_variants(s), sizeof(*cases));
	const ba_prepare p = prepare_of(s, t, only, cases);
	int rc = ba_engine_prepare(e, &p, f);
	free_cases(cases, s);
	return rc;
}

int ba_task_prepare_plain(bool *skipped, ba_session *s, ba_engine *e, const ba_task *t,
	const bool *only, unsigned warm_up, ba_failure *f)
{
	size_t n = ba_session_variants(s);
	ba_case_facts *cases = ba_xcalloc(n, sizeof(*cases));
	bool rotates = s->spec->measure[BA_METRIC_GPU_ROTATE] && t->benchmark->rotates;
	const ba_prepare p = {.benchmark = t->benchmark,
		.seed = s->spec->seed,
		.cases = cases,
		.sets = rotates ? 2 : 1,
		.warm_up = warm_up,
		.wanted = only};
	int rc = ba_engine_prepare(e, &p, f);
	*skipped = BA_ANY(cases, n, c, c->skipped);
	free_cases(cases, s);
	return rc;
}

/* No verdict: whether more is better, only the author of a counter knows. */
static void note_counters(ba_session *s, const ba_task *t, const ba_case_facts *cases, size_t v)
{
	const ba_case_facts *base = &cases[0], *mine = &cases[v];
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	for (size_t i = 0; i < mine->counters.count && i < mine->counted.count; i++)
		for (size_t k = 0; k < base->counters.count && k < base->counted.count; k++) {
			const char *was = base->counted.items[k], *is = mine->counted.items[i];
			double before = strtod(was, NULL), now = strtod(is, NULL);
			if (strcmp(base->counters.items[k], mine->counters.items[i]) == 0 && *was &&
				*is && before != now)
				ba_buf_printf(&text, "%s%s %.6g, not %.6g (%+.3g %%)",
					text.len ? "; " : "", mine->counters.items[i], now, before,
					100 * (now / before - 1));
		}
	if (text.len)
		ba_strv_printf(&s->result->run.notes,
			"%s: the program's own counters differ in %s: %s", t->benchmark->id,
			s->result->run.variants[v].label, text.data);
}

static void take_cases(ba_session *s, ba_task *t, ba_case_facts *cases)
{
	bool counted = t->sized;
	double runs = 0;
	for (size_t v = 0; v < ba_session_variants(s); v++) {
		ba_case_facts *c = &cases[v];
		if (c->skipped) {
			t->wanted[v] = false;
			ba_text_own(&t->skipped[v], BA_TAKE(c->skipped));
			continue;
		}
		if (c->runs >= 1 && (runs == 0 || c->runs < runs))
			runs = c->runs;
		if (!t->sized && v && t->wanted[v])
			note_counters(s, t, cases, v);
		bool said =
			c->flop > 0 || c->bytes_read > 0 || c->bytes_written > 0 || c->items > 0;
		if (!said || !t->wanted[v])
			continue;
		ba_benchmark *b = t->benchmark;
		bool same = b->flop == c->flop && b->items == c->items &&
			    b->bytes_read == c->bytes_read && b->bytes_written == c->bytes_written;
		if (counted && !same && !t->sized)
			ba_strv_printf(&s->result->run.notes,
				"%s: %s reports another amount of work than the variants before it; throughput uses the amount of the first",
				b->id, s->result->run.variants[v].label);
		if (counted)
			continue;
		counted = true;
		b->flop = c->flop;
		b->bytes_read = c->bytes_read;
		b->bytes_written = c->bytes_written;
		b->items = c->items;
	}
	if (!t->runs)
		t->runs = (unsigned)fmin(runs, 1e9);
}

void ba_task_choose_variants(bool *out, const ba_session *s, const ba_task *t)
{
	for (size_t v = 0; v < ba_session_variants(s); v++)
		out[v] = t->wanted[v] &&
			 (ba_engine_shares(&t->suite->engine_spec) || ba_task_needs(s, t, v));
}

/* ---- memory ---- */

static void note_turns(ba_session *s, const ba_task *t, size_t weighed, const ba_case_facts *c)
{
	const double gib = 1 << 30;
	ba_strv_printf(&s->result->run.notes,
		"%s: its variants do not fit into the GPU's memory together (%s takes %.1f GiB and leaves %.1f GiB): they are measured one after another, each alone in memory, so they are not interleaved",
		t->benchmark->id, s->result->run.variants[weighed].label, c->memory_taken / gib,
		c->memory_free / gib);
}

/* Nothing stays prepared. What the variants report about it is taken once. */
static int prepare_in_turns(
	ba_session *s, const ba_task *t, ba_prepare *p, const bool *wanted, ba_failure *f)
{
	ba_engine *e = t->suite->engine;
	size_t n = ba_session_variants(s);
	BA_AUTO_FREE bool *only = ba_xcalloc(n, sizeof(*only));
	int rc = ba_engine_release(e, f);
	p->wanted = only;
	for (size_t v = 0; rc == 0 && v < n && !t->sized; v++) {
		only[v] = wanted[v];
		rc = wanted[v] ? ba_engine_prepare(e, p, f) : 0;
		rc = rc ? rc : ba_engine_release(e, f);
		only[v] = false;
	}
	ba_engine_prepare_in_turns(e, p);
	return rc;
}

/* A candidate may take more memory than the variant that was weighed. If the one that failed works
 * alone, it is memory that it lacked. */
static int retry_in_turns(
	ba_session *s, ba_task *t, ba_prepare *p, const bool *wanted, size_t weighed, ba_failure *f)
{
	BA_AUTO(ba_failure) ba_failure alone = {.err = f->err};
	int rc = prepare_in_turns(s, t, p, wanted, &alone);
	ba_failure_dispose(f);
	*f = alone;
	alone = (ba_failure){0};
	t->by_turns = rc == 0;
	if (rc == 0)
		note_turns(s, t, weighed, &p->cases[weighed]);
	return rc;
}

/* The first time, one variant is prepared alone: if the others do not fit beside it, none of them
 * has to fail. */
static int prepare_weighed(
	ba_session *s, ba_task *t, ba_prepare *p, const bool *wanted, ba_failure *f)
{
	size_t n = ba_session_variants(s), first = 0, others = 0;
	BA_AUTO_FREE bool *rest = ba_xcalloc(n, sizeof(*rest));
	BA_AUTO_FREE bool *only = ba_xcalloc(n, sizeof(*only));
	while (first < n && !wanted[first])
		first++;
	for (size_t v = first + 1; v < n; v++)
		others += rest[v] = wanted[v];
	if (others) {
		BA_TRY(ba_engine_release(t->suite->engine, f));
		only[first] = true;
		p->wanted = only;
		BA_TRY(ba_engine_prepare(t->suite->engine, p, f));
		const ba_case_facts *c = &p->cases[first];
		t->by_turns = c->memory_taken * (double)others > c->memory_free;
		if (t->by_turns) {
			note_turns(s, t, first, c);
			return prepare_in_turns(s, t, p, wanted, f);
		}
		p->wanted = rest;
	}
	int rc = ba_engine_prepare(t->suite->engine, p, f);
	return rc == BA_EVARIANT && others && !f->gone ? retry_in_turns(s, t, p, wanted, first, f)
						       : rc;
}

/* A variant that reports that it cannot run here takes no further part; it has not
 * failed. */
int ba_session_prepare(ba_session *s, ba_task *t, ba_failure *f)
{
	ba_case_facts *cases = ba_xcalloc(ba_session_variants(s), sizeof(*cases));
	BA_AUTO_FREE bool *wanted = ba_xcalloc(ba_session_variants(s), sizeof(*wanted));
	ba_task_choose_variants(wanted, s, t);
	ba_prepare p = prepare_of(s, t, wanted, cases);
	int64_t start = ba_now_ns();
	int rc = t->by_turns			     ? prepare_in_turns(s, t, &p, wanted, f)
		 : t->benchmark->weighs && !t->sized ? prepare_weighed(s, t, &p, wanted, f)
						     : ba_engine_prepare(t->suite->engine, &p, f);
	t->prepare_ns = (double)(ba_now_ns() - start);
	s->result->run.spent.prepare += ba_seconds_since(start);
	if (t->benchmark->name)
		take_cases(s, t, cases);
	free_cases(cases, s);
	return rc;
}

/* ---- sets of inputs ---- */

/* flashinfer's rule: inputs are reused only after five times the cache size has been
 * accessed */
static unsigned sets_for(const ba_session *s, const ba_task *t)
{
	double bytes = t->benchmark->bytes_read + t->benchmark->bytes_written;
	double l2 = (double)s->result->run.env.l2_bytes;
	if (!(bytes > 0) || !(l2 > 0))
		return 2;
	return (unsigned)fmin(ceil(SETS_TIMES_L2 * l2 / bytes), SETS_MOST - 1) + 1;
}

int ba_session_make_sets(ba_session *s, ba_task *t, ba_failure *f)
{
	if (t->sets || !s->spec->measure[BA_METRIC_GPU_ROTATE] || !t->benchmark->rotates)
		return 0;
	t->sets = sets_for(s, t);
	return ba_session_prepare(s, t, f);
}
