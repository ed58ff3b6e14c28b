#include "stats/changepoint.h"

#include "stats/quantile.h"

ba_change_rule ba_change_rule_default(void)
{
	return (ba_change_rule){.alpha = 0.01, .least = 3, .permutations = 499, .seed = 1};
}

typedef struct cut {
	size_t at; /* 0: none */
	double q;
} cut;

static double energy(double between, double left, double right, double m, double n)
{
	double within = left / (m * (m - 1) / 2) + right / (n * (n - 1) / 2);
	return m * n / (m + n) * (2 * between / (m * n) - within);
}

/* The best place to cut x[0..n). The sums of distances within both sides and between
 * them follow the cut as it moves by one value, so that a segment costs n^2. */
static cut best_cut(const double *x, size_t n, size_t least)
{
	cut best = {0, 0};
	double between = 0, left = 0, right = 0;
	if (n < 2 * least)
		return best;
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n; k++)
			right += fabs(x[i] - x[k]);
	for (size_t t = 1; t + least <= n; t++) {
		double to_left = 0, to_right = 0, moved = x[t - 1];
		for (size_t i = 0; i + 1 < t; i++)
			to_left += fabs(moved - x[i]);
		for (size_t i = t; i < n; i++)
			to_right += fabs(moved - x[i]);
		left += to_left;
		right -= to_right;
		between += to_right - to_left;
		if (t < least)
			continue;
		double q = energy(between, left, right, (double)t, (double)(n - t));
		if (q > best.q)
			best = (cut){t, q};
	}
	return best;
}

/* segments as their ends: [0, ends[0]), [ends[0], ends[1]), ... */
typedef struct search {
	const ba_change_rule *rule;
	double *x; /* [n] */
	double *shuffled;
	size_t *ends;
	size_t count;
	double scale; /* below it, a difference is rounding */
} search;

static cut best_of_all(const search *s, const double *x)
{
	cut best = {0, 0};
	size_t begin = 0;
	for (size_t i = 0; i < s->count; begin = s->ends[i++]) {
		cut c = best_cut(x + begin, s->ends[i] - begin, s->rule->least);
		if (c.q > best.q)
			best = (cut){begin + c.at, c.q};
	}
	return best;
}

static void shuffle_within(search *s, uint64_t *random)
{
	size_t begin = 0;
	memcpy(s->shuffled, s->x, s->ends[s->count - 1] * sizeof(*s->x));
	for (size_t i = 0; i < s->count; begin = s->ends[i++])
		for (size_t k = s->ends[i] - begin; k > 1; k--) {
			size_t other = (size_t)ba_rng_below(random, k);
			double *a = &s->shuffled[begin + k - 1];
			double *b = &s->shuffled[begin + other], held = *a;
			*a = *b;
			*b = held;
		}
}

/* The share of permutations with a cut as good; ends early once it cannot be significant. */
static double chance_of(search *s, cut found, uint64_t *random)
{
	unsigned as_good = 0, n = s->rule->permutations;
	for (unsigned i = 0; i < n; i++) {
		shuffle_within(s, random);
		as_good += best_of_all(s, s->shuffled).q >= found.q * (1 - 1e-12);
		if (as_good + 1 > s->rule->alpha * (n + 1))
			return 1;
	}
	return (double)(as_good + 1) / (double)(n + 1);
}

static void insert(search *s, ba_change_point *out, cut c, double p)
{
	size_t i = 0;
	while (s->ends[i] <= c.at)
		i++;
	memmove(&s->ends[i + 1], &s->ends[i], (s->count - i) * sizeof(*s->ends));
	memmove(&out[i + 1], &out[i], (s->count - 1 - i) * sizeof(*out));
	s->ends[i] = c.at;
	out[i] = (ba_change_point){.at = c.at, .p = p};
	s->count++;
}

static void fill_levels(const search *s, ba_change_point *out)
{
	size_t begin = 0;
	for (size_t i = 0; i < s->count; begin = s->ends[i++]) {
		size_t n = s->ends[i] - begin;
		memcpy(s->shuffled, s->x + begin, n * sizeof(*s->x));
		double level = ba_median(s->shuffled, n);
		if (i > 0)
			out[i - 1].after = level;
		if (i + 1 < s->count)
			out[i].before = level;
	}
}

size_t ba_change_points(ba_change_point *out, const double *x, size_t n, const ba_change_rule *rule)
{
	if (n < 2 * rule->least)
		return 0;
	BA_AUTO_FREE double *own = ba_xcalloc(n, sizeof(*own));
	BA_AUTO_FREE double *shuffled = ba_xcalloc(n, sizeof(*shuffled));
	BA_AUTO_FREE size_t *ends = ba_xcalloc(n + 1, sizeof(*ends));
	search s = {.rule = rule, .x = own, .shuffled = shuffled, .ends = ends, .count = 1};
	uint64_t random = rule->seed;
	memcpy(own, x, n * sizeof(*own));
	ends[0] = n;
	for (size_t i = 0; i < n; i++)
		s.scale = fmax(s.scale, fabs(x[i]));
	for (;;) {
		cut c = best_of_all(&s, s.x);
		if (c.at == 0 || c.q <= 1e-9 * s.scale)
			break;
		double p = chance_of(&s, c, &random);
		if (p > rule->alpha)
			break;
		insert(&s, out, c, p);
	}
	fill_levels(&s, out);
	return s.count - 1;
}
