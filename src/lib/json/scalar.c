/* Strings, numbers and words of the cursor. */

#include "json/pull.h"
#include "json/reader.h"

/* ---- strings ---- */

int ba_json_read_text(ba_pull *p, bool key, bool keep, ba_error *err)
{
	ba_lex *lex = &p->lex;
	size_t start = ba_lex_offset(lex);
	bool bounded = key || p->foreign;
	ba_buf_clear(&p->token);
	ba_lex_fault fault = ba_lex_string(
		keep || bounded ? &p->token : NULL, bounded ? BA_JSON_STRING_MOST : SIZE_MAX, lex);
	if (lex->odd_byte)
		return ba_json_fail_at(
			err, p, lex->odd_at, "byte 0x%02x is not UTF-8", lex->odd_byte);
	if (fault == BA_LEX_CONTROL && ba_lex_peek(lex) == '\n')
		fault = BA_LEX_UNCLOSED;
	switch (fault) {
	case BA_LEX_UNCLOSED:
		return lex->io_errno ? ba_json_fail_expected(err, p, "")
				     : ba_json_fail_at(
					       err, p, start, "a string without its closing quote");
	case BA_LEX_CONTROL:
		return ba_json_fail_at(err, p, ba_lex_offset(lex),
			"control character 0x%02x in a string: write it as an escape",
			ba_lex_peek(lex));
	case BA_LEX_ESCAPE:
		return ba_json_fail_expected(err, p, "one of \"\\/bfnrtu after a backslash");
	case BA_LEX_HEX:
		return ba_json_fail_expected(err, p, "a hexadecimal digit");
	case BA_LEX_ZERO:
		return ba_json_fail_at(
			err, p, lex->escape_at, "\\u0000 is not allowed in a string");
	case BA_LEX_HALF:
		return ba_json_fail_at(err, p, lex->escape_at, "half of a surrogate pair");
	case BA_LEX_LONG:
		return ba_json_fail_at(
			err, p, start, "a %s of more than 1 MiB", key ? "key" : "string");
	default:
		return 0;
	}
}

int ba_pull_string(const char **out, ba_pull *p, ba_error *err)
{
	if (ba_lex_token(&p->lex) != '"')
		return ba_json_fail_expected(err, p, "a string");
	BA_TRY(ba_json_read_text(p, false, true, err));
	*out = p->token.data;
	return 0;
}

/* ---- numbers and words ---- */

/* Is this the next word? If so, takes it. */
static bool take_word(ba_pull *p, const char *word)
{
	size_t size = strlen(word);
	if (ba_lex_word(&p->lex, BA_JSON_NUMBER_MOST) != size || memcmp(p->lex.at, word, size) != 0)
		return false;
	p->lex.at += size;
	return true;
}

/* words for numbers that tools write although JSON has none */
static bool word_value(double *out, const char *word)
{
	bool minus = *word == '-';
	const char *t = word + (minus || *word == '+');
	if (strcasecmp(t, "nan") == 0)
		*out = NAN;
	else if (strcasecmp(t, "inf") == 0 || strcasecmp(t, "infinity") == 0)
		*out = minus ? -INFINITY : INFINITY;
	else
		return false;
	return true;
}

static bool take_foreign(double *out, ba_pull *p)
{
	size_t n = ba_lex_word(&p->lex, BA_JSON_NUMBER_MOST);
	if (!p->foreign || ba_lex_peek(&p->lex) == '+')
		return false;
	ba_buf_clear(&p->token);
	ba_buf_put(&p->token, p->lex.at, n);
	if (!word_value(out, p->token.data))
		return false;
	p->lex.at += n;
	return true;
}

static int number(double *out, ba_pull *p, ba_error *err)
{
	ba_lex *lex = &p->lex;
	size_t start = ba_lex_offset(lex), n = ba_lex_word(lex, BA_JSON_NUMBER_MOST + 1), size;
	const char *text = lex->at;
	bool ok = ba_decimal_size(&size, text, n);
	if (ok && size < n && isdigit((unsigned char)text[size]))
		return ba_json_fail_at(err, p, start + size - 1, "a number with a leading zero");
	lex->at += size;
	if (!ok)
		return ba_json_fail_expected(err, p, "a digit");
	if (size > BA_JSON_NUMBER_MOST)
		return ba_json_fail_at(
			err, p, start, "a number of more than %d characters", BA_JSON_NUMBER_MOST);
	if (ba_parse_decimal(out, text, size))
		return 0;
	/* the number is too large for a double */
	*out = *text == '-' ? -INFINITY : INFINITY;
	return !p->foreign ? 0
			   : ba_json_fail_at(err, p, start, "%.*s is too large for a number",
				     size < 40 ? (int)size : 40, text);
}

static int read_number(double *out, ba_pull *p, const char *wanted, ba_error *err)
{
	int c = ba_lex_token(&p->lex);
	bool digit = c >= '0' && c <= '9';
	if (c == 'n' && take_word(p, "null")) {
		*out = NAN;
		return 0;
	}
	if (!digit && take_foreign(out, p))
		return 0;
	return digit || c == '-' ? number(out, p, err) : ba_json_fail_expected(err, p, wanted);
}

static int read_bool(bool *out, ba_pull *p, const char *wanted, ba_error *err)
{
	ba_lex_token(&p->lex);
	bool yes = take_word(p, "true");
	if (!yes && !take_word(p, "false"))
		return ba_json_fail_expected(err, p, wanted);
	*out = yes;
	return 0;
}

int ba_pull_f64(double *out, ba_pull *p, ba_error *err)
{
	return read_number(out, p, "a number", err);
}

int ba_pull_f64_quoted(double *out, ba_pull *p, ba_error *err)
{
	const char *text = ""; /* gcc -O2 cannot see that it is set */
	double value;
	if (ba_pull_peek(p) != BA_JSON_STRING)
		return ba_pull_f64(out, p, err);
	BA_TRY(ba_pull_string(&text, p, err));
	if (!ba_parse_decimal(&value, text, p->token.len) && !word_value(&value, text)) {
		BA_AUTO_FREE char *safe = ba_text_safe(text);
		return ba_pull_fail(err, p, "'%.40s' is not a number", safe);
	}
	*out = value;
	return 0;
}

int ba_pull_bool(bool *out, ba_pull *p, ba_error *err)
{
	return read_bool(out, p, "true or false", err);
}

/* ---- any value ---- */

ba_json_type ba_pull_peek(ba_pull *p)
{
	int c = ba_lex_token(&p->lex);
	switch (c) {
	case '{':
		return BA_JSON_OBJECT;
	case '[':
		return BA_JSON_ARRAY;
	case '"':
		return BA_JSON_STRING;
	case 't':
	case 'f':
		return BA_JSON_BOOL;
	case 'n': /* null, or the nan of some tools, which readers take as a number */
		return BA_JSON_NULL;
	case '-':
	case 'N':
	case 'I':
	case 'i':
		return BA_JSON_NUMBER;
	default:
		return c >= '0' && c <= '9' ? BA_JSON_NUMBER : BA_JSON_ABSENT;
	}
}

int ba_json_read_scalar(double *number, bool *flag, ba_pull *p, bool keep, ba_error *err)
{
	switch (ba_pull_peek(p)) {
	case BA_JSON_STRING:
		return ba_json_read_text(p, false, keep, err);
	case BA_JSON_BOOL:
		return read_bool(flag, p, "a value", err);
	default:
		return read_number(number, p, "a value", err);
	}
}

int ba_pull_skip(ba_pull *p, ba_error *err)
{
	size_t floor = p->depth;
	const char *key;
	double number;
	bool flag;
	int rc = 0;
	do {
		ba_json_type type = ba_pull_peek(p);
		rc = type == BA_JSON_OBJECT  ? ba_pull_object(p, err)
		     : type == BA_JSON_ARRAY ? ba_pull_array(p, err)
					     : ba_json_read_scalar(&number, &flag, p, false, err);
		/* Leaves the arrays and objects that ended, up to the next value. */
		while (rc == 0 && p->depth > floor) {
			rc = p->levels[p->depth - 1].object ? ba_pull_member(&key, p, err)
							    : ba_pull_element(p, err);
			if (rc != 0)
				break;
		}
	} while (rc > 0);
	return rc;
}

int ba_pull_end(ba_pull *p, ba_error *err)
{
	return ba_lex_token(&p->lex) < 0 && !p->lex.io_errno
		       ? 0
		       : ba_json_fail_expected(err, p, "the end of the text");
}
