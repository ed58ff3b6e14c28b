/* The answer as JSON (docs/bisect.md), whole or compact (docs/agents.md). */

#include "bisect/internal.h"
#include "git/commit.h"
#include "report/brief.h"

static const char *const outcomes[] = {
	[BA_BISECT_OPEN] = "open",
	[BA_BISECT_ONE] = "one",
	[BA_BISECT_TWO] = "two",
	[BA_BISECT_NONE] = "none",
	[BA_BISECT_MANY] = "many",
};

static void write_commit(ba_json_writer *w, const ba_bisect *b, size_t k, double probability)
{
	BA_AUTO(ba_commit) ba_commit c = {0};
	ba_json_put(w, "{commit: %s", b->commits[k].id);
	if (ba_commit_resolve(&c, b->repo, b->commits[k].id, NULL) == 0) {
		char date[32];
		ba_time_format(date, (time_t)c.author_time);
		ba_json_put(w, "subject: %s, author_date: %s, merge: %d", c.subject, date,
			c.parents > 1);
	}
	ba_json_put(w, "probability: %g}", probability);
}

/* Opens an object. */
static void write_size(ba_json_writer *w, const char *key, const ba_bisect *b, double p,
	double delta, double low, double high)
{
	double sign = ba_bisect_sign(b);
	ba_json_open_object(w, key);
	ba_json_put(w, "probability: %g, ratio: %g, low: %g, high: %g", p, exp(sign * delta),
		exp(sign < 0 ? -high : low), exp(sign < 0 ? -low : high));
}

static void write_place(ba_json_writer *w, const ba_bisect *b, size_t index)
{
	const ba_bisect_place *p = &b->places[index];
	const ba_steps *s = &ba_bisect_answering(b)->steps;
	bool two = b->place_count == 2;
	const double *at = !two ? s->at : index ? s->second : s->first;
	write_size(w, NULL, b, p->probability, p->delta, p->low, p->high);
	ba_json_put(w, "commits: [");
	for (size_t k = p->from; k <= p->to; k++)
		if (at[k] > 0)
			write_commit(w, b, k, (two ? s->two : s->one) * at[k]);
	BA_AUTO_FREE char *pair = ba_bisect_command(b, p->from - 1, p->to);
	ba_json_put(w, "], compare: %s}", pair);
}

static void write_candidates(ba_json_writer *w, const ba_bisect *b)
{
	const ba_steps *s = &ba_bisect_answering(b)->steps;
	ba_json_put(w, "candidates: [");
	for (size_t k = 1; k < b->commit_count; k++)
		if (s->at[k] >= 1e-4)
			write_commit(w, b, k, s->at[k]);
	ba_json_put(w, "], steps_probability: {none: %g, one: %g, two: %g, many: %g}", s->none,
		s->one, s->two, s->drift);
}

static void write_not_measured(ba_json_writer *w, const ba_bisect *b)
{
	ba_json_put(w, "not_measured: [");
	BA_EACH (const ba_bisect_commit, c, b->commits + 1, b->commit_count - 1)
		if (c->failure)
			ba_json_put(w, "{commit: %s, reason: %s}", c->id, c->failure);
	ba_json_put(w, "]");
}

static void write_cost(ba_json_writer *w, const ba_bisect *b)
{
	size_t used = 0, ahead = ba_bisect_ahead(&used, b);
	ba_json_put(w, "cost: {runs: %zu, invocations: %zu", b->runs, b->invocations);
	ba_json_put(w, "built_ahead: %zu, built_ahead_used: %zu", ahead, used);
	ba_json_put(w, "measure_seconds: %g, seconds: %g}", b->measure_seconds, b->seconds);
}

void ba_bisect_json(ba_buf *out, const ba_bisect *b)
{
	ba_json_writer w = ba_json_writer_to_buf(out, 2);
	ba_json_put(&w, "{schema: 'bench-against.bisect/1', tool_version: %s, answer: %s",
		b->request.version, outcomes[b->outcome]);
	ba_json_put(&w, "good: %s, bad: %s, commits: %zu, direction: %s", b->commits[0].id,
		b->commits[b->commit_count - 1].id, b->commit_count - 1, ba_bisect_word(b));
	ba_json_put(&w, "benchmark: %s, metric: %s, threshold: %g, other_benchmarks: %zu, steps: [",
		b->benchmark, ba_metric_get(b->metric)->name, b->threshold, b->others);
	for (size_t i = 0; b->outcome != BA_BISECT_OPEN && i < b->place_count; i++)
		write_place(&w, b, i);
	ba_json_put(&w, "]");
	const ba_steps *s = &ba_bisect_answering(b)->steps;
	if (b->outcome == BA_BISECT_MANY) {
		write_size(
			&w, "together", b, s->drift, s->delta_drift, s->low_drift, s->high_drift);
		ba_json_close(&w);
	}
	if (b->besides.probability >= 0.05) {
		const ba_bisect_place *p = &b->besides;
		write_size(&w, "besides", b, p->probability, p->delta, p->low, p->high);
		ba_json_close(&w);
	}
	write_candidates(&w, b);
	write_not_measured(&w, b);
	ba_json_put(&w, "why: %s, note: %s, budget_over: %d, state: %s", b->why, b->note,
		b->out_of_budget,
		b->outcome == BA_BISECT_OPEN && !b->exhausted ? b->state_path : NULL);
	write_cost(&w, b);
	ba_json_close(&w);
	ba_buf_putc(out, '\n');
}

/* ---- compact ---- */

enum { BRIEF_COMMITS = 4 };

static void write_found(ba_json_writer *w, const void *data)
{
	const ba_bisect *b = data;
	size_t left = BRIEF_COMMITS;
	ba_json_put(w, "commits: [");
	for (size_t i = 0; b->outcome != BA_BISECT_OPEN && i < b->place_count; i++) {
		const ba_bisect_place *p = &b->places[i];
		for (size_t k = p->from; k <= p->to && left; k++, left--) {
			write_size(w, NULL, b, p->probability, p->delta, p->low, p->high);
			ba_json_put(w, "commit: %s}", b->commits[k].id);
		}
	}
	ba_json_put(w, "]");
	write_cost(w, b);
}

/* The first lines of the text as one sentence. Caller frees. */
static char *first_lines(const ba_bisect *b)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT, out = BA_BUF_INIT;
	BA_AUTO(ba_strv) ba_strv words = {0};
	ba_bisect_text(&text, b);
	for (char *c = text.data; *c; c++)
		*c = *c == '\n' ? ' ' : *c;
	ba_strv_split(&words, text.data, ' ');
	for (size_t i = 0; i < words.count; i++)
		if (*words.items[i])
			ba_buf_printf(&out, "%s%s", out.len ? " " : "", words.items[i]);
	return ba_buf_detach(&out);
}

void ba_bisect_brief(ba_buf *out, const ba_bisect *b, int exit_status)
{
	bool open = b->outcome == BA_BISECT_OPEN, none = b->outcome == BA_BISECT_NONE;
	BA_AUTO_FREE char *answer = first_lines(b);
	const ba_bisect_place *p = b->place_count ? &b->places[0] : NULL;
	BA_AUTO_FREE char *pair =
		ba_bisect_command(b, p ? p->from - 1 : 0, p ? p->to : b->commit_count - 1);
	BA_AUTO(ba_brief)
	ba_brief brief = {.word = open		      ? BA_BRIEF_UNDECIDED
				  : none	      ? BA_BRIEF_SAME
				  : b->request.faster ? BA_BRIEF_FASTER
						      : BA_BRIEF_SLOWER,
		.exit_status = exit_status,
		.answer = answer,
		.baseline = b->commits[0].id,
		.candidate = b->commits[b->commit_count - 1].id,
		.next = open && !b->exhausted
				? ba_xprintf(
					  "continue with a larger --budget: bench-against bisect --resume %s",
					  b->state_path)
				: ba_xprintf("compare the two: %s", pair),
		.members = write_found,
		.data = b};
	ba_brief_json(out, &brief);
}
