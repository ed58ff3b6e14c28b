#include "base/jsonlex.h"
#include "wire/message.h"

/* ---- written ---- */

static void put_string(ba_buf *out, const char *text)
{
	ba_buf_putc(out, '"');
	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		if (*p == '"' || *p == '\\')
			ba_buf_printf(out, "\\%c", *p);
		else if (*p < 0x20)
			ba_buf_printf(out, "\\u%04x", *p);
		else
			ba_buf_putc(out, (char)*p);
	}
	ba_buf_putc(out, '"');
}

/* for samples, of which there are too many for printf */
static void put_digits(ba_buf *out, uint64_t value)
{
	char digits[20];
	size_t n = sizeof(digits);
	do
		digits[--n] = (char)('0' + value % 10);
	while ((value /= 10) != 0);
	ba_buf_put(out, digits + n, sizeof(digits) - n);
}

static void put_list(ba_buf *out, const ba_say *f)
{
	ba_buf_putc(out, '[');
	for (size_t i = 0; i < f->count; i++) {
		if (i)
			ba_buf_putc(out, ',');
		if (f->kind == BA_SAYS_TEXTS)
			put_string(out, f->texts[i]);
		else
			put_digits(out, f->kind == BA_SAYS_BYTES ? f->bytes[i] : f->u64s[i]);
	}
	ba_buf_putc(out, ']');
}

static void put_field(ba_buf *out, const ba_say *f)
{
	ba_buf_putc(out, ',');
	put_string(out, f->key);
	ba_buf_putc(out, ':');
	if (f->kind == BA_SAYS_TEXT)
		put_string(out, f->text ? f->text : "");
	else if (f->kind == BA_SAYS_U64)
		ba_buf_printf(out, "%" PRIu64, f->u64);
	else if (f->kind == BA_SAYS_I64)
		ba_buf_printf(out, "%" PRId64, f->i64);
	else if (f->kind == BA_SAYS_F64 && isfinite(f->f64))
		ba_buf_printf(out, "%.17g", f->f64);
	else if (f->kind == BA_SAYS_F64)
		ba_buf_puts(out, "null");
	else if (f->kind == BA_SAYS_BOOL)
		ba_buf_puts(out, f->u64 ? "true" : "false");
	else
		put_list(out, f);
}

void ba_message_begin(ba_buf *out, const char *type)
{
	ba_buf_puts(out, "{\"t\":");
	put_string(out, type);
}

void ba_message_add(ba_buf *out, const ba_say *fields, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (fields[i].key)
			put_field(out, &fields[i]);
}

void ba_message_end(ba_buf *out)
{
	ba_buf_puts(out, "}\n");
}

/* ---- read: one flat JSON object (RFC 8259), strict, in one pass ---- */

BA_OWNS(ba_message, m, BA_FREE(m->storage, m->fields, m->items))

typedef struct scanner {
	ba_lex lex;
	ba_buf text;	 /* all strings and numbers, NUL-terminated; never moves */
	const char *why; /* first complaint */
} scanner;

static int complain(scanner *s, const char *why)
{
	if (!s->why)
		s->why = why;
	return -1;
}

static bool take(scanner *s, char c)
{
	if (ba_lex_token(&s->lex) != c)
		return false;
	s->lex.at++;
	return true;
}

static int expect(scanner *s, char c, const char *why)
{
	return take(s, c) ? 0 : complain(s, why);
}

static const char *scan_string(scanner *s)
{
	static const char *const complaints[] = {[BA_LEX_UNCLOSED] = "a string without an end",
		[BA_LEX_CONTROL] = "a control character in a string",
		[BA_LEX_ESCAPE] = "an unknown escape",
		[BA_LEX_HEX] = "an unknown escape",
		[BA_LEX_ZERO] = "an unknown escape",
		[BA_LEX_HALF] = "half of a surrogate pair, which is not a character"};
	const char *start = s->text.data + s->text.len;
	if (ba_lex_token(&s->lex) != '"') {
		complain(s, "a string was expected");
		return NULL;
	}
	ba_lex_fault fault = ba_lex_string(&s->text, SIZE_MAX, &s->lex);
	if (fault) {
		complain(s, complaints[fault]);
		return NULL;
	}
	ba_buf_putc(&s->text, '\0');
	return start;
}

static bool kind_of(ba_field_kind *out, const char *word)
{
	static const struct {
		const char *text;
		ba_field_kind kind;
	} words[] = {{"true", BA_FIELD_BOOL}, {"false", BA_FIELD_BOOL}, {"null", BA_FIELD_NULL}};
	for (size_t i = 0; *word > 'e' && i < 3; i++)
		if (strcmp(word, words[i].text) == 0) {
			*out = words[i].kind;
			return true;
		}
	*out = BA_FIELD_NUMBER;
	for (const char *p = word; *p; p++)
		if (*p >= 'A' && *p != 'e' && *p != 'E')
			return false;
	return *word != '\0';
}

static int scan_scalar(scanner *s, ba_field *f)
{
	if (ba_lex_token(&s->lex) == '"') {
		f->kind = BA_FIELD_TEXT;
		f->text = scan_string(s);
		return f->text ? 0 : -1;
	}
	size_t n = ba_lex_word(&s->lex, SIZE_MAX);
	f->text = s->text.data + s->text.len;
	ba_buf_put(&s->text, s->lex.at, n);
	ba_buf_putc(&s->text, '\0');
	s->lex.at += n;
	int behind = ba_lex_peek(&s->lex);
	if (!kind_of(&f->kind, f->text) || (behind >= 0 && !strchr(",]} \t\r\n", behind)))
		return complain(s, "a value that is not understood");
	return 0;
}

static int scan_array(scanner *s, ba_message *m, ba_field *f)
{
	f->kind = BA_FIELD_ARRAY;
	f->first = m->item_count;
	s->lex.at++;
	if (take(s, ']'))
		return 0;
	for (;;) {
		m->items = BA_GROW(m->items, &m->item_capacity, m->item_count + 1);
		ba_field *item = &m->items[m->item_count];
		*item = (ba_field){0};
		if (scan_scalar(s, item))
			return -1;
		m->item_count++;
		f->count++;
		if (take(s, ']'))
			return 0;
		if (expect(s, ',', "an array that ends too early"))
			return -1;
	}
}

static int scan_field(scanner *s, ba_message *m)
{
	m->fields = BA_GROW(m->fields, &m->field_capacity, m->field_count + 1);
	ba_field *f = &m->fields[m->field_count];
	*f = (ba_field){.key = scan_string(s)};
	if (!f->key || expect(s, ':', "a key without a value"))
		return -1;
	if (ba_lex_token(&s->lex) == '[' ? scan_array(s, m, f) : scan_scalar(s, f))
		return -1;
	m->field_count++;
	return 0;
}

static int scan_object(scanner *s, ba_message *m)
{
	if (expect(s, '{', "no JSON object"))
		return -1;
	do {
		if (scan_field(s, m))
			return -1;
	} while (take(s, ','));
	if (expect(s, '}', "an object without its end"))
		return -1;
	return ba_lex_token(&s->lex) < 0 ? 0 : complain(s, "more after the object");
}

static const ba_field *find(const ba_message *m, const char *key)
{
	return BA_FIND(m->fields, m->field_count, one, strcmp(one->key, key) == 0);
}

int ba_message_parse(ba_message *out, const char *line, size_t length, ba_error *err)
{
	scanner s = {.text = BA_BUF_INIT};
	ba_lex_memory(&s.lex, line, length);
	/* a token's quotes, or the comma or bracket behind it, make room for its NUL */
	ba_buf_reserve(&s.text, length + 1 + BA_LEX_SPARE);
	const char *text = s.text.data;
	BA_AUTO(ba_message) ba_message m = {.storage = s.text.data};
	if (memchr(line, '\0', length))
		complain(&s, "a NUL byte");
	else
		scan_object(&s, &m);
	BA_REQUIRE(s.text.data == text);
	const ba_field *type = s.why ? NULL : find(&m, "t");
	if (!s.why && (!type || type->kind != BA_FIELD_TEXT))
		s.why = "no \"t\"";
	if (s.why) {
		BA_AUTO_FREE char *head = ba_xstrndup(line, length < 80 ? length : 80);
		BA_AUTO_FREE char *safe = ba_text_safe(head);
		return ba_fail(err, BA_EPROTOCOL, "a message that cannot be read (%s): %s%s", s.why,
			safe, length > 80 ? "..." : "");
	}
	m.type = type->text;
	*out = BA_MOVE(m);
	return 0;
}

bool ba_message_has(const ba_message *m, const char *key)
{
	return find(m, key) != NULL;
}

const char *ba_message_text(const ba_message *m, const char *key)
{
	const ba_field *f = find(m, key);
	return f && f->kind == BA_FIELD_TEXT ? f->text : "";
}

static int field_fail(const ba_message *m, const char *key, const char *what, ba_error *err)
{
	BA_AUTO_FREE char *type = ba_text_safe(m->type);
	return ba_fail(err, BA_EPROTOCOL, "message '%s': '%s' is not %s", type, key, what);
}

static int number_u64(uint64_t *out, const ba_field *f)
{
	return f->kind == BA_FIELD_NUMBER ? ba_parse_u64(out, f->text, 0, UINT64_MAX, "", NULL)
					  : -1;
}

int ba_message_u64(uint64_t *out, const ba_message *m, const char *key, ba_error *err)
{
	const ba_field *f = find(m, key);
	if (!f || number_u64(out, f))
		return field_fail(m, key, "a whole number", err);
	return 0;
}

int ba_message_i64(int64_t *out, const ba_message *m, const char *key, ba_error *err)
{
	const ba_field *f = find(m, key);
	char *end;
	errno = 0;
	long long value = f && f->kind == BA_FIELD_NUMBER ? strtoll(f->text, &end, 10) : 0;
	if (!f || f->kind != BA_FIELD_NUMBER || errno || *end)
		return field_fail(m, key, "a whole number", err);
	*out = value;
	return 0;
}

int ba_message_f64(double *out, const ba_message *m, const char *key, ba_error *err)
{
	const ba_field *f = find(m, key);
	char *end;
	double value = f && f->kind == BA_FIELD_NUMBER ? strtod(f->text, &end) : NAN;
	if (!isfinite(value) || *end)
		return field_fail(m, key, "a number", err);
	*out = value;
	return 0;
}

bool ba_message_bool(const ba_message *m, const char *key)
{
	const ba_field *f = find(m, key);
	return f && f->kind == BA_FIELD_BOOL && f->text[0] == 't';
}

void ba_message_texts(ba_strv *out, const ba_message *m, const char *key)
{
	const ba_field *f = find(m, key);
	for (size_t i = 0; f && f->kind == BA_FIELD_ARRAY && i < f->count; i++)
		if (m->items[f->first + i].kind == BA_FIELD_TEXT)
			ba_strv_push(out, m->items[f->first + i].text);
}

size_t ba_message_count(const ba_message *m, const char *key)
{
	const ba_field *f = find(m, key);
	return f && f->kind == BA_FIELD_ARRAY ? f->count : 0;
}

int ba_message_u64s(uint64_t *out, size_t n, const ba_message *m, const char *key, ba_error *err)
{
	const ba_field *f = find(m, key);
	if (!f || f->kind != BA_FIELD_ARRAY || f->count != n)
		return ba_fail(err, BA_EPROTOCOL,
			"message '%s': '%s' has %zu numbers where %zu are expected", m->type, key,
			ba_message_count(m, key), n);
	for (size_t i = 0; i < n; i++)
		if (number_u64(&out[i], &m->items[f->first + i]))
			return field_fail(m, key, "all whole numbers", err);
	return 0;
}
