/* The answer as text. */

#include "bisect/internal.h"
#include "git/commit.h"

enum { RUNNERS_UP = 3 };

static void put_change(ba_buf *out, const ba_bisect *b, double delta, double low, double high)
{
	if (b->request.faster) {
		double most = -low;
		delta = -delta;
		low = -high;
		high = most;
	}
	int decimals = isfinite(low) ? ba_percent_decimals(exp(low), exp(high)) : 1;
	ba_percent_put(out, exp(delta), decimals);
	if (!isfinite(low))
		return;
	ba_buf_puts(out, " (95 % interval ");
	ba_percent_interval_put(out, exp(low), exp(high), decimals);
	ba_buf_putc(out, ')');
}

/* "2026-11-23"; nothing for a commit that cannot be read */
static void put_date(ba_buf *out, int64_t when)
{
	char text[32];
	ba_time_format(text, (time_t)when);
	ba_buf_printf(out, "%.10s", text);
}

static void put_commit(ba_buf *out, const ba_bisect *b, size_t k, const char *what)
{
	BA_AUTO(ba_commit) ba_commit c = {0};
	const char *id = b->commits[k].id;
	ba_buf_printf(out, "%s%s\n", id, what);
	if (ba_commit_resolve(&c, b->repo, id, NULL) != 0)
		return;
	ba_buf_printf(out, "    %s\n    ", c.subject);
	put_date(out, c.author_time);
	ba_buf_puts(out, c.parents > 1 ? ", a merge\n" : "\n");
}

static void put_place(ba_buf *out, const ba_bisect *b, const ba_bisect_place *p, const char *what)
{
	if (p->from == p->to) {
		put_commit(out, b, p->to, what);
	} else {
		ba_buf_printf(out,
			"The first %s commit is one of these; those between could not be measured:\n",
			b->request.faster ? "faster" : "bad");
		for (size_t k = p->from; k <= p->to; k++)
			put_commit(out, b, k, "");
	}
	BA_AUTO_FREE char *name = ba_text_safe(b->benchmark);
	ba_buf_printf(out, "%s ", name);
	put_change(out, b, p->delta, p->low, p->high);
	ba_buf_printf(out, ", %s; probability ", ba_metric_get(b->metric)->name);
	ba_bisect_put_probability(out, p->probability);
	ba_buf_putc(out, '\n');
}

/* ---- runners-up, and what is left ---- */

static void put_runners_up(ba_buf *out, const ba_bisect *b)
{
	const ba_steps *s = &ba_bisect_answering(b)->steps;
	BA_AUTO_FREE double *p = ba_xcalloc(b->commit_count, sizeof(*p));
	for (size_t k = 1; k < b->commit_count; k++)
		if (!BA_ANY(b->places, b->place_count, one, k >= one->from && k <= one->to))
			p[k] = s->one * s->at[k];
	size_t count = 0;
	for (size_t best; count < RUNNERS_UP; count++, p[best] = 0) {
		best = ba_steps_best(p, b->commit_count);
		if (p[best] < 1e-4)
			break;
		ba_buf_printf(out, "%s%s %.2f %%", count ? ", " : "Next: ", b->commits[best].name,
			100 * p[best]);
	}
	ba_buf_puts(out, count ? "\n" : "");
}

static void put_resume(ba_buf *out, const ba_bisect *b)
{
	if (b->exhausted) {
		ba_buf_puts(out, "More measurements of these commits would not tell more.\n");
		return;
	}
	ba_buf_printf(out, "To go on%s:\n    bench-against bisect --resume %s%s%s\n",
		b->out_of_budget ? " with a larger budget" : "", b->state_path, b->request.again,
		b->out_of_budget ? " --budget TIME" : "");
}

/* A second change, whose commit is not known. */
static void put_besides(ba_buf *out, const ba_bisect *b)
{
	const ba_bisect_place *p = &b->besides;
	if (p->probability < 0.05)
		return;
	ba_buf_puts(out, "Another commit may have changed it, too (");
	ba_bisect_put_probability(out, p->probability);
	if (isfinite(p->delta)) {
		ba_buf_puts(out, "): ");
		put_change(out, b, p->delta, p->low, p->high);
		ba_buf_printf(out, ", most likely %s", b->commits[p->to].name);
	} else {
		ba_buf_putc(out, ')');
	}
	ba_buf_puts(out, "; no commit has 95 % of that.\n");
}

/* The mean of a commit's values over invocations; NaN: not measured. */
static double level_of(const ba_bisect_phase *p, size_t commit)
{
	double sum = 0;
	size_t n = 0;
	for (size_t i = 0; i < p->row_count; i++)
		for (size_t k = 0; k < p->rows[i].count; k++)
			if (p->rows[i].commits[k] == commit) {
				sum += p->rows[i].y[k];
				n++;
			}
	return n ? sum / (double)n : commit ? NAN : 0;
}

/* The neighbouring measured commits between which the level changed most. */
static double largest(size_t *from, size_t *to, const ba_bisect *b)
{
	const ba_bisect_phase *p = ba_bisect_answering(b);
	double most = -INFINITY, before = 0;
	for (size_t k = 1, last = 0; k < b->commit_count; k++) {
		double here = level_of(p, k);
		if (isnan(here))
			continue;
		if (here - before > most) {
			most = here - before;
			*from = last;
			*to = k;
		}
		before = here;
		last = k;
	}
	return most;
}

static void put_many(ba_buf *out, const ba_bisect *b)
{
	const ba_steps *s = &ba_bisect_answering(b)->steps;
	BA_AUTO_FREE char *name = ba_text_safe(b->benchmark);
	size_t from = 0, to = b->commit_count - 1;
	double most = largest(&from, &to, b);
	BA_AUTO_FREE char *pair = ba_bisect_command(b, from, to);
	ba_buf_printf(out, "Many small changes made %s %s, not one commit: together ", name,
		ba_bisect_word(b));
	put_change(out, b, s->delta_drift, s->low_drift, s->high_drift);
	ba_buf_printf(out, ", %s; probability ", ba_metric_get(b->metric)->name);
	ba_bisect_put_probability(out, s->drift);
	ba_buf_printf(out, ".\nBetween measured commits it changed most from %s to %s: ",
		b->commits[from].name, b->commits[to].name);
	ba_percent_put(out, exp(ba_bisect_sign(b) * most), 1);
	ba_buf_printf(out, ". To compare the two:\n    %s\n", pair);
}

static void put_open(ba_buf *out, const ba_bisect *b)
{
	const ba_steps *s = &ba_bisect_answering(b)->steps;
	if (ba_bisect_is_held(b)) {
		ba_buf_puts(out, "The values vary too much to tell this change from none:\n");
		put_place(out, b, &b->places[0], "");
		put_resume(out, b);
		return;
	}
	BA_AUTO_FREE bool *in = ba_xcalloc(b->commit_count, sizeof(*in));
	BA_AUTO_FREE char *name = ba_text_safe(b->benchmark);
	size_t count = ba_bisect_candidates(in, b, s);
	ba_buf_printf(
		out, "No commit has 95 %% yet%s. ", b->out_of_budget ? ": the budget is over" : "");
	if (count == 1)
		ba_buf_puts(out, "This one would have it");
	else
		ba_buf_printf(out, "These %zu have it together", count);
	ba_buf_printf(out, ", if one commit made %s %s (%.0f %%):\n", name, ba_bisect_word(b),
		100 * s->one);
	for (size_t k = 1; k < b->commit_count; k++) {
		BA_AUTO(ba_commit) ba_commit c = {0};
		if (!in[k])
			continue;
		bool known = ba_commit_resolve(&c, b->repo, b->commits[k].id, NULL) == 0;
		ba_buf_printf(out, "%5.1f %%  %s  %s\n", 100 * s->at[k], b->commits[k].name,
			known ? c.subject : "");
	}
	put_resume(out, b);
}

static void put_not_measured(ba_buf *out, const ba_bisect *b)
{
	BA_AUTO_FREE bool *in = ba_xcalloc(b->commit_count, sizeof(*in));
	BA_AUTO(ba_strv) ba_strv failures = {0};
	memset(in, true, b->commit_count * sizeof(*in));
	ba_bisect_failures(&failures, b, in, ": ");
	for (size_t i = 0; i < failures.count; i++)
		ba_buf_printf(out, "Not measured: %s\n", failures.items[i]);
}

/* ---- the whole ---- */

static size_t tried(const ba_bisect *b)
{
	size_t count = 0;
	for (size_t k = 0; k < b->commit_count; k++)
		count += *b->commits[k].build || b->commits[k].failure || b->commits[k].ahead ||
			 b->phases[BA_BISECT_TIMES].measured[k] ||
			 b->phases[BA_BISECT_COUNTS].measured[k];
	return count;
}

size_t ba_bisect_ahead(size_t *used, const ba_bisect *b)
{
	*used = BA_HOW_MANY(b->commits, b->commit_count, c, c->ahead && *c->build);
	return BA_HOW_MANY(b->commits, b->commit_count, c, c->ahead);
}

static void put_cost(ba_buf *out, const ba_bisect *b)
{
	size_t used = 0, ahead = ba_bisect_ahead(&used, b);
	ba_buf_printf(out, "Cost: %zu %s, %zu invocations, %zu of %zu commits built", b->runs,
		ba_plural(b->runs, "run", "runs"), b->invocations, tried(b), b->commit_count);
	if (ahead)
		ba_buf_printf(out, " (%zu ahead, of which %zu were used)", ahead, used);
	ba_buf_printf(
		out, ", %.1f s of measuring, %.1f s in all.\n", b->measure_seconds, b->seconds);
}

/* One line for an issue or a message. */
static void put_issue_line(ba_buf *out, const ba_bisect *b, const ba_bisect_place *p)
{
	BA_AUTO(ba_commit) ba_commit c = {0};
	BA_AUTO_FREE char *name = ba_text_safe(b->benchmark);
	if (ba_commit_resolve(&c, b->repo, b->commits[p->to].id, NULL) != 0)
		return;
	ba_buf_printf(out, "    %s (%s, ", b->commits[p->to].name, c.subject);
	put_date(out, c.author_time);
	ba_buf_printf(out, ") changed %s (%s) by ", name, ba_metric_get(b->metric)->name);
	put_change(out, b, p->delta, p->low, p->high);
	ba_buf_puts(out, ", probability ");
	ba_bisect_put_probability(out, p->probability);
	ba_buf_printf(out, "; found by bench-against %s bisect %s %s\n", b->request.version,
		b->commits[0].name, b->commits[b->commit_count - 1].name);
}

static void put_found(ba_buf *out, const ba_bisect *b)
{
	bool two = b->place_count == 2;
	if (two)
		ba_buf_puts(out, "Two commits changed it:\n");
	const char *noun = b->tree ? "version" : "commit";
	BA_AUTO_FREE char *first =
		ba_xprintf(" is the first %s %s", b->request.faster ? "faster" : "bad", noun);
	for (size_t i = 0; i < b->place_count; i++)
		put_place(out, b, &b->places[i], two ? "" : first);
	put_runners_up(out, b);
	put_besides(out, b);
	put_not_measured(out, b);
	if (b->note)
		ba_buf_printf(out, "%s\n", b->note);
	if (b->why)
		ba_buf_printf(out, "\nWhy:\n%s\n", b->why);
	if (b->others)
		ba_buf_printf(out, "%zu other %s %s, too; --filter searches another one.\n",
			b->others, ba_plural(b->others, "benchmark is", "benchmarks are"),
			ba_bisect_word(b));
	put_cost(out, b);
	BA_EACH (const ba_bisect_place, p, b->places, b->place_count) {
		BA_AUTO_FREE char *pair = ba_bisect_command(b, p->from - 1, p->to);
		BA_AUTO_FREE char *it = ba_xprintf("it with the %s before", noun);
		ba_buf_printf(out, "To compare %s:\n    %s\n",
			p->from == p->to ? it : "the ends of this range", pair);
	}
	ba_buf_puts(out, b->tree ? "" : "For an issue:\n");
	for (size_t i = 0; i < b->place_count; i++)
		put_issue_line(out, b, &b->places[i]);
}

void ba_bisect_text(ba_buf *out, const ba_bisect *b)
{
	if (b->outcome == BA_BISECT_ONE || b->outcome == BA_BISECT_TWO) {
		put_found(out, b);
		return;
	}
	if (b->outcome == BA_BISECT_OPEN) {
		put_open(out, b);
		if (b->note)
			ba_buf_printf(out, "%s\n", b->note);
	} else if (b->outcome == BA_BISECT_MANY) {
		put_many(out, b);
	} else {
		BA_AUTO_FREE char *pair = ba_bisect_command(b, 0, b->commit_count - 1);
		ba_buf_printf(out,
			"Fresh measurements do not confirm that %s is %s than %s by half the threshold. To compare the two:\n    %s\n",
			b->commits[b->commit_count - 1].name, ba_bisect_word(b), b->commits[0].name,
			pair);
	}
	put_not_measured(out, b);
	put_cost(out, b);
}
