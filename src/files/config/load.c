#include "config/schema.h"

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

int ba_config_load_text(
	ba_config *c, const char *name, const char *text, size_t size, ba_error *err)
{
	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	ba_json_options options = {.name = name,
		.comments = true,
		.positions = true,
		.unique_keys = true,
		.ceiling = BA_CONFIG_CEILING,
		.error_code = BA_ECONFIG};
	BA_TRY(ba_json_parse(&doc, text, size, &options, err));
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
