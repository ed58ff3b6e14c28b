/* A case: set up by every variant, checked against its reference, warmed up. */

#include "worker/inspect.h"
#include "worker/process_check.h"

#define WARM_UP_MOST_NS (2 * BA_SECOND)
#define WARM_UP_BURST 16u
#define STRAY_WORK_NS 5000
#define STRAY_TRIES 5u
#define GATE_FIRST_NS 20000

BA_OWNS(ba_plugin_order, o, BA_DISPOSE(ba_strv, &o->axes, &o->values))

int ba_plugin_read_order(ba_plugin_order *o, const ba_message *m, ba_error *err)
{
	o->name = ba_message_text(m, "name");
	o->check = ba_message_bool(m, "check");
	o->first_call = ba_message_bool(m, "first_call");
	ba_message_texts(&o->axes, m, "axes");
	ba_message_texts(&o->values, m, "values");
	BA_TRY(ba_parse_u64(&o->seed, ba_message_text(m, "seed"), 0, UINT64_MAX,
		"message 'prepare': seed", err));
	BA_TRY(ba_message_u64(&o->sets, m, "sets", err));
	BA_TRY(ba_message_u64(&o->warm_up, m, "warm_up", err));
	if (o->axes.count != o->values.count || o->sets == 0 || o->sets > 65536)
		return ba_fail(err, BA_EPROTOCOL, "message 'prepare': out of range");
	return 0;
}

/* ---- calls ---- */

/* "run() returned 2 (CUDA_ERROR_OUT_OF_MEMORY, if it is the driver's): the variant's sentence" */
int ba_plugin_called(
	ba_worker *w, const ba_plugin_case *c, const char *call, int rc, cu_result r, ba_error *err)
{
	const ba_library *lib = &w->libs[c->variant];
	const char *why = rc ? lib->suite->last_error(lib->suite_session) : NULL;
	BA_AUTO_FREE char *safe = ba_text_safe(why ? why : "");
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	if (rc)
		ba_buf_printf(&text, "%s returned %d", call, rc);
	if (rc > 0 && rc < 1000)
		ba_buf_printf(&text, " (%s, if it is the driver's)",
			ba_driver_result_name(&w->driver, rc));
	if (*safe)
		ba_buf_printf(&text, ": %s", safe);
	if (r)
		ba_buf_printf(&text, "%sthe driver reports %s (%d) after %s", rc ? "; " : "",
			ba_driver_result_name(&w->driver, r), r, rc ? "it" : call);
	return text.len ? ba_fail(err, BA_EVARIANT, "%s", text.data) : 0;
}

int ba_plugin_run(ba_worker *w, ba_plugin_case *c, unsigned set)
{
	const ba_suite_run run = {
		.abi = BA_SUITE_ABI, .struct_size = sizeof(run), .stream = c->stream, .set = set};
	return c->benchmark->run(c->handle, &run);
}

/* One run and its end. */
static int run_once(ba_worker *w, ba_plugin_case *c, unsigned set, ba_error *err)
{
	int rc = ba_plugin_run(w, c, set);
	cu_result r = w->driver.stream_synchronize(c->stream);
	BA_TRY(ba_plugin_called(w, c, "run()", rc, r, err));
	return ba_worker_check_context(w, "run()", err);
}

/* The first run in this process until its work is done. */
static int first_call(ba_worker *w, ba_plugin_case *c, ba_error *err)
{
	ba_first_call_begin(&c->first, ba_worker_now(w));
	ba_worker_enter(w, c->variant, BA_PHASE_RUN);
	BA_TRY(run_once(w, c, 0, err));
	ba_first_call_end(&c->first, ba_worker_now(w), ba_images_observer(), w->opened_ns);
	/* what the tool allocated for it, which the observer does not see */
	for (size_t i = 0; c->first.modules && i < c->block_count; i++)
		c->first.context_load_peak[2] += c->blocks[i].bytes;
	return 0;
}

/* ---- setup ---- */

static int fill_values(
	ba_suite_value *out, const ba_suite_benchmark *b, const ba_plugin_order *o, ba_error *err)
{
	for (uint32_t i = 0; i < b->axis_count; i++) {
		const ba_suite_axis *a = &b->axes[i];
		ba_suite_value *v = &out[i];
		char **axis =
			BA_FIND(o->axes.items, o->axes.count, one, strcmp(*one, a->name) == 0);
		if (!axis)
			return ba_fail(err, BA_EPROTOCOL,
				"message 'prepare': no value for axis '%s'", a->name);
		v->text = o->values.items[axis - o->axes.items];
		bool good = true;
		if (a->kind == BA_SUITE_INTEGER) {
			good = ba_plugin_integer(&v->integer, v->text);
			v->real = (double)v->integer;
		} else if (a->kind == BA_SUITE_REAL) {
			good = ba_parse_f64(&v->real, v->text, -1e300, 1e300);
		}
		if (!good)
			return ba_fail(err, BA_EINVAL, "axis '%s': '%s' is not a number", a->name,
				v->text);
	}
	return 0;
}

int ba_plugin_set_up(ba_worker *w, ba_plugin_case *c, const ba_plugin_order *o, ba_error *err)
{
	const ba_library *lib = &w->libs[c->variant];
	const ba_suite_benchmark *b = BA_FIND(lib->suite->benchmarks, lib->suite->benchmark_count,
		one, strcmp(one->name, o->name) == 0);
	if (!b)
		return ba_fail(err, BA_EVARIANT, "it has no benchmark '%s'", o->name);
	BA_AUTO_FREE ba_suite_value *values = ba_xcalloc(b->axis_count + 1, sizeof(*values));
	BA_TRY(fill_values(values, b, o, err));
	const ba_suite_setup setup = {.abi = BA_SUITE_ABI,
		.struct_size = sizeof(setup),
		.values = values,
		.value_count = b->axis_count,
		.sets = (uint32_t)(b->rotates ? o->sets : 1),
		.seed = o->seed,
		.stream = w->stream};
	c->benchmark = b;
	c->stream = w->stream;
	c->sets = setup.sets;
	c->gate_ns = GATE_FIRST_NS;
	ba_worker_enter(w, c->variant, BA_PHASE_SETUP);
	int rc = b->setup(&c->handle, lib->suite_session, &setup);
	if (c->skipped)
		return 0;
	BA_TRY(ba_plugin_called(w, c, "setup()", rc, rc ? 0 : w->driver.ctx_synchronize(), err));
	return ba_worker_check_context(w, "setup()", err);
}

/* ---- check ---- */

/* The shortest of some waits for the whole context. */
static int64_t wait_for_all(ba_worker *w)
{
	int64_t start = ba_worker_now(w);
	w->driver.ctx_synchronize();
	return ba_worker_now(w) - start;
}

/* What the context still has to do when the declared stream is done, beside what
 * waiting for nothing takes. */
static int check_streams(ba_worker *w, ba_plugin_case *c, ba_error *err)
{
	int64_t nothing = INT64_MAX, rest = INT64_MAX;
	for (unsigned i = 0; i < STRAY_TRIES; i++) {
		int64_t idle = wait_for_all(w);
		BA_TRY(run_once(w, c, 0, err));
		int64_t after = wait_for_all(w);
		nothing = idle < nothing ? idle : nothing;
		rest = after < rest ? after : rest;
	}
	if (rest < 2 * nothing + STRAY_WORK_NS)
		return 0;
	return ba_fail(err, BA_EVARIANT,
		"run() leaves work in another stream: %.0f us of it are not done when the stream it was given is; join the streams by events, or name your own in setup() with use_stream()",
		(double)(rest - nothing) / 1e3);
}

int ba_plugin_check_result(ba_worker *w, ba_plugin_case *c, ba_error *err)
{
	if (!c->benchmark->check)
		return 0;
	ba_worker_enter(w, c->variant, BA_PHASE_VERIFY);
	int rc = c->benchmark->check(c->handle);
	ba_worker_enter(w, c->variant, BA_PHASE_RUN);
	if (rc == 0)
		return ba_worker_check_context(w, "check()", err);
	const ba_library *lib = &w->libs[c->variant];
	const char *why = lib->suite->last_error(lib->suite_session);
	BA_AUTO_FREE char *safe = ba_text_safe(why && *why ? why
					       : c->wrong  ? c->wrong
							  : "check() rejected it without a reason");
	return ba_fail(err, BA_EVARIANT, "wrong answer: %s", safe);
}

/* Outputs are poisoned before each of two runs, which must agree to the bit. */
static int check(ba_worker *w, ba_plugin_case *c, ba_error *err)
{
	char digests[2][65];
	ba_worker_enter(w, c->variant, BA_PHASE_RUN);
	for (int i = 0; i < 2; i++) {
		BA_TRY(ba_plugin_poison(w, c, err));
		BA_TRY(run_once(w, c, 0, err));
		BA_TRY(ba_plugin_check_guards(w, c, err));
		BA_TRY(ba_plugin_digest(digests[i], w, c, err));
	}
	if (strcmp(digests[0], digests[1]) != 0)
		return ba_fail(err, BA_EVARIANT,
			"wrong answer: two runs on the same inputs left different bits in the outputs; declare them BA_SUITE_VARYING if the order of threads may change them");
	BA_TRY(ba_plugin_check_result(w, c, err));
	return check_streams(w, c, err);
}

/* ---- warm-up ---- */

static int warm_up(ba_worker *w, ba_plugin_case *c, uint64_t runs, ba_error *err)
{
	int64_t start = ba_worker_now(w);
	ba_worker_enter(w, c->variant, BA_PHASE_RUN);
	for (uint64_t i = 0; i < runs;) {
		int rc = 0;
		for (unsigned k = 0; rc == 0 && k < WARM_UP_BURST && i < runs; k++, i++)
			rc = ba_plugin_run(w, c, (unsigned)(i % c->sets));
		w->beacon->progress++;
		cu_result r = rc ? 0 : w->driver.stream_synchronize(c->stream);
		BA_TRY(ba_plugin_called(w, c, "run()", rc, r, err));
		if (ba_worker_now(w) - start > WARM_UP_MOST_NS)
			break;
	}
	return ba_worker_check_context(w, "run()", err);
}

/* ---- all of it ---- */

void ba_plugin_say_case(const ba_worker *w, const ba_plugin_case *c)
{
	enum { OWN = 5 };
	ba_say fields[OWN + BA_FIRST_CALL_SAYS] = {BA_SAY_U64("variant", (uint64_t)c->variant),
		BA_SAY_F64("flop", c->counts[BA_SUITE_FLOP]),
		BA_SAY_F64("bytes_read", c->counts[BA_SUITE_BYTES_READ]),
		BA_SAY_F64("bytes_written", c->counts[BA_SUITE_BYTES_WRITTEN]),
		BA_SAY_F64("items", c->counts[BA_SUITE_ITEMS])};
	if (c->skipped)
		BA_REPLY(w, "skipped", fields[0], BA_SAY_TEXT("text", c->skipped));
	else
		ba_worker_reply(
			w, "case", fields, OWN + ba_first_call_say(fields + OWN, &c->first));
}

static int prepare_variant(ba_worker *w, ba_plugin_case *c, const ba_plugin_order *o, ba_error *err)
{
	ba_process_check process;
	ba_process_check_begin(&process);
	ba_plugin_current(c);
	int rc = ba_plugin_set_up(w, c, o, err);
	if (rc == 0 && !c->skipped && o->first_call)
		rc = first_call(w, c, err);
	if (rc == 0 && !c->skipped && o->check)
		rc = check(w, c, err);
	if (rc == 0 && !c->skipped)
		rc = warm_up(w, c, o->warm_up, err);
	rc = rc ? rc : ba_process_check_end(&process, w, c->variant, BA_PHASE_SETUP, err);
	if (rc)
		ba_worker_look_at_context(w);
	ba_plugin_current(NULL);
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
	return rc;
}

int ba_plugin_prepare(ba_worker *w, const ba_message *m, ba_error *err)
{
	BA_AUTO(ba_plugin_order) ba_plugin_order o = {0};
	BA_AUTO_FREE uint64_t *wanted = ba_xcalloc(w->lib_count, sizeof(*wanted));
	ba_plugin_release(w);
	BA_TRY(ba_plugin_read_order(&o, m, err));
	BA_TRY(ba_message_u64s(wanted, w->lib_count, m, "variants", err));
	BA_TRY(ba_plugin_get_ready(w, err));
	w->plugin.cases = ba_xcalloc(w->lib_count, sizeof(*w->plugin.cases));
	for (size_t k = 0; k < w->lib_count && !w->lost; k++) {
		size_t i = w->order[k];
		ba_plugin_case *c = &w->plugin.cases[i];
		ba_error trouble;
		*c = (ba_plugin_case){
			.variant = (int)i, .absent = !wanted[i] || !w->libs[i].suite_session};
		if (c->absent)
			continue;
		if (prepare_variant(w, c, &o, &trouble)) {
			c->absent = true;
			BA_TRY(ba_worker_blame(w, (int)i, &trouble, err));
			continue;
		}
		c->absent = c->skipped != NULL;
		ba_plugin_say_case(w, c);
	}
	return w->lost ? ba_fail(err, BA_EGPU, "the CUDA context is lost") : 0;
}

void ba_plugin_end_case(ba_worker *w, ba_plugin_case *c)
{
	if (c->handle && !w->lost) {
		ba_worker_enter(w, c->variant, BA_PHASE_TEARDOWN);
		c->benchmark->teardown(c->handle);
		ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
	}
	ba_plugin_free_blocks(w, c);
	BA_FREE(c->skipped, c->wrong);
	ba_first_call_dispose(&c->first);
	*c = (ba_plugin_case){.variant = c->variant};
}

void ba_plugin_release(ba_worker *w)
{
	for (size_t i = 0; w->plugin.cases && i < w->lib_count; i++)
		ba_plugin_end_case(w, &w->plugin.cases[i]);
	free(w->plugin.cases);
	w->plugin.cases = NULL;
	ba_plugin_fresh_release(w);
}
