/* Strings and numbers of the cursor. */
#include <math.h>
#include <strings.h>

#include "base/base.h"
#include "base/parse.h"
#include "json/pull_internal.h"

/* ---- strings ---- */

static int fail_string(ba_error *err, ba_pull *p, ba_lex_fault fault)
{
	static const char *const sentences[] = {[BA_LEX_ESCAPE] = "no such escape in a string",
		[BA_LEX_HEX] = "four hex digits should follow '\\u'",
		[BA_LEX_ZERO] = "a string may not hold U+0000",
		[BA_LEX_HALF] = "half a surrogate pair",
		[BA_LEX_LONG] = "a string of more than 1 MiB"};
	int c = ba_lex_peek(&p->lex);
	if (fault == BA_LEX_UNCLOSED || (fault == BA_LEX_ESCAPE && c < 0))
		return ba_pull_unexpected(err, p, c, "the end of a string");
	if (fault == BA_LEX_CONTROL)
		return ba_pull_fail(err, p, "a raw control character (0x%02x) in a string", c);
	return ba_pull_fail(err, p, "%s", sentences[fault]);
}

int ba_pull_read_string(ba_pull *p, ba_error *err)
{
	ba_buf_clear(&p->token);
	ba_lex_fault fault = ba_lex_string(&p->token, BA_PULL_STRING_MOST, &p->lex);
	if (fault)
		return fail_string(err, p, fault);
	return p->lex.odd_byte ? ba_pull_fail(err, p, "a string is not UTF-8 (byte 0x%02x)",
					 p->lex.odd_byte)
			       : 0;
}

/* ---- values ---- */

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
	case 'n': /* null, or the nan of some tools: a number all the same */
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

int ba_pull_string(const char **out, ba_pull *p, ba_error *err)
{
	int c = ba_lex_token(&p->lex);
	if (c != '"')
		return ba_pull_unexpected(err, p, c, "a string");
	int rc = ba_pull_read_string(p, err);
	if (rc == 0)
		*out = p->token.data;
	return rc;
}

/* a bare word or number, into p->token */
static int read_word(ba_pull *p, const char *wanted, ba_error *err)
{
	int c = ba_lex_token(&p->lex);
	size_t n = ba_lex_word(&p->lex, BA_PULL_WORD_MOST + 1);
	if (n > BA_PULL_WORD_MOST)
		return ba_pull_fail(err, p, "a number of more than %d digits", BA_PULL_WORD_MOST);
	if (n == 0)
		return ba_pull_unexpected(err, p, c, wanted);
	ba_buf_clear(&p->token);
	ba_buf_put(&p->token, p->lex.at, n);
	p->lex.at += n;
	return 0;
}

/* the words that tools write where JSON has none */
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

static int as_number(double *out, ba_pull *p, ba_error *err)
{
	const char *t = p->token.data;
	double value = 0;
	if (strcmp(t, "null") == 0)
		value = NAN;
	else if (!ba_parse_decimal(&value, t, p->token.len) &&
		 !(*t != '+' && word_value(&value, t)))
		return ba_pull_fail(err, p, "'%.40s' is not a number", t);
	*out = value;
	return 0;
}

int ba_pull_f64(double *out, ba_pull *p, ba_error *err)
{
	ba_json_type type = ba_pull_peek(p);
	if (type != BA_JSON_NUMBER && type != BA_JSON_NULL)
		return ba_pull_unexpected(err, p, ba_lex_token(&p->lex), "a number");
	int rc = read_word(p, "a number", err);
	return rc ? rc : as_number(out, p, err);
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
	BA_TRY(read_word(p, "true or false", err));
	bool yes = strcmp(p->token.data, "true") == 0;
	if (!yes && strcmp(p->token.data, "false") != 0)
		return ba_pull_fail(err, p, "must be true or false, is '%.40s'", p->token.data);
	*out = yes;
	return 0;
}

static int skip_scalar(ba_pull *p, ba_error *err)
{
	double number;
	bool flag;
	switch (ba_pull_peek(p)) {
	case BA_JSON_STRING:
		return ba_pull_read_string(p, err);
	case BA_JSON_BOOL:
		return ba_pull_bool(&flag, p, err);
	case BA_JSON_NULL:
	case BA_JSON_NUMBER:
		return ba_pull_f64(&number, p, err);
	default:
		return ba_pull_unexpected(err, p, ba_lex_token(&p->lex), "a value");
	}
}

int ba_pull_skip(ba_pull *p, ba_error *err)
{
	size_t floor = p->depth;
	const char *key;
	int rc = 0;
	do {
		ba_json_type type = ba_pull_peek(p);
		rc = type == BA_JSON_OBJECT  ? ba_pull_object(p, err)
		     : type == BA_JSON_ARRAY ? ba_pull_array(p, err)
					     : skip_scalar(p, err);
		/* on to the next value, out of all that ended */
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
	int c = ba_lex_token(&p->lex);
	if (p->lex.io_errno)
		return ba_pull_unexpected(err, p, c, "");
	return c < 0 ? 0 : ba_pull_unexpected(err, p, c, "the end of the file");
}
