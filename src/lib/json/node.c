#include "json/reader.h"

ba_json_value ba_json_root(const ba_json *doc)
{
	return (ba_json_value){doc, doc->root};
}

ba_json_type ba_json_type_of(ba_json_value v)
{
	if (!v.node)
		return BA_JSON_ABSENT;
	switch (v.node->type) {
	case cJSON_True:
	case cJSON_False:
		return BA_JSON_BOOL;
	case cJSON_Number:
		return BA_JSON_NUMBER;
	case cJSON_String:
		return BA_JSON_STRING;
	case cJSON_Array:
		return BA_JSON_ARRAY;
	case cJSON_Object:
		return BA_JSON_OBJECT;
	default:
		return BA_JSON_NULL;
	}
}

const char *ba_json_type_name(ba_json_type type)
{
	static const char *const names[] = {
		"absent", "null", "true or false", "a number", "a string", "an array", "an object"};
	return names[type];
}

unsigned ba_json_line(ba_json_value v)
{
	unsigned first = 1, column;
	if (!v.node || !v.doc->positions)
		return 0;
	if (v.doc->file)
		ba_lex_locate(v.doc->file, v.doc->at, &first, &column);
	/* tree.c puts the line into a member that cJSON itself no longer uses */
	return first + (unsigned)v.node->valueint - 1;
}

const char *ba_json_key(ba_json_value v)
{
	return v.node ? v.node->string : NULL;
}

static bool is_plain(const char *key)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	return *key && !key[strspn(key, letters)];
}

void ba_json_put_key(ba_buf *out, const char *key)
{
	if (is_plain(key)) {
		ba_buf_printf(out, ".%s", key);
	} else {
		BA_AUTO_FREE char *safe = ba_text_safe(key);
		ba_buf_printf(out, "[\"%s\"]", safe);
	}
}

static void put_step(ba_buf *path, const cJSON *child, size_t index)
{
	if (child->string)
		ba_json_put_key(path, child->string);
	else
		ba_buf_printf(path, "[%zu]", index);
}

/* Searches the whole document, because nodes do not know their parents. Only errors
 * need a path. */
static bool find_path(ba_buf *path, const cJSON *from, const cJSON *wanted)
{
	size_t index = 0;
	if (from == wanted)
		return true;
	for (const cJSON *child = from->child; child; child = child->next, index++) {
		size_t before = path->len;
		put_step(path, child, index);
		if (find_path(path, child, wanted))
			return true;
		ba_buf_truncate(path, before);
	}
	return false;
}

char *ba_json_path(ba_json_value v)
{
	BA_AUTO(ba_buf) ba_buf path = BA_BUF_INIT;
	ba_buf_putc(&path, '$');
	if (v.doc->list)
		ba_buf_printf(&path, ".%s[%zu]", v.doc->list, v.doc->index);
	if (v.node)
		find_path(&path, v.doc->root, v.node);
	return ba_buf_detach(&path);
}

char *ba_json_text(ba_json_value v)
{
	BA_AUTO_FREE char *text = cJSON_PrintUnformatted(v.node);
	BA_REQUIRE(text);
	return ba_text_safe(text);
}

#undef ba_json_fail /* the analyser has a macro of that name */
int ba_json_fail(ba_error *err, ba_json_value v, const char *fmt, ...)
{
	BA_AUTO_FREE char *path = ba_json_path(v);
	unsigned line = ba_json_line(v);
	BA_AUTO_FREE char *where = line ? ba_xprintf("line %u: ", line) : ba_xstrdup("");
	BA_FORMATTED(sentence, fmt);
	return ba_fail(err, v.doc->error_code, "%s: %s%s %s", v.doc->name, where, path, sentence);
}

size_t ba_json_count(ba_json_value v)
{
	size_t count = 0;
	if (v.node)
		for (const cJSON *child = v.node->child; child; child = child->next)
			count++;
	return count;
}

ba_json_value ba_json_first(ba_json_value v)
{
	return (ba_json_value){v.doc, v.node ? v.node->child : NULL};
}

ba_json_value ba_json_next(ba_json_value v)
{
	return (ba_json_value){v.doc, v.node ? v.node->next : NULL};
}

ba_json_value ba_json_at(ba_json_value array, size_t index)
{
	ba_json_value v = ba_json_first(array);
	while (index-- && v.node)
		v = ba_json_next(v);
	return v;
}

ba_json_value ba_json_find(ba_json_value object, const char *key)
{
	ba_json_value v = {object.doc, NULL};
	if (ba_json_type_of(object) == BA_JSON_OBJECT)
		v = ba_json_first(object);
	while (ba_json_is(v) && strcmp(v.node->string, key) != 0)
		v = ba_json_next(v);
	return v;
}
