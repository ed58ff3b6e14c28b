/* Plots time, and its change, over an axis: the number of arguments, a size, a type. */

#include "report/figure/plot.h"
#include "report/view.h"

enum { WIDTH = 420, HEIGHT = 286 };

/* one value with its spread; NaN: not known */
typedef struct value {
	double at, low, high;
} value;

typedef value value_of(const ba_result *r, const ba_series *s, size_t variant);

static const value unknown = {NAN, NAN, NAN};

static value absolute(const ba_result *r, const ba_series *s, size_t variant)
{
	const ba_summary *v = &s->variants[variant];
	double at = ba_central_ns(s, v);
	if (ba_presence_of(r, s, variant) != BA_PRESENCE_MEASURED)
		return unknown;
	bool quantiles = v->min > 0 && v->p95 >= at;
	double low = quantiles ? v->min : at - v->stdev;
	double high = quantiles ? v->p95 : at + v->stdev;
	return (value){at, fmax(0, low), high};
}

static value percent(const ba_result *r, const ba_series *s, size_t variant)
{
	ba_change c = ba_change_of(s, variant);
	if (!c.known)
		return unknown;
	return (value){100 * (c.ratio - 1), 100 * (c.low - 1), 100 * (c.high - 1)};
}

static value delta(const ba_result *r, const ba_series *s, size_t variant)
{
	ba_change c = ba_change_of(s, variant);
	double base = ba_central_ns(s, &s->variants[0]);
	if (!c.known)
		return unknown;
	/* the interval of the ratio, centred on the difference */
	double at = c.delta_ns;
	return (value){at, at + (c.low - c.ratio) * base, at + (c.high - c.ratio) * base};
}

/* throughput of arithmetic if it is stated, else of memory */
static value throughput(const ba_result *r, const ba_series *s, size_t variant)
{
	const ba_summary *v = &s->variants[variant];
	ba_throughput t = ba_throughput_of(r, s, variant);
	double at = t.gflop_per_s > 0 ? t.gflop_per_s / 1e3 : t.gb_per_s;
	double ns = v->trimmed; /* the time that the throughput is computed from */
	if (ba_presence_of(r, s, variant) != BA_PRESENCE_MEASURED || !(at > 0))
		return unknown;
	bool quantiles = v->min > 0 && v->p95 >= ns;
	return (value){at, quantiles ? at * ns / v->p95 : NAN, quantiles ? at * ns / v->min : NAN};
}

typedef struct kind {
	value_of *value;
	size_t first; /* variant */
	bool sign, thresholds, rate;
	const char *what; /* "change of " */
	const char *unit; /* NULL: the unit of the metric */
	const char *spread;
	ba_unit time; /* the unit for times in this sweep */
} kind;

static const kind kinds[] = {
	{.value = absolute, .what = "", .spread = "bars: least to 95th percentile"},
	{.value = delta,
		.first = 1,
		.sign = true,
		.what = "change of ",
		.spread = "bars: interval"},
	{.value = percent,
		.first = 1,
		.sign = true,
		.thresholds = true,
		.what = "change of ",
		.unit = "%",
		.spread = "bars: interval, grey: threshold"},
	{.value = throughput,
		.rate = true,
		.what = "throughput, ",
		.spread = "bars: 95th percentile to best"},
};
enum { OVERHEAD_PANELS = 3 };

/* a value in the unit of the axis */
static value value_at(const kind *k, const ba_result *r, const ba_series *s, size_t variant)
{
	value v = k->value(r, s, variant);
	if (!k->unit && !k->rate) {
		v.at *= k->time.per_ns;
		v.low *= k->time.per_ns;
		v.high *= k->time.per_ns;
	}
	return v;
}

/* The kind with the unit for this sweep: one unit for all points, that of the smallest. */
static kind kind_for(const ba_result *r, const ba_sweep *s, const kind *k)
{
	kind own = *k;
	double least = INFINITY;
	for (size_t i = 0; i < s->count; i++)
		for (size_t v = 0; v < ba_plot_variants(r); v++)
			least = fmin(least, absolute(r, s->points[i].series, v).at);
	own.time = ba_unit_for(ba_result_metric(r, s->metric), isfinite(least) ? least : 0, true);
	return own;
}

/* caller frees */
static char *unit_of(const ba_result *r, const ba_sweep *s, const kind *k)
{
	if (k->rate) {
		const ba_series *first = s->points[0].series;
		bool arithmetic = r->run.benchmarks[first->benchmark].flop > 0;
		return ba_xstrdup(arithmetic ? "TFLOP/s" : "GB/s");
	}
	return k->unit ? ba_xstrdup(k->unit)
		       : ba_unit_words(&k->time, ba_result_metric(r, s->metric));
}

static void fit(ba_plot *p, const ba_result *r, const ba_sweep *s, const kind *k)
{
	double low = 0, high = 0, least = INFINITY;
	for (size_t i = 0; i < s->count; i++) {
		const ba_series *series = s->points[i].series;
		for (size_t v = k->first; v < ba_plot_variants(r); v++) {
			value y = value_at(k, r, series, v);
			least = fmin(least, fmin(y.at, y.low));
			ba_plot_widen(&low, &high, y.at);
			ba_plot_widen(&low, &high, y.low);
			ba_plot_widen(&low, &high, y.high);
		}
		if (k->thresholds) {
			const ba_comparison *c = &series->comparisons[0];
			ba_plot_widen(&low, &high, 125 * c->threshold_slower);
			ba_plot_widen(&low, &high, -125 * c->threshold_faster);
		}
	}
	/* for decades, a linear axis from zero would put most times on it */
	if (!k->sign && least > 0 && high / least > 30)
		ba_scale_decades(&p->y, least, high);
	else
		ba_scale_round(&p->y, low, high, true);
	p->x.low = s->points[0].x;
	p->x.high = s->points[s->count - 1].x;
	p->x.log = s->numeric && p->x.low > 0 && p->x.high / p->x.low >= 32;
}

static void x_axis(ba_plot *p, const ba_sweep *s)
{
	double last = -INFINITY;
	/* labels have the room between their positions */
	double room = (p->right - p->left) / (double)s->count / BA_PLOT_CHARACTER;
	for (size_t i = 0; i < s->count; i++) {
		double x = ba_scale_at(&p->x, s->points[i].x);
		BA_AUTO_FREE char *safe = ba_text_safe(s->points[i].text);
		BA_AUTO_FREE char *text =
			ba_text_shorten(safe, s->numeric ? 12 : (size_t)fmax(4, room), true);
		double half = BA_PLOT_CHARACTER * (double)ba_text_width(text) / 2;
		if (x - half < last + 6)
			continue;
		ba_plot_text(p, x, p->bottom + 15, BA_ANCHOR_MIDDLE, "muted", "%s", text);
		last = x + half;
	}
	bool args = strcmp(s->axis, "args") == 0;
	BA_AUTO_FREE char *safe = ba_text_safe(s->axis);
	BA_AUTO_FREE char *axis = ba_text_shorten(safe, 40, true);
	ba_plot_text(p, (p->left + p->right) / 2, p->bottom + 32, BA_ANCHOR_MIDDLE, NULL, "%s%s",
		args ? "number of arguments" : axis, p->x.log ? " (logarithmic)" : "");
	double zero = p->y.log ? p->bottom : ba_scale_at(&p->y, 0);
	ba_plot_line(p, p->left, zero, p->right, zero, "axis");
}

/* returns the height of the last point, NaN without one */
static double draw_variant(
	ba_plot *p, const ba_result *r, const ba_sweep *s, const kind *k, size_t variant)
{
	/* how far its marks are moved aside from those of the others */
	double middle = (double)(ba_plot_variants(r) - 1 + k->first) / 2;
	double last = NAN, shift = 5 * ((double)variant - middle);
	unsigned colour = ba_variant_colour(variant);
	bool joined = false;
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	for (size_t i = 0; i < s->count; i++) {
		value v = value_at(k, r, s->points[i].series, variant);
		double x = ba_scale_at(&p->x, s->points[i].x) + shift;
		if (!isfinite(v.at)) {
			joined = false; /* values that were not measured leave a gap */
			continue;
		}
		last = ba_scale_at(&p->y, v.at);
		if (s->numeric)
			ba_buf_printf(&line, "%c%.1f %.1f", joined ? 'L' : 'M', x, last);
		joined = true;
		if (!isnan(v.low) && !isnan(v.high))
			ba_buf_printf(p->out, "<path class=\"s%u\" d=\"M%.1f %.1fV%.1f\"/>\n",
				colour, x, ba_scale_at(&p->y, v.low), ba_scale_at(&p->y, v.high));
		ba_plot_mark(p, x, last, variant, false);
	}
	if (line.len)
		ba_buf_printf(p->out, "<path class=\"s%u\" d=\"%s\"/>\n", colour, line.data);
	return last;
}

static bool can_draw(const ba_result *r, const ba_sweep *s, const kind *k)
{
	for (size_t i = 0; i < s->count; i++)
		for (size_t v = k->first; v < ba_plot_variants(r); v++)
			if (isfinite(k->value(r, s->points[i].series, v).at))
				return true;
	return false;
}

static void panel(ba_picture *out, const ba_result *r, const ba_sweep *s, const kind *k)
{
	const ba_metric_info *info = ba_metric_get(s->metric);
	BA_AUTO_FREE char *unit = unit_of(r, s, k);
	double ends[BA_FIGURE_VARIANTS];
	ba_plot p =
		ba_plot_frame(&out->body, 46, 32, WIDTH - ba_plot_end_label_room(r), HEIGHT - 40);
	fit(&p, r, s, k);
	BA_AUTO_FREE char *axis = ba_unit_axis(info, unit);
	/* room for marks that are moved aside */
	double room = 6 + 2.5 * (double)ba_plot_variants(r);
	p.x.at_low += room;
	p.x.at_high -= room;
	ba_plot_y_axis(&p, k->sign, "%s%s%s; %s", k->what, axis, p.y.log ? " (logarithmic)" : "",
		k->spread);
	if (k->thresholds)
		ba_plot_threshold_y(&p, &s->points[0].series->comparisons[0]);
	x_axis(&p, s);
	for (size_t v = 0; v < ba_plot_variants(r); v++)
		ends[v] = v < k->first ? NAN : draw_variant(&p, r, s, k, v);
	ba_plot_end_labels(&p, r, ends, ba_plot_variants(r));
}

static void describe(ba_picture *out, const ba_result *r, const ba_sweep *s, const kind *k)
{
	const ba_metric_info *info = ba_metric_get(s->metric);
	BA_AUTO_FREE char *unit = unit_of(r, s, k);
	ba_buf_printf(&out->title, "%s%s over %s: ", k->what, info->name,
		strcmp(s->axis, "args") == 0 ? "the number of arguments" : s->axis);
	ba_sweep_text(&out->title, r, s);
	for (size_t v = k->first; v < ba_plot_variants(r); v++) {
		value first = value_at(k, r, s->points[0].series, v);
		value last = value_at(k, r, s->points[s->count - 1].series, v);
		ba_buf_printf(
			&out->desc, "%s%s: ", v > k->first ? "; " : "", r->run.variants[v].label);
		if (isfinite(first.at) && isfinite(last.at))
			ba_buf_printf(&out->desc, "%.4g %s at %s, %.4g %s at %s", first.at, unit,
				s->points[0].text, last.at, unit, s->points[s->count - 1].text);
		else
			ba_buf_puts(&out->desc, "not measured at one end");
	}
	ba_plot_describe_rest(out, r, "; ");
}

bool ba_draw_sweep(ba_picture *out, const ba_result *r, const ba_figure_subject *what)
{
	const kind *k = &kinds[what->which];
	if (!can_draw(r, what->sweep, k))
		return false;
	kind own = kind_for(r, what->sweep, k);
	out->width = WIDTH;
	out->height = HEIGHT;
	panel(out, r, what->sweep, &own);
	describe(out, r, what->sweep, &own);
	return true;
}

/* Draws those of the three panels that have data, side by side. */
bool ba_draw_overhead(ba_picture *out, const ba_result *r, const ba_figure_subject *what)
{
	out->height = HEIGHT;
	for (size_t i = 0; i < OVERHEAD_PANELS; i++) {
		if (!can_draw(r, what->sweep, &kinds[i]))
			continue;
		ba_buf_printf(&out->body, "<g transform=\"translate(%g 0)\">\n", out->width);
		kind own = kind_for(r, what->sweep, &kinds[i]);
		panel(out, r, what->sweep, &own);
		ba_buf_puts(&out->body, "</g>\n");
		out->width += WIDTH + (i < 2 ? 12 : 0);
	}
	kind time = kind_for(r, what->sweep, &kinds[0]);
	if (out->width > 0)
		describe(out, r, what->sweep, &time);
	return out->width > 0;
}
