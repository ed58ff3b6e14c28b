#include "packages/packages.h"

#include "json/fields.h"
#include "proc/proc.h"

#define LIMIT_NS (3600 * BA_SECOND)
#define ANSWER_MOST (64u << 20)
#define FILE_MOST (4u << 20)

extern const char ba_packages_script[];
BA_EMBED(ba_packages_script, BA_PACKAGES_DIR "/environments.py");

/* ---- the script ---- */

/* What it is asked, and what it answers (environments.py). */
typedef struct talk {
	const char *directory, *name, *cache;
	ba_strv parts; /* without "env:" */
	/* those of them that are files of the variant's tree */
	ba_strv files, texts;
	bool wheels, only_cached;
	bool again; /* what was resolved before is of no use */
	/* an environment; requirements of one release each, "": resolved before */
	char *dir, *pins;
	char sha256[65]; /* of what was resolved, or is installed */
	bool alone;	 /* nothing comes from the present Python */
	ba_strv distributions, versions;
	char *error, *blame;
} talk;

BA_OWNS_HERE(talk, t, BA_FREE(t->dir, t->pins, t->error, t->blame),
	BA_DISPOSE(ba_strv, &t->parts, &t->files, &t->texts, &t->distributions, &t->versions))

static const ba_json_field request_rows[] = {
	BA_FIELD_EACH(talk, TEXT, directory, name, cache, dir, pins),
	BA_FIELD_EACH(talk, LIST, parts, files, texts),
	BA_FIELD_EACH(talk, BOOL, wheels, only_cached, again, alone),
};

static const ba_json_field answer_rows[] = {
	BA_FIELD_EACH(talk, TEXT, error, blame, dir, pins),
	BA_FIELD(talk, sha256, DIGEST),
	BA_FIELD(talk, alone, BOOL),
	BA_FIELD_EACH(talk, LIST, distributions, versions),
};

static int read_answer(talk *out, const ba_proc_result *result, ba_error *err)
{
	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	const ba_json_options options = {.name = "the answer of python3"};
	if (!ba_proc_result_ok(result)) {
		BA_AUTO(ba_buf) ba_buf how = BA_BUF_INIT;
		ba_proc_result_text(&how, result);
		return ba_fail(err, BA_EIO, "environments are made by python3, which %s: %s",
			how.data, ba_text_last_lines(result->err.data, 3));
	}
	BA_TRY(ba_json_parse(&doc, result->out.data, result->out.len, &options, err));
	BA_TRY(ba_fields_read(out, BA_FIELDS(answer_rows), ba_json_root(doc), err));
	if (!*out->error)
		return 0;
	BA_AUTO_FREE char *said = ba_text_safe(out->error);
	bool variant = strcmp(out->blame, "variant") == 0;
	bool machine = strcmp(out->blame, "machine") == 0;
	int code = variant ? BA_EBUILD : machine ? BA_EIO : BA_EUNSUPPORTED;
	return ba_fail(err, code, "%s", said);
}

static int ask(
	talk *out, const char *command, talk *request, const ba_packages_options *o, ba_error *err)
{
	const char *const argv[] = {"python3", "-c", ba_packages_script, command, NULL};
	const char *scratch;
	BA_AUTO(ba_proc_result) ba_proc_result result = {0};
	BA_AUTO(ba_strv) ba_strv env = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_json_writer w = ba_json_writer_to_buf(&text, 0);
	for (const char *const *e = o->services->env; *e; e++)
		if (!ba_text_starts(*e, "PYTHONPATH="))
			ba_strv_push(&env, *e);
	request->directory = o->directory;
	request->cache = o->services->cache_root;
	request->wheels = o->wheels;
	request->only_cached = o->only_cached;
	ba_fields_write_object(&w, NULL, BA_FIELDS(request_rows), request);
	BA_TRY(ba_workspace_scratch(&scratch, o->workspace, err));
	const ba_proc_spec spec = {.argv = argv,
		.env = (const char *const *)env.items,
		.dir = scratch,
		.stdin_data = text.data,
		.stdin_size = text.len,
		.out = {BA_OUTPUT_HEAD, ANSWER_MOST},
		.err = {BA_OUTPUT_TAIL, 16 << 10},
		.limit_ns = LIMIT_NS,
		.stop = o->services->stop};
	int rc = ba_proc_run(&result, &spec, err);
	return rc ? ba_fail_context(err, "environments need a python3 in PATH")
		  : read_answer(out, &result, err);
}

/* ---- an environment in the cache ---- */

/* What a variant names. A part may be a file of its tree. */
static void take_parts(talk *request, const ba_variant *v, const ba_packages_options *o)
{
	const ba_strv *parts = &v->environment.parts;
	for (size_t i = 0; i < parts->count; i++) {
		const char *value = parts->items[i] + strlen("env:");
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		if (!ba_text_starts(parts->items[i], "env:"))
			continue;
		ba_strv_push(&request->parts, value);
		if (!ba_path_is_inside(value) || ba_text_starts(value, "./") ||
			o->read(&text, o->data, v, value, FILE_MOST))
			continue;
		ba_strv_push(&request->files, value);
		ba_strv_push_take(&request->texts, ba_buf_detach(&text));
	}
}

/* Without pins, of an environment that is no longer there: BA_ENOTFOUND. One slot is filled
 * before the next is taken, so that two runs cannot wait for each other. */
static int take_slot(ba_variant_environment *e, const talk *wish, const char *name,
	const ba_packages_options *o, ba_error *err)
{
	const ba_slot_key wanted = {wish->sha256, 0};
	BA_AUTO_FREE char *about = ba_xprintf("environment %s", name);
	BA_AUTO(talk) talk request = {.alone = wish->alone}, done = {0};
	ba_slot *slot;
	BA_TRY(ba_workspace_acquire(&slot, o->workspace, &wanted, err));
	ba_slot_describe(slot, about);
	request.dir = ba_xstrdup(ba_slot_dir(slot));
	request.pins = ba_xstrdup(wish->pins);
	int rc = ba_slot_is_complete(slot) || *wish->pins ? 0 : BA_ENOTFOUND;
	if (rc == 0 && !ba_slot_is_complete(slot)) {
		rc = ask(&done, "install", &request, o, err);
		rc = rc ? rc : ba_slot_complete(slot, err);
	}
	if (rc)
		ba_slot_release(slot);
	else
		e->dir = BA_TAKE(request.dir);
	return rc;
}

static int install(
	ba_variant *variants, size_t v, talk *found, const ba_packages_options *o, ba_error *err)
{
	ba_variant_environment *e = &variants[v].environment;
	BA_AUTO(talk) talk request = {.again = false};
	BA_AUTO_FREE char *name = ba_variant_environment_name(&variants[v]);
	BA_AUTO_FREE char *phase = ba_xprintf("preparing the environment %s", name);
	ba_job_phase(o->services, phase);
	take_parts(&request, &variants[v], o);
	int rc = BA_ENOTFOUND;
	for (int k = 0; k < 2 && rc == BA_ENOTFOUND; k++) {
		BA_AUTO(talk) talk answer = {0};
		request.again = k > 0;
		BA_TRY(ask(&answer, "find", &request, o, err));
		const ba_variant *same = BA_FIND(
			variants, v, x, strcmp(x->environment.resolved_sha256, answer.sha256) == 0);
		e->dir = *answer.dir ? BA_TAKE(answer.dir)
			 : same	     ? ba_xstrdup(same->environment.dir)
				     : NULL;
		rc = e->dir ? 0 : take_slot(e, &answer, name, o, err);
		found->alone = answer.alone;
		memcpy(found->sha256, answer.sha256, 65);
	}
	return rc;
}

int ba_packages_prepare(ba_variant *variants, size_t v, const ba_packages_options *o, ba_error *err)
{
	ba_variant_environment *e = &variants[v].environment;
	BA_AUTO(talk) talk request = {.alone = false}, found = {0};
	if (BA_ANY(e->parts.items, e->parts.count, part, ba_text_starts(*part, "env:"))) {
		BA_TRY(install(variants, v, &request, o, err));
		memcpy(e->resolved_sha256, request.sha256, 65);
		request.dir = ba_xstrdup(e->dir);
	}
	BA_TRY(ask(&found, "distributions", &request, o, err));
	e->distributions = BA_MOVE(found.distributions);
	memcpy(e->installed_sha256, found.sha256, 65);
	return 0;
}

int ba_packages_versions(
	ba_strv *out, const char *name, const ba_packages_options *options, ba_error *err)
{
	BA_AUTO(talk) talk request = {.name = name}, found = {0};
	BA_TRY(ask(&found, "versions", &request, options, err));
	*out = BA_MOVE(found.versions);
	return 0;
}
