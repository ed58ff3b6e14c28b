/* A benchmark's metric in the order of time: shows drift and disturbances. */

#include "report/figure/plot.h"
#include "report/view.h"
#include "stats/quantile.h"

enum {
	WIDTH = 420,
	HEIGHT = 290,
	BINS_MOST = 120,     /* over all invocations */
	READINGS_MOST = 360, /* limit for the figure that shows every reading */
	BLOCKS_MOST = 6,
};

/* ---- what both drawings share ---- */

static ba_plot begin(ba_picture *out, const ba_result *r)
{
	out->width = WIDTH;
	out->height = HEIGHT;
	return ba_plot_frame(&out->body, 46, 32, WIDTH - ba_plot_end_label_room(r), HEIGHT - 58);
}

static void y_axis(ba_plot *p, const ba_result *r, const ba_series *s, const char *what)
{
	ba_unit own = ba_unit_of_series(r, s, true);
	BA_AUTO_FREE char *unit = ba_unit_words(&own, s->info);
	BA_AUTO_FREE char *axis = ba_unit_axis(s->info, unit);
	ba_plot_y_axis(p, false, "%s; %s", axis, what);
}

/* Writes below the frame: the name of the x axis, and a note about the points. */
static void end(ba_plot *p, ba_picture *out, const ba_result *r, const ba_series *s,
	const double *ends, const char *x_name, const char *note)
{
	ba_plot_end_labels(p, r, ends, ba_plot_variants(r));
	ba_plot_text(
		p, (p->left + p->right) / 2, p->bottom + 32, BA_ANCHOR_MIDDLE, NULL, "%s", x_name);
	ba_plot_text(p, 2, p->bottom + 49, BA_ANCHOR_START, "muted", "%s", note);
	ba_buf_puts(&out->title, r->run.benchmarks[s->benchmark].id);
	ba_buf_puts(&out->desc, note);
}

/* ---- the whole run ---- */

typedef struct tour {
	const ba_series *s;
	size_t variants, blocks, per_bin;
	double per_ns;
	double *values; /* [variants][blocks], in the order of time */
} tour;

BA_OWNS_HERE(tour, t, free(t->values))

static size_t blocks_of(const ba_series *s)
{
	size_t blocks = 0;
	for (size_t i = 0; i < s->sample_count; i++)
		blocks += s->samples[i].blocks;
	return blocks;
}

/* A participant's time in a block: the mean of its readings' middle half; NaN: none. */
static double block_ns(const ba_samples *x, unsigned block, unsigned participant)
{
	size_t n = 0;
	BA_AUTO_FREE double *values =
		ba_xcalloc((size_t)x->positions * x->readings + 1, sizeof(*values));
	for (size_t p = 0; p < x->positions; p++) {
		size_t visit = (size_t)block * x->positions + p;
		if (x->order[visit] != participant)
			continue;
		for (size_t k = 0; k < x->readings; k++)
			values[n++] = (double)x->ns[visit * x->readings + k] / x->batch;
	}
	return n ? ba_trim25(values, n) : NAN;
}

static bool gather(tour *t, const ba_result *r, const ba_series *s)
{
	*t = (tour){.s = s,
		.variants = ba_plot_variants(r),
		.blocks = blocks_of(s),
		.per_ns = ba_unit_of_series(r, s, true).per_ns};
	if (!t->blocks)
		return false;
	t->per_bin = (t->blocks + BINS_MOST - 1) / BINS_MOST;
	t->values = ba_xcalloc(t->variants * t->blocks, sizeof(*t->values));
	bool any = false;
	for (size_t v = 0; v < t->variants; v++) {
		double *out = t->values + v * t->blocks;
		for (size_t i = 0; i < s->sample_count; i++)
			for (unsigned b = 0; b < s->samples[i].blocks; b++) {
				*out = block_ns(&s->samples[i], b, (unsigned)v) * t->per_ns;
				any = any || isfinite(*out);
				out++;
			}
	}
	return any;
}

/* Copies the finite ones of n values to out, sorted; returns how many. */
static size_t finite_sorted(double *out, const double *x, size_t n)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++)
		if (isfinite(x[i]))
			out[count++] = x[i];
	if (count)
		ba_sort_doubles(out, count);
	return count;
}

static void fit(ba_plot *p, const tour *t)
{
	double low = INFINITY, high = -INFINITY;
	BA_AUTO_FREE double *sorted = ba_xcalloc(t->blocks, sizeof(*sorted));
	for (size_t v = 0; v < t->variants; v++) {
		size_t n = finite_sorted(sorted, t->values + v * t->blocks, t->blocks);
		if (!n)
			continue;
		ba_widen(&low, &high, ba_quantile_sorted(sorted, n, 0.01),
			ba_quantile_sorted(sorted, n, 0.99));
	}
	ba_scale_round(&p->y, low, high, false);
	p->x.low = 0;
	p->x.high = (double)t->blocks;
}

/* Lines between invocations, with numbers if there is room, and block boundaries if far apart. */
static void boundaries(ba_plot *p, const tour *t)
{
	double at = 0, last = -INFINITY;
	for (size_t i = 0; i < t->s->sample_count; i++) {
		double blocks = t->s->samples[i].blocks;
		double x = ba_scale_at(&p->x, at), end = ba_scale_at(&p->x, at + blocks);
		if (i)
			ba_plot_line(p, x, p->top, x, p->bottom, "edge");
		if ((x + end) / 2 > last + 18) {
			last = (x + end) / 2;
			ba_plot_text(p, last, p->bottom + 15, BA_ANCHOR_MIDDLE, "muted", "%u",
				t->s->samples[i].invocation + 1);
		}
		at += blocks;
	}
	if (t->blocks > BINS_MOST)
		return;
	for (size_t b = 0; b <= t->blocks; b++) {
		double x = ba_scale_at(&p->x, (double)b);
		ba_plot_line(p, x, p->bottom, x, p->bottom + 4, "axis");
	}
}

typedef struct bin {
	double x, low, middle, high;
} bin;

/* The bins of one invocation, from block `from` of all blocks on; returns how many. */
static size_t bins_of(
	bin *out, const ba_plot *p, const tour *t, size_t variant, size_t from, size_t blocks)
{
	size_t count = 0;
	BA_AUTO_FREE double *sorted = ba_xcalloc(t->per_bin, sizeof(*sorted));
	const double *values = t->values + variant * t->blocks + from;
	for (size_t b = 0; b < blocks; b += t->per_bin) {
		size_t here = blocks - b < t->per_bin ? blocks - b : t->per_bin;
		size_t n = finite_sorted(sorted, values + b, here);
		if (!n)
			continue;
		out[count++] = (bin){
			.x = ba_scale_at(&p->x, (double)(from + b) + (double)here / 2),
			.low = ba_scale_at(&p->y, ba_quantile_sorted(sorted, n, 0.1)),
			.middle = ba_scale_at(&p->y, ba_quantile_sorted(sorted, n, 0.5)),
			.high = ba_scale_at(&p->y, ba_quantile_sorted(sorted, n, 0.9)),
		};
	}
	return count;
}

static void draw_bins(ba_plot *p, const bin *bins, size_t n, size_t variant)
{
	unsigned colour = ba_variant_colour(variant);
	if (n > 1) {
		ba_buf_printf(p->out, "<path class=\"a%u\" d=\"M", colour);
		for (size_t i = 0; i < n; i++)
			ba_buf_printf(p->out, "%s%.1f %.1f", i ? "L" : "", bins[i].x, bins[i].high);
		for (size_t i = n; i-- > 0;)
			ba_buf_printf(p->out, "L%.1f %.1f", bins[i].x, bins[i].low);
		ba_buf_puts(p->out, "z\"/>\n");
	}
	ba_buf_printf(p->out, "<path class=\"s%u\" d=\"", colour);
	for (size_t i = 0; i < n; i++)
		ba_buf_printf(p->out, "%c%.1f %.1f", i ? 'L' : 'M', bins[i].x, bins[i].middle);
	/* a line with a single point is drawn as a dot */
	ba_buf_puts(p->out, n == 1 ? "h1\"/>\n" : "\"/>\n");
}

/* returns the height of the last bin, NaN without one */
static double draw_tour(ba_plot *p, const tour *t, size_t variant)
{
	double last = NAN;
	size_t from = 0;
	BA_AUTO_FREE bin *bins = ba_xcalloc(t->blocks / t->per_bin + 2, sizeof(*bins));
	for (size_t i = 0; i < t->s->sample_count; i++) {
		size_t blocks = t->s->samples[i].blocks;
		size_t n = bins_of(bins, p, t, variant, from, blocks);
		if (n) {
			draw_bins(p, bins, n, variant);
			last = bins[n - 1].middle;
		}
		from += blocks;
	}
	return last;
}

bool ba_draw_order(ba_picture *out, const ba_result *r, const ba_figure_subject *what)
{
	const ba_series *s = what->series;
	BA_AUTO(tour) tour t = {0};
	if (!gather(&t, r, s))
		return false;
	double ends[BA_FIGURE_VARIANTS];
	ba_plot p = begin(out, r);
	BA_AUTO_FREE char *note =
		t.per_bin > 1
			? ba_xprintf("each point stands for %zu of %zu blocks", t.per_bin, t.blocks)
			: ba_xprintf("each point is one of %zu blocks", t.blocks);
	fit(&p, &t);
	y_axis(&p, r, s, "line: median, area: 10 to 90 %");
	boundaries(&p, &t);
	for (size_t v = 0; v < t.variants; v++)
		ends[v] = draw_tour(&p, &t, v);
	ba_buf_printf(&out->title, "%s in the order of time: ", s->info->name);
	ba_buf_printf(&out->desc, "%zu %s with %zu %s; ", s->sample_count,
		ba_plural(s->sample_count, "invocation", "invocations"), t.blocks,
		ba_plural(t.blocks, "block", "blocks"));
	end(&p, out, r, s, ends, "invocation, in the order of time", note);
	return true;
}

/* ---- the first blocks, every reading ---- */

static unsigned blocks_that_fit(const ba_samples *x)
{
	size_t each = (size_t)x->positions * x->readings;
	size_t fit_in = each ? READINGS_MOST / each : 0;
	fit_in = fit_in < 2 ? 2 : fit_in > BLOCKS_MOST ? BLOCKS_MOST : fit_in;
	return fit_in < x->blocks ? (unsigned)fit_in : x->blocks;
}

static void fit_blocks(
	ba_plot *p, const ba_samples *x, unsigned blocks, size_t variants, double per_ns)
{
	size_t count = 0;
	double low = INFINITY, high = -INFINITY;
	size_t all = (size_t)blocks * x->positions * x->readings;
	BA_AUTO_FREE double *sorted = ba_xcalloc(all + 1, sizeof(*sorted));
	for (size_t v = 0; v < variants; v++) {
		count = 0;
		for (size_t i = 0; i < all; i++)
			if (x->order[i / x->readings] == v)
				sorted[count++] = (double)x->ns[i] / x->batch * per_ns;
		if (!count)
			continue;
		ba_sort_doubles(sorted, count);
		ba_widen(&low, &high, sorted[0], ba_quantile_sorted(sorted, count, 0.95));
	}
	ba_scale_round(&p->y, low, high, false);
	p->x.low = 0;
	p->x.high = (double)all;
}

static void block_edges(ba_plot *p, const ba_samples *x, unsigned blocks)
{
	size_t each = (size_t)x->positions * x->readings;
	for (unsigned b = 0; b < blocks; b++) {
		double from = ba_scale_at(&p->x, (double)(b * each));
		double to = ba_scale_at(&p->x, (double)((b + 1) * each));
		if (b)
			ba_plot_line(p, from, p->top, from, p->bottom, "edge");
		ba_plot_text(
			p, (from + to) / 2, p->bottom + 15, BA_ANCHOR_MIDDLE, "muted", "%u", b + 1);
	}
}

/* ends[variant]: the height of its first reading. Returns how many are above the frame. */
static size_t draw_readings(
	ba_plot *p, const ba_samples *x, unsigned blocks, double per_ns, double *ends)
{
	size_t all = (size_t)blocks * x->positions * x->readings, high = 0;
	for (size_t i = 0; i < all; i++) {
		unsigned v = x->order[i / x->readings];
		double value = (double)x->ns[i] / x->batch * per_ns;
		if (v >= BA_FIGURE_VARIANTS)
			continue;
		high += value > p->y.high;
		double y = ba_scale_at(&p->y, value);
		ends[v] = isnan(ends[v]) ? y : ends[v];
		ba_plot_mark(p, ba_scale_at(&p->x, (double)i + 0.5), y, v, true);
	}
	return high;
}

bool ba_draw_blocks(ba_picture *out, const ba_result *r, const ba_figure_subject *what)
{
	const ba_series *s = what->series;
	if (!s->sample_count || !s->samples[0].blocks || !s->samples[0].readings)
		return false;
	const ba_samples *x = &s->samples[0];
	unsigned blocks = blocks_that_fit(x);
	double ends[BA_FIGURE_VARIANTS];
	for (size_t v = 0; v < BA_FIGURE_VARIANTS; v++)
		ends[v] = NAN;
	double per_ns = ba_unit_of_series(r, s, true).per_ns;
	ba_plot p = begin(out, r);
	fit_blocks(&p, x, blocks, ba_plot_variants(r), per_ns);
	y_axis(&p, r, s, "every reading");
	block_edges(&p, x, blocks);
	size_t high = draw_readings(&p, x, blocks, per_ns, ends);
	BA_AUTO_FREE char *note =
		high ? ba_xprintf("%u of %u blocks; %zu slower readings lie at the upper edge",
			       blocks, x->blocks, high)
		     : ba_xprintf("%u of %u blocks", blocks, x->blocks);
	ba_buf_printf(&out->title, "%s, the first blocks: ", s->info->name);
	end(&p, out, r, s, ends, "block of the first invocation, in the order of time", note);
	return true;
}
