#include "report/remarks.h"

#include "report/rank.h"
#include "report/view.h"

enum { GLOB_LEAST = 3, ALL_REMARKS = 500 };

BA_OWNS(ba_remarks, m, BA_FREE_EACH(x, m->items, m->count, free(x->benchmarks)))

/* ---- found --------------------------------------------------------------- */

typedef struct finder {
	ba_remarks *out;
	const ba_result *r;
	bool all, several_metrics;
} finder;

static bool is_same(const char *a, const char *b)
{
	return !a || !b ? a == b : strcmp(a, b) == 0;
}

static bool is_alike(const ba_remark *a, const ba_remark *b)
{
	return a->kind == b->kind && a->variant == b->variant && a->verdict == b->verdict &&
	       a->everywhere == b->everywhere && (!a->with_metric || a->metric == b->metric) &&
	       (a->rest || (is_same(a->reason, b->reason) && is_same(a->hint, b->hint)));
}

/* The remark with the same text, or a new one. */
static ba_remark *remark_like(finder *f, const ba_remark *wanted)
{
	size_t others = 0;
	BA_EACH (ba_remark, m, f->out->items, f->out->count) {
		if (is_alike(m, wanted))
			return m;
		others += m->kind == wanted->kind && m->variant == wanted->variant;
	}
	ba_remark *m = BA_PUSH(f->out->items, f->out->count, f->out->capacity);
	*m = *wanted;
	m->worst = NAN;
	m->rest = others >= (f->all ? ALL_REMARKS : BA_REMARKS_MOST);
	if (m->rest)
		m->reason = m->hint = m->output = NULL;
	return m;
}

static void add(finder *f, ba_remark wanted, size_t benchmark, double worst)
{
	ba_remark *m = remark_like(f, &wanted);
	*BA_PUSH(m->benchmarks, m->count, m->capacity) = benchmark;
	if (isfinite(worst) && !(m->worst >= worst))
		m->worst = worst;
}

static void find_missing(finder *f, const ba_series *s, size_t variant)
{
	const ba_summary *v = &s->variants[variant];
	ba_remark m = {.variant = variant, .metric = s->metric};
	switch (ba_presence_of(f->r, s, variant)) {
	case BA_PRESENCE_FAILED:
		m.kind = BA_REMARK_FAILED;
		m.verdict = BA_VERDICT_FAILED;
		m.reason = v->failure;
		m.output = v->output;
		break;
	case BA_PRESENCE_SKIPPED:
		m.kind = BA_REMARK_SKIPPED;
		m.verdict = BA_VERDICT_SKIPPED;
		m.reason = v->skipped;
		/* skipped in every variant for the same reason: one remark is enough */
		m.everywhere = BA_ALL(
			s->variants, f->r->run.variant_count, x, is_same(v->skipped, x->skipped));
		if (m.everywhere && variant)
			return;
		break;
	case BA_PRESENCE_EMPTY:
		/* another variant's failure, because of which nothing was compared, has its own */
		if (BA_ANY(s->variants, f->r->run.variant_count, x, x->failure) ||
			ba_is_left_uncounted(f->r, s, variant))
			return;
		m.kind = BA_REMARK_EMPTY;
		m.verdict = BA_VERDICT_FAILED;
		m.with_metric = true;
		break;
	default:
		return;
	}
	add(f, m, s->benchmark, NAN);
}

static void find_compared(finder *f, const ba_series *s, size_t candidate)
{
	static const struct {
		ba_verdict verdict;
		ba_remark_kind kind;
		bool differs; /* used only if places differ */
	} kinds[] = {
		{BA_VERDICT_REGRESSED, BA_REMARK_TAIL_SLOWER, true},
		{BA_VERDICT_IMPROVED, BA_REMARK_TAIL_FASTER, true},
		{BA_VERDICT_TAIL_REGRESSED, BA_REMARK_TAIL_SLOWER, false},
		{BA_VERDICT_TAIL_IMPROVED, BA_REMARK_TAIL_FASTER, false},
		{BA_VERDICT_REMOVED, BA_REMARK_REMOVED, false},
		{BA_VERDICT_ADDED, BA_REMARK_ADDED, false},
		{BA_VERDICT_UNDECIDED, BA_REMARK_OPEN, false},
		{BA_VERDICT_INCONCLUSIVE, BA_REMARK_OPEN, false},
		{BA_VERDICT_PROVISIONAL, BA_REMARK_OPEN, false},
	};
	const ba_comparison *c = &s->comparisons[candidate - 1];
	for (size_t i = 0; i < BA_COUNT(kinds); i++) {
		if (kinds[i].verdict != c->verdict || (kinds[i].differs && !c->places_differ))
			continue;
		bool open = kinds[i].kind == BA_REMARK_OPEN;
		double worst = open ? ba_comparison_worst(c) : NAN;
		if (open && !c->reason && !c->hint && !isfinite(worst))
			continue;
		add(f,
			(ba_remark){.kind = kinds[i].kind,
				.verdict = c->verdict,
				.variant = candidate,
				.metric = s->metric,
				.with_metric = f->several_metrics,
				.reason = c->reason,
				.hint = c->hint},
			s->benchmark, worst);
	}
}

/* ---- in order ------------------------------------------------------------ */

/* Keeps each benchmark once: several of its metrics may have the same reason. */
static void drop_repeated(ba_remark *m, size_t *seen, size_t stamp)
{
	size_t kept = 0;
	for (size_t i = 0; i < m->count; i++) {
		size_t benchmark = m->benchmarks[i];
		if (seen[benchmark] == stamp)
			continue;
		seen[benchmark] = stamp;
		m->benchmarks[kept++] = benchmark;
	}
	m->count = kept;
}

static void sort_by_kind(ba_remarks *m)
{
	BA_AUTO_FREE ba_remark *found = m->items;
	size_t n = 0;
	m->items = ba_xcalloc(m->count + 1, sizeof(*m->items));
	for (int kind = 0; kind <= BA_REMARK_SKIPPED; kind++)
		for (size_t i = 0; i < m->count; i++)
			if ((int)found[i].kind == kind)
				m->items[n++] = found[i];
	m->capacity = m->count + 1;
}

void ba_remarks_of(ba_remarks *out, const ba_result *r, bool all)
{
	BA_AUTO(ba_ranking) ba_ranking k = {0};
	ba_metric metrics[BA_METRIC_COUNT];
	finder f = {.out = out,
		.r = r,
		.all = all,
		.several_metrics = ba_metrics_of(metrics, r, BA_ROLE_VERDICT) > 1};
	*out = (ba_remarks){0};
	ba_ranking_of(&k, r);
	BA_EACH (const ba_row, row, k.rows, k.count) {
		find_missing(&f, row->series, row->candidate);
		if (!row->candidate)
			continue;
		find_missing(&f, row->series, 0);
		if (row->series->role == BA_ROLE_VERDICT)
			find_compared(&f, row->series, row->candidate);
	}
	BA_AUTO_FREE size_t *seen = ba_xcalloc(r->run.benchmark_count + 1, sizeof(*seen));
	for (size_t i = 0; i < out->count; i++)
		drop_repeated(&out->items[i], seen, i + 1);
	sort_by_kind(out);
}

/* ---- as text ------------------------------------------------------------- */

static void put_subject(ba_buf *out, const ba_result *r, const ba_remark *m)
{
	if (m->count == 1)
		ba_buf_puts(out, r->run.benchmarks[m->benchmarks[0]].id);
	else
		ba_buf_printf(out, "%zu %sbenchmarks", m->count, m->rest ? "more " : "");
	if (m->with_metric && m->kind != BA_REMARK_EMPTY)
		ba_buf_printf(out, " (%s)", ba_metric_get(m->metric)->name);
}

static void put_predicate(ba_buf *out, const ba_remark *m)
{
	/* singular and plural; the metric or the verdict follows */
	static const char *const words[][2] = {
		[BA_REMARK_FAILED] = {"failed", "failed"},
		[BA_REMARK_EMPTY] = {"has no samples of ", "have no samples of "},
		[BA_REMARK_TAIL_SLOWER] = {"", ""},
		[BA_REMARK_REMOVED] = {"was removed", "were removed"},
		[BA_REMARK_OPEN] = {"is ", "are "},
		[BA_REMARK_TAIL_FASTER] = {"", ""},
		[BA_REMARK_ADDED] = {"is new", "are new"},
		[BA_REMARK_SKIPPED] = {"was skipped", "were skipped"},
	};
	ba_buf_printf(out, " %s", words[m->kind][m->count > 1]);
	if (m->kind == BA_REMARK_EMPTY)
		ba_buf_puts(out, ba_metric_get(m->metric)->name);
	else if (m->kind == BA_REMARK_OPEN)
		ba_buf_puts(
			out, m->verdict == BA_VERDICT_PROVISIONAL ? "provisional" : "inconclusive");
	else if (!*words[m->kind][0])
		ba_buf_puts(out, ba_verdict_name(m->verdict));
}

/* " (could be up to 2.4 % slower)", which says more than "inconclusive" */
static void put_worst(ba_buf *out, const ba_remark *m)
{
	bool said = m->reason && strstr(m->reason, "could be");
	if (m->kind != BA_REMARK_OPEN || !(m->worst > 0) || said)
		return;
	if (m->worst <= 1) {
		ba_buf_puts(out, m->count == 1 ? " (not slower, but how much faster is open)"
					       : " (none slower, but how much faster is open)");
		return;
	}
	ba_buf_puts(out, m->count == 1 ? " (could be up to " : " (they could be up to ");
	double size = 100 * (m->worst - 1);
	ba_number_put(out, size, size < 1 ? 2 : size < 100 ? 1 : 0, false);
	ba_buf_puts(out, " % slower)");
}

void ba_remark_put(ba_buf *out, const ba_result *r, const ba_remark *m)
{
	const char *before = ": ";
	put_subject(out, r, m);
	put_predicate(out, m);
	if (!m->everywhere)
		ba_buf_printf(out, " in %s", r->run.variants[m->variant].label);
	put_worst(out, m);
	if (m->rest && m->count > 1)
		ba_buf_puts(out, ", for other reasons");
	const char *const parts[] = {m->reason, m->hint};
	for (size_t i = 0; i < BA_COUNT(parts); i++) {
		if (!parts[i])
			continue;
		ba_buf_printf(out, "%s%s", before, parts[i]);
		before = "; ";
	}
}

/* The length of "launch" in "launch/args=4,path=direct"; 0: none. */
static size_t head_of(const char *id)
{
	const char *slash = strrchr(id, '/');
	return slash ? (size_t)(slash - id) : 0;
}

/* How many benchmarks from `from` on its head's glob matches, if none outside the list; else 1. */
static size_t run_of(const ba_result *r, const bool *in, size_t from)
{
	const char *id = r->run.benchmarks[from].id;
	size_t head = head_of(id), count = 0, last = from;
	for (size_t i = 0; head && i < r->run.benchmark_count; i++) {
		if (strncmp(r->run.benchmarks[i].id, id, head + 1) != 0)
			continue;
		if (!in[i] || i < from)
			return 1;
		/* the matches must be consecutive, or others would lie between them */
		if (count++ && i != last + 1)
			return 1;
		last = i;
	}
	return count >= GLOB_LEAST ? count : 1;
}

void ba_names_put(
	ba_buf *out, const ba_result *r, const size_t *benchmarks, size_t count, size_t most)
{
	BA_AUTO_FREE bool *in = ba_xcalloc(r->run.benchmark_count + 1, sizeof(*in));
	size_t put = 0, left = 0;
	for (size_t i = 0; i < count; i++) {
		left += !in[benchmarks[i]];
		in[benchmarks[i]] = true;
	}
	for (size_t i = 0; i < r->run.benchmark_count && left; i++) {
		const char *id = r->run.benchmarks[i].id;
		if (!in[i])
			continue;
		if (most && put == most)
			break;
		size_t run = most && left > most ? run_of(r, in, i) : 1;
		ba_buf_puts(out, put++ ? ", " : "");
		if (run > 1)
			ba_buf_printf(out, "%.*s/*", (int)head_of(id), id);
		else
			ba_buf_puts(out, id);
		left -= run;
		i += run - 1;
	}
	if (left)
		ba_buf_printf(out, " and %zu more", left);
}
