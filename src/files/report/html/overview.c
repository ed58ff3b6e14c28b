/* Plots of all benchmarks: alternatives side by side, changes, sweeps. */

#include "report/html/page.h"

enum {
	SWEEPS_MOST = 24,
	SWEEPS_OPEN = 6, /* further sweeps are folded */
};

void ba_html_across(ba_page *p)
{
	const ba_across *a = p->across;
	if (!a)
		return;
	ba_html_section(p, "across", "Side by side");
	ba_markup_printf(p->out, "<p>%s</p>\n<div class=\"figures pairs\">\n", ba_across_caution);
	for (int m = 0; m < BA_METRIC_COUNT; m++) {
		const ba_figure_subject what = {.metric = (ba_metric)m, .across = a};
		const ba_metric_info *info = ba_metric_get((ba_metric)m);
		BA_AUTO(ba_buf) ba_buf caption = BA_BUF_INIT;
		ba_buf_printf(&caption, "%s: %s", info->name, info->help);
		if (a->has[m])
			ba_html_figure(p, "across", &what, caption.data);
	}
	ba_buf_puts(p->out, "</div>\n</section>\n");
}

static void put_changes(ba_page *p, ba_metric metric)
{
	const ba_metric_info *info = ba_result_metric(p->r, metric);
	for (size_t v = 1; v < p->r->run.variant_count && v < BA_FIGURE_VARIANTS; v++) {
		BA_AUTO_FREE char *caption = ba_xprintf("Changes: %s, %s", info->name, info->help);
		ba_html_figure(p, "changes", &(ba_figure_subject){.metric = metric, .candidate = v},
			caption);
	}
}

static void put_all_changes(ba_page *p)
{
	static const ba_metric_role roles[] = {BA_ROLE_VERDICT, BA_ROLE_REPORTED};
	for (size_t k = 0; k < 2; k++) {
		ba_metric metrics[BA_METRIC_COUNT];
		size_t n = ba_metrics_of(metrics, p->r, roles[k]);
		for (size_t i = 0; i < n; i++)
			put_changes(p, metrics[i]);
	}
}

static void put_sweep(ba_page *p, const ba_sweep *s)
{
	static const char *const names[] = {
		"sweep", "sweep-delta", "sweep-percent", "sweep-throughput"};
	ba_figure_subject what = {.sweep = s};
	bool args = strcmp(s->axis, "args") == 0;
	const ba_metric_info *info = ba_metric_get(s->metric);
	BA_AUTO(ba_buf) ba_buf title = BA_BUF_INIT;
	ba_buf_printf(&title, "%s by %s: ", info->name, args ? "number of arguments" : s->axis);
	ba_sweep_text(&title, p->r, s);
	ba_markup_printf(p->out, "<h3>%n</h3>\n<div class=\"figures\">\n", title.data);
	const char *const captions[] = {s->metric == BA_METRIC_INSTRUCTIONS ? "Instructions"
					: *info->unit			    ? "Time"
									    : "Value",
		"Difference to the baseline", "Difference in per cent", "Throughput"};
	for (size_t i = 0; i < 4; i++)
		ba_html_figure(p, names[i], &what, captions[i]);
	ba_buf_puts(p->out, "</div>\n");
}

/* Deciding metrics first, then numeric axes, then most points: not all sweeps are drawn. */
BA_DEFINE_ORDER(by_weight, ba_sweep,
	BA_ORDER(b->first->role == BA_ROLE_VERDICT, a->first->role == BA_ROLE_VERDICT)
		?: BA_ORDER(b->numeric, a->numeric) ?: BA_ORDER(b->count, a->count)
		?: BA_ORDER(a->first, b->first) ?: BA_ORDER(a->axis_index, b->axis_index))

static void put_sweeps(ba_page *p, ba_sweeps *sweeps)
{
	size_t drawn = 0, left = 0;
	if (sweeps->count)
		qsort(sweeps->items, sweeps->count, sizeof(ba_sweep), by_weight);
	for (size_t i = 0; i < sweeps->count; i++) {
		if (drawn == SWEEPS_MOST) {
			left++;
			continue;
		}
		BA_AUTO(ba_buf) ba_buf svg = BA_BUF_INIT;
		if (!ba_figure_render(&svg, p->r, ba_figure_named("sweep"),
			    &(ba_figure_subject){.sweep = &sweeps->items[i]}, false))
			continue;
		if (drawn++ == SWEEPS_OPEN)
			ba_buf_puts(p->out, "<details>\n<summary>More sweeps</summary>\n<div>\n");
		put_sweep(p, &sweeps->items[i]);
	}
	if (left)
		ba_buf_printf(p->out,
			"<p>%zu more sweeps are not drawn here; <code>bench-against plot</code> draws each.</p>\n",
			left);
	if (drawn > SWEEPS_OPEN)
		ba_buf_puts(p->out, "</div>\n</details>\n");
}

void ba_html_overview(ba_page *p)
{
	BA_AUTO(ba_sweeps) ba_sweeps sweeps = {0};
	ba_sweeps_of(&sweeps, p->r);
	if (p->r->run.variant_count < 2 && !sweeps.count)
		return;
	ba_html_section(p, "overview", "Overview");
	ba_buf_puts(p->out, "<div class=\"figures\">\n");
	put_all_changes(p);
	ba_buf_puts(p->out, "</div>\n");
	put_sweeps(p, &sweeps);
	ba_buf_puts(p->out, "</section>\n");
}
