#include "config/config.h"
#include "config/schema.h"
#include "json/json.h"

#define TIMEOUT_NS \
	(3600 * BA_SECOND) /* generous, because CUDA code compiles slowly and builds rarely hang */
#define THRESHOLD 0.02

void ba_config_init(ba_config *c)
{
	*c = (ba_config){.build.timeout_ns = TIMEOUT_NS,
		.thresholds.fallback = {.slower = THRESHOLD, .faster = THRESHOLD},
		.overlay_from = BA_OVERLAY_CANDIDATE};
	ba_code_limits_default(c->code.limits);
}

void ba_numbers_set(ba_numbers *n, const uint64_t *items, size_t count)
{
	free(n->items);
	n->items = ba_xreallocarray(NULL, count + 1, sizeof(*items));
	memcpy(n->items, items, count * sizeof(*items));
	n->count = count;
}

BA_OWNS(ba_config, c, BA_FREE_ARRAY(ba_strv_dispose, c->build.commands, c->build.command_count),
	BA_DISPOSE(ba_strv, &c->build.env, &c->build.inputs, &c->build.artefacts,
		&c->build.irrelevant),
	BA_FREE_EACH(s, c->suites, c->suite_count,
		BA_FREE(s->name, s->library, s->task, s->candidate, s->metric, s->args.items,
			s->bytes.items, s->loops.items),
		BA_DISPOSE(ba_strv, &s->command, &s->programs, &s->pythonpath, &s->regimes,
			&s->size, &s->axes, &s->paths)),
	free(c->verdict_on),
	BA_DISPOSE(ba_strv, &c->sandbox.readable, &c->sandbox.writable, &c->sandbox.env),
	BA_FREE_EACH(x, c->thresholds.rules, c->thresholds.count, free(x->match)),
	BA_DISPOSE(ba_strv, &c->overlay, &c->expected, &c->environments, &c->code.paths,
		&c->code.fail_on, &c->code.allow),
	BA_FREE(c->expected_file, c->name, c->text))

static int parse(ba_json **out, const char *name, const char *text, size_t size, ba_error *err)
{
	const ba_json_options options = {.name = name,
		.comments = true,
		.positions = true,
		.unique_keys = true,
		.ceiling = BA_CONFIG_CEILING,
		.error_code = BA_ECONFIG};
	return ba_json_parse(out, text, size, &options, err);
}

int ba_config_load_text(
	ba_config *c, const char *name, const char *text, size_t size, ba_error *err)
{
	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	BA_TRY(parse(&doc, name, text, size, err));
	ba_text_replace(&c->name, name);
	ba_text_own(&c->text, ba_xstrndup(text, size));
	return ba_config_read(c, ba_json_root(doc), err);
}

int ba_config_load(ba_config *c, const char *path, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	int rc = ba_fs_read(&text, path, BA_CONFIG_CEILING, err);
	if (rc == BA_ENOTFOUND)
		return rc;
	if (rc < 0) /* it is a directory, not readable, or too large */
		return ba_error_as(err, BA_ECONFIG);
	return ba_config_load_text(c, path, text.data, text.len, err);
}

void ba_config_origin_text(ba_buf *out, const ba_config *c, ba_value_origin origin)
{
	if (origin.kind == BA_ORIGIN_FILE)
		ba_buf_printf(out, "%s:%u", c->name, origin.line);
	else
		ba_buf_puts(
			out, origin.kind == BA_ORIGIN_DEFAULT ? "the default" : "the command line");
}

int ba_config_set_threshold(ba_config *c, const char *text, ba_error *err)
{
	ba_threshold t = {.origin = {BA_ORIGIN_COMMAND_LINE, 0}};
	BA_TRY(ba_threshold_parse(&t, text, "--threshold", err));
	c->thresholds.fallback = t;
	c->thresholds.overridden = true;
	return 0;
}

BA_OWNS(ba_suite_list, l, free(l->items))

void ba_config_set_sandbox(ba_config *c)
{
	c->sandbox.on = true;
	c->sandbox_origin = (ba_value_origin){BA_ORIGIN_COMMAND_LINE, 0};
}

int ba_config_add_overlay(ba_config *c, const ba_strv *paths, ba_error *err)
{
	for (size_t i = 0; i < paths->count; i++) {
		const char *path = paths->items[i];
		BA_AUTO_FREE char *safe = ba_text_safe(path);
		while (ba_text_starts(path, "./"))
			path += 2;
		if (!ba_path_is_inside(path) || strcmp(path, ".") == 0)
			return ba_fail(err, BA_EINVAL,
				"--overlay '%s': name a file or folder from the top of the repository, as in 'bench' or 'tests/bench.py'",
				safe);
		if (!ba_strv_has(&c->overlay, path))
			ba_strv_push(&c->overlay, path);
	}
	if (paths->count)
		c->overlay_from = BA_OVERLAY_WORKTREE;
	return 0;
}

/* ---- differences of two configurations ---- */

#define SHOWN 60 /* columns shown of a value */

static char *shown(ba_json_value v)
{
	BA_AUTO_FREE char *text = ba_json_text(v);
	return ba_text_shorten(text, SHOWN, true);
}

static void say(ba_strv *out, ba_json_value ours, ba_json_value theirs)
{
	BA_AUTO_FREE char *path = ba_json_path(ba_json_is(ours) ? ours : theirs);
	if (!ba_json_is(theirs)) {
		ba_strv_printf(out, "%s was removed", path);
		return;
	}
	BA_AUTO_FREE char *b = shown(theirs);
	if (!ba_json_is(ours)) {
		ba_strv_printf(out, "%s is new: %s", path, b);
		return;
	}
	BA_AUTO_FREE char *a = shown(ours);
	ba_strv_printf(out, "%s is %s, not %s", path, b, a);
}

static void compare(ba_strv *out, ba_json_value ours, ba_json_value theirs)
{
	if (ba_json_type_of(ours) != BA_JSON_OBJECT || ba_json_type_of(theirs) != BA_JSON_OBJECT) {
		BA_AUTO_FREE char *a = ba_json_text(ours), *b = ba_json_text(theirs);
		if (strcmp(a, b) != 0)
			say(out, ours, theirs);
		return;
	}
	BA_JSON_EACH (v, ours) {
		ba_json_value w = ba_json_find(theirs, ba_json_key(v));
		if (strcmp(ba_json_key(v), "$schema") == 0)
			continue;
		if (ba_json_is(w))
			compare(out, v, w);
		else
			say(out, v, w);
	}
	BA_JSON_EACH (w, theirs)
		if (!ba_json_is(ba_json_find(ours, ba_json_key(w))) &&
			strcmp(ba_json_key(w), "$schema") != 0)
			say(out, (ba_json_value){0}, w);
}

int ba_config_differences(ba_strv *out, const char *ours, size_t our_size, const char *theirs,
	size_t their_size, const char *their_name, ba_error *err)
{
	BA_AUTO_PTR(ba_json) ba_json *a = NULL, *b = NULL;
	int rc = parse(&a, their_name, ours, our_size, err);
	rc = rc ? rc : parse(&b, their_name, theirs, their_size, err);
	if (rc == 0)
		compare(out, ba_json_root(a), ba_json_root(b));
	return rc;
}
