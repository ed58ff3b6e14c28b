/*
 * What the decision rule promises where invocations come from several places, and where
 * runs that stopped by themselves are merged: false alarms, power, `unchanged`, intervals.
 * As simulation.c: small by default with limits widened by four standard errors, `--full`
 * at full size; seeds are fixed.
 */
#include "test.h"

#include "simulate.h"
#include "stats/combine.h"

#define THETA 0.01
enum { PLACES_MOST = 4, RUNS_MOST = 4, VALUES = 32 };

static bool full;

static size_t size(size_t quick, size_t whole)
{
	return full ? whole : quick / 2;
}

static double slack(double limit, size_t runs)
{
	double p = fmin(fmax(limit, 0.001), 0.999);

	return full ? 0 : 4 * sqrt(p * (1 - p) / (double)runs);
}

static void at_most(
	const char *what, const char *model, double value, double limit, double allowance)
{
	printf("  %-44s %-9s %.5g <= %.5g\n", what, model, value, limit);
	assert_true(value <= limit + allowance);
}

static void at_least(
	const char *what, const char *model, double value, double limit, double allowance)
{
	printf("  %-44s %-9s %.5g >= %.5g\n", what, model, value, limit);
	assert_true(value >= limit - allowance);
}

typedef struct tally {
	size_t runs, regressed, improved, tails, unchanged, covered, named;
	double invocations;
} tally;

static void count(tally *t, const ba_decision *d, double truth)
{
	t->regressed += d->verdict == BA_VERDICT_REGRESSED;
	t->improved += d->verdict == BA_VERDICT_IMPROVED;
	t->tails +=
		d->verdict == BA_VERDICT_TAIL_REGRESSED || d->verdict == BA_VERDICT_TAIL_IMPROVED;
	t->unchanged += d->verdict == BA_VERDICT_UNCHANGED;
	t->covered += d->lo <= truth && truth <= d->hi;
	t->invocations += (double)d->invocations / (double)t->runs;
}

static double share(size_t count, const tally *t)
{
	return (double)count / (double)t->runs;
}

static double wrong(const tally *t)
{
	return share(t->regressed + t->improved + t->tails, t);
}

static ba_policy policy_of(const noise_model *m)
{
	ba_policy policy = BA_POLICY_DEFAULT;
	unsigned batch = (unsigned)fmax(1, ceil(20 * m->tick / THETA - 1e-9));

	policy.s_floor = ba_s_floor(m->tick, batch);
	return policy;
}

/* ---- places: one run, whose invocations go round them ---- */

typedef struct crew {
	const noise_model *models[PLACES_MOST]; /* of each place */
	double effects[PLACES_MOST];
	size_t places, family;
} crew;

static ba_decision crew_run(const crew *c, ba_place_decision *each, uint64_t seed)
{
	ba_design design = ba_design_sequential();
	ba_policy policy = policy_of(c->models[0]);
	double y[VALUES], z[VALUES];
	unsigned at[VALUES];
	ba_decision d;

	for (unsigned p = 0; p < c->places; p++) {
		double own_y[VALUES], own_z[VALUES];
		const simulation s = {.model = c->models[p],
			.theta = THETA,
			.effect = c->effects[p],
			.blocks = 4,
			.seed = seed + 104729 * p};
		simulate_both(own_y, own_z, VALUES / c->places, &s);
		for (size_t i = p; i < VALUES; i += c->places) {
			y[i] = own_y[i / c->places];
			z[i] = own_z[i / c->places];
			at[i] = p;
		}
	}
	ba_decision_init(&d, THETA, THETA);
	ba_decision_set_places(&d, each, c->places);
	for (size_t look = 0; look < design.looks; look++) {
		ba_decision_look_at(&d, &policy, &design, look, y, at);
		ba_decision_look_mean_at(&d, &policy, &design, look, z, at);
		if (!ba_family_decide(&d, 1, c->family, &policy, look + 1 == design.looks))
			break;
	}
	return d;
}

static tally crew_runs(const crew *c, size_t runs)
{
	tally t = {.runs = runs};
	double truth = 0;

	for (size_t p = 0; p < c->places; p++)
		truth += log1p(c->effects[p]) / (double)c->places;
	for (size_t i = 0; i < runs; i++) {
		ba_place_decision each[PLACES_MOST];
		ba_decision d = crew_run(c, each, 1 + 7919 * i);
		bool right = true;

		for (size_t p = 0; p < c->places; p++)
			right = right && each[p].slower == (c->effects[p] > THETA);
		count(&t, &d, truth);
		t.named += right && ba_decision_places_differ(&d);
	}
	return t;
}

static crew crew_of(const noise_model *m, size_t places, size_t family, double effect)
{
	crew c = {.places = places, .family = family};

	for (size_t p = 0; p < places; p++) {
		c.models[p] = m;
		c.effects[p] = effect;
	}
	return c;
}

TEST(identical_code_at_several_places_is_not_called_changed)
{
	size_t runs = size(150, 20000);

	for (size_t i = 0; i < NOISE_MODELS; i++)
		for (size_t places = 2; places <= 4; places += 2) {
			const noise_model *m = &noise_models[i];
			crew c = crew_of(m, places, 1, 0);
			tally t = crew_runs(&c, runs);

			at_most(places == 2 ? "A/A false verdicts, 2 places"
					    : "A/A false verdicts, 4 places",
				m->name, wrong(&t), 0.012, slack(0.012, runs));
			at_least("  interval covers", m->name, share(t.covered, &t), 0.975,
				slack(0.975, runs));
		}
}

/* each place as loud as it likes */
TEST(places_of_different_noise_do_no_harm)
{
	size_t runs = size(150, 20000);

	for (size_t i = 0; i < NOISE_MODELS; i++) {
		crew c = crew_of(&noise_models[0], 2, 1, 0);
		c.models[1] = &noise_models[i];
		c.places = 4;
		c.models[2] = &noise_models[0];
		c.models[3] = &noise_models[(i + 4) % NOISE_MODELS];
		tally t = crew_runs(&c, runs);

		at_most("A/A false verdicts, 4 kinds of places", noise_models[i].name, wrong(&t),
			0.02, slack(0.02, runs));
	}
}

TEST(changes_at_all_places_are_found)
{
	size_t runs = size(60, 2000);

	for (size_t i = 0; i < NOISE_MODELS; i++) {
		const noise_model *m = &noise_models[i];
		bool sticky = strcmp(m->name, "bimodal") == 0;
		crew more = crew_of(m, 4, 100, 0.02), less = crew_of(m, 4, 100, -0.02);
		crew same = crew_of(m, 4, 100, 0), margin = crew_of(m, 4, 100, 0.0125);
		tally slower = crew_runs(&more, runs), faster = crew_runs(&less, runs);
		tally equal = crew_runs(&same, runs), near = crew_runs(&margin, runs);
		double found = sticky ? .80 : .97;

		at_least("+2 %, 4 places, m=100", m->name, share(slower.regressed, &slower), found,
			slack(found, runs));
		at_least("-2 %, 4 places, m=100", m->name, share(faster.improved, &faster), found,
			slack(found, runs));
		at_least("0 %, 4 places, unchanged", m->name, share(equal.unchanged, &equal),
			sticky ? .90 : .97, slack(.97, runs));
		at_most("+1.25 %, 4 places, unchanged", m->name, share(near.unchanged, &near), .05,
			slack(.05, runs));
	}
}

/* a driver's path that only one GPU takes */
TEST(a_place_that_differs_is_named)
{
	size_t runs = size(60, 2000);
	static const char *const models[] = {"quiet", "tails", "ar1", "launch"};

	for (size_t i = 0; i < NOISE_MODELS; i++)
		for (size_t k = 0; k < 4; k++) {
			const noise_model *m = &noise_models[i];
			if (strcmp(m->name, models[k]) != 0)
				continue;
			crew two = crew_of(m, 2, 10, 0), four = crew_of(m, 4, 1, 0);
			two.effects[1] = 0.04;
			four.effects[2] = 0.04;
			tally a = crew_runs(&two, runs), b = crew_runs(&four, runs);

			at_least("+4 % at one of 2 places, found", m->name, share(a.regressed, &a),
				.98, slack(.98, runs));
			at_least("+4 % at one of 4 places, found", m->name, share(b.regressed, &b),
				.95, slack(.95, runs));
			at_most("  called unchanged", m->name, share(b.unchanged, &b), .05,
				slack(.05, runs));
			printf("  %-44s %-9s %.5g of 2, %.5g of 4\n",
				"  the right place named, alone", m->name, share(a.named, &a),
				share(b.named, &b));
		}
}

/* ---- runs that stopped by themselves, merged ---- */

typedef struct merge {
	const noise_model *model;
	double effect;
	size_t runs, family;
	bool apart;  /* each at a place of its own */
	double last; /* the last run has this effect; 0: as the others */
} merge;

static ba_decision merged(const merge *m, ba_place_decision *each, uint64_t seed)
{
	static const unsigned zeros[RUNS_MOST * VALUES];
	ba_design design = ba_design_sequential();
	ba_policy policy = policy_of(m->model);
	ba_decision run[RUNS_MOST], d;
	ba_place_decision places[RUNS_MOST][RUNS_MOST];
	const ba_decision *runs[RUNS_MOST];
	double y[RUNS_MOST * VALUES], z[RUNS_MOST * VALUES];
	unsigned at[RUNS_MOST * VALUES];
	size_t n = 0, count = m->apart ? m->runs : 1;

	for (unsigned k = 0; k < m->runs; k++) {
		const simulation s = {.model = m->model,
			.theta = THETA,
			.effect = m->last > 0 && k + 1 == m->runs ? m->last : m->effect,
			.family = m->family,
			.seed = seed + 104729 * k};
		simulated x = simulate(&s);
		ba_decision_init(&run[k], THETA, THETA);
		ba_decision_set_places(&run[k], places[k], count);
		for (size_t i = 0; i < x.done; i++) {
			y[n + i] = x.y[i];
			z[n + i] = x.z[i];
			at[n + i] = m->apart ? k : zeros[i];
		}
		for (size_t look = 0; look < design.looks && design.at[look] <= x.done; look++) {
			ba_decision_look_at(&run[k], &policy, &design, look, y + n, at + n);
			ba_decision_look_mean_at(&run[k], &policy, &design, look, z + n, at + n);
		}
		runs[k] = &run[k];
		n += x.done;
	}
	const ba_together all = {.y = y, .z = z, .at = at, .n = n};
	ba_decision_init(&d, THETA, THETA);
	ba_decision_set_places(&d, each, count);
	ba_decision_combine(&d, &policy, runs, m->runs, &all);
	ba_family_decide(&d, 1, m->family, &policy, true);
	return d;
}

static tally merges(const merge *m, size_t runs)
{
	tally t = {.runs = runs};

	for (size_t i = 0; i < runs; i++) {
		ba_place_decision each[RUNS_MOST];
		ba_decision d = merged(m, each, 1 + 7919 * i);

		count(&t, &d, log1p(m->effect));
	}
	return t;
}

static const struct {
	const char *name;
	size_t runs;
	bool apart;
} kinds[] = {{"2 runs", 2, false}, {"4 runs", 4, false}, {"4 runs, 4 places", 4, true}};

TEST(merged_runs_keep_their_promises)
{
	size_t runs = size(100, 10000);
	char what[64];

	for (size_t i = 0; i < NOISE_MODELS; i++)
		for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
			const noise_model *m = &noise_models[i];
			merge same = {m, 0, kinds[k].runs, 1, kinds[k].apart, 0};
			merge margin = same;
			margin.effect = 0.0125;
			tally a = merges(&same, runs), b = merges(&margin, runs);

			snprintf(what, sizeof(what), "A/A false verdicts, %s", kinds[k].name);
			at_most(what, m->name, wrong(&a), 0.012, slack(0.012, runs));
			at_least("  interval covers", m->name, share(a.covered, &a), 0.97,
				slack(0.97, runs));
			at_least("  unchanged", m->name, share(a.unchanged, &a), 0.97,
				slack(0.97, runs));
			at_most("  +1.25 %, unchanged", m->name, share(b.unchanged, &b), .05,
				slack(.05, runs));
			at_least("  interval covers", m->name, share(b.covered, &b), 0.97,
				slack(0.97, runs));
		}
}

/* nothing at all places but one, and 1.25 thresholds on average */
TEST(one_slow_place_is_not_lost_in_the_average)
{
	size_t runs = size(100, 10000);

	for (size_t i = 0; i < NOISE_MODELS; i++)
		for (size_t places = 2; places <= 4; places += 2) {
			const noise_model *m = &noise_models[i];
			double slow = expm1((double)places * log1p(0.0125));
			crew c = crew_of(m, places, 1, 0);
			merge x = {m, 0, places, 1, true, slow};
			c.effects[places - 1] = slow;
			tally a = crew_runs(&c, runs), b = merges(&x, runs);

			at_most(places == 2 ? "one of 2 places, unchanged"
					    : "one of 4 places, unchanged",
				m->name, share(a.unchanged, &a), .05, slack(.05, runs));
			at_most("  of merged runs", m->name, share(b.unchanged, &b), .05,
				slack(.05, runs));
		}
}

TEST(merged_runs_find_what_one_finds)
{
	size_t runs = size(40, 2000);
	char what[64];

	for (size_t i = 0; i < NOISE_MODELS; i++)
		for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
			const noise_model *m = &noise_models[i];
			merge slower = {m, 0.02, kinds[k].runs, 100, kinds[k].apart, 0};
			merge faster = slower, alone = slower;
			faster.effect = -0.02;
			alone.runs = 1;
			alone.apart = false;
			tally a = merges(&slower, runs), b = merges(&faster, runs);
			tally c = merges(&alone, runs);

			snprintf(what, sizeof(what), "+2 %%, m=100, %s", kinds[k].name);
			at_least(what, m->name, share(a.regressed, &a), .98, slack(.98, runs));
			at_least("  -2 %", m->name, share(b.improved, &b), .98, slack(.98, runs));
			at_least("  than one run", m->name, share(a.regressed, &a),
				share(c.regressed, &c) - .01, slack(.98, runs));
		}
}

int main(int argc, char **argv)
{
	full = argc > 1 && strcmp(argv[1], "--full") == 0;
	return test_run();
}
