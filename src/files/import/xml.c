#include "import/xml.h"

enum { DEPTH_MOST = 64, ATTRIBUTES_MOST = 64 };

void ba_xml_dispose(ba_xml *x)
{
	BA_DISPOSE(ba_strv, &x->open, &x->attributes);
}

int ba_xml_fail(ba_error *err, const ba_xml *x, const char *sentence)
{
	size_t line = 1;
	for (const char *c = x->text; c < x->at && c < x->end; c++)
		line += *c == '\n';
	return ba_fail(err, BA_EDATA, "%s: line %zu: %s", x->name, line, sentence);
}

const char *ba_xml_attribute(const ba_xml *x, const char *name)
{
	for (size_t i = 0; i + 1 < x->attributes.count; i += 2)
		if (strcmp(x->attributes.items[i], name) == 0)
			return x->attributes.items[i + 1];
	return "";
}

static bool starts(const ba_xml *x, const char *word)
{
	size_t size = strlen(word);
	return (size_t)(x->end - x->at) >= size && memcmp(x->at, word, size) == 0;
}

/* Behind the next `word`; false if there is none. */
static bool pass(ba_xml *x, const char *word)
{
	const char *found = memmem(x->at, (size_t)(x->end - x->at), word, strlen(word));
	if (found)
		x->at = found + strlen(word);
	return found != NULL;
}

static bool is_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

static void pass_space(ba_xml *x)
{
	while (x->at < x->end && is_one_of(*x->at, " \t\r\n"))
		x->at++;
}

static char *take_name(ba_xml *x)
{
	const char *from = x->at;
	while (x->at < x->end && !is_one_of(*x->at, " \t\r\n/>=<\"'"))
		x->at++;
	return ba_xstrndup(from, (size_t)(x->at - from));
}

/* "&lt;" to "<"; what is no such word stays */
static char *decoded(const char *from, const char *end)
{
	static const struct {
		const char *word;
		char character;
	} rows[] = {
		{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
	ba_buf out = BA_BUF_INIT;
	while (from < end) {
		size_t i = 0, left = (size_t)(end - from);
		while (i < BA_COUNT(rows) &&
			(left < strlen(rows[i].word) ||
				memcmp(from, rows[i].word, strlen(rows[i].word)) != 0))
			i++;
		ba_buf_putc(&out, i < BA_COUNT(rows) ? rows[i].character : *from);
		from += i < BA_COUNT(rows) ? strlen(rows[i].word) : 1;
	}
	return ba_buf_detach(&out);
}

/* name="value" */
static int read_attribute(ba_xml *x, ba_error *err)
{
	BA_AUTO_FREE char *name = take_name(x);
	pass_space(x);
	if (!*name || x->at == x->end || *x->at != '=')
		return ba_xml_fail(err, x, "an attribute without its value");
	x->at++;
	pass_space(x);
	char quote = x->at < x->end ? *x->at : '\0';
	const char *from = x->at + 1;
	const char *to =
		quote == '"' || quote == '\'' ? memchr(from, quote, (size_t)(x->end - from)) : NULL;
	if (!to)
		return ba_xml_fail(err, x,
			"the value of an attribute is not in quotes; is the file truncated?");
	if (x->attributes.count >= 2 * (size_t)ATTRIBUTES_MOST)
		return ba_xml_fail(err, x, "a tag has more than 64 attributes");
	x->at = to + 1;
	ba_strv_push_take(&x->attributes, BA_TAKE(name));
	ba_strv_push_take(&x->attributes, decoded(from, to));
	return 0;
}

static void close_last(ba_xml *x)
{
	if (x->open.count == 0)
		return;
	free(x->open.items[--x->open.count]);
	x->open.items[x->open.count] = NULL;
}

/* behind "<" or "</" */
static int read_tag(ba_xml *x, ba_error *err)
{
	BA_AUTO_FREE char *name = take_name(x);
	if (!*name)
		return ba_xml_fail(err, x, "a '<' without the name of a tag");
	if (x->closes &&
		(x->open.count == 0 || strcmp(x->open.items[x->open.count - 1], name) != 0))
		return ba_xml_fail(err, x, "an end tag has no start tag");
	if (!x->closes && x->open.count == DEPTH_MOST)
		return ba_xml_fail(err, x, "nested deeper than 64");
	if (!x->closes)
		ba_strv_push(&x->open, name);
	pass_space(x);
	int rc = 0;
	while (rc == 0 && x->at < x->end && *x->at != '>' && *x->at != '/') {
		rc = read_attribute(x, err);
		pass_space(x);
	}
	x->empty = x->at < x->end && *x->at == '/';
	x->at += x->empty;
	if (rc)
		return rc;
	if (x->at >= x->end || *x->at != '>')
		return ba_xml_fail(err, x, "a tag does not end; is the file truncated?");
	x->at++;
	return 1;
}

int ba_xml_next(ba_xml *x, ba_error *err)
{
	if (x->closes || x->empty)
		close_last(x);
	x->closes = x->empty = false;
	ba_strv_dispose(&x->attributes);
	while (pass(x, "<")) {
		bool passed = true;
		if (starts(x, "!--"))
			passed = pass(x, "-->");
		else if (starts(x, "?"))
			passed = pass(x, "?>");
		else if (starts(x, "![CDATA["))
			passed = pass(x, "]]>");
		else if (starts(x, "!"))
			return ba_xml_fail(err, x, "a document type is not accepted");
		else {
			x->closes = starts(x, "/");
			x->at += x->closes;
			return read_tag(x, err);
		}
		if (!passed)
			return ba_xml_fail(
				err, x, "a comment does not end; is the file truncated?");
	}
	return x->open.count == 0
		       ? 0
		       : ba_xml_fail(err, x, "an element is not closed; is the file truncated?");
}
