/* Writes the values that a template shows. */
#include "json/writer.h"

typedef struct template
{
	ba_json_writer *w;
	char key[64]; /* of the next value; "": none */
}
template;

/* "%s", "%d", "%u", "%zu" or "%g"; returns what follows it */
static const char *put_argument(template *t, const char *at, va_list *ap)
{
	const char *key = *t->key ? t->key : NULL;
	switch (*at) {
	case 's':
		ba_json_write_string(t->w, key, va_arg(*ap, const char *));
		return at + 1;
	case 'd':
		ba_json_write_bool(t->w, key, va_arg(*ap, int));
		return at + 1;
	case 'u':
		ba_json_write_u64(t->w, key, va_arg(*ap, unsigned));
		return at + 1;
	case 'g':
		ba_json_write_f64(t->w, key, va_arg(*ap, double));
		return at + 1;
	default:
		BA_REQUIRE(at[0] == 'z' && at[1] == 'u');
		ba_json_write_u64(t->w, key, va_arg(*ap, size_t));
		return at + 2;
	}
}

static void put_literal(template *t, const char *word, size_t size)
{
	const char *key = *t->key ? t->key : NULL;
	BA_AUTO_FREE char *text = ba_xstrndup(word, size);
	if (*text == '\'')
		ba_json_write_string(t->w, key, text + 1);
	else if (strcmp(text, "null") == 0)
		ba_json_write_null(t->w, key);
	else if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
		ba_json_write_bool(t->w, key, *text == 't');
	else
		ba_json_write_u64(t->w, key, strtoull(text, NULL, 10));
}

/* A value, or the key of the next one; returns what follows it. */
static const char *put_word(template *t, const char *at, va_list *ap)
{
	size_t size = *at == '\'' ? 1 + strcspn(at + 1, "'") : strcspn(at, " :,{}[]");
	const char *key = *t->key ? t->key : NULL;
	if (at[size] == ':') {
		BA_REQUIRE(size < sizeof(t->key) && !key);
		memcpy(t->key, at, size);
		t->key[size] = '\0';
		return at + size + 1;
	}
	if (*at == '{')
		ba_json_open_object(t->w, key);
	else if (*at == '[')
		ba_json_open_array(t->w, key);
	else if (*at != '%')
		put_literal(t, at, size);
	const char *next = *at == '%'		      ? put_argument(t, at + 1, ap)
			   : *at == '{' || *at == '[' ? at + 1
						      : at + size + (*at == '\'');
	*t->key = '\0';
	return next;
}

void ba_json_put(ba_json_writer *w, const char *shape, ...)
{
	template t = {.w = w};
	va_list ap;
	va_start(ap, shape);
	for (const char *at = shape; *at;) {
		if (*at == '}' || *at == ']')
			ba_json_close(w);
		at = strchr(" ,}]", *at) ? at + 1 : put_word(&t, at, &ap);
	}
	va_end(ap);
}
