/*
 * What a run spends in judging: CPU time of reducing readings to estimates, of the looks
 * and of the end, on a synthetic result whose questions stay open to the last look.
 *
 *     bench_judging [BENCHMARKS [INVOCATIONS [BLOCKS]]]     60 32 200
 *
 * The last line is a digest of every number that was found: two versions that print the
 * same one computed the same, bit for bit.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/rng.h"
#include "verdict/decide.h"
#include "verdict/estimate.h"
#include "verdict/explain.h"
#include "model/measured.h"

enum { READINGS = 4, BATCH = 16, VARIANTS = 2 };

static double cpu_seconds(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double uniform(uint64_t *random)
{
	return (double)(ba_splitmix64(random) >> 11) * 0x1p-53;
}

static void describe(ba_result *r, size_t benchmarks)
{
	r->document.schema_revision = BA_REVISION_MEANS;
	r->decided.alpha = 0.05;
	r->decided.multiplicity = ba_xstrdup("bh");
	r->decided.stopped = ba_xstrdup("");
	r->run.env.timer_tick_ns = 1;
	r->decided.design = ba_design_of_rule(BA_RULE_FIRST);
	r->run.variant_count = VARIANTS;
	r->run.variants = ba_xcalloc(VARIANTS, sizeof(*r->run.variants));
	for (size_t v = 0; v < VARIANTS; v++)
		r->run.variants[v].label = ba_xprintf("v%zu", v);
	r->run.benchmark_count = benchmarks;
	r->run.benchmarks = ba_xcalloc(benchmarks, sizeof(*r->run.benchmarks));
	for (size_t b = 0; b < benchmarks; b++) {
		r->run.benchmarks[b].id = ba_xprintf("path/%zu", b);
		ba_series *s = ba_result_add_series(r, b, BA_METRIC_SUBMIT);
		s->role = BA_ROLE_VERDICT;
		for (size_t v = 0; v < VARIANTS; v++)
			s->variants[v].present = true;
		s->comparisons[0].threshold_slower = 0.02;
		s->comparisons[0].threshold_faster = 0.02;
	}
}

/* Invocations differ by 4 %: nothing is decided at a threshold of 2 %. */
static void measure(
	ba_result *r, ba_series *s, unsigned invocation, unsigned blocks, uint64_t *random)
{
	const uint8_t both[] = {0, 1};
	const double wander = 0.08 * (uniform(random) - 0.5);
	ba_samples *x = ba_series_add_samples(s);
	*x = (ba_samples){.invocation = invocation,
		.participants = VARIANTS + 1,
		.has_floor = true,
		.positions = 2 * VARIANTS + 1,
		.blocks = blocks,
		.readings = READINGS,
		.batch = BATCH,
		.wall_ns = 1000000};
	ba_samples_alloc(x);
	ba_order_fill(x, both, VARIANTS, VARIANTS, 1, r->run.benchmarks[s->benchmark].id);
	for (size_t i = 0; i < (size_t)blocks * x->positions * READINGS; i++) {
		unsigned who = x->order[i / READINGS];
		double ns = who == VARIANTS ? 1300 : who == 1 ? 2600 * (1 + wander) : 2600;
		double noise = 1 + 0.05 * uniform(random);
		x->ns[i] = (uint64_t)(BATCH * ns * noise);
	}
}

static void put(ba_sha256 *h, double x)
{
	ba_sha256_add(h, &x, sizeof(x));
}

static void put_summary(ba_sha256 *h, const ba_summary *s)
{
	const double all[] = {s->mean, s->stdev, s->iqr, s->min, s->median, s->p95, s->p99, s->max,
		s->trimmed, s->sm_mhz, (double)s->launches};
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		put(h, all[i]);
}

static void put_series(ba_sha256 *h, const ba_series *s)
{
	const ba_comparison *c = &s->comparisons[0];
	const double all[] = {c->ratio, c->low, c->high, c->delta_ns, c->p_regressed, c->p_improved,
		c->p_unchanged, c->mean_ratio, c->mean_low, c->mean_high, c->p_mean_regressed,
		c->p_mean_improved, c->s, c->s_within, c->drift_per_block, (double)c->verdict,
		(double)c->invocations, (double)c->shape_changed, s->s_floor, s->net_ns[0],
		s->net_ns[1]};
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		put(h, all[i]);
	for (size_t i = 0; i < c->y_count; i++) {
		put(h, c->y[i]);
		put(h, c->z[i]);
	}
	for (size_t v = 0; v < VARIANTS; v++)
		put_summary(h, &s->variants[v]);
	put_summary(h, &s->floor);
	if (c->reason)
		ba_sha256_add(h, c->reason, strlen(c->reason));
	if (c->hint)
		ba_sha256_add(h, c->hint, strlen(c->hint));
}

static unsigned argument(int argc, char **argv, int i, unsigned otherwise)
{
	return argc > i ? (unsigned)strtoul(argv[i], NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
	unsigned benchmarks = argument(argc, argv, 1, 60);
	unsigned invocations = argument(argc, argv, 2, 32);
	unsigned blocks = argument(argc, argv, 3, 200);
	double reduce = 0, look = 0, end = 0;
	BA_AUTO(ba_result) ba_result r = {0};
	BA_AUTO(ba_decisions) ba_decisions d = {0};
	uint64_t random = 1;
	describe(&r, benchmarks);
	ba_decisions_init(&d, &r);
	for (unsigned i = 0; i < invocations; i++) {
		for (size_t k = 0; k < r.series_count; k++) {
			ba_series *s = &r.series[k];
			measure(&r, s, i, blocks, &random);
			double start = cpu_seconds();
			ba_estimate_add(&r, s, &s->samples[s->sample_count - 1]);
			reduce += cpu_seconds() - start;
		}
		double start = cpu_seconds();
		if (r.decided.looks_done < r.decided.design.looks &&
			r.decided.design.at[r.decided.looks_done] == i + 1)
			ba_decisions_look(&d, &r);
		look += cpu_seconds() - start;
	}
	double start = cpu_seconds();
	ba_decisions_finish(&d, &r);
	ba_explain_run(&r);
	end = cpu_seconds() - start;
	printf("%u benchmarks, %u invocations of %u blocks, %zu looks: CPU ms\n", benchmarks,
		invocations, blocks, r.decided.looks_done);
	printf("  reducing %.0f, looks %.1f, the end %.0f: %.0f\n", 1e3 * reduce, 1e3 * look,
		1e3 * end, 1e3 * (reduce + look + end));
	ba_sha256 h;
	char digest[65];
	ba_sha256_init(&h);
	for (size_t k = 0; k < r.series_count; k++)
		put_series(&h, &r.series[k]);
	ba_sha256_hex(&h, digest);
	printf("  %s\n", digest);
	return 0;
}
