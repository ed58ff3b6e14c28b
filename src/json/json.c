#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cjson/cJSON.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/require.h"
#include "base/text.h"
#include "json/chars.h"
#include "json/json_internal.h"

#define DEPTH 64

struct ba_json {
	char *name;
	cJSON *root;
	char *text; /* kept where positions are */
	size_t size;
	ba_json_origin origin;
	int error_code;
};

void ba_json_free(ba_json *doc)
{
	if (!doc)
		return;
	cJSON_Delete(doc->root);
	free(doc->text);
	free(doc->name);
	free(doc);
}

static int fail_scan(const ba_json *doc, const ba_json_scan *s, ba_error *err)
{
	return ba_json_fail_scan(err, s, doc->name, doc->error_code);
}

int ba_json_fail_scan(
	ba_error *err, const ba_json_scan *s, const char *name, int error_code)
{
	unsigned line, column;

	ba_json_bytes_locate(&s->bytes, s->error_at, &line, &column);
	return ba_fail(err, error_code, "%s: line %u, column %u: %s", name, line,
		column, s->error);
}

int ba_json_fail_twice(ba_error *err, const ba_json_scan *s, const char *name,
	int error_code, bool positions)
{
	unsigned line, column;

	ba_json_bytes_locate(&s->bytes, s->twice_at, &line, &column);
	BA_AUTO_FREE char *where =
		positions ? ba_xprintf("line %u: ", line) : ba_xstrdup("");
	return ba_fail(
		err, error_code, "%s: %s%s is there twice", name, where, s->twice.data);
}

static int build(ba_json *doc, const ba_json_options *o, ba_json_scan *s, ba_error *err)
{
	if (o->comments && !ba_json_scan_relax(s, doc->text, doc->size))
		return fail_scan(doc, s, err);
	if (!ba_json_scan_run(s))
		return fail_scan(doc, s, err);
	if (s->twice_at)
		return ba_json_fail_twice(
			err, s, doc->name, doc->error_code, o->positions);
	doc->root = cJSON_ParseWithLengthOpts(doc->text, doc->size + 1, NULL, true);
	if (!doc->root)
		return ba_fail(err, doc->error_code,
			"%s: not enough memory, or a text that cJSON does not take",
			doc->name);
	return 0;
}

static unsigned depth_of(const ba_json_options *o)
{
	BA_REQUIRE(o->depth <= CJSON_NESTING_LIMIT);
	return o->depth ? o->depth : DEPTH;
}

int ba_json_parse_text(ba_json **out, char *text, size_t size, const ba_json_options *o,
	const ba_json_origin *origin, ba_error *err)
{
	BA_AUTO_PTR(ba_json) ba_json *doc = ba_xcalloc(1, sizeof(*doc));

	doc->name = ba_xstrdup(o->name ? o->name : "JSON");
	doc->error_code = o->error_code ? o->error_code : BA_EDATA;
	doc->text = text;
	doc->size = size;
	if (origin)
		doc->origin = *origin;
	ba_json_scan s = {.depth_max = depth_of(o), .unique_keys = o->unique_keys};
	ba_json_bytes_memory(&s.bytes, text, size);
	int rc = build(doc, o, &s, err);
	ba_buf_dispose(&s.twice);
	if (rc < 0)
		return rc;
	if (!o->positions) {
		free(doc->text);
		doc->text = NULL;
	}
	*out = BA_TAKE(doc);
	return 0;
}

int ba_json_too_large(ba_error *err, const char *name, size_t ceiling, int error_code)
{
	return ba_fail(err, error_code,
		"%s: larger than %zu bytes, the most that is read", name, ceiling);
}

int ba_json_parse(ba_json **out, const char *text, size_t size,
	const ba_json_options *options, ba_error *err)
{
	static const ba_json_options defaults;
	const ba_json_options *o = options ? options : &defaults;
	size_t ceiling = o->ceiling ? o->ceiling : BA_JSON_CEILING;

	if (size > ceiling)
		return ba_json_too_large(err, o->name ? o->name : "JSON", ceiling,
			o->error_code ? o->error_code : BA_EDATA);
	return ba_json_parse_text(out, ba_xmemdup0(text, size), size, o, NULL, err);
}

int ba_json_read(
	ba_json **out, const char *path, const ba_json_options *options, ba_error *err)
{
	ba_json_options o = options ? *options : (ba_json_options){0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;

	if (!o.name)
		o.name = path;
	int rc = ba_fs_read(&text, path, o.ceiling ? o.ceiling : BA_JSON_CEILING, err);
	if (rc == BA_EDATA && o.error_code && err)
		err->code = rc = o.error_code;
	return rc < 0 ? rc : ba_json_parse(out, text.data, text.len, &o, err);
}

ba_json_value ba_json_root(const ba_json *doc)
{
	return (ba_json_value){doc, doc->root};
}

const char *ba_json_name(const ba_json *doc)
{
	return doc->name;
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
	static const char *const names[] = {"absent", "null", "true or false",
		"a number", "a string", "an array", "an object"};
	return names[type];
}

/* Which value is it, counted from 1 as the scanner does, parents first? 0: none. */
static bool find_number(size_t *number, const cJSON *from, const cJSON *wanted)
{
	++*number;
	if (from == wanted)
		return true;
	for (const cJSON *child = from->child; child; child = child->next)
		if (find_number(number, child, wanted))
			return true;
	return false;
}

/* where in the whole document is what stands there in the text? */
static size_t place_of(const ba_json_origin *origin, size_t at)
{
	size_t i = origin->piece_count;
	while (i > 0 && origin->pieces[i - 1].at > at)
		i--;
	return i ? origin->pieces[i - 1].from + (at - origin->pieces[i - 1].at) : at;
}

/* Scanned again: only errors ask, and each value's place would need memory. */
unsigned ba_json_line(ba_json_value v)
{
	unsigned line, column;
	ba_json_scan s = {.depth_max = CJSON_NESTING_LIMIT};

	if (!v.node || !v.doc->text || !find_number(&s.wanted, v.doc->root, v.node))
		return 0;
	ba_json_bytes_memory(&s.bytes, v.doc->text, v.doc->size);
	ba_json_scan_run(&s);
	const ba_json_origin *origin = &v.doc->origin;
	ba_json_bytes_locate(origin->bytes ? origin->bytes : &s.bytes,
		place_of(origin, s.wanted_at), &line, &column);
	return line;
}

const char *ba_json_key(ba_json_value v)
{
	return v.node ? v.node->string : NULL;
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
	if (v.doc->origin.list)
		ba_buf_printf(
			&path, ".%s[%zu]", v.doc->origin.list, v.doc->origin.index);
	if (v.node)
		find_path(&path, v.doc->root, v.node);
	return ba_buf_detach(&path);
}

int ba_json_fail(ba_error *err, ba_json_value v, const char *fmt, ...)
{
	BA_AUTO_FREE char *path = ba_json_path(v);
	unsigned line = ba_json_line(v);
	BA_AUTO_FREE char *where =
		line ? ba_xprintf("line %u: ", line) : ba_xstrdup("");
	va_list ap;

	va_start(ap, fmt);
	BA_AUTO_FREE char *sentence = ba_xvprintf(fmt, ap);
	va_end(ap);
	return ba_fail(err, v.doc->error_code, "%s: %s%s %s", v.doc->name, where, path,
		sentence);
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
	const cJSON *found =
		cJSON_IsObject(object.node)
			? cJSON_GetObjectItemCaseSensitive(object.node, key)
			: NULL;
	return (ba_json_value){object.doc, found};
}
