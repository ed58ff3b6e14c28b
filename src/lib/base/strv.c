#include "base/strv.h"

#include "base/buf.h"
#include "base/each.h"
#include "base/mem.h"
#include "base/sort.h"

BA_OWNS(ba_strv, v, BA_FREE_EACH(x, v->items, v->count, free(*x)))

void ba_strv_push_take(ba_strv *v, char *text)
{
	v->items = BA_GROW(v->items, &v->capacity, v->count + 2);
	v->items[v->count++] = text;
	v->items[v->count] = NULL;
}

void ba_strv_push(ba_strv *v, const char *text)
{
	ba_strv_push_take(v, ba_xstrdup(text));
}

void ba_strv_printf(ba_strv *v, const char *fmt, ...)
{
	BA_FORMATTED(text, fmt);
	ba_strv_push_take(v, BA_TAKE(text));
}

void ba_strv_push_each(ba_strv *v, const char *const *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ba_strv_push(v, texts[i]);
}

void ba_strv_copy(ba_strv *out, const ba_strv *from)
{
	for (size_t i = 0; i < from->count; i++)
		ba_strv_push(out, from->items[i]);
}

size_t ba_strv_find(const ba_strv *v, const char *text)
{
	char **found = BA_FIND(v->items, v->count, one, strcmp(*one, text) == 0);
	return found ? (size_t)(found - v->items) : v->count;
}

bool ba_strv_has(const ba_strv *v, const char *text)
{
	return ba_strv_find(v, text) < v->count;
}

void ba_strv_sort(ba_strv *v)
{
	ba_sort_strings((const char **)v->items, v->count);
}

char *ba_strv_join(const ba_strv *v, const char *separator)
{
	ba_buf text = BA_BUF_INIT;
	for (size_t i = 0; i < v->count; i++) {
		if (i)
			ba_buf_puts(&text, separator);
		ba_buf_puts(&text, v->items[i]);
	}
	return ba_buf_detach(&text);
}

void ba_strv_split(ba_strv *out, const char *text, char separator)
{
	for (;;) {
		const char *end = strchr(text, separator);
		size_t n = end ? (size_t)(end - text) : strlen(text);
		ba_strv_push_take(out, ba_xstrndup(text, n));
		if (!end)
			return;
		text = end + 1;
	}
}
