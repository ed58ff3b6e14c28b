/* Chooses what the next step measures, and what later steps may need. */

#include "bisect/internal.h"

/* Marks the commits nearest to a place, or wider if some cannot be measured. */
static void mark_near(bool *in, const ba_bisect *b, size_t from, size_t to)
{
	enum { AROUND = 3 };
	size_t before = 0, after = 0;
	for (size_t k = from; k-- > 1 && before < AROUND;)
		before += in[k] = !b->commits[k].failure;
	for (size_t k = to; k + 1 < b->commit_count && after < AROUND; k++)
		after += in[k] = !b->commits[k].failure;
}

/* The commits nearest to the places found by counting instructions. */
static size_t choose_near(size_t *out, const ba_bisect *b)
{
	BA_AUTO_FREE bool *in = ba_xcalloc(b->commit_count, sizeof(*in));
	size_t count = 0;
	for (size_t i = 0; i < b->place_count; i++)
		mark_near(in, b, b->places[i].from, b->places[i].to);
	for (size_t k = 1; k + 1 < b->commit_count && count < b->most; k++)
		if (in[k])
			out[count++] = k;
	return count;
}

/* The places found by counting determine the first commits to be timed. */
static bool follows_counts(const ba_bisect *b, ba_bisect_phase_name phase)
{
	return phase == BA_BISECT_TIMES && b->phases[phase].row_count == 0 &&
	       b->phases[BA_BISECT_COUNTS].row_count;
}

/* can, built: [commit_count] */
static ba_step_menu menu_of(bool *can, bool *built, const ba_bisect *b, const ba_bisect_phase *p)
{
	bool known = p->row_count && p->steps.delta > 0 && p->steps.s > 0;
	for (size_t k = 0; k < b->commit_count; k++) {
		can[k] = !b->commits[k].failure;
		built[k] = *b->commits[k].build || b->commits[k].ahead;
	}
	return (ba_step_menu){.measurable = can,
		.measured = p->measured,
		.most = b->most,
		.delta = known ? p->steps.delta : p->delta,
		.s = known ? p->steps.s : p->s,
		.of_commit = p->steps.of_commit,
		.run_cost = 6,
		.invocation_cost = 1,
		.built = built,
		.build_cost = b->unit_seconds > 0 ? b->build_seconds / b->unit_seconds : 0,
		.builders = b->builders ? b->builders : 1};
}

size_t ba_bisect_choose(
	size_t *out, size_t *invocations, const ba_bisect *b, ba_bisect_phase_name phase)
{
	const ba_bisect_phase *p = &b->phases[phase];
	BA_AUTO_FREE bool *can = ba_xcalloc(b->commit_count, sizeof(*can));
	BA_AUTO_FREE bool *built = ba_xcalloc(b->commit_count, sizeof(*built));
	if (follows_counts(b, phase)) {
		*invocations = 4;
		return choose_near(out, b);
	}
	ba_step_menu menu = menu_of(can, built, b, p);
	return ba_steps_choose(out, invocations, &p->steps, &menu);
}

size_t ba_bisect_choose_ahead(size_t *out, size_t most, const ba_bisect *b,
	ba_bisect_phase_name phase, const ba_step_choice *chosen)
{
	const ba_bisect_phase *p = &b->phases[phase];
	BA_AUTO(ba_bisect_data) ba_bisect_data data = {0};
	BA_AUTO_FREE bool *can = ba_xcalloc(b->commit_count, sizeof(*can));
	BA_AUTO_FREE bool *built = ba_xcalloc(b->commit_count, sizeof(*built));
	BA_AUTO_FREE bool *near = ba_xcalloc(b->commit_count, sizeof(*near));
	if (follows_counts(b, phase) || ba_bisect_data_of(&data, b, phase, NULL))
		return 0;
	ba_step_menu menu = menu_of(can, built, b, p);
	size_t found = ba_steps_ahead(out, most, &data.d, &p->steps, &menu, chosen);
	if (phase == BA_BISECT_TIMES || !b->phases[BA_BISECT_TIMES].wanted)
		return found;
	/* the commits that are timed after the last count */
	size_t best = ba_steps_best(p->steps.at, b->commit_count);
	mark_near(near, b, best, best);
	for (size_t k = 1; k + 1 < b->commit_count && found < most; k++)
		if (near[k])
			out[found++] = k;
	return found;
}
