#include "model/benchmark.h"

#include <math.h>

void ba_benchmark_dispose(ba_benchmark *b)
{
	BA_FREE(b->suite, b->id, b->name, b->path);
	for (size_t i = 0; i < b->axis_count; i++) {
		BA_FREE(b->axes[i].name, b->axes[i].value);
	}
	free(b->axes);
	BA_FREE_ARRAY(ba_device_code_dispose, b->codes, b->code_count);
	*b = (ba_benchmark){0};
}

bool ba_benchmark_is_same_work(const ba_benchmark *b, size_t variant)
{
	return variant < b->code_count && ba_device_code_is_same(&b->codes[0], &b->codes[variant]);
}

void ba_benchmark_add_axis(ba_benchmark *b, const char *name, const char *value)
{
	b->axes = ba_xreallocarray(b->axes, b->axis_count + 1, sizeof(*b->axes));
	b->axes[b->axis_count++] = (ba_axis){.name = ba_xstrdup(name), .value = ba_xstrdup(value)};
}

static const ba_metric_info infos[BA_METRIC_COUNT] = {
	[BA_METRIC_HOST] = {"host", "ns/launch",
		"the variant's launch code against a driver that returns at once", BA_ROLE_VERDICT},
	[BA_METRIC_SUBMIT] = {"submit", "us/launch",
		"host time of one launch while the queue is shallow", BA_ROLE_VERDICT},
	[BA_METRIC_SUSTAINED] = {"sustained", "us/launch",
		"many launches and one synchronisation, as most benchmarks measure",
		BA_ROLE_REPORTED},
	[BA_METRIC_ROUNDTRIP] = {"roundtrip", "us/launch",
		"one launch and a synchronisation that spins", BA_ROLE_REPORTED},
	[BA_METRIC_GPU_COLD] = {"gpu_cold", "us/run",
		"time on the GPU, with no input in the L2 cache", BA_ROLE_VERDICT, true, true},
	[BA_METRIC_GPU_HOT] = {"gpu_hot", "us/run",
		"time on the GPU, repeated runs on the same memory", BA_ROLE_REPORTED, true, true},
	[BA_METRIC_GPU_ROTATE] = {"gpu_rotate", "us/run",
		"time on the GPU, each run on other inputs", BA_ROLE_REPORTED, true, true},
	[BA_METRIC_WALL_COLD] = {"wall_cold", "us/run",
		"from the call to the end of its work, with no input in the L2 cache",
		BA_ROLE_REPORTED, true, false},
	[BA_METRIC_WALL_HOT] = {"wall_hot", "us/run",
		"from the call to the end of its work, on the host's clock", BA_ROLE_REPORTED, true,
		false},
	[BA_METRIC_FRESH] = {"fresh", "us/run",
		"time of a run on inputs that it has not seen before, on the host's clock",
		BA_ROLE_VERDICT, true, false},
	[BA_METRIC_INSTRUCTIONS] = {"instructions", "",
		"instructions that the launch code executes, without the driver's",
		BA_ROLE_REPORTED, .counted = true},
	[BA_METRIC_TRACKED] = {"tracked", "",
		"a value that the benchmark reports, the smaller the better", BA_ROLE_VERDICT,
		.quantity = true},
	[BA_METRIC_PEAK_MEMORY] = {"peak_memory", "", "bytes of memory that a process had at most",
		BA_ROLE_VERDICT, .quantity = true},
	[BA_METRIC_TIME] = {"time", "us", "time of an operation, as its program prints it",
		BA_ROLE_VERDICT, .foreign = true},
	[BA_METRIC_CPU_TIME] = {"cpu_time", "us",
		"processor time of an operation, as its program prints it", BA_ROLE_VERDICT,
		.foreign = true},
	[BA_METRIC_GPU_TIME] = {"gpu_time", "us", "time on the GPU, as its program prints it",
		BA_ROLE_VERDICT, .foreign = true},
	[BA_METRIC_VALUE] = {"value", "", "a value that is not a time, as the tool prints it",
		BA_ROLE_VERDICT, .foreign = true},
};

const ba_metric_info *ba_metric_get(ba_metric metric)
{
	return &infos[metric];
}

/* Metrics of launches, for benchmarks that are not launches. */
static const ba_metric_info infos_of_runs[BA_METRIC_COUNT] = {
	[BA_METRIC_HOST] = {"host", "ns/run", "time of one run on the processor, without a GPU",
		BA_ROLE_VERDICT},
	[BA_METRIC_SUBMIT] = {"submit", "us/run",
		"host time of one run that does not wait for its work", BA_ROLE_VERDICT},
	[BA_METRIC_SUSTAINED] = {"sustained", "us/run", "many runs and one synchronisation",
		BA_ROLE_REPORTED},
	[BA_METRIC_ROUNDTRIP] = {"roundtrip", "us/run", "one run and a synchronisation that spins",
		BA_ROLE_REPORTED},
	[BA_METRIC_INSTRUCTIONS] = {"instructions", "", "instructions that one run executes",
		BA_ROLE_REPORTED, .counted = true},
};

const ba_metric_info *ba_metric_of(ba_metric metric, ba_suite_kind kind)
{
	bool other = kind == BA_SUITE_WORKER && infos_of_runs[metric].name;
	return other ? &infos_of_runs[metric] : &infos[metric];
}

ba_time_unit ba_metric_time_unit(const ba_metric_info *info, double ns)
{
	enum { LAUNCHES_IN_NS = 100 * 1000 };
	if (!*info->unit)
		return (ba_time_unit){"", "", 1};
	bool launches = ba_text_ends(info->unit, "/launch");
	return ba_time_unit_of(launches && fabs(ns) < LAUNCHES_IN_NS ? 1 : ns);
}

const char *ba_metric_per_words(const ba_metric_info *info)
{
	return ba_text_ends(info->unit, "/launch") ? " per launch"
	       : ba_text_ends(info->unit, "/run")  ? " per run"
						   : "";
}

int ba_metric_from_name(const char *name)
{
	for (int i = 0; i < BA_METRIC_COUNT; i++)
		if (strcmp(infos[i].name, name) == 0)
			return i;
	return -1;
}

bool ba_metric_is_of(ba_metric metric, ba_suite_kind kind)
{
	bool foreign = kind == BA_SUITE_COMMAND;
	if (infos[metric].counted)
		return !foreign;
	if (infos[metric].quantity)
		return kind == BA_SUITE_WORKER;
	/* a program may measure launches, or runs, or both */
	if (kind == BA_SUITE_WORKER)
		return !infos[metric].foreign && metric != BA_METRIC_FRESH;
	return infos[metric].runs == (kind == BA_SUITE_PLUGIN) && infos[metric].foreign == foreign;
}

bool ba_metric_is_taken(ba_metric metric, ba_suite_kind kind, bool untrusted)
{
	bool fresh = metric == BA_METRIC_FRESH;
	return untrusted && kind == BA_SUITE_PLUGIN ? fresh : !fresh;
}

bool ba_benchmark_has_metric(const ba_benchmark *b, ba_metric metric)
{
	/* on the host target, `submit` is called `host` */
	ba_metric mode = metric == BA_METRIC_HOST ? BA_METRIC_SUBMIT : metric;
	if (!ba_metric_is_of(metric, b->kind))
		return false;
	if (metric == BA_METRIC_GPU_ROTATE && !b->rotates)
		return false;
	bool all = b->metrics == 0 && !infos[metric].quantity;
	return all || b->metrics >> mode & 1;
}

bool ba_benchmark_has_processor_time(const ba_benchmark *b)
{
	return b->kind == BA_SUITE_COMMAND && ba_benchmark_has_metric(b, BA_METRIC_TIME) &&
	       ba_benchmark_has_metric(b, BA_METRIC_CPU_TIME);
}
