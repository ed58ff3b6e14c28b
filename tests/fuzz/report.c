/* A results document from anywhere, in every format and figure: whatever it says,
 * markup stays well-formed, terminals and workflows get no command, sizes keep their
 * limits. */
#include <stdio.h>
#include <stdlib.h>

#include "markup_check.h"
#include "report/figure/figure.h"
#include "report/format.h"
#include "store/results.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool is, const char *what, const char *text)
{
	if (is)
		return;
	fprintf(stderr, "%s: %.2000s\n", what, text);
	abort();
}

static void demand_markup(const char *name, const char *text)
{
	markup_problem problem;
	if (markup_is_well_formed(text, &problem))
		return;
	fprintf(stderr, "%s: %s at byte %zu: %.200s\n", name, problem.why, problem.at,
		text + (problem.at > 60 ? problem.at - 60 : 0));
	abort();
}

static void demand_commands(const char *text)
{
	for (const char *line = text; *line; line = strchr(line, '\n') + 1)
		demand(strncmp(line, "::error title=", 14) == 0 ||
				strncmp(line, "::warning title=", 16) == 0 ||
				strncmp(line, "::notice title=", 15) == 0,
			"no annotation", line);
}

static void write_formats(const ba_result *r)
{
	const ba_format_options options = {.width = 80, .unicode = true};
	for (const ba_format *f = ba_formats; f->name; f++) {
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		f->write(&text, r, &options);
		demand(strchr(text.data, '\033') == NULL, f->name, "an escape");
		if (strcmp(f->name, "html") == 0 || strcmp(f->name, "junit") == 0)
			demand_markup(f->name, text.data);
		if (strcmp(f->name, "github") == 0)
			demand_commands(text.data);
		if (strcmp(f->name, "markdown") == 0)
			demand(text.len <= 65536, "too long", text.data);
	}
}

/* side by side by the first axis there is, and by the names */
static void write_across(const ba_result *r)
{
	const ba_format_options options = {.width = 80, .unicode = true};
	const ba_strv no_filter = {0};
	bool has_axis = r->run.benchmark_count && r->run.benchmarks[0].axis_count;
	const char *keys[] = {"suite,benchmark", "suite=x,n",
		has_axis ? r->run.benchmarks[0].axes[0].name : "benchmark"};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		BA_AUTO(ba_across) ba_across a = {0};
		ba_error err = {0};
		if (ba_across_of(&a, r, keys[i], &no_filter, &err)) {
			demand(err.text[0] != 0, "no sentence", keys[i]);
			continue;
		}
		for (const ba_format *f = ba_formats; f->name; f++) {
			BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
			if (!f->across)
				continue;
			f->across(&text, r, &a, &options);
			demand(strchr(text.data, '\033') == NULL, f->name, "an escape");
		}
	}
}

static void draw_figures(const ba_result *r)
{
	BA_AUTO(ba_sweeps) ba_sweeps sweeps = {0};
	ba_sweeps_of(&sweeps, r);
	for (const ba_figure *f = ba_figures; f->name; f++) {
		BA_AUTO(ba_buf) ba_buf svg = BA_BUF_INIT;
		ba_figure_subject what = {.series = r->series, .sweep = sweeps.items};
		bool has = f->covers == BA_COVERS_SERIES  ? r->series_count > 0
			   : f->covers == BA_COVERS_SWEEP ? sweeps.count > 0
							  : r->series_count > 0;
		if (has && ba_figure_render(&svg, r, f, &what, true))
			demand_markup(f->name, svg.data);
	}
}

/* The same whether its readings are held or read again. */
static void demand_same(const ba_result *r, const char *text, size_t size)
{
	BA_AUTO(ba_result) ba_result other = {0};
	BA_AUTO(ba_buf) ba_buf held = BA_BUF_INIT, stored = BA_BUF_INIT;
	const ba_format_options options = {0};
	ba_error err = {0};
	demand(ba_results_parse_some(&other, text, size, "x", 0, &err) == 0, "stored", err.text);
	ba_html_write(&held, r, &options);
	ba_html_write(&stored, &other, &options);
	ba_results_format(&held, r);
	ba_results_format(&stored, &other);
	demand(ba_result_check_stored(&other, &err) == 0, "stored", err.text);
	demand(strcmp(held.data, stored.data) == 0, "another report", stored.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	BA_AUTO(ba_result) ba_result r = {0};
	ba_error err = {0};
	if (ba_results_parse(&r, (const char *)data, size, "x", &err))
		return 0;
	demand_same(&r, (const char *)data, size);
	write_formats(&r);
	write_across(&r);
	draw_figures(&r);
	return 0;
}
