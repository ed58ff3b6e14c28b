/* Plots of a result, as SVG; each one is a row of ba_figures.
 *
 *     ba_figure_subject what = {.series = &r->series[0]};
 *     BA_AUTO(ba_buf) ba_buf svg = BA_BUF_INIT;
 *     if (!ba_figure_render(&svg, r, ba_figure_named("distribution"), &what, false))
 *             ... nothing to draw: no samples, one value of the axis, one variant ...
 *
 * Every plot gives its unit, labels its lines directly and shows a spread. Absolute
 * times over an axis begin at zero. The colours are a palette for colour-blind readers
 * (Okabe and Ito 2008, darkened where white paper needs it), and each variant has its
 * own mark. If a result has more variants than BA_FIGURE_VARIANTS, only the first ones
 * are drawn, and the plot says so. */
#pragma once

#include "report/across/across.h"

/* Finds sweeps: benchmarks that differ only in the value of one axis, and so form a
 * line in a plot: launch/args=0,path=x, launch/args=1,path=x, ... */

typedef struct ba_sweep_point {
	double x; /* the value; if it is not a number, its index in the list */
	const char *text;
	const ba_series *series;
} ba_sweep_point;

typedef struct ba_sweep {
	ba_metric metric;
	const char *axis;
	size_t axis_index;	/* of the benchmarks */
	const ba_series *first; /* in the order of the result */
	bool numeric;
	ba_sweep_point *points; /* two or more, ordered by x, all different */
	size_t count;
} ba_sweep;

BA_LIST(ba_sweeps, ba_sweep); /* in the order of their first series */

/* Points into the result. An axis of words has at most 8. n log n in the number of series. */
void ba_sweeps_of(ba_sweeps *out, const ba_result *r);
BA_DECLARE_DISPOSE(ba_sweeps)

/* the parts that its benchmarks share: "launch, path=signature" */
void ba_sweep_text(ba_buf *out, const ba_result *r, const ba_sweep *s);

enum { BA_FIGURE_VARIANTS = 8 };

/* What one plot covers; the member that ba_figure.covers names is set. */
typedef struct ba_figure_subject {
	const ba_series *series;
	const ba_sweep *sweep;
	const ba_across *across; /* and the metric */
	ba_metric metric;
	size_t candidate; /* with a metric: only this one; 0: all */
	/* with a metric: globs of benchmarks; NULL or empty: all */
	const ba_strv *filters;
	unsigned which; /* ba_figure_render sets it, to ba_figure.which */
} ba_figure_subject;

typedef enum ba_figure_covers {
	BA_COVERS_SERIES,
	BA_COVERS_SWEEP,
	BA_COVERS_METRIC,
	BA_COVERS_ACROSS,
} ba_figure_covers;

/* A drawing before it becomes a page: elements of SVG in 0..width, 0..height. */
typedef struct ba_picture {
	ba_buf body;
	ba_buf title, desc; /* plain text: what the plot shows, and what to look for */
	double width, height;
} ba_picture;

typedef struct ba_figure {
	const char *name, *help;
	ba_figure_covers covers;
	/* false if there is nothing to draw; *out may then hold anything */
	bool (*draw)(ba_picture *out, const ba_result *r, const ba_figure_subject *what);
	unsigned which; /* selects one of the figures that the same function draws */
} ba_figure;

extern const ba_figure ba_figures[]; /* ends with a NULL name */
extern const char *const ba_figure_names[];
const ba_figure *ba_figure_named(const char *name);

/* Appends an <svg>: `standalone`: with style, background, heading and namespace; else for a
 * page with ba_figure_css. False: there is nothing to draw. */
bool ba_figure_render(ba_buf *out, const ba_result *r, const ba_figure *figure,
	const ba_figure_subject *what, bool standalone);

/* The style sheet of all plots: light, dark and print. A C string. */
extern const char ba_figure_css[];

bool ba_draw_overhead(ba_picture *out, const ba_result *r, const ba_figure_subject *what);
/* which: the time, its difference, the difference in per cent, or throughput */
bool ba_draw_sweep(ba_picture *out, const ba_result *r, const ba_figure_subject *what);
bool ba_draw_changes(ba_picture *out, const ba_result *r, const ba_figure_subject *what);
bool ba_draw_across(ba_picture *out, const ba_result *r, const ba_figure_subject *what);
bool ba_draw_distribution(ba_picture *out, const ba_result *r, const ba_figure_subject *what);
bool ba_draw_invocations(ba_picture *out, const ba_result *r, const ba_figure_subject *what);
bool ba_draw_order(ba_picture *out, const ba_result *r, const ba_figure_subject *what);
bool ba_draw_blocks(ba_picture *out, const ba_result *r, const ba_figure_subject *what);
