/* Levels, changes and units of what is shown. */
#include "test.h"

#include "example_result.h"
#include "report/format.h"
#include "report/view.h"

static ba_series *two(ba_result *r, ba_metric metric, double base, double mine)
{
	const double figures[] = {base, mine};
	const ba_verdict verdict = BA_VERDICT_REGRESSED;
	example_begin(r, 2);
	return example_series(
		r, example_benchmark(r, "launch/args=0", 0), metric, figures, &verdict);
}

/* As a document of an early version has them: levels over all readings together, the
 * ratio from the invocations, of which one in six had another speed. */
TEST(levels_and_change_never_contradict_each_other)
{
	static const struct {
		double base, mine, ratio;
	} rows[] = {
		{1486122, 1482507, 1.013}, /* less, and +1.3 % */
		{15.8, 48.6, 2.79},	   /* 3.08 times as much, and +179 % */
	};
	static const ba_metric metrics[] = {
		BA_METRIC_SUBMIT, BA_METRIC_SUSTAINED, BA_METRIC_GPU_COLD, BA_METRIC_TIME};
	for (size_t i = 0; i < 8; i++) {
		BA_AUTO(ba_result) ba_result r;
		double ratio = rows[i / 4].ratio;
		ba_series *s = two(&r, metrics[i % 4], rows[i / 4].base, rows[i / 4].mine);
		r.document.schema_revision = 3;
		s->comparisons[0].ratio = ratio;
		s->comparisons[0].low = ratio - 0.004;
		s->comparisons[0].high = ratio + 0.004;
		ba_change change = ba_change_of(s, 1);
		double base = ba_central_ns(s, &s->variants[0]);
		double mine = ba_central_ns(s, &s->variants[1]);
		assert_true(fabs(mine / base - ratio) < 1e-12);
		assert_true(fabs(change.ratio - ratio) < 1e-12);
		assert_true(fabs(change.delta_ns - (mine - base)) < 1e-9 * base);
		assert_true(change.low <= change.ratio && change.ratio <= change.high);
	}
}

TEST(no_format_shows_the_contradicting_level)
{
	BA_AUTO(ba_result) ba_result r;
	ba_series *s = two(&r, BA_METRIC_TIME, 1486122, 1482507);
	s->comparisons[0].ratio = 1.013;
	s->comparisons[0].low = 1.009;
	s->comparisons[0].high = 1.017;
	for (const ba_format *f = ba_formats; f->name; f++) {
		BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
		f->write(&got, &r, &(ba_format_options){.width = 120, .unicode = true});
		if (!strcmp(f->name, "json") || !strcmp(f->name, "csv"))
			continue; /* what was read, unchanged */
		assert_null(strstr(got.data, "1482"));
		assert_null(strstr(got.data, "1.482"));
	}
}

static void assert_unit(ba_metric metric, double ns, const char *name, double shown)
{
	BA_AUTO(ba_result) ba_result r;
	ba_unit unit = ba_unit_of_series(&r, two(&r, metric, ns, ns), true);
	assert_string_equal(unit.name, name);
	assert_true(fabs(ns * unit.per_ns - shown) < 1e-9 * shown);
}

TEST(units_are_those_that_people_read)
{
	assert_unit(BA_METRIC_SUBMIT, 2431, "ns", 2431);
	assert_unit(BA_METRIC_HOST, 5.2, "ns", 5.2);
	assert_unit(BA_METRIC_ROUNDTRIP, 150e3, "µs", 150);
	assert_unit(BA_METRIC_GPU_COLD, 999, "ns", 999);
	assert_unit(BA_METRIC_GPU_COLD, 3120, "µs", 3.12);
	assert_unit(BA_METRIC_TIME, 1486122, "ms", 1.486122);
	assert_unit(BA_METRIC_TIME, 2.5e9, "s", 2.5);
	assert_unit(BA_METRIC_VALUE, 5e6, "", 5e6);
	/* many values in one: the smallest has it, unless the largest gets too long */
	static const struct {
		ba_metric metric;
		double least, most;
		const char *name;
	} ranges[] = {
		{BA_METRIC_GPU_COLD, 9000, 80000, "µs"},
		{BA_METRIC_GPU_COLD, 9000, 99e6, "µs"},
		{BA_METRIC_GPU_COLD, 9000, 101e6, "ms"},
		{BA_METRIC_GPU_COLD, 9, 200e9, "s"},
		{BA_METRIC_SUBMIT, 90, 99e3, "ns"},
		{BA_METRIC_SUBMIT, 90, 101e3, "µs"},
		{BA_METRIC_VALUE, 1, 1e12, ""},
	};
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		assert_string_equal(ba_unit_of_range(ba_metric_get(ranges[i].metric),
					    ranges[i].least, ranges[i].most, true)
					    .name,
			ranges[i].name);
	BA_AUTO(ba_result) ba_result r;
	const ba_series *s = two(&r, BA_METRIC_TIME, 3120, 3120);
	assert_string_equal(ba_unit_of_series(&r, s, false).name, "us");
}

TEST(rows_have_one_unit_if_it_suits_them_all)
{
	static const struct {
		double first, second;
		const char *name;
	} rows[] = {
		{3120, 3300, "µs"},
		{300e3, 3e6, "µs"}, /* 300 and 3000 µs */
		{3120, 20.3e6, "µs"},
		{3120, 203e6, NULL}, /* 203000 µs */
		{20e6, 30e6, "ms"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_result) ba_result r;
		const ba_verdict verdict = BA_VERDICT_UNCHANGED;
		two(&r, BA_METRIC_GPU_COLD, rows[i].first, rows[i].first);
		const double figures[] = {rows[i].second, rows[i].second};
		example_series(&r, example_benchmark(&r, "launch/args=1", 1), BA_METRIC_GPU_COLD,
			figures, &verdict);
		const ba_series *all[] = {&r.series[0], &r.series[1]};
		ba_unit unit = ba_unit_of_all(&r, all, 2, true);
		if (rows[i].name)
			assert_string_equal(unit.name, rows[i].name);
		else
			assert_null(unit.name);
	}
}

/* one reading a visit; speed[i]: ns per launch of the candidate in invocation i, in
 * which the baseline takes 15.8 */
static void sample(ba_result *r, ba_series *s, const double *speed, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		ba_samples *x = ba_series_add_samples(s);
		*x = (ba_samples){.invocation = i,
			.participants = (unsigned)r->run.variant_count,
			.positions = 4,
			.blocks = 2,
			.readings = 1,
			.batch = 1000};
		ba_samples_alloc(x);
		for (unsigned k = 0; k < 8; k++) {
			x->order[k] = k % 4 == 1 || k % 4 == 2;
			x->ns[k] = (uint64_t)(1000 * (x->order[k] ? speed[i] : 15.8));
		}
	}
}

TEST(invocations_at_another_speed_are_said)
{
	static const struct {
		double speed[6];
		const char *says;
	} rows[] = {
		{{15.6, 15.8, 16, 48.6, 15.7, 15.9},
			"launch/args=0 of contextvar ran at two speeds: 1 of 6 invocations took 48.6 ns, the others 15.6 to 16.0 ns\n"},
		{{48, 16, 48.6, 48.1, 16.1, 48.2},
			"2 of 6 invocations took 16.0 to 16.1 ns, the others 48.0 to 48.6 ns\n"},
		{{15.6, 15.8, 16, 16.1, 15.7, 15.9}, NULL},
		{{10, 12, 14, 16, 18, 20}, NULL}, /* noise, and no second speed */
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_result) ba_result r;
		BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
		ba_series *s = two(&r, BA_METRIC_HOST, 15.8, 18);
		sample(&r, s, rows[i].speed, 6);
		ba_term_write(&got, &r, &(ba_format_options){.width = 160, .unicode = true});
		if (rows[i].says)
			assert_has(got.data, rows[i].says);
		else
			assert_null(strstr(got.data, "two speeds"));
		assert_null(strstr(got.data, "of baseline ran"));
	}
}

TEST(variants_at_two_speeds_share_a_line)
{
	static const double speed[] = {15.6, 15.8, 16, 48.6, 15.7, 15.9};
	BA_AUTO(ba_result) ba_result r;
	BA_AUTO(ba_buf) ba_buf got = BA_BUF_INIT;
	example_begin(&r, 3);
	for (unsigned i = 0; i < 5; i++) {
		BA_AUTO_FREE char *id = ba_xprintf("launch/args=%u", i);
		const double figures[] = {15.8, 18, 18};
		const ba_verdict verdicts[] = {BA_VERDICT_REGRESSED, BA_VERDICT_REGRESSED};
		ba_series *s = example_series(
			&r, example_benchmark(&r, id, i), BA_METRIC_HOST, figures, verdicts);
		sample(&r, s, speed, 6);
		/* the second candidate is where the baseline was */
		for (size_t k = 0; k < s->sample_count; k++)
			for (unsigned v = 0; v < 8; v++)
				if (s->samples[k].order[v] == 0) {
					s->samples[k].order[v] = 2;
					s->samples[k].ns[v] = (uint64_t)(2000 * speed[k]);
				}
	}
	ba_term_write(&got, &r, &(ba_format_options){.width = 160, .unicode = true});
	assert_has(got.data,
		"launch/args=0 of contextvar ran at two speeds: 1 of 6 invocations took 48.6 ns, the others 15.6 to 16.0 ns; so did v2\n");
	assert_has(got.data, "  2 more like these; ");
	assert_null(strstr(got.data, "launch/args=3 of"));
}
