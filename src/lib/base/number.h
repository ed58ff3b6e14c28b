/* Numbers as text: parsed, and formatted for people with as many digits as the spread of the
 * value justifies. */
#pragma once

#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

/* isdigit() of the C locale, without a table */
static inline bool ba_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* ---- to values: the whole string, or an error (BA_EINVAL) that names `what` ---- */

int ba_parse_u64(uint64_t *out, const char *text, uint64_t min, uint64_t max, const char *what,
	ba_error *err);
bool ba_parse_f64(double *out, const char *text, double min, double max);
/* A number in JSON's form, -? digits (. digits)? (e +-? digits)?, of exactly n bytes.
 * text[n] must be readable; its value does not matter. False if it is not a number or
 * not finite. The result is the nearest double. Fast enough for millions of numbers. */
bool ba_parse_decimal(double *out, const char *text, size_t n);
/* The same for a number at the beginning of the text, if it has the usual form: digits
 * and perhaps a fraction, at most 18 bytes. Returns its length; 0 for other forms. */
size_t ba_parse_plain(double *out, const char *text, size_t n);
/* How many bytes at the beginning of text form such a number; false: a digit is missing
 * there. */
bool ba_decimal_size(size_t *out, const char *text, size_t n);
/* "250ms", "10 s", "8m", "1.5h", "25ns"; a bare number is seconds */
int ba_parse_duration_ns(int64_t *out, const char *text, const char *what, ba_error *err);
/* the same, with parts of a nanosecond */
int ba_parse_time_ns(double *out, const char *text, const char *what, ba_error *err);
/* "512", "4k", "1.5M", "2GiB": powers of 1024 */
int ba_parse_bytes(uint64_t *out, const char *text, const char *what, ba_error *err);
/* "2%" or "0.02" -> 0.02; a negative one is an error */
int ba_parse_ratio(double *out, const char *text, const char *what, ba_error *err);

/* ---- for people ---- */

/* The noun (or verb) for a count: printf("%zu %s", n, ba_plural(n, "run", "runs")). */
const char *ba_plural(size_t n, const char *one, const char *many);

/* How many decimals (0 .. 4; up to 12 for a value below 0.01) show two significant digits
 * of `spread` and at most six of `value`. Without a spread (0, NaN, infinite): three
 * digits of the value. */
int ba_number_decimals(double value, double spread);

/* With `sign`, a plus is written too. A value that rounds to zero has no sign; one that
 * is not finite is "-". */
void ba_number_put(ba_buf *out, double value, int decimals, bool sign);

/* The value as printf's %.12g, several times as fast. For tables of millions of them. */
void ba_number_put_12(ba_buf *out, double value);

/* The unit in which people read a time: the largest in which the value is at least 1. */
typedef struct ba_time_unit {
	const char *name, *ascii; /* "ns", "µs" ("us"), "ms", "s" */
	double ns;		  /* length of the unit */
} ba_time_unit;
ba_time_unit ba_time_unit_of(double ns); /* of |ns| */

/* 1.041 -> "+4.1 %", infinite -> "from 0"; decimals 0 .. 3, as from ba_percent_decimals */
void ba_percent_put(ba_buf *out, double ratio, int decimals);

/* 1.036, 1.047 -> "+3.6 .. +4.7 %"; an unknown end is "?". An end that rounds to
 * zero has a sign if the interval does not contain zero: "+0.0 .. +0.8 %". */
void ba_percent_interval_put(ba_buf *out, double low, double high, int decimals);

/* A short text, to be used in a format; an end of an interval can have 309 digits. */
typedef struct ba_word {
	char text[704];
} ba_word;
/* "+4.1 %", with the decimals that the interval justifies:
 * ba_buf_printf(out, "moved by %s", ba_percent_of(k->ratio, k->low, k->high).text) */
ba_word ba_percent_of(double ratio, double low, double high);
ba_word ba_interval_of(double low, double high); /* "+3.6 .. +4.7 %" */

/* how many decimals an interval of these ratios justifies: 2 if it is narrower than
 * half a per cent, and so on; 1 if an end is unknown */
int ba_percent_decimals(double low, double high);

/* a threshold or level with no more digits than it needs: 0.02 -> "2 %",
 * 0.015 -> "1.5 %" */
void ba_percent_plain(ba_buf *out, double part);
/* "2 %", or "1.5 to 2 %" if two digits tell the two apart */
void ba_percent_range_put(ba_buf *out, double least, double most);
