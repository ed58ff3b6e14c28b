#include "engine/survey.h"

#include "engine/declared.h"

static void forget_library(ba_variant_facts *f)
{
	for (size_t i = 0; i < f->declared_count; i++)
		ba_declared_dispose(&f->declared[i]);
	free(f->declared);
	f->declared = NULL;
	f->declared_count = 0;
	ba_strv_dispose(&f->paths);
	ba_strv_dispose(&f->objects);
	ba_strv_dispose(&f->sha256);
	ba_strv_dispose(&f->harness);
	ba_strv_dispose(&f->harness_sha256);
}

void ba_survey_dispose(ba_survey *s)
{
	ba_environment_dispose(&s->env);
	ba_strv_dispose(&s->findings);
	for (size_t i = 0; i < s->variant_count; i++) {
		free(s->variants[i].name);
		free(s->variants[i].output);
		forget_library(&s->variants[i]);
	}
	free(s->variants);
	free(s->share_reason);
	free(s->driver_path);
	*s = (ba_survey){0};
}

static void hear_texts(ba_environment *e, const ba_message *m)
{
	const struct {
		const char *key;
		char **field;
	} rows[] = {
		{"target", &e->target},
		{"device_name", &e->device_name},
		{"device_uuid", &e->device_uuid},
		{"compute_capability", &e->compute_capability},
		{"driver_version", &e->driver_version},
		{"cuda_version", &e->cuda_version},
		{"pci_bus_id", &e->pci_bus_id},
		{"ecc", &e->ecc},
		{"mig", &e->mig},
		{"virtualization", &e->virtualization},
		{"host_name", &e->host_name},
		{"cpu_model", &e->cpu_model},
		{"kernel", &e->kernel},
		{"governor", &e->governor},
		{"clocksource", &e->clocksource},
	};
	for (size_t i = 0; i < BA_COUNT(rows); i++) {
		free(*rows[i].field);
		*rows[i].field = ba_xstrdup(ba_message_text(m, rows[i].key));
	}
}

static int64_t number(const ba_message *m, const char *key)
{
	int64_t value = 0;
	ba_message_i64(&value, m, key, NULL);
	return value;
}

static double real(const ba_message *m, const char *key)
{
	double value = 0;
	ba_message_f64(&value, m, key, NULL);
	return value;
}

static void hear_environment(ba_survey *s, const ba_message *m)
{
	ba_environment *e = &s->env;
	hear_texts(e, m);
	e->device_ordinal = (int)number(m, "device_ordinal");
	s->device_count = (int)number(m, "device_count");
	e->sm_count = (int)number(m, "sm_count");
	e->memory_bytes = number(m, "memory_bytes");
	e->sm_clock_mhz = (int)number(m, "sm_clock_mhz");
	e->sm_clock_max_mhz = (int)number(m, "sm_clock_max_mhz");
	e->memory_clock_mhz = (int)number(m, "memory_clock_mhz");
	e->power_watts = real(m, "power_watts");
	e->power_limit_watts = real(m, "power_limit_watts");
	e->temperature_c = (int)number(m, "temperature_c");
	e->other_processes = (int)number(m, "other_processes");
	e->cpus = (int)number(m, "cpus");
	e->pinned_cpu = (int)number(m, "pinned_cpu");
	e->load_average = real(m, "load_average");
	e->timer_read_ns = real(m, "timer_read_ns");
	e->timer_tick_ns = real(m, "timer_tick_ns");
	e->queue_depth = (unsigned)number(m, "queue_depth");
}

/* severity, sentence, remedy; warnings go into the environment too */
static void hear_finding(ba_survey *s, const ba_message *m)
{
	const char *severity = ba_message_text(m, "severity");
	const char *remedy = ba_message_text(m, "remedy");
	BA_AUTO_FREE char *text =
		ba_xprintf("%s%s%s", ba_message_text(m, "text"), *remedy ? " — " : "", remedy);
	BA_AUTO_FREE char *line = ba_xprintf("%s: %s", severity, text);
	ba_strv_push(&s->findings, line);
	if (strcmp(severity, "warn") == 0)
		ba_strv_push(&s->env.warnings, text);
}

static void hear_variant(ba_variant_facts *f, const ba_message *m)
{
	free(f->name);
	forget_library(f);
	f->name = ba_xstrdup(ba_message_text(m, "name"));
	ba_message_texts(&f->paths, m, "paths");
	ba_message_texts(&f->objects, m, "objects");
	ba_message_texts(&f->sha256, m, "sha256");
}

/* The tool's own worker has checked what the variant declares. */
static void hear_benchmark(ba_variant_facts *f, const ba_message *m)
{
	ba_declared d = {0};
	if (ba_declared_of_message(&d, m, NULL))
		return;
	f->declared = ba_xreallocarray(f->declared, f->declared_count + 1, sizeof(*f->declared));
	f->declared[f->declared_count++] = d;
}

void ba_survey_hear(ba_survey *s, const ba_message *m, const size_t *variants, size_t count)
{
	uint64_t local;
	bool known = ba_message_u64(&local, m, "variant", NULL) == 0 && local < count &&
		     variants[local] < s->variant_count;
	if (strcmp(m->type, "environment") == 0)
		hear_environment(s, m);
	else if (strcmp(m->type, "finding") == 0)
		hear_finding(s, m);
	else if (known && strcmp(m->type, "variant") == 0)
		hear_variant(&s->variants[variants[local]], m);
	else if (known && strcmp(m->type, "benchmark") == 0)
		hear_benchmark(&s->variants[variants[local]], m);
}

#define FLUSH_GOOD 0.95
/* if the probe is as fast at first touch as on warm memory, it shows nothing */
#define PROBE_TELLS 1.1

void ba_survey_hear_timing(ba_survey *s, const ba_message *m)
{
	ba_environment *e = &s->env;
	double first = real(m, "probe_first_ns"), hot = real(m, "probe_hot_ns");
	e->event_tick_ns = real(m, "event_tick_ns");
	e->event_pair_ns = real(m, "event_pair_ns");
	e->gpu_timer_ns = real(m, "gpu_timer_ns");
	e->l2_bytes = number(m, "l2_bytes");
	free(e->flush);
	e->flush = ba_xstrdup(ba_message_text(m, "flush"));
	e->flush_ratio = real(m, "flush_ratio");
	if (e->flush_ratio < FLUSH_GOOD)
		ba_strv_push_take(&e->warnings,
			ba_xprintf(
				"flushing the L2 cache does not empty it: afterwards a probe takes %.2f of its time on untouched memory, so gpu_cold and wall_cold are not cold",
				e->flush_ratio));
	else if (first < PROBE_TELLS * hot)
		ba_strv_push_take(&e->warnings,
			ba_xprintf(
				"the flush of the L2 cache cannot be proved here: the probe is as fast on untouched memory (%.1f us) as on warm memory (%.1f us)",
				first / 1e3, hot / 1e3));
}

void ba_environment_take_timing(ba_environment *out, const ba_environment *from)
{
	out->event_tick_ns = from->event_tick_ns;
	out->event_pair_ns = from->event_pair_ns;
	out->gpu_timer_ns = from->gpu_timer_ns;
	out->l2_bytes = from->l2_bytes;
	free(out->flush);
	out->flush = ba_xstrdup(from->flush);
	out->flush_ratio = from->flush_ratio;
	for (size_t i = 0; i < from->warnings.count; i++)
		ba_strv_push(&out->warnings, from->warnings.items[i]);
}

void ba_survey_forget_machine(ba_survey *s)
{
	ba_environment_dispose(&s->env);
	ba_strv_dispose(&s->findings);
}
