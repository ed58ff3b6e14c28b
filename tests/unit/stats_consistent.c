/* A verdict and the interval beside it never contradict each other, whatever the noise:
 * in runs, at several places, in merged runs, and for samples of separate runs. */
#include "test.h"

#include "base/rng.h"
#include "stats/apart.h"
#include "stats/combine.h"

enum { MOST = 32, FAMILY = 6, ROUNDS = 1500 };

static double uniform(uint64_t *rng)
{
	return ((double)(ba_splitmix64(rng) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *rng)
{
	return sqrt(-2 * log(uniform(rng))) * cos(6.283185307179586 * uniform(rng));
}

/* normal; Student's t with two degrees of freedom; a few discrete speeds */
static double noise(uint64_t *rng, unsigned law)
{
	double x = normal(rng);
	if (law == 1)
		return x / sqrt(-log(uniform(rng)));
	return law == 2 ? (double)(ba_splitmix64(rng) % 3) - (double)(ba_splitmix64(rng) % 3) : x;
}

typedef struct values {
	double y[FAMILY][MOST], z[FAMILY][MOST];
	unsigned at[MOST];
} values;

static void draw(values *v, uint64_t *rng, size_t places)
{
	const double spreads[] = {.001, .01, .04, .3}, shifts[] = {0, .01, .03, .1, .5};
	for (size_t i = 0; i < FAMILY; i++) {
		unsigned law = (unsigned)(ba_splitmix64(rng) % 3);
		double s = spreads[ba_splitmix64(rng) % 4], shift = shifts[ba_splitmix64(rng) % 5];
		shift = ba_splitmix64(rng) % 2 ? shift : -shift;
		for (size_t r = 0; r < MOST; r++) {
			v->at[r] = (unsigned)(r % places);
			v->y[i][r] = shift * (r % places ? .2 : 1) + s * noise(rng, law);
			v->z[i][r] = v->y[i][r] * (i % 2 ? 3 : 1) + s * noise(rng, law);
		}
	}
}

/* How many said `regressed`, `improved` or the same of a tail. */
static size_t check(const ba_decision *d, const ba_policy *p)
{
	double slower = p->strict ? d->d_reg : 0, faster = p->strict ? d->d_imp : 0;
	bool at_a_place = false;
	for (size_t k = 0; k < d->place_count; k++) {
		const ba_place_decision *at = &d->place[k];
		assert_true(!at->slower || at->lo > slower);
		assert_true(!at->faster || at->hi < -faster);
		at_a_place |= at->slower || at->faster;
	}
	at_a_place &= ba_decision_places_differ(d);
	switch (d->verdict) {
	case BA_VERDICT_REGRESSED:
		assert_true(at_a_place || d->lo > slower);
		return 1;
	case BA_VERDICT_IMPROVED:
		assert_true(at_a_place || d->hi < -faster);
		return 1;
	case BA_VERDICT_TAIL_REGRESSED:
		assert_true(d->mean.lo > slower);
		return 1;
	case BA_VERDICT_TAIL_IMPROVED:
		assert_true(d->mean.hi < -faster);
		return 1;
	case BA_VERDICT_UNCHANGED:
		assert_true(d->lo < d->d_reg && d->hi > -d->d_imp);
		return 0;
	default:
		return 0;
	}
}

static size_t run_once(
	const values *v, const ba_policy *p, size_t family, size_t places, bool means)
{
	const ba_design design = p->counts ? ba_design_counts() : ba_design_sequential();
	ba_place_decision each[FAMILY][3];
	ba_decision d[FAMILY];
	size_t flagged = 0;
	for (size_t i = 0; i < FAMILY; i++) {
		ba_decision_init(&d[i], .02, .02);
		if (places > 1)
			ba_decision_set_places(&d[i], each[i], places);
	}
	for (size_t look = 0; look < design.looks; look++) {
		for (size_t i = 0; i < FAMILY; i++) {
			ba_decision_look_at(&d[i], p, &design, look, v->y[i], v->at);
			if (means)
				ba_decision_look_mean_at(&d[i], p, &design, look, v->z[i], v->at);
		}
		ba_family_decide(d, FAMILY, family, p, look + 1 == design.looks);
	}
	for (size_t i = 0; i < FAMILY; i++)
		flagged += check(&d[i], p);
	return flagged;
}

TEST(in_runs)
{
	uint64_t rng = 1;
	size_t flagged = 0;
	values v;
	for (size_t k = 0; k < ROUNDS; k++) {
		ba_policy p = BA_POLICY_DEFAULT;
		size_t places = 1 + k % 3;
		p.strict = k % 5 == 0;
		p.counts = k % 7 < 3;
		p.multiplicity = (ba_multiplicity)(k % 4);
		draw(&v, &rng, places);
		flagged += run_once(&v, &p, FAMILY + (k % 2) * 30, places, k % 4 > 1);
	}
	assert_true(flagged > ROUNDS);
}

TEST(in_merged_runs)
{
	const ba_policy p = BA_POLICY_DEFAULT;
	const ba_design design = ba_design_sequential();
	uint64_t rng = 2;
	size_t flagged = 0;
	values v;
	for (size_t k = 0; k < ROUNDS; k++) {
		ba_decision run[2], d;
		const ba_decision *runs[] = {&run[0], &run[1]};
		draw(&v, &rng, 1);
		ba_decision_init(&d, .02, .02);
		for (size_t i = 0; i < 2; i++) {
			ba_decision_init(&run[i], .02, .02);
			ba_decision_look(&run[i], &p, &design, 0, v.y[0] + 4 * i);
			ba_decision_look_mean(&run[i], &p, &design, 0, v.z[0] + 4 * i);
		}
		const ba_together all = {.y = v.y[0], .z = v.z[0], .n = 8};
		ba_decision_combine(&d, &p, runs, 2, &all);
		ba_family_decide(&d, 1, 1, &p, true);
		flagged += check(&d, &p);
	}
	assert_true(flagged > ROUNDS / 10);
}

TEST(in_files)
{
	uint64_t rng = 3;
	size_t flagged = 0;
	BA_AUTO(ba_t_table) ba_t_table table = {.bounds.p = 0.025}, floors = {0};
	values v;
	for (size_t k = 0; k < 4 * ROUNDS; k++) {
		const ba_policy p = {.alpha = .05,
			.s_floor = BA_S_FLOOR,
			.strict = k % 5 == 0,
			.rule = BA_RULE_NOW};
		BA_AUTO(ba_apart_family) ba_apart_family f = {.policy = p, .candidates = 1};
		ba_moments side[2] = {{0}, {0}};
		ba_decision d, first;
		size_t each = 2 + k % 9;
		draw(&v, &rng, 1);
		for (size_t r = 0; r < 2 * each; r++)
			ba_moments_add(&side[r % 2], r % 2 ? v.y[0][r] : v.y[0][r] - v.y[0][30]);
		ba_decision_init(&d, .02, .02);
		first = d;
		ba_decision_unpaired(&first, &p, &floors, &side[0], &side[1]);
		ba_decision_unpaired(&d, &p, &table, &side[0], &side[1]);
		assert_true(first.p_reg == d.p_reg && first.p_imp == d.p_imp);
		ba_apart x = ba_apart_of(&side[0], &side[1], &table);
		ba_apart_join(&f, &first, &x);
		ba_apart_close(&f, 1 + k % 40);
		ba_apart_decide(&f, &d, &x);
		flagged += check(&d, &p);
	}
	assert_true(flagged > ROUNDS / 10);
}
