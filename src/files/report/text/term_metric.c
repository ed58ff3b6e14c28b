/* One metric on a terminal: title, and a table for each candidate, or for the only variant. */

#include "report/text/term.h"

bool ba_part_has(const ba_part *p, const ba_series *series)
{
	return series->metric == p->metric && p->s->shown[series->benchmark];
}

char *ba_part_name(const ba_part *p, const ba_series *series)
{
	const char *id = p->s->r->run.benchmarks[series->benchmark].id;
	BA_AUTO_FREE char *own = ba_xstrndup(id, strlen(id) - strlen(p->common));
	return ba_text_safe(own);
}

/* The longest ending of all names that begins with a comma and is not all of one's axes. */
static const char *common_axes(const ba_part *p)
{
	const char *common = NULL;
	for (size_t i = 0; i < p->count; i++) {
		const char *id = p->s->r->run.benchmarks[p->series[i]->benchmark].id;
		if (i == 0)
			common = strchr(id, ',');
		while (common && !ba_text_ends(id, common))
			common = strchr(common + 1, ',');
	}
	return common && p->count > 1 ? common : "";
}

ba_unit ba_part_unit(const ba_part *p, const ba_series *series)
{
	return p->unit.name ? p->unit : ba_unit_of_series(p->s->r, series, p->s->o->unicode);
}

void ba_part_put_figure(
	ba_buf *out, const ba_part *p, double value, int decimals, int column_decimals, bool sign)
{
	ba_number_put(out, value, decimals, sign);
	size_t blanks = (size_t)(column_decimals - decimals);
	if (decimals == 0 && column_decimals > 0)
		blanks++; /* the point */
	if (p->unit.name)
		ba_buf_pad(out, ' ', blanks);
}

int ba_part_decimals(const ba_part *p, const ba_series *series)
{
	double per_ns = ba_part_unit(p, series).per_ns;
	int decimals = 0;
	for (size_t i = 0; i < p->s->r->run.variant_count; i++) {
		const ba_summary *v = &series->variants[i];
		if (ba_presence_of(p->s->r, series, i) != BA_PRESENCE_MEASURED)
			continue;
		if (series->info->counted && v->min == v->max)
			continue; /* whole instructions */
		double value = ba_central_ns(series, v) * per_ns;
		int least = ba_number_decimals(value, 0);
		int d = ba_number_decimals(value, ba_spread_ns(v) * per_ns);
		/* a single hiccup makes the deviation huge, although the trimmed mean
		 * is more precise than single readings: show at least three digits */
		d = d < least ? least : d > least + 1 ? least + 1 : d;
		decimals = d > decimals ? d : decimals;
	}
	return decimals;
}

static void title(const ba_part *p)
{
	const char *common = *p->common ? p->common + 1 : "";
	BA_AUTO_FREE char *help =
		ba_xprintf("%s%s%s", p->info->help, *common ? "; all with " : "", common);
	ba_term_title(p->s->out, p->info, help, p->s->o);
}

/* "0.8", "12", "under 0.01" */
static void put_sd(ba_buf *out, double sd)
{
	if (100 * sd < 0.01)
		ba_buf_puts(out, "under 0.01");
	else
		ba_buf_printf(out, 100 * sd < 10 ? "%.2g" : "%.0f", 100 * sd);
}

static void put_layout_count(ba_buf *out, unsigned layouts)
{
	ba_buf_printf(out, " (standard deviation between %u layouts)", layouts);
}

/* "layout moves it by 0.8 % in main, 0.3 % in HEAD (standard deviation between 8
 * layouts)", for one series; nothing if only the unmodified libraries were measured */
static void layout_text(ba_buf *out, const ba_result *r, const ba_series *s)
{
	unsigned layouts = 0;
	for (size_t i = 0; i < r->run.variant_count; i++) {
		const ba_summary *v = &s->variants[i];
		BA_AUTO_FREE char *label = ba_text_safe(r->run.variants[i].label);
		if (!v->layouts)
			continue;
		ba_buf_puts(out, layouts ? ", " : "layout moves it by ");
		put_sd(out, v->layout_sd);
		ba_buf_printf(out, " %% in %s", label);
		layouts = v->layouts;
	}
	if (layouts)
		put_layout_count(out, layouts);
}

/* the same for all series: "layout moves host by 0.1 to 0.8 % (...)" */
static void layouts_text(
	ba_buf *out, const ba_result *r, const ba_series *const *series, size_t count)
{
	unsigned layouts = 0;
	double least = 0, most = 0;
	for (size_t k = 0; k < count; k++)
		BA_EACH (const ba_summary, v, series[k]->variants, r->run.variant_count) {
			if (!v->layouts)
				continue;
			least = layouts ? fmin(least, v->layout_sd) : v->layout_sd;
			most = layouts ? fmax(most, v->layout_sd) : v->layout_sd;
			layouts = v->layouts;
		}
	if (!layouts)
		return;
	ba_buf_printf(out, "layout moves %s by ", series[0]->info->name);
	if (most - least >= 0.0001) {
		put_sd(out, least);
		ba_buf_puts(out, " to ");
	}
	put_sd(out, most);
	ba_buf_puts(out, " %");
	put_layout_count(out, layouts);
}

/* how much code placement affects the times */
static void put_layouts(const ba_part *p)
{
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	for (size_t i = 0; p->s->o->verbose && i < p->count; i++) {
		BA_AUTO(ba_buf) ba_buf one = BA_BUF_INIT;
		BA_AUTO_FREE char *name = ba_part_name(p, p->series[i]);
		layout_text(&one, p->s->r, p->series[i]);
		if (one.len)
			ba_buf_printf(&line, "%s: %s\n", name, one.data);
	}
	if (!p->s->o->verbose)
		layouts_text(&line, p->s->r, p->series, p->count);
	if (line.len)
		ba_buf_printf(p->s->out, "%s%s", line.data, p->s->o->verbose ? "" : "\n");
}

void ba_term_metric(const ba_screen *s, ba_metric metric)
{
	ba_part p = {.s = s, .metric = metric, .info = ba_result_metric(s->r, metric)};
	BA_AUTO_FREE const ba_series **series = ba_xcalloc(s->r->series_count + 1, sizeof(*series));
	size_t all = ba_ranking_series(series, s->ranking, s->r, metric);
	for (size_t i = 0; i < all; i++)
		if (ba_part_has(&p, series[i]))
			series[p.count++] = series[i];
	p.series = series;
	p.common = common_axes(&p);
	p.unit = ba_unit_of_all(s->r, series, p.count, s->o->unicode);
	for (size_t i = 0; i < p.count; i++) {
		int decimals = ba_part_decimals(&p, series[i]);
		p.decimals = decimals > p.decimals ? decimals : p.decimals;
		p.decides = p.decides || series[i]->role == BA_ROLE_VERDICT;
	}
	title(&p);
	if (s->r->run.variant_count < 2)
		ba_part_figures_of_one(&p);
	for (size_t c = 1; c < s->r->run.variant_count; c++)
		ba_part_comparison(&p, c);
	put_layouts(&p);
}

/* "2310 ns", "2310 to 2402 ns" */
static void put_floor(ba_buf *out, const ba_legend *l)
{
	BA_AUTO(ba_buf) ba_buf least = BA_BUF_INIT, most = BA_BUF_INIT;
	ba_number_put(&least, l->least_floor, ba_number_decimals(l->least_floor, 0), false);
	ba_number_put(&most, l->most_floor, ba_number_decimals(l->most_floor, 0), false);
	if (strcmp(least.data, most.data) != 0)
		ba_buf_printf(out, "%s to ", least.data);
	ba_buf_printf(out, "%s ns", most.data);
}

static void explain(const ba_screen *s, const char *word, const char *meaning)
{
	BA_AUTO_FREE char *line = ba_xprintf("%s: %s", word, meaning);
	BA_AUTO(ba_buf) ba_buf folded = BA_BUF_INIT;
	ba_text_fold(&folded, line, ba_format_width(s->o), 2, 0);
	ba_ink_put(s->out, s->o->colour, BA_INK_DIM, folded.data);
	ba_buf_putc(s->out, '\n');
}

void ba_term_legend(const ba_screen *s)
{
	const ba_legend *l = s->legend;
	const char *plus_minus = s->o->unicode ? "±" : "+/-";
	if (!l->trimmed && !l->geometric)
		return;
	ba_buf_putc(s->out, '\n');
	if (l->trimmed)
		explain(s, "times",
			"trimmed means, of the middle half of the readings in each invocation");
	if (l->geometric)
		explain(s, "times", "geometric means of the values in the files");
	if (l->iqr)
		explain(s, plus_minus,
			"half the distance between the quartiles of all readings (iqr/2)");
	if (l->sd)
		explain(s, plus_minus,
			l->geometric ? "the standard deviation (sd) of the values"
				     : "the standard deviation (sd) of all readings");
	if (l->evidence)
		explain(s, "R, s, p",
			l->geometric
				? "the values of a side, the spread of their ratios, and the p-value of the verdict"
				: "the invocations, the spread of their changes, and the p-value of the verdict");
	if (!(l->most_floor > 0))
		return;
	BA_AUTO(ba_buf) ba_buf floor = BA_BUF_INIT;
	ba_buf_puts(&floor, "the part of this time that the bare driver call (");
	put_floor(&floor, l);
	ba_buf_puts(&floor, ") does not take");
	explain(s, "your code", floor.data);
}
