#include "test.h"

#include "base/buf.h"
#include "base/mem.h"
#include "suite/runs.h"

static void push(ba_strv *out, const char *list)
{
	if (list)
		ba_strv_split(out, list, ' ');
}

typedef struct axis_row {
	const char *name;
	ba_axis_kind kind;
	const char *values;
} axis_row;

static ba_declared declare(const char *name, const axis_row *axes, const char *points)
{
	ba_declared d = {.name = ba_xstrdup(name), .help = ba_xstrdup("")};
	for (; axes && axes->name; axes++) {
		d.axes = ba_xreallocarray(d.axes, d.axis_count + 1, sizeof(*d.axes));
		ba_declared_axis *a = &d.axes[d.axis_count++];
		*a = (ba_declared_axis){.name = ba_xstrdup(axes->name), .kind = axes->kind};
		push(&a->values, axes->values);
	}
	push(&d.points, points);
	return d;
}

static const axis_row two_axes[] = {
	{"n", BA_AXIS_INTEGER, "1 2"}, {"dtype", BA_AXIS_TYPE, "f16 f32"}, {NULL}};
static const axis_row tied[] = {{"B", BA_AXIS_INTEGER, "1"}, {"S", BA_AXIS_INTEGER, "128"},
	{"dtype", BA_AXIS_TYPE, "f16 bf16"}, {NULL}};

/* ids of the cases, one a line, or the error's sentence */
static char *cases(const ba_declarations *variants, size_t count, const char *const *choices,
	const char *filter)
{
	BA_AUTO(ba_axis_choices) ba_axis_choices c = {0};
	BA_AUTO(ba_strv) ba_strv filters = {0};
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	ba_benchmark *items = NULL;
	size_t n = 0;
	ba_error err = {0};
	int rc = 0;
	if (filter)
		ba_strv_push(&filters, filter);
	for (; rc == 0 && choices && *choices; choices++)
		rc = ba_axis_choices_add(&c, *choices, &err);
	rc = rc ? rc : ba_axis_choices_check(&c, variants, count, &err);
	for (size_t v = 0; rc == 0 && v < count; v++)
		rc = ba_runs_expand(
			&items, &n, "k", BA_SUITE_PLUGIN, &variants[v], &c, &filters, &err);
	for (size_t i = 0; i < n; i++) {
		ba_buf_printf(&out, "%s\n", items[i].id);
		ba_benchmark_dispose(&items[i]);
	}
	free(items);
	return rc ? ba_xstrdup(err.text) : ba_buf_detach(&out);
}

#define assert_cases(d, choices, filter, expected)                          \
	do {                                                                \
		const ba_declarations all_ = {&(d), 1};                     \
		BA_AUTO_FREE char *got_ = cases(&all_, 1, choices, filter); \
		assert_string_equal(got_, expected);                        \
	} while (0)

TEST(axes_are_combined_and_the_last_turns_fastest)
{
	BA_AUTO(ba_declared) ba_declared d = declare("copy", two_axes, NULL);
	assert_cases(d, NULL, NULL,
		"k/copy/n=1,dtype=f16\nk/copy/n=1,dtype=f32\n"
		"k/copy/n=2,dtype=f16\nk/copy/n=2,dtype=f32\n");
	assert_cases(d, NULL, "*f32", "k/copy/n=1,dtype=f32\nk/copy/n=2,dtype=f32\n");
	BA_AUTO(ba_declared) ba_declared bare = declare("bare", NULL, NULL);
	assert_cases(bare, NULL, NULL, "k/bare\n");
}

TEST(choices_replace_values)
{
	BA_AUTO(ba_declared) ba_declared d = declare("copy", two_axes, NULL);
	static const char *const some[] = {"n=7,9", "dtype=f32", NULL};
	assert_cases(d, some, NULL, "k/copy/n=7,dtype=f32\nk/copy/n=9,dtype=f32\n");
	static const char *const last[] = {"n=1", "dtype=f16", "n=5", NULL};
	assert_cases(d, last, NULL, "k/copy/n=5,dtype=f16\n");
}

TEST(ranges_grow_by_factors_and_steps)
{
	static const struct {
		const char *text, *values;
	} rows[] = {
		{"n=128:1024:*2", "128 256 512 1024"},
		{"n=1:10:*3", "1 3 9"},
		{"n=0:100:+25", "0 25 50 75 100"},
		{"n=3:5:1", "3 4 5"},
		{"n=7:7:*2", "7"},
		{"n=1,4:8:+2,16", "1 4 6 8 16"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_axis_choices) ba_axis_choices c = {0};
		assert_int_equal(ba_axis_choices_add(&c, rows[i].text, NULL), 0);
		BA_AUTO_FREE char *got = ba_strv_join(&c.items[0].values, " ");
		assert_string_equal(got, rows[i].values);
	}
}

TEST(what_is_no_choice_is_refused)
{
	static const char *const bad[] = {"", "n", "=1", "n=", "n=1,,2", "n=8:1:*2", "n=0:8:*2",
		"n=1:8:*1", "n=1:8:+0", "n=1:8", "n=1:8:*2:1", "n=a/b", "n=1:99999999:+1",
		"n=-1:4:+1"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		BA_AUTO(ba_axis_choices) ba_axis_choices c = {0};
		ba_error err = {0};
		if (ba_axis_choices_add(&c, bad[i], &err) != BA_EINVAL)
			fail_msg("'%s' was taken", bad[i]);
		assert_non_null(strstr(err.text, "--axis"));
		assert_int_equal(c.count, 0);
	}
}

TEST(points_are_taken_picked_and_replaced)
{
	BA_AUTO(ba_declared)
	ba_declared d = declare("sdpa", tied, "B=1,S=128 B=8,S=256");
	assert_cases(d, NULL, NULL,
		"k/sdpa/B=1,S=128,dtype=f16\nk/sdpa/B=1,S=128,dtype=bf16\n"
		"k/sdpa/B=8,S=256,dtype=f16\nk/sdpa/B=8,S=256,dtype=bf16\n");
	static const char *const one[] = {"S=256", "dtype=f16", NULL};
	assert_cases(d, one, NULL, "k/sdpa/B=8,S=256,dtype=f16\n");
	static const char *const all[] = {"S=64,65", "B=2", "dtype=f16", NULL};
	assert_cases(d, all, NULL, "k/sdpa/B=2,S=64,dtype=f16\nk/sdpa/B=2,S=65,dtype=f16\n");
	static const char *const none[] = {"S=7", NULL};
	assert_cases(d, none, NULL, "");
}

TEST(what_no_axis_knows_is_told)
{
	BA_AUTO(ba_declared) ba_declared d = declare("copy", two_axes, NULL);
	static const char *const axis[] = {"m=1", NULL};
	assert_cases(d, axis, NULL, "--axis: no benchmark has an axis 'm'; there are n, dtype");
	static const char *const word[] = {"dtype=f8", NULL};
	assert_cases(d, word, NULL, "--axis: 'f8' is not a value of axis 'dtype'");
	static const char *const number[] = {"n=x", NULL};
	assert_cases(d, number, NULL, "--axis: 'x' is not a value of axis 'n'");
}

TEST(what_is_there_already_is_not_added_again)
{
	BA_AUTO(ba_declared) ba_declared old = declare("copy", two_axes, NULL);
	static const axis_row other[] = {
		{"n", BA_AXIS_INTEGER, "2 3"}, {"dtype", BA_AXIS_TYPE, "f32 f8"}, {NULL}};
	BA_AUTO(ba_declared) ba_declared new = declare("copy", other, NULL);
	const ba_declarations both[] = {{&old, 1}, {&new, 1}};
	BA_AUTO_FREE char *got = cases(both, 2, NULL, NULL);
	assert_string_equal(got,
		"k/copy/n=1,dtype=f16\nk/copy/n=1,dtype=f32\n"
		"k/copy/n=2,dtype=f16\nk/copy/n=2,dtype=f32\n"
		"k/copy/n=2,dtype=f8\nk/copy/n=3,dtype=f32\nk/copy/n=3,dtype=f8\n");
	/* a word that one of them knows is a word; the other has no such case */
	static const char *const word[] = {"dtype=f8", "n=9", NULL};
	BA_AUTO_FREE char *one = cases(both, 2, word, NULL);
	assert_string_equal(one, "k/copy/n=9,dtype=f8\n");
}

TEST(too_many_cases_are_refused)
{
	BA_AUTO(ba_declared)
	ba_declared d = declare("copy",
		(const axis_row[]){
			{"a", BA_AXIS_INTEGER, "1"}, {"b", BA_AXIS_INTEGER, "1"}, {NULL}},
		NULL);
	static const char *const many[] = {"a=1:200:+1", "b=1:200:+1", NULL};
	const ba_declarations all = {&d, 1};
	BA_AUTO_FREE char *got = cases(&all, 1, many, "*=0");
	assert_string_equal(got, "");
	BA_AUTO_FREE char *said = cases(&all, 1, many, NULL);
	assert_non_null(strstr(said, "more than 10000 cases"));
}
