/*
 * What the decision rule promises, tried on a simulated GPU: false alarms, power, cost,
 * intervals, calibration. By default at a size for every build, with the limits widened
 * by four standard errors; `--full` at the size and with the limits that were promised.
 * Seeds are fixed: a failure is a change, never bad luck.
 */
#include "test.h"

#include "base/rng.h"
#include "simulate.h"
#include "stats/planning.h"
#include "stats/quantile.h"
#include "stats/student.h"

static bool full;

typedef struct tally {
	size_t runs, regressed, improved, unchanged, covered;
	size_t tail_regressed, tail_improved;
	double launches, invocations, cost;
} tally;

static void count(tally *t, const simulated *x, double truth)
{
	const ba_decision *d = &x->decision;

	t->regressed += d->verdict == BA_VERDICT_REGRESSED;
	t->improved += d->verdict == BA_VERDICT_IMPROVED;
	t->tail_regressed += d->verdict == BA_VERDICT_TAIL_REGRESSED;
	t->tail_improved += d->verdict == BA_VERDICT_TAIL_IMPROVED;
	t->unchanged += d->verdict == BA_VERDICT_UNCHANGED;
	t->covered += d->lo <= truth && truth <= d->hi;
	t->launches += x->launches / (double)t->runs;
	t->cost += x->cost / (double)t->runs;
	t->invocations += (double)d->invocations / (double)t->runs;
}

/* of the verdicts on identical code those that are wrong */
static size_t wrong(const tally *t)
{
	return t->regressed + t->improved + t->tail_regressed + t->tail_improved;
}

static tally run_like(simulation s, size_t runs)
{
	tally t = {.runs = runs};

	for (size_t i = 0; i < runs; i++) {
		s.seed = 1 + 7919 * i;
		simulated x = simulate(&s);
		count(&t, &x, log1p(s.effect));
	}
	return t;
}

static tally run(const noise_model *model, double effect, size_t family, size_t runs)
{
	tally t = {.runs = runs};

	for (size_t i = 0; i < runs; i++) {
		simulation s = {.model = model,
			.theta = 0.01,
			.effect = effect,
			.family = family,
			.seed = 1 + 7919 * i};
		simulated x = simulate(&s);
		count(&t, &x, log1p(effect));
	}
	return t;
}

static size_t size(size_t quick, size_t whole)
{
	return full ? whole : quick;
}

/* four standard errors of a rate at the limit, where the sample is small */
static double slack(double limit, size_t runs)
{
	double p = fmin(fmax(limit, 0.001), 0.999);

	return full ? 0 : 4 * sqrt(p * (1 - p) / (double)runs);
}

static void at_most(
	const char *what, const char *model, double value, double limit, double allowance)
{
	printf("  %-34s %-9s %.5g <= %.5g\n", what, model, value, limit);
	assert_true(value <= limit + allowance);
}

static void at_least(
	const char *what, const char *model, double value, double limit, double allowance)
{
	printf("  %-34s %-9s %.5g >= %.5g\n", what, model, value, limit);
	assert_true(value >= limit - allowance);
}

static bool is(const noise_model *model, const char *name)
{
	return strcmp(model->name, name) == 0;
}

static double share(size_t count, const tally *t)
{
	return (double)count / (double)t->runs;
}

/* V2, and the costs of V5 on the way */
TEST(identical_code_is_not_called_changed)
{
	size_t runs = size(150, 20000);

	for (size_t i = 0; i < NOISE_MODELS; i++) {
		const noise_model *m = &noise_models[i];
		tally one = run(m, 0, 1, runs), hundred = run(m, 0, 100, runs);

		at_most("A/A false verdicts, m=1", m->name, share(wrong(&one), &one), 0.012,
			slack(0.012, runs));
		at_most("A/A false verdicts, m=100", m->name, share(wrong(&hundred), &hundred),
			1e-4, slack(1e-4, runs));
	}
}

/* harsher than the nine models: hardly any noise inside, so that ties are ties. What is
 * promised is 5 %; ties alone make 2/4^4 = .8 % with two speeds */
TEST(other_laws_of_process_speed_do_no_harm)
{
	static const struct {
		const char *name;
		noise_law law;
		double scale;
	} laws[] = {
		{"lognormal", NOISE_LOGNORMAL, .005},
		{"t3", NOISE_STUDENT3, .005},
		{"2 speeds", NOISE_TWO_SPEEDS, .02},
		{"3 speeds", NOISE_THREE_SPEEDS, .01},
	};
	size_t runs = size(150, 20000);

	for (size_t i = 0; i < sizeof(laws) / sizeof(*laws); i++) {
		noise_model m = {.name = laws[i].name,
			.iid = .0005,
			.launch_law = laws[i].law,
			.launch = laws[i].scale};
		tally one = run(&m, 0, 1, runs), hundred = run(&m, 0, 100, runs);

		at_most("A/A false verdicts, m=1", m.name, share(wrong(&one), &one), 0.05,
			slack(0.05, runs));
		at_most("A/A false verdicts, m=100", m.name, share(wrong(&hundred), &hundred), 5e-4,
			slack(5e-4, runs));
	}
}

/* the test itself, with the truth on its margin and without the minimum effect: this is
 * where its level is used up */
static bool margin_is_rejected(const double *y, double margin, double level)
{
	ba_design design = ba_design_sequential();

	for (size_t look = 0; look < design.looks; look++) {
		size_t n = design.at[look];
		double se = fmax(ba_stdev(y, n), BA_S_FLOOR) / sqrt((double)n);
		double p = fmax(ldexp(2, -2 * (int)n),
			ba_t_sf((ba_mean(y, n) - margin) / se, (double)n - 1));

		if (p / design.weight[look] <= level)
			return true;
	}
	return false;
}

TEST(the_test_keeps_its_level_on_the_margin)
{
	size_t runs = size(100, 4000);
	double margin = 0.5 * log1p(0.01), y[32];

	for (size_t i = 0; i < NOISE_MODELS; i++) {
		const noise_model *m = &noise_models[i];
		size_t rejected = 0;

		for (size_t r = 0; r < runs; r++) {
			simulation s = {.model = m,
				.theta = 0.01,
				.effect = expm1(margin),
				.blocks = 2,
				.seed = 1 + 104729 * r};

			simulate_values(y, 32, &s);
			rejected += margin_is_rejected(y, margin, 0.05);
		}
		at_most("size at theta/2, no minimum effect", m->name,
			(double)rejected / (double)runs, 0.05, slack(0.05, runs));
	}
}

/* y of one invocation in a family whose members have their own noise, as seen on GPUs:
 * .4 % with a lognormal spread of .6 */
typedef struct member {
	double truth, s;
	bool two_speeds;
	double y[32], p;
	bool rejected;
} member;

static void draw(member *x, noise_world *w)
{
	for (size_t i = 0; i < 32; i++) {
		double step = 0;

		if (x->two_speeds)
			step = 2 * x->s *
			       ((noise_uniform(&w->rng) < 0.5) - (noise_uniform(&w->rng) < 0.5));
		x->y[i] = x->truth + step + (x->two_speeds ? 0.05 : 1) * x->s * noise_normal(w);
	}
}

/* the whole rule without the minimum effect, so that its guarantee is tight: how many
 * of the first `nulls` are rejected, and how many in all */
static size_t reject_family(size_t *all, member *x, size_t n, size_t nulls, double margin)
{
	enum { MOST = 100 };
	ba_design design = ba_design_sequential();
	bool rejected[MOST];
	double p[MOST];
	size_t false_ones = 0;

	assert_true(n <= MOST);
	for (size_t look = 0; look < design.looks; look++) {
		size_t r = design.at[look];

		for (size_t i = 0; i < n; i++) {
			double se = fmax(ba_stdev(x[i].y, r), BA_S_FLOOR) / sqrt((double)r);
			double t = (ba_mean(x[i].y, r) - margin) / se;
			double at_look = fmax(ldexp(2, -2 * (int)r), ba_t_sf(t, (double)r - 1)) /
					 design.weight[look];

			if (!x[i].rejected)
				x[i].p = fmin(x[i].p, at_look);
			p[i] = x[i].p;
		}
		ba_multiple_reject(rejected, p, n, n, 0.05, BA_MULTIPLICITY_BH);
		for (size_t i = 0; i < n; i++)
			x[i].rejected = x[i].rejected || rejected[i];
	}
	*all = 0;
	for (size_t i = 0; i < n; i++) {
		*all += x[i].rejected;
		false_ones += x[i].rejected && i < nulls;
	}
	return false_ones;
}

typedef struct family_rates {
	double any, false_share;
} family_rates;

static family_rates run_families(size_t runs, size_t nulls, bool two_speeds)
{
	static member x[100];
	double margin = 0.5 * log1p(0.01);
	family_rates rates = {0};
	noise_world w;

	noise_world_init(&w, &noise_models[0], 12345);
	for (size_t r = 0; r < runs; r++) {
		size_t all;

		for (size_t i = 0; i < 100; i++) {
			x[i] = (member){
				.truth = i < nulls ? margin : 0.03,
				.s = 0.004 * exp(0.6 * noise_normal(&w)),
				.two_speeds = two_speeds,
				.p = 1,
			};
			draw(&x[i], &w);
		}
		size_t false_ones = reject_family(&all, x, 100, nulls, margin);

		rates.any += (false_ones > 0) / (double)runs;
		rates.false_share += all > 0 ? (double)false_ones / (double)all / (double)runs : 0;
	}
	return rates;
}

TEST(families_of_a_hundred_keep_the_error_rate)
{
	size_t runs = size(40, 400);

	at_most("any false alarm, 100 on the margin", "normal", run_families(runs, 100, false).any,
		0.05, slack(0.05, runs));
	at_most("any false alarm, 100 on the margin", "2 speeds", run_families(runs, 100, true).any,
		0.05, slack(0.05, runs));
	at_most("false share, 20 of 100 regressed", "normal",
		run_families(runs, 80, false).false_share, 0.05, slack(0.05, runs));
}

/* V3 */
TEST(changes_are_found)
{
	static const double effects[] = {0.02, -0.02, 0.05, -0.05, 0.10, -0.10};
	size_t runs = size(60, 2000);

	for (size_t i = 0; i < NOISE_MODELS; i++) {
		const noise_model *m = &noise_models[i];

		for (size_t e = 0; e < sizeof(effects) / sizeof(*effects); e++) {
			/* -x % mirrors +x % on the log scale */
			double up = fabs(effects[e]);
			double effect = effects[e] > 0 ? up : -up / (1 + up);
			tally t = run(m, effect, 100, runs);
			double limit = up > 0.03 ? 0.995 : (is(m, "bimodal") ? 0.87 : 0.98);
			char what[64];

			snprintf(what, sizeof(what), "power at %+.0f %%, m=100", 100 * effects[e]);
			at_least(what, m->name, share(effect > 0 ? t.regressed : t.improved, &t),
				limit, slack(limit, runs));
			/* the other direction is never said */
			assert_int_equal(effect > 0 ? t.improved : t.regressed, 0);
		}
	}
}

TEST(the_threshold_is_the_crossing_point)
{
	size_t runs = size(60, 2000);

	for (size_t i = 0; i < NOISE_MODELS; i++) {
		const noise_model *m = &noise_models[i];
		tally none = run(m, 0, 100, runs), at = run(m, 0.01, 100, runs);
		tally beyond = run(m, expm1(1.25 * log1p(0.01)), 100, runs);
		/* .956 where modes last 30 ms, .980 where they last 25: the page that
		 * promises .97 does not say which it means */
		double unchanged = is(m, "bimodal") ? 0.94 : 0.97;

		at_least("unchanged at 0, m=100", m->name, share(none.unchanged, &none), unchanged,
			slack(unchanged, runs));
		at_most("unchanged at 1.25 theta", m->name, share(beyond.unchanged, &beyond), 0.05,
			slack(0.05, runs));
		if (is(m, "bimodal"))
			continue;
		at_least("regressed at theta, m=100", m->name, share(at.regressed, &at), 0.2,
			slack(0.2, runs));
		at_most("regressed at theta, m=100", m->name, share(at.regressed, &at), 0.55,
			slack(0.55, runs));
	}
}

/* V5: raw launches, both sides; the limits of docs/statistics.md, whose quant model has
 * none
 */
TEST(verdicts_cost_what_was_promised)
{
	static const struct {
		const char *model;
		double same, slower;
	} limits[] = {{"quiet", 200, 400}, {"ar1", 200, 0}, {"drift", 200, 0}, {"tails", 215, 0},
		{"launch", 360, 0}, {"launch2", 360, 0}, {"mixed", 600, 1150},
		{"bimodal", 1500, 0}};
	size_t runs = size(100, 2000);

	for (size_t i = 0; i < NOISE_MODELS; i++) {
		const noise_model *m = &noise_models[i];

		for (size_t l = 0; l < sizeof(limits) / sizeof(*limits); l++) {
			if (!is(m, limits[l].model))
				continue;
			at_most("launches, A/A", m->name, run(m, 0, 100, runs).launches,
				limits[l].same, full ? 0 : 0.15 * limits[l].same);
			if (limits[l].slower > 0)
				at_most("launches, +2 %, m=100", m->name,
					run(m, 0.02, 100, runs).launches, limits[l].slower,
					full ? 0 : 0.15 * limits[l].slower);
		}
	}
}

/* The cost of a verdict, starting processes included, beside that of versions before
 * stats/blocks.h, which had two blocks and doubled them; and the error rates that go
 * with it. Starting costs as much as so many blocks. */
TEST(sizes_from_costs_shorten_the_way_to_a_verdict)
{
	static const struct {
		double start;
		double all, modes; /* cost / cost by doubling: of all noises, of modes */
	} rows[] = {{20, 1.05, .75}, {60, .97, .6}};
	static const double effects[] = {0, 0.005, 0.02};
	size_t runs = size(20, 2000), cells = NOISE_MODELS * BA_COUNT(effects);

	for (size_t c = 0; c < BA_COUNT(rows); c++) {
		double all = 0, modes = 0;
		for (size_t i = 0; i < cells; i++) {
			double effect = effects[i % BA_COUNT(effects)];
			bool same = effect < 0.01;
			const noise_model *m = &noise_models[i / BA_COUNT(effects)];
			simulation s = {.model = m,
				.theta = 0.01,
				.effect = effect,
				.family = 20,
				.first_blocks = 2,
				.start_cost = rows[c].start,
				.tries = true};
			tally new = run_like(s, runs);
			s.tries = false;
			s.doubles = true;
			double ratio = log(new.cost / run_like(s, runs).cost);

			all += ratio / (double)cells;
			modes += is(m, "bimodal") ? ratio / BA_COUNT(effects) : 0;
			at_most("wrong verdicts", m->name,
				share(same ? wrong(&new) : new.unchanged, &new),
				same ? 0.012 : 0.05, slack(same ? 0.012 : 0.05, runs));
		}
		at_most("cost / cost by doubling", "all", exp(all), rows[c].all, full ? 0 : 0.05);
		at_most("cost / cost by doubling", "bimodal", exp(modes), rows[c].modes,
			full ? 0 : 0.1);
	}
}

/* V4 */
TEST(intervals_cover_the_truth)
{
	static const size_t at[] = {4, 6, 8, 12};
	size_t runs = size(100, 2000);

	for (size_t i = 0; i < NOISE_MODELS; i++) {
		const noise_model *m = &noise_models[i];
		size_t covered[4] = {0};

		for (size_t r = 0; r < runs; r++) {
			simulation s = {.model = m,
				.theta = 0.01,
				.effect = 0.013,
				.blocks = 3,
				.seed = 1 + 611953 * r};
			double y[12];

			simulate_values(y, 12, &s);
			for (size_t k = 0; k < 4; k++) {
				double n = (double)at[k];
				double half = ba_t_isf(0.025, n - 1) * ba_stdev(y, at[k]) / sqrt(n);

				covered[k] += fabs(ba_mean(y, at[k]) - log1p(0.013)) <= half;
			}
		}
		for (size_t k = 0; k < 4; k++) {
			double rate = (double)covered[k] / (double)runs;
			char what[64];

			snprintf(what, sizeof(what), "95 %% interval, %zu invocations", at[k]);
			at_least(what, m->name, rate, 0.935, slack(0.935, runs));
			/* four differences of two speeds are 0 or +-1 %: too wide an
			 * interval (.9725 of 40 000), which breaks no promise */
			at_most(what, m->name, rate, is(m, "launch2") ? 0.98 : 0.97,
				slack(0.97, runs));
		}
	}
}

TEST(simultaneous_intervals_cover_at_any_stop)
{
	size_t runs = size(60, 2000);

	for (size_t i = 0; i < NOISE_MODELS; i++) {
		const noise_model *m = &noise_models[i];
		tally same = run(m, 0, 100, runs), slower = run(m, 0.02, 100, runs);

		at_least("simultaneous interval, A/A", m->name, share(same.covered, &same), 0.975,
			slack(0.975, runs));
		at_least("simultaneous interval, +2 %", m->name, share(slower.covered, &slower),
			0.975, slack(0.975, runs));
	}
}

/* s of y from an A/A calibration of n invocations, two blocks each */
static double calibrated_s(const noise_model *m, size_t n, uint64_t seed)
{
	double y[64];
	simulation s = {.model = m, .theta = 0.01, .blocks = 2, .seed = seed};

	simulate_values(y, n, &s);
	return ba_stdev(y, n);
}

/* V6 */
TEST(calibration_predicts_what_is_found)
{
	size_t runs = size(60, 1000);

	for (size_t i = 0; i < NOISE_MODELS; i++) {
		const noise_model *m = &noise_models[i];
		size_t found = 0;

		for (size_t r = 0; r < runs; r++) {
			double upper = ba_s_upper(calibrated_s(m, 16, 31 + 7919 * r), 16);
			simulation s = {.model = m,
				.theta = 0.01,
				.effect = ba_minimum_detectable(0.01, upper, 100, 32),
				.family = 100,
				.seed = 1 + 15485863 * r};

			found += simulate(&s).decision.verdict == BA_VERDICT_REGRESSED;
		}
		at_least("power at the predicted effect", m->name, (double)found / (double)runs,
			0.85, slack(0.85, runs));
	}
}

TEST(below_the_floor_nothing_can_be_called_unchanged)
{
	static const struct {
		double of_floor, least, most;
	} rows[] = {{1, 0.85, 0.97}, {0.5, 0, 0.1}};
	size_t runs = size(150, 4000);
	const noise_model *m = &noise_models[5]; /* launch */
	double squares = 0;

	assert_true(is(m, "launch"));
	for (uint64_t r = 0; r < 200; r++)
		squares += pow(calibrated_s(m, 32, 1 + 7919 * r), 2) / 200;
	for (size_t i = 0; i < 2; i++) {
		size_t unchanged = 0;

		for (size_t r = 0; r < runs; r++) {
			simulation s = {.model = m,
				.theta = rows[i].of_floor * ba_theta_floor(sqrt(squares)),
				.family = 1,
				.blocks = 2,
				.seed = 1 + 32452843 * r};

			unchanged += simulate(&s).decision.verdict == BA_VERDICT_UNCHANGED;
		}
		double rate = (double)unchanged / (double)runs;

		at_least("unchanged at the floor, at half of it", m->name, rate, rows[i].least,
			slack(rows[i].least, runs));
		at_most("unchanged at the floor, at half of it", m->name, rate, rows[i].most,
			slack(rows[i].most, runs));
	}
}

/* section 3.7: what the trimmed mean cannot see, threshold 2 %, a family of ten, 20
 * blocks at first as the tool has */
TEST(slow_tails_are_found)
{
	static const struct {
		const char *name;
		tail tail;
		double found, unchanged; /* at least, at most */
	} rows[] = {
		{"1/5 of visits x1.5", {TAIL_VISITS, .2, 1.5}, .99, .01},
		{"1/5 of visits x2", {TAIL_VISITS, .2, 2}, .99, .01},
		{"1/5 of visits x10", {TAIL_VISITS, .2, 10}, .99, .01},
		{"1/10 of visits x1.5", {TAIL_VISITS, .1, 1.5}, .93, .05},
		{"1/10 of visits x2", {TAIL_VISITS, .1, 2}, .97, .02},
		{"1/10 of visits x10", {TAIL_VISITS, .1, 10}, .98, .02},
		{"1/20 of visits x1.5 (+2.5 %)", {TAIL_VISITS, .05, 1.5}, .2, .65},
		{"1/20 of visits x2", {TAIL_VISITS, .05, 2}, .75, .2},
		{"1/20 of visits x10", {TAIL_VISITS, .05, 10}, .93, .06},
		{"1/5 of readings x2", {TAIL_READINGS, .2, 2}, .99, .01},
		{"1/10 of readings x2", {TAIL_READINGS, .1, 2}, .99, .01},
		{"1/20 of readings x2", {TAIL_READINGS, .05, 2}, .93, .06},
		{"1/20 of readings x10", {TAIL_READINGS, .05, 10}, .98, .02},
		{"bimodal, 1/5 x2", {TAIL_MODE, .2, 2}, .65, .2},
		{"bimodal, 1/5 x10", {TAIL_MODE, .2, 10}, .85, .12},
	};
	static const char *const models[] = {"quiet", "tails", "launch2", "mixed"};
	size_t runs = size(20, 300);

	for (size_t i = 0; i < NOISE_MODELS; i++) {
		const noise_model *m = &noise_models[i];
		bool chosen = false;

		for (size_t k = 0; k < 4; k++)
			chosen = chosen || is(m, models[k]);
		for (size_t k = 0; chosen && k < sizeof(rows) / sizeof(*rows); k++) {
			tally t = run_like((simulation){.model = m,
						   .theta = 0.02,
						   .family = 10,
						   .first_blocks = 20,
						   .tail = rows[k].tail},
				runs);

			at_least(rows[k].name, m->name, share(t.regressed + t.tail_regressed, &t),
				rows[k].found, slack(rows[k].found, runs));
			at_most("  of these unchanged", m->name, share(t.unchanged, &t),
				rows[k].unchanged, slack(rows[k].unchanged, runs));
			assert_int_equal(t.improved + t.tail_improved, 0);
		}
	}
}

/* interrupts that make a reading 100 times as long, on both sides alike */
TEST(equal_tails_are_no_change)
{
	static const struct {
		double share, unchanged, invocations;
	} rows[] = {{.001, .995, 4.1}, {.003, .995, 4.1}, {.01, .95, 6.5}, {.03, .92, 8}};
	size_t runs = size(100, 4000);

	for (size_t k = 0; k < sizeof(rows) / sizeof(*rows); k++) {
		tally t = run_like((simulation){.model = &noise_models[0],
					   .theta = 0.02,
					   .family = 1,
					   .first_blocks = 20,
					   .spikes = rows[k].share,
					   .spike_ms = 100},
			runs);
		char what[40];

		snprintf(what, sizeof(what), "%g %% of readings x100", 100 * rows[k].share);
		at_most("false verdicts", what, share(wrong(&t), &t), 0.012, slack(0.012, runs));
		at_least("unchanged", what, share(t.unchanged, &t), rows[k].unchanged,
			slack(rows[k].unchanged, runs));
		at_most("invocations", what, t.invocations, rows[k].invocations, full ? 0 : 1);
	}
}

/* a tail that raises the mean by half the threshold is no regression */
TEST(a_tail_of_half_the_threshold_is_not_flagged)
{
	static const tail tails[] = {{TAIL_VISITS, .05, 1.2}, {TAIL_VISITS, .01, 2},
		{TAIL_READINGS, .01, 2}, {TAIL_READINGS, .001, 11}};
	size_t runs = size(100, 4000);

	for (size_t k = 0; k < sizeof(tails) / sizeof(*tails); k++) {
		tally t = run_like((simulation){.model = &noise_models[0],
					   .theta = 0.02,
					   .family = 1,
					   .first_blocks = 20,
					   .tail = tails[k]},
			runs);
		char what[40];

		snprintf(what, sizeof(what), "%g x%g", tails[k].share, tails[k].factor);
		at_most("mean at theta/2, called changed", what, share(wrong(&t), &t), 0.012,
			slack(0.012, runs));
	}
}

int main(int argc, char **argv)
{
	full = argc > 1 && strcmp(argv[1], "--full") == 0;
	return test_run();
}
