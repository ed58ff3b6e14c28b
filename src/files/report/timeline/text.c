#include <math.h>

#include "base/base.h"
#include "base/fold.h"
#include "base/number.h"
#include "base/shell.h"
#include "model/benchmark.h"
#include "report/text/table.h"
#include "report/timeline/timeline.h"
#include "report/view.h"

/* ---- figures ---- */

ba_unit ba_timeline_unit(const ba_timeline *t, bool unicode)
{
	/* a metric of a later version is a time, too */
	int metric = ba_metric_from_name(t->metric);
	const ba_metric_info *info = ba_metric_get(metric < 0 ? BA_METRIC_TIME : (ba_metric)metric);
	double least = INFINITY, most = 0;
	for (size_t i = 0; i < t->count; i++) {
		least = fmin(least, t->rows[i].ns);
		most = fmax(most, t->rows[i].ns);
	}
	return ba_unit_of_range(info, isfinite(least) ? least : 0, most, unicode);
}

const ba_change_point *ba_timeline_change_at(const ba_timeline *t, size_t row)
{
	for (size_t i = 0; i < t->change_count; i++)
		if (t->changes[i].at == row)
			return &t->changes[i];
	return NULL;
}

/* four digits: the spread of samples does not say how well a level is known */
static char *figure(const ba_unit *unit, double ns)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	double shown = ns * unit->per_ns;
	ba_number_put(&text, shown, ba_number_decimals(shown, 0.01 * shown), false);
	return ba_buf_detach(&text);
}

static char *percent(double ratio)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_percent_put(&text, ratio, fabs(ratio - 1) < 0.1 ? 1 : 0);
	return ba_buf_detach(&text);
}

static char *short_commit(const ba_timeline_row *r)
{
	BA_AUTO_FREE char *safe = ba_text_safe(r->commit);
	return ba_xstrndup(safe, strlen(safe) < 9 ? strlen(safe) : 9);
}

/* ---- terminal ---- */

static void put_sentence(ba_buf *out, const ba_format_options *options, const char *sentence)
{
	ba_text_fold(out, sentence, options->width ? options->width : 80, 2, 0);
	ba_buf_putc(out, '\n');
}

static void put_title(ba_buf *out, const ba_timeline *t, const ba_format_options *options)
{
	BA_AUTO_FREE char *benchmark = ba_text_safe(t->benchmark);
	BA_AUTO_FREE char *device = ba_text_safe(t->device);
	BA_AUTO_FREE char *metric = ba_text_safe(t->metric);
	const char *unit = ba_timeline_unit(t, options->unicode).name;
	ba_ink_put(out, options->colour, BA_INK_BOLD, benchmark);
	ba_buf_printf(out, "  %s%s%s%s%s\n", metric, *unit ? ", " : "", unit, *device ? ", " : "",
		device);
	if (strcmp(t->target, "fake") == 0) {
		BA_AUTO_FREE char *text = ba_xprintf("warning: %s", ba_test_driver_warning);
		put_sentence(out, options, text);
	}
}

static void put_run(ba_table *table, const ba_timeline_row *r, bool unicode)
{
	if (!r->verdict)
		return;
	BA_AUTO_FREE char *verdict = ba_text_safe(r->verdict);
	BA_AUTO_FREE char *baseline = ba_text_safe(r->baseline);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (r->ratio > 0) {
		ba_percent_put(&text, r->ratio, ba_percent_decimals(r->low, r->high));
		ba_buf_putc(&text, ' ');
	}
	ba_buf_printf(&text, "%s", verdict);
	if (*baseline)
		ba_buf_printf(&text, " %s %.9s", unicode ? "\u2190" : "from", baseline);
	ba_table_put(table, 5, BA_INK_PLAIN, text.data);
}

static void put_change(ba_table *table, const ba_change_point *c, const ba_format_options *options)
{
	bool slower = c->after > c->before;
	BA_AUTO_FREE char *change = percent(c->after / c->before);
	const char *mark = !options->unicode ? (slower ? "^" : "v") : slower ? "\u25b2" : "\u25bc";
	BA_AUTO_FREE char *text = ba_xprintf("%s %s", mark, change);
	ba_table_put(table, 4, ba_verdict_ink(slower ? BA_VERDICT_REGRESSED : BA_VERDICT_IMPROVED),
		text);
}

static void put_rows(ba_buf *out, const ba_timeline *t, const ba_format_options *options)
{
	const ba_unit unit = ba_timeline_unit(t, options->unicode);
	static const char *const heads[] = {
		"commit", "measured", "runs", "", "level", "in its own run", "subject"};
	BA_AUTO(ba_table) ba_table table = {0};
	ba_table_column(&table, (ba_column){.left = true});
	ba_table_column(&table, (ba_column){.left = true, .drop = 3});
	ba_table_column(&table, (ba_column){.drop = 2});
	ba_table_column(&table, (ba_column){0});
	ba_table_column(&table, (ba_column){.left = true});
	ba_table_column(&table, (ba_column){.left = true, .drop = 4});
	ba_table_column(&table, (ba_column){.left = true, .shrink_to = 12, .shrink_end = true});
	ba_table_row(&table);
	for (size_t i = 0; i < BA_COUNT(heads); i++)
		ba_table_put(&table, i, BA_INK_DIM, heads[i]);
	ba_table_put_take(&table, 3, BA_INK_DIM, ba_text_safe(t->metric));
	for (size_t i = 0; i < t->count; i++) {
		const ba_timeline_row *r = &t->rows[i];
		const ba_change_point *c = ba_timeline_change_at(t, i);
		ba_table_row(&table);
		ba_table_put_take(&table, 0, BA_INK_PLAIN, short_commit(r));
		BA_AUTO_FREE char *date = ba_text_safe(r->date);
		date[strcspn(date, "T")] = '\0';
		ba_table_put(&table, 1, BA_INK_PLAIN, date);
		ba_table_put_take(&table, 2, BA_INK_PLAIN, ba_xprintf("%u", r->runs));
		ba_table_put_take(&table, 3, BA_INK_PLAIN, figure(&unit, r->ns));
		if (c)
			put_change(&table, c, options);
		put_run(&table, r, options->unicode);
		ba_table_put_take(&table, 6, BA_INK_PLAIN, ba_text_safe(r->subject));
	}
	ba_table_render(out, &table, options->width ? options->width : 80, options->colour,
		options->unicode);
}

/* the metrics that have a verdict only if that is asked for */
static bool is_asked_for(const char *metric)
{
	static const ba_metric list[] = {BA_METRIC_SUSTAINED, BA_METRIC_ROUNDTRIP,
		BA_METRIC_GPU_HOT, BA_METRIC_GPU_ROTATE, BA_METRIC_WALL_COLD, BA_METRIC_WALL_HOT};
	for (size_t i = 0; i < BA_COUNT(list); i++)
		if (ba_metric_from_name(metric) == (int)list[i])
			return true;
	return false;
}

/* What measures the two commits against each other, as these figures were measured. */
static char *command_of(const ba_timeline *t, const char *old, const char *new)
{
	BA_AUTO(ba_strv) ba_strv words = {0};
	BA_AUTO_FREE char *filter = ba_text_glob_of(t->benchmark);
	bool asked = is_asked_for(t->metric);
	const struct {
		const char *option, *value;
		bool wanted;
	} parts[] = {
		{"--directory", t->directory, t->directory != NULL},
		{"--target", "host", strcmp(t->target, "host") == 0},
		{"--metrics", t->metric, asked},
		{"--verdict-on", t->metric, asked},
		{"--filter", filter, true},
	};
	ba_strv_push(&words, "bench-against");
	for (size_t i = 0; i < BA_COUNT(parts); i++) {
		if (!parts[i].wanted)
			continue;
		ba_strv_push(&words, parts[i].option);
		ba_strv_push(&words, parts[i].value);
	}
	ba_strv_push(&words, old);
	ba_strv_push(&words, new);
	return ba_shell_command(&words);
}

static void put_changes(ba_buf *out, const ba_timeline *t, const ba_format_options *options)
{
	const ba_unit unit = ba_timeline_unit(t, options->unicode);
	for (size_t i = 0; i < t->change_count; i++) {
		const ba_change_point *c = &t->changes[i];
		BA_AUTO_FREE char *change = percent(c->after / c->before);
		BA_AUTO_FREE char *before = figure(&unit, c->before);
		BA_AUTO_FREE char *after = figure(&unit, c->after);
		BA_AUTO_FREE char *old = short_commit(&t->rows[c->at - 1]);
		BA_AUTO_FREE char *new = short_commit(&t->rows[c->at]);
		BA_AUTO_FREE char *command = command_of(t, old, new);
		BA_AUTO_FREE char *text = ba_xprintf(
			"%s at %s: the level went from %s to %s%s%s (p %.3g). To confirm this, run:",
			change, new, before, after, *unit.name ? " " : "", unit.name, c->p);
		put_sentence(out, options, text);
		/* on a line of its own, to be copied whole */
		BA_AUTO_FREE char *safe = ba_text_safe(command);
		ba_buf_printf(out, "    %s\n", safe);
	}
	if (t->change_count)
		return;
	BA_AUTO_FREE char *text =
		t->count >= 4 * t->least
			? ba_xprintf(
				  "Found no change of the level in %zu commits (E-divisive, error rate %g %%).",
				  t->count, t->alpha)
			: ba_xprintf(
				  "%zu %s too few to distinguish a change of the level from noise.",
				  t->count, ba_plural(t->count, "commit is", "commits are"));
	put_sentence(out, options, text);
}

void ba_timeline_term(ba_buf *out, const ba_timeline *t, const ba_format_options *options)
{
	put_title(out, t, options);
	put_rows(out, t, options);
	put_changes(out, t, options);
	if (t->by_date)
		put_sentence(out, options,
			"note: commits are in the order of measurement, because of --by-date or because there is no repository here");
	if (t->elsewhere) {
		BA_AUTO_FREE char *text = ba_xprintf(
			"note: left out %zu measured %s not among the first parents of this branch",
			t->elsewhere,
			ba_plural(t->elsewhere, "commit that is", "commits that are"));
		put_sentence(out, options, text);
	}
	if (t->others) {
		BA_AUTO_FREE char *text = ba_xprintf(
			"note: values of %zu other %s not shown; choose with --device or --target",
			t->others,
			ba_plural(t->others, "device or way of measuring are",
				"devices or ways of measuring are"));
		put_sentence(out, options, text);
	}
}

void ba_timelines_term(
	ba_buf *out, const ba_timeline *list, size_t count, const ba_format_options *options)
{
	static const char *const heads[] = {
		"benchmark", "metric", "commits", "latest", "", "last change"};
	BA_AUTO(ba_table) ba_table table = {0};
	ba_table_column(&table, (ba_column){.left = true, .shrink_to = 16});
	ba_table_column(&table, (ba_column){.left = true});
	ba_table_column(&table, (ba_column){.drop = 2});
	ba_table_column(&table, (ba_column){0});
	ba_table_column(&table, (ba_column){.left = true, .gap = " "});
	ba_table_column(&table, (ba_column){.left = true});
	ba_table_row(&table);
	for (size_t i = 0; i < BA_COUNT(heads); i++)
		ba_table_put(&table, i, BA_INK_DIM, heads[i]);
	for (size_t i = 0; i < count; i++) {
		const ba_timeline *t = &list[i];
		ba_table_row(&table);
		ba_table_put_take(&table, 0, BA_INK_PLAIN, ba_text_safe(t->benchmark));
		ba_table_put_take(&table, 1, BA_INK_PLAIN, ba_text_safe(t->metric));
		ba_table_put_take(&table, 2, BA_INK_PLAIN, ba_xprintf("%zu", t->count));
		const ba_timeline_row *last = &t->rows[t->count - 1];
		const ba_unit unit = ba_timeline_unit(t, options->unicode);
		ba_table_put_take(&table, 3, BA_INK_PLAIN, figure(&unit, last->ns));
		ba_table_put(&table, 4, BA_INK_DIM, unit.name);
		if (!t->change_count)
			continue;
		const ba_change_point *c = &t->changes[t->change_count - 1];
		BA_AUTO_FREE char *change = percent(c->after / c->before);
		BA_AUTO_FREE char *commit = short_commit(&t->rows[c->at]);
		ba_table_put_take(&table, 5,
			ba_verdict_ink(
				c->after > c->before ? BA_VERDICT_REGRESSED : BA_VERDICT_IMPROVED),
			ba_xprintf("%s at %s", change, commit));
	}
	ba_table_render(out, &table, options->width ? options->width : 80, options->colour,
		options->unicode);
}
