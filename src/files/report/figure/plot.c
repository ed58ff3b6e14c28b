#include "report/figure/plot.h"

#include "report/escape.h"

/* limit of an axis, because a file may contain any number */
#define FARTHEST 1e300
#define NEAREST 1e-300

enum {
	TICKS_MOST = 24,
	LABEL_COLUMNS = 14,
	COLOURS = 7, /* number of colours in figure.css, including the baseline's */
	TICKS = 5,
	/* how far numbers below the axis may extend beyond the right side */
	X_OVERHANG = 18,
	Y_GAP = 6, /* between a number and the frame */
};

double ba_scale_at(const ba_scale *s, double value)
{
	double low = s->low, high = s->high;
	if (s->log) {
		low = log(low);
		high = log(high);
		value = log(value);
	}
	double part = high > low ? (value - low) / (high - low) : 0.5;
	/* infinite values end at the frame, too */
	part = part > 1 ? 1 : part > 0 ? part : 0;
	return s->at_low + part * (s->at_high - s->at_low);
}

double ba_scale_step(double low, double high, unsigned count)
{
	double rough = (high - low) / count;
	if (!(rough > 0) || !isfinite(rough))
		return 1;
	double power = pow(10, floor(log10(rough)));
	double part = rough / power;
	return power * (part <= 1.0001 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

int ba_scale_decimals(double step)
{
	int decimals = (int)ceil(-log10(step) - 1e-9);
	return decimals < 0 ? 0 : decimals > 9 ? 9 : decimals;
}

void ba_scale_round(ba_scale *s, double low, double high, bool zero)
{
	low = fmin(fmax(low, -FARTHEST), FARTHEST);
	high = fmin(fmax(high, -FARTHEST), FARTHEST);
	if (zero)
		ba_widen(&low, &high, 0, 0);
	if (!(high > low)) {
		double pad = fabs(high) > 0 ? fabs(high) / 10 : 1;
		low -= zero ? 0 : pad;
		high += pad;
	}
	double step = ba_scale_step(low, high, TICKS);
	s->step = step;
	s->low = step * floor(low / step + 1e-9);
	s->high = step * ceil(high / step - 1e-9);
}

/* 1, 2, 5, 10, 20, ... : the one at or below `value` */
static double round_down(double value)
{
	double power = pow(10, floor(log10(value) + 1e-9));
	double part = value / power + 1e-9;
	return power * (part >= 5 ? 5 : part >= 2 ? 2 : 1);
}

static double next_round(double value)
{
	double power = pow(10, floor(log10(value) + 1e-9));
	double part = value / power;
	return power * (part < 1.5 ? 2 : part < 3 ? 5 : 10);
}

void ba_scale_decades(ba_scale *s, double low, double high)
{
	s->log = true;
	s->low = round_down(fmin(fmax(low, NEAREST), FARTHEST));
	s->high = round_down(fmin(fmax(high, NEAREST), FARTHEST));
	if (s->high < high * (1 - 1e-9))
		s->high = next_round(s->high);
}

void ba_plot_widen(double *low, double *high, double x)
{
	if (isfinite(x))
		ba_widen(low, high, x, x);
}

ba_plot ba_plot_frame(ba_buf *out, double left, double top, double right, double bottom)
{
	return (ba_plot){
		.out = out,
		.left = left,
		.top = top,
		.right = right,
		.bottom = bottom,
		.x = {.at_low = left, .at_high = right},
		.y = {.at_low = bottom, .at_high = top},
	};
}

void ba_plot_text(
	ba_plot *p, double x, double y, ba_anchor anchor, const char *style, const char *fmt, ...)
{
	static const char *const anchors[] = {
		"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
	BA_FORMATTED(text, fmt);
	ba_buf_printf(p->out, "<text x=\"%.1f\" y=\"%.1f\"%s", x, y, anchors[anchor]);
	if (style)
		ba_buf_printf(p->out, " class=\"%s\"", style);
	ba_markup_printf(p->out, ">%m</text>\n", text);
}

void ba_plot_line(ba_plot *p, double x1, double y1, double x2, double y2, const char *style)
{
	ba_buf_printf(
		p->out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", style, x1, y1, x2, y2);
}

void ba_plot_box(ba_plot *p, double x1, double y1, double x2, double y2, const char *style)
{
	ba_buf_printf(p->out,
		"<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
		style, fmin(x1, x2), fmin(y1, y2), fabs(x2 - x1), fabs(y2 - y1));
}

void ba_plot_name(ba_plot *p, double y, const char *text)
{
	ba_plot_box(p, 0, y - 13, p->right + X_OVERHANG, y + 4, "paper");
	ba_plot_text(p, 2, y, BA_ANCHOR_START, NULL, "%s", text);
}

static char *tick_text(double value, double step, bool sign)
{
	ba_buf text = BA_BUF_INIT;
	ba_number_put(&text, value, ba_scale_decimals(step), sign && value != 0);
	return ba_buf_detach(&text);
}

static double step_of(const ba_scale *s)
{
	return s->step > 0 ? s->step : ba_scale_step(s->low, s->high, TICKS);
}

/* How many whole steps the scale has from the first; 0: huge values round them away. */
static size_t ticks_of(double *first, const ba_scale *s)
{
	double step = step_of(s);
	*first = ceil(s->low / step - 1e-6);
	double count = floor((s->high + step * 1e-6) / step - *first) + 1;
	if (!(count > 0) || fabs(*first) > 1e9)
		return 0;
	return count < TICKS_MOST ? (size_t)count : TICKS_MOST;
}

typedef void put_tick(ba_plot *p, double value, double step, bool sign);

/* Ticks at 1, 2 and 5 for a few decades; at powers of ten for many. */
static void ticks_of_decades(ba_plot *p, const ba_scale *s, put_tick *put)
{
	bool few = s->high / s->low < 2000;
	double decades = log10(s->high / s->low);
	double every = fmax(1, ceil(decades / TICKS_MOST));
	double at = s->low;
	/* three a decade */
	for (size_t i = 0; i <= 3 * decades + 3 && at <= s->high * (1 + 1e-9); i++) {
		double power = log10(at) / every;
		if (few || fabs(power - round(power)) < 1e-6)
			put(p, at, at, false);
		at = next_round(at);
	}
}

static void ticks(ba_plot *p, const ba_scale *s, bool sign, put_tick *put)
{
	double step = step_of(s), first = 0;
	size_t count = s->log ? 0 : ticks_of(&first, s);
	if (s->log)
		ticks_of_decades(p, s, put);
	for (size_t i = 0; i < count; i++)
		put(p, (first + (double)i) * step, step, sign);
}

/* width of digits and signs, which are wider than most letters */
#define DIGIT 7.7

static double text_room(const char *text)
{
	return DIGIT * (double)ba_text_width(text);
}

static void x_tick(ba_plot *p, double value, double step, bool sign)
{
	double x = ba_scale_at(&p->x, value);
	BA_AUTO_FREE char *text = tick_text(value, step, sign);
	double half = text_room(text) / 2;
	ba_plot_line(p, x, p->top, x, p->bottom, "grid");
	/* a long number moves inwards, so that the picture's edge does not cut it */
	x = fmax(half, fmin(x, p->right + X_OVERHANG - half));
	ba_plot_text(p, x, p->bottom + 15, BA_ANCHOR_MIDDLE, "muted", "%s", text);
}

void ba_plot_x_axis(ba_plot *p, const char *name, bool sign)
{
	ticks(p, &p->x, sign, x_tick);
	ba_plot_text(
		p, (p->left + p->right) / 2, p->bottom + 32, BA_ANCHOR_MIDDLE, NULL, "%s", name);
}

static void y_tick(ba_plot *p, double value, double step, bool sign)
{
	double y = ba_scale_at(&p->y, value);
	BA_AUTO_FREE char *text = tick_text(value, step, sign);
	ba_plot_line(p, p->left, y, p->right, y, "grid");
	ba_plot_text(p, p->left - Y_GAP, y + 4, BA_ANCHOR_END, "muted", "%s", text);
}

/* moves the frame's left side to the right where a number would be cut */
static void y_room(ba_plot *p, double value, double step, bool sign)
{
	BA_AUTO_FREE char *text = tick_text(value, step, sign);
	double missing = text_room(text) + Y_GAP - p->left;
	if (missing > 0) {
		p->left += missing;
		p->x.at_low += missing;
	}
}

void ba_plot_y_axis(ba_plot *p, bool sign, const char *fmt, ...)
{
	BA_FORMATTED(name, fmt);
	ticks(p, &p->y, sign, y_room);
	ticks(p, &p->y, sign, y_tick);
	/* above the axis and not rotated, because this is easier to read */
	ba_plot_text(p, 2, p->top - 10, BA_ANCHOR_START, NULL, "%s", name);
}

unsigned ba_variant_colour(size_t variant)
{
	return variant ? (unsigned)((variant - 1) % (COLOURS - 1)) + 1 : 0;
}

size_t ba_plot_variants(const ba_result *r)
{
	return r->run.variant_count < BA_FIGURE_VARIANTS ? r->run.variant_count
							 : BA_FIGURE_VARIANTS;
}

void ba_plot_describe_rest(ba_picture *out, const ba_result *r, const char *lead)
{
	size_t rest = r->run.variant_count - ba_plot_variants(r);
	if (rest)
		ba_buf_printf(&out->desc, "%s%zu more %s not drawn", lead, rest,
			ba_plural(rest, "variant is", "variants are"));
}

char *ba_variant_label(const ba_result *r, size_t variant, size_t columns)
{
	BA_AUTO_FREE char *safe = ba_text_safe(r->run.variants[variant].label);
	return ba_text_shorten(safe, columns, true);
}

/* one for each colour: square, circle, triangle, diamond, triangle down, cross, pentagon */
static const char *const shapes[2][COLOURS] = {
	{"m-3.5 -3.5h7v7h-7z", "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", "m0 -4.8l4.6 8.2h-9.2z",
		"m0 -5l5 5l-5 5l-5 -5z", "m0 4.8l4.6 -8.2h-9.2z",
		"m-1.5 -4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z", "m0 -5l4.8 3.5l-1.9 5.5h-5.8l-1.9 -5.5z"},
	{"m-1.8 -1.8h3.6v3.6h-3.6z", "m-2 0a2 2 0 1 0 4 0a2 2 0 1 0 -4 0z", "m0 -2.5l2.4 4.2h-4.8z",
		"m0 -2.6l2.6 2.6l-2.6 2.6l-2.6 -2.6z", "m0 2.5l2.4 -4.2h-4.8z",
		"m-.8 -2.3h1.6v1.5h1.5v1.6h-1.5v1.5h-1.6v-1.5h-1.5v-1.6h1.5z",
		"m0 -2.6l2.5 1.8l-1 2.8h-3l-1 -2.8z"},
};

void ba_plot_mark(ba_plot *p, double x, double y, size_t variant, bool small)
{
	unsigned colour = ba_variant_colour(variant);
	ba_buf_printf(p->out, "<path class=\"f%u\" d=\"M%.1f %.1f%s\"/>\n", colour, x, y,
		shapes[small][colour]);
}

void ba_plot_interval(ba_plot *p, double x1, double x2, double y, size_t variant)
{
	ba_buf_printf(p->out, "<path class=\"s%u wide\" d=\"M%.1f %.1fH%.1f\"/>\n",
		ba_variant_colour(variant), x1, y, x2);
}

/* Capitals and some symbols are wide, and 'HEAD~' contains nothing else. */
static double wide_room(const char *text)
{
	double room = 0;
	for (; *text; text++)
		room += strchr("mwMWNOQGDH@%", *text)  ? 4.5
			: strchr("~^+=", *text)	       ? 3.6
			: *text >= 'A' && *text <= 'Z' ? 2.2
						       : 0;
	return room;
}

double ba_plot_end_label_room(const ba_result *r)
{
	double most = 0;
	for (size_t i = 0; i < ba_plot_variants(r); i++) {
		BA_AUTO_FREE char *label = ba_variant_label(r, i, LABEL_COLUMNS);
		double room = BA_PLOT_CHARACTER * (double)ba_text_width(label) + wide_room(label);
		most = fmax(most, room);
	}
	return 22 + most;
}

void ba_plot_end_labels(ba_plot *p, const ba_result *r, const double *y, size_t count)
{
	enum { LINE = 15 };
	size_t order[BA_FIGURE_VARIANTS], n = 0;
	double at[BA_FIGURE_VARIANTS];
	for (size_t i = 0; i < count && n < BA_FIGURE_VARIANTS; i++) {
		size_t k = n;
		if (isnan(y[i]))
			continue;
		for (; k && y[order[k - 1]] > y[i]; k--)
			order[k] = order[k - 1];
		order[k] = i;
		n++;
	}
	for (size_t k = 0; k < n; k++)
		at[k] = k ? fmax(y[order[k]], at[k - 1] + LINE) : y[order[k]];
	/* labels pushed out at the bottom push the others back up */
	for (size_t k = n; k-- > 0;)
		at[k] = fmin(at[k], k + 1 < n ? at[k + 1] - LINE : p->bottom);
	for (size_t k = 0; k < n; k++) {
		BA_AUTO_FREE char *text = ba_variant_label(r, order[k], LABEL_COLUMNS);
		ba_plot_mark(p, p->right + 10, at[k], order[k], false);
		ba_plot_text(p, p->right + 18, at[k] + 4, BA_ANCHOR_START, NULL, "%s", text);
	}
}

void ba_plot_threshold_y(ba_plot *p, const ba_comparison *c)
{
	if (c->threshold_slower > 0)
		ba_plot_box(p, p->left, ba_scale_at(&p->y, -100 * c->threshold_faster), p->right,
			ba_scale_at(&p->y, 100 * c->threshold_slower), "limit");
}
