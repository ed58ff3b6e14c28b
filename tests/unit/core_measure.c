/* The measuring core, with a clock that moves only when the functions work. */
#include "test.h"

#include "bench_against/core.h"
#include "core/interleave.h"

typedef struct work {
	int64_t ns;    /* of a run */
	int64_t more;  /* of each 40th run */
	uint64_t runs; /* so far */
} work;

static int64_t now;

static int64_t virtual_clock(void)
{
	return now;
}

static void run(void *data, uint64_t times)
{
	work *w = data;
	for (uint64_t i = 0; i < times; i++)
		now += w->ns + (++w->runs % 40 ? 0 : w->more);
}

/* Verdicts on candidates[0..n-1] against the baseline after some invocations; returns how many
 * the next look needs. */
static size_t judged(
	ba_core_verdict *v, work *baseline, work *candidates, size_t n, size_t invocations)
{
	ba_core_function f[4] = {{"base", run, baseline}};
	ba_core_value values[3 * 32];
	ba_core_family family = {.comparisons = n, .candidates = n};
	for (size_t i = 0; i < n; i++)
		f[1 + i] = (ba_core_function){"candidate", run, &candidates[i]};
	for (size_t k = 0; k < invocations; k++) {
		ba_core_plan plan = {
			.seconds = 0.002, .seed = 7, .invocation = k, .clock = virtual_clock};
		assert_int_equal(ba_core_measure(&values[k * n], f, n + 1, &plan), 0);
		assert_close(values[k * n].baseline_ns, (double)baseline->ns, 1e-6);
	}
	return ba_core_decide(v, values, invocations, &family);
}

TEST(verdicts_follow_what_functions_take)
{
	work base = {.ns = 1000}, candidates[] = {{.ns = 1100}, {.ns = 1000}, {.ns = 900}};
	ba_core_verdict v[3];
	assert_int_equal(judged(v, &base, candidates, 3, 8), 0);
	assert_string_equal(v[0].verdict, "regressed");
	assert_string_equal(v[1].verdict, "unchanged");
	assert_string_equal(v[2].verdict, "improved");
	for (size_t i = 0; i < 3; i++) {
		assert_close(v[i].ratio, (double)candidates[i].ns / 1000, 1e-3);
		assert_true(v[i].low <= v[i].ratio && v[i].ratio <= v[i].high);
		assert_true(v[i].high - v[i].low < 0.02);
	}
}

TEST(a_slow_tail_is_no_typical_time)
{
	work base = {.ns = 1000}, tail = {.ns = 1000, .more = 8000};
	ba_core_verdict v;
	judged(&v, &base, &tail, 1, 32);
	assert_true(strcmp(v.verdict, "unchanged") != 0);
}

TEST(before_the_first_look_there_is_an_estimate)
{
	work base = {.ns = 50}, slow = {.ns = 60};
	ba_core_verdict v;
	assert_int_equal(judged(&v, &base, &slow, 1, 2), 4);
	assert_string_equal(v.verdict, "undecided");
	assert_close(v.ratio, 1.2, 1e-3);
	assert_true(v.low == 0 && isinf(v.high));
}

TEST(a_wrong_number_of_functions_is_refused)
{
	work base = {.ns = 50};
	ba_core_function f[2] = {{"a", run, &base}, {"b", run, &base}};
	ba_core_value value;
	assert_int_equal(ba_core_measure(&value, f, 1, &(ba_core_plan){0}), -1);
	assert_int_equal(
		ba_core_measure(&value, f, BA_CORE_FUNCTIONS_MOST + 1, &(ba_core_plan){0}), -1);
	assert_int_equal(base.runs, 0);
}

typedef struct record {
	char text[64];
	uint64_t ends_at;
} record;

static int visit(void *data, uint64_t index)
{
	record *r = data;
	sprintf(r->text + strlen(r->text), "%u", (unsigned)index);
	return index == r->ends_at ? 5 : 0;
}

static void begin(void *data, uint64_t block)
{
	(void)block;
	strcat(((record *)data)->text, "(");
}

static void end(void *data, uint64_t block)
{
	(void)block;
	strcat(((record *)data)->text, ")");
}

TEST(blocks_and_visits_follow_their_order)
{
	record all = {.ends_at = 99}, some = {.ends_at = 4};
	ba_interleave l = {.blocks = 2,
		.positions = 4,
		.data = &all,
		.visit = visit,
		.begin = begin,
		.end = end};
	assert_int_equal(ba_interleave_run(&l), 0);
	assert_string_equal(all.text, "(0123)(4567)");
	l.data = &some;
	assert_int_equal(ba_interleave_run(&l), 5);
	assert_string_equal(some.text, "(0123)(4");
}
