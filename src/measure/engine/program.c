
#include <inttypes.h>

#include "ba_build.h"
#include "engine/box.h"
#include "engine/declared.h"
#include "engine/foreign_code.h"
#include "engine/program_talk.h"
#include "proc/affinity.h"

#define NS_MOST (UINT64_C(1) << 62)
#define KHZ_MOST 100000000u

/* ---- the beginning ---- */

/* Makes two processes do the same work: fixed hash seeds, and no garbage collection
 * during a call (docs/workers.md). */
static void counting_environment(ba_strv *out, const char *const *env, const char *observer)
{
	for (const char *const *e = env; *e; e++)
		if (!ba_text_starts(*e, "PYTHONHASHSEED="))
			ba_strv_push(out, *e);
	ba_strv_push(out, "PYTHONHASHSEED=0");
	ba_strv_push(out, "BENCH_AGAINST_COUNT=1");
	if (observer)
		ba_strv_push_take(out, ba_xprintf("BENCH_AGAINST_CENSUS=%s", observer));
}

static int start(ba_talk *t, ba_worker_slot *s)
{
	const ba_program *p = &t->spec->programs[t->variant];
	BA_AUTO(ba_strv) ba_strv env = {0};
	if (t->spec->counts)
		counting_environment(&env, p->env, t->spec->observer);
	BA_AUTO(ba_box) ba_box box = {0};
	const ba_sandbox *sandbox;
	BA_AUTO_FD int theirs = -1;
	BA_TRY(ba_box_of(&sandbox, &box, t->spec, &t->variant, 1, NULL, t->f->err));
	BA_TRY(ba_library_open_socket(s, &theirs, t->f->err));
	const ba_link_spec spec = {.name = t->spec->variants[t->variant].label,
		.sandbox = sandbox,
		.argv = p->argv,
		.env = t->spec->counts ? (const char *const *)env.items : p->env,
		.dir = p->dir,
		.fixed_addresses = t->spec->counts,
		.socket = theirs < 0 ? 0 : theirs,
		.idle_limit_ns = t->spec->idle_limit_ns,
		.stop = t->spec->stop};
	int rc = ba_link_start_program(&t->link, &spec, t->f->err);
	if (rc == BA_ENOTFOUND)
		return ba_talk_fail_variant(t, ba_xstrdup(t->f->err->text), true);
	return rc ? rc : ba_talk_fail_link(t, ba_link_hail_program(t->link, t->f->err));
}

/* While it waits for a request: does all its code belong to its tree? */
static int check_code(const ba_talk *t)
{
	char *stranger = ba_foreign_code_mapped(ba_link_pid(t->link), t->spec, t->variant);
	return stranger ? ba_talk_fail_variant(t, stranger, true) : 0;
}

/* Folders whose modules belong to another variant, or to the user's working tree. */
static void put_strangers(ba_buf *m, const ba_talk *t)
{
	const ba_engine_spec *spec = t->spec;
	const char *mine = spec->variants[t->variant].tree_dir;
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

static int send_open(const ba_talk *t)
{
	const ba_variant *v = &t->spec->variants[t->variant];
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	const char *own = t->spec->programs[t->variant].driver;
	/* other drivers are used only by our tests */
	const char *driver = strcmp(t->spec->target, "fake") == 0 ? t->spec->driver : own;
	BA_MESSAGE(&m, "open", BA_SAY_TEXT("target", t->spec->target),
		BA_SAY_TEXT("driver", driver ? driver : ""), BA_SAY_I64("device", t->spec->device));
	/* in a sandbox it cannot choose its processor, and already runs on the right
	 * one */
	int cpu = t->spec->sandbox ? -1 : t->spec->cpu;
	BA_MESSAGE_ADD(&m, BA_SAY_I64("cpu", cpu));
	/* they start and prepare at the same time on separate processors. The processor
	 * for timing is included unless it is timing now */
	int with = t->spec->starts_apart ? -1 : t->spec->cpu;
	BA_MESSAGE_ADD(&m,
		BA_SAY_I64("start_cpu",
			cpu < 0 ? -1 : ba_affinity_nth(t->spec->starts_from + t->variant, with)),
		BA_SAY_TEXT("label", v->label), BA_SAY_TEXT("tree", v->tree_dir));
	put_strangers(&m, t);
	return ba_talk_send(t, &m);
}

static int hear_benchmark(void *data, const ba_message *m, ba_error *err)
{
	return strcmp(m->type, "benchmark") == 0 ? ba_variant_facts_declare(data, m, err) : 0;
}

static int list(ba_talk *t, ba_survey *survey)
{
	ba_variant_facts *f = &survey->variants[t->variant];
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	BA_AUTO(ba_message) ba_message reply = {0};
	ba_error why;
	t->hear = hear_benchmark;
	t->data = f;
	ba_message_begin(&m, "list");
	BA_TRY(ba_talk_ask(t, &m, "listed", &reply));
	ba_message_texts(&f->objects, &reply, "objects");
	ba_message_texts(&f->sha256, &reply, "sha256");
	ba_message_texts(&f->harness, &reply, "harness");
	ba_message_texts(&f->harness_sha256, &reply, "harness_sha256");
	if (ba_declared_check(f->declared, f->declared_count, &why))
		return ba_talk_fail_variant(t, ba_xstrdup(why.text), true);
	return check_code(t);
}

/* The tool puts its own module first in PYTHONPATH, which a command can ignore. */
static void warn_of_other_module(const ba_talk *t)
{
	static const char module[] = "bench_against_worker ";
	const char *name = ba_link_program_name(t->link), *said = name + strlen(module);
	if (!ba_text_starts(name, module) ||
		(ba_text_starts(said, BA_VERSION) && strchr(",", said[strlen(BA_VERSION)])))
		return;
	ba_log_printf(t->spec->log, BA_LOG_WARNING,
		"%s: its benchmarks run with an installed bench_against_worker %.*s; this tool has version " BA_VERSION
		". Either let the command of the suite use PYTHONPATH (python3 without -I and -E), or install the same version",
		t->spec->variants[t->variant].label, (int)strcspn(said, ","), said);
}

/* A program that needs the preload library (measure/hook) ended without it. */
static void explain_no_hook(const ba_talk *t)
{
	static const char variable[] = "BENCH_AGAINST_HOOK=";
	const char *const *e = t->spec->programs[t->variant].env;
	while (e && *e && !ba_text_starts(*e, variable))
		e++;
	/* or the library itself said why */
	if (!e || !*e || !t->f->text || strstr(t->f->text, "kind 'command'"))
		return;
	char *text = ba_xprintf(
		"%s; no process of its command ran benchmarks of that library (the suite's kind is '%s'): name the program with its flags, or measure whole runs of it with kind 'command'",
		t->f->text, *e + strlen(variable));
	free(t->f->text);
	t->f->text = text;
}

int ba_program_start(ba_worker_slot *s, ba_failure *f)
{
	ba_talk t = ba_talk_with(s, f);
	int rc = start(&t, s);
	s->link = t.link;
	/* the others start meanwhile, so do not wait for hello here */
	rc = rc ? rc : send_open(&t);
	if (rc == BA_EVARIANT && t.link)
		explain_no_hook(&t); /* it ended before it could be asked */
	return rc;
}

int ba_program_open(ba_worker_slot *s, ba_survey *survey, ba_failure *f)
{
	ba_talk t = ba_talk_with(s, f);
	BA_AUTO(ba_message) ba_message reply = {0};
	int rc = ba_talk_fail_link(&t, ba_link_hear_hello(s->link, f->err));
	if (rc == BA_EVARIANT)
		explain_no_hook(&t);
	if (rc == 0 && survey)
		warn_of_other_module(&t);
	rc = rc ? rc : ba_talk_hear(&t, "opened", &reply);
	if (rc || (!survey && !s->spec->counts))
		return rc;
	/* one of the processes that count may answer the survey, too: they all do the same
	 * work before their counts */
	BA_AUTO(ba_survey)
	ba_survey ignored = {.variant_count = s->spec->variant_count,
		.variants = ba_xcalloc(s->spec->variant_count, sizeof(*ignored.variants))};
	return list(&t, survey ? survey : &ignored);
}

/* ---- one benchmark ---- */

static int hear_case(void *data, const ba_message *m, ba_error *err)
{
	(void)err;
	ba_case_read(data, m);
	return 0;
}

int ba_program_ask_prepare(ba_worker_slot *s, const ba_prepare *p, ba_failure *f)
{
	const ba_talk t = ba_talk_with(s, f);
	if (!p->wanted[t.variant])
		return 0;
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	BA_MESSAGE(&m, "prepare", BA_SAY_TEXT("benchmark", p->benchmark->id));
	ba_library_put_case(&m, p);
	BA_MESSAGE_ADD(&m, BA_SAY_BOOL("check", p->check));
	return ba_talk_send(&t, &m);
}

int ba_program_prepare(ba_worker_slot *s, const ba_prepare *p, ba_failure *f)
{
	ba_talk t = ba_talk_with(s, f);
	BA_AUTO(ba_message) ba_message reply = {0};
	if (!p->wanted[t.variant])
		return 0;
	t.hear = hear_case;
	t.data = &p->cases[t.variant];
	int rc = ba_talk_hear(&t, "prepared", &reply);
	return rc ? rc : check_code(&t);
}

/* If a worker supports only one flush and not the requested one, its times are not what
 * the results say. */
static int check_flush(const ba_talk *t, const ba_message *reply, const char *flush)
{
	if (!flush || strcmp(flush, "read") == 0 ||
		strcmp(ba_message_text(reply, "flush"), flush) == 0)
		return 0;
	return ba_talk_fail_variant(t,
		ba_xprintf("its worker cannot flush the L2 cache as --flush %s asks", flush), true);
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
	const ba_talk t = ba_talk_with(s, f);
	bool cold = ba_text_ends(q->mode, "_cold");
	BA_AUTO(ba_buf) ba_buf m = BA_BUF_INIT;
	BA_AUTO(ba_message) ba_message reply = {0};
	ba_error why;
	BA_MESSAGE(&m, "measure", BA_SAY_TEXT("mode", q->mode), BA_SAY_U64("batch", q->s->batch),
		BA_SAY_U64("readings", q->s->readings), BA_SAY_U64("discard", q->discard),
		BA_SAY_IF(cold, BA_SAY_TEXT("flush", s->spec->flush)));
	int rc = ba_talk_ask(&t, &m, "measured", &reply);
	if (rc == 0 && cold)
		rc = check_flush(&t, &reply, s->spec->flush);
	if (rc)
		return rc;
	return read_times(q->s, visit, &reply, &why) ? ba_talk_reject(&t, &why) : 0;
}
