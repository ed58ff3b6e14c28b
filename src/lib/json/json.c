#include <stdarg.h>
#include <cjson/cJSON.h>

#include "base/base.h"
#include "base/require.h"
#include "json/tree.h"

void ba_json_free(ba_json *doc)
{
	if (!doc)
		return;
	cJSON_Delete(doc->root);
	BA_FREE(doc->name, doc);
}

ba_json *ba_json_new(cJSON *root, const ba_json_options *options)
{
	ba_json *doc = ba_xcalloc(1, sizeof(*doc));
	doc->root = root;
	doc->name = ba_xstrdup(options->name);
	doc->error_code = options->error_code;
	doc->positions = options->positions;
	return doc;
}

ba_json_options ba_json_complete(const ba_json_options *options, const char *name)
{
	ba_json_options o = options ? *options : (ba_json_options){0};
	o.name = o.name ? o.name : name;
	o.error_code = o.error_code ? o.error_code : BA_EDATA;
	o.ceiling = o.ceiling ? o.ceiling : BA_JSON_CEILING;
	o.depth = o.depth ? o.depth : BA_JSON_DEPTH;
	BA_REQUIRE(o.depth <= CJSON_NESTING_LIMIT);
	return o;
}

int ba_json_fail_at(ba_error *err, const ba_lex *lex, size_t offset, const ba_json_options *o,
	const char *fmt, ...)
{
	unsigned line, column;
	va_list ap;
	ba_lex_locate(lex, offset, &line, &column);
	va_start(ap, fmt);
	BA_AUTO_FREE char *sentence = ba_xvprintf(fmt, ap);
	va_end(ap);
	return ba_fail(
		err, o->error_code, "%s: line %u, column %u: %s", o->name, line, column, sentence);
}

int ba_json_fail_size(ba_error *err, const ba_json_options *o)
{
	return ba_fail(
		err, o->error_code, "%s: larger than the limit of %zu bytes", o->name, o->ceiling);
}

int ba_json_parse(
	ba_json **out, const char *text, size_t size, const ba_json_options *options, ba_error *err)
{
	ba_json_options o = ba_json_complete(options, "JSON");
	BA_AUTO_FREE char *relaxed = NULL;
	cJSON *root = NULL;
	ba_lex lex;
	if (size > o.ceiling)
		return ba_json_fail_size(err, &o);
	if (o.comments) {
		text = relaxed = ba_xmemdup0(text, size);
		const char *open = ba_json_relax(relaxed, size);
		ba_lex_memory(&lex, text, size);
		if (open)
			return ba_json_fail_at(
				err, &lex, (size_t)(open - text), &o, "a comment without its end");
	}
	ba_lex_memory(&lex, text, size);
	int rc = ba_json_tree_read(&root, &lex, &o, NULL, 0, err);
	if (rc == 0)
		*out = ba_json_new(root, &o);
	return rc;
}

int ba_json_read(ba_json **out, const char *path, const ba_json_options *options, ba_error *err)
{
	ba_json_options o = ba_json_complete(options, path);
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	int rc = ba_fs_read(&text, path, o.ceiling, err);
	if (rc == BA_EDATA && err)
		err->code = rc = o.error_code;
	return rc < 0 ? rc : ba_json_parse(out, text.data, text.len, &o, err);
}

ba_json_value ba_json_root(const ba_json *doc)
{
	return (ba_json_value){doc, doc->root};
}

ba_json_type ba_json_type_of(ba_json_value v)
{
	if (!v.node)
		return BA_JSON_ABSENT;
	switch (v.node->type & 0xff) {
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

/* A search over the whole document: nodes do not know their parents, and only errors
 * ask. */
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

#undef ba_json_fail /* the analyser has a macro of that name */
int ba_json_fail(ba_error *err, ba_json_value v, const char *fmt, ...)
{
	BA_AUTO_FREE char *path = ba_json_path(v);
	unsigned line = ba_json_line(v);
	BA_AUTO_FREE char *where = line ? ba_xprintf("line %u: ", line) : ba_xstrdup("");
	va_list ap;
	va_start(ap, fmt);
	BA_AUTO_FREE char *sentence = ba_xvprintf(fmt, ap);
	va_end(ap);
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
	const cJSON *found = cJSON_IsObject(object.node)
				     ? cJSON_GetObjectItemCaseSensitive(object.node, key)
				     : NULL;
	return (ba_json_value){object.doc, found};
}
