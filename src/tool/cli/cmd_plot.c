/* `bench-against plot`: draws one plot of a result file, or of files that it compares. */

#include "cli/cmd.h"
#include "proc/proc.h"
#include "report/figure/figure.h"
#include "report/rank.h"
#include "report/view.h"

enum {
	NAMED_MOST = 6,	   /* most plots that an error names */
	LISTED_MOST = 999, /* that are counted */
	PNG_BYTES_MOST = 64 << 20,
};

typedef struct plot_opts {
	int figure;
	bool figure_named;
	ba_strv filters;
	const char *metric, *axis, *across, *output;
} plot_opts;

static plot_opts here;
static const ba_opt rows[] = {
	OPT_GROUP("What"),
	OPT_CHOICE(0, "figure", &here.figure, ba_figure_names, NULL),
	OPT_LIST('f', "filter", &here.filters, NULL),
	OPT_STRING(0, "metric", &here.metric, NULL),
	OPT_STRING(0, "axis", &here.axis, NULL),
	OPT_STRING(0, "across", &here.across, NULL),
	OPT_GROUP("Output"),
	OPT_STRING('o', "output", &here.output, NULL),
	OPT_END,
};
const ba_own_options ba_plot_options = {"plot", rows, &here, sizeof(here), NULL};

/* the data of plots */
typedef struct material {
	const ba_result *r;
	ba_sweeps sweeps;
	ba_across across; /* with --across */
} material;

BA_OWNS_HERE(material, m, ba_sweeps_dispose(&m->sweeps), ba_across_dispose(&m->across))

/* the possible plots: subjects of one figure that fit the options */
typedef struct choice {
	ba_figure_subject *items;
	size_t count, capacity, most;
} choice;

BA_OWNS_HERE(choice, c, free(c->items))

static int check(const plot_opts *o, const ba_strv *operands, ba_error *err)
{
	if (o->metric && operands->count == 1 && ba_metric_from_name(o->metric) < 0)
		return ba_fail(err, BA_EINVAL, "--metric: there is no metric '%s'", o->metric);
	if (o->output && !ba_text_ends(o->output, ".svg") && !ba_text_ends(o->output, ".png"))
		return ba_fail(err, BA_EINVAL,
			"--output '%s': the name of a figure ends in .svg or .png", o->output);
	return 0;
}

/* ---- what fits ---- */

static bool metric_fits(const plot_opts *o, ba_metric metric)
{
	return !o->metric || ba_metric_from_name(o->metric) == (int)metric;
}

static bool series_fits(const plot_opts *o, const ba_result *r, const ba_series *s)
{
	return ba_benchmark_matches(&r->run.benchmarks[s->benchmark], &o->filters) &&
	       metric_fits(o, s->metric);
}

/* offers only plots that have something to draw */
static void offer(
	choice *c, const ba_result *r, const ba_figure *figure, const ba_figure_subject *what)
{
	BA_AUTO(ba_buf) ba_buf svg = BA_BUF_INIT;
	if (c->count > c->most || !ba_figure_render(&svg, r, figure, what, false))
		return;
	*BA_PUSH(c->items, c->count, c->capacity) = *what;
}

/* one plot for each metric; with --across, side by side */
static void offer_metrics(choice *c, const plot_opts *o, const material *m, const ba_figure *figure)
{
	static const ba_metric_role roles[] = {BA_ROLE_VERDICT, BA_ROLE_REPORTED};
	ba_metric metrics[BA_METRIC_COUNT];
	for (size_t k = 0; k < 2; k++) {
		size_t n = ba_metrics_of(metrics, m->r, roles[k]);
		for (size_t i = 0; i < n; i++)
			if (metric_fits(o, metrics[i]))
				offer(c, m->r, figure,
					&(ba_figure_subject){.metric = metrics[i],
						.across = o->across ? &m->across : NULL,
						.filters = &o->filters});
	}
}

/* Without --axis, sweeps over args are preferred if there are any. */
static void offer_sweeps(choice *c, const plot_opts *o, const material *m, const ba_figure *figure)
{
	const ba_sweeps *sweeps = &m->sweeps;
	const ba_result *r = m->r;
	bool args = BA_ANY(sweeps->items, sweeps->count, x, strcmp(x->axis, "args") == 0);
	BA_EACH (const ba_sweep, s, sweeps->items, sweeps->count) {
		const char *axis = o->axis ? o->axis : args ? "args" : s->axis;
		if (strcmp(axis, s->axis) == 0 &&
			BA_ANY(s->points, s->count, x, series_fits(o, r, x->series)))
			offer(c, r, figure, &(ba_figure_subject){.sweep = s});
	}
}

static void offer_all(choice *c, const plot_opts *o, const material *m, const ba_figure *figure)
{
	const ba_result *r = m->r;
	if (figure->covers == BA_COVERS_METRIC || figure->covers == BA_COVERS_ACROSS)
		offer_metrics(c, o, m, figure);
	if (figure->covers == BA_COVERS_SWEEP)
		offer_sweeps(c, o, m, figure);
	for (size_t i = 0; i < r->series_count; i++)
		if (figure->covers == BA_COVERS_SERIES && series_fits(o, r, &r->series[i]))
			offer(c, r, figure, &(ba_figure_subject){.series = &r->series[i]});
}

/* Without --metric, offers plots of the metric that decides; nothing if there is none. */
static void offer_deciding(
	choice *c, const plot_opts *o, const material *m, const ba_figure *figure)
{
	ba_metric metrics[BA_METRIC_COUNT];
	plot_opts of_metric = *o;
	if (o->metric || !ba_metrics_of(metrics, m->r, BA_ROLE_VERDICT))
		return;
	of_metric.metric = ba_metric_get(metrics[0])->name;
	offer_all(c, &of_metric, m, figure);
}

/* ---- what is said where not one fits ---- */

static void name_of(
	ba_buf *out, const ba_result *r, const ba_figure *figure, const ba_figure_subject *what)
{
	switch (figure->covers) {
	case BA_COVERS_METRIC:
	case BA_COVERS_ACROSS:
		ba_buf_printf(out, "--metric %s", ba_metric_get(what->metric)->name);
		break;
	case BA_COVERS_SWEEP:
		ba_buf_printf(out, "--metric %s --axis %s (",
			ba_metric_get(what->sweep->metric)->name, what->sweep->axis);
		ba_sweep_text(out, r, what->sweep);
		ba_buf_putc(out, ')');
		break;
	case BA_COVERS_SERIES:
		ba_buf_printf(out, "--metric %s --filter %s",
			ba_metric_get(what->series->metric)->name,
			r->run.benchmarks[what->series->benchmark].id);
		break;
	}
}

static int too_many(const choice *c, const ba_result *r, const ba_figure *figure, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf names = BA_BUF_INIT;
	for (size_t i = 0; i < c->count && i < NAMED_MOST; i++) {
		BA_AUTO(ba_buf) ba_buf one = BA_BUF_INIT;
		name_of(&one, r, figure, &c->items[i]);
		ba_buf_printf(&names, "\n  %.160s", one.data);
	}
	if (c->count > NAMED_MOST)
		ba_buf_puts(&names, "\n  and more");
	return ba_fail(err, BA_EINVAL,
		"--figure %s: more than one drawing fits; choose one with --filter, --metric or --axis:%s",
		figure->name, names.data);
}

/* ---- the drawing ---- */

static int complain(const ba_proc_result *result, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf how = BA_BUF_INIT;
	BA_AUTO_FREE char *said = ba_text_safe(ba_text_last_lines(result->err.data, 1));
	ba_proc_result_text(&how, result);
	return ba_fail(err, BA_EIO, "rsvg-convert %s%s%s", how.data, *said ? ": " : "", said);
}

/* With rsvg-convert (librsvg), two pixels for each unit of the drawing. */
static int png_of_svg(ba_buf *out, const ba_buf *svg, ba_error *err)
{
	static const char *const argv[] = {"rsvg-convert", "--format=png", "--zoom=2", NULL};
	static const char magic[] = "\x89PNG\r\n\x1a\n";
	ba_proc_spec spec = {.argv = argv,
		.stdin_data = svg->data,
		.stdin_size = svg->len,
		.out = {BA_OUTPUT_HEAD, PNG_BYTES_MOST},
		.err = {BA_OUTPUT_TAIL, 4096},
		.limit_ns = 60 * BA_SECOND};
	BA_AUTO(ba_proc_result) ba_proc_result result = {0};
	if (ba_proc_run(&result, &spec, NULL) < 0)
		return ba_fail(err, BA_EUNSUPPORTED,
			"a PNG needs the program 'rsvg-convert' (package librsvg2-bin on Debian and Ubuntu, librsvg2-tools on Fedora); a file that ends in .svg needs nothing");
	if (!ba_proc_result_ok(&result) || result.out_dropped || result.out.len < sizeof(magic) ||
		memcmp(result.out.data, magic, sizeof(magic) - 1) != 0)
		return complain(&result, err);
	ba_buf_put(out, result.out.data, result.out.len);
	return 0;
}

static int nothing(const plot_opts *o, const ba_figure *figure, ba_error *err)
{
	if (figure->covers == BA_COVERS_ACROSS && !o->across)
		return ba_fail(err, BA_EINVAL,
			"--figure %s: which benchmarks stand side by side? --across names the axes in which they differ, as in --across backend",
			figure->name);
	return ba_fail(err, BA_EINVAL, "--figure %s: there is nothing to draw in this result%s",
		figure->name,
		o->filters.count || o->metric || o->axis ? " with that --filter, --metric or --axis"
							 : "");
}

static int draw(const plot_opts *o, const material *m, ba_error *err)
{
	const ba_result *r = m->r;
	const ba_figure *figure = &ba_figures[o->figure];
	BA_AUTO(choice) choice c = {.most = NAMED_MOST};
	BA_AUTO(ba_buf) ba_buf svg = BA_BUF_INIT, png = BA_BUF_INIT;
	offer_deciding(&c, o, m, figure);
	if (c.count == 0)
		offer_all(&c, o, m, figure);
	if (ba_result_check_stored(r, err))
		return err->code;
	if (c.count == 0)
		return nothing(o, figure, err);
	if (c.count > 1)
		return too_many(&c, r, figure, err);
	ba_figure_render(&svg, r, figure, &c.items[0], true);
	if (ba_result_check_stored(r, err))
		return err->code;
	if (!o->output) {
		fwrite(svg.data, 1, svg.len, stdout);
		return 0;
	}
	if (ba_text_ends(o->output, ".svg"))
		return ba_fs_write_atomic(o->output, svg.data, svg.len, err);
	BA_TRY(png_of_svg(&png, &svg, err));
	return ba_fs_write_atomic(o->output, png.data, png.len, err);
}

static void list_figures(const plot_opts *o, const material *m)
{
	for (const ba_figure *f = ba_figures; f->name; f++) {
		BA_AUTO(choice) choice c = {.most = LISTED_MOST};
		offer_all(&c, o, m, f);
		printf("%-16s %3zu%c  %s\n", f->name, c.count > LISTED_MOST ? LISTED_MOST : c.count,
			c.count > LISTED_MOST ? '+' : ' ', f->help);
	}
}

/* Loads one results file, or compares several files of any tool. In a comparison,
 * --metric has already chosen the compared values, so every metric of the result fits. */
static int load(ba_result *r, plot_opts *o, const ba_strv *operands, ba_error *err)
{
	const char *path = operands->items[0];
	BA_AUTO(ba_options) ba_options compare;
	ba_options_init(&compare);
	if (operands->count > 1) {
		compare.metric = o->metric;
		o->metric = NULL;
		return ba_compare_files(r, &compare, operands, err);
	}
	return ba_document_read(r, path, err);
}

static int plot(plot_opts *o, const ba_strv *operands, ba_error *err)
{
	BA_AUTO(ba_result) ba_result r = {0};
	BA_AUTO(material) material m = {.r = &r};
	BA_TRY(load(&r, o, operands, err));
	if (o->across)
		BA_TRY(ba_across_of(&m.across, &r, o->across, &o->filters, err));
	ba_sweeps_of(&m.sweeps, &r);
	if (o->figure_named)
		return draw(o, &m, err);
	if (o->output)
		return ba_fail(err, BA_EINVAL,
			"--output: which figure? --figure chooses one; without it, and without --output, they are listed");
	list_figures(o, &m);
	return ba_result_check_stored(&r, err);
}

int ba_cmd_plot(ba_call *call, ba_error *err)
{
	int rc = check(&here, &call->operands, err);
	here.figure_named = ba_opt_seen(call->rows, "figure");
	return rc ? rc : plot(&here, &call->operands, err);
}
