/* Parses text to values: the whole string, or an error (BA_EINVAL) that names `what`. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

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
