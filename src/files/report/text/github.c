/* GitHub workflow commands: one annotation for the answer, for each benchmark that got
 * slower or could not be measured, and for each warning. GitHub shows ten annotations
 * of a kind for a step, so the tenth says how many more there are. */

#include "report/format.h"
#include "report/rank.h"

enum { MOST = 10, TEXT_COLUMNS = 1000 };

typedef enum level { ERROR, WARNING, NOTICE, LEVELS } level;

typedef struct annotations {
	ba_buf *out;
	size_t count[LEVELS], total[LEVELS];
} annotations;

/* actions/toolkit: escapeData, and escapeProperty for text before the message. */
static void put_escaped(ba_buf *out, const char *text, bool property)
{
	BA_AUTO_FREE char *safe = ba_text_safe(text);
	BA_AUTO_FREE char *cut = ba_text_cut(safe, TEXT_COLUMNS, true);
	for (const char *c = cut; *c; c++) {
		if (*c == '%')
			ba_buf_puts(out, "%25");
		else if (property && (*c == ':' || *c == ','))
			ba_buf_puts(out, *c == ':' ? "%3A" : "%2C");
		else
			ba_buf_putc(out, *c);
	}
}

static void annotate(annotations *a, level l, const char *title, const char *text)
{
	static const char *const names[] = {"error", "warning", "notice"};
	if (a->count[l] >= MOST)
		return;
	a->count[l]++;
	ba_buf_printf(a->out, "::%s title=", names[l]);
	put_escaped(a->out, title, true);
	ba_buf_puts(a->out, "::");
	put_escaped(a->out, text, false);
	ba_buf_putc(a->out, '\n');
}

/* The last annotation of a kind is reserved for the number of omitted ones. */
static void annotate_one_of(annotations *a, level l, const char *title, const char *text)
{
	size_t left = a->total[l]--;
	if (a->count[l] < MOST - 1 || left == 1) {
		annotate(a, l, title, text);
	} else if (a->count[l] < MOST) {
		BA_AUTO(ba_buf) ba_buf more = BA_BUF_INIT;
		ba_buf_printf(&more, "and %zu more; the job summary has all", left);
		annotate(a, l, "bench-against", more.data);
	}
}

static level level_of(const ba_row *row)
{
	return row->concern == BA_CONCERN_FAILS	  ? ERROR
	       : row->concern == BA_CONCERN_DOUBT ? WARNING
						  : LEVELS;
}

/* "; the most: +16 in launch_with_lock (src/launch.c:88)" */
static void put_why(ba_buf *out, const ba_result *r, const ba_row *row)
{
	const ba_explanation *e =
		row->candidate ? ba_result_explanation(r, row->series, row->candidate) : NULL;
	if (!e || !e->function_count || row->series->info->on_gpu)
		return;
	const ba_explained_function *f = &e->functions[0];
	int64_t change = (int64_t)(f->candidate - f->baseline);
	if (f->kind == BA_ROW_OTHERS || change == 0)
		return;
	ba_buf_printf(out, "; instructions, the most: %+" PRId64 " in %s", change, f->name);
	if (f->file)
		ba_buf_printf(out, " (%s:%u)", f->file, f->line);
}

static void annotate_row(annotations *a, const ba_result *r, const ba_row *row)
{
	const char *reason = ba_row_reason(row);
	BA_AUTO(ba_buf) ba_buf title = BA_BUF_INIT, text = BA_BUF_INIT;
	ba_buf_printf(&title, "%s, %s: ", r->run.benchmarks[row->series->benchmark].id,
		ba_metric_get(row->series->metric)->name);
	ba_row_put_word(&title, r, row);
	ba_buf_puts(&text, r->run.variants[row->candidate].label);
	if (row->candidate)
		ba_buf_printf(&text, " against %s", r->run.variants[0].label);
	ba_buf_puts(&text, ": ");
	ba_row_change_text(&text, r, row, true);
	if (reason)
		ba_buf_printf(&text, "%s%s", row->size > 0 ? "; " : "", reason);
	put_why(&text, r, row);
	annotate_one_of(a, level_of(row), title.data, text.data);
}

void ba_github_write(ba_buf *out, const ba_result *r, const ba_format_options *o)
{
	annotations a = {.out = out};
	BA_AUTO(ba_ranking) ba_ranking k = {0};
	ba_ranking_of(&k, r);
	for (size_t i = 0; i < k.deciding; i++)
		if (level_of(&k.rows[i]) != LEVELS)
			a.total[level_of(&k.rows[i])]++;
	a.total[WARNING] += r->run.env.warnings.count;
	annotate(&a, r->decided.exit_status ? ERROR : NOTICE, "bench-against",
		r->decided.answer ? r->decided.answer : "no answer");
	for (size_t i = 0; i < k.deciding; i++)
		if (level_of(&k.rows[i]) != LEVELS)
			annotate_row(&a, r, &k.rows[i]);
	for (size_t i = 0; i < r->run.env.warnings.count; i++)
		annotate_one_of(&a, WARNING, "bench-against", r->run.env.warnings.items[i]);
}
