#include "engine/engine.h"
#include "engine/row.h"

#include "proc/usage.h"

#define VALUE_MOST 4e18 /* of ns or bytes, as a whole number */

/* Of the tool's own worker, which inherits the rest of the environment. */
static const char *const caches[][2] = {
	{"CUDA_CACHE_PATH", "cuda"}, {"LAUNCHCFG_CACHE_DIR", "launchcfg"}};

static double cpu_ns(const ba_worker_slot *s)
{
	pid_t pid = (pid_t)ba_link_pid(s->link);
	return (double)(s->spec->sandbox ? ba_usage_box_cpu_ns(pid) : ba_usage_cpu_ns(pid));
}

static double *value_at(ba_worker_slot *s, ba_metric metric)
{
	return &s->starts[metric - BA_METRIC_START];
}

static const char *caches_of(const ba_worker_slot *s)
{
	return s->spec->times_starts && s->spec->caches ? s->spec->caches[s->variants[0]] : NULL;
}

int ba_engine_empty_caches(const char *top, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv names = {0};
	BA_TRY(ba_fs_names(&names, top, err));
	for (size_t i = 0; i < names.count; i++) {
		BA_AUTO_FREE char *dir = ba_path_join(top, names.items[i]);
		BA_TRY(ba_fs_remove_tree(dir, err));
		BA_TRY(ba_fs_mkdirs(dir, err));
	}
	return 0;
}

int ba_start_begin(ba_worker_slot *s, ba_error *err)
{
	const char *top = caches_of(s);
	if (top && !s->spec->keeps_caches)
		BA_TRY(ba_engine_empty_caches(top, err));
	memset(s->starts, 0, sizeof(s->starts));
	s->since_ns = ba_now_ns();
	return 0;
}

void ba_start_environment(ba_strv *out, const ba_worker_slot *s)
{
	const char *top = caches_of(s);
	for (char **e = environ; top && *e; e++)
		if (!BA_ANY(caches, BA_COUNT(caches), c, ba_env_value(*e, (*c)[0])))
			ba_strv_push(out, *e);
	for (size_t i = 0; top && i < BA_COUNT(caches); i++)
		ba_strv_printf(out, "%s=%s/%s", caches[i][0], top, caches[i][1]);
}

void ba_start_ready(ba_worker_slot *s)
{
	int64_t now = ba_link_times_of(s->link).heard_ns;
	*value_at(s, BA_METRIC_START) = (double)(now - s->since_ns);
	*value_at(s, BA_METRIC_START_CPU) = cpu_ns(s);
	s->since_ns = now;
	s->since_cpu_ns = *value_at(s, BA_METRIC_START_CPU);
}

void ba_start_asks(ba_worker_slot *s)
{
	s->since_ns = ba_now_ns();
	s->since_cpu_ns = cpu_ns(s);
}

void ba_start_loaded(ba_worker_slot *s)
{
	int64_t now = ba_link_times_of(s->link).heard_ns;
	double cpu = cpu_ns(s);
	*value_at(s, BA_METRIC_IMPORT) = (double)(now - s->since_ns);
	/* a virtual machine may call all of a short time stolen */
	*value_at(s, BA_METRIC_IMPORT_CPU) = cpu < 0 ? 0 : fmax(cpu - s->since_cpu_ns, 1);
}

void ba_start_called(ba_worker_slot *s, const ba_case_facts *c)
{
	if (*value_at(s, BA_METRIC_FIRST_CALL) > 0)
		return; /* it was prepared again, which is not the first call */
	*value_at(s, BA_METRIC_FIRST_CALL) = c->first_call_ns;
	*value_at(s, BA_METRIC_FIRST_CALL_CACHED) = c->first_call_ns;
	*value_at(s, BA_METRIC_FIRST_CALL_CPU) = c->first_call_cpu_ns;
	*value_at(s, BA_METRIC_FIRST_CALL_CACHED_CPU) = c->first_call_cpu_ns;
	*value_at(s, BA_METRIC_HOST_PEAK) = c->host_peak;
	*value_at(s, BA_METRIC_CONTEXT) = c->context_ns;
	*value_at(s, BA_METRIC_LOAD) = c->load_ns;
	*value_at(s, BA_METRIC_DEVICE_PEAK) = c->device_peak;
}

/* 0: unknown */
static double value_of(ba_worker_slot *s, ba_metric metric)
{
	if (metric == BA_METRIC_SIZE)
		return s->spec->sizes ? (double)s->spec->sizes[s->variants[0]] : 0;
	if (metric == BA_METRIC_HOST_PEAK && !*value_at(s, metric) && !s->spec->sandbox)
		return (double)ba_memory_peak((pid_t)ba_link_pid(s->link));
	return *value_at(s, metric);
}

int ba_start_measure(ba_engine *e, const ba_visits *q, ba_metric metric, ba_failure *f)
{
	ba_samples *s = q->s;
	const char *name = ba_metric_get(metric)->name;
	for (size_t i = 0; i < (size_t)s->blocks * s->positions; i++) {
		double value = value_of(ba_engine_slot_of(e, s->order[i]), metric);
		/* a worker may report anything, or nothing */
		if (!(value >= 1 && value <= VALUE_MOST))
			return ba_failure_blame(f, s->order[i],
				ba_xprintf(
					metric == BA_METRIC_HOST_PEAK && e->spec->sandbox
						? "'%s' of a process in a sandbox is unknown"
						: "its worker does not report '%s', or not as a number from 1 on",
					name));
		for (unsigned k = 0; k < s->readings; k++)
			s->ns[i * s->readings + k] = (uint64_t)llround(value * s->batch);
	}
	return 0;
}
