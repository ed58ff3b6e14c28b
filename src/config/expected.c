#include "config/expected.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

/* ---- names seen, for a name that is there twice ---- */

typedef struct seen {
	size_t *slots; /* index into the list + 1; 0: free */
	size_t mask;
} seen;

static bool remember(seen *s, const ba_strv *list, size_t index)
{
	for (size_t at = (size_t)ba_fnv1a(list->items[index]) & s->mask;;
		at = (at + 1) & s->mask) {
		if (!s->slots[at]) {
			s->slots[at] = index + 1;
			return true;
		}
		if (strcmp(list->items[s->slots[at] - 1], list->items[index]) == 0)
			return false;
	}
}

static size_t count_lines(const char *text, size_t size)
{
	size_t lines = 1;
	for (size_t i = 0; i < size; i++)
		lines += text[i] == '\n';
	return lines;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static int fail_at(ba_error *err, const char *name, size_t line, const char *what)
{
	return ba_fail(err, BA_ECONFIG, "%s: line %zu: %s", name, line, what);
}

int ba_expected_parse(
	ba_strv *out, const char *text, size_t size, const char *name, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv list = {0};
	seen s = {.mask = 15};
	while (s.mask < 2 * count_lines(text, size))
		s.mask = 2 * s.mask + 1;
	BA_AUTO_FREE size_t *slots = ba_xcalloc(s.mask + 1, sizeof(*slots));
	s.slots = slots;
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
					"a control character: this is no list of benchmarks");
		if (last > text && *text != '#') {
			ba_strv_push_take(
				&list, ba_xstrndup(text, (size_t)(last - text)));
			if (!remember(&s, &list, list.count - 1))
				return fail_at(
					err, name, line, "this name is there twice");
		}
		text = next;
	}
	if (!list.count)
		return ba_fail(err, BA_ECONFIG,
			"%s: no benchmark is named; write it with 'bench-against list --expected', or take 'expected' out of the configuration",
			name);
	for (size_t i = 0; i < list.count; i++)
		ba_strv_push_take(out, BA_TAKE(list.items[i]));
	list.count = 0;
	return 0;
}

void ba_expected_write(
	ba_buf *out, const char *const *names, size_t count, const char *command)
{
	ba_buf_printf(out,
		"# The benchmarks that a gate expects to be measured, one a line; globs are allowed.\n# Made by: %s\n",
		command);
	for (size_t i = 0; i < count; i++) {
		/* a comment it is not */
		if (*names[i] == '#')
			ba_buf_puts(out, "[#]");
		for (const char *c = names[i] + (*names[i] == '#'); *c; c++)
			ba_buf_printf(out, strchr("*?[", *c) ? "[%c]" : "%c", *c);
		ba_buf_putc(out, '\n');
	}
}
