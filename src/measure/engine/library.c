/* Talks to the tool's own worker, which has loaded variants' libraries: requests,
 * and its answers about benchmarks and readings (docs/worker-protocol.md). */

#include "engine/box.h"
#include "engine/row.h"
#include "proc/affinity.h"
#include "proc/handover.h"
#include "stats/layouts.h"

/* ---- open ---- */

static int load_variants(ba_worker_slot *s, ba_survey *survey, ba_failure *f)
{
	ba_engine *e = s->engine;
	const ba_engine_spec *spec = s->spec;
	BA_AUTO(ba_strv) ba_strv labels = {0}, libraries = {0}, originals = {0}, trees = {0};
	BA_AUTO_FREE uint64_t *order = ba_xcalloc(s->count, sizeof(*order));
	for (size_t i = 0; i < s->count; i++) {
		size_t v = s->variants[i];
		ba_strv_push(&labels, spec->variants[v].label);
		if (e->copied) {
			size_t copy = i / (s->count / s->copies);
			ba_strv_push(&libraries, spec->copies[v * spec->layouts + copy]);
			ba_strv_push(&originals, spec->libraries[v]);
		} else {
			ba_strv_push(&libraries, spec->libraries[v]);
		}
		ba_strv_push(&trees, spec->variants[v].tree_dir);
		order[i] = e->reversed ? s->count - 1 - i : i;
	}
	BA_AUTO(ba_message) ba_message reply = {0};
	int rc = ba_worker_slot_request(s, "load",
		BA_SAYS(BA_SAY_TEXT("kind", ba_suite_kind_name(spec->suite)),
			BA_SAY_TEXTS("labels", labels), BA_SAY_TEXTS("libraries", libraries),
			BA_SAY_IF(originals.count, BA_SAY_TEXTS("originals", originals)),
			BA_SAY_TEXTS("trees", trees), BA_SAY_U64S("order", order, s->count),
			BA_SAY_BOOL("hashes", survey != NULL)),
		"loaded", &reply, ba_survey_hearer(survey), f);
	if (rc == 0 && survey && s->count > 1) {
		survey->share = ba_message_bool(&reply, "share");
		ba_text_replace(&survey->share_reason, ba_message_text(&reply, "reason"));
	}
	return rc;
}

int ba_library_open_socket(ba_worker_slot *s, int *theirs, ba_error *err)
{
	int ends[2];
	if (!s->engine->row->hands_over)
		return 0;
	BA_TRY(ba_handover_pair(ends, err));
	s->socket = ends[0];
	*theirs = ends[1];
	return 0;
}

int ba_library_start(ba_worker_slot *s, ba_failure *f)
{
	const ba_engine_spec *spec = s->spec;
	BA_AUTO(ba_box) ba_box box = {0};
	const ba_sandbox *sandbox;
	int rc = ba_box_of(&sandbox, &box, spec, s->variants, s->count, NULL, f->err);
	if (rc == 0 && sandbox && spec->wrapper)
		rc = ba_fail(f->err, BA_EUNSUPPORTED, "'%s' cannot look into a sandbox",
			spec->wrapper[0]);
	if (rc)
		return rc;
	BA_AUTO_FD int theirs = -1;
	BA_TRY(ba_library_open_socket(s, &theirs, f->err));
	BA_TRY(ba_start_begin(s, f->err));
	BA_AUTO(ba_strv) ba_strv own = {0}, env = {0};
	ba_start_environment(&own, s);
	/* variants whose environments differ share no process */
	ba_variant_environment_put(&env, &spec->variants[s->variants[0]].environment,
		(const char *const *)(own.count ? own.items : environ), true);
	const ba_link_spec link = {.worker = spec->worker,
		.env = (const char *const *)env.items,
		.sandbox = sandbox,
		.wrapper = spec->wrapper,
		.name = s->count == s->copies ? spec->variants[s->variants[0]].label : "worker",
		.fixed_addresses = spec->counts,
		.socket = theirs < 0 ? 0 : theirs,
		.idle_limit_ns = spec->idle_limit_ns,
		.doubted = spec->kind == BA_ENGINE_UNTRUSTED,
		.stop = spec->stop};
	rc = ba_link_start(&s->link, &link, f->err);
	if (rc == 0)
		ba_start_ready(s);
	return rc ? rc : ba_worker_slot_ask_device(s, f);
}

/* In a sandbox no process chooses its processor. Only the worker's first thread is
 * moved: the driver's threads stay where they do not disturb it. */
static int pin(const ba_engine_spec *spec, const ba_worker_slot *s, ba_error *err)
{
	if (!spec->sandbox || spec->cpu < 0)
		return 0;
	return ba_affinity_pin_thread(ba_link_pid(s->link), spec->cpu, err);
}

int ba_library_open(ba_worker_slot *s, ba_survey *survey, ba_failure *f)
{
	const ba_engine_spec *spec = s->spec;
	int rc = ba_worker_slot_hear_device(s, survey, f);
	rc = rc ? rc : pin(spec, s, f->err);
	if (rc == 0 && survey && !survey->machine_known && !spec->sandbox)
		rc = ba_worker_slot_ask(s, "survey", "surveyed", survey, f);
	if (rc == 0)
		ba_start_asks(s);
	rc = rc ? rc : load_variants(s, survey, f);
	if (rc == 0)
		ba_start_loaded(s);
	if (rc == 0 && survey && spec->suite == BA_SUITE_PLUGIN)
		rc = ba_survey_benchmarks(s, survey, f);
	/* a worker that is not timed needs no steady clock */
	if (rc == 0 && !spec->observer && !spec->counts && !spec->wrapper)
		rc = ba_worker_slot_ask(s, "warm", "warm", NULL, f);
	return rc;
}

/* ---- prepare ---- */

BA_OWNS(ba_case_facts, c, BA_FREE(c->skipped, c->modules),
	BA_DISPOSE(ba_strv, &c->counters, &c->counted))

static double count_in(const ba_message *m, const char *key)
{
	double value = 0;
	return ba_message_f64(&value, m, key, NULL) || value < 0 ? 0 : value;
}

static void read_case(ba_case_facts *c, const ba_message *m)
{
	if (strcmp(m->type, "skipped") == 0) {
		ba_text_own(&c->skipped, ba_text_sentence(ba_message_text(m, "text")));
	} else if (strcmp(m->type, "case") == 0) {
		c->flop = count_in(m, "flop");
		c->bytes_read = count_in(m, "bytes_read");
		c->bytes_written = count_in(m, "bytes_written");
		c->items = count_in(m, "items");
		c->runs = count_in(m, "runs");
		c->first_call_ns = count_in(m, "first_call");
		c->first_call_cpu_ns = count_in(m, "first_call_cpu");
		c->host_peak = count_in(m, "host_peak");
		c->context_ns = count_in(m, "context");
		c->load_ns = count_in(m, "load");
		c->device_peak = count_in(m, "device_peak");
		if (ba_message_has(m, "modules"))
			ba_text_replace(&c->modules, ba_message_text(m, "modules"));
	} else if (strcmp(m->type, "counters") == 0) {
		ba_message_texts(&c->counters, m, "names");
		ba_message_texts(&c->counted, m, "values");
	} else if (strcmp(m->type, "memory") == 0) {
		c->memory_taken = count_in(m, "taken");
		c->memory_free = count_in(m, "free");
	}
}

/* A program of one variant does not say which. */
static int hear_case(
	void *data, const ba_message *m, const size_t *variants, size_t n, ba_error *err)
{
	ba_case_facts *cases = data;
	uint64_t local = 0;
	if (n == 1 || (ba_message_u64(&local, m, "variant", NULL) == 0 && local < n))
		read_case(&cases[variants[local]], m);
	return 0;
}

void ba_library_put_case(ba_buf *m, const ba_prepare *p)
{
	const ba_benchmark *b = p->benchmark;
	BA_AUTO(ba_strv) ba_strv axes = {0}, values = {0};
	/* whole numbers beyond 2^53 are text, as everywhere */
	BA_AUTO_FREE char *seed = ba_xprintf("%llu", (unsigned long long)p->seed);
	for (size_t i = 0; i < b->axis_count; i++) {
		ba_strv_push(&axes, b->axes[i].name);
		ba_strv_push(&values, b->axes[i].value);
	}
	BA_MESSAGE_ADD(m, BA_SAY_TEXT("name", b->name), BA_SAY_TEXTS("axes", axes),
		BA_SAY_TEXTS("values", values), BA_SAY_TEXT("seed", seed),
		BA_SAY_U64("sets", p->sets), BA_SAY_U64("warm_up", p->warm_up),
		BA_SAY_IF(p->runs, BA_SAY_U64("runs", p->runs)));
}

int ba_library_ask_prepare(ba_worker_slot *s, const ba_prepare *p, ba_failure *f)
{
	BA_AUTO_FREE uint8_t *wanted = ba_xcalloc(s->count, 1);
	for (size_t k = 0; k < s->count; k++)
		wanted[k] = p->wanted[s->variants[k]];
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	BA_MESSAGE(&m, "prepare", BA_SAY_TEXT("benchmark", p->benchmark->id));
	if (s->spec->suite == BA_SUITE_LAUNCHER)
		BA_MESSAGE_ADD(&m, BA_SAY_TEXT("path", p->benchmark->path),
			BA_SAY_U64("args", p->benchmark->args),
			BA_SAY_U64("bytes", p->benchmark->arg_bytes));
	else
		ba_library_put_case(&m, p);
	BA_MESSAGE_ADD(&m, BA_SAY_BOOL("check", p->check), BA_SAY_BOOL("first", p->first),
		BA_SAY_IF(p->first_call, BA_SAY_BOOL("first_call", true)),
		BA_SAY_BYTES("variants", wanted, s->count));
	return ba_worker_slot_send(s, &m, f);
}

int ba_library_prepare(ba_worker_slot *s, const ba_prepare *p, ba_failure *f)
{
	ba_engine *e = s->engine;
	const ba_hearer h = {p->cases ? hear_case : NULL, p->cases};
	BA_AUTO(ba_message) ba_message reply = {0};
	int rc = ba_worker_slot_await(s, "prepared", &reply, h, f);
	if (p->first_call && p->cases)
		ba_start_called(s, &p->cases[s->variants[0]]);
	/* the baseline's answer counts for all */
	if (rc || s->variants[0] != 0 || s->spec->suite != BA_SUITE_LAUNCHER)
		return rc;
	e->params = (unsigned)p->benchmark->args;
	e->param_bytes = p->benchmark->arg_bytes ? (unsigned)p->benchmark->arg_bytes : 8;
	return ba_message_u64(&e->ring, &reply, "ring", f->err);
}

/* ---- measure ---- */

/* Visits that are requested together. */
typedef struct portion {
	size_t first, positions, blocks;
} portion;

/* Takes the worker's report about the GPU's clock; the portion begins in `first`'s
 * block. */
static int take_clocks(const ba_visits *q, portion p, const ba_message *reply, ba_error *err)
{
	ba_samples *s = q->s;
	size_t visits = p.blocks * p.positions, block = p.first / s->positions;
	BA_AUTO_FREE uint64_t *events = ba_xcalloc(p.blocks, sizeof(*events));
	if (!ba_message_has(reply, "khz"))
		return 0;
	if (!s->khz)
		s->khz = ba_xcalloc((size_t)s->blocks * s->positions, sizeof(*s->khz));
	if (!s->clock_events)
		s->clock_events = ba_xcalloc(s->blocks, sizeof(*s->clock_events));
	int rc = ba_message_u64s(s->khz + p.first, visits, reply, "khz", err);
	rc = rc ? rc : ba_message_u64s(events, p.blocks, reply, "clock_events", err);
	for (size_t b = 0; rc == 0 && b < p.blocks; b++)
		s->clock_events[block + b] |= events[b];
	if (rc || !q->clocks || !ba_message_has(reply, "unfit"))
		return rc;
	rc = ba_message_u64s(events, p.blocks, reply, "unfit", err);
	for (size_t b = 0; rc == 0 && b < p.blocks; b++)
		q->clocks->unfit[block + b] |= events[b] != 0;
	const char *text = ba_message_text(reply, "unfit_text");
	if (*text && !q->clocks->text)
		q->clocks->text = ba_text_safe(text);
	return rc;
}

/* at[p.blocks]: when each block began */
static int measure_portion(
	ba_worker_slot *s, const ba_visits *q, portion p, uint64_t *at, ba_failure *f)
{
	ba_samples *out = q->s;
	size_t visits = p.blocks * p.positions, readings = visits * out->readings;
	uint64_t *ns = out->ns + p.first * out->readings;
	BA_AUTO_FREE uint64_t *order = ba_xcalloc(visits, sizeof(*order));
	for (size_t i = 0; i < visits; i++) {
		size_t block = (p.first + i) / out->positions;
		size_t copy = out->layouts ? ba_layout_of_block(out->layouts, block) : 0;
		order[i] = ba_engine_local_index(s, out->order[p.first + i], copy);
	}
	BA_AUTO(ba_message) ba_message reply = {0};
	int rc = ba_worker_slot_request(s, "measure",
		BA_SAYS(BA_SAY_TEXT("mode", q->mode), BA_SAY_U64("batch", out->batch),
			BA_SAY_U64("readings", out->readings), BA_SAY_U64("blocks", p.blocks),
			BA_SAY_U64("positions", p.positions), BA_SAY_U64("discard", q->discard),
			BA_SAY_U64S("order", order, visits),
			BA_SAY_IF(s->spec->suite == BA_SUITE_LAUNCHER,
				BA_SAY_U64(
					"witness", ba_witness_seed(out->seed, q->mode, p.first)))),
		"measured", &reply, (ba_hearer){0}, f);
	rc = rc ? rc : ba_message_u64s(at, p.blocks, &reply, "at", f->err);
	rc = rc ? rc : ba_message_u64s(ns, readings, &reply, "ns", f->err);
	rc = rc ? rc : take_clocks(q, p, &reply, f->err);
	for (size_t i = 0; rc == 0 && i < readings; i++)
		if (ns[i] == 0 || ns[i] > (uint64_t)1 << 62)
			rc = ba_fail(f->err, BA_EPROTOCOL,
				"the worker reports a reading of %llu ns",
				(unsigned long long)ns[i]);
	return rc;
}

int ba_library_visit(ba_worker_slot *s, const ba_visits *q, size_t visit, ba_failure *f)
{
	uint64_t at;
	return measure_portion(s, q, (portion){visit, 1, 1}, &at, f);
}

int ba_library_measure_in(ba_worker_slot *slot, const ba_visits *q, ba_failure *f)
{
	ba_samples *s = q->s;
	const portion all = {0, s->positions, s->blocks};
	BA_AUTO_FREE uint64_t *at = ba_xcalloc(s->blocks, sizeof(*at));
	int rc = measure_portion(slot, q, all, at, f);
	for (unsigned b = 0; rc == 0 && b < s->blocks; b++)
		s->block_at_ns[b] = (int64_t)at[b];
	return rc;
}

int ba_library_measure(ba_engine *e, const ba_visits *q, ba_failure *f)
{
	return ba_library_measure_in(&e->slots[0], q, f);
}
