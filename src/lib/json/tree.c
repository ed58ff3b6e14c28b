#include "json/tree.h"

#include <ctype.h>
#include <math.h>
#include <cjson/cJSON.h>

#include "base/base.h"
#include "base/parse.h"
#include "json/keys.h"

enum { KEY_MOST = 1 << 20, NUMBER_MOST = 60, WORD_MOST = 400 };

/* an array or object that is open */
typedef struct level {
	struct level *outer;
	cJSON *node; /* NULL: its values are checked, but not kept */
	bool object;
	size_t index; /* of the element */
	size_t name;  /* of the member: where in reader.names */
	ba_json_keys keys;
} level;

typedef struct reader {
	ba_lex *lex;
	const ba_json_options *o;
	ba_error *err;
	ba_json_list *lists, *list; /* list: the one that is open */
	size_t list_count, cut;	    /* cut: bytes that are not kept, or not its own */
	cJSON *root;
	bool too_large;
	level *inner;
	unsigned depth;
	ba_buf text, names; /* names: of the members that are open, with their NULs */
	ba_buf twice;	    /* path of the first key that appears twice, "" if none */
	unsigned twice_line;
} reader;

static int value(reader *r);

/* ---- sentences ---- */

#define REFUSE(r, offset, ...) ba_json_fail_at((r)->err, (r)->lex, offset, (r)->o, __VA_ARGS__)

static int expected(reader *r, const char *what)
{
	size_t at = ba_lex_offset(r->lex);
	int found = ba_lex_peek(r->lex);
	if (found < 0)
		return REFUSE(r, at, "%s expected, but the text ends", what);
	if (found < 0x20 || found > 0x7e)
		return REFUSE(r, at, "%s expected, found byte 0x%02x", what, found);
	return REFUSE(r, at, "%s expected, found '%c'", what, found);
}

static void put_path(ba_buf *out, const reader *r, const level *to)
{
	if (!to)
		return;
	put_path(out, r, to->outer);
	if (to->object)
		ba_json_put_key(out, r->names.data + to->name);
	else
		ba_buf_printf(out, "[%zu]", to->index);
}

/* the member that comes next has a key that its object had before */
static void note_twice(reader *r)
{
	if (r->twice.len)
		return;
	r->twice_line = r->lex->line;
	ba_buf_putc(&r->twice, '$');
	put_path(&r->twice, r, r->inner);
}

static int fail_twice(const reader *r)
{
	BA_AUTO_FREE char *where =
		r->o->positions ? ba_xprintf("line %u: ", r->twice_line) : ba_xstrdup("");
	return ba_fail(r->err, r->o->error_code, "%s: %s%s appears twice", r->o->name, where,
		r->twice.data);
}

/* ---- scalars; node is NULL where they are not kept ---- */

static int string(reader *r, ba_buf *out, size_t most)
{
	ba_lex *lex = r->lex;
	size_t start = ba_lex_offset(lex);
	ba_lex_fault fault = ba_lex_string(out, most, lex);
	if (lex->odd_byte)
		return REFUSE(r, lex->odd_at, "byte 0x%02x is not UTF-8", lex->odd_byte);
	if (fault == BA_LEX_CONTROL && ba_lex_peek(lex) == '\n')
		fault = BA_LEX_UNCLOSED;
	switch (fault) {
	case BA_LEX_UNCLOSED:
		return REFUSE(r, start, "a string without its closing quote");
	case BA_LEX_CONTROL:
		return REFUSE(r, ba_lex_offset(lex),
			"control character 0x%02x in a string: write it as an escape",
			ba_lex_peek(lex));
	case BA_LEX_ESCAPE:
		return expected(r, "one of \"\\/bfnrtu after a backslash");
	case BA_LEX_HEX:
		return expected(r, "a hexadecimal digit");
	case BA_LEX_ZERO:
		return REFUSE(r, lex->escape_at, "\\u0000 is not allowed in a string");
	case BA_LEX_HALF:
		return REFUSE(r, lex->escape_at, "half of a surrogate pair");
	case BA_LEX_LONG:
		return REFUSE(r, start, "a key of more than 1 MiB");
	default:
		return 0;
	}
}

static int string_value(reader *r, cJSON *node)
{
	ba_buf_clear(&r->text);
	int rc = string(r, node ? &r->text : NULL, SIZE_MAX);
	if (rc || !node)
		return rc;
	node->type = cJSON_String;
	node->valuestring = ba_xmemdup0(r->text.data, r->text.len);
	return 0;
}

static int number(reader *r, cJSON *node)
{
	ba_lex *lex = r->lex;
	size_t start = ba_lex_offset(lex), n = ba_lex_word(lex, WORD_MOST), size;
	const char *text = lex->at;
	bool ok = ba_decimal_size(&size, text, n);
	if (ok && size < n && isdigit((unsigned char)text[size]))
		return REFUSE(r, start + size - 1, "a number with a leading zero");
	lex->at += size;
	if (!ok)
		return expected(r, "a digit");
	if (size > NUMBER_MOST)
		return REFUSE(r, start, "a number of more than %d characters", NUMBER_MOST);
	if (!node)
		return 0;
	node->type = cJSON_Number;
	if (!ba_parse_decimal(&node->valuedouble, text, size)) /* no double holds it */
		node->valuedouble = *text == '-' ? -INFINITY : INFINITY;
	return 0;
}

static int word(reader *r, cJSON *node)
{
	static const struct {
		const char *text;
		int type;
	} words[] = {{"true", cJSON_True}, {"false", cJSON_False}, {"null", cJSON_NULL}};
	size_t n = ba_lex_word(r->lex, WORD_MOST);
	for (size_t i = 0; i < 3; i++) {
		size_t size = strlen(words[i].text);
		if (n < size || memcmp(r->lex->at, words[i].text, size) != 0)
			continue;
		r->lex->at += size;
		if (node)
			node->type = words[i].type;
		return 0;
	}
	return expected(r, "a value");
}

/* ---- arrays and objects ---- */

static int member(reader *r)
{
	level *in = r->inner;
	if (ba_lex_peek(r->lex) != '"')
		return expected(r, "a key in double quotes");
	ba_buf_truncate(&r->names, in->name);
	BA_TRY(string(r, &r->names, KEY_MOST));
	size_t size = r->names.len - in->name;
	ba_buf_putc(&r->names, '\0');
	if (ba_lex_token(r->lex) != ':')
		return expected(r, "':' after a key");
	r->lex->at++;
	ba_lex_token(r->lex);
	if (r->o->unique_keys && ba_json_keys_add(&in->keys, r->names.data + in->name, size))
		note_twice(r);
	return value(r);
}

static int element(reader *r)
{
	if (r->list && r->depth == 2) {
		ba_json_list *l = r->list;
		*BA_PUSH(l->at, l->count, l->capacity) = ba_lex_offset(r->lex);
	}
	int rc = value(r);
	r->inner->index++;
	return rc;
}

/* up to the closing bracket, which is not taken */
static int items(reader *r, char close, int (*item)(reader *))
{
	ba_lex *lex = r->lex;
	lex->at++;
	if (ba_lex_token(lex) == close)
		return 0;
	for (;;) {
		BA_TRY(item(r));
		int byte = ba_lex_token(lex);
		if (byte == close)
			return 0;
		if (byte != ',')
			return expected(r, close == '}' ? "',' or '}'" : "',' or ']'");
		lex->at++;
		ba_lex_token(lex);
	}
}

static int container(reader *r, cJSON *node, bool object)
{
	if (r->depth == r->o->depth)
		return REFUSE(
			r, ba_lex_offset(r->lex), "nested more than %u levels deep", r->o->depth);
	level in = {.outer = r->inner, .node = node, .object = object, .name = r->names.len};
	r->inner = &in;
	r->depth++;
	int rc = items(r, object ? '}' : ']', object ? member : element);
	r->depth--;
	r->inner = in.outer;
	ba_json_keys_clear(&in.keys);
	r->lex->at += rc == 0;
	return rc;
}

/* the list that the array which begins here is, or NULL */
static ba_json_list *list_here(const reader *r)
{
	if (r->depth != 1 || !r->inner->object)
		return NULL;
	for (size_t i = 0; i < r->list_count; i++)
		if (!r->lists[i].count &&
			strcmp(r->lists[i].key, r->names.data + r->inner->name) == 0)
			return &r->lists[i];
	return NULL;
}

static int array(reader *r, cJSON *node)
{
	ba_json_list *l = list_here(r);
	if (!l)
		return container(r, node, false);
	l->open = ba_lex_offset(r->lex);
	r->list = l;
	int rc = container(r, NULL, false);
	r->list = NULL;
	if (rc)
		return rc;
	l->close = ba_lex_offset(r->lex) - 1;
	r->cut += l->close - l->open - 1;
	return 0;
}

/* the node of the value that begins here, at its place; NULL: it is not kept */
static cJSON *new_node(reader *r)
{
	level *in = r->inner;
	if (!r->list && ba_lex_offset(r->lex) - r->cut > r->o->ceiling)
		r->too_large = true;
	if ((in && !in->node) || r->too_large)
		return NULL;
	cJSON *node = ba_xcalloc(1, sizeof(*node));
	node->valueint = (int)r->lex->line;
	node->prev = node;
	if (!in) {
		r->root = node;
		return node;
	}
	if (in->object)
		node->string = ba_xstrdup(r->names.data + in->name);
	cJSON *first = in->node->child;
	if (!first) {
		in->node->child = node;
		return node;
	}
	node->prev = first->prev; /* the last, as cJSON has it */
	first->prev->next = node;
	first->prev = node;
	return node;
}

static int value(reader *r)
{
	int byte = ba_lex_peek(r->lex);
	cJSON *node = new_node(r);
	switch (byte) {
	case '{':
		if (node)
			node->type = cJSON_Object;
		return container(r, node, true);
	case '[':
		if (node)
			node->type = cJSON_Array;
		return array(r, node);
	case '"':
		return string_value(r, node);
	case '-':
		return number(r, node);
	default:
		return byte >= 0 && isdigit(byte) ? number(r, node) : word(r, node);
	}
}

static int document(reader *r)
{
	ba_lex_skip_mark(r->lex);
	if (ba_lex_token(r->lex) < 0)
		return REFUSE(r, ba_lex_offset(r->lex), "the text is empty");
	int rc = value(r);
	if (rc == 0 && ba_lex_token(r->lex) >= 0)
		rc = expected(r, "the end of the text");
	if (rc == 0 && r->twice.len)
		rc = fail_twice(r);
	r->too_large |= ba_lex_offset(r->lex) - r->cut > r->o->ceiling;
	return rc;
}

static int read_with(cJSON **out, reader *r, int (*what)(reader *))
{
	r->cut = ba_lex_offset(r->lex);
	r->text = r->names = r->twice = (ba_buf)BA_BUF_INIT;
	int rc = what(r);
	BA_DISPOSE(ba_buf, &r->text, &r->names, &r->twice);
	if (rc || r->too_large) {
		cJSON_Delete(r->root);
		r->root = NULL;
	}
	if (rc == 0)
		*out = r->root;
	return rc;
}

int ba_json_tree_read(cJSON **out, ba_lex *lex, const ba_json_options *options, ba_json_list *lists,
	size_t list_count, ba_error *err)
{
	reader r = {.lex = lex, .o = options, .err = err, .lists = lists, .list_count = list_count};
	return read_with(out, &r, document);
}

int ba_json_tree_value(cJSON **out, ba_lex *lex, const ba_json_options *options, ba_error *err)
{
	reader r = {.lex = lex, .o = options, .err = err};
	return read_with(out, &r, value);
}
