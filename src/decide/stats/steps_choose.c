/* Which commits to measure next (stats/steps.h). */

#include "stats/steps.h"

enum { INVOCATIONS_MOST = 8 };

/* The chosen commits (ascending) and the probability of each gap between them. */
typedef struct choice {
	size_t *commits, count;
	double *mass;	     /* [count + 1] probability of each cell between the commits */
	const double *until; /* [n] probability of a step at k or before */
	size_t n;
	double signal; /* squared signal of one commit over all invocations */
} choice;

static void cut(const choice *c)
{
	double before = 0;
	for (size_t j = 0; j <= c->count; j++) {
		double here = c->until[j < c->count ? c->commits[j] : c->n - 1];
		c->mass[j] = here - before;
		before = here;
	}
}

/* The information about the cell of the step, in nats. */
static double information(const choice *c)
{
	double sum = 0, k = (double)c->count + 2;
	cut(c);
	for (size_t i = 0; i <= c->count; i++) {
		double mixture = 0;
		for (size_t j = 0; j <= c->count; j++) {
			/* how many commits have another level in the other cell */
			double m = fabs((double)i - (double)j);
			double squared = c->signal * m * (1 - m / k);
			mixture += c->mass[j] * exp(-squared / 8);
		}
		if (c->mass[i] > 0)
			sum -= c->mass[i] * log(mixture);
	}
	return sum;
}

static void insert(choice *c, size_t commit)
{
	size_t i = c->count++;
	for (; i > 0 && c->commits[i - 1] > commit; i--)
		c->commits[i] = c->commits[i - 1];
	c->commits[i] = commit;
}

static void take_out(choice *c, size_t commit)
{
	size_t kept = 0;
	for (size_t i = 0; i < c->count; i++)
		if (c->commits[i] != commit)
			c->commits[kept++] = c->commits[i];
	c->count = kept;
}

/* False for a commit that was measured often enough: only its own deviation is still
 * unknown, and repeating the measurement does not reduce it. */
static bool can_tell(const ba_step_menu *menu, size_t k)
{
	double left = pow(menu->s, 2), own = pow(menu->of_commit, 2);
	return menu->measurable[k] && left >= own / 4 * (double)menu->measured[k];
}

/* Adds the commit with the most information; false if none adds any. */
static bool grow(choice *c, const ba_step_menu *menu)
{
	double most = information(c) + 1e-9;
	size_t best = 0;
	for (size_t k = 1; k + 1 < c->n; k++) {
		/* it separates places only if both sides have probability */
		if (!can_tell(menu, k) || BA_ANY(c->commits, c->count, x, *x == k) ||
			c->until[k] < 1e-6 || c->until[c->n - 1] - c->until[k] < 1e-6)
			continue;
		insert(c, k);
		double told = information(c);
		take_out(c, k);
		if (told > most) {
			most = told;
			best = k;
		}
	}
	if (best)
		insert(c, best);
	return best > 0;
}

void ba_steps_weigh(double *until, const ba_steps *s)
{
	double sum = 0;
	for (size_t k = 0; k < s->commits; k++) {
		sum += (1 - s->two) * s->at[k] + s->two * (s->first[k] + s->second[k]) / 2;
		until[k] = sum;
	}
}

static double cost_of(const choice *c, const ba_step_menu *menu, size_t invocations)
{
	size_t builds = BA_HOW_MANY(c->commits, menu->built ? c->count : 0, x, !menu->built[*x]);
	size_t rounds = menu->built ? (builds + menu->builders - 1) / menu->builders : 0;
	return menu->run_cost + (double)rounds * menu->build_cost +
	       (double)invocations * (menu->invocation_cost + 2 + (double)c->count);
}

size_t ba_steps_choose(
	size_t *out, size_t *invocations, const ba_steps *s, const ba_step_menu *menu)
{
	size_t count = 0;
	double best = 0;
	BA_AUTO_FREE double *until = ba_xcalloc(s->commits, sizeof(*until));
	BA_AUTO_FREE double *mass = ba_xcalloc(menu->most + 2, sizeof(*mass));
	BA_AUTO_FREE size_t *commits = ba_xcalloc(menu->most + 1, sizeof(*commits));
	ba_steps_weigh(until, s);
	for (size_t r = 2; r <= INVOCATIONS_MOST; r *= 2) {
		choice c = {.commits = commits,
			.mass = mass,
			.until = until,
			.n = s->commits,
			.signal = pow(menu->delta, 2) /
				  (pow(menu->s, 2) / (double)r + pow(menu->of_commit, 2))};
		while (c.count < menu->most && grow(&c, menu)) {
			double worth = information(&c) / cost_of(&c, menu, r);
			if (worth <= best)
				continue;
			best = worth;
			count = c.count;
			*invocations = r;
			for (size_t i = 0; i < count; i++)
				out[i] = commits[i];
		}
	}
	return count;
}
