#include "hook/nvbench_library.h"

#include "hook/printed.h"

/* Indentations of members. */
enum { OF_BENCHMARK = 6, OF_AXIS = 10, OF_VALUE = 14 };

static const char *kind_of(const char *type)
{
	return strcmp(type, "int64") == 0     ? "integer"
	       : strcmp(type, "float64") == 0 ? "real"
	       : strcmp(type, "type") == 0    ? "type"
					      : "text";
}

/* A value must stand in "suite/name/axis=value,axis=value". */
static char *word_of(const ba_nvbench_axis *a, const char *input)
{
	char *word = ba_xprintf("%s%s", a->power_of_two ? "2^" : "", input);
	for (char *c = word; *c; c++)
		if ((unsigned char)*c <= ' ' || strchr(",=/", *c))
			*c = '-';
	return word;
}

static void read_axis(ba_nvbench_axis *a, size_t indent, const char *key, const char *value)
{
	BA_AUTO_FREE char *text = ba_printed_text(value);
	if (indent == OF_VALUE && strcmp(key, "input_string") == 0) {
		ba_strv_push_take(&a->words, word_of(a, text));
		ba_strv_push(&a->inputs, text);
	} else if (indent == OF_AXIS && strcmp(key, "type") == 0) {
		a->kind = ba_xstrdup(kind_of(text));
	} else if (indent == OF_AXIS && strcmp(key, "flags") == 0) {
		a->power_of_two = strcmp(text, "pow2") == 0;
	}
}

void ba_nvbench_list_read(ba_nvbench_list *out, char *text)
{
	ba_nvbench_benchmark *b = NULL;
	for (char *line, *key; (line = strsep(&text, "\n"));) {
		size_t indent;
		const char *value = ba_printed_member(line, &indent, &key);
		if (!value)
			continue;
		bool name = strcmp(key, "name") == 0;
		if (name && indent == OF_BENCHMARK) {
			b = BA_APPEND(out->items, out->count);
			*b = (ba_nvbench_benchmark){.name = ba_printed_text(value)};
		} else if (b && name && indent == OF_AXIS) {
			*BA_APPEND(b->axes, b->axis_count) =
				(ba_nvbench_axis){.name = ba_printed_text(value)};
		} else if (b && b->axis_count) {
			read_axis(&b->axes[b->axis_count - 1], indent, key, value);
		}
	}
}

const ba_nvbench_axis *ba_nvbench_find(
	const ba_nvbench_list *l, const char *benchmark, const char *axis)
{
	const ba_nvbench_benchmark *b =
		BA_FIND(l->items, l->count, one, strcmp(one->name, benchmark) == 0);
	return b ? BA_FIND(b->axes, b->axis_count, a, strcmp(a->name, axis) == 0) : NULL;
}

char *ba_nvbench_option(const ba_nvbench_axis *a, const char *word)
{
	const char *input = word;
	for (size_t i = 0; i < a->words.count; i++)
		if (strcmp(a->words.items[i], word) == 0)
			input = a->inputs.items[i];
	return ba_xprintf("%s%s=%s", a->name, a->power_of_two ? "[pow2]" : "", input);
}

char *ba_nvbench_reason(char *text)
{
	for (char *line, *key; (line = strsep(&text, "\n"));) {
		size_t indent;
		const char *value = ba_printed_member(line, &indent, &key);
		if (value && strcmp(key, "skip_reason") == 0)
			return ba_printed_text(value);
	}
	return ba_xstrdup("");
}
