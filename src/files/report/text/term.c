/* Writes the whole screen: what was measured, the tables, what was not measured, notes,
 * and at the end, where users look first, the answer. */
#include "report/text/term.h"

enum {
	LONG_LIST = 40,	  /* benchmarks */
	DOUBTS_MOST = 20, /* most inconclusive rows shown of a long list */
	ROWS_MOST = 2000, /* more rows than this are not readable on a terminal */
};

void ba_term_pair(ba_buf *out, const ba_result *r, size_t benchmark, size_t candidate,
	const ba_format_options *o)
{
	ba_format_line(out, o, BA_INK_BOLD, "%s: %s against %s", r->run.benchmarks[benchmark].id,
		r->run.variants[candidate].label, r->run.variants[0].label);
}

void ba_term_title(
	ba_buf *out, const ba_metric_info *info, const char *text, const ba_format_options *o)
{
	BA_AUTO_FREE char *safe = ba_text_safe(text);
	ba_buf_putc(out, '\n');
	ba_ink_put(out, o->colour, BA_INK_BOLD, info->name);
	ba_buf_puts(out, ": ");
	ba_text_fold(out, safe, ba_format_width(o), 2, strlen(info->name) + 2);
	ba_buf_putc(out, '\n');
}

/* ---- header -------------------------------------------------------------- */

static void device_and_engine(const ba_screen *s)
{
	const ba_result *r = s->r;
	BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
	ba_device_text(&line, r);
	ba_format_sentence(s->out, s->o, 2, "%s", line.data);
	ba_buf_clear(&line);
	if (ba_measured_is_of_files(&r->run))
		ba_buf_puts(&line, "read from files");
	else
		ba_buf_printf(&line, "%s engine", r->run.engine ? r->run.engine : "unknown");
	if (r->run.engine_reason && *r->run.engine_reason)
		ba_buf_printf(&line, " (%s)", r->run.engine_reason);
	ba_buf_puts(&line, ", ");
	ba_invocations_text(&line, r);
	if (!ba_measured_is_of_files(&r->run))
		ba_buf_printf(&line, ", %.1f s", r->run.wall_seconds);
	if (s->o->verbose && !ba_measured_is_of_files(&r->run))
		ba_buf_printf(&line, ", seed %llu", (unsigned long long)r->run.seed);
	ba_format_sentence(s->out, s->o, 2, "%s", line.data);
	ba_buf_putc(s->out, '\n');
}

static void variants(const ba_screen *s)
{
	BA_AUTO(ba_table) ba_table t = {0};
	ba_variants_table(&t, s->r, s->r->run.variant_count > 1);
	ba_table_term(s->out, &t, s->o);
}

static void artefacts(const ba_screen *s)
{
	ba_buf_putc(s->out, '\n');
	BA_EACH (const ba_variant, v, s->r->run.variants, s->r->run.variant_count) {
		for (size_t k = 0; k < v->artefact_count; k++)
			ba_format_line(s->out, s->o, BA_INK_PLAIN, "%s ran %s, sha256 %.16s",
				v->label, v->artefacts[k].path, v->artefacts[k].sha256);
	}
}

/* ---- which rows ---------------------------------------------------------- */

/* why a benchmark has no row, the weakest first */
enum left_out { LEFT_NOT, LEFT_CALM, LEFT_DOUBT, LEFT_FOR_ROOM };

static bool is_doubt(const ba_row *row)
{
	return row->verdict == BA_VERDICT_INCONCLUSIVE;
}

/* doubts, rows: how many are shown so far */
static enum left_out why_left_out(const ba_row *row, size_t doubts, size_t rows)
{
	if (row->verdict == BA_VERDICT_UNCHANGED || row->verdict == BA_VERDICT_REPORTED)
		return LEFT_CALM;
	if (is_doubt(row) && doubts >= DOUBTS_MOST)
		return LEFT_DOUBT;
	return rows >= ROWS_MOST ? LEFT_FOR_ROOM : LEFT_NOT;
}

/* Chooses rows by importance. A short list is shown in full; a long one omits unchanged
 * rows and all but the largest inconclusive changes. */
static void choose_rows(ba_screen *s)
{
	const ba_result *r = s->r;
	const ba_ranking *k = s->ranking;
	const ba_left_out *more = &r->document.left_out;
	/* all: rows are omitted only for lack of room */
	bool all = s->o->verbose || r->run.variant_count < 2 || r->run.benchmark_count <= LONG_LIST;
	BA_AUTO_FREE enum left_out *left = ba_xcalloc(r->run.benchmark_count + 1, sizeof(*left));
	size_t rows = 0, doubts = 0;
	s->shown = ba_xcalloc(r->run.benchmark_count + 1, sizeof(bool));
	BA_EACH (const ba_row, row, k->rows, k->count) {
		size_t b = row->series->benchmark;
		enum left_out why = !all	       ? why_left_out(row, doubts, rows)
				    : rows < ROWS_MOST ? LEFT_NOT
						       : LEFT_FOR_ROOM;
		if (s->shown[b])
			continue;
		s->shown[b] = why == LEFT_NOT;
		rows += s->shown[b];
		doubts += s->shown[b] && is_doubt(row);
		left[b] = why > left[b] ? why : left[b];
	}
	for (size_t b = 0; b < r->run.benchmark_count; b++) {
		enum left_out why = s->shown[b] ? LEFT_NOT : left[b];
		s->calm += why == LEFT_CALM;
		s->doubts += why == LEFT_DOUBT;
		s->thinned += why == LEFT_FOR_ROOM;
	}
	*(all ? &s->thinned : &s->calm) += more->calm;
	*(all ? &s->thinned : &s->doubts) += more->doubts;
	s->thinned += more->others;
}

/* reports which rows the tables left out */
static void left_out_rows(const ba_screen *s)
{
	if (s->thinned)
		ba_buf_printf(s->out, "\n%zu more %s not listed; --format csv has all of them\n",
			s->thinned, ba_plural(s->thinned, "benchmark is", "benchmarks are"));
	if (!s->calm && !s->doubts)
		return;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (s->doubts)
		ba_buf_printf(&text, "%zu more benchmark%s inconclusive and changed less%s",
			s->doubts, ba_plural(s->doubts, " is", "s are"), s->calm ? "; " : "");
	if (s->calm)
		ba_buf_printf(&text, "%zu more benchmark%s unchanged", s->calm,
			ba_plural(s->calm, " is", "s are"));
	ba_buf_puts(&text, "; --verbose shows them");
	ba_buf_putc(s->out, '\n');
	ba_format_sentence(s->out, s->o, 0, "%s", text.data);
}

/* A table without any value would say less than the reasons below it. */
static bool worth_a_table(const ba_screen *s, const ba_series *series)
{
	for (size_t i = 0; i < s->r->run.variant_count && !ba_is_nothing(s->r, series); i++)
		if (ba_presence_of(s->r, series, i) == BA_PRESENCE_MEASURED)
			return s->shown[series->benchmark];
	return false;
}

static void metrics(const ba_screen *s)
{
	static const ba_metric_role roles[] = {BA_ROLE_VERDICT, BA_ROLE_REPORTED};
	for (size_t role = 0; role < 2; role++) {
		for (int m = 0; m < BA_METRIC_COUNT; m++)
			if (BA_ANY(s->r->series, s->r->series_count, x,
				    (int)x->metric == m && x->role == roles[role] &&
					    worth_a_table(s, x)))
				ba_term_metric(s, (ba_metric)m);
	}
	left_out_rows(s);
}

/* ---- notes and the answer ------------------------------------------------ */

static void sentences(const ba_screen *s, const ba_strv *list, const char *lead, ba_ink ink)
{
	for (size_t i = 0; i < list->count; i++)
		ba_format_remark(s->out, s->o, 2, ink, lead, list->items[i]);
}

static void factors(const ba_screen *s)
{
	BA_AUTO(ba_table) ba_table t = {0};
	if (!ba_factors_table(&t, s->r, s->shown))
		return;
	ba_buf_putc(s->out, '\n');
	ba_format_line(s->out, s->o, BA_INK_BOLD, "code and environment");
	ba_table_term(s->out, &t, s->o);
}

/* do the GPUs agree? */
static void places(const ba_screen *s)
{
	BA_AUTO(ba_strv) ba_strv list = {0};
	ba_places_sentences(&list, s->r, s->o->verbose);
	if (!list.count)
		return;
	ba_buf_putc(s->out, '\n');
	sentences(s, &list, "GPUs: ", BA_INK_DIM);
}

static void notes(const ba_screen *s)
{
	const ba_result *r = s->r;
	if (!r->run.notes.count && !r->run.env.warnings.count)
		return;
	ba_buf_putc(s->out, '\n');
	sentences(s, &r->run.env.warnings, "warning: ", BA_INK_DOUBT);
	sentences(s, &r->run.notes, "note: ", BA_INK_DIM);
}

/* where the time of the run went */
static void spent(const ba_screen *s)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_spent_text(&text, s->r);
	if (text.len == 0)
		return;
	ba_buf_putc(s->out, '\n');
	ba_format_remark(s->out, s->o, 2, BA_INK_DIM, "time: ", text.data);
}

static void answer(const ba_screen *s)
{
	if (!s->r->decided.answer)
		return;
	ba_ink ink = ba_verdict_ink(s->r->decided.verdict);
	if (ink == BA_INK_PLAIN)
		ink = BA_INK_BOLD;
	BA_AUTO_FREE char *safe = ba_text_safe(s->r->decided.answer);
	BA_AUTO(ba_buf) ba_buf folded = BA_BUF_INIT;
	ba_text_fold(&folded, safe, ba_format_width(s->o), 0, 0);
	ba_ink_put(s->out, s->o->colour, ink, folded.data);
	ba_buf_putc(s->out, '\n');
}

void ba_term_write(ba_buf *out, const ba_result *r, const ba_format_options *o)
{
	ba_format_options own = *o;
	ba_screen s = {.out = out, .r = r, .o = &own};
	own.width = o->width && o->width < 40 ? 40 : o->width;
	size_t start = out->len;
	if (!o->quiet) {
		BA_AUTO(ba_ranking) ba_ranking ranking = {0};
		ba_legend legend = {0};
		ba_ranking_of(&ranking, r);
		s.ranking = &ranking;
		s.legend = &legend;
		choose_rows(&s);
		device_and_engine(&s);
		variants(&s);
		if (o->verbose)
			artefacts(&s);
		metrics(&s);
		factors(&s);
		ba_term_legend(&s);
		ba_term_why(&s);
		ba_term_speeds(&s);
		ba_term_code(&s);
		ba_term_problems(&s);
		places(&s);
		notes(&s);
		if (o->verbose)
			spent(&s);
		ba_buf_putc(out, '\n');
		free(s.shown);
	}
	answer(&s);
	/* subjects, paths and remedies may contain any characters */
	ba_format_ascii(out, o, start);
}
