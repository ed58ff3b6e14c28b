/* Returns values as the requested type, or an error that says what they are. */

#include "json/reader.h"

#define EXACT 9007199254740991.0 /* 2^53 - 1: larger whole numbers may be rounded */

static int fail_type(ba_error *err, ba_json_value v, const char *wanted)
{
	return ba_json_fail(
		err, v, "must be %s, is %s", wanted, ba_json_type_name(ba_json_type_of(v)));
}

int ba_json_as_string(const char **out, ba_json_value v, ba_error *err)
{
	if (ba_json_type_of(v) != BA_JSON_STRING)
		return fail_type(err, v, "a string");
	*out = v.node->valuestring;
	return 0;
}

int ba_json_as_bool(bool *out, ba_json_value v, ba_error *err)
{
	if (ba_json_type_of(v) != BA_JSON_BOOL)
		return fail_type(err, v, "true or false");
	*out = v.node->type == cJSON_True;
	return 0;
}

/* the digits of a decimal string such as "-9007199254740993" */
static bool read_digits(uint64_t *magnitude, bool *negative, const char *text)
{
	*negative = *text == '-';
	text += *negative;
	return !ba_parse_u64(magnitude, text, 0, UINT64_MAX, "", NULL);
}

static int read_whole(uint64_t *magnitude, bool *negative, ba_json_value v, ba_error *err)
{
	ba_json_type type = ba_json_type_of(v);
	if (type == BA_JSON_STRING && read_digits(magnitude, negative, v.node->valuestring))
		return 0;
	if (type != BA_JSON_NUMBER)
		return fail_type(err, v, "a whole number");
	double d = v.node->valuedouble;
	if (floor(d) != d)
		return ba_json_fail(err, v, "must be a whole number, is %g", d);
	if (fabs(d) > EXACT)
		return ba_json_fail(err, v,
			"is beyond 2^53, where a number loses digits: write it as a string");
	*negative = d < 0;
	*magnitude = (uint64_t)fabs(d);
	return 0;
}

int ba_json_as_u64(uint64_t *out, ba_json_value v, uint64_t min, uint64_t max, ba_error *err)
{
	uint64_t magnitude;
	bool negative = false;
	BA_TRY(read_whole(&magnitude, &negative, v, err));
	if ((negative && magnitude) || magnitude < min || magnitude > max) {
		if (max == UINT64_MAX)
			return ba_json_fail(err, v, "must be at least %llu, is %s%llu",
				(unsigned long long)min, negative ? "-" : "",
				(unsigned long long)magnitude);
		return ba_json_fail(err, v, "must be between %llu and %llu, is %s%llu",
			(unsigned long long)min, (unsigned long long)max, negative ? "-" : "",
			(unsigned long long)magnitude);
	}
	*out = magnitude;
	return 0;
}

int ba_json_as_i64(int64_t *out, ba_json_value v, int64_t min, int64_t max, ba_error *err)
{
	uint64_t magnitude;
	bool negative = false;
	BA_TRY(read_whole(&magnitude, &negative, v, err));
	bool fits = magnitude <= (uint64_t)INT64_MAX + negative;
	int64_t value = fits ? (int64_t)(negative ? 0 - magnitude : magnitude) : 0;
	if (!fits || value < min || value > max)
		return ba_json_fail(err, v, "must be between %lld and %lld, is %s%llu",
			(long long)min, (long long)max, negative ? "-" : "",
			(unsigned long long)magnitude);
	*out = value;
	return 0;
}

int ba_json_as_f64(double *out, ba_json_value v, ba_error *err)
{
	ba_json_type type = ba_json_type_of(v);
	if (type != BA_JSON_NUMBER && type != BA_JSON_NULL)
		return fail_type(err, v, "a number");
	if (type == BA_JSON_NUMBER && !isfinite(v.node->valuedouble))
		return ba_json_fail(err, v, "is too large for a number");
	*out = type == BA_JSON_NULL ? NAN : v.node->valuedouble;
	return 0;
}

int ba_json_as_array(ba_json_value *out, ba_json_value v, ba_error *err)
{
	if (ba_json_type_of(v) != BA_JSON_ARRAY)
		return fail_type(err, v, "an array");
	*out = v;
	return 0;
}

int ba_json_as_object(ba_json_value *out, ba_json_value v, ba_error *err)
{
	if (ba_json_type_of(v) != BA_JSON_OBJECT)
		return fail_type(err, v, "an object");
	*out = v;
	return 0;
}

/* a whole array of numbers; each element is read as one */
#define AS_ALL(type, name, ...)                                                             \
	int ba_json_as_##name##s(type **out, size_t *count, ba_json_value v, ba_error *err) \
	{                                                                                   \
		size_t n = 0;                                                               \
		BA_TRY(ba_json_as_array(&v, v, err));                                       \
		BA_AUTO_FREE type *values =                                                 \
			ba_xreallocarray(NULL, ba_json_count(v) + 1, sizeof(*values));      \
		BA_JSON_EACH (item, v)                                                      \
			BA_TRY(ba_json_as_##name(&values[n++], item, __VA_ARGS__));         \
		*out = BA_TAKE(values);                                                     \
		*count = n;                                                                 \
		return 0;                                                                   \
	}
AS_ALL(uint64_t, u64, 0, UINT64_MAX, err)
AS_ALL(double, f64, err)

/* ---- members of objects by key ---- */

int ba_json_get(ba_json_value *out, ba_json_value object, const char *key, ba_error *err)
{
	BA_TRY(ba_json_as_object(&object, object, err));
	ba_json_value v = ba_json_find(object, key);
	if (!ba_json_is(v))
		return ba_json_fail(err, object, "has no '%s'", key);
	*out = v;
	return 0;
}

/* clang-format off */
#define GET(type, name, extra, ...)                                                       \
	int ba_json_get_##name(type *out, ba_json_value object, const char *key           \
			extra, ba_error *err)                                             \
	{                                                                                 \
		ba_json_value v;                                                          \
		int rc = ba_json_get(&v, object, key, err);                               \
		return rc < 0 ? rc : ba_json_as_##name(out, v, __VA_ARGS__);              \
	}
#define NOTHING
#define COMMA ,

GET(const char *, string, NOTHING, err)
GET(uint64_t, u64, COMMA uint64_t min COMMA uint64_t max, min, max, err)
GET(int64_t, i64, COMMA int64_t min COMMA int64_t max, min, max, err)
GET(ba_json_value, array, NOTHING, err)
GET(ba_json_value, object, NOTHING, err)
/* clang-format on */
