#include "model/suite.h"

static const char *const kinds[BA_SUITE_KIND_COUNT] = {
	[BA_SUITE_LAUNCHER] = "launcher",
	[BA_SUITE_PLUGIN] = "plugin",
	[BA_SUITE_WORKER] = "worker",
	[BA_SUITE_COMMAND] = "command",
};

const char *const ba_suite_hooks[] = {"nvbench", "google-benchmark", NULL};

static const char *const axis_kinds[BA_AXIS_KIND_COUNT] = {
	[BA_AXIS_INTEGER] = "integer",
	[BA_AXIS_REAL] = "real",
	[BA_AXIS_TEXT] = "text",
	[BA_AXIS_TYPE] = "type",
};

const char *ba_suite_kind_name(ba_suite_kind kind)
{
	return kinds[kind];
}

int ba_axis_kind_from_name(const char *name)
{
	const char *const *word = BA_FIND(axis_kinds, BA_AXIS_KIND_COUNT, x, strcmp(*x, name) == 0);
	return word ? (int)(word - axis_kinds) : -1;
}

BA_OWNS(ba_declared, d, BA_FREE(d->name, d->help),
	BA_FREE_EACH(x, d->axes, d->axis_count, free(x->name), ba_strv_dispose(&x->values)),
	BA_DISPOSE(ba_strv, &d->points, &d->modes))

/* Checks what a variant declares, because it appears in ids, globs and reports. */

#define NAME_MOST 64u
#define BENCHMARK_NAME_MOST 500u
#define VALUE_MOST 128u
#define CASES_MOST 10000u

static bool is_name(const char *text, const char *also, size_t most)
{
	size_t size = strlen(text);
	return BA_ALL(text, size, c, isalnum((unsigned char)*c) || strchr(also, *c)) && size >= 1 &&
	       size <= most;
}

/* "saxpy", a test in its file "tests/test_io.py::TestRead::test_line", "BM_f<int, long>/8" */
static bool is_benchmark_name(const char *text)
{
	size_t size = strlen(text);
	return BA_ALL(text, size, c, *c >= ' ' && *c <= '~') && size >= 1 &&
	       size <= BENCHMARK_NAME_MOST && !strchr("/ ", *text) && !strchr("/ ", text[size - 1]);
}

/* would make "suite/name/axis=value,axis=value" ambiguous or move the cursor */
static bool is_value(const char *text)
{
	size_t size = strlen(text);
	return !BA_ANY(text, size, c,
		       (unsigned char)*c <= ' ' || *c == 0x7f || strchr(",=/", *c)) &&
	       size >= 1 && size <= VALUE_MOST;
}

static int check_values(const ba_declared *d, const ba_declared_axis *axis, ba_error *err)
{
	if (axis->values.count == 0)
		return ba_fail(err, BA_EINVAL, "benchmark '%s': axis '%s' has no values", d->name,
			axis->name);
	for (size_t i = 0; i < axis->values.count; i++) {
		const char *value = axis->values.items[i];
		BA_AUTO_FREE char *safe = ba_text_safe(value);
		if (!is_value(value))
			return ba_fail(err, BA_EINVAL,
				"benchmark '%s': '%s' is not a value for axis '%s': 1 to %u characters, none of them a space, ',', '=' or '/'",
				d->name, safe, axis->name, VALUE_MOST);
		for (size_t k = 0; k < i; k++)
			if (strcmp(axis->values.items[k], value) == 0)
				return ba_fail(err, BA_EINVAL,
					"benchmark '%s': axis '%s' has the value '%s' twice",
					d->name, axis->name, safe);
	}
	return 0;
}

static int check_axes(const ba_declared *d, ba_error *err)
{
	for (size_t i = 0; i < d->axis_count; i++) {
		const ba_declared_axis *axis = &d->axes[i];
		BA_AUTO_FREE char *safe = ba_text_safe(axis->name);
		if (!is_name(axis->name, "_{}", NAME_MOST))
			return ba_fail(err, BA_EINVAL,
				"benchmark '%s': '%s' is not a name for an axis: 1 to %u letters, digits and _ { }",
				d->name, safe, NAME_MOST);
		for (size_t k = 0; k < i; k++)
			if (strcmp(d->axes[k].name, axis->name) == 0)
				return ba_fail(err, BA_EINVAL, "benchmark '%s' has two axes '%s'",
					d->name, axis->name);
		BA_TRY(check_values(d, axis, err));
	}
	return 0;
}

static int check_point(const ba_declared *d, const char *point, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv parts = {0};
	BA_AUTO_FREE char *safe = ba_text_safe(point);
	ba_strv_split(&parts, point, ',');
	for (size_t i = 0; i < parts.count; i++) {
		char *equals = strchr(parts.items[i], '=');
		if (equals)
			*equals = '\0';
		const ba_declared_axis *axis =
			BA_FIND(d->axes, d->axis_count, x, strcmp(x->name, parts.items[i]) == 0);
		if (!axis || !equals)
			return ba_fail(err, BA_EINVAL,
				"benchmark '%s': the point '%s' names no axis with '%s'", d->name,
				safe, parts.items[i]);
		if (!is_value(equals + 1))
			return ba_fail(err, BA_EINVAL,
				"benchmark '%s': the point '%s' has no value for axis '%s'",
				d->name, safe, axis->name);
	}
	return 0;
}

/* Does a point like "B=32,H=8" give this axis a value? */
static bool point_names(const char *point, const char *axis)
{
	BA_AUTO_FREE char *all = ba_xprintf(",%s", point);
	BA_AUTO_FREE char *mine = ba_xprintf(",%s=", axis);
	return strstr(all, mine) != NULL;
}

static int check_points(const ba_declared *d, ba_error *err)
{
	for (size_t i = 0; i < d->points.count; i++) {
		const char *point = d->points.items[i];
		BA_TRY(check_point(d, point, err));
		for (size_t k = 0; k < i; k++)
			if (strcmp(d->points.items[k], point) == 0)
				return ba_fail(err, BA_EINVAL,
					"benchmark '%s' has the point '%s' twice", d->name, point);
		for (size_t k = 0; k < d->axis_count; k++)
			if (point_names(point, d->axes[k].name) !=
				point_names(d->points.items[0], d->axes[k].name))
				return ba_fail(err, BA_EINVAL,
					"benchmark '%s': the points '%s' and '%s' do not name the same axes",
					d->name, d->points.items[0], point);
	}
	return 0;
}

size_t ba_declared_case_count(const ba_declared *d)
{
	size_t count = d->points.count ? d->points.count : 1;
	for (size_t i = 0; i < d->axis_count; i++) {
		size_t values = d->axes[i].values.count;
		/* axes whose values are given by points are counted with the points */
		if (d->points.count && point_names(d->points.items[0], d->axes[i].name))
			continue;
		if (values && count > SIZE_MAX / values)
			return SIZE_MAX;
		count *= values;
	}
	return count;
}

static int check_one(const ba_declared *d, ba_error *err)
{
	BA_AUTO_FREE char *safe = ba_text_safe(d->name);
	if (!is_benchmark_name(d->name))
		return ba_fail(err, BA_EINVAL,
			"'%s' is not a name for a benchmark: 1 to %u characters of ASCII, no '/' and no blank at its ends",
			safe, BENCHMARK_NAME_MOST);
	int rc = check_axes(d, err);
	rc = rc ? rc : check_points(d, err);
	if (rc == 0 && ba_declared_case_count(d) > CASES_MOST)
		rc = ba_fail(err, BA_EINVAL,
			"benchmark '%s' has more than %u cases: fewer values, or points", d->name,
			CASES_MOST);
	return rc;
}

int ba_declared_check(const ba_declared *all, size_t count, ba_error *err)
{
	for (size_t i = 0; i < count; i++) {
		BA_TRY(check_one(&all[i], err));
		for (size_t k = 0; k < i; k++)
			if (strcmp(all[k].name, all[i].name) == 0)
				return ba_fail(err, BA_EINVAL, "two benchmarks are called '%s'",
					all[i].name);
	}
	return count ? 0 : ba_fail(err, BA_EINVAL, "no benchmark is declared");
}
