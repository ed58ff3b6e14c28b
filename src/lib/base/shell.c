#include "base/text.h"

/* at the beginning of a word, some shells expand ~ and = */
static bool is_plain(const char *word)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,@%+=~^";
	return *word && *word != '~' && *word != '=' && word[strspn(word, plain)] == '\0';
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

/* One character of a word, or a whole quotation; NULL if a quotation does not end. */
static const char *take_part(ba_buf *word, const char *at)
{
	if (*at == '\'') {
		const char *end = strchr(at + 1, '\'');
		if (end)
			ba_buf_put(word, at + 1, (size_t)(end - at - 1));
		return end ? end + 1 : NULL;
	}
	if (*at == '\\') {
		ba_buf_put(word, at + 1, at[1] != '\0');
		return at[1] ? at + 2 : NULL;
	}
	if (*at != '"') {
		ba_buf_putc(word, *at);
		return at + 1;
	}
	for (at++; *at && *at != '"'; at++) {
		if (*at == '\\' && at[1] && strchr("\"\\$`", at[1]))
			at++;
		ba_buf_putc(word, *at);
	}
	return *at ? at + 1 : NULL;
}

int ba_shell_split(ba_strv *out, const char *text, ba_error *err)
{
	static const char blanks[] = " \t\n";
	const char *at = text + strspn(text, blanks);
	BA_AUTO(ba_strv) ba_strv words = {0};
	while (*at) {
		BA_AUTO(ba_buf) ba_buf word = BA_BUF_INIT;
		while (at && *at && !strchr(blanks, *at))
			at = take_part(&word, at);
		if (!at)
			return ba_fail(err, BA_EINVAL,
				"a quotation mark or backslash at the end of '%s' has nothing after it",
				text);
		ba_strv_push_take(&words, ba_buf_detach(&word));
		at += strspn(at, blanks);
	}
	ba_strv_copy(out, &words);
	return 0;
}
