/* In a gate, one configuration applies. What differs in others is reported, else a change that
 * loosens its thresholds, or removes an expected benchmark, would go unnoticed. */

#include "variants/variants.h"

#include <fnmatch.h>

#include "config/config.h"

#define SHOWN 10 /* most differences shown for a candidate */

/* ---- the expected set ---- */

static int read_expected_text(ba_buf *text, char **name, const ba_variants *t, ba_error *err)
{
	const char *file = t->config.expected_file;
	if (t->rules) {
		*name = ba_xprintf("%s:%s", t->rules->label, file);
		return ba_variants_read(text, t, t->rules, file, BA_EXPECTED_CEILING, err);
	}
	BA_AUTO_FREE char *dir = ba_path_dir(t->config_path);
	*name = ba_path_join(dir, file);
	return ba_fs_read(text, *name, BA_EXPECTED_CEILING, err);
}

static int load_expected(ba_variants *t, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO_FREE char *name = NULL;
	if (!t->config.expected_file) {
		ba_strv_copy(&t->expected, &t->config.expected);
		return 0;
	}
	int rc = read_expected_text(&text, &name, t, err);
	if (rc == BA_ENOTFOUND)
		return ba_fail(err, BA_ECONFIG,
			"the configuration expects the benchmarks in '%s', and there is no such file; write it: %s > %s",
			name, t->request->suggest.expected, t->config.expected_file);
	return rc ? rc
		  : ba_expected_parse(&t->expected, text.data, text.len, name,
			    t->request->suggest.expected, err);
}

/* ---- what a candidate changes ---- */

static void say(ba_strv *notes, const ba_variant *v, const char *what)
{
	ba_strv_printf(notes, "%s changes the rules, which is ignored: %s", v->label, what);
}

static void say_all(ba_strv *notes, const ba_variant *v, const ba_strv *differences)
{
	for (size_t i = 0; i < differences->count && i < SHOWN; i++)
		say(notes, v, differences->items[i]);
	if (differences->count <= SHOWN)
		return;
	BA_AUTO_FREE char *more =
		ba_xprintf("and %zu more differences", differences->count - SHOWN);
	say(notes, v, more);
}

static void compare_config(ba_strv *notes, const ba_variants *t, const ba_variant *v)
{
	const char *ours = t->config.text;
	BA_AUTO(ba_buf) ba_buf theirs = BA_BUF_INIT;
	BA_AUTO(ba_strv) ba_strv differences = {0};
	ba_error err = {0};
	int rc = ba_variants_read(&theirs, t, v, BA_CONFIG_FILE, BA_CONFIG_CEILING, &err);
	if (rc == BA_ENOTFOUND) {
		say(notes, v, BA_CONFIG_FILE " was removed");
		return;
	}
	rc = rc ? rc
		: ba_config_differences(&differences, ours, strlen(ours), theirs.data, theirs.len,
			  BA_CONFIG_FILE, &err);
	if (rc)
		say(notes, v, err.text);
	else
		say_all(notes, v, &differences);
}

static void names_of(ba_buf *out, const ba_strv *in, const ba_strv *not_in)
{
	size_t count = 0;
	BA_AUTO_FREE const char **sorted = ba_xcalloc(not_in->count + 1, sizeof(*sorted));
	for (size_t i = 0; i < not_in->count; i++)
		sorted[i] = not_in->items[i];
	ba_sort_strings(sorted, not_in->count);
	for (size_t i = 0; i < in->count; i++) {
		if (ba_sorted_has(sorted, not_in->count, in->items[i]))
			continue;
		if (count < SHOWN)
			ba_buf_printf(out, "%s%s", count ? ", " : "", in->items[i]);
		count++;
	}
	if (count > SHOWN)
		ba_buf_printf(out, " and %zu more", count - SHOWN);
}

static void compare_expected(ba_strv *notes, const ba_variants *t, const ba_variant *v)
{
	const char *file = t->config.expected_file;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT, gone = BA_BUF_INIT, added = BA_BUF_INIT;
	BA_AUTO(ba_strv) ba_strv theirs = {0};
	ba_error err = {0};
	int rc = file ? ba_variants_read(&text, t, v, file, BA_EXPECTED_CEILING, &err)
		      : BA_ENOTFOUND;
	if (!file)
		return; /* the configuration's globs are already part of the comparison */
	rc = rc ? rc
		: ba_expected_parse(
			  &theirs, text.data, text.len, file, t->request->suggest.expected, &err);
	if (rc) {
		say(notes, v, err.text);
		return;
	}
	names_of(&gone, &t->expected, &theirs);
	names_of(&added, &theirs, &t->expected);
	const struct {
		const ba_buf *names;
		const char *what;
	} rows[] = {{&gone, "no longer expects"}, {&added, "also expects"}};
	for (size_t i = 0; i < 2; i++) {
		if (!rows[i].names->len)
			continue;
		BA_AUTO_FREE char *sentence =
			ba_xprintf("'%s' %s %s", file, rows[i].what, rows[i].names->data);
		say(notes, v, sentence);
	}
}

/* ---- the lane ---- */

/* The user chooses the lane before measuring: a configuration may reject a weaker one. */
static int check_lane(const ba_variants *t, ba_error *err)
{
	const ba_config *c = &t->config;
	BA_AUTO(ba_buf) ba_buf origin = BA_BUF_INIT;
	const ba_job_request *q = t->request;
	const char *engine = q->untrusted ? "untrusted" : ba_engine_words[q->engine];
	if (ba_lane_accepts(c->lane, engine, q->untrusted))
		return 0;
	ba_config_origin_text(&origin, c, c->lane_origin);
	return ba_fail(err, BA_ECONFIG,
		"%s: $.gate.lane is '%s', and this run is in a weaker lane; add %s", origin.data,
		ba_lane_words[c->lane], ba_lane_get(c->lane)->option);
}

/* ---- environments ---- */

/* A version has no '/': '*' does not make it a path. */
static bool allows(const char *glob, const char *part)
{
	bool is_path = ba_text_starts(part, "env:");
	return fnmatch(glob, part, is_path ? FNM_PATHNAME | FNM_PERIOD : 0) == 0;
}

/* The candidate's environment could be what is faster. */
static int check_environments(const ba_variants *t, ba_error *err)
{
	const ba_strv *allowed = &t->config.environments;
	for (size_t v = 1; v < t->count; v++) {
		const ba_strv *parts = &t->variants[v].environment.parts;
		for (size_t i = 0; i < parts->count; i++)
			if (!BA_ANY(allowed->items, allowed->count, glob,
				    allows(*glob, parts->items[i])))
				return ba_fail(err, BA_ECONFIG,
					"a gate allows no environment '%s' of %s; allow it in the baseline's configuration: \"gate\": {\"environments\": [\"%s\"]}",
					parts->items[i], t->variants[v].label, parts->items[i]);
	}
	return 0;
}

int ba_variants_rules(ba_variants *t, ba_strv *notes, ba_error *err)
{
	bool gate = t->request->gate != BA_GATE_OFF;
	if (!gate && !t->config.gate_strict)
		return 0;
	BA_TRY(load_expected(t, err));
	if (!gate)
		return 0;
	BA_TRY(check_lane(t, err));
	BA_TRY(check_environments(t, err));
	for (size_t i = 1; i < t->count; i++) {
		const ba_variant *v = &t->variants[i];
		if (v == t->rules)
			continue;
		compare_config(notes, t, v);
		compare_expected(notes, t, v);
	}
	return 0;
}
