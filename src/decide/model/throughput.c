#include "model/throughput.h"

/* per ns is per second times 1e9 */
ba_throughput ba_throughput_of(const ba_result *r, const ba_series *s, size_t variant)
{
	const ba_benchmark *b = &r->run.benchmarks[s->benchmark];
	const ba_summary *v = &s->variants[variant];
	double bytes = b->bytes_read + b->bytes_written;
	ba_throughput t = {0};
	if (!ba_metric_is_of_runs(s->metric) || !(v->trimmed > 0))
		return t;
	t.gflop_per_s = b->flop / v->trimmed;
	t.gb_per_s = bytes / v->trimmed;
	t.items_per_s = b->items / v->trimmed * 1e9;
	if (r->run.env.copy_gb_per_s > 0)
		t.of_copy = t.gb_per_s / r->run.env.copy_gb_per_s;
	if (r->run.env.matrix_gflop_per_s > 0)
		t.of_matrix = t.gflop_per_s / r->run.env.matrix_gflop_per_s;
	return t;
}
