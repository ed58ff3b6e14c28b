/* Predicts what the steps after the next one will measure (stats/steps.h). */
#include "stats/steps.h"

/* Outcomes less likely than this are not prepared for. */
#define OUTCOME_LEAST 1e-3
/* the most outcomes that are predicted: each needs an update and a choice */
enum { OUTCOMES_MOST = 12 };

/* A predicted step: the commits that it would measure, and the values. */
typedef struct imagined {
	/* the predicted step before this one; NULL: only the data */
	const struct imagined *before;
	size_t *commits; /* [count]; the last commit is BAD */
	double *y;
	size_t count, invocations;
} imagined;

/* The step is at a place k with after < k <= to. */
typedef struct outcome {
	const imagined *before;
	/* [count] commits chosen in the step to this outcome; owned by the search */
	size_t *chosen, count, invocations;
	double delta;
	size_t after, to;
	double probability;
} outcome;

typedef struct search {
	const ba_step_data *d;
	ba_step_menu menu;
	bool *built; /* the commits that are built after the first step */
	imagined steps[OUTCOMES_MOST];
	size_t *choices[OUTCOMES_MOST + 1];
	size_t step_count;
	outcome *open;
	size_t open_count;
	size_t *out, found, most;
} search;

BA_OWNS_HERE(search, s,
	BA_EMPTY_EACH(step, s->steps, s->step_count, BA_FREE(step->commits, step->y)),
	BA_EMPTY_EACH(choice, s->choices, s->step_count + 1, free(*choice)),
	BA_FREE(s->open, s->built))

/* Adds the possible outcomes of a step that measures these commits. */
static void add_outcomes(search *s, const outcome *step, const ba_steps *now)
{
	size_t n = now->commits;
	BA_AUTO_FREE double *until = ba_xcalloc(n, sizeof(*until));
	outcome here = *step;
	ba_steps_weigh(until, now);
	s->open = ba_xreallocarray(s->open, s->open_count + step->count + 1, sizeof(*s->open));
	here.after = 0;
	for (size_t i = 0; i <= step->count; i++) {
		here.to = i < step->count ? step->chosen[i] : n - 1;
		here.probability = step->probability * (until[here.to] - until[here.after]);
		s->open[s->open_count++] = here;
		here.after = here.to;
	}
}

static bool take_likeliest(outcome *out, search *s)
{
	size_t best = 0;
	if (s->open_count == 0)
		return false;
	for (size_t i = 1; i < s->open_count; i++)
		if (s->open[i].probability > s->open[best].probability)
			best = i;
	*out = s->open[best];
	s->open[best] = s->open[--s->open_count];
	return out->probability >= OUTCOME_LEAST;
}

/* The predicted values of a step, after those of the steps before it. */
static const imagined *imagine(search *s, const outcome *o)
{
	imagined *step = &s->steps[s->step_count];
	size_t n = o->count + 1;
	*step = (imagined){.before = o->before,
		.commits = ba_xcalloc(n, sizeof(*step->commits)),
		.y = ba_xcalloc(n, sizeof(*step->y)),
		.count = n,
		.invocations = o->invocations};
	for (size_t i = 0; i < n; i++) {
		step->commits[i] = i < o->count ? o->chosen[i] : s->d->commits - 1;
		step->y[i] = step->commits[i] >= o->to ? o->delta : 0;
	}
	s->step_count++;
	return step;
}

static void update(ba_steps *out, const search *s, const imagined *last)
{
	size_t count = s->d->count;
	for (const imagined *i = last; i; i = i->before)
		count += i->invocations;
	BA_AUTO_FREE ba_step_values *values = ba_xcalloc(count + 1, sizeof(*values));
	ba_step_data d = *s->d;
	for (size_t i = 0; i < d.count; i++)
		values[i] = d.values[i];
	for (const imagined *i = last; i; i = i->before)
		for (size_t k = 0; k < i->invocations; k++)
			values[d.count++] = (ba_step_values){i->commits, i->y, i->count};
	d.values = values;
	ba_steps_update(out, &d);
}

/* Makes the choice that would follow this outcome. */
static void think_through(search *s, const outcome *o)
{
	BA_AUTO(ba_steps) ba_steps then = {0};
	ba_step_menu menu = s->menu;
	size_t *next = ba_xcalloc(menu.most + 1, sizeof(*next));
	outcome step = {.before = imagine(s, o), .chosen = next};
	s->choices[s->step_count] = next;
	update(&then, s, step.before);
	if (then.delta > 0 && then.s > 0) {
		menu.delta = then.delta;
		menu.s = then.s;
		menu.of_commit = then.of_commit;
	}
	step.count = ba_steps_choose(next, &step.invocations, &then, &menu);
	step.invocations = o->invocations == 1 ? 1 : step.invocations;
	step.delta = menu.delta;
	step.probability = o->probability;
	for (size_t i = 0; i < step.count; i++)
		if (s->found < s->most && !s->built[next[i]] &&
			!BA_ANY(s->out, s->found, x, *x == next[i]))
			s->out[s->found++] = next[i];
	if (step.count)
		add_outcomes(s, &step, &then);
}

size_t ba_steps_ahead(size_t *out, size_t most, const ba_step_data *d, const ba_steps *now,
	const ba_step_menu *menu, const ba_step_choice *chosen)
{
	BA_AUTO(search) search s = {.d = d, .menu = *menu, .out = out, .most = most};
	outcome o, first = {.chosen = ba_xcalloc(chosen->count + 1, sizeof(size_t)),
			   .count = chosen->count,
			   .invocations = chosen->invocations,
			   .delta = menu->delta,
			   .probability = 1};
	s.choices[0] = first.chosen;
	s.menu.built = s.built = ba_xcalloc(d->commits, sizeof(bool));
	for (size_t k = 0; menu->built && k < d->commits; k++)
		s.built[k] = menu->built[k];
	for (size_t i = 0; i < chosen->count; i++) {
		first.chosen[i] = chosen->commits[i];
		s.built[first.chosen[i]] = true;
	}
	add_outcomes(&s, &first, now);
	while (s.found < most && s.step_count < OUTCOMES_MOST && take_likeliest(&o, &s))
		think_through(&s, &o);
	return s.found;
}
