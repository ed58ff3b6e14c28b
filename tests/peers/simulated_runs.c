/* Runs of the tools on the simulated GPU of tests/sim. */
#include <math.h>
#include <stdlib.h>

#include "base/auto.h"
#include "base/mem.h"
#include "peers.h"
#include "simulate.h"
#include "stats/logratio.h"
#include "stats/quantile.h"

enum { GAP_MS = 30000, NVBENCH_MIN_MS = 500, NVBENCH_MAX_MS = 15000, NOISE_WINDOW = 512 };

const peer peers[] = {
	{"cutoff at 5 %, n=100", peer_seed_5, 0, 100, 1, 0, false},
	{"cutoff at 1 %, n=100", peer_seed_1, 0, 100, 1, 0, false},
	{"1 % and both sd, n=100", peer_seed_sd, 0, 100, 1, 0, false},
	{"google-benchmark, U test", peer_google, 0, 9, 500, 0, false},
	{"benchstat, U test", peer_benchstat, 0, 10, 1000, 0, false},
	{"criterion", peer_criterion, 3000, 100, 1, 1, false},
	{"nvbench-compare, legacy", peer_nvbench, 0, 0, 1, 0, false},
	{"nvbench-compare, robust", peer_nvbench_robust, 0, 0, 1, 0, false},
	{"tango, 100 ms", peer_tango, 0, 10, 10, 0, true},
	{"tango, 1 s", peer_tango, 0, 100, 10, 0, true},
};
const size_t peer_count = sizeof(peers) / sizeof(*peers);

const own owns[] = {
	{"ours, ONE invocation", OWN_ONE_PAIR, 100},
	{"ours, family of 100", OWN_RULE, 100},
	{"ours, family of 1", OWN_RULE, 1},
	{"ours, family of 100 000", OWN_RULE, 100000},
	{"t-mixture sequence, m=100", OWN_T_MIXTURE, 100},
	{"sign e-process, m=100", OWN_SIGN, 100},
};
const size_t own_count = sizeof(owns) / sizeof(*owns);

/* stdrel: after half a second, until the noise is below .5 % or has stopped changing */
static bool nvbench_stops(const double *x, size_t n, double spent_ms, double *noises)
{
	/* every 16 samples, as nvbench looks; a running sum would lose digits */
	if (n < 10 || n % 16 != 0)
		return spent_ms > NVBENCH_MAX_MS;
	double noise = ba_stdev(x, n) / ba_mean(x, n);
	size_t looks = n / 16;

	noises[looks - 1] = noise;
	if (spent_ms < NVBENCH_MIN_MS)
		return false;
	if (noise < 0.005 || spent_ms > NVBENCH_MAX_MS)
		return true;
	size_t window = looks < NOISE_WINDOW / 16 ? looks : NOISE_WINDOW / 16;

	return window > 64 / 16 && ba_stdev(noises + looks - window, window) <
					   0.05 * ba_mean(noises + looks - window, window);
}

/* all samples of one side; returns their number */
static size_t collect(double *x, size_t room, const peer *p, noise_world *w, double effect)
{
	noise_process process;
	double noises[16384 / 16], start = w->now_ms;
	size_t n = 0;

	noise_process_start(&process, w, effect);
	while (w->now_ms < start + p->warmup_ms)
		noise_launch(w, &process);
	start = w->now_ms;
	while (n < room && n < 16384) {
		size_t launches = p->launches + n * p->more_launches;

		x[n++] = noise_reading(w, &process, (unsigned)launches);
		if (p->samples ? n == p->samples : nvbench_stops(x, n, w->now_ms - start, noises))
			break;
	}
	return n;
}

static size_t collect_pairs(double *a, double *b, const peer *p, noise_world *w, double effect)
{
	noise_process process[2];

	noise_process_start(&process[0], w, 0);
	noise_process_start(&process[1], w, effect);
	for (size_t i = 0; i < p->samples; i++) {
		a[i] = noise_reading(w, &process[0], (unsigned)p->launches);
		b[i] = noise_reading(w, &process[1], (unsigned)p->launches);
	}
	return p->samples;
}

outcome run_peer(const peer *p, const noise_model *model, double effect, uint64_t seed)
{
	enum { ROOM = 16384 };
	BA_AUTO_FREE double *a = ba_xreallocarray(NULL, ROOM, sizeof(*a));
	BA_AUTO_FREE double *b = ba_xreallocarray(NULL, ROOM, sizeof(*b));
	size_t na, nb;
	noise_world w;

	noise_world_init(&w, model, seed);
	if (p->paired) {
		na = nb = collect_pairs(a, b, p, &w, log1p(effect));
		return (outcome){p->decide(a, na, b, nb), w.now_ms / 1000};
	}
	na = collect(a, ROOM, p, &w, 0);
	noise_wait(&w, GAP_MS);
	nb = collect(b, ROOM, p, &w, log1p(effect));
	return (outcome){p->decide(a, na, b, nb), (w.now_ms - GAP_MS) / 1000};
}

/* half a second to start an invocation, shared by 50 benchmarks */
static double seconds_of(double launches, size_t invocations)
{
	return launches / 1000 + 0.5 * (double)invocations / 50;
}

/* the looks over blocks of one process pair: what not to do */
static outcome run_one_pair(const own *o, const simulation *s)
{
	ba_policy policy = BA_POLICY_DEFAULT;
	ba_design design = ba_design_sequential();
	noise_world w;
	noise_process p[2];
	double d[32], reading[5], v[4], effect = log1p(s->effect);
	ba_decision decision;
	size_t done = 0;

	noise_world_init(&w, s->model, s->seed);
	noise_process_start(&p[0], &w, 0);
	noise_process_start(&p[1], &w, effect);
	ba_decision_init(&decision, s->theta, s->theta);
	for (size_t look = 0; look < design.looks; look++) {
		for (; done < design.at[look]; done++) {
			bool baab = noise_uniform(&w.rng) < 0.5;
			unsigned char order[] = {baab, !baab, !baab, baab};

			for (size_t i = 0; i < 4; i++) {
				noise_launch(&w, &p[order[i]]);
				for (size_t r = 0; r < 5; r++)
					reading[r] = noise_reading(&w, &p[order[i]], 1);
				v[i] = ba_visit_value(reading, 5);
			}
			d[done] = ba_block_contrast(v, order, 4, 0, 1);
		}
		ba_decision_look(&decision, &policy, &design, look, d);
		if (ba_family_decide(&decision, 1, o->family, &policy, look == 6) == 0)
			break;
	}
	return (outcome){(decision.verdict == BA_VERDICT_REGRESSED) -
				 (decision.verdict == BA_VERDICT_IMPROVED),
		seconds_of(24 * (double)done, 1)};
}

/* evidence on the log scale that the mean of y exceeds `null` (up = 1) or not (-1) */
static double evidence(own_kind kind, const double *y, size_t n, double null, int up)
{
	if (kind == OWN_T_MIXTURE) {
		bool right_side = up * (ba_mean(y, n) - null) > 0;

		return n > 1 && right_side ? peer_t_mixture(y, n, null, 0.01) : 0;
	}
	double log_e = 0;

	for (size_t i = 0; i < n; i++)
		log_e += up * (y[i] - null) > 0 ? log(1.9) : log(0.1);
	return log_e;
}

static outcome run_evidence(const own *o, const simulation *s)
{
	double y[32], d = log1p(s->theta), launches = simulated_launches(s) * 2;
	double flag = log((double)o->family / 0.05), same = log(1 / 0.05);
	outcome result = {0, seconds_of(32 * launches, 32)};
	bool above = false, below = false;

	simulate_values(y, 32, s);
	for (size_t n = 2; n <= 32; n++) {
		double mean = ba_mean(y, n);

		above = above || evidence(o->kind, y, n, -1.25 * d, 1) >= same;
		below = below || evidence(o->kind, y, n, 1.25 * d, -1) >= same;
		if (mean >= d && evidence(o->kind, y, n, 0.5 * d, 1) >= flag)
			result.flag = 1;
		else if (mean <= -d && evidence(o->kind, y, n, -0.5 * d, -1) >= flag)
			result.flag = -1;
		else if (!(above && below && fabs(mean) < d))
			continue;
		result.seconds = seconds_of((double)n * launches, n);
		break;
	}
	return result;
}

outcome run_own(const own *o, const noise_model *model, double effect, uint64_t seed)
{
	simulation s = {.model = model,
		.theta = 0.01,
		.effect = effect,
		.family = o->family,
		.blocks = o->kind == OWN_RULE ? 0 : 2,
		.seed = seed};

	if (o->kind == OWN_ONE_PAIR)
		return run_one_pair(o, &s);
	if (o->kind != OWN_RULE)
		return run_evidence(o, &s);
	simulated x = simulate(&s);
	ba_verdict v = x.decision.verdict;

	return (outcome){(v == BA_VERDICT_REGRESSED) - (v == BA_VERDICT_IMPROVED),
		seconds_of(x.launches, x.decision.invocations)};
}
