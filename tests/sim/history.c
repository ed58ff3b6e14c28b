#include "history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "simulate.h"
#include "stats/logratio.h"
#include "stats/quantile.h"
#include "stats/schedule.h"
#include "stats/steps.h"

enum {
	COMMITS_MAX = 257,
	VARIANTS_MAX = 12,
	BLOCKS = 8,
	READINGS_MAX = 5,
	INVOCATION_MS = 500,
	STEPS_MOST = 30,
	INVOCATIONS_MOST = STEPS_MOST * 8,
};

typedef struct world {
	const history *h;
	noise_world noise;
	size_t first, second; /* where the steps are; second 0: there is none */
	size_t invocation;
	double launches;
	unsigned batch, readings;
} world;

/* What the commit does besides, which stays: of the seed alone. */
static double deviation_of(const world *w, size_t commit)
{
	enum { TERMS = 12 };
	uint64_t random = w->h->seed * 1000003 + commit;
	double sum = -TERMS / 2.0;
	for (int i = 0; i < TERMS; i++)
		sum += noise_uniform(&random);
	return commit ? sum * w->h->deviation * w->h->theta : 0;
}

static double effect_of(const world *w, size_t commit)
{
	double each = log1p(w->h->effect);
	return (commit >= w->first ? each : 0) + (w->second && commit >= w->second ? each : 0) +
	       deviation_of(w, commit);
}

/* One invocation of commits[0..n-1], of which the first is GOOD: y of the others. */
static void invocation(world *w, double *y, const size_t *commits, size_t n)
{
	double v[2 * VARIANTS_MAX * BLOCKS], reading[READINGS_MAX];
	unsigned char order[2 * VARIANTS_MAX * BLOCKS];
	noise_process p[VARIANTS_MAX];
	noise_wait(&w->noise, INVOCATION_MS);
	for (size_t c = 0; c < n; c++)
		noise_process_start(&p[c], &w->noise, effect_of(w, commits[c]));
	for (size_t b = 0; b < BLOCKS; b++) {
		unsigned char *row = order + 2 * n * b;
		ba_schedule_block(row, n, w->h->seed, "history", w->invocation, b);
		for (size_t i = 0; i < 2 * n; i++) {
			noise_launch(&w->noise, &p[row[i]]); /* discarded */
			for (unsigned r = 0; r < w->readings; r++)
				reading[r] = noise_reading(&w->noise, &p[row[i]], w->batch);
			v[2 * n * b + i] = ba_visit_value(reading, w->readings);
		}
	}
	w->launches += (double)(2 * n * BLOCKS * (1 + w->readings * w->batch));
	w->invocation++;
	for (unsigned c = 1; c < n; c++)
		y[c - 1] = ba_logratio_of_visits(v,
			&(ba_readings){.blocks = BLOCKS, .positions = 2 * n, .order = order}, 0, c)
				   .y;
}

/* ---- one commit against GOOD, as a run of the tool ---- */

static ba_decision run(world *w, size_t commit, size_t invocations)
{
	ba_design design = ba_design_sequential();
	ba_policy policy = BA_POLICY_DEFAULT;
	ba_decision d;
	double y[32];
	size_t done = 0;
	policy.s_floor = ba_s_floor(w->h->model->tick, w->batch);
	ba_decision_init(&d, w->h->theta, w->h->theta);
	for (size_t look = 0; look < design.looks && design.at[look] <= invocations; look++) {
		bool last = look + 1 == design.looks || design.at[look + 1] > invocations;
		for (; done < design.at[look]; done++)
			invocation(w, &y[done], (size_t[]){0, commit}, 2);
		ba_decision_look(&d, &policy, &design, look, y);
		if (ba_family_decide(&d, 1, 1, &policy, last) == 0)
			break;
	}
	return d;
}

static history_answer git_bisect(world *w, double launches)
{
	size_t good = 0, bad = w->h->commits;
	double steps = ceil(log2((double)bad));
	double each = 4.0 * BLOCKS * (1 + w->readings * w->batch);
	double most = floor(launches / (steps * each));
	size_t invocations = most < 4 ? 4 : most > 32 ? 32 : (size_t)most;
	while (bad - good > 1) {
		size_t middle = good + (bad - good) / 2;
		ba_decision d = run(w, middle, invocations);
		if (d.verdict == BA_VERDICT_REGRESSED)
			bad = middle;
		else
			good = middle;
	}
	return bad == w->first || bad == w->second ? HISTORY_RIGHT : HISTORY_WRONG;
}

/* ---- the search ---- */

typedef struct search {
	world *w;
	double prior[COMMITS_MAX];
	bool measurable[COMMITS_MAX];
	size_t measured[COMMITS_MAX];
	size_t commits[INVOCATIONS_MOST][VARIANTS_MAX];
	double y[INVOCATIONS_MOST][VARIANTS_MAX];
	ba_step_values values[INVOCATIONS_MOST];
	ba_step_data data;
	ba_steps steps;
	double delta, s, of_commit;
} search;

static void measure(search *s, const size_t *chosen, size_t count, size_t invocations)
{
	size_t row[VARIANTS_MAX] = {0};
	for (size_t i = 0; i < count; i++)
		s->measured[chosen[i]] += invocations;
	memcpy(row + 1, chosen, count * sizeof(*row));
	row[count + 1] = s->w->h->commits;
	for (size_t i = 0; i < invocations; i++) {
		size_t at = s->data.count++;
		memcpy(s->commits[at], row + 1, (count + 1) * sizeof(*row));
		invocation(s->w, s->y[at], row, count + 2);
		s->values[at] = (ba_step_values){
			.commits = s->commits[at], .y = s->y[at], .count = count + 1};
	}
	ba_steps_update(&s->steps, &s->data);
	if (s->steps.delta > 0) {
		s->delta = s->steps.delta;
		s->s = s->steps.s;
		s->of_commit = s->steps.of_commit;
	}
}

static history_answer judged(const search *s)
{
	const ba_steps *p = &s->steps;
	const world *w = s->w;
	size_t n = p->commits, best = ba_steps_best(p->at, n);
	if (p->one * p->at[best] >= 0.95)
		return best == w->first && !w->second && w->h->effect > 0 ? HISTORY_RIGHT
									  : HISTORY_WRONG;
	size_t first = ba_steps_best(p->first, n), second = ba_steps_best(p->second, n);
	if (p->two * p->first[first] >= 0.95 && p->two * p->second[second] >= 0.95)
		return first == w->first && second == w->second ? HISTORY_RIGHT : HISTORY_WRONG;
	if (ba_steps_is_small(p, s->data.least))
		return HISTORY_NO_STEP;
	return p->drift >= 0.95 ? w->h->places ? HISTORY_WRONG : HISTORY_NO_STEP : HISTORY_OPEN;
}

/* One commit is certain, and a second change is smaller: judged after three more steps. */
static history_answer judged_larger(const search *s)
{
	const ba_steps *p = &s->steps;
	double marginal[COMMITS_MAX];
	ba_steps_marginal(marginal, p);
	size_t best = ba_steps_best(marginal, p->commits);
	size_t first = ba_steps_best(p->first, p->commits);
	size_t second = ba_steps_best(p->second, p->commits);
	bool is_first = p->delta_first > p->delta_second;
	double other = is_first ? p->delta_second : p->delta_first;
	if (marginal[best] < 0.95 ||
		(p->two >= p->one && (best != (is_first ? first : second) ||
					     fabs(other) > fmax(p->delta_first, p->delta_second))))
		return HISTORY_OPEN;
	return s->w->h->effect > 0 && (best == s->w->first || best == s->w->second) ? HISTORY_RIGHT
										    : HISTORY_WRONG;
}

static history_answer find(search *s)
{
	ba_step_menu menu = {.measurable = s->measurable,
		.measured = s->measured,
		.most = VARIANTS_MAX - 2,
		.run_cost = 6,
		.invocation_cost = 1};
	history_answer answer = HISTORY_OPEN;
	size_t larger = 0;
	for (size_t i = 0; i < STEPS_MOST && answer == HISTORY_OPEN; i++) {
		size_t chosen[VARIANTS_MAX], invocations = 0;
		menu.delta = s->delta;
		menu.s = s->s;
		menu.of_commit = s->of_commit;
		size_t count = ba_steps_choose(chosen, &invocations, &s->steps, &menu);
		if (count == 0)
			break;
		measure(s, chosen, count, invocations);
		answer = judged(s);
		if (answer == HISTORY_OPEN && judged_larger(s) != HISTORY_OPEN && larger++ == 3)
			answer = judged_larger(s);
	}
	if (answer == HISTORY_OPEN)
		answer = judged_larger(s);
	return answer;
}

static world begin(const history *h)
{
	uint64_t random = h->seed;
	world w = {.h = h};
	double least = 20 * h->model->tick / h->theta;
	w.batch = least <= 1 ? 1 : (unsigned)ceil(least - 1e-9);
	unsigned wanted = (16 + w.batch - 1) / w.batch;
	w.readings = wanted > READINGS_MAX ? READINGS_MAX : wanted;
	noise_world_init(&w.noise, h->model, h->seed);
	w.first = 1 + ba_splitmix64(&random) % h->commits;
	while (h->places == 2 && (w.second == 0 || w.second == w.first))
		w.second = 1 + ba_splitmix64(&random) % h->commits;
	if (w.second && w.second < w.first) {
		size_t swap = w.first;
		w.first = w.second;
		w.second = swap;
	}
	return w;
}

history_end history_bisect(const history *h)
{
	static search s;
	world w = begin(h);
	ba_decision first = run(&w, h->commits, 32);
	history_end end = {.answer = HISTORY_NOT_SLOWER, .launches = w.launches};
	if (first.verdict != BA_VERDICT_REGRESSED && !h->forced)
		return end;
	size_t before = w.invocation;
	ba_steps_dispose(&s.steps);
	s = (search){.w = &w, .delta = fmax(first.ybar, log1p(h->theta)), .s = first.s / sqrt(2)};
	for (size_t k = 1; k <= h->commits; k++) {
		s.prior[k] = 1;
		s.measurable[k] = true;
	}
	s.data = (ba_step_data){.commits = h->commits + 1,
		.prior = s.prior,
		.values = s.values,
		.floor = ba_s_floor(h->model->tick, w.batch),
		.least = log1p(h->theta) / 2};
	ba_steps_update(&s.steps, &s.data);
	end.answer = find(&s);
	ba_steps_dispose(&s.steps);
	end.invocations = w.invocation - before;
	end.launches = w.launches;
	end.git = git_bisect(&w, end.launches);
	return end;
}
