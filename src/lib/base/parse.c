#include "base/base.h"

int ba_parse_u64(uint64_t *out, const char *text, uint64_t min, uint64_t max, const char *what,
	ba_error *err)
{
	char *end = NULL;
	bool negative = *text == '-';
	errno = 0;
	unsigned long long value = strtoull(text + negative, &end, 10);
	if (!isdigit((unsigned char)text[negative]) || *end)
		return ba_fail(err, BA_EINVAL, "%s: '%s' is not a whole number", what, text);
	if (negative || errno == ERANGE || value < min || value > max)
		return ba_fail(err, BA_EINVAL,
			"%s: %s is out of range (%" PRIu64 " to %" PRIu64 ")", what, text, min,
			max);
	*out = value;
	return 0;
}

/* strtod accepts hex, infinities, nan and leading space; this function requires digits */
static int parse_number(double *out, const char *text, const char **rest)
{
	const char *p = text;
	if (*p == '-' || *p == '+')
		p++;
	if (!isdigit((unsigned char)*p) && !(*p == '.' && isdigit((unsigned char)p[1])))
		return -1;
	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
		return -1;
	char *end = NULL;
	double value = strtod(text, &end);
	if (!isfinite(value))
		return -1;
	*out = value;
	*rest = end;
	return 0;
}

bool ba_parse_f64(double *out, const char *text, double min, double max)
{
	const char *rest;
	double value;
	if (parse_number(&value, text, &rest) || *rest || value < min || value > max)
		return false;
	*out = value;
	return true;
}

int ba_parse_time_ns(double *out, const char *text, const char *what, ba_error *err)
{
	static const struct {
		const char *unit;
		double ns;
	} units[] = {{"", 1e9}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"µs", 1e3}, {"ns", 1},
		{"m", 60e9}, {"min", 60e9}, {"h", 3600e9}};
	const char *rest;
	double value;
	if (parse_number(&value, text, &rest) == 0 && value >= 0)
		for (size_t i = 0; i < BA_COUNT(units); i++)
			if (strcmp(rest + strspn(rest, " "), units[i].unit) == 0 &&
				value * units[i].ns < 9e18) {
				*out = value * units[i].ns;
				return 0;
			}
	return ba_fail(err, BA_EINVAL, "%s: '%s' is not a time; write it like 500ms, 10s, 8m or 1h",
		what, text);
}

int ba_parse_duration_ns(int64_t *out, const char *text, const char *what, ba_error *err)
{
	double ns;
	BA_TRY(ba_parse_time_ns(&ns, text, what, err));
	*out = (int64_t)llround(ns);
	return 0;
}

int ba_parse_bytes(uint64_t *out, const char *text, const char *what, ba_error *err)
{
	static const char letters[] = "kmgt";
	const char *rest;
	double value;
	if (parse_number(&value, text, &rest) == 0 && value >= 0) {
		const char *letter = *rest ? strchr(letters, tolower((unsigned char)*rest)) : NULL;
		if (letter) {
			value *= pow(1024, (double)(letter - letters) + 1);
			rest++;
			if (*rest == 'i')
				rest++;
		}
		if (*rest == 'B' || *rest == 'b')
			rest++;
		if (*rest == '\0' && value < 9e18) {
			*out = (uint64_t)value;
			return 0;
		}
	}
	return ba_fail(err, BA_EINVAL,
		"%s: '%s' is not a size; write it like 4096, 64k, 500M or 2G", what, text);
}

int ba_parse_ratio(double *out, const char *text, const char *what, ba_error *err)
{
	const char *rest;
	double value;
	if (parse_number(&value, text, &rest) == 0) {
		if (strcmp(rest + strspn(rest, " "), "%") == 0) {
			value /= 100;
			rest = "";
		}
		if (*rest == '\0' && value >= 0) {
			*out = value;
			return 0;
		}
		if (*rest == '\0')
			return ba_fail(err, BA_EINVAL, "%s: '%s' is negative", what, text);
	}
	return ba_fail(
		err, BA_EINVAL, "%s: '%s' is not a ratio; write it like 2%% or 0.02", what, text);
}
