#include "json/pull.h"
#include "json/reader.h"

typedef struct builder {
	ba_pull *p;
	ba_json_list *lists;
	size_t list_count;
	size_t cut; /* bytes that do not count against the ceiling */
	bool too_large;
	cJSON *root;
} builder;

BA_OWNS_HANDLE(ba_json, doc, cJSON_Delete(doc->root), free(doc->name))

static cJSON *add_node(builder *b, cJSON *parent, const char *key)
{
	static const int types[] = {[BA_JSON_NULL] = cJSON_NULL,
		[BA_JSON_BOOL] = cJSON_False,
		[BA_JSON_NUMBER] = cJSON_Number,
		[BA_JSON_STRING] = cJSON_String,
		[BA_JSON_ARRAY] = cJSON_Array,
		[BA_JSON_OBJECT] = cJSON_Object};
	cJSON *n = ba_xcalloc(1, sizeof(*n));
	n->valueint = (int)b->p->lex.line;
	n->type = types[ba_pull_peek(b->p)];
	n->string = key ? ba_xstrdup(key) : NULL;
	if (parent)
		cJSON_AddItemToArray(parent, n); /* to objects, too: it has its key */
	else
		b->root = n;
	return n;
}

static int value(builder *b, cJSON *parent, const char *key, ba_error *err);

/* the list that begins with this array, or NULL */
static ba_json_list *list_here(const builder *b, const char *key)
{
	for (size_t i = 0; b->p->depth == 1 && key && i < b->list_count; i++)
		if (!b->lists[i].count && strcmp(b->lists[i].key, key) == 0)
			return &b->lists[i];
	return NULL;
}

static int list(builder *b, ba_json_list *l, ba_error *err)
{
	ba_pull *p = b->p;
	l->open = ba_lex_offset(&p->lex);
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0) {
		*BA_PUSH(l->at, l->count, l->capacity) = ba_lex_offset(&p->lex);
		rc = ba_pull_skip(p, err);
	}
	if (rc)
		return rc;
	l->close = ba_lex_offset(&p->lex) - 1;
	b->cut += l->close - l->open - 1;
	return 0;
}

static int array(builder *b, cJSON *n, ba_error *err)
{
	ba_json_list *l = list_here(b, n->string);
	if (l)
		return list(b, l, err);
	int rc = ba_pull_array(b->p, err);
	while (rc == 0 && (rc = ba_pull_element(b->p, err)) > 0)
		rc = value(b, n, NULL, err);
	return rc;
}

static int object(builder *b, cJSON *n, ba_error *err)
{
	const char *key;
	int rc = ba_pull_object(b->p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, b->p, err)) > 0)
		rc = value(b, n, key, err);
	return rc;
}

/* Beyond the ceiling, values are checked but not kept. */
static int value(builder *b, cJSON *parent, const char *key, ba_error *err)
{
	ba_pull *p = b->p;
	if (ba_lex_offset(&p->lex) - b->cut > p->o.ceiling)
		b->too_large = true;
	if (b->too_large)
		return ba_pull_skip(p, err);
	cJSON *n = add_node(b, parent, key);
	if (n->type == cJSON_Object)
		return object(b, n, err);
	if (n->type == cJSON_Array)
		return array(b, n, err);
	bool flag = false;
	BA_TRY(ba_json_read_scalar(&n->valuedouble, &flag, p, true, err));
	if (flag)
		n->type = cJSON_True;
	if (n->type == cJSON_String)
		n->valuestring = ba_xmemdup0(p->token.data, p->token.len);
	return 0;
}

static int document(builder *b, ba_error *err)
{
	ba_pull *p = b->p;
	if (ba_lex_token(&p->lex) < 0 && !p->lex.io_errno)
		return ba_json_fail_at(err, p, ba_lex_offset(&p->lex), "the text is empty");
	BA_TRY(value(b, NULL, NULL, err));
	BA_TRY(ba_pull_end(p, err));
	b->too_large |= ba_lex_offset(&p->lex) - b->cut > p->o.ceiling;
	return 0;
}

/* takes the nodes of b */
static int finish(ba_json **out, builder *b, int rc)
{
	const ba_json_options *o = &b->p->o;
	*out = NULL;
	if (rc || b->too_large) {
		cJSON_Delete(b->root);
		return rc;
	}
	*out = ba_xcalloc(1, sizeof(**out));
	**out = (ba_json){.root = b->root,
		.name = ba_xstrdup(o->name),
		.error_code = o->error_code,
		.positions = o->positions};
	return 0;
}

int ba_json_tree_read(
	ba_json **out, ba_pull *p, ba_json_list *lists, size_t list_count, ba_error *err)
{
	builder b = {.p = p, .lists = lists, .list_count = list_count};
	return finish(out, &b, document(&b, err));
}

int ba_json_tree_value(ba_json **out, ba_pull *p, ba_error *err)
{
	builder b = {.p = p, .cut = ba_lex_offset(&p->lex)};
	return finish(out, &b, value(&b, NULL, NULL, err));
}

/* ---- a text, a file ---- */

int ba_json_parse(
	ba_json **out, const char *text, size_t size, const ba_json_options *options, ba_error *err)
{
	BA_AUTO_PTR(ba_pull) ba_pull *p = ba_json_reader(options, "JSON");
	ba_json *doc;
	if (size > p->o.ceiling)
		return ba_json_fail_size(err, &p->o);
	ba_json_reader_text(p, text, size);
	p->lex.comments = p->o.comments;
	BA_TRY(ba_json_tree_read(&doc, p, NULL, 0, err));
	*out = doc;
	return 0;
}

int ba_json_read(ba_json **out, const char *path, const ba_json_options *options, ba_error *err)
{
	ba_json_options o = options ? *options : (ba_json_options){0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	o.name = o.name ? o.name : path;
	int rc = ba_fs_read(&text, path, o.ceiling ? o.ceiling : BA_JSON_CEILING, err);
	if (rc == BA_EDATA && err && o.error_code)
		err->code = rc = o.error_code;
	return rc < 0 ? rc : ba_json_parse(out, text.data, text.len, &o, err);
}
