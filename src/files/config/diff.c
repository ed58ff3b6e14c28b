#include "config/config.h"
#include "json/json.h"

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
	ba_json_options options = {.name = their_name,
		.comments = true,
		.positions = true,
		.unique_keys = true,
		.ceiling = BA_CONFIG_CEILING,
		.error_code = BA_ECONFIG};
	int rc = ba_json_parse(&a, ours, our_size, &options, err);
	rc = rc ? rc : ba_json_parse(&b, theirs, their_size, &options, err);
	if (rc == 0)
		compare(out, ba_json_root(a), ba_json_root(b));
	return rc;
}
