/* JUnit XML, as CI systems read it (the dialect of Maven Surefire): a suite for each candidate,
 * a case for each benchmark and metric that decides, and one for the answer as a whole, so that
 * the file is red exactly when the exit status is not 0. */

#include "report/format.h"
#include "report/escape.h"
#include "report/rank.h"

/* the contents of a case besides its name */
typedef struct outcome {
	const char *element; /* NULL: passed */
	const char *type;
} outcome;

static outcome outcome_of(const ba_result *r, const ba_row *row)
{
	const char *word = ba_row_word(r, row);
	if (row->concern == BA_CONCERN_FAILS)
		return (outcome){row->verdict == BA_VERDICT_FAILED ? "error" : "failure", word};
	return row->concern == BA_CONCERN_DOUBT ? (outcome){"skipped", word} : (outcome){0};
}

static outcome outcome_of_run(const ba_result *r)
{
	if (r->decided.exit_status == 0)
		return (outcome){0};
	return (outcome){r->decided.exit_status == 1 ? "failure" : "error",
		ba_verdict_name(r->decided.verdict)};
}

static double seconds_of(const ba_series *s)
{
	double seconds = 0;
	for (size_t i = 0; i < s->sample_count; i++)
		seconds += (double)s->samples[i].wall_ns / 1e9;
	return seconds;
}

/* both as message and as text, because some readers show only one of them */
static void put_outcome(ba_buf *out, const outcome *o, const char *text)
{
	if (!o->element)
		return;
	bool typed = o->type[0] && o->element[0] != 's'; /* <skipped> has no type */
	ba_markup_printf(out, "<%w message=\"%m%w%w\">%m</%w>", o->element, text,
		typed ? "\" type=\"" : "", typed ? o->type : "", text, o->element);
}

static void put_facts(ba_buf *out, const ba_result *r, const ba_row *row)
{
	BA_AUTO(ba_buf) ba_buf figures = BA_BUF_INIT;
	for (size_t i = 0; i < r->run.variant_count; i++) {
		if (i && i != row->candidate)
			continue;
		ba_buf_printf(
			&figures, "%s%s: ", figures.len ? "; " : "", r->run.variants[i].label);
		ba_figure_text(&figures, r, row->series, i, NULL);
	}
	ba_markup_printf(out, "<system-out>%m</system-out>", figures.data);
}

static void put_case(ba_buf *out, const ba_result *r, const ba_row *row)
{
	const ba_series *s = row->series;
	const ba_benchmark *b = &r->run.benchmarks[s->benchmark];
	const char *reason = ba_row_reason(row);
	outcome o = outcome_of(r, row);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_row_put_word(&text, r, row);
	ba_buf_puts(&text, ": ");
	size_t before = text.len;
	ba_row_change_text(&text, r, row, true);
	if (reason)
		ba_buf_printf(&text, "%s%s", text.len > before ? "; " : "", reason);
	ba_markup_printf(out, "<testcase classname=\"%m.%w\" name=\"%m", b->suite,
		ba_metric_get(s->metric)->name, b->id);
	ba_buf_printf(out, "\" time=\"%.3f\">", seconds_of(s));
	put_outcome(out, &o, text.data);
	put_facts(out, r, row);
	ba_buf_puts(out, "</testcase>\n");
}

typedef struct counts {
	size_t tests, failures, errors, skipped;
} counts;

static void count(counts *c, const outcome *o)
{
	c->tests++;
	c->failures += o->element && o->element[0] == 'f';
	c->errors += o->element && o->element[0] == 'e';
	c->skipped += o->element && o->element[0] == 's';
}

static void put_suite_head(
	ba_buf *out, const char *name, const ba_result *r, const counts *c, double seconds)
{
	/* Surefire's timestamps have no time zone */
	BA_AUTO_FREE char *started = ba_xprintf("%.19s", r->run.started ? r->run.started : "");
	ba_markup_printf(out,
		"<testsuite name=\"%m\" tests=\"%z\" failures=\"%z\" errors=\"%z\" skipped=\"%z\"",
		name, c->tests, c->failures, c->errors, c->skipped);
	ba_buf_printf(out, " time=\"%.3f\"", seconds);
	ba_markup_printf(out, " timestamp=\"%m\">\n", started);
}

static void put_candidate(ba_buf *out, const ba_result *r, const ba_ranking *k, size_t candidate,
	const ba_format_options *o)
{
	counts c = {0};
	double seconds = 0;
	for (size_t i = 0; i < k->deciding; i++) {
		outcome one = outcome_of(r, &k->rows[i]);
		if (k->rows[i].candidate != candidate)
			continue;
		count(&c, &one);
		seconds += seconds_of(k->rows[i].series);
	}
	if (!c.tests)
		return;
	put_suite_head(out, r->run.variants[candidate].label, r, &c, seconds);
	for (size_t i = 0; i < k->deciding; i++) {
		if (k->rows[i].candidate != candidate)
			continue;
		put_case(out, r, &k->rows[i]);
		ba_format_spill(out, o);
	}
	ba_buf_puts(out, "</testsuite>\n");
}

static void put_answer(ba_buf *out, const ba_result *r)
{
	counts c = {0};
	outcome o = outcome_of_run(r);
	count(&c, &o);
	put_suite_head(out, "bench-against", r, &c, r->run.wall_seconds);
	ba_buf_printf(out, "<testcase classname=\"bench-against\" name=\"answer\" time=\"%.3f\">",
		r->run.wall_seconds);
	put_outcome(out, &o, r->decided.answer ? r->decided.answer : "no answer");
	ba_markup_printf(
		out, "<system-out>%m</system-out></testcase>\n</testsuite>\n", r->decided.answer);
}

void ba_junit_write(ba_buf *out, const ba_result *r, const ba_format_options *o)
{
	BA_AUTO(ba_ranking) ba_ranking k = {0};
	ba_ranking_of(&k, r);
	ba_buf_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			 "<testsuites name=\"bench-against\">\n");
	put_answer(out, r);
	for (size_t i = r->run.variant_count > 1; i < r->run.variant_count; i++)
		put_candidate(out, r, &k, i, o);
	ba_buf_puts(out, "</testsuites>\n");
}
