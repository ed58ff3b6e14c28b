#include "base/shell.h"

#include <string.h>

/* at the beginning of a word some shells expand ~ and = */
static bool is_plain(const char *word)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,@%+=~^";
	return *word && *word != '~' && *word != '=' &&
	       word[strspn(word, plain)] == '\0';
}

void ba_shell_put(ba_buf *out, const char *word)
{
	if (is_plain(word)) {
		ba_buf_puts(out, word);
		return;
	}
	ba_buf_putc(out, '\'');
	for (const char *c = word; *c; c++)
		if (*c == '\'')
			ba_buf_puts(out, "'\\''");
		else
			ba_buf_putc(out, *c);
	ba_buf_putc(out, '\'');
}

char *ba_shell_command(const ba_strv *words)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	for (size_t i = 0; i < words->count; i++) {
		ba_buf_puts(&out, i ? " " : "");
		ba_shell_put(&out, words->items[i]);
	}
	return ba_buf_detach(&out);
}
