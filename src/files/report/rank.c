#include "report/rank.h"

#include "report/view.h"

enum { BY_SIZE = true };

/* position in the order, its meaning unless the policy says otherwise, and its look */
static const struct {
	int place;
	ba_concern concern;
	ba_ink ink;
	const char *unicode, *ascii;
	bool by_size;
} kinds[BA_VERDICT_COUNT] = {
	[BA_VERDICT_FAILED] = {0, BA_CONCERN_FAILS, BA_INK_BAD, "✗", "X"},
	[BA_VERDICT_REGRESSED] = {1, BA_CONCERN_FAILS, BA_INK_BAD, "▲", "^", BY_SIZE},
	[BA_VERDICT_TAIL_REGRESSED] = {1, BA_CONCERN_FAILS, BA_INK_BAD, "▲", "^", BY_SIZE},
	[BA_VERDICT_REMOVED] = {2, BA_CONCERN_DOUBT, BA_INK_DOUBT, "-", "-"},
	[BA_VERDICT_INCONCLUSIVE] = {3, BA_CONCERN_DOUBT, BA_INK_DOUBT, "?", "?", BY_SIZE},
	[BA_VERDICT_UNDECIDED] = {3, BA_CONCERN_DOUBT, BA_INK_DOUBT, "?", "?", BY_SIZE},
	[BA_VERDICT_PROVISIONAL] = {3, BA_CONCERN_DOUBT, BA_INK_DOUBT, "~", "~", BY_SIZE},
	[BA_VERDICT_IMPROVED] = {4, BA_CONCERN_NEWS, BA_INK_GOOD, "▼", "v", BY_SIZE},
	[BA_VERDICT_TAIL_IMPROVED] = {4, BA_CONCERN_NEWS, BA_INK_GOOD, "▼", "v", BY_SIZE},
	[BA_VERDICT_ADDED] = {5, BA_CONCERN_NEWS, BA_INK_PLAIN, "+", "+"},
	[BA_VERDICT_UNCHANGED] = {6, BA_CONCERN_NONE, BA_INK_PLAIN, "=", "="},
	[BA_VERDICT_IDENTICAL] = {6, BA_CONCERN_NONE, BA_INK_PLAIN, "≡", "="},
	[BA_VERDICT_SKIPPED] = {7, BA_CONCERN_DOUBT, BA_INK_DOUBT, "·", "."},
	[BA_VERDICT_REPORTED] = {8, BA_CONCERN_NONE, BA_INK_PLAIN, "", ""},
};

ba_ink ba_verdict_ink(ba_verdict v)
{
	return kinds[v].ink;
}

const char *ba_verdict_symbol(ba_verdict v, bool unicode)
{
	return unicode ? kinds[v].unicode : kinds[v].ascii;
}

/* The state of a row in a run of one variant, as a verdict. */
static ba_verdict verdict_of_one(ba_presence p)
{
	if (p == BA_PRESENCE_MEASURED)
		return BA_VERDICT_REPORTED;
	bool skipped = p == BA_PRESENCE_SKIPPED || p == BA_PRESENCE_ABSENT;
	return skipped ? BA_VERDICT_SKIPPED : BA_VERDICT_FAILED;
}

static ba_concern concern_of(
	const ba_result *r, const ba_series *s, size_t candidate, ba_verdict verdict)
{
	if (s->role != BA_ROLE_VERDICT && verdict != BA_VERDICT_FAILED)
		return BA_CONCERN_NONE;
	if (verdict == BA_VERDICT_REMOVED && r->decided.gate_strict)
		return BA_CONCERN_FAILS;
	if (r->decided.likely_fails && candidate &&
		ba_comparison_probably(&s->comparisons[candidate - 1]) == BA_SHIFT_SLOWER)
		return BA_CONCERN_FAILS;
	if (kinds[verdict].place == kinds[BA_VERDICT_INCONCLUSIVE].place &&
		(r->decided.gate_strict || r->decided.undecided_fails))
		return BA_CONCERN_FAILS;
	return kinds[verdict].concern;
}

static ba_row row_of(const ba_result *r, const ba_series *s, size_t candidate)
{
	ba_verdict verdict = candidate ? s->comparisons[candidate - 1].verdict
				       : verdict_of_one(ba_presence_of(r, s, 0));
	ba_row row = {.series = s,
		.candidate = candidate,
		.verdict = verdict,
		.concern = concern_of(r, s, candidate, verdict)};
	ba_change change = candidate ? ba_change_of(s, candidate) : (ba_change){0};
	if (change.known && change.ratio > 0)
		row.size = fabs(log(change.ratio));
	if (verdict == BA_VERDICT_TAIL_REGRESSED || verdict == BA_VERDICT_TAIL_IMPROVED)
		row.size = fmax(row.size, fabs(log(s->comparisons[candidate - 1].mean_ratio)));
	return row;
}

/* A row with its sort keys. */
typedef struct placed {
	ba_row row;
	char *sweep; /* the id without its values; "" if it has none */
	/* the largest of its sweep, if that stays together; else its own */
	double size;
	const ba_series *lead; /* its sweep's first point */
} placed;

static bool decides(const placed *p)
{
	return p->row.series->role == BA_ROLE_VERDICT;
}

/* "launch/args=" of "launch/args=2", "copy/" of "copy/1024" */
static char *sweep_of(const char *id)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	bool has = false;
	for (const char *at = id; *at;) {
		size_t length = strcspn(at, ",/"), name = strcspn(at, "=,/");
		bool number = at > id && length && strspn(at, "0123456789") == length;
		has = has || number || name < length;
		name = number ? 0 : name < length ? name + 1 : length;
		ba_buf_printf(&out, "%.*s", (int)name, at);
		at += length;
		if (*at)
			ba_buf_putc(&out, *at++);
	}
	return ba_xstrdup(has ? out.data : "");
}

/* equal for the points of a sweep */
static int by_sweep(const placed *a, const placed *b)
{
	return BA_ORDER(decides(b), decides(a))
		       ?: BA_ORDER(a->row.series->metric, b->row.series->metric)
		       ?: BA_ORDER(a->row.candidate, b->row.candidate) ?: strcmp(a->sweep, b->sweep);
}

BA_DEFINE_ORDER(
	by_sweep_and_place, placed, by_sweep(a, b) ?: BA_ORDER(a->row.series, b->row.series))

static int by_rank(const void *x, const void *y)
{
	const placed *a = x, *b = y;
	int place = BA_ORDER(decides(b), decides(a))
			    ?: kinds[a->row.verdict].place - kinds[b->row.verdict].place;
	int size = kinds[a->row.verdict].by_size ? BA_ORDER(b->size, a->size) : 0;
	return place ?: size ?: BA_ORDER(a->lead, b->lead)
			       ?: BA_ORDER(a->row.series, b->row.series)
			       ?: BA_ORDER(a->row.candidate, b->row.candidate);
}

/* Points of a sweep get a common size and lead if all have one position in the order. */
static void keep_sweeps(placed *rows, size_t count)
{
	qsort(rows, count, sizeof(*rows), by_sweep_and_place);
	for (size_t i = 0, end; i < count; i = end) {
		double size = 0;
		bool same = true;
		for (end = i; end < count && by_sweep(&rows[i], &rows[end]) == 0; end++) {
			const placed *p = &rows[end];
			size = fmax(size, p->row.size);
			same = same && *p->sweep &&
			       kinds[p->row.verdict].place == kinds[rows[i].row.verdict].place;
		}
		for (size_t k = i; same && k < end; k++) {
			rows[k].size = size;
			rows[k].lead = rows[i].row.series;
		}
	}
}

static void sort_rows(ba_ranking *k, const ba_result *r)
{
	BA_AUTO_FREE placed *all = ba_xcalloc(k->count + 1, sizeof(*all));
	for (size_t i = 0; i < k->count; i++)
		all[i] = (placed){
			.row = k->rows[i],
			.sweep = sweep_of(r->run.benchmarks[k->rows[i].series->benchmark].id),
			.size = k->rows[i].size,
			.lead = k->rows[i].series,
		};
	keep_sweeps(all, k->count);
	qsort(all, k->count, sizeof(*all), by_rank);
	for (size_t i = 0; i < k->count; i++) {
		k->rows[i] = all[i].row;
		free(all[i].sweep);
	}
}

void ba_ranking_of(ba_ranking *out, const ba_result *r)
{
	size_t first = r->run.variant_count > 1, last = r->run.variant_count;
	*out = (ba_ranking){0};
	out->rows = ba_xcalloc(r->series_count * last + 1, sizeof(*out->rows));
	for (size_t i = 0; i < r->series_count; i++) {
		for (size_t c = first; c < last; c++) {
			if ((c && ba_is_left_uncounted(r, &r->series[i], c)) ||
				ba_is_nothing(r, &r->series[i]))
				continue;
			ba_row row = row_of(r, &r->series[i], c);
			out->rows[out->count++] = row;
			if (row.series->role != BA_ROLE_VERDICT)
				continue;
			out->deciding++;
			out->concern[row.concern]++;
			out->verdict[row.verdict]++;
		}
	}
	sort_rows(out, r);
}

BA_OWNS(ba_ranking, k, free(k->rows))

size_t ba_ranking_series(
	const ba_series **out, const ba_ranking *k, const ba_result *r, ba_metric metric)
{
	BA_AUTO_FREE bool *seen = ba_xcalloc(r->series_count + 1, sizeof(*seen));
	size_t count = 0;
	for (size_t i = 0; i < k->count; i++) {
		const ba_series *s = k->rows[i].series;
		if (s->metric != metric || seen[s - r->series])
			continue;
		seen[s - r->series] = true;
		out[count++] = s;
	}
	return count;
}

const char *ba_row_word(const ba_result *r, const ba_row *row)
{
	if (row->candidate)
		return ba_verdict_name(row->verdict);
	ba_presence p = ba_presence_of(r, row->series, 0);
	return p == BA_PRESENCE_MEASURED ? "measured" : ba_presence_name(p);
}

void ba_row_put_word(ba_buf *out, const ba_result *r, const ba_row *row)
{
	if (row->candidate)
		ba_comparison_put_verdict(out, &row->series->comparisons[row->candidate - 1]);
	else
		ba_buf_puts(out, ba_row_word(r, row));
}

const char *ba_row_reason(const ba_row *row)
{
	const ba_series *s = row->series;
	const ba_summary *of = &s->variants[row->candidate], *base = &s->variants[0];
	const char *reason = row->candidate ? s->comparisons[row->candidate - 1].reason : NULL;
	return of->failure ?: base->failure ?: of->skipped ?: base->skipped ?: reason;
}

static void put_difference(
	ba_buf *out, const ba_row *row, const ba_change *change, const ba_unit *unit)
{
	double base = ba_central_ns(row->series, &row->series->variants[0]);
	double half = (change->high - change->low) / 2 * base * unit->per_ns;
	double delta = change->delta_ns * unit->per_ns;
	bool whole = row->series->info->counted && isnan(change->low);
	ba_number_put(out, delta, whole ? 0 : ba_number_decimals(delta, half), true);
}

static void put_unit(ba_buf *out, const ba_unit *unit)
{
	if (*unit->name)
		ba_buf_printf(out, " %s", unit->name);
}

void ba_row_change_text(ba_buf *out, const ba_result *r, const ba_row *row, bool unicode)
{
	const ba_series *s = row->series;
	ba_change change = row->candidate ? ba_change_of(s, row->candidate) : (ba_change){0};
	if (!change.known)
		return;
	ba_unit unit = ba_unit_of_series(r, s, unicode);
	ba_buf_puts(out, ba_percent_of(change.ratio, change.low, change.high).text);
	if (!isnan(change.low))
		ba_buf_printf(out, " (%s)", ba_interval_of(change.low, change.high).text);
	ba_buf_puts(out, ", ");
	put_difference(out, row, &change, &unit);
	put_unit(out, &unit);
	ba_buf_puts(out, ba_unit_per(s->info));
}

void ba_difference_text(ba_buf *out, const ba_result *r, const ba_row *row, const ba_unit *common)
{
	ba_unit own = common ? *common : ba_unit_of_series(r, row->series, true);
	ba_change change =
		row->candidate ? ba_change_of(row->series, row->candidate) : (ba_change){0};
	if (!change.known)
		return;
	put_difference(out, row, &change, &own);
	if (!common)
		put_unit(out, &own);
}

void ba_figure_text(
	ba_buf *out, const ba_result *r, const ba_series *s, size_t variant, const ba_unit *common)
{
	const ba_summary *v = &s->variants[variant];
	ba_unit own = common ? *common : ba_unit_of_series(r, s, true);
	ba_presence presence = ba_presence_of(r, s, variant);
	if (presence != BA_PRESENCE_MEASURED) {
		ba_buf_puts(out, ba_presence_name(presence));
		return;
	}
	double value = ba_central_ns(s, v) * own.per_ns;
	double spread = ba_spread_ns(v) * own.per_ns;
	/* a spread caused by rare outliers must not remove digits from the value */
	int decimals = ba_number_decimals(value, spread);
	int three = ba_number_decimals(value, NAN);
	ba_number_put(out, value, decimals > three ? decimals : three, false);
	if (isfinite(spread)) {
		ba_buf_puts(out, " ± ");
		ba_number_put(out, spread, decimals, false);
	}
	if (!common)
		put_unit(out, &own);
}

size_t ba_metrics_of(ba_metric *metrics, const ba_result *r, ba_metric_role role)
{
	bool seen[BA_METRIC_COUNT] = {false};
	size_t count = 0;
	for (size_t i = 0; i < r->series_count; i++)
		if (r->series[i].role == role)
			seen[r->series[i].metric] = true;
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		if (seen[m])
			metrics[count++] = (ba_metric)m;
	return count;
}
