/* A variant's suite: opened, listed, closed; and the tools that measure all suites. */
#include "gpu/ceiling.h"
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
	BA_AUTO(ba_strv) ba_strv axes = {0};
	BA_AUTO(ba_strv) ba_strv axis_kinds = {0};
	BA_AUTO(ba_strv) ba_strv values = {0};
	BA_AUTO(ba_strv) ba_strv points = {0};
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
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	ba_message_begin(&m, "benchmark");
	ba_message_put_u64(&m, "variant", variant);
	ba_message_put_text(&m, "name", b->name);
	ba_message_put_text(&m, "help", help);
	ba_message_put_bool(&m, "rotates", b->rotates != 0);
	ba_message_put_bool(&m, "checks", b->check != NULL);
	ba_message_put_texts(&m, "axes", (const char *const *)axes.items, axes.count);
	ba_message_put_texts(&m, "kinds", (const char *const *)axis_kinds.items, axis_kinds.count);
	ba_message_put_u64s(&m, "value_counts", counts, b->axis_count);
	ba_message_put_texts(&m, "values", (const char *const *)values.items, values.count);
	ba_message_put_texts(&m, "points", (const char *const *)points.items, points.count);
	ba_worker_send(w, &m);
}

void ba_plugin_list(ba_worker *w)
{
	for (size_t v = 0; v < w->lib_count; v++) {
		const ba_suite *s = w->libs[v].ready ? w->libs[v].suite : NULL;
		for (uint32_t i = 0; s && i < s->benchmark_count; i++)
			say_benchmark(w, v, &s->benchmarks[i]);
	}
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

int ba_plugin_say_timing(ba_worker *w, ba_error *err)
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
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	ba_message_begin(&m, "timing");
	ba_message_put_f64(&m, "event_tick_ns", events.tick_ns);
	ba_message_put_f64(&m, "event_pair_ns", events.pair_ns);
	ba_message_put_f64(&m, "gpu_timer_ns", events.timer_ns);
	ba_message_put_i64(&m, "l2_bytes", w->device.l2_bytes);
	ba_message_put_text(&m, "flush", ba_flush_names[p->flush]);
	ba_message_put_f64(&m, "flush_ratio", proof.ratio);
	ba_message_put_f64(&m, "probe_first_ns", proof.first_ns);
	ba_message_put_f64(&m, "probe_hot_ns", proof.hot_ns);
	ba_worker_send(w, &m);
	return 0;
}

int ba_plugin_say_ceilings(ba_worker *w, ba_error *err)
{
	ba_ceilings c = {0};
	int rc = ba_plugin_get_ready(w, err);
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_DRIVER);
	rc = rc ? rc : ba_ceilings_measure(&c, &w->device, &w->plugin.watch, w->stream, err);
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
	if (rc)
		return rc;
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	ba_message_begin(&m, "ceilings");
	ba_message_put_f64(&m, "copy_gb_per_s", c.copy_gb_per_s);
	ba_message_put_f64(&m, "matrix_gflop_per_s", c.matrix_gflop_per_s);
	ba_worker_send(w, &m);
	return 0;
}

void ba_plugin_end(ba_worker *w)
{
	ba_plugin_state *p = &w->plugin;
	ba_stopwatch_close(&p->watch);
	ba_flusher_close(&p->flusher);
	ba_clock_watch_close(&p->clocks);
	*p = (ba_plugin_state){0};
}
