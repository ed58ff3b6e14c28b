#include "nulldriver/parts.h"

bool ptx_is_text(const void *image)
{
	const unsigned char *p = image;
	return isprint(p[0]) || isspace(p[0]);
}

static const char *skip_space(const char *p)
{
	while (isspace((unsigned char)*p))
		p++;
	return p;
}

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

/* The parameter list or body after ".entry name"; NULL: not found. */
static const char *find_list(const char *text, const char *entry)
{
	size_t n = strlen(entry);
	for (const char *p = text; (p = strstr(p, ".entry")); p++) {
		const char *name = skip_space(p + 6);
		if (name > p + 6 && !strncmp(name, entry, n) && !is_name(name[n]))
			return skip_space(name + n);
	}
	return NULL;
}

/* Reads one ".param .align 8 .b8 name[64]" between p and end. */
static void read_param(ptx_params *out, size_t *at, const char *p, const char *end)
{
	size_t width = 8, align = 0, count = 1;
	for (; p < end; p++) {
		if (!strncmp(p, ".align", 6))
			align = strtoul(p + 6, NULL, 10);
		else if (*p == '.' && p + 2 < end && strchr("busf", p[1]) &&
			 isdigit((unsigned char)p[2]))
			width = strtoul(p + 2, NULL, 10) / 8;
		else if (*p == '[')
			count = strtoul(p + 1, NULL, 10);
	}
	if (!align)
		align = width ? width : 1;
	*at = (*at + align - 1) / align * align;
	out->offset[out->count] = *at;
	out->bytes[out->count++] = width * count;
	*at += width * count;
}

bool ptx_find_entry(ptx_params *out, const char *text, const char *entry)
{
	const char *p = find_list(text, entry);
	if (!p || !out)
		return p;
	out->count = 0;
	const size_t most = BA_COUNT(out->bytes);
	const char *close = *p == '(' ? strchr(p, ')') : NULL;
	size_t at = 0;
	while (close && ++p < close && out->count < most) {
		const char *end = memchr(p, ',', (size_t)(close - p));
		if (!end)
			end = close;
		if (skip_space(p) < end)
			read_param(out, &at, p, end);
		p = end;
	}
	return true;
}
