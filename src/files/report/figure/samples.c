/* A benchmark's metric: how readings are distributed, and the result of each invocation. */

#include "report/figure/plot.h"
#include "report/view.h"
#include "stats/quantile.h"

enum {
	WIDTH = 420,
	BINS = 120,
	RIDGE = 40,	  /* height of the highest bin */
	ROW = RIDGE + 32, /* of one variant */
	READINGS_MOST = 20000,
	PANEL = 150, /* height of the panel with one candidate's invocations */
	REST_TEXT = 160,
};

/* ---- distribution ---- */

typedef struct crowd {
	double *x; /* sorted, in the metric's unit */
	size_t count, total;
} crowd;

typedef struct crowds {
	crowd of[BA_FIGURE_VARIANTS];
} crowds;

BA_OWNS_HERE(crowds, c, BA_EMPTY_EACH(one, c->of, BA_FIGURE_VARIANTS, free(one->x)))

static size_t count_of(const ba_samples *x, unsigned participant)
{
	size_t visits = 0;
	for (size_t i = 0; i < (size_t)x->blocks * x->positions; i++)
		visits += x->order[i] == participant;
	return visits * x->readings;
}

/* The readings of one participant over all invocations, or evenly chosen ones if there are
 * more than READINGS_MOST; *total is their full number. Caller frees; NULL if none. */
static double *readings_of(size_t *count, size_t *total, const ba_series *s, unsigned participant)
{
	size_t all = 0, seen = 0, n = 0;
	for (size_t i = 0; i < s->sample_count; i++)
		all += count_of(&s->samples[i], participant);
	*total = all;
	*count = 0;
	if (!all)
		return NULL;
	size_t step = (all + READINGS_MOST - 1) / READINGS_MOST;
	double *out = ba_xcalloc(all / step + 1, sizeof(*out));
	BA_EACH (const ba_samples, x, s->samples, s->sample_count) {
		for (size_t v = 0; v < (size_t)x->blocks * x->positions; v++) {
			if (x->order[v] != participant)
				continue;
			for (size_t k = 0; k < x->readings; k++)
				if (seen++ % step == 0)
					out[n++] = (double)x->ns[v * x->readings + k] / x->batch;
		}
	}
	*count = n;
	return out;
}

static bool gather(crowds *out, const ba_result *r, const ba_series *s)
{
	double per_ns = ba_unit_of_series(r, s, true).per_ns;
	bool any = false;
	for (size_t v = 0; v < ba_plot_variants(r); v++) {
		crowd *c = &out->of[v];
		c->x = readings_of(&c->count, &c->total, s, (unsigned)v);
		for (size_t i = 0; i < c->count; i++)
			c->x[i] *= per_ns;
		if (c->count)
			ba_sort_doubles(c->x, c->count);
		any = any || c->count;
	}
	return any;
}

/* The axis spans the quantiles 0.5 % to 97.5 % of all variants: a tail of outliers would
 * flatten the rest. A note says how many readings lie outside. */
static void fit_distribution(ba_plot *p, const crowds *all)
{
	double low = INFINITY, high = -INFINITY;
	BA_EACH (const crowd, c, all->of, BA_FIGURE_VARIANTS) {
		if (!c->count)
			continue;
		ba_widen(&low, &high, ba_quantile_sorted(c->x, c->count, 0.005),
			ba_quantile_sorted(c->x, c->count, 0.975));
	}
	ba_scale_round(&p->x, low, high, false);
}

static void ridge(ba_plot *p, const crowd *c, size_t variant, double base)
{
	size_t bins[BINS] = {0}, most = 0;
	for (size_t i = 0; i < c->count; i++) {
		double part = (c->x[i] - p->x.low) / (p->x.high - p->x.low);
		if (part < 0 || part > 1)
			continue;
		size_t bin = (size_t)fmin(part * BINS, BINS - 1);
		most = ++bins[bin] > most ? bins[bin] : most;
	}
	if (!most)
		return;
	double width = (p->right - p->left) / BINS;
	ba_buf_printf(p->out, "<path class=\"a%u\" d=\"M%.1f %.1f", ba_variant_colour(variant),
		p->left, base);
	for (size_t i = 0; i < BINS; i++) {
		size_t run = 1; /* number of neighbouring bins with the same height */
		while (i + run < BINS && bins[i + run] == bins[i])
			run++;
		i += run - 1;
		ba_buf_printf(p->out, "V%.1fH%.1f", base - RIDGE * (double)bins[i] / (double)most,
			p->left + width * (double)(i + 1));
	}
	ba_buf_printf(p->out, "V%.1fz\"/>\n", base);
}

static void whisker(ba_plot *p, const crowd *c, size_t variant, double at, double y)
{
	unsigned colour = ba_variant_colour(variant);
	const double ends[] = {0.05, 0.95, 0.25, 0.75};
	double x[4];
	for (size_t i = 0; i < 4; i++)
		x[i] = ba_scale_at(&p->x, ba_quantile_sorted(c->x, c->count, ends[i]));
	ba_buf_printf(p->out,
		"<path class=\"s%u\" d=\"M%.1f %.1fH%.1f\"/>\n"
		"<path class=\"s%u thick\" d=\"M%.1f %.1fH%.1f\"/>\n",
		colour, x[0], y, x[1], colour, x[2], y, x[3]);
	ba_plot_mark(p, ba_scale_at(&p->x, at), y, variant, false);
}

static void distribution_row(ba_plot *p, ba_picture *out, const ba_result *r, const ba_series *s,
	const crowd *c, size_t variant, double top)
{
	ba_unit own = ba_unit_of_series(r, s, true);
	BA_AUTO_FREE char *label = ba_variant_label(r, variant, 20);
	BA_AUTO_FREE char *unit = ba_unit_words(&own, s->info);
	double base = top + RIDGE + 18;
	double at = ba_central_ns(s, &s->variants[variant]) * own.per_ns;
	double p5 = ba_quantile_sorted(c->x, c->count, 0.05);
	double p95 = ba_quantile_sorted(c->x, c->count, 0.95);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_plot_mark(p, 8, top + 8, variant, false);
	ba_plot_text(p, 18, top + 12, BA_ANCHOR_START, "strong", "%s", label);
	int decimals = ba_number_decimals(at, p95 - p5);
	int three = ba_number_decimals(at, NAN);
	decimals = decimals > three ? decimals : three;
	ba_buf_printf(&text, "%.*f %s, %zu %s", decimals, at, unit, c->total,
		ba_plural(c->total, "reading", "readings"));
	ba_plot_text(p, WIDTH - 4, top + 12, BA_ANCHOR_END, "muted", "%s", text.data);
	ridge(p, c, variant, base);
	whisker(p, c, variant, at, base + 5);
	ba_buf_printf(&out->desc, "%s: %s, middle nine tenths %.*f to %.*f; ",
		r->run.variants[variant].label, text.data, decimals, p5, decimals, p95);
}

static void beyond_text(ba_buf *out, const ba_plot *p, const crowds *all, const char *unit)
{
	size_t beyond = 0, count = 0;
	double most = 0;
	BA_EACH (const crowd, c, all->of, BA_FIGURE_VARIANTS) {
		count += c->count;
		for (size_t i = 0; i < c->count; i++)
			beyond += c->x[i] < p->x.low || c->x[i] > p->x.high;
		if (c->count)
			most = fmax(most, c->x[c->count - 1]);
	}
	if (beyond)
		ba_buf_printf(out, "%.1f %% of the readings lie outside; the slowest: %.*f %s",
			100 * (double)beyond / (double)count, ba_number_decimals(most, NAN), most,
			unit);
}

bool ba_draw_distribution(ba_picture *out, const ba_result *r, const ba_figure_subject *what)
{
	const ba_series *s = what->series;
	const ba_metric_info *info = s->info;
	BA_AUTO(crowds) crowds all = {0};
	if (!gather(&all, r, s))
		return false;
	size_t rows = BA_HOW_MANY(all.of, BA_FIGURE_VARIANTS, x, x->count > 0);
	out->width = WIDTH;
	out->height = (double)rows * ROW + 70;
	ba_plot p = ba_plot_frame(&out->body, 10, 4, WIDTH - 20, (double)rows * ROW + 14);
	ba_unit own = ba_unit_of_series(r, s, true);
	BA_AUTO_FREE char *unit = ba_unit_words(&own, info);
	BA_AUTO_FREE char *axis = ba_unit_axis(info, unit);
	BA_AUTO(ba_buf) ba_buf beyond = BA_BUF_INIT;
	fit_distribution(&p, &all);
	ba_plot_x_axis(&p, axis, false);
	double top = 0;
	for (size_t v = 0; v < BA_FIGURE_VARIANTS; v++) {
		if (!all.of[v].count)
			continue;
		distribution_row(&p, out, r, s, &all.of[v], v, top);
		top += ROW;
	}
	beyond_text(&beyond, &p, &all, unit);
	ba_plot_text(&p, 2, out->height - 6, BA_ANCHOR_START, "muted", "%s", beyond.data);
	ba_buf_printf(&out->title, "readings of %s: ", axis);
	ba_buf_puts(&out->title, r->run.benchmarks[s->benchmark].id);
	ba_buf_puts(&out->desc, beyond.data);
	return true;
}

/* ---- invocations ---- */

static void fit_invocations(ba_plot *p, const ba_comparison *c)
{
	double low = 0, high = 0;
	for (size_t i = 0; i < c->y_count; i++)
		ba_plot_widen(&low, &high, 100 * expm1(c->y[i]));
	if (c->low > 0 && isfinite(c->high))
		ba_widen(&low, &high, 100 * (c->low - 1), 100 * (c->high - 1));
	ba_widen(&low, &high, -110 * c->threshold_faster, 110 * c->threshold_slower);
	ba_scale_round(&p->y, low, high, true);
	p->x.low = 0.5;
	p->x.high = (double)c->y_count + 0.5;
}

static void invocation_numbers(ba_plot *p, size_t count)
{
	size_t step = (size_t)ba_scale_step(0, (double)count, 12);
	step = step ? step : 1;
	for (size_t i = step == 1 ? 1 : step; i <= count; i += step)
		ba_plot_text(p, ba_scale_at(&p->x, (double)i), p->bottom + 15, BA_ANCHOR_MIDDLE,
			"muted", "%zu", i);
}

static void candidate_panel(
	ba_picture *out, const ba_result *r, const ba_series *s, size_t v, double top)
{
	const ba_comparison *c = &s->comparisons[v - 1];
	unsigned colour = ba_variant_colour(v);
	BA_AUTO_FREE char *label = ba_variant_label(r, v, 20);
	ba_plot p = ba_plot_frame(&out->body, 46, top + 24, WIDTH - REST_TEXT, top + PANEL - 26);
	fit_invocations(&p, c);
	ba_plot_y_axis(&p, true, "%s, change in %%; grey: threshold", label);
	ba_plot_threshold_y(&p, c);
	double zero = ba_scale_at(&p.y, 0);
	ba_plot_line(&p, p.left, zero, p.right, zero, "axis");
	invocation_numbers(&p, c->y_count);
	for (size_t i = 0; i < c->y_count; i++)
		ba_plot_mark(&p, ba_scale_at(&p.x, (double)i + 1),
			ba_scale_at(&p.y, 100 * expm1(c->y[i])), v, false);
	ba_change change = ba_change_of(s, v);
	double at = ba_scale_at(&p.y, 100 * (c->ratio - 1));
	if (c->low > 0 && c->high >= c->low)
		ba_buf_printf(p.out, "<path class=\"s%u wide\" d=\"M%.1f %.1fV%.1f\"/>\n", colour,
			p.right + 16, ba_scale_at(&p.y, 100 * (c->low - 1)),
			ba_scale_at(&p.y, 100 * (c->high - 1)));
	ba_plot_mark(&p, p.right + 16, at, v, false);
	const ba_word text = ba_percent_of(c->ratio, c->low, c->high);
	const ba_word interval = ba_interval_of(c->low, c->high);
	double y = fmin(fmax(at, p.top + 6), p.bottom - 16);
	ba_plot_text(&p, p.right + 28, y + 4, BA_ANCHOR_START, "strong", "%s", text.text);
	if (change.known && !isnan(change.low))
		ba_plot_text(
			&p, p.right + 28, y + 19, BA_ANCHOR_START, "muted", "%s", interval.text);
	ba_buf_printf(&out->desc, "%s: %s, interval %s, from %zu %s; ", r->run.variants[v].label,
		text.text, interval.text, c->y_count,
		ba_plural(c->y_count, "invocation", "invocations"));
}

bool ba_draw_invocations(ba_picture *out, const ba_result *r, const ba_figure_subject *what)
{
	const ba_series *s = what->series;
	double top = 4;
	for (size_t v = 1; v < ba_plot_variants(r); v++) {
		if (!s->comparisons[v - 1].y_count)
			continue;
		candidate_panel(out, r, s, v, top);
		top += PANEL;
	}
	if (!(top > 4))
		return false;
	out->width = WIDTH;
	out->height = top + 20;
	ba_plot p = ba_plot_frame(&out->body, 46, 0, WIDTH - REST_TEXT, top - 20);
	ba_plot_text(&p, (p.left + p.right) / 2, out->height - 14, BA_ANCHOR_MIDDLE, NULL,
		"invocation (a fresh process)");
	ba_buf_printf(
		&out->title, "change of %s in each invocation: ", ba_metric_get(s->metric)->name);
	ba_buf_puts(&out->title, r->run.benchmarks[s->benchmark].id);
	return true;
}
