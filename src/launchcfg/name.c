/* Name expressions with holes for parameter types: "scale<{*0}>". */
#include <ctype.h>

#include "dispatcher.h"

#define POINTER_BIT 0x80000000u

/* Reads "{0}" or "{*12}"; returns its length, 0: something else in braces. */
static size_t read_hole(const char *at, bool *pointee, size_t *index)
{
	const char *p = at + 1;
	*pointee = *p == '*';
	p += *pointee;
	if (!isdigit((unsigned char)*p))
		return 0;
	*index = 0;
	while (isdigit((unsigned char)*p) && *index < LCFG_MAX_PARAMS)
		*index = *index * 10 + (size_t)(*p++ - '0');
	return *p == '}' ? (size_t)(p - at) + 1 : 0;
}

static lcfg_type pointee_of(lcfg_type type)
{
	return type & 0x70000000u ? type - 0x10000000u : type & ~POINTER_BIT;
}

static int fill_hole(char *out, size_t size, const char *name, bool pointee, size_t index,
	lcfg_signature sig, lcfg_error *err)
{
	if (index >= sig.count)
		return lcfg_fail(err, LCFG_ESIGNATURE,
			"the name '%s' asks for parameter %zu of %zu", name, index, sig.count);
	lcfg_type type = sig.types[index];
	if (pointee && !(type & POINTER_BIT))
		return lcfg_fail(err, LCFG_ESIGNATURE,
			"the name '%s' asks what parameter %zu points to, but that is not a pointer",
			name, index);
	lcfg_type_name(out, size, pointee ? pointee_of(type) : type);
	return 0;
}

int lcfg_name_expand(char **out, const char *name, lcfg_signature sig, lcfg_error *err)
{
	enum { HOLE_MAX = 64 };
	size_t holes = 0;
	for (const char *p = name; *p; p++)
		holes += *p == '{';
	char *text = malloc(strlen(name) + holes * HOLE_MAX + 1);
	LCFG_NEED(text, err);
	size_t n = 0;
	for (const char *p = name; *p;) {
		bool pointee = false;
		size_t index = 0;
		size_t length = *p == '{' ? read_hole(p, &pointee, &index) : 0;
		if (!length) {
			text[n++] = *p++;
			continue;
		}
		int rc = fill_hole(text + n, HOLE_MAX, name, pointee, index, sig, err);
		if (rc) {
			free(text);
			return rc;
		}
		n += strlen(text + n);
		p += length;
	}
	text[n] = 0;
	*out = text;
	return 0;
}
