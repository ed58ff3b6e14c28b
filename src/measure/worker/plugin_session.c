/* A variant's suite: opened, listed, closed; and the tools that measure all suites. */
#include "worker/worker.h"

/* ---- sessions ---- */

int ba_plugin_open(ba_worker *w, size_t variant, ba_error *err)
{
	ba_library *lib = &w->libs[variant];
	/* the host target executes nothing: the table is all that it can show */
	if (w->target == BA_TARGET_HOST)
		return 0;
	ba_worker_enter(w, (int)variant, BA_PHASE_OPEN);
	int rc = lib->suite->open(&lib->suite_session, ba_plugin_host(w));
	if (rc) {
		lib->suite_session = NULL;
		const char *why = lib->suite->last_error(NULL);
		BA_AUTO_FREE char *safe = ba_text_safe(why ? why : "");
		return ba_fail(
			err, BA_EVARIANT, "open() returned %d%s%s", rc, *safe ? ": " : "", safe);
	}
	return ba_worker_check_context(w, "open()", err);
}

void ba_plugin_close(ba_worker *w, size_t variant)
{
	ba_library *lib = &w->libs[variant];
	ba_worker_enter(w, (int)variant, BA_PHASE_CLOSE);
	lib->suite->close(lib->suite_session);
	lib->suite_session = NULL;
}

/* ---- the list of benchmarks ---- */

static void say_benchmark(const ba_worker *w, size_t variant, const ba_suite_benchmark *b)
{
	static const char *const kinds[] = {[BA_SUITE_INTEGER] = "integer",
		[BA_SUITE_REAL] = "real",
		[BA_SUITE_TEXT] = "text",
		[BA_SUITE_TYPE] = "type"};
	BA_AUTO(ba_strv) ba_strv axes = {0}, axis_kinds = {0}, values = {0}, points = {0};
	uint64_t counts[BA_PLUGIN_AXES_MOST] = {0};
	for (uint32_t i = 0; i < b->axis_count; i++) {
		ba_strv_push(&axes, b->axes[i].name);
		ba_strv_push(&axis_kinds, kinds[b->axes[i].kind]);
		for (; b->axes[i].values[counts[i]]; counts[i]++)
			ba_strv_push(&values, b->axes[i].values[counts[i]]);
	}
	for (size_t i = 0; b->points && b->points[i]; i++)
		ba_strv_push(&points, b->points[i]);
	BA_AUTO_FREE char *help = ba_text_safe(b->help ? b->help : "");
	BA_REPLY(w, "benchmark", BA_SAY_U64("variant", variant), BA_SAY_TEXT("name", b->name),
		BA_SAY_TEXT("help", help), BA_SAY_BOOL("rotates", b->rotates != 0),
		BA_SAY_BOOL("checks", b->check != NULL), BA_SAY_TEXTS("axes", axes),
		BA_SAY_TEXTS("kinds", axis_kinds),
		BA_SAY_U64S("value_counts", counts, b->axis_count), BA_SAY_TEXTS("values", values),
		BA_SAY_TEXTS("points", points));
}

int ba_plugin_list(ba_worker *w, const ba_message *m, ba_error *err)
{
	for (size_t v = 0; v < w->lib_count; v++) {
		const ba_suite *s = w->libs[v].ready ? w->libs[v].suite : NULL;
		for (uint32_t i = 0; s && i < s->benchmark_count; i++)
			say_benchmark(w, v, &s->benchmarks[i]);
	}
	return 0;
}

/* ---- what measuring stands on ---- */

int ba_plugin_get_ready(ba_worker *w, ba_error *err)
{
	ba_plugin_state *p = &w->plugin;
	if (p->ready)
		return 0;
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_DRIVER);
	BA_TRY(ba_stopwatch_open(&p->watch, &w->driver, err));
	BA_TRY(ba_flusher_open(&p->flusher, &w->device, p->flush, err));
	ba_clock_watch_open(&p->clocks, w->device.pci_bus_id, w->target == BA_TARGET_FAKE);
	p->ready = true;
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
	return 0;
}

int ba_plugin_say_timing(ba_worker *w, const ba_message *m, ba_error *err)
{
	ba_plugin_state *p = &w->plugin;
	ba_event_facts events = {0};
	ba_flush_proof proof = {0};
	int rc = ba_plugin_get_ready(w, err);
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_DRIVER);
	rc = rc ? rc : ba_event_calibrate(&events, &p->watch, w->stream, err);
	rc = rc ? rc : ba_flush_prove(&proof, &p->flusher, &p->watch, &w->device, w->stream, err);
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
	if (rc)
		return rc;
	BA_REPLY(w, "timing", BA_SAY_F64("event_tick_ns", events.tick_ns),
		BA_SAY_F64("event_pair_ns", events.pair_ns),
		BA_SAY_F64("gpu_timer_ns", events.timer_ns),
		BA_SAY_I64("l2_bytes", w->device.l2_bytes),
		BA_SAY_TEXT("flush", ba_flush_names[p->flush]),
		BA_SAY_F64("flush_ratio", proof.ratio),
		BA_SAY_F64("probe_first_ns", proof.first_ns),
		BA_SAY_F64("probe_hot_ns", proof.hot_ns));
	return 0;
}

int ba_plugin_say_ceilings(ba_worker *w, const ba_message *m, ba_error *err)
{
	ba_ceilings c = {0};
	int rc = ba_plugin_get_ready(w, err);
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_DRIVER);
	rc = rc ? rc : ba_ceilings_measure(&c, &w->device, &w->plugin.watch, w->stream, err);
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
	if (rc == 0)
		BA_REPLY(w, "ceilings", BA_SAY_F64("copy_gb_per_s", c.copy_gb_per_s),
			BA_SAY_F64("matrix_gflop_per_s", c.matrix_gflop_per_s));
	return rc;
}

void ba_plugin_end(ba_worker *w)
{
	ba_plugin_state *p = &w->plugin;
	ba_stopwatch_close(&p->watch);
	ba_flusher_close(&p->flusher);
	ba_clock_watch_close(&p->clocks);
	*p = (ba_plugin_state){0};
}
