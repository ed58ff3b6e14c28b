#include "import/members.h"

/* ---- values -------------------------------------------------------------- */

BA_OWNS(ba_values, v, free(v->at))

void ba_values_add(ba_values *v, double value)
{
	*BA_PUSH(v->at, v->count, v->capacity) = value;
}

int ba_time_pull(double *out, ba_pull *p, ba_error *err)
{
	double value = 0;
	BA_TRY(ba_pull_f64_quoted(&value, p, err));
	if (value < 0)
		return ba_pull_fail(
			err, p, "%g is negative, which a measured value cannot be", value);
	*out = value;
	return 0;
}

int ba_values_pull(ba_values *v, ba_pull *p, double scale, ba_error *err)
{
	double value = 0;
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0) {
		rc = ba_time_pull(&value, p, err);
		if (rc == 0)
			ba_values_add(v, value * scale);
	}
	return rc;
}

int ba_text_pull(ba_buf *out, ba_pull *p, ba_error *err)
{
	const char *text;
	double number;
	bool flag;
	ba_buf_clear(out);
	switch (ba_pull_peek(p)) {
	case BA_JSON_STRING:
		BA_TRY(ba_pull_string(&text, p, err));
		ba_buf_puts(out, text);
		return 0;
	case BA_JSON_NUMBER:
		BA_TRY(ba_pull_f64(&number, p, err));
		ba_buf_printf(out, "%.15g", number);
		return 0;
	case BA_JSON_BOOL:
		BA_TRY(ba_pull_bool(&flag, p, err));
		ba_buf_puts(out, flag ? "true" : "false");
		return 0;
	default:
		return ba_pull_skip(p, err);
	}
}

/* ---- fields and parameters ----------------------------------------------- */

void ba_parameters_join(ba_buf *out, ba_strv *words)
{
	ba_strv_sort(words);
	for (size_t i = 0; i < words->count; i++) {
		ba_buf_puts(out, i ? "," : "");
		ba_buf_puts(out, words->items[i]);
	}
}

static int add_parameter(void *data, const char *key, ba_pull *p, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf value = BA_BUF_INIT;
	int rc = ba_text_pull(&value, p, err);
	ba_strv_printf(data, "%s=%s", key, value.data);
	return rc;
}

static int pull_parameters(ba_buf *out, ba_pull *p, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv words = {0};
	if (ba_pull_peek(p) != BA_JSON_OBJECT)
		return ba_pull_skip(p, err);
	int rc = ba_keys_pull(&words, p, add_parameter, err);
	ba_parameters_join(out, &words);
	return rc;
}

static int pull_word(ba_strv *words, const char *key, ba_pull *p, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_TRY(ba_text_pull(&text, p, err));
	if (text.len)
		ba_strv_printf(words, "%s=%s", key, text.data);
	return 0;
}

static int pull_field(const ba_source *s, ba_pull *p, const ba_member *m, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf value = BA_BUF_INIT;
	BA_TRY(ba_text_pull(&value, p, err));
	ba_source_field(s, m->name, value.data, m->must_match);
	return 0;
}

/* ---- members -------------------------------------------------------------- */

static void clear_member(void *at, const ba_member *m, bool dispose)
{
	ba_buf *text = at;
	ba_values *values = at;
	switch (m->kind) {
	case BA_MEMBER_TEXT:
	case BA_MEMBER_PARAMETERS:
		if (!text->data)
			*text = (ba_buf)BA_BUF_INIT;
		(dispose ? ba_buf_dispose : ba_buf_clear)(text);
		break;
	case BA_MEMBER_NUMBER:
		*(double *)at = NAN;
		break;
	case BA_MEMBER_FLAG:
		*(bool *)at = m->set;
		break;
	case BA_MEMBER_VALUES:
		values->count = 0;
		if (dispose)
			ba_values_dispose(values);
		break;
	case BA_MEMBER_WORD:
		ba_strv_dispose(at);
		break;
	default:
		break;
	}
}

static void clear_members(void *data, const ba_member *rows, bool dispose)
{
	for (const ba_member *m = rows; m && m->key; m++) {
		clear_member((char *)data + m->at, m, dispose);
		clear_members(data, m->rows, dispose);
	}
}

void ba_members_clear(void *data, const ba_member *rows)
{
	clear_members(data, rows, false);
}

void ba_members_dispose(void *data, const ba_member *rows)
{
	clear_members(data, rows, true);
}

static int pull_number(double *out, ba_pull *p, double scale, ba_error *err)
{
	BA_TRY(ba_time_pull(out, p, err));
	*out *= scale;
	return 0;
}

static int pull_values(ba_values *out, ba_pull *p, double scale, ba_error *err)
{
	ba_json_type type = ba_pull_peek(p);
	double value = 0;
	if (type != BA_JSON_NUMBER)
		return type == BA_JSON_ARRAY ? ba_values_pull(out, p, scale, err)
					     : ba_pull_skip(p, err);
	BA_TRY(pull_number(&value, p, scale, err));
	ba_values_add(out, value);
	return 0;
}

static int take_member(void *data, ba_pull *p, const ba_member *m, ba_error *err)
{
	const ba_source *s = *(const ba_source *const *)data;
	void *at = (char *)data + m->at;
	switch (m->kind) {
	case BA_MEMBER_TEXT:
		return ba_text_pull(at, p, err);
	case BA_MEMBER_NUMBER:
		return pull_number(at, p, m->scale, err);
	case BA_MEMBER_FLAG:
		return ba_pull_bool(at, p, err);
	case BA_MEMBER_VALUES:
		return pull_values(at, p, m->scale, err);
	case BA_MEMBER_PARAMETERS:
		return pull_parameters(at, p, err);
	case BA_MEMBER_WORD:
		return pull_word(at, m->key, p, err);
	case BA_MEMBER_FIELDS:
		if (ba_pull_peek(p) != BA_JSON_OBJECT)
			return ba_pull_skip(p, err);
		return ba_members_pull(data, p, m->rows, err);
	case BA_MEMBER_OBJECT:
		return ba_members_pull(data, p, m->rows, err);
	case BA_MEMBER_RECORDS:
		return ba_records_pull(data, p, m->rows, m->call, err);
	case BA_MEMBER_READ:
		return m->call(data, p, err);
	case BA_MEMBER_EACH:
		return ba_each_pull(data, p, m->call, err);
	case BA_MEMBER_KEYS:
		return ba_keys_pull(data, p, m->of_key, err);
	default:
		return pull_field(s, p, m, err);
	}
}

static int pull_other(void *data, const char *key, ba_pull *p, ba_key_read *read, ba_error *err)
{
	BA_AUTO_FREE char *copy = ba_xstrdup(key);
	return read(data, copy, p, err);
}

int ba_members_pull(void *data, ba_pull *p, const ba_member *rows, ba_error *err)
{
	const char *key;
	if (ba_pull_peek(p) == BA_JSON_NULL)
		return ba_pull_skip(p, err);
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0) {
		const ba_member *m = rows;
		while (m->key && strcmp(key, m->key) != 0)
			m++;
		rc = m->key	 ? take_member(data, p, m, err)
		     : m->of_key ? pull_other(data, key, p, m->of_key, err)
				 : ba_pull_skip(p, err);
	}
	return rc;
}

int ba_each_pull(void *data, ba_pull *p, ba_member_read *each, ba_error *err)
{
	if (ba_pull_peek(p) == BA_JSON_NULL)
		return ba_pull_skip(p, err);
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0)
		rc = each(data, p, err);
	return rc;
}

int ba_records_pull(
	void *data, ba_pull *p, const ba_member *rows, ba_member_read *then, ba_error *err)
{
	if (ba_pull_peek(p) == BA_JSON_NULL)
		return ba_pull_skip(p, err);
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0) {
		ba_members_clear(data, rows);
		rc = ba_members_pull(data, p, rows, err);
		rc = rc ? rc : then(data, p, err);
	}
	return rc;
}

int ba_keys_pull(void *data, ba_pull *p, ba_key_read *read, ba_error *err)
{
	const ba_member all = {.of_key = read};
	return ba_members_pull(data, p, &all, err);
}

int ba_record_pull(
	void *data, ba_pull *p, const ba_member *rows, ba_member_read *then, ba_error *err)
{
	ba_members_clear(data, rows);
	int rc = ba_members_pull(data, p, rows, err);
	rc = rc || !then ? rc : then(data, p, err);
	ba_members_dispose(data, rows);
	return rc;
}

static int end_document(void *data, ba_pull *p, ba_error *err)
{
	return ba_pull_end(p, err);
}

int ba_document_pull(void *data, const ba_member *rows, ba_error *err)
{
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	BA_TRY(ba_source_pull(&p, *(const ba_source *const *)data, err));
	return ba_record_pull(data, p, rows, end_document, err);
}
