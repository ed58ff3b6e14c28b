#include "worker/inspect.h"

#include "worker/worker.h"

BA_OWNS_HERE(ba_inspection, x, BA_FREE_EACH(k, x->kernels, x->kernel_count, free(k->name)),
	BA_FREE(x->allocations, x->variables))

static ba_inspection begin(const ba_worker *w)
{
	ba_inspection x = {
		.driver = &w->driver, .arch = w->device.cc_major * 10 + w->device.cc_minor};
	ba_sha256_init(&x.code);
	ba_sha256_init(&x.work);
	return x;
}

static int check_driver(const ba_driver *d, ba_error *err)
{
	bool all = d->stream_begin_capture && d->stream_end_capture && d->graph_get_nodes &&
		   d->graph_get_edges && d->graph_node_get_type &&
		   d->graph_kernel_node_get_params && d->graph_kernel_node_get_attribute &&
		   d->graph_memcpy_node_get_params && d->graph_memset_node_get_params &&
		   d->graph_child_get_graph && d->graph_destroy && d->func_get_module &&
		   d->func_get_name && d->func_get_param_info && d->mem_get_address_range &&
		   d->pointer_get_attribute;
	return all ? 0 : ba_fail(err, BA_EUNSUPPORTED, "this needs a driver of CUDA 12.4 or newer");
}

/* ---- one capture ---- */

/* run() between the two calls: nothing is executed. */
static int capture(cu_graph *out, ba_worker *w, ba_plugin_case *c, unsigned set, uint64_t *launched,
	ba_error *err)
{
	const ba_driver *drv = &w->driver;
	cu_graph graph = NULL;
	cu_result r = drv->stream_begin_capture(c->stream, BA_CU_CAPTURE_GLOBAL);
	if (r)
		return ba_fail(err, BA_EUNSUPPORTED, "its stream cannot be captured: %s",
			ba_driver_result_name(drv, r));
	uint64_t before = ba_images_launches();
	ba_worker_enter(w, c->variant, BA_PHASE_RUN);
	int rc = ba_plugin_run(w, c, set);
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
	*launched = ba_images_launches() - before;
	r = drv->stream_end_capture(c->stream, &graph);
	if (r == 0 && rc == 0 && graph) {
		*out = graph;
		return 0;
	}
	if (graph)
		drv->graph_destroy(graph);
	if (ba_plugin_called(w, c, "run()", rc, 0, err)) {
		ba_fail_context(err, "run() cannot be captured");
		return ba_error_as(err, BA_EUNSUPPORTED);
	}
	return ba_fail(err, BA_EUNSUPPORTED, "run() cannot be captured: %s",
		ba_driver_result_name(drv, r ? r : BA_CU_UNKNOWN));
}

/* Every set of inputs, one after the other. */
static int look(ba_inspection *x, ba_worker *w, ba_plugin_case *c, ba_error *err)
{
	for (unsigned set = 0; set < c->sets; set++) {
		cu_graph graph = NULL;
		uint64_t launched = 0, before = x->launches;
		BA_TRY(capture(&graph, w, c, set, &launched, err));
		size_t nodes = x->nodes;
		int rc = ba_inspect_graph(x, graph, err);
		w->driver.graph_destroy(graph);
		if (rc)
			return rc;
		/* graphs of its own are launched without launches */
		if (launched > x->launches - before)
			return ba_fail(err, BA_EUNSUPPORTED,
				"run() launches kernels outside of its stream");
		if (x->nodes == nodes)
			return ba_fail(err, BA_EUNSUPPORTED, "run() puts nothing into its stream");
	}
	return 0;
}

/* Twice, since it must be the same each time. */
static int look_twice(
	ba_inspection *x, char work[65], ba_worker *w, ba_plugin_case *c, ba_error *err)
{
	BA_AUTO(ba_inspection) ba_inspection again = begin(w);
	char second[65];
	BA_TRY(check_driver(&w->driver, err));
	BA_TRY(look(x, w, c, err));
	BA_TRY(look(&again, w, c, err));
	ba_sha256_hex(&x->work, work);
	ba_sha256_hex(&again.work, second);
	if (strcmp(work, second) != 0)
		return ba_fail(err, BA_EUNSUPPORTED, "run() does not do the same work each time");
	if (ba_images_met())
		return ba_fail(err, BA_EUNSUPPORTED,
			"%s() was called, and bench-against does not track what it sets",
			ba_images_met());
	return 0;
}

/* ---- the answer ---- */

#define FIGURES 17u

/* 0: not known */
static uint64_t attribute(const ba_kernel_row *k, int which)
{
	return k->attributes[which] > 0 ? (uint64_t)k->attributes[which] : 0;
}

static void put_kernels(ba_buf *m, const ba_inspection *x)
{
	BA_AUTO(ba_strv) ba_strv names = {0}, codes = {0};
	BA_AUTO_FREE uint64_t *all = ba_xcalloc((x->kernel_count + 1) * FIGURES, sizeof(*all));
	for (size_t i = 0; i < x->kernel_count; i++) {
		const ba_kernel_row *k = &x->kernels[i];
		BA_AUTO_FREE char *safe = ba_text_safe(k->name ? k->name : "");
		const uint64_t row[FIGURES] = {k->launches, k->grid[0], k->grid[1], k->grid[2],
			k->block[0], k->block[1], k->block[2], k->shared_bytes,
			attribute(k, BA_CU_FUNC_NUM_REGS), attribute(k, BA_CU_FUNC_SHARED_BYTES),
			attribute(k, BA_CU_FUNC_LOCAL_BYTES), attribute(k, BA_CU_FUNC_CONST_BYTES),
			attribute(k, BA_CU_FUNC_MAX_THREADS),
			attribute(k, BA_CU_FUNC_BINARY_VERSION),
			attribute(k, BA_CU_FUNC_PTX_VERSION), k->code_bytes, k->symbol};
		memcpy(all + i * FIGURES, row, sizeof(row));
		ba_strv_push(&names, safe);
		ba_strv_push(&codes, k->code);
	}
	BA_MESSAGE_ADD(m, BA_SAY_TEXTS("kernels", names), BA_SAY_TEXTS("codes", codes),
		BA_SAY_U64S("figures", all, x->kernel_count * FIGURES));
}

static void inspect_case(ba_worker *w, ba_plugin_case *c, const char *folder)
{
	BA_AUTO(ba_inspection) ba_inspection x = begin(w);
	char code[65] = "", work[65] = "", memory[65] = "";
	ba_error why = {0};
	x.folder = *folder ? folder : NULL;
	ba_plugin_current(c);
	int rc = ba_images_observer()
			 ? look_twice(&x, work, w, c, &why)
			 : ba_fail(&why, BA_EUNSUPPORTED, "the driver is not observed");
	if (rc == 0)
		ba_sha256_hex(&x.code, code);
	/* what it leaves is not an input */
	rc = rc ? rc : ba_plugin_poison(w, c, &why);
	rc = rc ? rc : ba_inspect_memory(memory, &x, &why);
	ba_plugin_current(NULL);
	BA_AUTO_FREE char *safe = ba_text_safe(rc ? why.text : "");
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	BA_MESSAGE(&m, "code", BA_SAY_U64("variant", (uint64_t)c->variant),
		BA_SAY_TEXT("reason", safe), BA_SAY_TEXT("code", code),
		BA_SAY_TEXT("work", *code ? work : ""), BA_SAY_TEXT("memory", rc ? "" : memory));
	put_kernels(&m, &x);
	ba_worker_send(w, &m);
}

int ba_worker_inspect(ba_worker *w, const ba_message *m, ba_error *err)
{
	if (!w->plugin.cases)
		return ba_fail(err, BA_EPROTOCOL, "message 'inspect' before 'prepare'");
	for (size_t i = 0; i < w->lib_count; i++)
		if (!w->plugin.cases[i].absent)
			inspect_case(w, &w->plugin.cases[i], ba_message_text(m, "folder"));
	return 0;
}
