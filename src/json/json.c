#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cjson/cJSON.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/text.h"
#include "json/json.h"
#include "json/scan.h"

#define CEILING ((size_t)1 << 30)
#define DEPTH 64

typedef struct place {
	const cJSON *node;
	size_t offset;
} place;

struct ba_json {
	char *name;
	cJSON *root;
	char *text;    /* kept where positions are */
	place *places; /* sorted by node */
	size_t place_count;
	int error_code;
};

void ba_json_free(ba_json *doc)
{
	if (!doc)
		return;
	cJSON_Delete(doc->root);
	free(doc->places);
	free(doc->text);
	free(doc->name);
	free(doc);
}

/* column in characters, both from 1 */
static void locate(const char *text, size_t offset, unsigned *line, unsigned *column)
{
	*line = *column = 1;
	for (size_t i = 0; i < offset; i++) {
		if (text[i] == '\n') {
			++*line;
			*column = 1;
		} else if ((text[i] & 0xc0) != 0x80) {
			++*column;
		}
	}
}

static int fail_scan(const ba_json *doc, const ba_json_scan *s, ba_error *err)
{
	unsigned line, column;

	locate(s->text, s->error_at, &line, &column);
	return ba_fail(err, doc->error_code, "%s: line %u, column %u: %s", doc->name,
		line, column, s->error);
}

static int place_order(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t)((const place *)a)->node;
	uintptr_t y = (uintptr_t)((const place *)b)->node;
	return (x > y) - (x < y);
}

/* The scanner saw the values in the order of this walk: parents first. */
static void place_all(ba_json *doc, const cJSON *node, const size_t *offsets)
{
	doc->places[doc->place_count] = (place){node, offsets[doc->place_count]};
	doc->place_count++;
	for (const cJSON *child = node->child; child; child = child->next)
		place_all(doc, child, offsets);
}

static int key_order(const void *a, const void *b)
{
	return strcmp((*(cJSON *const *)a)->string, (*(cJSON *const *)b)->string);
}

static int check_unique(const ba_json *doc, const cJSON *node, ba_error *err)
{
	size_t count = 0, capacity = 0;
	BA_AUTO_FREE const cJSON **members = NULL;
	int rc;

	for (const cJSON *child = node->child; child; child = child->next) {
		if (child->child && (rc = check_unique(doc, child, err)) < 0)
			return rc;
		members = BA_GROW(members, &capacity, count + 1);
		members[count++] = child;
	}
	if (!cJSON_IsObject(node) || count < 2)
		return 0;
	qsort(members, count, sizeof(*members), key_order);
	for (size_t i = 1; i < count; i++)
		if (!strcmp(members[i - 1]->string, members[i]->string))
			return ba_json_fail(err, (ba_json_value){doc, members[i]},
				"is there twice");
	return 0;
}

static int build(ba_json *doc, char *text, size_t size, const ba_json_options *o,
	ba_json_scan *s, ba_error *err)
{
	if (o->comments && !ba_json_scan_relax(s, text))
		return fail_scan(doc, s, err);
	if (!ba_json_scan_run(s))
		return fail_scan(doc, s, err);
	doc->root = cJSON_ParseWithLengthOpts(text, size + 1, NULL, true);
	if (!doc->root)
		return ba_fail(err, doc->error_code,
			"%s: not enough memory, or a text "
			"that cJSON does not take",
			doc->name);
	if (o->positions) {
		doc->places = ba_xreallocarray(NULL, s->count, sizeof(place));
		place_all(doc, doc->root, s->offsets);
		qsort(doc->places, doc->place_count, sizeof(place), place_order);
	}
	return o->unique_keys ? check_unique(doc, doc->root, err) : 0;
}

int ba_json_parse(ba_json **out, const char *text, size_t size,
	const ba_json_options *options, ba_error *err)
{
	static const ba_json_options defaults;
	const ba_json_options *o = options ? options : &defaults;
	size_t ceiling = o->ceiling ? o->ceiling : CEILING;
	BA_AUTO_PTR(ba_json) ba_json *doc = ba_xcalloc(1, sizeof(*doc));

	doc->name = ba_xstrdup(o->name ? o->name : "JSON");
	doc->error_code = o->error_code ? o->error_code : BA_EDATA;
	if (size > ceiling)
		return ba_fail(err, doc->error_code,
			"%s: larger than %zu bytes, the most that is read", doc->name,
			ceiling);
	doc->text = ba_xmemdup0(text, size);
	assert(o->depth <= CJSON_NESTING_LIMIT);
	ba_json_scan s = {.text = doc->text,
		.size = size,
		.depth_max = o->depth ? o->depth : DEPTH,
		.keep_offsets = o->positions};
	int rc = build(doc, doc->text, size, o, &s, err);
	free(s.offsets);
	if (rc < 0)
		return rc;
	if (!o->positions) {
		free(doc->text);
		doc->text = NULL;
	}
	*out = BA_TAKE(doc);
	return 0;
}

int ba_json_read(
	ba_json **out, const char *path, const ba_json_options *options, ba_error *err)
{
	ba_json_options o = options ? *options : (ba_json_options){0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;

	if (!o.name)
		o.name = path;
	int rc = ba_fs_read(&text, path, o.ceiling ? o.ceiling : CEILING, err);
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

unsigned ba_json_line(ba_json_value v)
{
	unsigned line, column;

	if (!v.node || !v.doc->places)
		return 0;
	const place key = {.node = v.node};
	const place *found = bsearch(
		&key, v.doc->places, v.doc->place_count, sizeof(place), place_order);
	if (!found)
		return 0;
	locate(v.doc->text, found->offset, &line, &column);
	return line;
}

const char *ba_json_key(ba_json_value v)
{
	return v.node ? v.node->string : NULL;
}

static bool is_plain(const char *key)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	return *key && !key[strspn(key, letters)];
}

static void put_step(ba_buf *path, const cJSON *child, size_t index)
{
	if (!child->string) {
		ba_buf_printf(path, "[%zu]", index);
	} else if (is_plain(child->string)) {
		ba_buf_printf(path, ".%s", child->string);
	} else {
		BA_AUTO_FREE char *safe = ba_text_safe(child->string);
		ba_buf_printf(path, "[\"%s\"]", safe);
	}
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
