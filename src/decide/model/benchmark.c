#include "model/benchmark.h"

BA_OWNS(ba_benchmark, b, BA_FREE(b->suite, b->id, b->name, b->path),
	BA_FREE_EACH(x, b->axes, b->axis_count, BA_FREE(x->name, x->value)),
	ba_strv_dispose(&b->executes),
	BA_FREE_ARRAY(ba_device_code_dispose, b->codes, b->code_count))

bool ba_benchmark_is_same_work(const ba_benchmark *b, size_t variant)
{
	return variant < b->code_count && ba_device_code_is_same(&b->codes[0], &b->codes[variant]);
}

void ba_benchmark_add_axis(ba_benchmark *b, const char *name, const char *value)
{
	*BA_APPEND(b->axes, b->axis_count) =
		(ba_axis){.name = ba_xstrdup(name), .value = ba_xstrdup(value)};
}

/* A whole program is its first call, and what it prints has none. */
static unsigned starts_of(const ba_benchmark *b)
{
	if (b->kind == BA_SUITE_COMMAND)
		return b->process ? BA_OF_PROCESS | BA_OF_CALL : 0;
	if (b->process)
		return BA_OF_PROCESS;
	return b->gpu || b->kind != BA_SUITE_WORKER ? BA_OF_CALL | BA_OF_DRIVER : BA_OF_CALL;
}

bool ba_benchmark_has_metric(const ba_benchmark *b, ba_metric metric)
{
	const ba_metric_info *info = ba_metric_get(metric);
	if (!ba_metric_is_of(metric, b->kind) || (info->rotates && !b->rotates))
		return false;
	if (info->starts || b->process)
		return info->starts & starts_of(b);
	if (b->metrics == 0)
		return !info->quantity;
	/* it may name the metric `submit`, which is `host` on the host target */
	int named = info->mode ? ba_metric_from_name(info->mode) : (int)metric;
	/* or it counts what is asked of the driver, and no instructions */
	return b->metrics >> named & 1 || (info->census && b->metrics >> BA_METRIC_LAUNCHES & 1);
}

bool ba_benchmark_has_processor_time(const ba_benchmark *b)
{
	return b->kind == BA_SUITE_COMMAND && ba_benchmark_has_metric(b, BA_METRIC_TIME) &&
	       ba_benchmark_has_metric(b, BA_METRIC_CPU_TIME);
}
