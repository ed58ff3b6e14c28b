/*
 * Markdown for a comment: the answer, a table a candidate, the rest folded.
 *
 * Names come from refs and configurations that may be hostile: they stand in code
 * spans, where Markdown and HTML mean nothing; sentences are escaped.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/text.h"
#include "report/format.h"
#include "report/view.h"

/* `text`, for a cell of a table: a pipe would end the cell, a backtick the span */
static void put_code(ba_buf *out, const char *text)
{
	BA_AUTO_FREE char *safe = ba_text_safe(text);
	ba_buf_putc(out, '`');
	for (const char *c = safe; *c; c++) {
		if (*c == '|')
			ba_buf_puts(out, "\\|");
		else
			ba_buf_putc(out, *c == '`' ? '\'' : *c);
	}
	ba_buf_putc(out, '`');
}

static void put_sentence(ba_buf *out, const char *text)
{
	BA_AUTO_FREE char *safe = ba_text_safe(text);
	for (const char *c = safe; *c; c++) {
		if (strchr("\\`*_[]<>|#~&!$", *c))
			ba_buf_putc(out, '\\');
		ba_buf_putc(out, *c);
		if (*c == '@') /* nobody is to be called */
			ba_buf_puts(out, "&#8203;");
	}
}

static void header(ba_buf *out, const ba_result *r)
{
	if (r->answer) {
		ba_buf_puts(out, "**");
		put_sentence(out, r->answer);
		ba_buf_puts(out, "**\n\n");
	}
	ba_buf_puts(out, "| | variant | commit | |\n|---|---|---|---|\n");
	for (size_t i = 0; i < r->variant_count; i++) {
		BA_AUTO(ba_buf) ba_buf about = BA_BUF_INIT;
		ba_variant_about(&about, &r->variants[i]);
		ba_buf_printf(out, "| %s | ", i ? "candidate" : "baseline");
		put_code(out, r->variants[i].label);
		ba_buf_printf(out, " | %.9s | ", r->variants[i].commit);
		put_sentence(out, about.data);
		ba_buf_puts(out, " |\n");
	}
}

static void put_figure(
	ba_buf *out, const ba_result *r, const ba_series *s, size_t variant)
{
	const ba_summary *v = &s->variants[variant];
	double per_ns = ba_metric_get(s->metric)->per_ns;
	ba_presence presence = ba_presence_of(r, s, variant);
	if (presence != BA_PRESENCE_MEASURED) {
		ba_buf_printf(out, " %s |", ba_presence_name(presence));
		return;
	}
	double value = ba_central_ns(s, v) * per_ns, spread = v->stdev * per_ns;
	int decimals = ba_number_decimals(value, spread);
	ba_buf_printf(out, " %.*f ± %.*f |", decimals, value, decimals, spread);
}

static void put_change(ba_buf *out, const ba_series *s, size_t candidate)
{
	const ba_metric_info *info = ba_metric_get(s->metric);
	ba_change change = ba_change_of(s, candidate);
	if (!change.known) {
		ba_buf_puts(out, " | |");
		return;
	}
	int decimals = ba_percent_decimals(change.low, change.high);
	double half =
		(change.high - change.low) / 2 * ba_central_ns(s, &s->variants[0]);
	double delta = change.delta_ns * info->per_ns;
	ba_buf_putc(out, ' ');
	ba_number_put(out, delta, ba_number_decimals(delta, half * info->per_ns), true);
	ba_buf_puts(out, " (");
	ba_percent_put(out, change.ratio, decimals);
	ba_buf_puts(out, ") | ");
	if (!isnan(change.low))
		ba_percent_interval_put(out, change.low, change.high, decimals);
	ba_buf_puts(out, " |");
}

static void comparison_table(
	ba_buf *out, const ba_result *r, ba_metric metric, size_t candidate)
{
	const ba_metric_info *info = ba_metric_get(metric);
	BA_AUTO_FREE char *unit = ba_unit_text(info, true);
	ba_buf_puts(out, "\n| benchmark | ");
	put_code(out, r->variants[0].label);
	ba_buf_puts(out, " | ");
	put_code(out, r->variants[candidate].label);
	BA_AUTO(ba_buf) ba_buf level = BA_BUF_INIT;
	ba_percent_plain(&level, 1 - (r->alpha > 0 ? r->alpha : 0.05));
	ba_buf_printf(out, " | change, %s | %s interval | %s |\n", unit, level.data,
		info->name);
	ba_buf_puts(out, "|---|---:|---:|---:|---:|---|\n");
	for (size_t i = 0; i < r->series_count; i++) {
		const ba_series *s = &r->series[i];
		if (s->metric != metric)
			continue;
		ba_verdict verdict = s->comparisons[candidate - 1].verdict;
		ba_buf_puts(out, "| ");
		put_code(out, r->benchmarks[s->benchmark].id);
		ba_buf_puts(out, " |");
		put_figure(out, r, s, 0);
		put_figure(out, r, s, candidate);
		put_change(out, s, candidate);
		bool loud =
			verdict == BA_VERDICT_REGRESSED || verdict == BA_VERDICT_FAILED;
		ba_buf_printf(out, " %s%s %s%s |\n", loud ? "**" : "",
			ba_verdict_symbol(verdict, true), ba_verdict_name(verdict),
			loud ? "**" : "");
	}
}

static void single_table(ba_buf *out, const ba_result *r, ba_metric metric)
{
	BA_AUTO_FREE char *unit = ba_unit_text(ba_metric_get(metric), true);
	ba_buf_printf(out, "\n| benchmark | %s, %s |\n|---|---:|\n",
		ba_metric_get(metric)->name, unit);
	for (size_t i = 0; i < r->series_count; i++) {
		if (r->series[i].metric != metric)
			continue;
		ba_buf_puts(out, "| ");
		put_code(out, r->benchmarks[r->series[i].benchmark].id);
		ba_buf_puts(out, " |");
		put_figure(out, r, &r->series[i], 0);
		ba_buf_putc(out, '\n');
	}
}

static void metric_tables(ba_buf *out, const ba_result *r, ba_metric metric)
{
	if (r->variant_count < 2)
		single_table(out, r, metric);
	for (size_t c = 1; c < r->variant_count; c++)
		comparison_table(out, r, metric, c);
}

static bool has_metric(const ba_result *r, ba_metric metric, ba_metric_role role)
{
	for (size_t i = 0; i < r->series_count; i++)
		if (r->series[i].metric == metric && r->series[i].role == role)
			return true;
	return false;
}

static void bullets(ba_buf *out, const ba_result *r)
{
	ba_buf_putc(out, '\n');
	for (size_t i = 0; i < r->series_count; i++) {
		const ba_series *s = &r->series[i];
		for (size_t v = 0; v < r->variant_count; v++) {
			const char *why = s->variants[v].failure
						  ? s->variants[v].failure
						  : s->variants[v].skipped;
			if (!why)
				continue;
			ba_buf_puts(out, "- ");
			put_code(out, r->benchmarks[s->benchmark].id);
			ba_buf_printf(out, ", %s, in ", ba_metric_get(s->metric)->name);
			put_code(out, r->variants[v].label);
			ba_buf_printf(out,
				" %s: ", s->variants[v].failure ? "failed" : "skipped");
			put_sentence(out, why);
			ba_buf_putc(out, '\n');
		}
	}
	const ba_strv *lists[] = {&r->env.warnings, &r->notes};
	for (size_t k = 0; k < 2; k++) {
		for (size_t i = 0; i < lists[k]->count; i++) {
			ba_buf_printf(out, "- %s: ", k ? "note" : "warning");
			put_sentence(out, lists[k]->items[i]);
			ba_buf_putc(out, '\n');
		}
	}
}

void ba_markdown_write(ba_buf *out, const ba_result *r, const ba_format_options *o)
{
	(void)o;
	header(out, r);
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		if (has_metric(r, (ba_metric)m, BA_ROLE_VERDICT))
			metric_tables(out, r, (ba_metric)m);
	for (int m = 0; m < BA_METRIC_COUNT; m++) {
		if (!has_metric(r, (ba_metric)m, BA_ROLE_REPORTED))
			continue;
		ba_buf_printf(out, "\n<details><summary>%s: %s</summary>\n",
			ba_metric_get((ba_metric)m)->name,
			ba_metric_get((ba_metric)m)->help);
		metric_tables(out, r, (ba_metric)m);
		ba_buf_puts(out, "\n</details>\n");
	}
	bullets(out, r);
	BA_AUTO(ba_buf) ba_buf device = BA_BUF_INIT;
	ba_device_text(&device, &r->env);
	ba_buf_puts(out, "\n<sub>");
	put_sentence(out, device.data);
	ba_buf_puts(out, "; ");
	ba_invocations_text(out, r);
	ba_buf_printf(out, "; seed %llu</sub>\n", (unsigned long long)r->seed);
}
