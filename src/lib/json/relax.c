/* Accepts comments, and commas before a closing bracket, as users write them in
 * configurations. */
#include <ctype.h>

#include "json/tree.h"

static void blank(char *from, const char *to)
{
	for (; from < to; from++)
		if (*from != '\n')
			*from = ' ';
}

/* past the comment that begins at `at`, or NULL where it has no end */
static char *comment_end(char *at, char *end)
{
	if (at[1] == '/') {
		char *newline = memchr(at, '\n', (size_t)(end - at));
		return newline ? newline : end;
	}
	char *close = memmem(at + 2, (size_t)(end - at - 2), "*/", 2);
	return close ? close + 2 : NULL;
}

static char *string_end(char *at, const char *end)
{
	for (at++; at < end && *at != '"' && *at != '\n'; at++)
		if (*at == '\\' && at + 1 < end)
			at++;
	return at;
}

const char *ba_json_relax(char *text, size_t size)
{
	char *end = text + size;
	char *comma = NULL; /* a comma with nothing but space after it so far */
	bool after_value = false;
	for (char *at = text; at < end; at++) {
		if (*at == '/' && at + 1 < end && (at[1] == '/' || at[1] == '*')) {
			char *stop = comment_end(at, end);
			if (!stop)
				return at;
			blank(at, stop);
			at = stop - 1;
		} else if (*at == ',') {
			/* Keep the comma of "[,]": the parser rejects it later. */
			comma = after_value ? at : NULL;
			after_value = false;
		} else if (*at == ']' || *at == '}') {
			if (comma)
				*comma = ' ';
			comma = NULL;
			after_value = true;
		} else if (!isspace((unsigned char)*at)) {
			comma = NULL;
			after_value = *at != '[' && *at != '{';
			if (*at == '"')
				at = string_end(at, end);
		}
	}
	return NULL;
}
