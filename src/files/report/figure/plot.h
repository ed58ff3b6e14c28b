/* The elements of plots: a frame, two scales, marks and words. */
#pragma once

#include "report/figure/figure.h"

typedef struct ba_scale {
	double low, high;	/* data */
	double at_low, at_high; /* coordinates on the page */
	bool log;
	double step; /* between ticks; 0: chosen to fit */
} ba_scale;

typedef struct ba_plot {
	ba_buf *out;
	double left, right, top, bottom; /* edges of the frame, in page coordinates */
	ba_scale x, y;
} ba_plot;

#define BA_PLOT_CHARACTER 6.6 /* upper estimate of the width of a character at 12 px */

/* The coordinate of a value, kept within the frame. */
double ba_scale_at(const ba_scale *s, double value);

/* A round distance between ticks, for about `count` ticks in low..high. */
double ba_scale_step(double low, double high, unsigned count);
int ba_scale_decimals(double step);
/* Widens low..high to whole steps and, with `zero`, to include zero. */
void ba_scale_round(ba_scale *s, double low, double high, bool zero);

/* Widens low..high to include x; ignores x if it is not finite. */
void ba_plot_widen(double *low, double *high, double x);

/* A frame in a drawing; scales end at its edges. */
ba_plot ba_plot_frame(ba_buf *out, double left, double top, double right, double bottom);

/* Logarithmic. Widens low..high, both above 0, to powers of ten or halves and fifths. */
void ba_scale_decades(ba_scale *s, double low, double high);

/* Grid lines with values below or on the left, and the axis' name with its unit; `sign`: "+2"
 * for 2. The y axis narrows the frame from the left for its numbers: call it first, once both
 * scales have limits. A frame leaves 20 px free on its right. */
void ba_plot_x_axis(ba_plot *p, const char *name, bool sign);
void ba_plot_y_axis(ba_plot *p, bool sign, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

typedef enum ba_anchor { BA_ANCHOR_START, BA_ANCHOR_MIDDLE, BA_ANCHOR_END } ba_anchor;
/* escaped; `style` is a class of the style sheet or NULL */
void ba_plot_text(ba_plot *p, double x, double y, ba_anchor anchor, const char *style,
	const char *fmt, ...) __attribute__((format(printf, 6, 7)));
/* A name above its marks, over the whole width, so that no line crosses it. */
void ba_plot_name(ba_plot *p, double y, const char *text);
void ba_plot_line(ba_plot *p, double x1, double y1, double x2, double y2, const char *style);
void ba_plot_box(ba_plot *p, double x1, double y1, double x2, double y2, const char *style);

/* The variant's mark, in page coordinates; small: for crowds. */
void ba_plot_mark(ba_plot *p, double x, double y, size_t variant, bool small);
/* A wide line in the variant's colour, from x1 to x2: an interval. */
void ba_plot_interval(ba_plot *p, double x1, double x2, double y, size_t variant);
/* class number of a variant: s0 f0 a0 for stroke, fill and area of variant 0 */
unsigned ba_variant_colour(size_t variant);
/* how many variants are drawn */
size_t ba_plot_variants(const ba_result *r);
/* Appends to the description how many variants are not drawn, after `lead`. */
void ba_plot_describe_rest(ba_picture *out, const ba_result *r, const char *lead);
/* the label, safe and at most `columns` wide; caller frees */
char *ba_variant_label(const ba_result *r, size_t variant, size_t columns);

/* Labels of `count` variants at the ends of their lines, heights y[] (NaN: none), moved apart. */
void ba_plot_end_labels(ba_plot *p, const ba_result *r, const double *y, size_t count);
/* The room that the end labels need. */
double ba_plot_end_label_room(const ba_result *r);

/* Shades the range of changes (in per cent) within the threshold. */
void ba_plot_threshold_y(ba_plot *p, const ba_comparison *c);
