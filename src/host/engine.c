#include "host/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/text.h"
#include "host/program.h"
#include "host/survey.h"
#include "host/watch.h"

/* One worker and the variants it holds. */
typedef struct seat {
	ba_link *link;
	size_t *variants; /* global indices, in the worker's order */
	size_t count;
} seat;

struct ba_engine {
	const ba_engine_spec *spec;
	seat *seats;
	size_t seat_count;
	bool reversed;	 /* the last seat is filled first, and set up first */
	ba_watch *watch; /* programs' GPU; NULL: nobody looks */
};

const char *ba_engine_name(ba_engine_kind kind)
{
	static const char *const names[] = {"duet", "split", "sequential"};
	return names[kind];
}

void ba_failure_dispose(ba_failure *f)
{
	free(f->text);
	free(f->output);
	*f = (ba_failure){0};
}

void ba_engine_free(ba_engine *e)
{
	if (!e)
		return;
	for (size_t i = 0; i < e->seat_count; i++) {
		ba_link_free(e->seats[i].link);
		free(e->seats[i].variants);
	}
	free(e->seats);
	ba_watch_free(e->watch);
	free(e);
}

void ba_engine_close(ba_engine *e)
{
	for (size_t i = 0; i < e->seat_count; i++)
		ba_link_close(e->seats[i].link);
}

/* Whatever the worker names: an index of one of the run's variants, or nobody. */
static int global_index(const seat *s, int64_t local)
{
	return local >= 0 && (size_t)local < s->count ? (int)s->variants[local]
						      : BA_BEACON_NOBODY;
}

/* What a worker may report of itself. BA_EVARIANT comes with a variant alone, and an
 * interruption is ours to know. */
static int own_code(int64_t code)
{
	static const int known[] = {BA_EIO, BA_EINVAL, BA_ELIBRARY, BA_EGPU,
		BA_ESIMULATED, BA_EUNSUPPORTED};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (code == known[i])
			return known[i];
	return BA_EPROTOCOL;
}

/* A worker that is gone, told as a failure of the variant whose code ran. */
static int failure_of_death(seat *s, ba_failure *failure, ba_error *err)
{
	ba_link_end end = ba_link_end_of(s->link);
	ba_failure_dispose(failure);
	*failure = (ba_failure){.variant = global_index(s, end.variant),
		.code = BA_EWORKER,
		.gone = true,
		.text = ba_link_end_text(s->link),
		.output = ba_link_output(s->link)};
	const char *output = failure->output;
	return failure->variant == BA_BEACON_NOBODY
		       ? ba_fail(err, BA_EWORKER, "the worker was lost: %s%s%s",
				 failure->text, output ? "; its last output:\n" : "",
				 output ? ba_text_last_lines(output, 4) : "")
		       : ba_fail(err, BA_EVARIANT, "%s", failure->text);
}

static int failure_of_message(
	seat *s, const ba_message *m, ba_failure *failure, ba_error *err)
{
	int64_t variant = BA_BEACON_NOBODY, code = BA_EPROTOCOL;
	const char *text = ba_message_text(m, "text");
	ba_message_i64(&variant, m, "variant", NULL);
	ba_message_i64(&code, m, "code", NULL);
	ba_failure_dispose(failure);
	*failure = (ba_failure){.variant = global_index(s, variant),
		.code = own_code(code),
		.gone = ba_message_bool(m, "lost"),
		.text = ba_text_sentence(
			*text ? text : "it failed and did not say why"),
		.output = ba_link_output(s->link)};
	bool variants = failure->variant != BA_BEACON_NOBODY;
	return ba_fail(
		err, variants ? BA_EVARIANT : failure->code, "%s", failure->text);
}

/* Who listens to the news that come before an answer. */
typedef struct hearer {
	void (*hear)(void *data, const ba_message *m, const size_t *variants, size_t n);
	void *data;
} hearer;

static void hear_survey(
	void *data, const ba_message *m, const size_t *variants, size_t n)
{
	ba_survey_hear(data, m, variants, n);
}

static hearer hearer_of(ba_survey *survey)
{
	return survey ? (hearer){hear_survey, survey} : (hearer){0};
}

/* Receive until the message of that type. The first "failed" is kept in *failure and
 * decides the result; where the worker goes on after it, so do we. */
static int await(seat *s, const char *type, ba_message *out, const ba_engine_spec *spec,
	hearer h, ba_failure *failure, ba_error *err)
{
	int result = 0;
	for (;;) {
		BA_AUTO(ba_message) ba_message m = {0};
		ba_error trouble;
		int rc = ba_link_receive(&m, s->link, &trouble);
		if (rc == BA_EWORKER && result == 0)
			return failure_of_death(s, failure, err);
		if (rc == BA_EWORKER) {
			failure->gone = true;
			return result;
		}
		if (rc)
			return ba_fail(err, rc, "%s", trouble.text);
		if (strcmp(m.type, type) == 0) {
			*out = m;
			m = (ba_message){0};
			return result;
		}
		if (strcmp(m.type, "note") == 0) {
			ba_log_printf(spec->log, BA_LOG_INFO, "%s",
				ba_message_text(&m, "text"));
		} else if (strcmp(m.type, "failed") == 0) {
			bool first = result == 0;
			BA_AUTO(ba_failure) ba_failure this = {0};
			rc = failure_of_message(s, &m, &this, first ? err : &trouble);
			/* the tool's own trouble and a lost context end the request,
			 * whichever failure came first */
			bool ends = this.variant == BA_BEACON_NOBODY || this.gone;
			if (first) {
				result = rc;
				ba_failure_dispose(failure);
				*failure = this;
				this = (ba_failure){0};
			}
			failure->gone = failure->gone || this.gone;
			if (ends)
				return result;
		} else if (h.hear) {
			h.hear(h.data, &m, s->variants, s->count);
		}
	}
}

static int request(seat *s, ba_buf *message, const char *reply_type, ba_message *reply,
	const ba_engine_spec *spec, hearer h, ba_failure *failure, ba_error *err)
{
	ba_error trouble;
	int rc = ba_link_send(s->link, message, &trouble);
	if (rc == BA_EWORKER)
		return failure_of_death(s, failure, err);
	if (rc)
		return ba_fail(err, rc, "%s", trouble.text);
	return await(s, reply_type, reply, spec, h, failure, err);
}

static int simple_request(seat *s, const char *type, const char *reply_type,
	const ba_engine_spec *spec, ba_survey *survey, ba_failure *failure,
	ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	BA_AUTO(ba_message) ba_message reply = {0};
	ba_message_begin(&m, type);
	return request(
		s, &m, reply_type, &reply, spec, hearer_of(survey), failure, err);
}

/* a worker that is not one variant's */
static ba_link_spec lone_worker(const ba_engine_spec *spec)
{
	return (ba_link_spec){.worker = spec->worker,
		.name = "worker",
		.idle_limit_ns = spec->idle_limit_ns,
		.stop = spec->stop};
}

static int open_device(seat *s, const ba_engine_spec *spec, ba_survey *survey,
	ba_failure *failure, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	BA_AUTO(ba_message) ba_message reply = {0};
	ba_message_begin(&m, "open");
	ba_message_put_text(&m, "target", spec->target);
	ba_message_put_text(&m, "driver", spec->driver);
	ba_message_put_text(&m, "observer", spec->observer);
	ba_message_put_i64(&m, "device", spec->device);
	ba_message_put_i64(&m, "cpu", spec->cpu);
	ba_message_put_text(&m, "flush", spec->flush);
	int rc = request(s, &m, "opened", &reply, spec, (hearer){0}, failure, err);
	if (rc == 0 && survey) {
		free(survey->driver_path);
		survey->driver_path = ba_xstrdup(ba_message_text(&reply, "driver"));
	}
	return rc;
}

int ba_engine_look(ba_survey *survey, const ba_engine_spec *spec, ba_error *err)
{
	seat s = {0};
	BA_AUTO(ba_failure) ba_failure f = {0};
	const ba_link_spec link = lone_worker(spec);
	int rc = ba_link_start(&s.link, &link, err);
	rc = rc ? rc : open_device(&s, spec, survey, &f, err);
	rc = rc ? rc : simple_request(&s, "survey", "surveyed", spec, survey, &f, err);
	if (rc == 0)
		ba_link_close(s.link);
	ba_link_free(s.link);
	return rc;
}

int ba_engine_examine(ba_survey *survey, unsigned *refusals, const ba_engine_spec *spec,
	ba_error *err)
{
	seat s = {0};
	BA_AUTO(ba_failure) ba_failure f = {0};
	const ba_link_spec link = lone_worker(spec);
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	BA_AUTO(ba_message) ba_message reply = {0};
	ba_message_begin(&m, "examine");
	ba_message_put_i64(&m, "device", spec->device);
	int rc = ba_link_start(&s.link, &link, err);
	rc = rc ? rc
		: request(&s, &m, "examined", &reply, spec, hearer_of(survey), &f, err);
	uint64_t count = 0;
	rc = rc ? rc : ba_message_u64(&count, &reply, "refusals", err);
	if (rc == 0)
		*refusals = (unsigned)count;
	if (rc == 0)
		ba_link_close(s.link);
	ba_link_free(s.link);
	return rc;
}

static int load_variants(seat *s, const ba_engine_spec *spec, bool reversed,
	ba_survey *survey, ba_failure *failure, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv labels = {0};
	BA_AUTO(ba_strv) ba_strv libraries = {0};
	BA_AUTO(ba_strv) ba_strv trees = {0};
	BA_AUTO_FREE uint64_t *order = ba_xcalloc(s->count, sizeof(*order));
	for (size_t i = 0; i < s->count; i++) {
		size_t v = s->variants[i];
		ba_strv_push(&labels, spec->variants[v].label);
		ba_strv_push(&libraries, spec->libraries[v]);
		ba_strv_push(&trees, spec->variants[v].tree_dir);
		order[i] = reversed ? s->count - 1 - i : i;
	}
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	BA_AUTO(ba_message) ba_message reply = {0};
	ba_message_begin(&m, "load");
	ba_message_put_text(&m, "kind", ba_suite_kind_name(spec->suite));
	ba_message_put_texts(&m, "labels", (const char *const *)labels.items, s->count);
	ba_message_put_texts(
		&m, "libraries", (const char *const *)libraries.items, s->count);
	ba_message_put_texts(&m, "trees", (const char *const *)trees.items, s->count);
	ba_message_put_u64s(&m, "order", order, s->count);
	ba_message_put_bool(&m, "hashes", survey != NULL);
	int rc =
		request(s, &m, "loaded", &reply, spec, hearer_of(survey), failure, err);
	if (rc == 0 && survey && s->count > 1) {
		survey->share = ba_message_bool(&reply, "share");
		free(survey->share_reason);
		survey->share_reason = ba_xstrdup(ba_message_text(&reply, "reason"));
	}
	return rc;
}

static int survey_timing(seat *s, const ba_engine_spec *spec, ba_survey *survey,
	ba_failure *failure, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	BA_AUTO(ba_message) ba_message reply = {0};
	ba_message_begin(&m, "timing");
	int rc = request(s, &m, "timing", &reply, spec, (hearer){0}, failure, err);
	if (rc == 0)
		ba_survey_hear_timing(survey, &reply);
	return rc;
}

/* Is there something about GPU times that is not known yet? */
static bool wants_timing(const ba_engine_spec *spec, const ba_survey *survey)
{
	return strcmp(spec->target, "host") != 0 && !(survey->env.event_tick_ns > 0);
}

/* The tool's worker looks at the machine, for programs that cannot, and goes. */
static int examine_machine(const ba_engine_spec *spec, ba_survey *survey,
	ba_failure *failure, ba_error *err)
{
	seat s = {0};
	const ba_link_spec link = lone_worker(spec);
	int rc = ba_link_start(&s.link, &link, err);
	rc = rc ? rc : open_device(&s, spec, survey, failure, err);
	if (rc == 0 && !survey->machine_known)
		rc = simple_request(
			&s, "survey", "surveyed", spec, survey, failure, err);
	if (rc == 0 && wants_timing(spec, survey))
		rc = survey_timing(&s, spec, survey, failure, err);
	if (rc == 0)
		ba_link_close(s.link);
	ba_link_free(s.link);
	return rc;
}

/* A plugin's benchmarks, and what their times stand on: once, and on a GPU. */
static int survey_benchmarks(seat *s, const ba_engine_spec *spec, ba_survey *survey,
	ba_failure *failure, ba_error *err)
{
	int rc = simple_request(s, "list", "listed", spec, survey, failure, err);
	if (rc == 0 && wants_timing(spec, survey))
		rc = survey_timing(s, spec, survey, failure, err);
	return rc;
}

int ba_engine_ceilings(ba_environment *env, const ba_engine_spec *spec, ba_error *err)
{
	seat s = {0};
	BA_AUTO(ba_failure) ba_failure f = {0};
	const ba_link_spec link = lone_worker(spec);
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	BA_AUTO(ba_message) ba_message reply = {0};
	ba_message_begin(&m, "ceilings");
	int rc = ba_link_start(&s.link, &link, err);
	rc = rc ? rc : open_device(&s, spec, NULL, &f, err);
	rc = rc ? rc : simple_request(&s, "warm", "warm", spec, NULL, &f, err);
	rc = rc ? rc : request(&s, &m, "ceilings", &reply, spec, (hearer){0}, &f, err);
	rc = rc ? rc
		: ba_message_f64(&env->copy_gb_per_s, &reply, "copy_gb_per_s", err);
	rc = rc ? rc
		: ba_message_f64(
			  &env->matrix_gflop_per_s, &reply, "matrix_gflop_per_s", err);
	if (rc == 0)
		ba_link_close(s.link);
	ba_link_free(s.link);
	return rc;
}

static int open_seat(seat *s, const ba_engine_spec *spec, bool reversed,
	ba_survey *survey, ba_failure *failure, ba_error *err)
{
	if (spec->programs)
		return ba_program_open(
			&s->link, spec, s->variants[0], survey, failure, err);
	const ba_link_spec link = {.worker = spec->worker,
		.name = s->count == 1 ? spec->variants[s->variants[0]].label : "worker",
		.idle_limit_ns = spec->idle_limit_ns,
		.stop = spec->stop};
	int rc = ba_link_start(&s->link, &link, err);
	rc = rc ? rc : open_device(s, spec, survey, failure, err);
	if (rc == 0 && survey && !survey->machine_known)
		rc = simple_request(
			s, "survey", "surveyed", spec, survey, failure, err);
	rc = rc ? rc : load_variants(s, spec, reversed, survey, failure, err);
	if (rc == 0 && survey && spec->suite == BA_SUITE_PLUGIN)
		rc = survey_benchmarks(s, spec, survey, failure, err);
	/* who measures nothing needs no steady clock */
	if (rc == 0 && !spec->observer)
		rc = simple_request(s, "warm", "warm", spec, NULL, failure, err);
	return rc;
}

/* Do all variants sit in one process? */
static bool is_together(const ba_engine *e)
{
	return e->spec->kind == BA_ENGINE_DUET && !e->spec->programs;
}

/* Who sits where: all in one, or one each. */
static void seat_variants(ba_engine *e, const bool *wanted)
{
	size_t n = e->spec->variant_count;
	e->seats = ba_xcalloc(n, sizeof(*e->seats));
	for (size_t v = 0; v < n; v++) {
		if (!wanted[v])
			continue;
		if (e->seat_count == 0 || !is_together(e))
			e->seat_count++;
		seat *s = &e->seats[e->seat_count - 1];
		if (!s->variants)
			s->variants = ba_xcalloc(n, sizeof(*s->variants));
		s->variants[s->count++] = v;
	}
}

/* Who comes first gets other memory: both ends of the list do, from one invocation to
 * the next. */
static seat *seat_in_turn(const ba_engine *e, size_t i)
{
	return &e->seats[e->reversed ? e->seat_count - 1 - i : i];
}

int ba_engine_open(ba_engine **out, const ba_engine_spec *spec, const bool *wanted,
	bool reversed, ba_survey *survey, ba_failure *failure, ba_error *err)
{
	BA_AUTO_PTR(ba_engine) ba_engine *e = ba_xcalloc(1, sizeof(*e));
	e->spec = spec;
	e->reversed = reversed;
	seat_variants(e, wanted);
	if (spec->programs && spec->pci_bus_id && *spec->pci_bus_id)
		e->watch = ba_watch_new(spec);
	if (spec->programs && survey &&
		(!survey->machine_known || wants_timing(spec, survey))) {
		int rc = examine_machine(spec, survey, failure, err);
		if (rc)
			return rc;
	}
	for (size_t i = 0; i < e->seat_count; i++) {
		int rc = open_seat(
			seat_in_turn(e, i), spec, reversed, survey, failure, err);
		if (rc)
			return rc;
	}
	*out = BA_TAKE(e);
	return 0;
}

static int prepare_program(
	ba_engine *e, seat *s, const ba_prepare *p, ba_failure *failure, ba_error *err)
{
	size_t v = s->variants[0];
	return p->wanted[v] ? ba_program_prepare(&p->cases[v], s->link, e->spec, v, p,
				      failure, err)
			    : 0;
}

/* ---- prepare ---- */

static double real_of(const ba_message *m, const char *key)
{
	double value = 0;
	ba_message_f64(&value, m, key, NULL);
	return value;
}

static void hear_case(void *data, const ba_message *m, const size_t *variants, size_t n)
{
	ba_case_facts *cases = data;
	uint64_t local;
	if (ba_message_u64(&local, m, "variant", NULL) || local >= n)
		return;
	ba_case_facts *c = &cases[variants[local]];
	if (strcmp(m->type, "skipped") == 0) {
		free(c->skipped);
		c->skipped = ba_text_sentence(ba_message_text(m, "text"));
	} else if (strcmp(m->type, "case") == 0) {
		c->flop = real_of(m, "flop");
		c->bytes_read = real_of(m, "bytes_read");
		c->bytes_written = real_of(m, "bytes_written");
		c->items = real_of(m, "items");
	}
}

static void put_launch(ba_buf *m, const ba_prepare *p)
{
	ba_message_put_text(m, "path", p->benchmark->path);
	ba_message_put_u64(m, "args", p->benchmark->args);
	ba_message_put_u64(m, "bytes", p->benchmark->arg_bytes);
}

static void put_case(ba_buf *m, const ba_prepare *p)
{
	const ba_benchmark *b = p->benchmark;
	BA_AUTO(ba_strv) ba_strv axes = {0};
	BA_AUTO(ba_strv) ba_strv values = {0};
	/* whole numbers beyond 2^53 are text, as everywhere */
	BA_AUTO_FREE char *seed = ba_xprintf("%llu", (unsigned long long)p->seed);
	for (size_t i = 0; i < b->axis_count; i++) {
		ba_strv_push(&axes, b->axes[i].name);
		ba_strv_push(&values, b->axes[i].value);
	}
	ba_message_put_text(m, "name", b->name);
	ba_message_put_texts(m, "axes", (const char *const *)axes.items, axes.count);
	ba_message_put_texts(
		m, "values", (const char *const *)values.items, values.count);
	ba_message_put_text(m, "seed", seed);
	ba_message_put_u64(m, "sets", p->sets);
	ba_message_put_u64(m, "warm_up", p->warm_up);
}

int ba_engine_prepare(
	ba_engine *e, const ba_prepare *p, ba_failure *failure, ba_error *err)
{
	const hearer h = {p->cases ? hear_case : NULL, p->cases};
	for (size_t i = 0; i < e->seat_count; i++) {
		seat *s = seat_in_turn(e, i);
		if (e->spec->programs) {
			int rc = prepare_program(e, s, p, failure, err);
			if (rc)
				return rc;
			continue;
		}
		BA_AUTO_FREE uint8_t *wanted = ba_xcalloc(s->count, 1);
		for (size_t k = 0; k < s->count; k++)
			wanted[k] = p->wanted[s->variants[k]];
		BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
		BA_AUTO(ba_message) ba_message reply = {0};
		ba_message_begin(&m, "prepare");
		ba_message_put_text(&m, "benchmark", p->benchmark->id);
		if (e->spec->suite == BA_SUITE_LAUNCHER)
			put_launch(&m, p);
		else
			put_case(&m, p);
		ba_message_put_bool(&m, "check", p->check);
		ba_message_put_bytes(&m, "variants", wanted, s->count);
		int rc = request(s, &m, "prepared", &reply, e->spec, h, failure, err);
		if (rc)
			return rc;
	}
	return 0;
}

/* ---- inspect ---- */

enum { FIGURES = 16 }; /* of a kernel, in the order of its struct */

static void take_text(char out[65], const ba_message *m, const char *key)
{
	snprintf(out, 65, "%s", ba_message_text(m, key));
}

static void hear_kernels(ba_device_code *c, const ba_message *m)
{
	BA_AUTO(ba_strv) ba_strv names = {0};
	BA_AUTO(ba_strv) ba_strv codes = {0};
	ba_message_texts(&names, m, "kernels");
	ba_message_texts(&codes, m, "codes");
	BA_AUTO_FREE uint64_t *figures =
		ba_xcalloc(names.count + 1, FIGURES * sizeof(*figures));
	if (codes.count != names.count ||
		ba_message_u64s(figures, names.count * FIGURES, m, "figures", NULL))
		return;
	for (size_t i = 0; i < names.count; i++) {
		const uint64_t *f = figures + i * FIGURES;
		ba_kernel *k = ba_device_code_add(c);
		unsigned *const slots[FIGURES] = {NULL, &k->grid_x, &k->grid_y,
			&k->grid_z, &k->block_x, &k->block_y, &k->block_z,
			&k->dynamic_shared_bytes, &k->registers, &k->shared_bytes,
			&k->local_bytes, &k->constant_bytes, &k->max_threads,
			&k->binary_version, &k->ptx_version, NULL};
		k->name = ba_text_safe(names.items[i]);
		k->launches = f[0];
		snprintf(k->sha256, sizeof(k->sha256), "%s", codes.items[i]);
		for (size_t n = 0; n < FIGURES; n++)
			if (slots[n])
				*slots[n] = (unsigned)f[n];
	}
}

static void hear_code(void *data, const ba_message *m, const size_t *variants, size_t n)
{
	ba_device_code *c = data;
	(void)variants;
	(void)n;
	if (strcmp(m->type, "code") != 0)
		return;
	const char *reason = ba_message_text(m, "reason");
	ba_device_code_dispose(c);
	c->reason = *reason ? ba_text_safe(reason) : NULL;
	take_text(c->code_sha256, m, "code");
	take_text(c->work_sha256, m, "work");
	take_text(c->memory_sha256, m, "memory");
	hear_kernels(c, m);
}

int ba_engine_inspect(
	ba_engine *e, ba_device_code *out, ba_failure *failure, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	BA_AUTO(ba_message) ba_message reply = {0};
	ba_message_begin(&m, "inspect");
	return request(&e->seats[0], &m, "inspected", &reply, e->spec,
		(hearer){hear_code, out}, failure, err);
}

int ba_engine_release(ba_engine *e, ba_failure *failure, ba_error *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < e->seat_count; i++)
		rc = simple_request(&e->seats[i], "release", "released", e->spec, NULL,
			failure, err);
	return rc;
}

/* ---- measure ---- */

typedef struct portion {
	const ba_samples *s;
	const char *mode;
	unsigned discard;
	size_t first, positions, blocks; /* visits of the samples that are asked for */
	ba_clock_report *clocks;	 /* or NULL */
} portion;

/* The floor is the participant behind a worker's variants; the first worker has ours.
 */
static uint64_t local_participant(
	const seat *s, const ba_engine *e, unsigned participant)
{
	if (participant == e->spec->variant_count)
		return s->count;
	for (size_t k = 0; k < s->count; k++)
		if (s->variants[k] == participant)
			return k;
	return UINT64_MAX;
}

static seat *seat_of(ba_engine *e, unsigned participant)
{
	for (size_t i = 0; i < e->seat_count; i++)
		if (participant == e->spec->variant_count ||
			local_participant(&e->seats[i], e, participant) != UINT64_MAX)
			return &e->seats[i];
	return &e->seats[0];
}

/* What the worker knows of the GPU's clock; the portion begins in `first`'s block. */
static int take_clocks(
	ba_samples *s, const portion *q, const ba_message *reply, ba_error *err)
{
	size_t visits = q->blocks * q->positions, block = q->first / s->positions;
	BA_AUTO_FREE uint64_t *events = ba_xcalloc(q->blocks, sizeof(*events));
	if (!ba_message_has(reply, "khz"))
		return 0;
	if (!s->khz)
		s->khz = ba_xcalloc((size_t)s->blocks * s->positions, sizeof(*s->khz));
	if (!s->clock_events)
		s->clock_events = ba_xcalloc(s->blocks, sizeof(*s->clock_events));
	int rc = ba_message_u64s(s->khz + q->first, visits, reply, "khz", err);
	rc = rc ? rc : ba_message_u64s(events, q->blocks, reply, "clock_events", err);
	for (size_t b = 0; rc == 0 && b < q->blocks; b++)
		s->clock_events[block + b] |= events[b];
	if (rc || !q->clocks || !ba_message_has(reply, "unfit"))
		return rc;
	rc = ba_message_u64s(events, q->blocks, reply, "unfit", err);
	for (size_t b = 0; rc == 0 && b < q->blocks; b++)
		q->clocks->unfit[block + b] |= events[b] != 0;
	const char *text = ba_message_text(reply, "unfit_text");
	if (*text && !q->clocks->text)
		q->clocks->text = ba_text_safe(text);
	return rc;
}

static int measure_portion(ba_engine *e, seat *s, const portion *q, ba_samples *out,
	uint64_t *ns, uint64_t *at, ba_failure *failure, ba_error *err)
{
	size_t visits = q->blocks * q->positions;
	BA_AUTO_FREE uint64_t *order = ba_xcalloc(visits, sizeof(*order));
	for (size_t i = 0; i < visits; i++)
		order[i] = local_participant(s, e, q->s->order[q->first + i]);
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	BA_AUTO(ba_message) ba_message reply = {0};
	ba_message_begin(&m, "measure");
	ba_message_put_text(&m, "mode", q->mode);
	ba_message_put_u64(&m, "batch", q->s->batch);
	ba_message_put_u64(&m, "readings", q->s->readings);
	ba_message_put_u64(&m, "blocks", q->blocks);
	ba_message_put_u64(&m, "positions", q->positions);
	ba_message_put_u64(&m, "discard", q->discard);
	ba_message_put_u64s(&m, "order", order, visits);
	int rc = request(s, &m, "measured", &reply, e->spec, (hearer){0}, failure, err);
	rc = rc ? rc : ba_message_u64s(at, q->blocks, &reply, "at", err);
	rc = rc ? rc : ba_message_u64s(ns, visits * q->s->readings, &reply, "ns", err);
	rc = rc ? rc : take_clocks(out, q, &reply, err);
	for (size_t i = 0; rc == 0 && i < visits * q->s->readings; i++)
		if (ns[i] == 0 || ns[i] > (uint64_t)1 << 62)
			rc = ba_fail(err, BA_EPROTOCOL,
				"the worker reports a reading of %llu ns",
				(unsigned long long)ns[i]);
	return rc;
}

static int measure_together(ba_engine *e, const portion *all, ba_samples *s,
	ba_failure *failure, ba_error *err)
{
	BA_AUTO_FREE uint64_t *at = ba_xcalloc(s->blocks, sizeof(*at));
	int rc = measure_portion(e, &e->seats[0], all, s, s->ns, at, failure, err);
	for (unsigned b = 0; rc == 0 && b < s->blocks; b++)
		s->block_at_ns[b] = (int64_t)at[b];
	return rc;
}

static int measure_program(ba_engine *e, seat *s, const portion *q, ba_samples *out,
	size_t visit, ba_failure *failure, ba_error *err)
{
	const ba_program_visit v = {.mode = q->mode,
		.flush = e->spec->flush,
		.batch = q->s->batch,
		.readings = q->s->readings,
		.discard = q->discard};
	uint64_t khz = 0;
	int rc = ba_program_measure(out->ns + visit * out->readings, &khz, s->link,
		e->spec, s->variants[0], &v, failure, err);
	if (rc || khz == 0)
		return rc;
	if (!out->khz)
		out->khz = ba_xcalloc(
			(size_t)out->blocks * out->positions, sizeof(*out->khz));
	out->khz[visit] = khz;
	return 0;
}

/* Visit by visit, each in the worker that holds the participant. */
static int measure_visit(ba_engine *e, const portion *all, ba_samples *s, size_t visit,
	ba_failure *failure, ba_error *err)
{
	portion one = *all;
	uint64_t at;
	seat *mine = seat_of(e, s->order[visit]);
	if (e->spec->programs)
		return measure_program(e, mine, all, s, visit, failure, err);
	one.first = visit;
	one.positions = one.blocks = 1;
	return measure_portion(
		e, mine, &one, s, s->ns + visit * s->readings, &at, failure, err);
}

/* What held the clock of programs' GPU down since it was last asked, put down for
 * `block`; -1: for none. */
static int look_at_clock(
	ba_engine *e, const portion *all, ba_samples *s, int64_t block, ba_error *err)
{
	ba_watch_report report;
	if (!e->watch || !all->clocks)
		return 0;
	int rc = ba_watch_ask(&report, e->watch, err);
	if (rc || !report.known || block < 0) {
		free(report.unfit);
		return rc;
	}
	if (!s->clock_events)
		s->clock_events = ba_xcalloc(s->blocks, sizeof(*s->clock_events));
	s->clock_events[block] |= report.events;
	all->clocks->unfit[block] |= report.unfit != NULL;
	if (all->clocks->text)
		free(report.unfit);
	else
		all->clocks->text = report.unfit;
	return 0;
}

/* All of one variant's visits, then all of the next one's: blocks lie in one another.
 */
static int measure_in_turn(ba_engine *e, const portion *all, ba_samples *s,
	ba_failure *failure, ba_error *err)
{
	size_t visits = (size_t)s->blocks * s->positions;
	int rc = 0;
	for (unsigned p = 0; rc == 0 && p <= e->spec->variant_count; p++)
		for (size_t i = 0; rc == 0 && i < visits; i++) {
			if (s->order[i] != p)
				continue;
			rc = measure_visit(e, all, s, i, failure, err);
			rc = rc ? rc
				: look_at_clock(
					  e, all, s, (int64_t)(i / s->positions), err);
		}
	return rc;
}

static int measure_apart(ba_engine *e, const portion *all, ba_samples *s,
	ba_failure *failure, ba_error *err)
{
	int64_t start = ba_now_ns();
	int rc = look_at_clock(e, all, s, -1, err);
	if (rc == 0 && e->spec->kind == BA_ENGINE_SEQUENTIAL)
		return measure_in_turn(e, all, s, failure, err);
	for (unsigned b = 0; rc == 0 && b < s->blocks; b++) {
		s->block_at_ns[b] = ba_now_ns() - start;
		for (unsigned k = 0; rc == 0 && k < s->positions; k++)
			rc = measure_visit(
				e, all, s, (size_t)b * s->positions + k, failure, err);
		rc = rc ? rc : look_at_clock(e, all, s, b, err);
	}
	return rc;
}

int ba_engine_measure(ba_engine *e, ba_samples *s, const char *mode, unsigned discard,
	ba_clock_report *clocks, ba_failure *failure, ba_error *err)
{
	int64_t start = ba_now_ns();
	const portion all = {.s = s,
		.mode = mode,
		.discard = discard,
		.positions = s->positions,
		.blocks = s->blocks,
		.clocks = clocks};
	bool together = e->seat_count == 1 && !e->spec->programs;
	int rc = together ? measure_together(e, &all, s, failure, err)
			  : measure_apart(e, &all, s, failure, err);
	s->wall_ns = ba_now_ns() - start;
	return rc;
}
