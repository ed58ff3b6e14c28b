/* The keys of the configuration, with one row each. */

#include "config/schema.h"

static int fail_unknown(ba_error *err, ba_json_value v, const ba_key_row *rows)
{
	const char *names[32] = {0};
	BA_AUTO(ba_buf) ba_buf list = BA_BUF_INIT;
	for (size_t i = 0; i < 31 && rows[i].name; i++) {
		names[i] = rows[i].name;
		ba_buf_printf(&list, "%s'%s'", i ? ", " : "", rows[i].name);
	}
	const char *near = ba_text_nearest(ba_json_key(v), names);
	if (near)
		return ba_json_fail(err, v, "is not known; did you mean '%s'?", near);
	return ba_json_fail(err, v, "is not known; the keys here are %s", list.data);
}

int ba_section_read(void *section, ba_json_value object, const ba_key_row *rows, ba_error *err)
{
	BA_TRY(ba_json_as_object(&object, object, err));
	BA_JSON_EACH (v, object) {
		const ba_key_row *row = rows;
		while (row->name && strcmp(row->name, ba_json_key(v)) != 0)
			row++;
		if (!row->name)
			return fail_unknown(err, v, rows);
		BA_TRY(row->read((char *)section + row->field, v, row, err));
		if (row->origin)
			*(ba_value_origin *)(void *)((char *)section + row->origin) =
				(ba_value_origin){BA_ORIGIN_FILE, ba_json_line(v)};
	}
	return 0;
}

#define BUILD(field) offsetof(ba_build_config, field)

static const ba_key_row build_rows[] = {
	{"command", ba_read_command, 0},
	{"commands", ba_read_commands, 0},
	{"env", ba_read_strings, BUILD(env), .check = ba_check_variable},
	{"timeout", ba_read_duration, BUILD(timeout_ns)},
	{"inputs", ba_read_strings, BUILD(inputs), .check = ba_check_path},
	{"artefacts", ba_read_strings, BUILD(artefacts), .check = ba_check_path},
	{"irrelevant", ba_read_strings, BUILD(irrelevant), .check = ba_check_text},
	{"jobs", ba_read_u64, BUILD(jobs), 1, 256},
	{NULL},
};

int ba_read_word(int *out, ba_json_value v, const char *const *words, ba_error *err)
{
	const char *text;
	BA_TRY(ba_json_as_string(&text, v, err));
	BA_AUTO(ba_buf) ba_buf list = BA_BUF_INIT;
	for (int i = 0; words[i]; i++) {
		if (!strcmp(words[i], text)) {
			*out = i;
			return 0;
		}
		ba_buf_printf(&list, "%s'%s'", i ? ", " : "", words[i]);
	}
	BA_AUTO_FREE char *safe = ba_text_safe(text);
	return ba_json_fail(err, v, "must be one of %s, is '%s'", list.data, safe);
}

static int read_enum(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	return ba_read_word(field, v, row->words, err);
}

/* Reads one of the words as a bool: true only for the second. */
static int read_second(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	int word = 0;
	BA_TRY(ba_read_word(&word, v, row->words, err));
	*(bool *)field = word == 1;
	return 0;
}

static int read_section(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	return ba_section_read(field, v, row->rows, err);
}

static const char *const overlay_sources[] = {[BA_OVERLAY_BASELINE] = "baseline",
	[BA_OVERLAY_CANDIDATE] = "candidate",
	[BA_OVERLAY_WORKTREE] = "worktree",
	NULL};

static const ba_key_row overlay_rows[] = {
	{"from", read_enum, offsetof(ba_config, overlay_from), .words = overlay_sources},
	{"paths", ba_read_strings, offsetof(ba_config, overlay), .check = ba_check_path},
	{NULL},
};

static int read_overlay(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	ba_config *c = field;
	if (ba_json_type_of(v) == BA_JSON_ARRAY)
		return ba_strings_read(&c->overlay, v, ba_check_path, err);
	int rc = ba_section_read(c, v, overlay_rows, err);
	if (!rc && !c->overlay.count)
		rc = ba_json_fail(err, v, "has no 'paths'");
	return rc;
}

static const char *const gate_modes[] = {"default", "strict", NULL};

/* Reads a file of the tree, or a list of globs. */
static int read_expected(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	ba_config *c = field;
	if (ba_json_type_of(v) == BA_JSON_STRING)
		return ba_read_text(&c->expected_file, v, row, err);
	int rc = ba_strings_read(&c->expected, v, ba_check_text, err);
	if (!rc && !c->expected.count)
		rc = ba_json_fail(err, v, "expects nothing; leave it out, or name benchmarks");
	return rc;
}

/* "cuda", which a CUDA project may prefer, means "gpu" */
static const char *const targets[] = {"gpu", "host", "cuda", NULL};

static const ba_key_row gate_rows[] = {
	{"mode", read_second, offsetof(ba_config, gate_strict), .words = gate_modes},
	{"expected", read_expected, 0, .check = ba_check_path},
	{"environments", ba_read_strings, offsetof(ba_config, environments),
		.check = ba_check_text},
	{"lane", read_enum, offsetof(ba_config, lane), .origin = offsetof(ba_config, lane_origin),
		.words = ba_lane_words},
	{NULL},
};

#define SANDBOX(field) offsetof(ba_sandbox_config, field)

static const ba_key_row sandbox_rows[] = {
	{"network", ba_read_bool, SANDBOX(network)},
	{"readable", ba_read_strings, SANDBOX(readable), .check = ba_check_place},
	{"writable", ba_read_strings, SANDBOX(writable), .check = ba_check_place},
	{"env", ba_read_strings, SANDBOX(env), .check = ba_check_variable},
	{NULL},
};

/* Reads true, false, or an object, which implies true. */
static int read_sandbox(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	ba_sandbox_config *s = field;
	if (ba_json_type_of(v) == BA_JSON_BOOL)
		return ba_json_as_bool(&s->on, v, err);
	if (ba_json_type_of(v) != BA_JSON_OBJECT)
		return ba_json_fail(err, v, "must be true, false or an object, is %s",
			ba_json_type_name(ba_json_type_of(v)));
	s->on = true;
	return ba_section_read(s, v, sandbox_rows, err);
}

/* ---- code ---- */

static const char *const fail_words[] = {"changed", "renamed", "added", "removed", "any", NULL};

int ba_config_check_fail_on(const char *word, ba_error *err)
{
	if (BA_ANY(fail_words, BA_COUNT(fail_words) - 1, x, strcmp(*x, word) == 0))
		return 0;
	return ba_fail(err, BA_EINVAL,
		"'%s' is not one of 'changed', 'renamed', 'added', 'removed' and 'any'", word);
}

static int check_fail_on(ba_json_value item, const char *text, ba_error *err)
{
	int word;
	return ba_read_word(&word, item, fail_words, err);
}

static int read_limits(void *field, ba_json_value v, const ba_key_row *row, ba_error *err)
{
	ba_code_limit *limits = field;
	BA_TRY(ba_json_as_object(&v, v, err));
	BA_JSON_EACH (item, v) {
		const char *text;
		int m = ba_code_metric_from_name(ba_json_key(item));
		if (m < 0)
			return ba_json_fail(
				err, item, "is not a metric of code; docs/code.md lists them");
		BA_TRY(ba_json_as_string(&text, item, err));
		if (ba_code_limit_parse(&limits[m], text, "", NULL))
			return ba_json_fail(err, item,
				"is not a limit: '%s'; write \"+8\" (8 more), \"5%%\", \"0\" (not worse) or \"any\"",
				text);
	}
	return 0;
}

#define CODE(field) offsetof(ba_code_config, field)

static const ba_key_row code_rows[] = {
	{"paths", ba_read_strings, CODE(paths), .check = ba_check_path},
	{"limits", read_limits, CODE(limits)},
	{"fail_on", ba_read_strings, CODE(fail_on), .check = check_fail_on},
	{"allow", ba_read_strings, CODE(allow), .check = ba_check_text},
	{"block", ba_read_u64, CODE(block), 1, 1024},
	{NULL},
};

#define CONFIG(field) offsetof(ba_config, field)

static const ba_key_row config_rows[] = {
	{"$schema", ba_read_nothing, 0},
	{"build", read_section, CONFIG(build), .rows = build_rows},
	{"suites", ba_read_suites, 0},
	{"thresholds", ba_read_thresholds, CONFIG(thresholds)},
	{"overlay", read_overlay, 0},
	{"gate", read_section, 0, .rows = gate_rows},
	{"target", read_second, CONFIG(host_target), .words = targets},
	{"verdict_on", ba_read_text, CONFIG(verdict_on), .check = ba_check_text},
	{"sandbox", read_sandbox, CONFIG(sandbox), .origin = CONFIG(sandbox_origin)},
	{"code", read_section, CONFIG(code), .rows = code_rows},
	{NULL},
};

int ba_config_read(ba_config *c, ba_json_value root, ba_error *err)
{
	return ba_section_read(c, root, config_rows, err);
}

const char *const *ba_config_keys(const char *section)
{
	static const struct {
		const char *section;
		const ba_key_row *rows;
	} sections[] = {{"", config_rows}, {"build", build_rows}, {"suite", ba_launcher_rows},
		{"worker", ba_worker_rows}, {"command", ba_command_rows},
		{"plugin", ba_plugin_rows}, {"task", ba_task_rows},
		{"thresholds", ba_thresholds_rows}, {"threshold", ba_threshold_rows},
		{"rule", ba_rule_rows}, {"overlay", overlay_rows}, {"gate", gate_rows},
		{"sandbox", sandbox_rows}, {"code", code_rows}};
	enum { SECTIONS = BA_COUNT(sections) };
	static const char *names[SECTIONS][32];
	for (size_t i = 0; i < SECTIONS; i++) {
		if (strcmp(sections[i].section, section) != 0)
			continue;
		for (size_t k = 0; sections[i].rows[k].name; k++)
			names[i][k] = sections[i].rows[k].name;
		return names[i];
	}
	return NULL;
}
