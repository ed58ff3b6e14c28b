/* What variants declare, and the sentences for what they may not. */
#include "test.h"

#include "base/buf.h"
#include "base/mem.h"
#include "model/suite.h"

typedef struct row {
	const char *name;
	const char *axes;   /* "n=1,2 t=a": each with its values */
	const char *points; /* "n=1,t=a n=2,t=a" */
	size_t cases;
	const char *error; /* NULL: none */
} row;

static ba_declared declared(const row *r)
{
	ba_declared d = {.name = ba_xstrdup(r->name)};
	BA_AUTO(ba_strv) ba_strv axes = {0};
	if (*r->axes)
		ba_strv_split(&axes, r->axes, ' ');
	d.axes = ba_xcalloc(axes.count + 1, sizeof(*d.axes));
	for (size_t i = 0; i < axes.count; i++) {
		char *equals = strchr(axes.items[i], '=');
		assert_non_null(equals);
		*equals = '\0';
		ba_declared_axis *axis = &d.axes[d.axis_count++];
		axis->name = ba_xstrdup(axes.items[i]);
		if (equals[1])
			ba_strv_split(&axis->values, equals + 1, ',');
	}
	if (*r->points)
		ba_strv_split(&d.points, r->points, ' ');
	return d;
}

TEST(what_is_declared_is_checked)
{
	static const row rows[] = {
		{"plain", "", "", 1, NULL},
		{"saxpy.2+b", "n=1,2,3 t=a,b", "", 6, NULL},
		{"tied", "n=1,2 m=1,2 t=a,b", "n=1,m=2 n=2,m=1 n=7,m=7", 6, NULL},
		{"", "", "", 0, "is not a name for a benchmark"},
		{"tests/test_a.py::TestB::test_c", "n=1", "", 1, NULL},
		{"/a", "", "", 0, "'/a' is not a name for a benchmark"},
		{"a/", "", "", 0, "'a/' is not a name for a benchmark"},
		{"a b ", "", "", 0, "'a b ' is not a name for a benchmark"},
		{"\033[2J", "", "", 0, "is not a name for a benchmark"},
		{"b", "a-b=1", "", 0, "'a-b' is not a name for an axis"},
		{"b", "n=", "", 0, "benchmark 'b': axis 'n' has no values"},
		{"b", "n=1 n=2", "", 0, "benchmark 'b' has two axes 'n'"},
		{"b", "n=1,2,1", "", 0, "axis 'n' has the value '1' twice"},
		{"b", "n=a/b", "", 0, "'a/b' is not a value for axis 'n'"},
		{"b", "n=1", "m=1", 0, "the point 'm=1' names no axis with 'm'"},
		{"b", "n=1", "n", 0, "names no axis with 'n'"},
		{"b", "n=1", "n=", 0, "has no value for axis 'n'"},
		{"b", "n=1", "n=1 n=1", 0, "has the point 'n=1' twice"},
		{"b", "n=1 m=1", "n=1 m=1", 0, "do not name the same axes"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_declared) ba_declared d = declared(&rows[i]);
		ba_error err = {0};
		int rc = ba_declared_check(&d, 1, &err);
		if (!rows[i].error) {
			assert_int_equal(rc, 0);
			assert_int_equal(ba_declared_case_count(&d), rows[i].cases);
			continue;
		}
		assert_int_equal(rc, BA_EINVAL);
		assert_has(err.text, rows[i].error);
		assert_null(strchr(err.text, '\033'));
	}
}

TEST(a_name_is_there_once_and_a_suite_is_not_empty)
{
	ba_error err = {0};
	ba_declared all[2] = {
		declared(&(row){"a", "", "", 0, NULL}), declared(&(row){"a", "n=1", "", 0, NULL})};
	assert_int_equal(ba_declared_check(all, 1, &err), 0);
	assert_int_equal(ba_declared_check(all, 2, &err), BA_EINVAL);
	assert_string_equal(err.text, "two benchmarks are called 'a'");
	assert_int_equal(ba_declared_check(all, 0, &err), BA_EINVAL);
	ba_declared_dispose(&all[0]);
	ba_declared_dispose(&all[1]);
}

TEST(cases_without_number_are_refused)
{
	BA_AUTO(ba_buf) ba_buf axes = BA_BUF_INIT;
	for (int axis = 0; axis < 3; axis++) {
		ba_buf_printf(&axes, "%sx%d=", axis ? " " : "", axis);
		for (int i = 0; i < 30; i++)
			ba_buf_printf(&axes, "%s%d", i ? "," : "", i);
	}
	BA_AUTO(ba_declared)
	ba_declared d = declared(&(row){"many", axes.data, "", 0, NULL});
	ba_error err = {0};
	assert_int_equal(ba_declared_case_count(&d), 27000);
	assert_int_equal(ba_declared_check(&d, 1, &err), BA_EINVAL);
	assert_has(err.text, "benchmark 'many' has more than 10000 cases");
}
