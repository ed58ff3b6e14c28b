#include <float.h>

#include "json/fields.h"

_Static_assert(sizeof(size_t) == sizeof(uint64_t), "a size_t is a BA_KIND_U64");

void ba_fields_write_list(ba_json_writer *w, const char *key, const ba_strv *list)
{
	ba_json_open_array(w, key);
	for (size_t i = 0; i < list->count; i++)
		ba_json_write_string(w, NULL, list->items[i]);
	ba_json_close(w);
}

static size_t count_of(const ba_json_field *f, const void *base)
{
	return *(const size_t *)(const void *)((const char *)base + f->count);
}

static void write_objects(ba_json_writer *w, const ba_json_field *f, const void *base)
{
	const char *item;
	memcpy(&item, (const char *)base + f->offset, sizeof(item));
	ba_json_open_array(w, f->key);
	for (size_t i = count_of(f, base); i > 0; i--, item += f->size)
		ba_fields_write_object(w, NULL, f->fields, item);
	ba_json_close(w);
}

/* an enumerator, or a flag */
static int get_word(const void *at, size_t size)
{
	return size == sizeof(bool) ? *(const bool *)at : *(const int *)at;
}

static void set_word(void *at, size_t size, int value)
{
	if (size == sizeof(bool))
		*(bool *)at = value;
	else
		*(int *)at = value;
}

static void write_counts(ba_json_writer *w, const ba_json_field *f, const uint64_t *counts)
{
	ba_json_open_object(w, f->key);
	for (int i = 0; i < f->words->count; i++)
		if (counts[i] || f->required)
			ba_json_write_u64(w, f->words->name(i), counts[i]);
	ba_json_close(w);
}

static void write_one(ba_json_writer *w, const ba_json_field *f, const void *base)
{
	const void *at = (const char *)base + f->offset;
	const char *text = NULL;
	switch (f->kind) {
	case BA_KIND_TEXT:
		text = *(char *const *)at;
		ba_json_write_string(w, f->key, text ? text : "");
		break;
	case BA_KIND_MAYBE:
		ba_json_write_string(w, f->key, *(char *const *)at);
		break;
	case BA_KIND_DIGEST:
		ba_json_write_string(w, f->key, at);
		break;
	case BA_KIND_BOOL:
		ba_json_write_bool(w, f->key, *(const bool *)at);
		break;
	case BA_KIND_INT:
		ba_json_write_i64(w, f->key, *(const int *)at);
		break;
	case BA_KIND_UNSIGNED:
		ba_json_write_u64(w, f->key, *(const unsigned *)at);
		break;
	case BA_KIND_U64:
		ba_json_write_u64(w, f->key, *(const uint64_t *)at);
		break;
	case BA_KIND_I64:
		ba_json_write_i64(w, f->key, *(const int64_t *)at);
		break;
	case BA_KIND_F64:
	case BA_KIND_SIZE:
	case BA_KIND_PART:
		ba_json_write_f64(w, f->key, *(const double *)at);
		break;
	case BA_KIND_LIST:
		ba_fields_write_list(w, f->key, at);
		break;
	case BA_KIND_WORD:
		ba_json_write_string(w, f->key, f->words->name(get_word(at, f->size)));
		break;
	case BA_KIND_OBJECT:
		ba_fields_write_object(w, f->key, f->fields, at);
		break;
	case BA_KIND_POINTER:
		ba_fields_write_object(w, f->key, f->fields, *(void *const *)at);
		break;
	case BA_KIND_OBJECTS:
		write_objects(w, f, base);
		break;
	case BA_KIND_F64S:
		ba_json_write_f64s(w, f->key, *(double *const *)at, count_of(f, base));
		break;
	case BA_KIND_U64S:
		ba_json_write_u64s(w, f->key, *(uint64_t *const *)at, count_of(f, base));
		break;
	case BA_KIND_COUNTS:
		write_counts(w, f, at);
		break;
	case BA_KIND_SCHEMA:
		ba_json_write_string(w, f->key, f->schema);
		break;
	}
}

static bool is_written(const ba_json_field *f, const char *base)
{
	for (size_t i = 0; i < f->if_size; i++)
		if (base[f->if_offset + i])
			return true;
	return !f->if_size;
}

void ba_fields_write(ba_json_writer *w, const ba_json_fields *fields, const void *base)
{
	for (size_t i = 0; i < fields->count; i++)
		if (is_written(&fields->rows[i], base))
			write_one(w, &fields->rows[i], base);
	if (fields->write)
		fields->write(w, base);
}

void ba_fields_write_object(
	ba_json_writer *w, const char *key, const ba_json_fields *fields, const void *base)
{
	ba_json_open_object(w, key);
	ba_fields_write(w, fields, base);
	ba_json_close(w);
}

static int read_digest(char out[65], ba_json_value v, ba_error *err)
{
	const char *text;
	BA_TRY(ba_json_as_string(&text, v, err));
	size_t length = strlen(text);
	if (length > 64 || strspn(text, "0123456789abcdef") != length)
		return ba_json_fail(err, v, "must be hexadecimal, at most 64 digits");
	memcpy(out, text, length + 1);
	return 0;
}

static int read_text(char **out, ba_json_value v, ba_error *err)
{
	const char *text;
	BA_TRY(ba_json_as_string(&text, v, err));
	*out = ba_xstrdup(text);
	return 0;
}

int ba_fields_read_list(ba_strv *out, ba_json_value object, const char *key, ba_error *err)
{
	ba_json_value array = ba_json_find(object, key);
	BA_TRY(ba_json_is(array) ? ba_json_as_array(&array, array, err) : 0);
	BA_JSON_EACH (v, array) {
		const char *text;
		BA_TRY(ba_json_as_string(&text, v, err));
		ba_strv_push(out, text);
	}
	return 0;
}

static int read_object(void *base, const ba_json_fields *fields, ba_json_value v, ba_error *err)
{
	BA_TRY(ba_json_as_object(&v, v, err));
	return ba_fields_read(base, fields, v, err);
}

static int read_pointer(void **out, const ba_json_field *f, ba_json_value v, ba_error *err)
{
	if (ba_json_type_of(v) == BA_JSON_NULL)
		return 0;
	*out = ba_xcalloc(1, f->size);
	return read_object(*out, f->fields, v, err);
}

/* checks that an array is not longer than the row permits */
static int check_count(size_t *has, const ba_json_field *f, ba_json_value array, ba_error *err)
{
	BA_TRY(ba_json_as_array(&array, array, err));
	*has = ba_json_count(array);
	if (f->most && *has > f->most)
		return ba_json_fail(
			err, array, "has %zu entries: at most %zu are allowed", *has, f->most);
	return 0;
}

static int read_numbers(void *base, const ba_json_field *f, ba_json_value array, ba_error *err)
{
	void *at = (char *)base + f->offset;
	size_t *count = (size_t *)(void *)((char *)base + f->count), has;
	BA_TRY(check_count(&has, f, array, err));
	if (!has)
		return 0;
	return f->kind == BA_KIND_F64S ? ba_json_as_f64s(at, count, array, err)
				       : ba_json_as_u64s(at, count, array, err);
}

static int read_counts(uint64_t *counts, const ba_json_field *f, ba_json_value v, ba_error *err)
{
	BA_TRY(ba_json_as_object(&v, v, err));
	for (int i = 0; i < f->words->count; i++)
		if (f->required || ba_json_is(ba_json_find(v, f->words->name(i))))
			BA_TRY(ba_json_get_u64(&counts[i], v, f->words->name(i), 0,
				f->most ? f->most : UINT64_MAX, err));
	return 0;
}

static int check_schema(const char *schema, ba_json_value v, ba_error *err)
{
	const char *text;
	BA_TRY(ba_json_as_string(&text, v, err));
	BA_AUTO_FREE char *safe = ba_text_safe(text);
	return strcmp(text, schema) == 0
		       ? 0
		       : ba_json_fail(err, v, "is '%.60s', not '%s'", safe, schema);
}

static int read_objects(void *base, const ba_json_field *f, ba_json_value array, ba_error *err)
{
	size_t *count = (size_t *)(void *)((char *)base + f->count), has;
	BA_TRY(check_count(&has, f, array, err));
	char *item = ba_xcalloc(has + 1, f->size);
	memcpy((char *)base + f->offset, &item, sizeof(item));
	ba_json_value v = ba_json_first(array);
	for (; ba_json_is(v); v = ba_json_next(v), item += f->size) {
		++*count;
		BA_TRY(read_object(item, f->fields, v, err));
	}
	return 0;
}

static int read_word(void *at, const ba_json_field *f, ba_json_value v, ba_error *err)
{
	const char *text = NULL;
	if (ba_json_type_of(v) != BA_JSON_NULL)
		BA_TRY(ba_json_as_string(&text, v, err));
	for (int i = 0; i < f->words->count; i++) {
		const char *name = f->words->name(i);
		if (text && name ? strcmp(text, name) == 0 : text == name) {
			set_word(at, f->size, i);
			return 0;
		}
	}
	return ba_json_fail(err, v, "%s", f->words->complaint);
}

static int read_int(int *out, ba_json_value v, ba_error *err)
{
	int64_t value;
	BA_TRY(ba_json_as_i64(&value, v, INT_MIN, INT_MAX, err));
	*out = (int)value;
	return 0;
}

static int read_unsigned(unsigned *out, ba_json_value v, ba_error *err)
{
	uint64_t value;
	BA_TRY(ba_json_as_u64(&value, v, 0, UINT_MAX, err));
	*out = (unsigned)value;
	return 0;
}

static int read_within(double *out, ba_json_value v, double most, const char *rule, ba_error *err)
{
	double value;
	int rc = ba_json_as_f64(&value, v, err);
	if (rc == 0 && (value < 0 || value > most))
		return ba_json_fail(err, v, "%s, is %g", rule, value);
	if (rc == 0)
		*out = value;
	return rc;
}

static int read_one(
	void *base, const ba_json_field *f, ba_json_value v, ba_json_value object, ba_error *err)
{
	void *at = (char *)base + f->offset;
	if (!ba_json_is(v)) {
		if (f->kind == BA_KIND_TEXT)
			*(char **)at = ba_xstrdup("");
		return f->required ? ba_json_fail(err, object, "has no '%s'", f->key) : 0;
	}
	switch (f->kind) {
	case BA_KIND_MAYBE:
		if (ba_json_type_of(v) == BA_JSON_NULL)
			return 0;
		return read_text(at, v, err);
	case BA_KIND_TEXT:
		return read_text(at, v, err);
	case BA_KIND_DIGEST:
		return read_digest(at, v, err);
	case BA_KIND_BOOL:
		return ba_json_as_bool(at, v, err);
	case BA_KIND_INT:
		return read_int(at, v, err);
	case BA_KIND_UNSIGNED:
		return read_unsigned(at, v, err);
	case BA_KIND_U64:
		return ba_json_as_u64(at, v, 0, UINT64_MAX, err);
	case BA_KIND_I64:
		return ba_json_as_i64(at, v, INT64_MIN, INT64_MAX, err);
	case BA_KIND_F64:
		return ba_json_as_f64(at, v, err);
	case BA_KIND_SIZE:
		return read_within(at, v, DBL_MAX, "must not be negative", err);
	case BA_KIND_PART:
		return read_within(at, v, 1, "must be between 0 and 1", err);
	case BA_KIND_LIST:
		return ba_fields_read_list(at, object, f->key, err);
	case BA_KIND_WORD:
		return read_word(at, f, v, err);
	case BA_KIND_OBJECT:
		return read_object(at, f->fields, v, err);
	case BA_KIND_POINTER:
		return read_pointer(at, f, v, err);
	case BA_KIND_OBJECTS:
		return read_objects(base, f, v, err);
	case BA_KIND_F64S:
	case BA_KIND_U64S:
		return read_numbers(base, f, v, err);
	case BA_KIND_COUNTS:
		return read_counts(at, f, v, err);
	case BA_KIND_SCHEMA:
		return check_schema(f->schema, v, err);
	}
	return 0;
}

/* Documents usually list members in the order of the rows, so look at the next member
 * before searching. */
static ba_json_value find(ba_json_value *next, ba_json_value object, const char *key)
{
	const char *has = ba_json_key(*next);
	ba_json_value v = has && strcmp(has, key) == 0 ? *next : ba_json_find(object, key);
	if (ba_json_is(v))
		*next = ba_json_next(v);
	return v;
}

int ba_fields_read(void *base, const ba_json_fields *fields, ba_json_value object, ba_error *err)
{
	ba_json_value next = ba_json_first(object);
	BA_EACH (const ba_json_field, f, fields->rows, fields->count)
		BA_TRY(read_one(base, f, find(&next, object, f->key), object, err));
	return fields->read ? fields->read(base, object, err) : 0;
}

int ba_fields_read_object(void *base, const ba_json_fields *fields, ba_json_value object,
	const char *key, ba_error *err)
{
	ba_json_value v = ba_json_find(object, key);
	return ba_json_is(v) ? read_object(base, fields, v, err) : 0;
}

/* ---- documents ---- */

void ba_fields_format(ba_buf *out, unsigned indent, const ba_json_fields *fields, const void *base)
{
	ba_json_writer w = ba_json_writer_to_buf(out, indent);
	ba_fields_write_object(&w, NULL, fields, base);
	ba_buf_putc(out, '\n');
}

int ba_fields_save(const char *path, unsigned indent, const ba_json_fields *fields,
	const void *base, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_fields_format(&text, indent, fields, base);
	return ba_fs_write_atomic(path, text.data, text.len, err);
}

int ba_fields_parse(void *base, const ba_json_fields *fields, const char *text, size_t size,
	const ba_json_options *options, ba_error *err)
{
	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	BA_TRY(ba_json_parse(&doc, text, size, options, err));
	return read_object(base, fields, ba_json_root(doc), err);
}

int ba_fields_load(void *base, const ba_json_fields *fields, const char *path,
	const ba_json_options *options, ba_error *err)
{
	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	BA_TRY(ba_json_read(&doc, path, options, err));
	return read_object(base, fields, ba_json_root(doc), err);
}
