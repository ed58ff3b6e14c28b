#include "base/base.h"

enum { TEXT_MOST = 400, EXACT_DIGITS = 19, EXACT_POWER = 22, PLAIN_MOST = 18 };

typedef struct decimal {
	bool negative;
	uint64_t mantissa; /* value of the first 19 significant digits */
	int digits;	   /* number of significant digits, without leading zeros */
	int exponent;
} decimal;

static const char *take_digits(decimal *d, const char *at, const char *end, bool part)
{
	for (; at < end && ba_is_digit(*at); at++) {
		if (d->digits || *at != '0')
			d->digits++;
		if (d->digits <= EXACT_DIGITS)
			d->mantissa = d->mantissa * 10 + (uint64_t)(*at - '0');
		d->exponent -= part;
	}
	return at;
}

static const char *take_exponent(decimal *d, const char *at, const char *end)
{
	bool minus = at < end && *at == '-';
	int value = 0;
	at += at < end && (*at == '-' || *at == '+');
	for (; at < end && ba_is_digit(*at); at++)
		value = value < 100000 ? value * 10 + (*at - '0') : value;
	d->exponent += minus ? -value : value;
	return at;
}

/* Reads up to the first byte that is not part of a number; *whole: the bytes before
 * it are a complete number. */
static const char *scan(decimal *d, bool *whole, const char *at, const char *end)
{
	*whole = false;
	d->negative = at < end && *at == '-';
	at += d->negative;
	if (at == end || !ba_is_digit(*at))
		return at;
	at = *at == '0' ? at + 1 : take_digits(d, at, end, false);
	if (at < end && *at == '.') {
		at = take_digits(d, at + 1, end, true);
		if (at[-1] == '.')
			return at;
	}
	if (at < end && (*at == 'e' || *at == 'E'))
		at = take_exponent(d, at + 1, end);
	*whole = ba_is_digit(at[-1]);
	return at;
}

bool ba_decimal_size(size_t *out, const char *text, size_t n)
{
	decimal d = {0};
	bool whole;
	*out = (size_t)(scan(&d, &whole, text, text + n) - text);
	return whole;
}

static const double powers[EXACT_POWER + 1] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
	1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* A mantissa below 2^53 and a power of ten up to 22 are doubles, so that one division
 * or product rounds once: the nearest double (Clinger 1990). */
static bool exact(double *out, const decimal *d)
{
	if (d->digits > EXACT_DIGITS || d->mantissa >> 53 || d->exponent < -EXACT_POWER ||
		d->exponent > EXACT_POWER)
		return false;
	double value = (double)d->mantissa;
	value = d->exponent < 0 ? value / powers[-d->exponent] : value * powers[d->exponent];
	*out = d->negative ? -value : value;
	return true;
}

size_t ba_parse_plain(double *out, const char *text, size_t n)
{
	size_t i = 0, most = n < PLAIN_MOST ? n : PLAIN_MOST, fraction = 0;
	uint64_t mantissa = 0;
	while (i < most && ba_is_digit(text[i]))
		mantissa = mantissa * 10 + (uint64_t)(text[i++] - '0');
	if (i == 0 || (*text == '0' && i > 1))
		return 0;
	if (i < most && text[i] == '.') {
		size_t from = ++i;
		while (i < most && ba_is_digit(text[i]))
			mantissa = mantissa * 10 + (uint64_t)(text[i++] - '0');
		fraction = i - from;
		if (fraction == 0)
			return 0;
	}
	bool more = i < n && (ba_is_digit(text[i]) || text[i] == '.' || (text[i] | 0x20) == 'e');
	if (more || mantissa >> 53)
		return 0;
	*out = fraction ? (double)mantissa / powers[fraction] : (double)mantissa;
	return i;
}

bool ba_parse_decimal(double *out, const char *text, size_t n)
{
	decimal d = {0};
	bool whole;
	if (n && ba_parse_plain(out, text, n) == n)
		return true;
	if (n > TEXT_MOST || scan(&d, &whole, text, text + n) != text + n || !whole)
		return false;
	if (exact(out, &d))
		return true;
	char copy[TEXT_MOST + 1];
	memcpy(copy, text, n);
	copy[n] = '\0';
	double value = strtod(copy, NULL);
	if (!isfinite(value))
		return false;
	*out = value;
	return true;
}
