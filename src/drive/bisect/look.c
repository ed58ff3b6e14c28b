/* Draws conclusions from the values of a phase. */

#include "bisect/internal.h"

static bool can_be_measured(const ba_bisect *b, size_t k)
{
	return !b->commits[k].failure;
}

/* The range around the most likely place that measurable commits cannot divide. */
static ba_bisect_place place_of(const ba_bisect *b, const double *p, double share)
{
	size_t n = b->commit_count, best = ba_steps_best(p, n);
	ba_bisect_place out = {.from = best, .to = best};
	while (out.from > 1 && !can_be_measured(b, out.from - 1))
		out.from--;
	while (out.to + 1 < n && !can_be_measured(b, out.to))
		out.to++;
	for (size_t k = out.from; k <= out.to; k++)
		out.probability += share * p[k];
	/* skip excluded places */
	while (out.from < out.to && p[out.from] <= 0)
		out.from++;
	while (out.to > out.from && p[out.to] <= 0)
		out.to--;
	return out;
}

/* An interval that contains zero would contradict the stated probability. */
static bool is_found(const ba_bisect_place *p)
{
	return p->probability >= BA_BISECT_LEVEL &&
	       (p->low > 0 || p->high < 0 || !isfinite(p->low));
}

bool ba_bisect_is_held(const ba_bisect *b)
{
	return b->outcome == BA_BISECT_OPEN && b->place_count &&
	       b->places[0].probability >= BA_BISECT_LEVEL && !is_found(&b->places[0]);
}

static ba_bisect_place with_size(ba_bisect_place p, double delta, double low, double high)
{
	p.delta = delta;
	p.low = low;
	p.high = high;
	return p;
}

/* With one commit certain and its change the largest, the second place need not be known. */
static void judge_larger(ba_bisect *b, const ba_steps *s, ba_bisect_place first,
	ba_bisect_place second, ba_bisect_place one)
{
	BA_AUTO_FREE double *p = ba_xcalloc(b->commit_count, sizeof(*p));
	ba_steps_marginal(p, s);
	ba_bisect_place sure = place_of(b, p, 1);
	ba_bisect_place larger = first.delta > second.delta ? first : second;
	ba_bisect_place other = first.delta > second.delta ? second : first;
	if (s->two < s->one) {
		larger = one;
		other = with_size(other, NAN, NAN, NAN);
	}
	bool same = larger.from == sure.from && !(fabs(other.delta) > larger.delta);
	sure = with_size(sure, larger.delta, larger.low, larger.high);
	if (!same || !is_found(&sure))
		return;
	b->outcome = BA_BISECT_ONE;
	b->places[0] = sure;
	b->besides = other;
	b->besides.probability = s->two;
}

static void judge(ba_bisect *b, const ba_steps *s, double least)
{
	ba_bisect_place one = with_size(place_of(b, s->at, s->one), s->delta, s->low, s->high);
	ba_bisect_place first = with_size(
		place_of(b, s->first, s->two), s->delta_first, s->low_first, s->high_first);
	ba_bisect_place second = with_size(
		place_of(b, s->second, s->two), s->delta_second, s->low_second, s->high_second);
	b->outcome = BA_BISECT_OPEN;
	b->besides = (ba_bisect_place){0};
	b->place_count = 1;
	b->places[0] = one;
	if (is_found(&one)) {
		b->outcome = BA_BISECT_ONE;
	} else if (is_found(&first) && is_found(&second)) {
		b->outcome = BA_BISECT_TWO;
		b->places[0] = first;
		b->places[1] = second;
		b->place_count = 2;
	} else if (ba_steps_is_small(s, least)) {
		b->outcome = BA_BISECT_NONE;
		b->place_count = 0;
	} else if (s->drift >= BA_BISECT_LEVEL && s->low_drift > 0) {
		b->outcome = BA_BISECT_MANY;
		b->place_count = 0;
	} else {
		judge_larger(b, s, first, second, one);
	}
}

int ba_bisect_data_of(
	ba_bisect_data *out, const ba_bisect *b, ba_bisect_phase_name phase, ba_error *err)
{
	const ba_bisect_phase *p = &b->phases[phase];
	out->prior = ba_xcalloc(b->commit_count, sizeof(*out->prior));
	out->values = ba_xcalloc(p->row_count + 1, sizeof(*out->values));
	if (!ba_bisect_prior(out->prior, b))
		return ba_fail(err, BA_EUNSUPPORTED,
			"%s runs the same as %s, so there is no commit to find",
			b->commits[b->commit_count - 1].name, b->commits[0].name);
	for (size_t i = 0; i < p->row_count; i++)
		out->values[i] =
			(ba_step_values){p->rows[i].commits, p->rows[i].y, p->rows[i].count};
	out->d = (ba_step_data){.commits = b->commit_count,
		.prior = out->prior,
		.values = out->values,
		.count = p->row_count,
		.floor = phase == BA_BISECT_COUNTS ? BA_S_FLOOR : b->s_floor,
		/* for counts, a quarter of the change; for times, half the threshold */
		.least = phase == BA_BISECT_COUNTS ? p->delta / 4 : log1p(b->threshold) / 2};
	return 0;
}

BA_OWNS(ba_bisect_data, d, BA_FREE(d->prior, d->values))

int ba_bisect_look(ba_bisect *b, ba_bisect_phase_name phase, ba_error *err)
{
	ba_bisect_phase *p = &b->phases[phase];
	BA_AUTO(ba_bisect_data) ba_bisect_data data = {0};
	BA_TRY(ba_bisect_data_of(&data, b, phase, err));
	ba_steps_update(&p->steps, &data.d);
	judge(b, &p->steps, data.d.least);
	/* without values, even a single candidate has not confirmed the first run */
	if (p->row_count == 0)
		b->outcome = BA_BISECT_OPEN;
	return 0;
}

size_t ba_bisect_candidates(bool *in, const ba_bisect *b, const ba_steps *s)
{
	return ba_steps_set(in, s->at, b->commit_count, BA_BISECT_LEVEL);
}

void ba_bisect_failures(ba_strv *out, const ba_bisect *b, bool *in, const char *between)
{
	for (size_t first = 1; first < b->commit_count; first++) {
		const char *reason = b->commits[first].failure;
		size_t count = 0, last = first;
		for (size_t k = first; reason && in[first] && k < b->commit_count; k++) {
			const char *other = in[k] ? b->commits[k].failure : NULL;
			if (!other || strcmp(reason, other) != 0)
				continue;
			count++;
			last = k;
			in[k] = k == first;
		}
		if (count > 1)
			ba_strv_printf(out, "%zu commits from %s to %s%s%s", count,
				b->commits[first].name, b->commits[last].name, between, reason);
		else if (count)
			ba_strv_printf(out, "%s%s%s", b->commits[last].name, between, reason);
	}
}

void ba_bisect_put_probability(ba_buf *out, double p)
{
	double percent = 100 * p;
	if (percent > 99.9)
		ba_buf_puts(out, "more than 99.9 %");
	else
		ba_buf_printf(out, "%.1f %%", floor(10 * percent) / 10);
}

void ba_bisect_put_posterior(ba_buf *out, const ba_bisect *b, const ba_steps *s)
{
	BA_AUTO_FREE bool *in = ba_xcalloc(b->commit_count, sizeof(*in));
	size_t count = ba_bisect_candidates(in, b, s), from = 0, to = 0;
	size_t best = ba_steps_best(s->at, b->commit_count);
	for (size_t k = 1; k < b->commit_count; k++)
		if (in[k]) {
			from = from ? from : k;
			to = k;
		}
	if (s->drift > 0.5) {
		ba_buf_printf(out, "many small changes (%.0f %%)", 100 * s->drift);
		return;
	}
	if (s->two > 0.5) {
		size_t a = ba_steps_best(s->first, b->commit_count);
		size_t z = ba_steps_best(s->second, b->commit_count);
		ba_buf_printf(out, "two steps (%.0f %%), most likely %s (%.0f %%) and %s (%.0f %%)",
			100 * s->two, b->commits[a].name, 100 * s->first[a], b->commits[z].name,
			100 * s->second[z]);
		return;
	}
	if (count == 1) {
		ba_buf_printf(out, "%s has ", b->commits[best].name);
		ba_bisect_put_probability(out, s->one * s->at[best]);
		return;
	}
	ba_buf_printf(out, "%zu of %zu commits share 95 %%: %s to %s, most likely %s (%.2g %%)",
		count, b->commit_count - 1, b->commits[from].name, b->commits[to].name,
		b->commits[best].name, 100 * s->at[best]);
}

const ba_bisect_phase *ba_bisect_answering(const ba_bisect *b)
{
	const ba_bisect_phase *time = &b->phases[BA_BISECT_TIMES];
	return time->row_count || !b->phases[BA_BISECT_COUNTS].row_count
		       ? time
		       : &b->phases[BA_BISECT_COUNTS];
}
