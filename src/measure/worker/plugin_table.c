/* Is the table that a suite returned complete and well-formed? */
#include "worker/plugin.h"

#define NAME_MOST 64u
#define VALUES_MOST 4096u

static const char name_letters[] =
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

static bool is_word(const char *text, const char *more)
{
	size_t n = text ? strlen(text) : 0;
	return n > 0 && n <= NAME_MOST &&
	       BA_ALL(text, n, c, strchr(name_letters, *c) || strchr(more, *c));
}

bool ba_plugin_integer(int64_t *out, const char *text)
{
	bool minus = text[0] == '-';
	uint64_t n;
	if (ba_parse_u64(&n, text + minus, 0, INT64_MAX, "", NULL))
		return false;
	*out = minus ? -(int64_t)n : (int64_t)n;
	return true;
}

static bool is_value(const ba_suite_axis *a, const char *text)
{
	int64_t integer;
	double real;
	if (!is_word(text, "._+-"))
		return false;
	if (a->kind == BA_SUITE_INTEGER)
		return ba_plugin_integer(&integer, text);
	return a->kind != BA_SUITE_REAL || ba_parse_f64(&real, text, -1e300, 1e300);
}

static char *axis_fault(const ba_suite_benchmark *b, uint32_t index)
{
	const ba_suite_axis *a = &b->axes[index];
	if (!is_word(a->name, ""))
		return ba_xprintf(
			"axis %u of benchmark '%s' has no name of 1 to %u letters, digits and '_'",
			index, b->name, NAME_MOST);
	for (uint32_t i = 0; i < index; i++)
		if (strcmp(b->axes[i].name, a->name) == 0)
			return ba_xprintf(
				"benchmark '%s' has two axes called '%s'", b->name, a->name);
	if (a->kind > BA_SUITE_TYPE)
		return ba_xprintf(
			"axis '%s' of benchmark '%s' is of an unknown kind", a->name, b->name);
	if (!a->values || !a->values[0])
		return ba_xprintf("axis '%s' of benchmark '%s' has no values", a->name, b->name);
	for (size_t i = 0; a->values[i]; i++) {
		BA_AUTO_FREE char *safe = ba_text_safe(a->values[i]);
		if (i >= VALUES_MOST)
			return ba_xprintf("axis '%s' of benchmark '%s' has more than %u values",
				a->name, b->name, VALUES_MOST);
		if (!is_value(a, a->values[i]))
			return ba_xprintf(
				"'%s' is not a value for axis '%s' of benchmark '%s': letters, digits and . _ + -, and a number where the axis has numbers",
				safe, a->name, b->name);
	}
	return NULL;
}

static const ba_suite_axis *axis_called(const ba_suite_benchmark *b, const char *name, size_t n)
{
	return BA_FIND(b->axes, b->axis_count, one,
		strlen(one->name) == n && strncmp(one->name, name, n) == 0);
}

/* "B=32,H=8": axes that there are, and values for them; all points tie the same */
static char *point_fault(const ba_suite_benchmark *b, const char *point)
{
	BA_AUTO(ba_strv) ba_strv parts = {0};
	BA_AUTO_FREE char *safe = ba_text_safe(point);
	ba_strv_split(&parts, point, ',');
	for (size_t i = 0; i < parts.count; i++) {
		const char *equals = strchr(parts.items[i], '=');
		const ba_suite_axis *a =
			equals ? axis_called(b, parts.items[i], (size_t)(equals - parts.items[i]))
			       : NULL;
		if (!a || !is_value(a, equals + 1))
			return ba_xprintf(
				"point '%s' of benchmark '%s': '%s' is not an axis with a value",
				safe, b->name, parts.items[i]);
	}
	BA_AUTO(ba_strv) ba_strv first = {0};
	ba_strv_split(&first, b->points[0], ',');
	bool same = parts.count == first.count && parts.count > 0;
	for (size_t i = 0; same && i < first.count; i++)
		same = strncmp(first.items[i], parts.items[i], strcspn(first.items[i], "=") + 1) ==
		       0;
	return same ? NULL
		    : ba_xprintf(
			      "point '%s' of benchmark '%s' does not name the axes of the first one, in their order",
			      safe, b->name);
}

static char *benchmark_fault(const ba_suite *s, uint32_t index)
{
	const ba_suite_benchmark *b = &s->benchmarks[index];
	if (!is_word(b->name, "._+-"))
		return ba_xprintf("benchmark %u has no name of 1 to %u letters, digits and . _ + -",
			index, NAME_MOST);
	for (uint32_t i = 0; i < index; i++)
		if (strcmp(s->benchmarks[i].name, b->name) == 0)
			return ba_xprintf("two benchmarks are called '%s'", b->name);
	if (!b->setup || !b->run || !b->teardown)
		return ba_xprintf(
			"benchmark '%s' has a function that is NULL: setup, run and teardown must be there",
			b->name);
	if (b->axis_count > BA_PLUGIN_AXES_MOST || (b->axis_count && !b->axes))
		return ba_xprintf("benchmark '%s' has %u axes and names %s; 0 to %u are allowed",
			b->name, b->axis_count, b->axes ? "too many" : "none", BA_PLUGIN_AXES_MOST);
	char *fault = NULL;
	for (uint32_t i = 0; !fault && i < b->axis_count; i++)
		fault = axis_fault(b, i);
	for (size_t i = 0; !fault && b->points && b->points[i]; i++)
		fault = point_fault(b, b->points[i]);
	return fault;
}

char *ba_plugin_table_fault(const ba_suite *s)
{
	if (!s->open || !s->close || !s->last_error)
		return ba_xstrdup("its table has a function that is NULL");
	if (!s->name || !s->benchmarks || s->benchmark_count == 0)
		return ba_xstrdup("its table has no benchmark");
	char *fault = NULL;
	for (uint32_t i = 0; !fault && i < s->benchmark_count; i++)
		fault = benchmark_fault(s, i);
	return fault;
}
