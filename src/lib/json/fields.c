#include <float.h>
#include <limits.h>

#include "json/fields.h"

void ba_fields_write_list(ba_json_writer *w, const char *key, const ba_strv *list)
{
	ba_json_open_array(w, key);
	for (size_t i = 0; i < list->count; i++)
		ba_json_write_string(w, NULL, list->items[i]);
	ba_json_close(w);
}

void ba_list_write(ba_json_writer *w, const char *key, const ba_json_list *list, const void *owner)
{
	const char *item;
	size_t count;
	memcpy(&item, (const char *)owner + list->items, sizeof(item));
	memcpy(&count, (const char *)owner + list->count, sizeof(count));
	ba_json_open_array(w, key);
	for (; count; count--, item += list->size) {
		ba_json_open_object(w, NULL);
		if (list->write)
			list->write(w, item);
		ba_fields_write(w, list->fields, list->field_count, item);
		ba_json_close(w);
	}
	ba_json_close(w);
}

static void write_one(ba_json_writer *w, const ba_json_field *f, const void *at)
{
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
	case BA_KIND_OBJECTS:
		ba_list_write(w, f->key, f->list, at);
		break;
	}
}

void ba_fields_write(ba_json_writer *w, const ba_json_field *fields, size_t count, const void *base)
{
	for (size_t i = 0; i < count; i++)
		write_one(w, &fields[i], (const char *)base + fields[i].offset);
}

void ba_fields_write_object(ba_json_writer *w, const char *key, const ba_json_field *fields,
	size_t count, const void *base)
{
	ba_json_open_object(w, key);
	ba_fields_write(w, fields, count, base);
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
	int rc = ba_json_as_string(&text, v, err);
	if (rc == 0)
		*out = ba_xstrdup(text);
	return rc;
}

int ba_fields_read_list(ba_strv *out, ba_json_value object, const char *key, ba_error *err)
{
	ba_json_value array = {0};
	int rc = ba_json_opt_array(&array, object, key, err);
	ba_json_value v = ba_json_first(array);
	for (; rc == 0 && ba_json_is(v); v = ba_json_next(v)) {
		const char *text;
		rc = ba_json_as_string(&text, v, err);
		if (rc == 0)
			ba_strv_push(out, text);
	}
	return rc;
}

int ba_list_read(
	void *owner, const char *key, const ba_json_list *list, ba_json_value object, ba_error *err)
{
	ba_json_value array = {0}, one;
	size_t *count = (size_t *)(void *)((char *)owner + list->count);
	int rc = list->required ? ba_json_get_array(&array, object, key, err)
				: ba_json_opt_array(&array, object, key, err);
	if (rc || !ba_json_is(array))
		return rc;
	size_t has = ba_json_count(array);
	if (list->most && has > list->most)
		return ba_json_fail(
			err, array, "has %zu rows: at most %zu are allowed", has, list->most);
	char *item = ba_xcalloc(has + 1, list->size);
	memcpy((char *)owner + list->items, &item, sizeof(item));
	ba_json_value v = ba_json_first(array);
	for (; rc == 0 && ba_json_is(v); v = ba_json_next(v), item += list->size) {
		++*count;
		rc = ba_json_as_object(&one, v, err);
		rc = rc ? rc : ba_fields_read(item, list->fields, list->field_count, one, err);
		if (rc == 0 && list->read)
			rc = list->read(item, one, err);
	}
	return rc;
}

static int read_int(int *out, ba_json_value v, ba_error *err)
{
	int64_t value;
	int rc = ba_json_as_i64(&value, v, INT_MIN, INT_MAX, err);
	if (rc == 0)
		*out = (int)value;
	return rc;
}

static int read_unsigned(unsigned *out, ba_json_value v, ba_error *err)
{
	uint64_t value;
	int rc = ba_json_as_u64(&value, v, 0, UINT_MAX, err);
	if (rc == 0)
		*out = (unsigned)value;
	return rc;
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
	void *at, const ba_json_field *f, ba_json_value v, ba_json_value object, ba_error *err)
{
	if (!ba_json_is(v)) {
		if (f->kind == BA_KIND_TEXT)
			*(char **)at = ba_xstrdup("");
		return 0;
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
	case BA_KIND_OBJECTS:
		return ba_list_read(at, f->key, f->list, object, err);
	}
	return 0;
}

/* A document has its members in the order of the rows, mostly: the one after the last
 * is the next, and no search is needed. */
static ba_json_value find(ba_json_value *next, ba_json_value object, const char *key)
{
	const char *has = ba_json_key(*next);
	ba_json_value v = has && strcmp(has, key) == 0 ? *next : ba_json_find(object, key);
	if (ba_json_is(v))
		*next = ba_json_next(v);
	return v;
}

int ba_fields_read(
	void *base, const ba_json_field *fields, size_t count, ba_json_value object, ba_error *err)
{
	ba_json_value next = ba_json_first(object);
	for (size_t i = 0; i < count; i++) {
		ba_json_value v = find(&next, object, fields[i].key);
		BA_TRY(read_one((char *)base + fields[i].offset, &fields[i], v, object, err));
	}
	return 0;
}

int ba_fields_read_object(void *base, const ba_json_field *fields, size_t count,
	ba_json_value object, const char *key, ba_error *err)
{
	ba_json_value v = ba_json_find(object, key);
	int rc = ba_json_is(v) ? ba_json_as_object(&v, v, err) : 0;
	return rc || !ba_json_is(v) ? rc : ba_fields_read(base, fields, count, v, err);
}
