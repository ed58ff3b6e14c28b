#include "base/disarm.h"

#include <ctype.h>

#include "base/base.h"

/* an escape sequence that sets colours, or one character that a reader does not see */
static size_t unseen(const char *at)
{
	if (*at == ' ' || *at == '\t' || *at == '\r')
		return 1;
	if (strncmp(at, "\033[", 2) == 0) {
		size_t n = 2 + strspn(at + 2, "0123456789;");
		return at[n] == 'm' ? n + 1 : 0;
	}
	return (unsigned char)*at >= 0x80 && !ba_text_letter(at) ? ba_text_utf8(at, strlen(at)) : 0;
}

static bool begins_a_line(const char *at)
{
	for (size_t n = unseen(at); n; n = unseen(at))
		at += n;
	return strncmp(at, "::", 2) == 0;
}

static bool is_marked(const char *at)
{
	if (strncmp(at, "##", 2) != 0)
		return false;
	for (at += 2; isalpha((unsigned char)*at); at++)
		;
	return *at == '[';
}

/* the first command in text, or NULL; `fresh`: text begins a line */
static const char *next_command(const char *text, bool fresh)
{
	const char *hash = strchr(text, '#'), *line = strchr(text, '\n');
	if (fresh && begins_a_line(text))
		return strchr(text, ':');
	while (hash || line) {
		bool ends = line && (!hash || line < hash);
		text = 1 + (ends ? line : hash);
		if (ends ? begins_a_line(text) : is_marked(text - 1))
			return ends ? strchr(text, ':') : text - 1;
		*(ends ? &line : &hash) = strchr(text, ends ? '\n' : '#');
	}
	return NULL;
}

void ba_text_disarm(ba_buf *text)
{
	const char *rest = text->data, *at = next_command(rest, true);
	if (!at)
		return;
	BA_AUTO(ba_buf) ba_buf safe = BA_BUF_INIT;
	for (; at; at = next_command(rest, false)) {
		ba_buf_put(&safe, rest, (size_t)(at - rest));
		ba_buf_printf(&safe, "\\x%02x", (unsigned char)*at);
		rest = at + 1;
	}
	ba_buf_puts(&safe, rest);
	ba_buf_clear(text);
	ba_buf_put(text, safe.data, safe.len);
}
