/* Results to render, store and judge, made by hand: no clock, no disk. */
#ifndef TESTS_SUPPORT_EXAMPLE_RESULT_H
#define TESTS_SUPPORT_EXAMPLE_RESULT_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "model/result.h"
#include "series_of.h"

/* a run of `variant_count` of baseline, contextvar, v2, v3 on a GPU, nothing measured
 * yet */
static inline void example_begin(ba_result *r, size_t variant_count)
{
	static const char *const labels[] = {"baseline", "contextvar", "v2", "v3"};
	static const char *const subjects[] = {"launch: keep the state in the dispatcher",
		"launch: keep the state in a context variable",
		"launch: keep the state in thread-local storage", "launch: no state at all"};
	*r = (ba_result){
		.run.tool_version = ba_xstrdup("0.1.0"),
		.run.started = ba_xstrdup("2026-01-31T12:00:00Z"),
		.run.wall_seconds = 9.41,
		.run.measure_seconds = 8.2,
		.run.seed = UINT64_C(18364758544493064720),
		.run.engine = ba_xstrdup("duet"),
		.run.engine_reason = ba_xstrdup(""),
		.run.command_line = ba_xstrdup("bench-against baseline contextvar v2"),
		.run.repository = ba_xstrdup("/home/u/launch"),
		.run.config_path = ba_xstrdup("/home/u/launch/.bench-against.json"),
		.decided.alpha = 0.05,
		.decided.multiplicity = ba_xstrdup("bh"),
		.decided.design.at = {4, 6, 8, 12},
		.decided.design.weight = {0.4, 0.3, 0.2, 0.1},
		.decided.design.looks = 4,
		.run.variant_count = variant_count,
		.run.variants = ba_xcalloc(variant_count, sizeof(ba_variant)),
		.decided.verdict = BA_VERDICT_SKIPPED,
	};
	memset(r->run.suite_sha256, 'c', 64);
	for (size_t i = 0; i < variant_count; i++) {
		ba_variant *v = &r->run.variants[i];
		v->kind = BA_VARIANT_REV;
		v->label = ba_xstrdup(labels[i]);
		v->spec = ba_xstrdup(labels[i]);
		v->describe = ba_xprintf("v1.%zu", i);
		v->subject = ba_xstrdup(subjects[i]);
		v->tree_dir = ba_xprintf("/cache/trees/%zu", i);
		v->build_key = ba_xprintf("key-%zu", i);
		v->build_log = ba_xstrdup("");
		v->build_seconds = 3.25;
		memset(v->commit, "3b8f"[i], 40);
		memset(v->tree_id, "0123"[i], 40);
		v->artefacts = ba_xcalloc(1, sizeof(ba_artefact));
		v->artefact_count = 1;
		v->artefacts[0].path = ba_xstrdup("build/liblaunch.so");
		memset(v->artefacts[0].sha256, "abde"[i], 64);
	}
	r->run.env = (ba_environment){
		.target = ba_xstrdup("gpu"),
		.device_name = ba_xstrdup("NVIDIA H200"),
		.device_uuid = ba_xstrdup("GPU-01234567-89ab-cdef-0123-456789abcdef"),
		.compute_capability = ba_xstrdup("9.0"),
		.driver_version = ba_xstrdup("580.159.04"),
		.cuda_version = ba_xstrdup("13.0"),
		.pci_bus_id = ba_xstrdup("0000:17:00.0"),
		.ecc = ba_xstrdup("on"),
		.mig = ba_xstrdup("off"),
		.virtualization = ba_xstrdup("passthrough"),
		.host_name = ba_xstrdup("node7"),
		.cpu_model = ba_xstrdup("Intel Xeon Platinum 8481C"),
		.kernel = ba_xstrdup("Linux 6.1"),
		.governor = ba_xstrdup("performance"),
		.clocksource = ba_xstrdup("tsc"),
		.sm_count = 132,
		.memory_bytes = INT64_C(150754820096),
		.sm_clock_mhz = 1980,
		.sm_clock_max_mhz = 1980,
		.memory_clock_mhz = 3201,
		.power_watts = 118.5,
		.power_limit_watts = 700,
		.temperature_c = 34,
		.other_processes = 0,
		.cpus = 16,
		.pinned_cpu = 3,
		.load_average = 0.25,
		.timer_read_ns = 30.5,
		.timer_tick_ns = 1,
		.queue_depth = 1024,
	};
}

static inline size_t example_benchmark(ba_result *r, const char *id, unsigned args)
{
	r->run.benchmarks = ba_xreallocarray(
		r->run.benchmarks, r->run.benchmark_count + 1, sizeof(*r->run.benchmarks));
	ba_benchmark *b = &r->run.benchmarks[r->run.benchmark_count];
	*b = (ba_benchmark){
		.suite = ba_xstrdup("launch"),
		.id = ba_xstrdup(id),
		.path = ba_xstrdup("signature"),
		.args = args,
		.loops = 100000,
	};
	char text[16];
	snprintf(text, sizeof(text), "%u", args);
	ba_benchmark_add_axis(b, "args", text);
	return r->run.benchmark_count++;
}

static inline void example_summary(ba_summary *v, double ns, double stdev)
{
	*v = (ba_summary){
		.present = true,
		.launches = 40960,
		.mean = ns * 1.004,
		.stdev = stdev,
		.iqr = 1.349 * stdev, /* of a normal distribution */
		.min = ns * 0.97,
		.median = ns * 0.999,
		.p95 = ns * 1.05,
		.p99 = ns * 1.12,
		.trimmed = ns,
	};
}

static inline void example_compare(ba_series *s, size_t candidate, ba_verdict verdict, double half)
{
	const ba_summary *a = &s->variants[0], *b = &s->variants[candidate];
	ba_comparison *c = &s->comparisons[candidate - 1];
	*c = (ba_comparison){
		.verdict = verdict,
		.threshold_slower = 0.02,
		.threshold_faster = 0.02,
		.p_regressed = 1,
		.p_improved = 1,
		.p_unchanged = 1,
	};
	if (!a->launches || !b->launches)
		return;
	c->ratio = b->trimmed / a->trimmed;
	c->low = c->ratio - half;
	c->high = c->ratio + half;
	c->delta_ns = b->trimmed - a->trimmed;
	c->invocations = 4;
	c->s = 0.00098;
	c->s_within = 0.0012;
	c->drift_per_block = 1e-5;
	c->y_count = 4;
	c->y = ba_xcalloc(4, sizeof(double));
	for (size_t i = 0; i < 4; i++)
		c->y[i] = log(c->ratio) + 0.0001 * ((double)i - 1.5);
	if (verdict == BA_VERDICT_REGRESSED)
		c->p_regressed = 0.0390625;
	if (verdict == BA_VERDICT_IMPROVED)
		c->p_improved = 0.0390625;
	if (verdict == BA_VERDICT_UNCHANGED)
		c->p_unchanged = 0.0390625;
}

/* samples of two invocations, two blocks: enough for a file */
static inline void example_samples(ba_result *r, ba_series *s)
{
	unsigned participants = (unsigned)r->run.variant_count;
	for (unsigned i = 0; i < 2; i++) {
		ba_samples *x = ba_series_add_samples(s);
		x->invocation = i;
		x->seed = UINT64_MAX - i;
		x->participants = participants;
		x->positions = 2 * participants;
		x->blocks = 2;
		x->readings = 3;
		x->batch = 16;
		ba_samples_alloc(x);
		for (unsigned b = 0; b < x->blocks * x->positions; b++) {
			unsigned p = b % x->positions;
			x->order[b] = (uint8_t)(p < participants ? p : x->positions - 1 - p);
			for (unsigned k = 0; k < x->readings; k++)
				x->ns[b * x->readings + k] = 38000 + 100 * b + 7 * k;
		}
		x->started_ns = 1000000 * (int64_t)(i + 1);
		x->wall_ns = 123456;
		for (unsigned b = 0; b < x->blocks && x->block_at_ns; b++)
			x->block_at_ns[b] = 1000 * (int64_t)b;
	}
}

/* A verdict series: figures[] in ns, one a variant; verdicts[] one a candidate. */
static inline ba_series *example_series(ba_result *r, size_t benchmark, ba_metric metric,
	const double *figures, const ba_verdict *verdicts)
{
	ba_series *s = series_of(r, benchmark, metric);
	for (size_t i = 0; i < r->run.variant_count; i++)
		example_summary(&s->variants[i], figures[i], figures[i] * 0.005);
	for (size_t i = 1; i < r->run.variant_count; i++)
		example_compare(s, i, verdicts[i - 1], 0.0035);
	return s;
}

/* submit with floor for launch/args=0..4, every candidate at `ratios[i]` of the
 * baseline */
static inline void example_launch_suite(
	ba_result *r, const double *ratios, const ba_verdict *verdicts)
{
	for (unsigned args = 0; args <= 4; args++) {
		char id[32];
		double figures[4];
		snprintf(id, sizeof(id), "launch/args=%u", args);
		size_t b = example_benchmark(r, id, args);
		figures[0] = 2431 + 17 * args;
		for (size_t i = 1; i < r->run.variant_count; i++)
			figures[i] = figures[0] * (1 + (ratios[i - 1] - 1) * (1 + 0.05 * args));
		ba_series *s = example_series(r, b, BA_METRIC_SUBMIT, figures, verdicts);
		example_summary(&s->floor, 2310, 11);
		s->net_ns = ba_xcalloc(r->run.variant_count, sizeof(double));
		for (size_t i = 0; i < r->run.variant_count; i++)
			s->net_ns[i] = figures[i] - 2310;
		example_samples(r, s);
	}
}

#endif
