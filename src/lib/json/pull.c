#include "json/pull.h"

#include "json/reader.h"

/* ---- the keys that an object had so far ---- */

/* false: it was there */
static bool put_hash(uint64_t *slots, size_t capacity, uint64_t hash)
{
	size_t i = hash & (capacity - 1);
	while (slots[i] && slots[i] != hash)
		i = (i + 1) & (capacity - 1);
	bool is_new = !slots[i];
	slots[i] = hash;
	return is_new;
}

static void grow_keys(ba_json_keys *k, const uint64_t *from, size_t size)
{
	uint64_t *table = ba_xcalloc(4 * size, sizeof(*table));
	for (size_t i = 0; i < size; i++)
		if (from[i])
			put_hash(table, 4 * size, from[i]);
	free(k->table);
	k->table = table;
	k->capacity = 4 * size;
}

/* Was it there before? Each key takes constant time, however many there are. */
static bool add_key(ba_json_keys *k, const char *key, size_t size)
{
	uint64_t hash = 0xcbf29ce484222325, *slots = k->table ? k->table : k->few;
	size_t capacity = k->table ? k->capacity : BA_JSON_KEYS_FEW;
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ (unsigned char)key[i]) * 0x100000001b3;
	if (!put_hash(slots, capacity, hash ? hash : 1))
		return true;
	if (2 * ++k->count > capacity)
		grow_keys(k, slots, capacity);
	return false;
}

static void clear_keys(ba_json_keys *k)
{
	if (!k->count)
		return;
	free(k->table);
	*k = (ba_json_keys){0};
}

/* ---- a cursor ---- */

ba_pull *ba_json_reader(const ba_json_options *options, const char *name)
{
	ba_pull *p = ba_xcalloc(1, sizeof(*p));
	ba_json_options o = options ? *options : (ba_json_options){0};
	o.error_code = o.error_code ? o.error_code : BA_EDATA;
	o.ceiling = o.ceiling ? o.ceiling : BA_JSON_CEILING;
	o.depth = o.depth ? o.depth : BA_JSON_DEPTH;
	o.name = p->name = ba_xstrdup(o.name ? o.name : name);
	p->o = o;
	p->token = (ba_buf)BA_BUF_INIT;
	p->levels = ba_xcalloc(o.depth, sizeof(*p->levels));
	p->fd = -1;
	return p;
}

void ba_json_reader_file(ba_pull *p, int fd)
{
	p->fd = fd;
	ba_lex_file(&p->lex, fd);
	ba_lex_skip_mark(&p->lex);
}

void ba_json_reader_text(ba_pull *p, const char *text, size_t size)
{
	ba_lex_memory(&p->lex, text, size);
	ba_lex_skip_mark(&p->lex);
}

static ba_pull *new_foreign(const char *name)
{
	ba_pull *p =
		ba_json_reader(&(ba_json_options){.positions = true, .unique_keys = true}, name);
	p->foreign = true;
	return p;
}

int ba_pull_open(ba_pull **out, const char *path, ba_error *err)
{
	int fd = -1;
	BA_TRY(ba_gunzip_open(&fd, path, err));
	*out = new_foreign(path);
	ba_json_reader_file(*out, fd);
	return 0;
}

ba_pull *ba_pull_memory(const char *text, size_t size, const char *name)
{
	ba_pull *p = new_foreign(name);
	ba_json_reader_text(p, text, size);
	return p;
}

BA_OWNS_HANDLE(ba_pull, p, ba_auto_close(&p->fd),
	BA_FREE_EACH(x, p->levels, p->o.depth, clear_keys(&x->keys)), ba_buf_dispose(&p->token),
	ba_lex_dispose(&p->lex), free(p->name))

/* ---- messages ---- */

enum { PATH_SHOWN = 16 };

static void put_path(ba_buf *out, const ba_pull *p)
{
	ba_buf_putc(out, '$');
	for (size_t i = 0; i < p->depth; i++) {
		const ba_pull_level *l = &p->levels[i];
		if (i == PATH_SHOWN)
			ba_buf_puts(out, "...");
		else if (i > PATH_SHOWN)
			break;
		else if (l->named && l->object)
			ba_json_put_key(out, l->key);
		else if (l->named)
			ba_buf_printf(out, "[%zu]", l->index);
	}
}

static int fail(ba_error *err, const ba_pull *p, const char *where, const char *sentence)
{
	BA_AUTO(ba_buf) ba_buf path = BA_BUF_INIT;
	put_path(&path, p);
	return ba_fail(err, p->o.error_code, "%s: %s: %s%s%s", p->name, where,
		path.len > 1 ? path.data : "", path.len > 1 ? ": " : "", sentence);
}

int ba_pull_fail(ba_error *err, const ba_pull *p, const char *fmt, ...)
{
	BA_AUTO_FREE char *where = ba_xprintf("line %u", p->lex.line);
	BA_FORMATTED(sentence, fmt);
	return fail(err, p, where, sentence);
}

int ba_json_fail_at(ba_error *err, const ba_pull *p, size_t offset, const char *fmt, ...)
{
	unsigned line = p->lex.line, column = 0;
	if (p->fd < 0 || lseek(p->fd, 0, SEEK_CUR) >= 0)
		ba_lex_locate(&p->lex, offset, &line, &column);
	BA_AUTO_FREE char *where = column ? ba_xprintf("line %u, column %u", line, column)
					  : ba_xprintf("line %u", line);
	BA_FORMATTED(sentence, fmt);
	return fail(err, p, where, sentence);
}

int ba_json_fail_expected(ba_error *err, ba_pull *p, const char *what)
{
	int found = ba_lex_peek(&p->lex);
	size_t at = ba_lex_offset(&p->lex);
	if (p->lex.io_errno)
		return ba_fail(
			err, BA_EIO, "cannot read '%s': %s", p->name, strerror(p->lex.io_errno));
	if (found < 0)
		return ba_json_fail_at(err, p, at, "%s expected, but the text ends", what);
	if (found == '/' && p->lex.comments && ba_lex_reach(&p->lex, 2) > 1 &&
		p->lex.at[1] == '*') {
		p->depth = 0; /* a comment belongs to no value */
		return ba_json_fail_at(err, p, at, "a comment without its end");
	}
	if (found < 0x20 || found > 0x7e)
		return ba_json_fail_at(err, p, at, "%s expected, found byte 0x%02x", what, found);
	return ba_json_fail_at(err, p, at, "%s expected, found '%c'", what, found);
}

int ba_json_fail_size(ba_error *err, const ba_json_options *o)
{
	return ba_fail(
		err, o->error_code, "%s: larger than the limit of %zu bytes", o->name, o->ceiling);
}

/* ---- levels ---- */

static int enter(ba_pull *p, bool object, ba_error *err)
{
	if (ba_lex_token(&p->lex) != (object ? '{' : '['))
		return ba_json_fail_expected(err, p, object ? "an object" : "an array");
	if (p->depth == p->o.depth)
		return ba_json_fail_at(err, p, ba_lex_offset(&p->lex),
			"nested more than %u levels deep", p->o.depth);
	p->lex.at++;
	ba_pull_level *l = &p->levels[p->depth++];
	l->object = object;
	l->begun = l->named = false;
	l->index = 0;
	return 0;
}

int ba_pull_object(ba_pull *p, ba_error *err)
{
	return enter(p, true, err);
}

int ba_pull_array(ba_pull *p, ba_error *err)
{
	return enter(p, false, err);
}

/* of an object, too: moves to its next member */
int ba_pull_element(ba_pull *p, ba_error *err)
{
	ba_pull_level *l = &p->levels[p->depth - 1];
	int c = ba_lex_token(&p->lex), close = l->object ? '}' : ']';
	bool comma = l->begun && c == ',';
	if (comma) {
		p->lex.at++;
		l->index++;
		c = ba_lex_token(&p->lex);
	} else if (l->begun && c != close) {
		return ba_json_fail_expected(err, p, l->object ? "',' or '}'" : "',' or ']'");
	}
	/* where comments are allowed, so is a comma before the bracket */
	if (c == close && (!comma || p->lex.comments)) {
		clear_keys(&l->keys);
		p->lex.at++;
		p->depth--;
		return 0;
	}
	l->begun = true;
	l->named = !l->object;
	return 1;
}

static int fail_twice(ba_error *err, const ba_pull *p)
{
	BA_AUTO(ba_buf) ba_buf path = BA_BUF_INIT;
	BA_AUTO_FREE char *where =
		p->o.positions ? ba_xprintf("line %u: ", p->lex.line) : ba_xstrdup("");
	put_path(&path, p);
	return ba_fail(err, p->o.error_code, "%s: %s%s appears twice", p->name, where, path.data);
}

int ba_pull_member(const char **key, ba_pull *p, ba_error *err)
{
	ba_pull_level *l = &p->levels[p->depth - 1];
	int rc = ba_pull_element(p, err);
	if (rc <= 0)
		return rc;
	if (ba_lex_peek(&p->lex) != '"')
		return ba_json_fail_expected(err, p, "a key in double quotes");
	BA_TRY(ba_json_read_text(p, true, true, err));
	size_t shown = p->token.len < BA_JSON_KEY_SHOWN ? p->token.len : BA_JSON_KEY_SHOWN - 1;
	memcpy(l->key, p->token.data, shown);
	l->key[shown] = '\0';
	l->named = true;
	if (p->o.unique_keys && add_key(&l->keys, p->token.data, p->token.len))
		return fail_twice(err, p);
	if (ba_lex_token(&p->lex) != ':')
		return ba_json_fail_expected(err, p, "':' after a key");
	p->lex.at++;
	ba_lex_token(&p->lex);
	*key = p->token.data;
	return 1;
}
