/* A comparison of 66 benchmarks of kernels, from microseconds to milliseconds: three
 * failed, two regressed, one improved, four are slower within the threshold, the others
 * are inconclusive or unchanged. */
#ifndef TESTS_SUPPORT_MANY_RESULT_H
#define TESTS_SUPPORT_MANY_RESULT_H

#include "example_result.h"

enum { MANY_BENCHMARKS = 66 };

static inline ba_verdict many_verdict(unsigned i)
{
	return i == 7 || i == 23 || i == 24 ? BA_VERDICT_FAILED
	       : i == 40 || i == 61	    ? BA_VERDICT_REGRESSED
	       : i == 12		    ? BA_VERDICT_IMPROVED
	       : i % 3 == 0		    ? BA_VERDICT_INCONCLUSIVE
					    : BA_VERDICT_UNCHANGED;
}

static inline double many_ratio(unsigned i)
{
	switch (many_verdict(i)) {
	case BA_VERDICT_REGRESSED:
		return i == 40 ? 1.124 : 1.037;
	case BA_VERDICT_IMPROVED:
		return 0.953;
	case BA_VERDICT_INCONCLUSIVE:
		return 1 + 0.0011 * (i % 17) - 0.004;
	default:
		return i == 10 || i == 28 || i == 44 || i == 59 ? 1.0085 : 1.0004;
	}
}

static inline void many_benchmark(ba_result *r, unsigned i)
{
	static const char *const kernels[] = {"softmax", "layernorm", "transpose"};
	static const unsigned rows[] = {16, 160, 1024, 8192};
	static const char *const types[] = {"f32", "bf16"};
	unsigned kernel = i / 22, point = i % 22;
	unsigned columns = 128u << (point / 8 * 3);
	BA_AUTO_FREE char *id = ba_xprintf("kernels/%s/rows=%u,cols=%u,dtype=%s", kernels[kernel],
		rows[point % 4], columns, types[point / 4 % 2]);
	double base = 2600 + 0.0123 * rows[point % 4] * columns * (kernel + 1);
	const double figures[] = {base, base * many_ratio(i)};
	const ba_verdict verdict = many_verdict(i);
	size_t b = example_benchmark(r, id, i);
	ba_series *s = example_series(r, b, BA_METRIC_GPU_COLD, figures, &verdict);
	ba_comparison *c = &s->comparisons[0];
	if (verdict == BA_VERDICT_INCONCLUSIVE) {
		c->low = c->ratio - 0.021;
		c->high = c->ratio + 0.021;
		c->reason = ba_xstrdup("4 invocations cannot prove a single change "
				       "among 66 comparisons");
		c->hint = ba_xstrdup("about 4 more invocations (48 s) would be enough");
	}
	if (verdict != BA_VERDICT_FAILED)
		return;
	ba_summary *v = &s->variants[1];
	*v = (ba_summary){.present = true,
		.failure = ba_xstrdup(i == 7 ? "wrong result: element 1024 is 0.731, "
					       "the reference has 0.734"
					     : "cuLaunchKernel: invalid configuration "
					       "argument (9)")};
	c->ratio = 0;
}

static inline void many_begin(ba_result *r)
{
	example_begin(r, 2);
	for (unsigned i = 0; i < MANY_BENCHMARKS; i++)
		many_benchmark(r, i);
}

#endif
