/* Members of objects by key: required (get) and optional (opt). */
#include "json/json.h"

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
#define OPT(type, name, extra, ...)                                                       \
	int ba_json_opt_##name(type *out, ba_json_value object, const char *key           \
			extra, ba_error *err)                                             \
	{                                                                                 \
		ba_json_value v = ba_json_find(object, key);                              \
		return ba_json_is(v) ? ba_json_as_##name(out, v, __VA_ARGS__) : 0;        \
	}
#define NOTHING
#define COMMA ,

GET(const char *, string, NOTHING, err)
GET(uint64_t, u64, COMMA uint64_t min COMMA uint64_t max, min, max, err)
GET(int64_t, i64, COMMA int64_t min COMMA int64_t max, min, max, err)
GET(ba_json_value, array, NOTHING, err)
GET(ba_json_value, object, NOTHING, err)
OPT(uint64_t, u64, COMMA uint64_t min COMMA uint64_t max, min, max, err)
OPT(double, f64, NOTHING, err)
OPT(ba_json_value, array, NOTHING, err)
/* clang-format on */
