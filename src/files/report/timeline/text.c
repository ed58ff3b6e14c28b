#include "json/fields.h"
#include "report/rank.h"
#include "report/timeline/timeline.h"
#include "report/view.h"

ba_unit ba_timeline_unit(const ba_timeline *t, bool unicode)
{
	/* unknown metrics of later versions are treated as times */
	int metric = strcmp(t->target, BA_HISTORY_CODE) == 0 ? (int)BA_METRIC_INSTRUCTIONS
							     : ba_metric_from_name(t->metric);
	const ba_metric_info *info = ba_metric_get(metric < 0 ? BA_METRIC_TIME : (ba_metric)metric);
	double least = INFINITY, most = 0;
	for (size_t i = 0; i < t->count; i++)
		ba_widen(&least, &most, t->rows[i].ns, t->rows[i].ns);
	return ba_unit_of_range(info, isfinite(least) ? least : 0, most, unicode);
}

const ba_change_point *ba_timeline_change_at(const ba_timeline *t, size_t row)
{
	return BA_FIND(t->changes, t->change_count, x, x->at == row);
}

static void put_percent(ba_buf *out, double ratio)
{
	ba_percent_put(out, ratio, fabs(ratio - 1) < 0.1 ? 1 : 0);
}

/* the first nine bytes of a commit's name, after making it safe for output */
static void put_commit(ba_buf *out, const ba_timeline_row *r)
{
	BA_AUTO_FREE char *safe = ba_text_safe(r->commit);
	ba_buf_printf(out, "%.9s", safe);
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
	if (strcmp(t->target, "fake") == 0)
		ba_format_sentence(out, options, 2, "warning: %s", ba_test_driver_warning);
}

enum { COMMIT, MEASURED, RUNS, VALUE, LEVEL, OWN_RUN, SUBJECT };

static void put_run(ba_table *table, const ba_timeline_row *r, bool unicode)
{
	ba_buf *out = ba_table_cell(table, OWN_RUN, BA_INK_PLAIN);
	if (r->ratio > 0)
		ba_buf_printf(out, "%s ", ba_percent_of(r->ratio, r->low, r->high).text);
	ba_buf_puts(out, r->verdict);
	if (*r->baseline)
		ba_buf_printf(out, " %s %.9s", unicode ? "\u2190" : "from", r->baseline);
}

/* The verdict whose ink and symbol represent a change. */
static ba_verdict verdict_of(const ba_change_point *c)
{
	return c->after > c->before ? BA_VERDICT_REGRESSED : BA_VERDICT_IMPROVED;
}

static void put_change(ba_table *table, const ba_change_point *c, bool unicode)
{
	ba_buf *out = ba_table_cell(table, LEVEL, ba_verdict_ink(verdict_of(c)));
	ba_buf_printf(out, "%s ", ba_verdict_symbol(verdict_of(c), unicode));
	if (c->before > 0)
		put_percent(out, c->after / c->before);
	else
		ba_buf_puts(out, "from 0");
}

/* a count has no unit, and no decimals if it is whole */
static void put_value(ba_buf *out, double ns, const ba_unit *unit)
{
	double value = ns * unit->per_ns;
	if (!*unit->name && value == floor(value))
		ba_buf_printf(out, "%.0f", value);
	else
		ba_number_put_4(out, value);
}

static void put_rows(ba_buf *out, const ba_timeline *t, const ba_format_options *options)
{
	const ba_unit unit = ba_timeline_unit(t, options->unicode);
	const ba_column columns[] = {
		[COMMIT] = {"commit", .left = true},
		[MEASURED] = {"measured", .left = true, .drop = 3},
		[RUNS] = {"runs", .drop = 2},
		[VALUE] = {t->metric},
		[LEVEL] = {"level", .left = true},
		[OWN_RUN] = {"in its own run", .left = true, .drop = 4},
		[SUBJECT] = {"subject", .left = true, .shrink_to = 12, .shrink_end = true},
	};
	BA_AUTO(ba_table) ba_table table = {0};
	ba_table_columns(&table, columns, BA_COUNT(columns));
	ba_table_heads(&table);
	for (size_t i = 0; i < t->count; i++) {
		const ba_timeline_row *r = &t->rows[i];
		const ba_change_point *c = ba_timeline_change_at(t, i);
		ba_table_row(&table);
		put_commit(ba_table_cell(&table, COMMIT, BA_INK_PLAIN), r);
		ba_buf_put(ba_table_cell(&table, MEASURED, BA_INK_PLAIN), r->date,
			strcspn(r->date, "T"));
		ba_buf_printf(ba_table_cell(&table, RUNS, BA_INK_PLAIN), "%u", r->runs);
		put_value(ba_table_cell(&table, VALUE, BA_INK_PLAIN), r->ns, &unit);
		if (c)
			put_change(&table, c, options->unicode);
		if (r->verdict)
			put_run(&table, r, options->unicode);
		ba_table_put(&table, SUBJECT, BA_INK_PLAIN, r->subject);
	}
	ba_table_term(out, &table, options);
}

/* The command that compares the two commits under the same conditions. */
static char *command_of(const ba_timeline *t, const char *old, const char *new)
{
	BA_AUTO(ba_strv) ba_strv words = {0};
	BA_AUTO_FREE char *filter = ba_text_glob_of(t->benchmark);
	bool code = strcmp(t->target, BA_HISTORY_CODE) == 0;
	int metric = ba_metric_from_name(t->metric);
	bool asked = !code && metric >= 0 && ba_metric_is_time((ba_metric)metric) &&
		     ba_metric_get((ba_metric)metric)->role == BA_ROLE_REPORTED;
	const struct {
		const char *option, *value;
		bool wanted;
	} parts[] = {
		{"--directory", t->directory, t->directory != NULL},
		{"--target", "host", strcmp(t->target, "host") == 0},
		{"--metrics", t->metric, asked},
		{"--verdict-on", t->metric, asked},
		{"--filter", filter, !code},
	};
	ba_strv_push(&words, "bench-against");
	if (code)
		ba_strv_push(&words, "code");
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
	BA_EACH (const ba_change_point, c, t->changes, t->change_count) {
		BA_AUTO(ba_buf) ba_buf old = BA_BUF_INIT, new = BA_BUF_INIT;
		put_commit(&old, &t->rows[c->at - 1]);
		put_commit(&new, &t->rows[c->at]);
		BA_AUTO_FREE char *command = command_of(t, old.data, new.data);
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		put_percent(&text, c->after / c->before);
		ba_buf_printf(&text, " at %s: the level went from ", new.data);
		put_value(&text, c->before, &unit);
		ba_buf_puts(&text, " to ");
		put_value(&text, c->after, &unit);
		ba_format_sentence(out, options, 2,
			"%s%s%s (p %.3g). To confirm this, run:", text.data, *unit.name ? " " : "",
			unit.name, c->p);
		/* on a separate line, so that users can copy it */
		ba_format_line(out, options, BA_INK_PLAIN, "    %s", command);
	}
	if (t->change_count)
		return;
	if (t->count >= 4 * t->least)
		ba_format_sentence(out, options, 2,
			"Found no change of the level in %zu commits (E-divisive, error rate %g %%).",
			t->count, t->alpha);
	else
		ba_format_sentence(out, options, 2,
			"%zu %s too few to distinguish a change of the level from noise.", t->count,
			ba_plural(t->count, "commit is", "commits are"));
}

void ba_timeline_term(ba_buf *out, const ba_timeline *t, const ba_format_options *options)
{
	put_title(out, t, options);
	put_rows(out, t, options);
	put_changes(out, t, options);
	if (t->by_date)
		ba_format_sentence(out, options, 2,
			"note: commits are in the order of measurement, because of --by-date or because there is no repository here");
	if (t->elsewhere)
		ba_format_sentence(out, options, 2,
			"note: left out %zu measured %s not among the first parents of this branch",
			t->elsewhere,
			ba_plural(t->elsewhere, "commit that is", "commits that are"));
	if (t->others)
		ba_format_sentence(out, options, 2,
			"note: values of %zu other %s not shown; choose with --device or --target",
			t->others,
			ba_plural(t->others, "device or way of measuring are",
				"devices or ways of measuring are"));
}

void ba_timelines_term(
	ba_buf *out, const ba_timeline *list, size_t count, const ba_format_options *options)
{
	static const ba_column columns[] = {
		{"benchmark", .left = true, .shrink_to = 16},
		{"metric", .left = true},
		{"commits", .drop = 2},
		{"latest"},
		{"", .left = true, .gap = " "},
		{"last change", .left = true},
	};
	BA_AUTO(ba_table) ba_table table = {0};
	ba_table_columns(&table, columns, BA_COUNT(columns));
	ba_table_heads(&table);
	BA_EACH (const ba_timeline, t, list, count) {
		const ba_unit unit = ba_timeline_unit(t, options->unicode);
		ba_table_row(&table);
		ba_table_put(&table, 0, BA_INK_PLAIN, t->benchmark);
		ba_table_put(&table, 1, BA_INK_PLAIN, t->metric);
		ba_buf_printf(ba_table_cell(&table, 2, BA_INK_PLAIN), "%zu", t->count);
		put_value(ba_table_cell(&table, 3, BA_INK_PLAIN), t->rows[t->count - 1].ns, &unit);
		ba_table_put(&table, 4, BA_INK_DIM, unit.name);
		if (!t->change_count)
			continue;
		const ba_change_point *c = &t->changes[t->change_count - 1];
		ba_buf *change = ba_table_cell(&table, 5, ba_verdict_ink(verdict_of(c)));
		put_percent(change, c->after / c->before);
		ba_buf_puts(change, " at ");
		put_commit(change, &t->rows[c->at]);
	}
	ba_table_term(out, &table, options);
}

/* ---- for programs: CSV and JSON ---- */

static void put_csv_row(ba_table *t, const ba_timeline *line, size_t row)
{
	const ba_timeline_row *r = &line->rows[row];
	const ba_change_point *c = ba_timeline_change_at(line, row);
	const char *const first[] = {
		line->benchmark, line->metric, line->target, line->device, r->commit, r->date};
	const double numbers[] = {r->runs, r->ns, r->stdev_ns, c ? c->before : NAN,
		c ? c->after : NAN, c ? c->p : NAN, r->ratio, r->low, r->high};
	const char *const last[] = {r->verdict, r->baseline, r->subject};
	size_t column = 0;
	ba_table_row(t);
	for (size_t i = 0; i < BA_COUNT(first); i++)
		ba_table_put(t, column++, BA_INK_PLAIN, first[i]);
	for (size_t i = 0; i < BA_COUNT(numbers); i++, column++)
		if (isfinite(numbers[i]))
			ba_buf_printf(ba_table_cell(t, column, BA_INK_PLAIN), "%.10g", numbers[i]);
	for (size_t i = 0; i < BA_COUNT(last); i++)
		ba_table_put(t, column++, BA_INK_PLAIN, last[i] ? last[i] : "");
}

void ba_timelines_csv(ba_buf *out, const ba_timeline *list, size_t count)
{
	static const ba_column columns[] = {{"benchmark"}, {"metric"}, {"target"}, {"device"},
		{"commit"}, {"measured"}, {"runs"}, {"ns"}, {"stdev_ns"}, {"level_before_ns"},
		{"level_after_ns"}, {"p"}, {"ratio"}, {"low"}, {"high"}, {"verdict"}, {"baseline"},
		{"subject"}};
	BA_AUTO(ba_table) ba_table t = {0};
	ba_table_columns(&t, columns, BA_COUNT(columns));
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < list[i].count; k++)
			put_csv_row(&t, &list[i], k);
	ba_table_csv_head(out, &t);
	ba_table_csv_rows(out, &t);
}

static const ba_json_field commit[] = {
	BA_FIELD(ba_timeline_row, commit, TEXT),
	BA_FIELD_AS("measured", ba_timeline_row, date, TEXT),
	BA_FIELD(ba_timeline_row, subject, TEXT),
	BA_FIELD(ba_timeline_row, runs, UNSIGNED),
	BA_FIELD_EACH(ba_timeline_row, F64, ns, stdev_ns),
	BA_FIELD_EACH(ba_timeline_row, MAYBE, verdict, baseline),
	BA_FIELD_EACH(ba_timeline_row, F64, ratio, low, high),
};
BA_DEFINE_WORDS(static, orders, 2, value ? "measured" : "first-parent", "");
static const ba_json_field series[] = {
	BA_FIELD_EACH(ba_timeline, TEXT, benchmark, metric, target, device),
	BA_FIELD_WORD("order", ba_timeline, by_date, orders),
	BA_FIELD_LIST("commits", ba_timeline, rows, count, BA_FIELDS(commit)),
};

void ba_timelines_json(ba_buf *out, const ba_timeline *list, size_t count)
{
	ba_json_writer w = ba_json_writer_to_buf(out, 1);
	ba_json_put(&w, "{schema: 'bench-against.history/1', series: [");
	BA_EACH (const ba_timeline, t, list, count) {
		ba_json_open_object(&w, NULL);
		ba_fields_write(&w, BA_FIELDS(series), t);
		ba_json_open_array(&w, "changes");
		BA_EACH (const ba_change_point, c, t->changes, t->change_count)
			ba_json_put(&w,
				"{commit: %s, index: %zu, before_ns: %g, after_ns: %g, p: %g}",
				t->rows[c->at].commit, c->at, c->before, c->after, c->p);
		ba_json_put(&w, "]}");
	}
	ba_json_put(&w, "]}");
	ba_buf_putc(out, '\n');
}
