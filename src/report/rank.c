#include "report/rank.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "report/view.h"

/* place in the order, and what it means where the policy does not say otherwise */
static const struct {
	int place;
	ba_concern concern;
} kinds[BA_VERDICT_COUNT] = {
	[BA_VERDICT_REGRESSED] = {0, BA_CONCERN_FAILS},
	[BA_VERDICT_TAIL_REGRESSED] = {0, BA_CONCERN_FAILS},
	[BA_VERDICT_FAILED] = {1, BA_CONCERN_FAILS},
	[BA_VERDICT_REMOVED] = {2, BA_CONCERN_DOUBT},
	[BA_VERDICT_INCONCLUSIVE] = {3, BA_CONCERN_DOUBT},
	[BA_VERDICT_UNDECIDED] = {3, BA_CONCERN_DOUBT},
	[BA_VERDICT_PROVISIONAL] = {3, BA_CONCERN_DOUBT},
	[BA_VERDICT_SKIPPED] = {4, BA_CONCERN_DOUBT},
	[BA_VERDICT_IMPROVED] = {5, BA_CONCERN_NEWS},
	[BA_VERDICT_TAIL_IMPROVED] = {5, BA_CONCERN_NEWS},
	[BA_VERDICT_ADDED] = {6, BA_CONCERN_NEWS},
	[BA_VERDICT_UNCHANGED] = {7, BA_CONCERN_NONE},
	[BA_VERDICT_IDENTICAL] = {8, BA_CONCERN_NONE},
	[BA_VERDICT_REPORTED] = {9, BA_CONCERN_NONE},
};

/* of a run of one variant, in the terms of a comparison */
static ba_verdict verdict_of_one(ba_presence p)
{
	switch (p) {
	case BA_PRESENCE_MEASURED:
		return BA_VERDICT_REPORTED;
	case BA_PRESENCE_SKIPPED:
	case BA_PRESENCE_ABSENT:
		return BA_VERDICT_SKIPPED;
	default:
		return BA_VERDICT_FAILED;
	}
}

static ba_concern concern_of(const ba_result *r, const ba_series *s, ba_verdict verdict)
{
	if (s->role != BA_ROLE_VERDICT && verdict != BA_VERDICT_FAILED)
		return BA_CONCERN_NONE;
	if (verdict == BA_VERDICT_REMOVED && r->gate_strict)
		return BA_CONCERN_FAILS;
	if (kinds[verdict].place == kinds[BA_VERDICT_INCONCLUSIVE].place &&
		(r->gate_strict || r->undecided_fails))
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
		.concern = concern_of(r, s, verdict)};
	ba_change change = candidate ? ba_change_of(s, candidate) : (ba_change){0};
	if (change.known && change.ratio > 0)
		row.size = fabs(log(change.ratio));
	if (verdict == BA_VERDICT_TAIL_REGRESSED || verdict == BA_VERDICT_TAIL_IMPROVED)
		row.size = fmax(
			row.size, fabs(log(s->comparisons[candidate - 1].mean_ratio)));
	return row;
}

static int by_rank(const void *x, const void *y)
{
	const ba_row *a = x, *b = y;
	bool a_decides = a->series->role == BA_ROLE_VERDICT;
	bool b_decides = b->series->role == BA_ROLE_VERDICT;
	if (a_decides != b_decides)
		return a_decides ? -1 : 1;
	int place = kinds[a->verdict].place - kinds[b->verdict].place;
	if (place)
		return place;
	bool sized =
		ba_verdict_is_slower(a->verdict) || ba_verdict_is_faster(a->verdict);
	if (sized && a->size != b->size)
		return a->size > b->size ? -1 : 1;
	if (a->series != b->series)
		return a->series < b->series ? -1 : 1;
	return a->candidate < b->candidate ? -1 : a->candidate > b->candidate;
}

void ba_ranking_of(ba_ranking *out, const ba_result *r)
{
	size_t first = r->variant_count > 1, last = r->variant_count;
	*out = (ba_ranking){0};
	out->rows = ba_xcalloc(r->series_count * last + 1, sizeof(*out->rows));
	for (size_t i = 0; i < r->series_count; i++) {
		for (size_t c = first; c < last; c++) {
			ba_row row = row_of(r, &r->series[i], c);
			out->rows[out->count++] = row;
			if (row.series->role != BA_ROLE_VERDICT)
				continue;
			out->deciding++;
			out->concern[row.concern]++;
			out->verdict[row.verdict]++;
		}
	}
	qsort(out->rows, out->count, sizeof(*out->rows), by_rank);
}

void ba_ranking_dispose(ba_ranking *k)
{
	free(k->rows);
	*k = (ba_ranking){0};
}

const char *ba_row_word(const ba_result *r, const ba_row *row)
{
	if (row->candidate)
		return ba_verdict_name(row->verdict);
	ba_presence p = ba_presence_of(r, row->series, 0);
	return p == BA_PRESENCE_MEASURED ? "measured" : ba_presence_name(p);
}

const char *ba_row_reason(const ba_result *r, const ba_row *row)
{
	(void)r;
	const ba_series *s = row->series;
	const size_t sides[] = {row->candidate, 0};
	for (size_t i = 0; i < 2; i++)
		if (s->variants[sides[i]].failure)
			return s->variants[sides[i]].failure;
	for (size_t i = 0; i < 2; i++)
		if (s->variants[sides[i]].skipped)
			return s->variants[sides[i]].skipped;
	return row->candidate ? s->comparisons[row->candidate - 1].reason : NULL;
}

void ba_row_change_text(ba_buf *out, const ba_row *row, bool unicode)
{
	const ba_series *s = row->series;
	const ba_metric_info *info = s->info;
	ba_change change =
		row->candidate ? ba_change_of(s, row->candidate) : (ba_change){0};
	if (!change.known)
		return;
	int decimals = ba_percent_decimals(change.low, change.high);
	double half =
		(change.high - change.low) / 2 * ba_central_ns(s, &s->variants[0]);
	double delta = change.delta_ns * info->per_ns;
	BA_AUTO_FREE char *unit = ba_unit_text(info, unicode);
	ba_percent_put(out, change.ratio, decimals);
	if (!isnan(change.low)) {
		ba_buf_puts(out, " (");
		ba_percent_interval_put(out, change.low, change.high, decimals);
		ba_buf_putc(out, ')');
	}
	ba_buf_puts(out, ", ");
	ba_number_put(out, delta, ba_number_decimals(delta, half * info->per_ns), true);
	ba_buf_printf(out, " %s", unit);
}

void ba_figure_text(ba_buf *out, const ba_result *r, const ba_series *s, size_t variant)
{
	const ba_summary *v = &s->variants[variant];
	double per_ns = ba_metric_get(s->metric)->per_ns;
	ba_presence presence = ba_presence_of(r, s, variant);
	if (presence != BA_PRESENCE_MEASURED) {
		ba_buf_puts(out, ba_presence_name(presence));
		return;
	}
	double value = ba_central_ns(s, v) * per_ns,
	       spread = ba_spread_ns(s, v) * per_ns;
	/* a spread of rare outliers takes no digit from the figure */
	int decimals = ba_number_decimals(value, spread);
	int three = ba_number_decimals(value, NAN);
	ba_buf_printf(out, "%.*f ± %.*f", decimals > three ? decimals : three, value,
		decimals, spread);
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
