#include "model/metric.h"

enum {
	LAUNCHER = 1 << BA_SUITE_LAUNCHER,
	PLUGIN = 1 << BA_SUITE_PLUGIN,
	WORKER = 1 << BA_SUITE_WORKER,
	COMMAND = 1 << BA_SUITE_COMMAND,
};

/* A program may measure launches, runs, or both. If a variant is not trusted, times
 * that a plugin measures itself are not used; `fresh` replaces them. */
#define OF_LAUNCHES .trusted = LAUNCHER | WORKER, .untrusted = LAUNCHER | WORKER
#define OF_RUNS .trusted = PLUGIN | WORKER, .untrusted = WORKER, .gpu = true
#define OF_PROGRAMS \
	.trusted = COMMAND, .untrusted = COMMAND, .gpu = true, .host = true, .foreign = true
#define OF_COUNTS                                                                           \
	.trusted = LAUNCHER | PLUGIN | WORKER, .untrusted = LAUNCHER | WORKER, .gpu = true, \
	.host = true, .counted = true
#define OF_PROCESSES \
	.trusted = WORKER, .untrusted = WORKER, .gpu = true, .host = true, .quantity = true
#define OF_SOME_STARTS(kinds) \
	.trusted = (kinds), .gpu = true, .host = true, .on_request = true, .starts
#define OF_STARTS OF_SOME_STARTS(LAUNCHER | PLUGIN | WORKER)
#define OF_ALL_STARTS OF_SOME_STARTS(LAUNCHER | PLUGIN | WORKER | COMMAND)
static const ba_metric_info infos[BA_METRIC_COUNT] = {
	[BA_METRIC_HOST] = {"host", "ns/launch",
		"the variant's launch code against a driver that returns at once", BA_ROLE_VERDICT,
		OF_LAUNCHES, .host = true, .mode = "submit", .paced = true},
	[BA_METRIC_SUBMIT] = {"submit", "us/launch",
		"host time of one launch while the queue is shallow", BA_ROLE_VERDICT, OF_LAUNCHES,
		.gpu = true, .paced = true},
	[BA_METRIC_SUSTAINED] = {"sustained", "us/launch",
		"many launches and one synchronisation, as most benchmarks measure",
		BA_ROLE_REPORTED, OF_LAUNCHES, .gpu = true},
	[BA_METRIC_ROUNDTRIP] = {"roundtrip", "us/launch",
		"one launch and a synchronisation that spins", BA_ROLE_REPORTED, OF_LAUNCHES,
		.gpu = true},
	[BA_METRIC_GPU_COLD] = {"gpu_cold", "us/run",
		"time on the GPU, with no input in the L2 cache", BA_ROLE_VERDICT, OF_RUNS,
		.on_gpu = true, .cold = true},
	[BA_METRIC_GPU_HOT] = {"gpu_hot", "us/run",
		"time on the GPU, repeated runs on the same memory", BA_ROLE_REPORTED, OF_RUNS,
		.on_gpu = true, .back_to_back = true},
	[BA_METRIC_GPU_ROTATE] = {"gpu_rotate", "us/run",
		"time on the GPU, each run on other inputs", BA_ROLE_REPORTED, OF_RUNS,
		.on_request = true, .on_gpu = true, .back_to_back = true, .rotates = true},
	[BA_METRIC_WALL_COLD] = {"wall_cold", "us/run",
		"from the call to the end of its work, with no input in the L2 cache",
		BA_ROLE_REPORTED, OF_RUNS, .cold = true},
	[BA_METRIC_WALL_HOT] = {"wall_hot", "us/run",
		"from the call to the end of its work, on the host's clock", BA_ROLE_REPORTED,
		OF_RUNS},
	[BA_METRIC_FRESH] = {"fresh", "us/run",
		"time of a run on inputs that it has not seen before, on the host's clock",
		BA_ROLE_VERDICT, .untrusted = PLUGIN | WORKER, .gpu = true, .host = true},
	[BA_METRIC_INSTRUCTIONS] = {"instructions", "",
		"instructions that the launch code executes, without the driver's",
		BA_ROLE_REPORTED, OF_COUNTS},
	[BA_METRIC_TRACKED] = {"tracked", "",
		"a value that the benchmark reports, the smaller the better", BA_ROLE_VERDICT,
		OF_PROCESSES},
	[BA_METRIC_PEAK_MEMORY] = {"peak_memory", "", "bytes of memory that a process had at most",
		BA_ROLE_VERDICT, OF_PROCESSES},
	[BA_METRIC_TIME] = {"time", "us", "time of an operation, as its program prints it",
		BA_ROLE_VERDICT, OF_PROGRAMS},
	[BA_METRIC_CPU_TIME] = {"cpu_time", "us",
		"processor time of an operation, as its program prints it", BA_ROLE_VERDICT,
		OF_PROGRAMS},
	[BA_METRIC_GPU_TIME] = {"gpu_time", "us", "time on the GPU, as its program prints it",
		BA_ROLE_VERDICT, OF_PROGRAMS},
	[BA_METRIC_VALUE] = {"value", "", "a value that is not a time, as the tool prints it",
		BA_ROLE_VERDICT, OF_PROGRAMS},
#define CENSUS(id, name, help)                                                           \
	[BA_METRIC_##id] = {name, "", help, BA_ROLE_REPORTED, OF_COUNTS, .census = true, \
		.on_request = true, .mode = "instructions"},
#include "model/census.def"
#undef CENSUS
	[BA_METRIC_START] = {"start", "us", "from the start of a process until it answers",
		BA_ROLE_VERDICT, OF_STARTS = BA_OF_PROCESS, .cpu = BA_METRIC_START_CPU},
	[BA_METRIC_START_CPU] = {"start_cpu", "us", "processor time of a process until it answers",
		BA_ROLE_REPORTED, OF_STARTS = BA_OF_PROCESS},
	[BA_METRIC_IMPORT] = {"import", "us", "time to load the suite: its modules, or its library",
		BA_ROLE_VERDICT, OF_STARTS = BA_OF_PROCESS, .cpu = BA_METRIC_IMPORT_CPU},
	[BA_METRIC_IMPORT_CPU] = {"import_cpu", "us", "processor time to load the suite",
		BA_ROLE_REPORTED, OF_STARTS = BA_OF_PROCESS},
	[BA_METRIC_FIRST_CALL] = {"first_call", "us",
		"first call in a process until its work is done, with empty caches of compiled code",
		BA_ROLE_VERDICT, OF_ALL_STARTS = BA_OF_CALL, .cpu = BA_METRIC_FIRST_CALL_CPU},
	[BA_METRIC_FIRST_CALL_CPU] = {"first_call_cpu", "us", "processor time of the first call",
		BA_ROLE_REPORTED, OF_ALL_STARTS = BA_OF_CALL},
	[BA_METRIC_FIRST_CALL_CACHED] = {"first_call_cached", "us",
		"first call in a process that finds the compiled code of an earlier one",
		BA_ROLE_VERDICT, OF_ALL_STARTS = BA_OF_CALL | BA_OF_CACHED,
		.cpu = BA_METRIC_FIRST_CALL_CACHED_CPU},
	[BA_METRIC_FIRST_CALL_CACHED_CPU] = {"first_call_cached_cpu", "us",
		"processor time of the first call that finds compiled code", BA_ROLE_REPORTED,
		OF_ALL_STARTS = BA_OF_CALL | BA_OF_CACHED},
	[BA_METRIC_HOST_PEAK] = {"host_peak", "", "bytes of memory that a process had at most",
		BA_ROLE_VERDICT, OF_ALL_STARTS = BA_OF_PROCESS | BA_OF_CALL},
	[BA_METRIC_SIZE] = {"size", "", "bytes of the files that the suite names", BA_ROLE_VERDICT,
		OF_ALL_STARTS = BA_OF_PROCESS, .repeats = true},
	[BA_METRIC_CONTEXT] = {"context", "us",
		"time in the driver to initialise it and its contexts, up to the first call's end",
		BA_ROLE_VERDICT, OF_STARTS = BA_OF_DRIVER},
	[BA_METRIC_LOAD] = {"load", "us",
		"time in the driver to load modules and libraries, up to the first call's end",
		BA_ROLE_VERDICT, OF_STARTS = BA_OF_DRIVER},
	[BA_METRIC_DEVICE_PEAK] = {"device_peak", "",
		"bytes of device memory that a process had at most, up to the first call's end",
		BA_ROLE_VERDICT, OF_STARTS = BA_OF_DRIVER, .repeats = true},
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
	const ba_metric_info *info = BA_FIND(infos, BA_METRIC_COUNT, x, strcmp(x->name, name) == 0);
	return info ? (int)(info - infos) : -1;
}

const char *ba_metric_mode(ba_metric metric)
{
	return infos[metric].mode ? infos[metric].mode : infos[metric].name;
}

bool ba_metric_is_of_runs(ba_metric metric)
{
	return !infos[metric].counted && !infos[metric].starts &&
	       ba_metric_is_of(metric, BA_SUITE_PLUGIN);
}

bool ba_metric_is_time(ba_metric metric)
{
	return *infos[metric].unit;
}

bool ba_metric_repeats(ba_metric metric)
{
	return infos[metric].counted || infos[metric].repeats;
}

bool ba_metric_decides_itself(ba_metric metric)
{
	return infos[metric].foreign || infos[metric].quantity;
}

bool ba_metric_is_of(ba_metric metric, ba_suite_kind kind)
{
	return (infos[metric].trusted | infos[metric].untrusted) >> kind & 1;
}

bool ba_metric_is_taken(ba_metric metric, ba_suite_kind kind, bool untrusted)
{
	return (untrusted ? infos[metric].untrusted : infos[metric].trusted) >> kind & 1;
}

/* ---- lanes ---- */

const char *const ba_lane_words[] = {[BA_LANE_ANY] = "any",
	[BA_LANE_ISOLATED] = "isolated",
	[BA_LANE_UNTRUSTED] = "untrusted",
	NULL};

static const ba_lane_info lanes[BA_LANE_COUNT] = {
	[BA_LANE_ISOLATED] = {"--engine split or --untrusted", "split sequential untrusted"},
	[BA_LANE_UNTRUSTED] = {"--untrusted", "untrusted", .needs_untrusted = true},
};

const ba_lane_info *ba_lane_get(ba_lane lane)
{
	return &lanes[lane];
}

bool ba_lane_accepts(ba_lane lane, const char *engine, bool untrusted)
{
	const ba_lane_info *l = &lanes[lane];
	BA_AUTO(ba_strv) ba_strv engines = {0};
	ba_strv_split(&engines, l->engines ? l->engines : "", ' ');
	return (!l->engines || ba_strv_has(&engines, engine)) && (untrusted || !l->needs_untrusted);
}
