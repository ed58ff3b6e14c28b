#include "worker/plugin.h"

#include "base/parse.h"
#include "gpu/ceiling.h"
#include "worker/worker.h"

#define NAME_MOST 64u
#define VALUES_MOST 4096u
#define AXES_MOST 32u

static const char name_letters[] =
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

const ba_suite_benchmark *ba_plugin_benchmark(const ba_suite *s, size_t index)
{
	return &s->benchmarks[index]; /* a copy of ours: library.c */
}

/* ---- the table ---- */

static bool is_word(const char *text, const char *more)
{
	size_t n = text ? strlen(text) : 0;
	for (size_t i = 0; i < n; i++)
		if (!strchr(name_letters, text[i]) && !strchr(more, text[i]))
			return false;
	return n > 0 && n <= NAME_MOST;
}

bool ba_plugin_integer(int64_t *out, const char *text)
{
	bool minus = text[0] == '-';
	uint64_t n;
	if (ba_parse_u64(&n, text + minus, 0, INT64_MAX, "", NULL))
		return false;
	*out = minus ? -(int64_t)n : (int64_t)n;
	return true;
}

static bool is_value(const ba_suite_axis *a, const char *text)
{
	int64_t integer;
	double real;
	if (!is_word(text, "._+-"))
		return false;
	if (a->kind == BA_SUITE_INTEGER)
		return ba_plugin_integer(&integer, text);
	return a->kind != BA_SUITE_REAL || ba_parse_f64(&real, text, -1e300, 1e300, "", NULL) == 0;
}

static char *axis_fault(const ba_suite_benchmark *b, uint32_t index)
{
	const ba_suite_axis *a = &b->axes[index];
	if (!is_word(a->name, ""))
		return ba_xprintf(
			"axis %u of benchmark '%s' has no name of 1 to %u letters, digits and '_'",
			index, b->name, NAME_MOST);
	for (uint32_t i = 0; i < index; i++)
		if (strcmp(b->axes[i].name, a->name) == 0)
			return ba_xprintf(
				"benchmark '%s' has two axes called '%s'", b->name, a->name);
	if (a->kind > BA_SUITE_TYPE)
		return ba_xprintf(
			"axis '%s' of benchmark '%s' is of an unknown kind", a->name, b->name);
	if (!a->values || !a->values[0])
		return ba_xprintf("axis '%s' of benchmark '%s' has no values", a->name, b->name);
	for (size_t i = 0; a->values[i]; i++) {
		BA_AUTO_FREE char *safe = ba_text_safe(a->values[i]);
		if (i >= VALUES_MOST)
			return ba_xprintf("axis '%s' of benchmark '%s' has more than %u values",
				a->name, b->name, VALUES_MOST);
		if (!is_value(a, a->values[i]))
			return ba_xprintf(
				"'%s' is not a value for axis '%s' of benchmark '%s': letters, digits and . _ + -, and a number where the axis has numbers",
				safe, a->name, b->name);
	}
	return NULL;
}

static const ba_suite_axis *axis_called(const ba_suite_benchmark *b, const char *name, size_t n)
{
	for (uint32_t i = 0; i < b->axis_count; i++)
		if (strlen(b->axes[i].name) == n && strncmp(b->axes[i].name, name, n) == 0)
			return &b->axes[i];
	return NULL;
}

/* "B=32,H=8": axes that there are, and values for them; all points tie the same */
static char *point_fault(const ba_suite_benchmark *b, const char *point)
{
	BA_AUTO(ba_strv) ba_strv parts = {0};
	BA_AUTO_FREE char *safe = ba_text_safe(point);
	ba_strv_split(&parts, point, ',');
	for (size_t i = 0; i < parts.count; i++) {
		const char *equals = strchr(parts.items[i], '=');
		const ba_suite_axis *a =
			equals ? axis_called(b, parts.items[i], (size_t)(equals - parts.items[i]))
			       : NULL;
		if (!a || !is_value(a, equals + 1))
			return ba_xprintf(
				"point '%s' of benchmark '%s': '%s' is not an axis with a value",
				safe, b->name, parts.items[i]);
	}
	BA_AUTO(ba_strv) ba_strv first = {0};
	ba_strv_split(&first, b->points[0], ',');
	bool same = parts.count == first.count && parts.count > 0;
	for (size_t i = 0; same && i < first.count; i++)
		same = strncmp(first.items[i], parts.items[i], strcspn(first.items[i], "=") + 1) ==
		       0;
	return same ? NULL
		    : ba_xprintf(
			      "point '%s' of benchmark '%s' does not name the axes of the first one, in their order",
			      safe, b->name);
}

static char *benchmark_fault(const ba_suite *s, uint32_t index)
{
	const ba_suite_benchmark *b = ba_plugin_benchmark(s, index);
	if (!is_word(b->name, "._+-"))
		return ba_xprintf("benchmark %u has no name of 1 to %u letters, digits and . _ + -",
			index, NAME_MOST);
	for (uint32_t i = 0; i < index; i++)
		if (strcmp(ba_plugin_benchmark(s, i)->name, b->name) == 0)
			return ba_xprintf("two benchmarks are called '%s'", b->name);
	if (!b->setup || !b->run || !b->teardown)
		return ba_xprintf(
			"benchmark '%s' has a function that is NULL: setup, run and teardown must be there",
			b->name);
	if (b->axis_count > AXES_MOST || (b->axis_count && !b->axes))
		return ba_xprintf("benchmark '%s' has %u axes and names %s; 0 to %u are allowed",
			b->name, b->axis_count, b->axes ? "too many" : "none", AXES_MOST);
	for (uint32_t i = 0; i < b->axis_count; i++) {
		char *fault = axis_fault(b, i);
		if (fault)
			return fault;
	}
	for (size_t i = 0; b->points && b->points[i]; i++) {
		char *fault = point_fault(b, b->points[i]);
		if (fault)
			return fault;
	}
	return NULL;
}

char *ba_plugin_table_fault(const ba_suite *s)
{
	if (!s->open || !s->close || !s->last_error)
		return ba_xstrdup("its table has a function that is NULL");
	if (!s->name || !s->benchmarks || s->benchmark_count == 0)
		return ba_xstrdup("its table has no benchmark");
	for (uint32_t i = 0; i < s->benchmark_count; i++) {
		char *fault = benchmark_fault(s, i);
		if (fault)
			return fault;
	}
	return NULL;
}

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
	uint64_t counts[AXES_MOST] = {0};
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
			say_benchmark(w, v, ba_plugin_benchmark(s, i));
	}
}

/* ---- what measuring stands on ---- */

int ba_plugin_get_ready(ba_worker *w, ba_error *err)
{
	ba_plugin_state *p = &w->plugin;
	if (p->ready)
		return 0;
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_DRIVER);
	int rc = ba_stopwatch_open(&p->watch, &w->driver, err);
	rc = rc ? rc : ba_flusher_open(&p->flusher, &w->device, p->flush, err);
	if (rc)
		return rc;
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
