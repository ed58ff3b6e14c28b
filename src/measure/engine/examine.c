/* What a worker reports about the machine, for callers that do not measure with it:
 * `doctor`, the survey of a suite of programs, the ceilings, the watch over the clock. */

#include "engine/engine.h"
#include "engine/row.h"

/* ---- the device code of a case, as its worker reports it ---- */

enum { FIGURES = 17 }; /* numbers of a kernel, in the order of its struct */

static void take_text(char out[65], const ba_message *m, const char *key)
{
	snprintf(out, 65, "%s", ba_message_text(m, key));
}

static void hear_kernels(ba_device_code *c, const ba_message *m)
{
	BA_AUTO(ba_strv) ba_strv names = {0}, codes = {0};
	ba_message_texts(&names, m, "kernels");
	ba_message_texts(&codes, m, "codes");
	BA_AUTO_FREE uint64_t *figures = ba_xcalloc(names.count + 1, FIGURES * sizeof(*figures));
	if (codes.count != names.count ||
		ba_message_u64s(figures, names.count * FIGURES, m, "figures", NULL))
		return;
	for (size_t i = 0; i < names.count; i++) {
		const uint64_t *f = figures + i * FIGURES;
		ba_kernel *k = ba_device_code_add(c);
		unsigned *const slots[FIGURES] = {NULL, &k->grid_x, &k->grid_y, &k->grid_z,
			&k->block_x, &k->block_y, &k->block_z, &k->dynamic_shared_bytes,
			&k->registers, &k->shared_bytes, &k->local_bytes, &k->constant_bytes,
			&k->max_threads, &k->binary_version, &k->ptx_version, NULL, NULL};
		k->name = ba_text_safe(names.items[i]);
		k->launches = f[0];
		k->code_bytes = f[15];
		k->symbol = f[16];
		snprintf(k->sha256, sizeof(k->sha256), "%s", codes.items[i]);
		for (size_t n = 0; n < FIGURES; n++)
			if (slots[n])
				*slots[n] = (unsigned)f[n];
	}
}

static int hear_code(
	void *data, const ba_message *m, const size_t *variants, size_t n, ba_error *err)
{
	ba_device_code *c = data;
	if (strcmp(m->type, "code") != 0)
		return 0;
	const char *reason = ba_message_text(m, "reason");
	ba_device_code_dispose(c);
	c->reason = *reason ? ba_text_safe(reason) : NULL;
	take_text(c->code_sha256, m, "code");
	take_text(c->work_sha256, m, "work");
	take_text(c->memory_sha256, m, "memory");
	hear_kernels(c, m);
	return 0;
}

int ba_engine_inspect(ba_engine *e, const char *folder, ba_device_code *out, ba_failure *f)
{
	BA_AUTO(ba_message) ba_message reply = {0};
	return ba_worker_slot_request(&e->slots[0], "inspect",
		BA_SAYS(BA_SAY_TEXT("folder", folder)), "inspected", &reply,
		(ba_hearer){hear_code, out}, f);
}

/* ---- the machine ---- */

/* Starts a worker that belongs to no variant. end_worker returns rc. */
static int start_worker(ba_worker_slot *s, const ba_engine_spec *spec, ba_error *err)
{
	s->spec = spec;
	const ba_link_spec link = {.worker = spec->worker,
		.name = "worker",
		.idle_limit_ns = spec->idle_limit_ns,
		.stop = spec->stop};
	return ba_link_start(&s->link, &link, err);
}

static int end_worker(ba_worker_slot *s, int rc)
{
	if (rc == 0)
		ba_link_close(s->link);
	ba_link_free(s->link);
	return rc;
}

int ba_engine_look(ba_survey *survey, const ba_engine_spec *spec, ba_error *err)
{
	ba_worker_slot s = {0};
	BA_AUTO(ba_failure) ba_failure f = {.err = err};
	int rc = start_worker(&s, spec, err);
	rc = rc ? rc : ba_worker_slot_open_device(&s, survey, &f);
	rc = rc ? rc : ba_worker_slot_ask(&s, "survey", "surveyed", survey, &f);
	return end_worker(&s, rc);
}

int ba_engine_examine(
	ba_survey *survey, unsigned *refusals, const ba_engine_spec *spec, ba_error *err)
{
	ba_worker_slot s = {0};
	BA_AUTO(ba_failure) ba_failure f = {.err = err};
	BA_AUTO(ba_message) ba_message reply = {0};
	int rc = start_worker(&s, spec, err);
	rc = rc ? rc
		: ba_worker_slot_request(&s, "examine", BA_SAYS(BA_SAY_I64("device", spec->device)),
			  "examined", &reply, ba_survey_hearer(survey), &f);
	uint64_t count = 0, devices = 0;
	rc = rc ? rc : ba_message_u64(&count, &reply, "refusals", err);
	rc = rc ? rc : ba_message_u64(&devices, &reply, "device_count", err);
	*refusals = (unsigned)count;
	survey->device_count = (int)devices;
	return end_worker(&s, rc);
}

static int survey_timing(ba_worker_slot *s, ba_survey *survey, ba_failure *f)
{
	BA_AUTO(ba_message) ba_message reply = {0};
	BA_TRY(ba_worker_slot_request(s, "timing", NULL, 0, "timing", &reply, (ba_hearer){0}, f));
	ba_survey_hear_timing(survey, &reply);
	return 0;
}

/* Are GPU timing values still unknown? */
static bool wants_timing(const ba_engine_spec *spec, const ba_survey *survey)
{
	return strcmp(spec->target, "host") != 0 && !(survey->env.event_tick_ns > 0);
}

int ba_survey_for_programs(const ba_engine_spec *spec, ba_survey *survey, ba_failure *f)
{
	ba_worker_slot s = {0};
	if (survey->machine_known && !wants_timing(spec, survey))
		return 0;
	int rc = start_worker(&s, spec, f->err);
	rc = rc ? rc : ba_worker_slot_open_device(&s, survey, f);
	if (rc == 0 && !survey->machine_known)
		rc = ba_worker_slot_ask(&s, "survey", "surveyed", survey, f);
	if (rc == 0 && wants_timing(spec, survey))
		rc = survey_timing(&s, survey, f);
	return end_worker(&s, rc);
}

int ba_survey_benchmarks(ba_worker_slot *s, ba_survey *survey, ba_failure *f)
{
	int rc = ba_worker_slot_ask(s, "list", "listed", survey, f);
	if (rc == 0 && wants_timing(s->spec, survey))
		rc = survey_timing(s, survey, f);
	return rc;
}

int ba_engine_ceilings(ba_environment *env, const ba_engine_spec *spec, ba_error *err)
{
	ba_worker_slot s = {0};
	BA_AUTO(ba_failure) ba_failure f = {.err = err};
	BA_AUTO(ba_message) ba_message reply = {0};
	int rc = start_worker(&s, spec, err);
	rc = rc ? rc : ba_worker_slot_open_device(&s, NULL, &f);
	rc = rc ? rc : ba_worker_slot_ask(&s, "warm", "warm", NULL, &f);
	rc = rc ? rc
		: ba_worker_slot_request(
			  &s, "ceilings", NULL, 0, "ceilings", &reply, (ba_hearer){0}, &f);
	rc = rc ? rc : ba_message_f64(&env->copy_gb_per_s, &reply, "copy_gb_per_s", err);
	rc = rc ? rc : ba_message_f64(&env->matrix_gflop_per_s, &reply, "matrix_gflop_per_s", err);
	return end_worker(&s, rc);
}

struct ba_gpu_watch {
	ba_worker_slot slot; /* link NULL: not started, or gone */
	bool started;
};

ba_gpu_watch *ba_gpu_watch_new(const ba_engine_spec *spec)
{
	ba_gpu_watch *w = ba_xcalloc(1, sizeof(*w));
	w->slot.spec = spec;
	return w;
}

BA_OWNS_HANDLE(ba_gpu_watch, w, ba_link_free(w->slot.link))

int ba_gpu_watch_ask(ba_gpu_watch_report *out, ba_gpu_watch *w, ba_error *err)
{
	const ba_engine_spec *spec = w->slot.spec;
	BA_AUTO(ba_failure) ba_failure f = {.err = err};
	BA_AUTO(ba_message) ba_message reply = {0};
	*out = (ba_gpu_watch_report){.others = -1};
	if (w->started && !w->slot.link)
		return 0;
	int rc = w->started ? 0 : start_worker(&w->slot, spec, err);
	w->started = true;
	rc = rc ? rc
		: ba_worker_slot_request(&w->slot, "watch",
			  BA_SAYS(BA_SAY_TEXT("target", spec->target),
				  BA_SAY_TEXT("pci_bus_id", spec->pci_bus_id)),
			  "watched", &reply, (ba_hearer){0}, &f);
	if (rc == BA_EINTERRUPTED)
		return rc;
	if (rc) {
		ba_log_printf(spec->log, BA_LOG_WARNING,
			"cannot tell whether something holds the GPU's clock down: %s", err->text);
		ba_link_free(w->slot.link);
		w->slot.link = NULL;
		return 0;
	}
	const char *unfit = ba_message_text(&reply, "unfit_text");
	int64_t others = -1;
	ba_message_i64(&others, &reply, "others", NULL);
	out->others = (int)others;
	out->known = ba_message_bool(&reply, "known");
	ba_message_u64(&out->events, &reply, "clock_events", NULL);
	out->unfit = *unfit ? ba_text_safe(unfit) : NULL;
	return 0;
}
