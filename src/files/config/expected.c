#include "config/config.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static int fail_at(ba_error *err, const char *name, size_t line, const char *what)
{
	return ba_fail(err, BA_ECONFIG, "%s: line %zu: %s", name, line, what);
}

int ba_expected_parse(ba_strv *out, const char *text, size_t size, const char *name,
	const char *command, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv list = {0};
	BA_AUTO(ba_names) ba_names seen = {0};
	const char *end = text + size;
	for (size_t line = 1; text < end; line++) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		const char *next = stop ? stop + 1 : end, *last = stop ? stop : end;
		while (text < last && is_blank(*text))
			text++;
		while (last > text && is_blank(last[-1]))
			last--;
		for (const char *at = text; at < last; at++)
			if ((unsigned char)*at < 0x20 || *at == 0x7f)
				return fail_at(err, name, line,
					"a control character: this is not a list of benchmarks");
		if (last > text && *text != '#') {
			char *found = ba_xstrndup(text, (size_t)(last - text));
			ba_strv_push_take(&list, found);
			if (ba_names_find(&seen, found) != BA_NAMES_NONE)
				return fail_at(err, name, line, "this name appears twice");
			ba_names_add(&seen, found);
		}
		text = next;
	}
	if (!list.count)
		return ba_fail(err, BA_ECONFIG,
			"%s: no benchmark is named; write the names into it (%s), or take 'expected' out of the configuration",
			name, command);
	for (size_t i = 0; i < list.count; i++)
		ba_strv_push_take(out, BA_TAKE(list.items[i]));
	list.count = 0;
	return 0;
}

void ba_expected_write(ba_buf *out, const char *const *names, size_t count, const char *command)
{
	ba_buf_printf(out,
		"# The benchmarks that a gate expects to be measured, one a line; globs are allowed.\n# Made by: %s\n",
		command);
	for (size_t i = 0; i < count; i++) {
		/* a comment line is not a name */
		if (*names[i] == '#')
			ba_buf_puts(out, "[#]");
		for (const char *c = names[i] + (*names[i] == '#'); *c; c++)
			ba_buf_printf(out, strchr("*?[", *c) ? "[%c]" : "%c", *c);
		ba_buf_putc(out, '\n');
	}
}
