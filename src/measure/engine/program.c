#include "ba_build.h"
#include "engine/box.h"
#include "engine/foreign_code.h"
#include "engine/row.h"
#include "proc/affinity.h"

#define NS_MOST (UINT64_C(1) << 62)
#define KHZ_MOST 100000000u
#define HOOK_VARIABLE "BENCH_AGAINST_HOOK="

/* ---- the beginning ---- */

/* The library for which the preload library speaks in that program (measure/hook), or NULL. */
static const char *hook_of(const char *const *env)
{
	while (env && *env && !ba_text_starts(*env, HOOK_VARIABLE))
		env++;
	return env && *env ? *env + strlen(HOOK_VARIABLE) : NULL;
}

/* Makes two processes do the same work: fixed hash seeds, and no garbage collection
 * during a call (docs/workers.md). */
static void counting_environment(ba_strv *out, const char *const *env, const char *observer)
{
	bool hooked = hook_of(env);
	for (const char *const *e = env; *e; e++)
		if (observer && ba_text_starts(*e, "LD_PRELOAD=") && hooked)
			/* before a driver that the program is linked with */
			ba_strv_printf(out, "LD_PRELOAD=%s:%s", observer, strchr(*e, '=') + 1);
		else if (!ba_text_starts(*e, "PYTHONHASHSEED="))
			ba_strv_push(out, *e);
	ba_strv_push(out, "PYTHONHASHSEED=0");
	ba_strv_push(out, "BENCH_AGAINST_COUNT=1");
	if (observer)
		ba_strv_printf(out, "BENCH_AGAINST_CENSUS=%s", observer);
}

/* What is looked at in a process in which nothing warm is timed. */
static void watched_environment(ba_strv *out, const char *const *env, const char *observer)
{
	for (const char *const *e = env; *e; e++)
		ba_strv_push(out, *e);
	if (observer)
		ba_strv_printf(out, "BENCH_AGAINST_CENSUS=%s", observer);
	else
		BA_STRV_PUSH(out, "PYTHONPROFILEIMPORTTIME=1", "BENCH_AGAINST_IMPORTS=1");
}

/* The process can no longer be used. Takes the text. */
static int blame(const ba_worker_slot *s, char *text, ba_failure *f)
{
	int rc = ba_failure_blame(f, s->variants[0], text);
	f->gone = true;
	f->output = s->link ? ba_link_output(s->link) : NULL;
	return rc;
}

int ba_program_hail(ba_worker_slot *s, bool early, ba_failure *f)
{
	const ba_engine_spec *e = s->spec;
	const ba_program *p = &e->programs[s->variants[0]];
	BA_AUTO(ba_strv) ba_strv env = {0};
	if (e->counts)
		counting_environment(&env, p->env, e->observer);
	else if (e->lists_imports || e->observer)
		watched_environment(&env, p->env, e->observer);
	BA_AUTO(ba_box) ba_box box = {0};
	const ba_sandbox *sandbox;
	BA_AUTO_FD int theirs = -1;
	BA_TRY(ba_box_of(&sandbox, &box, e, s->variants, 1, NULL, f->err));
	box.sandbox.pinned = box.sandbox.pinned && !early;
	BA_TRY(ba_library_open_socket(s, &theirs, f->err));
	const ba_link_spec spec = {.name = e->variants[s->variants[0]].label,
		.sandbox = sandbox,
		.argv = p->argv,
		.env = env.count ? (const char *const *)env.items : p->env,
		.dir = p->dir,
		.fixed_addresses = e->counts,
		.socket = theirs < 0 ? 0 : theirs,
		.idle_limit_ns = e->idle_limit_ns,
		.stop = e->stop};
	BA_TRY(ba_start_begin(s, f->err));
	int rc = ba_link_start_program(&s->link, &spec, f->err);
	if (rc == BA_ENOTFOUND)
		return blame(s, ba_xstrdup(f->err->text), f);
	return rc ? rc : ba_worker_slot_fail(s, ba_link_hail_program(s->link, f->err), f);
}

/* While it waits for a request: does all its code belong to its tree? */
static int check_code(const ba_worker_slot *s, ba_failure *f)
{
	char *stranger = ba_foreign_code_mapped(ba_link_pid(s->link), s->spec, s->variants[0]);
	return stranger ? blame(s, stranger, f) : 0;
}

/* Folders whose modules belong to another variant, or to the user's working tree. */
static void put_strangers(ba_buf *m, const ba_worker_slot *s)
{
	const ba_engine_spec *spec = s->spec;
	const char *mine = spec->variants[s->variants[0]].tree_dir;
	BA_AUTO(ba_strv) ba_strv folders = {0};
	for (size_t v = 0; v < spec->variant_count; v++) {
		const char *tree = spec->variants[v].tree_dir;
		if (tree && mine && strcmp(tree, mine) != 0)
			ba_strv_push(&folders, tree);
	}
	if (spec->checkout && *spec->checkout)
		ba_strv_push(&folders, spec->checkout);
	BA_MESSAGE_ADD(m, BA_SAY_TEXTS("not_from", folders));
}

static int send_open(ba_worker_slot *s, ba_failure *f)
{
	const ba_engine_spec *spec = s->spec;
	const ba_variant *v = &spec->variants[s->variants[0]];
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	const char *own = spec->programs[s->variants[0]].driver;
	/* other drivers are used only by our tests */
	const char *driver = strcmp(spec->target, "fake") == 0 ? spec->driver : own;
	/* in a sandbox it cannot choose its processor, and already runs on the right
	 * one */
	int cpu = spec->sandbox ? -1 : spec->cpu;
	/* they start and prepare at the same time on separate processors. The processor
	 * for timing is included unless it is timing now */
	int with = spec->starts_apart ? -1 : spec->cpu;
	size_t number = spec->starts_from + s->variants[0];
	BA_MESSAGE(&m, "open", BA_SAY_TEXT("target", spec->target),
		BA_SAY_TEXT("driver", driver ? driver : ""), BA_SAY_I64("device", spec->device),
		BA_SAY_I64("cpu", cpu),
		BA_SAY_I64("start_cpu",
			cpu < 0 || spec->times_starts ? -1 : ba_affinity_nth(number, with)),
		BA_SAY_TEXT("label", v->label), BA_SAY_TEXT("tree", v->tree_dir));
	put_strangers(&m, s);
	return ba_worker_slot_send(s, &m, f);
}

static int hear_benchmark(
	void *data, const ba_message *m, const size_t *variants, size_t n, ba_error *err)
{
	return strcmp(m->type, "benchmark") == 0 ? ba_variant_facts_declare(data, m, err) : 0;
}

static int list(ba_worker_slot *s, ba_survey *survey, ba_failure *f)
{
	ba_variant_facts *facts = &survey->variants[s->variants[0]];
	BA_AUTO(ba_message) ba_message reply = {0};
	ba_error why;
	BA_TRY(ba_worker_slot_request(
		s, "list", NULL, 0, "listed", &reply, (ba_hearer){hear_benchmark, facts}, f));
	ba_message_texts(&facts->objects, &reply, "objects");
	ba_message_texts(&facts->sha256, &reply, "sha256");
	ba_message_texts(&facts->harness, &reply, "harness");
	ba_message_texts(&facts->harness_sha256, &reply, "harness_sha256");
	ba_message_texts(&facts->distributions, &reply, "distributions");
	ba_message_texts(&facts->loads, &reply, "loads");
	if (ba_declared_check(facts->declared, facts->declared_count, &why))
		return blame(s, ba_xstrdup(why.text), f);
	return check_code(s, f);
}

/* The tool puts its own module first in PYTHONPATH, which a command can ignore. */
static void warn_of_other_module(const ba_worker_slot *s)
{
	static const char module[] = "bench_against_worker ";
	const char *name = ba_link_program_name(s->link), *said = name + strlen(module);
	if (!ba_text_starts(name, module) ||
		(ba_text_starts(said, BA_VERSION) && strchr(",", said[strlen(BA_VERSION)])))
		return;
	ba_log_printf(s->spec->log, BA_LOG_WARNING,
		"%s: its benchmarks run with an installed bench_against_worker %.*s; this tool has version " BA_VERSION
		". Either let the command of the suite use PYTHONPATH (python3 without -I and -E), or install the same version",
		s->spec->variants[s->variants[0]].label, (int)strcspn(said, ","), said);
}

/* A program that needs the preload library (measure/hook) ended without it. */
static void explain_no_hook(const ba_worker_slot *s, ba_failure *f)
{
	const char *hook = hook_of(s->spec->programs[s->variants[0]].env);
	/* or the library itself said why */
	if (!hook || !f->text || strstr(f->text, "kind 'command'"))
		return;
	ba_text_own(&f->text,
		ba_xprintf(
			"%s; no process of its command ran benchmarks of that library (the suite's kind is '%s'): name the program with its flags, or measure whole runs of it with kind 'command'",
			f->text, hook));
}

int ba_program_start(ba_worker_slot *s, ba_failure *f)
{
	int rc = s->link ? 0 : ba_program_hail(s, false, f);
	/* the others start meanwhile, so do not wait for hello here; unless each part is timed */
	if (rc == 0 && s->spec->times_starts) {
		rc = ba_worker_slot_fail(s, ba_link_hear_hello(s->link, f->err), f);
		if (rc == 0)
			ba_start_ready(s);
	}
	rc = rc ? rc : send_open(s, f);
	if (rc == BA_EVARIANT && s->link)
		explain_no_hook(s, f); /* it ended before it could be asked */
	return rc;
}

int ba_program_open(ba_worker_slot *s, ba_survey *survey, ba_failure *f)
{
	BA_AUTO(ba_message) ba_message reply = {0};
	int rc = ba_worker_slot_fail(s, ba_link_hear_hello(s->link, f->err), f);
	if (rc == BA_EVARIANT)
		explain_no_hook(s, f);
	if (rc == 0 && survey)
		warn_of_other_module(s);
	rc = rc ? rc : ba_worker_slot_await(s, "opened", &reply, (ba_hearer){0}, f);
	if (rc == 0)
		ba_start_loaded(s);
	if (rc || (!survey && !s->spec->counts))
		return rc;
	/* one of the processes that count may answer the survey, too: they all do the same
	 * work before their counts */
	BA_AUTO(ba_survey)
	ba_survey ignored = {.variant_count = s->spec->variant_count,
		.variants = ba_xcalloc(s->spec->variant_count, sizeof(*ignored.variants))};
	return list(s, survey ? survey : &ignored, f);
}

/* ---- one benchmark ---- */

int ba_program_ask_prepare(ba_worker_slot *s, const ba_prepare *p, ba_failure *f)
{
	if (!p->wanted[s->variants[0]])
		return 0;
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	BA_MESSAGE(&m, "prepare", BA_SAY_TEXT("benchmark", p->benchmark->id));
	ba_library_put_case(&m, p);
	BA_MESSAGE_ADD(&m, BA_SAY_BOOL("check", p->check),
		BA_SAY_IF(p->first_call, BA_SAY_BOOL("first_call", true)));
	return ba_worker_slot_send(s, &m, f);
}

int ba_program_prepare(ba_worker_slot *s, const ba_prepare *p, ba_failure *f)
{
	if (!p->wanted[s->variants[0]])
		return 0;
	BA_TRY(ba_library_prepare(s, p, f));
	return check_code(s, f);
}

/* If a worker supports only one flush and not the requested one, its times are not what
 * the results say. */
static int check_flush(const ba_worker_slot *s, const ba_message *reply, ba_failure *f)
{
	const char *flush = s->spec->flush;
	if (!flush || strcmp(flush, "read") == 0 ||
		strcmp(ba_message_text(reply, "flush"), flush) == 0)
		return 0;
	return blame(
		s, ba_xprintf("its worker cannot flush the L2 cache as --flush %s asks", flush), f);
}

static int read_times(ba_samples *s, size_t visit, const ba_message *reply, ba_error *err)
{
	uint64_t *ns = s->ns + visit * s->readings, khz = 0;
	int rc = ba_message_u64s(ns, s->readings, reply, "ns", err);
	for (unsigned i = 0; rc == 0 && i < s->readings; i++)
		if (ns[i] == 0 || ns[i] > NS_MOST)
			rc = ba_fail(
				err, BA_EPROTOCOL, "reports a reading of %" PRIu64 " ns", ns[i]);
	if (rc == 0 && ba_message_has(reply, "khz"))
		rc = ba_message_u64(&khz, reply, "khz", err);
	if (rc == 0 && khz > KHZ_MOST)
		rc = ba_fail(err, BA_EPROTOCOL, "reports a clock of %" PRIu64 " kHz", khz);
	if (rc || khz == 0)
		return rc;
	if (!s->khz)
		s->khz = ba_xcalloc((size_t)s->blocks * s->positions, sizeof(*s->khz));
	s->khz[visit] = khz;
	return 0;
}

int ba_program_visit(ba_worker_slot *s, const ba_visits *q, size_t visit, ba_failure *f)
{
	bool cold = ba_text_ends(q->mode, "_cold");
	BA_AUTO(ba_message) ba_message reply = {0};
	ba_error why;
	BA_TRY(ba_worker_slot_request(s, "measure",
		BA_SAYS(BA_SAY_TEXT("mode", q->mode), BA_SAY_U64("batch", q->s->batch),
			BA_SAY_U64("readings", q->s->readings), BA_SAY_U64("discard", q->discard),
			BA_SAY_IF(cold, BA_SAY_TEXT("flush", s->spec->flush))),
		"measured", &reply, (ba_hearer){0}, f));
	BA_TRY(cold ? check_flush(s, &reply, f) : 0);
	return read_times(q->s, visit, &reply, &why) ? ba_worker_slot_reject(s, &why, f) : 0;
}
