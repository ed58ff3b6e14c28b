#include "engine/survey.h"

static void forget_library(ba_variant_facts *f)
{
	BA_FREE_ARRAY(ba_declared_dispose, f->declared, f->declared_count);
	f->declared = NULL;
	f->declared_count = f->declared_capacity = 0;
	BA_DISPOSE(ba_strv, &f->paths, &f->objects, &f->sha256, &f->harness, &f->harness_sha256,
		&f->distributions, &f->loads);
}

BA_OWNS(ba_survey, s, ba_environment_dispose(&s->env), ba_strv_dispose(&s->findings),
	BA_FREE_EACH(
		x, s->variants, s->variant_count, BA_FREE(x->name, x->output), forget_library(x)),
	BA_FREE(s->share_reason, s->driver_path))

/* Fields that the messages name as the struct does; a number that is missing is 0. */
typedef struct row {
	const char *key;
	enum { TEXT, INT, LONG, REAL } kind;
	size_t offset;
} row;
#define ROW(kind, field)                                      \
	{                                                     \
#field, kind, offsetof(ba_environment, field) \
	}

static const row environment[] = {ROW(TEXT, target), ROW(TEXT, device_name), ROW(TEXT, device_uuid),
	ROW(TEXT, compute_capability), ROW(TEXT, driver_version), ROW(TEXT, cuda_version),
	ROW(TEXT, pci_bus_id), ROW(TEXT, ecc), ROW(TEXT, mig), ROW(TEXT, virtualization),
	ROW(TEXT, host_name), ROW(TEXT, cpu_model), ROW(TEXT, kernel), ROW(TEXT, governor),
	ROW(TEXT, clocksource), ROW(INT, device_ordinal), ROW(INT, sm_count),
	ROW(LONG, memory_bytes), ROW(INT, sm_clock_mhz), ROW(INT, sm_clock_max_mhz),
	ROW(INT, memory_clock_mhz), ROW(REAL, power_watts), ROW(REAL, power_limit_watts),
	ROW(INT, temperature_c), ROW(INT, other_processes), ROW(INT, cpus), ROW(INT, pinned_cpu),
	ROW(REAL, load_average), ROW(REAL, timer_read_ns), ROW(REAL, timer_tick_ns),
	ROW(INT, queue_depth)};
static const row timing[] = {ROW(REAL, event_tick_ns), ROW(REAL, event_pair_ns),
	ROW(REAL, gpu_timer_ns), ROW(LONG, l2_bytes), ROW(TEXT, flush), ROW(REAL, flush_ratio)};

static double real(const ba_message *m, const char *key)
{
	double value = 0;
	ba_message_f64(&value, m, key, NULL);
	return value;
}

static void hear_rows(ba_environment *e, const row *rows, size_t count, const ba_message *m)
{
	for (size_t i = 0; i < count; i++) {
		void *field = (char *)e + rows[i].offset;
		int64_t number = 0;
		if (rows[i].kind == TEXT) {
			ba_text_replace(field, ba_message_text(m, rows[i].key));
			continue;
		}
		ba_message_i64(&number, m, rows[i].key, NULL);
		if (rows[i].kind == REAL)
			*(double *)field = real(m, rows[i].key);
		else if (rows[i].kind == LONG)
			*(int64_t *)field = number;
		else
			*(int *)field = (int)number;
	}
}

static void hear_environment(ba_survey *s, const ba_message *m)
{
	int64_t devices = 0;
	hear_rows(&s->env, environment, BA_COUNT(environment), m);
	ba_message_i64(&devices, m, "device_count", NULL);
	s->device_count = (int)devices;
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

static int read_axes(ba_declared *d, const ba_message *m, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv names = {0}, kinds = {0}, values = {0};
	ba_message_texts(&names, m, "axes");
	ba_message_texts(&kinds, m, "kinds");
	ba_message_texts(&values, m, "values");
	BA_AUTO_FREE uint64_t *counts = ba_xcalloc(names.count + 1, sizeof(*counts));
	int rc = ba_message_u64s(counts, names.count, m, "value_counts", err);
	size_t next = 0;
	if (rc == 0 && kinds.count != names.count)
		rc = ba_fail(err, BA_EPROTOCOL, "message 'benchmark': %zu axes and %zu kinds",
			names.count, kinds.count);
	d->axes = ba_xcalloc(names.count + 1, sizeof(*d->axes));
	for (size_t i = 0; rc == 0 && i < names.count; i++) {
		ba_declared_axis *axis = &d->axes[d->axis_count++];
		int kind = ba_axis_kind_from_name(kinds.items[i]);
		axis->name = ba_xstrdup(names.items[i]);
		/* axes of an unknown kind accept only the listed values */
		axis->kind = kind < 0 ? BA_AXIS_TEXT : (ba_axis_kind)kind;
		if (counts[i] > values.count - next)
			return ba_fail(err, BA_EPROTOCOL,
				"message 'benchmark': fewer values than value_counts says");
		for (uint64_t k = 0; k < counts[i]; k++)
			ba_strv_push(&axis->values, values.items[next++]);
	}
	if (rc == 0 && next != values.count)
		rc = ba_fail(err, BA_EPROTOCOL,
			"message 'benchmark': more values than value_counts says");
	return rc;
}

static int read_declared(ba_declared *out, const ba_message *m, ba_error *err)
{
	BA_AUTO(ba_declared)
	ba_declared d = {.name = ba_xstrdup(ba_message_text(m, "name")),
		.help = ba_xstrdup(ba_message_text(m, "help")),
		.rotates = ba_message_bool(m, "rotates"),
		.weighs = ba_message_bool(m, "weighs"),
		.checks = ba_message_bool(m, "checks"),
		.gpu = ba_message_bool(m, "gpu")};
	ba_message_texts(&d.points, m, "points");
	ba_message_texts(&d.modes, m, "modes");
	BA_TRY(read_axes(&d, m, err));
	*out = BA_MOVE(d);
	return 0;
}

int ba_variant_facts_declare(ba_variant_facts *f, const ba_message *m, ba_error *err)
{
	ba_declared d = {0};
	BA_TRY(read_declared(&d, m, err));
	*BA_PUSH(f->declared, f->declared_count, f->declared_capacity) = d;
	return 0;
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
		/* the tool's own worker has checked it */
		ba_variant_facts_declare(&s->variants[variants[local]], m, NULL);
}

#define FLUSH_GOOD 0.95
/* if the probe is as fast at first touch as on warm memory, it shows nothing */
#define PROBE_TELLS 1.1

void ba_survey_hear_timing(ba_survey *s, const ba_message *m)
{
	ba_environment *e = &s->env;
	double first = real(m, "probe_first_ns"), hot = real(m, "probe_hot_ns");
	hear_rows(e, timing, BA_COUNT(timing), m);
	if (e->flush_ratio < FLUSH_GOOD)
		ba_strv_printf(&e->warnings,
			"flushing the L2 cache does not empty it: afterwards a probe takes %.2f of its time on untouched memory, so gpu_cold and wall_cold are not cold",
			e->flush_ratio);
	else if (first < PROBE_TELLS * hot)
		ba_strv_printf(&e->warnings,
			"the flush of the L2 cache cannot be proved here: the probe is as fast on untouched memory (%.1f us) as on warm memory (%.1f us)",
			first / 1e3, hot / 1e3);
}

void ba_environment_take_timing(ba_environment *out, const ba_environment *from)
{
	out->event_tick_ns = from->event_tick_ns;
	out->event_pair_ns = from->event_pair_ns;
	out->gpu_timer_ns = from->gpu_timer_ns;
	out->l2_bytes = from->l2_bytes;
	ba_text_replace(&out->flush, from->flush);
	out->flush_ratio = from->flush_ratio;
	ba_strv_copy(&out->warnings, &from->warnings);
}

void ba_survey_forget_machine(ba_survey *s)
{
	ba_environment_dispose(&s->env);
	ba_strv_dispose(&s->findings);
}
