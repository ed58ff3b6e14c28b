#include "report/brief.h"

#include "report/format.h"
#include "report/rank.h"
#include "report/view.h"

enum { ROWS_MOST = 40, SENTENCE = 240, NAME = 72, REASON = 100 };

const char *const ba_brief_words[] = {
	"measured", "same", "faster", "undecided", "slower", "drifted", "wrong", "cheated", NULL};

/* ---- words ---- */

static ba_brief_word word_of_fault(const char *failure)
{
	static const ba_brief_word words[] = {[BA_FAULT_BROKEN] = BA_BRIEF_WRONG,
		[BA_FAULT_WRONG] = BA_BRIEF_WRONG,
		[BA_FAULT_DRIFTED] = BA_BRIEF_DRIFTED,
		[BA_FAULT_CHEATED] = BA_BRIEF_CHEATED};
	return words[ba_fault_of(failure)];
}

static ba_brief_word word_of_row(const ba_row *row)
{
	const ba_summary *variants = row->series->variants;
	const char *failure = row->candidate ? variants[row->candidate].failure : NULL;
	if (failure && !variants[0].failure)
		return word_of_fault(failure);
	if (ba_verdict_is_slower(row->verdict))
		return BA_BRIEF_SLOWER;
	if (ba_verdict_is_faster(row->verdict))
		return BA_BRIEF_FASTER;
	if (row->verdict == BA_VERDICT_UNCHANGED || row->verdict == BA_VERDICT_IDENTICAL)
		return BA_BRIEF_SAME;
	return row->verdict == BA_VERDICT_REPORTED ? BA_BRIEF_MEASURED : BA_BRIEF_UNDECIDED;
}

/* Faults of the candidates come first; else the gate has decided. */
static ba_brief_word word_of(const ba_result *r, const ba_ranking *k)
{
	ba_brief_word most = BA_BRIEF_MEASURED;
	for (size_t i = 0; i < k->deciding; i++) {
		ba_brief_word word = word_of_row(&k->rows[i]);
		most = word > most ? word : most;
	}
	switch (r->decided.verdict) {
	case BA_VERDICT_REPORTED:
		return BA_BRIEF_MEASURED;
	case BA_VERDICT_REGRESSED:
		return most > BA_BRIEF_SLOWER ? most : BA_BRIEF_SLOWER;
	case BA_VERDICT_FAILED: /* a strict gate also fails what a candidate lacks */
		return most >= BA_BRIEF_DRIFTED	     ? most
		       : r->decided.exit_status == 1 ? BA_BRIEF_WRONG
						     : BA_BRIEF_UNDECIDED;
	case BA_VERDICT_IMPROVED:
		return BA_BRIEF_FASTER;
	case BA_VERDICT_UNCHANGED:
		return BA_BRIEF_SAME;
	default:
		return BA_BRIEF_UNDECIDED;
	}
}

/* ---- what to do ---- */

static char *next_if_undecided(const ba_result *r, const ba_row *row)
{
	const ba_comparison *c =
		row && row->candidate ? &row->series->comparisons[row->candidate - 1] : NULL;
	const char *reason = row ? ba_row_reason(row) : NULL;
	if (c && c->hint)
		return ba_xprintf("measure longer: %s", c->hint);
	if (reason)
		return ba_xprintf("remove the cause and measure again: %s", reason);
	return ba_xstrdup(r->run.interrupted
				  ? "measure again: the run was interrupted"
				  : "find out why nothing was measured: bench-against doctor");
}

static char *next_if_slower(const ba_result *r, const ba_row *row)
{
	const ba_variant *v = r->run.variants;
	if (ba_measured_is_of_files(&r->run))
		return ba_xstrdup("keep the baseline");
	return ba_xprintf(
		"keep the baseline; to see what the candidate executes more: bench-against %s %s --explain all -o r.json, then bench-against explain r.json",
		v[0].spec, v[row && row->candidate ? row->candidate : 1].spec);
}

static char *next_of(const ba_result *r, const ba_ranking *k, ba_brief_word word)
{
	const ba_row *row = BA_FIND(k->rows, k->deciding, x, word_of_row(x) == word);
	const char *name = row ? r->run.benchmarks[row->series->benchmark].id : "every benchmark";
	BA_AUTO(ba_buf) ba_buf threshold = BA_BUF_INIT;
	switch (word) {
	case BA_BRIEF_CHEATED:
		return ba_xprintf("reject the candidate: its times of %s do not count", name);
	case BA_BRIEF_WRONG:
		return ba_xprintf(
			"make %s work and its results right; times count only then", name);
	case BA_BRIEF_DRIFTED:
		return ba_xprintf("compute %s as precisely as the baseline does", name);
	case BA_BRIEF_SLOWER:
		return next_if_slower(r, row);
	case BA_BRIEF_UNDECIDED:
		return next_if_undecided(r, row);
	case BA_BRIEF_FASTER:
		return ba_xstrdup("take the candidate");
	case BA_BRIEF_MEASURED:
		return ba_xstrdup("name a second variant to compare with");
	case BA_BRIEF_SAME:
		break;
	}
	for (size_t i = 1; i < r->run.variant_count && !threshold.len; i++)
		ba_result_put_thresholds(&threshold, r, -1, i);
	return threshold.len
		       ? ba_xprintf(
				 "try a larger change: one below the threshold (%s) does not count",
				 threshold.data)
		       : ba_xstrdup("try another change: the candidate is the same code");
}

/* ---- JSON ---- */

/* One line that is safe to show, of at most `most` bytes. Caller frees. */
static char *shortened(const char *text, size_t most)
{
	BA_AUTO_FREE char *safe = ba_text_safe(text ? text : "");
	return ba_text_cut(safe, most, true);
}

static void write_text(ba_json_writer *w, const char *key, const char *text, size_t most)
{
	BA_AUTO_FREE char *cut = shortened(text, most);
	if (text)
		ba_json_write_string(w, key, cut);
}

/* five digits; NaN and infinity are null */
static void write_number(ba_json_writer *w, const char *key, double value)
{
	char text[32];
	snprintf(text, sizeof(text), "%.5g", value);
	ba_json_write_f64(w, key, isfinite(value) ? strtod(text, NULL) : NAN);
}

/* The ratio that the verdict is about; above 1 is slower. */
static void write_ratio(ba_json_writer *w, const ba_row *row)
{
	const ba_comparison *c = &row->series->comparisons[row->candidate - 1];
	bool tail = row->verdict == BA_VERDICT_TAIL_REGRESSED ||
		    row->verdict == BA_VERDICT_TAIL_IMPROVED;
	if (!(c->ratio > 0) || row->verdict == BA_VERDICT_FAILED)
		return;
	write_number(w, "ratio", tail ? c->mean_ratio : c->ratio);
	write_number(w, "lo", c->exact ? c->ratio : tail ? c->mean_low : c->low);
	write_number(w, "hi", c->exact ? c->ratio : tail ? c->mean_high : c->high);
}

static void write_levels(ba_json_writer *w, const ba_row *row)
{
	const ba_series *s = row->series;
	bool time = ba_metric_is_time(s->metric);
	const size_t sides[] = {0, row->candidate};
	ba_json_open_row(w, time ? "us" : "values");
	for (size_t i = 0; i < (row->candidate ? 2 : 1); i++) {
		const ba_summary *v = &s->variants[sides[i]];
		write_number(w, NULL, v->launches ? ba_central_ns(s, v) / (time ? 1e3 : 1) : NAN);
	}
	ba_json_close(w);
}

/* Why the row has no verdict; NULL: it has one. Caller frees. */
static char *why_of(const ba_result *r, const ba_row *row)
{
	ba_brief_word word = word_of_row(row);
	const char *reason = ba_row_reason(row);
	BA_AUTO(ba_buf) ba_buf why = BA_BUF_INIT;
	if (word <= BA_BRIEF_FASTER || word == BA_BRIEF_SLOWER)
		return NULL;
	if (word == BA_BRIEF_UNDECIDED || !reason)
		ba_row_put_word(&why, r, row);
	ba_buf_printf(&why, "%s%s", why.len && reason ? ": " : "", reason ? reason : "");
	return ba_buf_detach(&why);
}

static void write_row(ba_json_writer *w, const ba_result *r, const ba_row *row)
{
	BA_AUTO_FREE char *why = why_of(r, row);
	ba_json_open_object(w, NULL);
	write_text(w, "name", r->run.benchmarks[row->series->benchmark].id, NAME);
	ba_json_write_string(w, "metric", ba_metric_get(row->series->metric)->name);
	if (r->run.variant_count > 2)
		write_text(w, "candidate", r->run.variants[row->candidate].label, NAME);
	ba_json_write_string(w, "verdict", ba_brief_words[word_of_row(row)]);
	if (row->candidate)
		write_ratio(w, row);
	write_levels(w, row);
	write_text(w, "why", why, REASON);
	ba_json_close(w);
}

static void write_evidence(ba_json_writer *w, const ba_measured *m)
{
	const ba_evidence *e = &m->evidence;
	ba_json_put(w, "evidence: {lane: %s", e->untrusted ? "untrusted" : m->engine);
	if (e->untrusted) {
		ba_json_put(w, "fresh: %zu, checks: %zu, launches: %zu", (size_t)e->fresh,
			(size_t)e->checks, (size_t)e->launches);
		write_number(w, "overhead_share", e->overhead_share);
	}
	ba_json_close(w);
}

static void write_cost(ba_json_writer *w, const ba_result *r)
{
	unsigned most = 0;
	for (size_t i = 0; i < r->series_count; i++)
		most = r->series[i].sample_count > most ? (unsigned)r->series[i].sample_count
							: most;
	ba_json_open_object(w, "cost");
	write_number(w, "seconds", r->run.wall_seconds);
	ba_json_write_u64(w, "invocations", most);
	ba_json_close(w);
}

static void write_result(ba_json_writer *w, const ba_result *r, const ba_ranking *k, size_t rows)
{
	ba_json_open_array(w, "benchmarks");
	for (size_t i = 0; i < rows; i++)
		write_row(w, r, &k->rows[i]);
	ba_json_close(w);
	if (rows < k->deciding)
		ba_json_write_u64(w, "left_out", k->deciding - rows);
	write_evidence(w, &r->run);
	write_cost(w, r);
}

static void put_json(ba_buf *out, const ba_brief *b, const ba_ranking *k, size_t rows)
{
	ba_json_writer w = ba_json_writer_to_buf(out, 0);
	ba_json_put(&w, "{schema: 'bench-against.verdict/1', verdict: %s", ba_brief_words[b->word]);
	ba_json_write_i64(&w, "exit_status", b->exit_status);
	write_text(&w, "answer", b->answer, SENTENCE);
	write_text(&w, "baseline", b->baseline, NAME);
	write_text(&w, "candidate", b->candidate, NAME);
	if (b->r)
		write_result(&w, b->r, k, rows);
	if (b->members)
		b->members(&w, b->data);
	write_text(&w, "next", b->next, SENTENCE);
	ba_json_close(&w);
	ba_buf_putc(out, '\n');
}

/* ---- text ---- */

static void put_line(ba_buf *out, const char *lead, const char *text, size_t most)
{
	BA_AUTO_FREE char *cut = shortened(text, most);
	ba_buf_printf(out, "%s: %s\n", lead, cut);
}

/* the answer, a line for each benchmark, and `next` */
static void put_text(ba_buf *out, const ba_brief *b, const ba_ranking *k, size_t rows)
{
	put_line(out, ba_brief_words[b->word], b->answer, SENTENCE);
	for (size_t i = 0; i < rows; i++) {
		const ba_row *row = &k->rows[i];
		BA_AUTO(ba_buf) ba_buf line = BA_BUF_INIT;
		BA_AUTO_FREE char *why = why_of(b->r, row);
		ba_buf_printf(&line, "%s, %s: ", b->r->run.benchmarks[row->series->benchmark].id,
			ba_metric_get(row->series->metric)->name);
		size_t before = line.len;
		ba_row_change_text(&line, b->r, row, true);
		ba_buf_printf(&line, "%s%s", why && line.len > before ? "; " : "", why ? why : "");
		put_line(out, ba_brief_words[word_of_row(row)], line.data, NAME + REASON);
	}
	if (k->deciding > rows)
		ba_buf_printf(out, "left out: %zu more\n", k->deciding - rows);
	put_line(out, "next", b->next, SENTENCE);
}

typedef void put_function(ba_buf *, const ba_brief *, const ba_ranking *, size_t rows);

/* As many rows as fit; the first are the most important. */
static void put(ba_buf *out, const ba_brief *b, put_function *one)
{
	BA_AUTO(ba_ranking) ba_ranking k = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (b->r)
		ba_ranking_of(&k, b->r);
	size_t rows = k.deciding < ROWS_MOST ? k.deciding : ROWS_MOST;
	one(&text, b, &k, rows);
	while (rows && text.len > BA_BRIEF_MOST) {
		ba_buf_clear(&text);
		one(&text, b, &k, --rows);
	}
	ba_buf_put(out, text.data, text.len);
}

void ba_brief_json(ba_buf *out, const ba_brief *b)
{
	put(out, b, put_json);
}

void ba_brief_text(ba_buf *out, const ba_brief *b)
{
	put(out, b, put_text);
}

ba_brief ba_brief_of(const ba_result *r)
{
	BA_AUTO(ba_ranking) ba_ranking k = {0};
	ba_ranking_of(&k, r);
	ba_brief_word word = word_of(r, &k);
	return (ba_brief){.word = word,
		.exit_status = r->decided.exit_status,
		.answer = r->decided.answer,
		.baseline = r->run.variant_count ? r->run.variants[0].label : NULL,
		.candidate = r->run.variant_count == 2 ? r->run.variants[1].label : NULL,
		.next = next_of(r, &k, word),
		.r = r};
}

void ba_brief_dispose(ba_brief *b)
{
	free(b->next);
	b->next = NULL;
}

void ba_verdict_write(ba_buf *out, const ba_result *r, const ba_format_options *o)
{
	BA_AUTO(ba_brief) ba_brief b = ba_brief_of(r);
	ba_brief_json(out, &b);
}

void ba_verdict_text_write(ba_buf *out, const ba_result *r, const ba_format_options *o)
{
	BA_AUTO(ba_brief) ba_brief b = ba_brief_of(r);
	ba_brief_text(out, &b);
}
