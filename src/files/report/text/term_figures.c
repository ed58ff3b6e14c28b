/* The levels of one metric: shared by tables of one variant and of comparisons. */

#include "report/text/term.h"

void ba_part_level_columns(const ba_part *p, ba_table *t, unsigned drop, unsigned drop_spread)
{
	const ba_column columns[BA_LEVEL_COLUMNS] = {
		{.drop = drop},
		{.gap = p->s->o->unicode ? " ± " : " +/- ", .drop = drop_spread},
		{.left = true, .gap = " ", .drop = drop},
	};
	ba_table_columns(t, columns, BA_COUNT(columns));
}

void ba_part_put_caption(const ba_part *p, ba_table *t)
{
	const char *per = ba_unit_per(p->info);
	ba_buf *out = ba_table_cell(t, 0, BA_INK_DIM);
	if (p->unit.name)
		ba_buf_printf(out, "%s%s", p->unit.name, per);
	else if (*per)
		ba_buf_printf(out, "per %s", per + 1);
}

/* A value in ns of that series, in its unit. */
static void put_ns(const ba_part *p, ba_table *t, size_t column, ba_ink ink,
	const ba_series *series, double ns)
{
	ba_part_put_figure(ba_table_cell(t, column, ink), p, ns * ba_part_unit(p, series).per_ns,
		ba_part_decimals(p, series), p->decimals, false);
}

void ba_part_put_level(
	const ba_part *p, ba_table *t, size_t column, const ba_series *series, size_t variant)
{
	const ba_summary *v = &series->variants[variant];
	ba_presence presence = ba_presence_of(p->s->r, series, variant);
	if (presence != BA_PRESENCE_MEASURED) {
		ba_table_span(t, column, column + 1,
			presence == BA_PRESENCE_FAILED ? BA_INK_BAD : BA_INK_DIM,
			ba_presence_name(presence));
		return;
	}
	put_ns(p, t, column, BA_INK_PLAIN, series, ba_central_ns(series, v));
	bool repeats = series->info->counted && v->min == v->max;
	if (!isnan(ba_spread_ns(v)) && !repeats)
		put_ns(p, t, column + 1, BA_INK_DIM, series, ba_spread_ns(v));
	if (!p->unit.name)
		ba_table_put(t, column + 2, BA_INK_DIM, ba_part_unit(p, series).name);
}

/* The time that the variant's own code adds to the bare driver call. */
static void put_net(const ba_part *p, ba_table *t, const ba_series *series, const size_t *variants,
	const size_t *columns, size_t count)
{
	ba_legend *legend = p->s->legend;
	double floor = series->floor.trimmed;
	if (!series->floor.launches || !series->net_ns)
		return;
	ba_table_row(t);
	ba_table_put(t, 0, BA_INK_DIM, "  your code");
	for (size_t k = 0; k < count; k++) {
		const ba_summary *v = &series->variants[variants[k]];
		if (ba_presence_of(p->s->r, series, variants[k]) == BA_PRESENCE_MEASURED)
			put_ns(p, t, columns[k], BA_INK_DIM, series,
				ba_central_ns(series, v) - floor);
	}
	legend->most_floor = fmax(legend->most_floor, floor);
	legend->least_floor = legend->least_floor > 0 ? fmin(legend->least_floor, floor) : floor;
}

/* The median stated in a file, if it differs from the mean of its values. */
static void put_median(const ba_part *p, ba_table *t, const ba_series *series,
	const size_t *variants, const size_t *columns, size_t count)
{
	bool differs = false;
	for (size_t k = 0; k < count; k++) {
		const ba_summary *v = &series->variants[variants[k]];
		differs |= fabs(v->median / ba_central_ns(series, v) - 1) > 0.01;
	}
	if (!ba_measured_is_of_files(&p->s->r->run) || !differs)
		return;
	ba_table_row(t);
	ba_table_put(t, 0, BA_INK_DIM, "  its median");
	for (size_t k = 0; k < count; k++) {
		double median = series->variants[variants[k]].median;
		if (isfinite(median))
			put_ns(p, t, columns[k], BA_INK_DIM, series, median);
	}
}

typedef struct work {
	const char *name;
	size_t field;
	double scale;
} work;

/* The throughput, computed from the author's amounts of work. */
static void put_work(const ba_part *p, ba_table *t, const ba_series *series, const work *w,
	const size_t *variants, const size_t *columns, size_t count)
{
	bool any = false;
	for (size_t k = 0; k < count; k++) {
		ba_throughput rate = ba_throughput_of(p->s->r, series, variants[k]);
		double value; /* every field of it is a double */
		memcpy(&value, (const char *)&rate + w->field, sizeof(value));
		value *= w->scale;
		if (!(value > 0) ||
			ba_presence_of(p->s->r, series, variants[k]) != BA_PRESENCE_MEASURED)
			continue;
		if (!any) {
			ba_table_row(t);
			ba_table_put(t, 0, BA_INK_DIM, w->name);
		}
		any = true;
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		ba_number_put(&text, value, ba_number_decimals(value, 0), false);
		ba_table_span(t, columns[k], columns[k] + 1, BA_INK_DIM, text.data);
	}
}

void ba_part_put_more(const ba_part *p, ba_table *t, const ba_series *series,
	const size_t *variants, const size_t *columns, size_t count)
{
	static const work rows[] = {
		{"  TFLOP/s", offsetof(ba_throughput, gflop_per_s), 1e-3},
		{"  GB/s", offsetof(ba_throughput, gb_per_s), 1},
		{"  % of matrix ceiling", offsetof(ba_throughput, of_matrix), 100},
		{"  % of copy ceiling", offsetof(ba_throughput, of_copy), 100},
	};
	put_net(p, t, series, variants, columns, count);
	put_median(p, t, series, variants, columns, count);
	for (size_t i = 0; i < BA_COUNT(rows); i++)
		put_work(p, t, series, &rows[i], variants, columns, count);
}

/* Are the spreads of this metric's series computed from quartiles? */
static bool is_iqr(const ba_result *r, ba_metric metric)
{
	for (size_t i = 0; i < r->series_count; i++)
		for (size_t k = 0; k < r->run.variant_count; k++) {
			const ba_series *s = &r->series[i];
			if (s->metric == metric && s->variants[k].launches)
				return ba_has_quartiles(&s->variants[k]);
		}
	return false;
}

void ba_part_render(const ba_part *p, ba_table *t, size_t spread_column)
{
	const ba_screen *s = p->s;
	ba_legend *legend = s->legend;
	bool of_files = ba_measured_is_of_files(&s->r->run);
	legend->geometric = legend->geometric || of_files;
	legend->trimmed = legend->trimmed || (!of_files && !p->info->counted);
	if (ba_table_shows(t, spread_column, s->o)) {
		bool iqr = is_iqr(s->r, p->metric);
		legend->iqr = legend->iqr || iqr;
		legend->sd = legend->sd || !iqr;
	}
	ba_table_term(s->out, t, s->o);
}

static void put_quantiles(const ba_part *p, ba_table *t, const ba_series *series)
{
	const ba_summary *v = &series->variants[0];
	const double values[] = {v->min, v->median, v->p95, v->p99};
	if (ba_presence_of(p->s->r, series, 0) != BA_PRESENCE_MEASURED)
		return;
	for (size_t k = 0; k < BA_COUNT(values); k++)
		put_ns(p, t, 1 + BA_LEVEL_COLUMNS + k, BA_INK_PLAIN, series, values[k]);
}

void ba_part_figures_of_one(const ba_part *p)
{
	static const char *const quantiles[] = {"min", "median", "p95", "p99"};
	static const size_t variants[] = {0}, columns[] = {1};
	BA_AUTO(ba_table) ba_table t = {.stack_before = 1};
	ba_table_column(&t, (ba_column){.left = true, .shrink_to = BA_NAME_MIN});
	ba_part_level_columns(p, &t, 0, 0);
	for (unsigned i = 0; i < BA_COUNT(quantiles); i++)
		ba_table_column(&t, (ba_column){.drop = 2 + i % 3});
	BA_AUTO_FREE char *safe = ba_text_safe(p->s->r->run.variants[0].label);
	BA_AUTO_FREE char *label = ba_text_shorten(safe, 20, p->s->o->unicode);
	ba_table_row(&t);
	ba_part_put_caption(p, &t);
	ba_table_span(&t, 1, BA_LEVEL_COLUMNS, BA_INK_BOLD, label);
	for (size_t i = 0; i < BA_COUNT(quantiles); i++)
		ba_table_put(&t, 1 + BA_LEVEL_COLUMNS + i, BA_INK_DIM, quantiles[i]);
	for (size_t i = 0; i < p->count; i++) {
		BA_AUTO_FREE char *name = ba_part_name(p, p->series[i]);
		ba_table_row(&t);
		ba_table_name(&t, BA_INK_PLAIN, name);
		ba_part_put_level(p, &t, 1, p->series[i], 0);
		put_quantiles(p, &t, p->series[i]);
		ba_part_put_more(p, &t, p->series[i], variants, columns, 1);
	}
	ba_part_render(p, &t, 2);
}
