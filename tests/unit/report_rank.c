/* The one order of benchmarks that all formats share. */
#include "test.h"

#include "example_result.h"
#include "report/rank.h"

#define VERDICTS(...) ((const ba_verdict[]){__VA_ARGS__})

/* adds suite/name or suite/name/n=VALUE with one verdict for each candidate */
static void add(ba_result *r, const char *name, const char *n, const double *ratios,
	const ba_verdict *verdicts)
{
	double figures[4] = {1000};
	BA_AUTO_FREE char *id = n ? ba_xprintf("s/%s/n=%s", name, n) : ba_xprintf("s/%s", name);
	r->run.benchmarks = ba_xreallocarray(
		r->run.benchmarks, r->run.benchmark_count + 1, sizeof(*r->run.benchmarks));
	ba_benchmark *b = &r->run.benchmarks[r->run.benchmark_count];
	*b = (ba_benchmark){
		.suite = ba_xstrdup("s"), .name = ba_xstrdup(name), .id = ba_xstrdup(id)};
	if (n)
		ba_benchmark_add_axis(b, "n", n);
	for (size_t i = 1; i < r->run.variant_count; i++)
		figures[i] = 1000 * ratios[i - 1];
	example_series(r, r->run.benchmark_count++, BA_METRIC_SUBMIT, figures, verdicts);
}

static void add_one(ba_result *r, const char *name, const char *n, double ratio, ba_verdict verdict)
{
	add(r, name, n, &ratio, &verdict);
}

static void assert_order(const ba_result *r, const char *const *expected)
{
	BA_AUTO(ba_ranking) ba_ranking k;
	ba_ranking_of(&k, r);
	for (size_t i = 0; expected[i]; i++) {
		assert_true(i < k.count);
		assert_string_equal(r->run.benchmarks[k.rows[i].series->benchmark].id, expected[i]);
	}
}

TEST(what_matters_comes_first)
{
	BA_AUTO(ba_result) ba_result r;
	example_begin(&r, 2);
	add_one(&r, "skipped", NULL, 1, BA_VERDICT_SKIPPED);
	add_one(&r, "identical", NULL, 1, BA_VERDICT_IDENTICAL);
	add_one(&r, "unchanged", NULL, 1.01, BA_VERDICT_UNCHANGED);
	add_one(&r, "added", NULL, 1, BA_VERDICT_ADDED);
	add_one(&r, "faster", NULL, 0.9, BA_VERDICT_IMPROVED);
	add_one(&r, "much-faster", NULL, 0.5, BA_VERDICT_IMPROVED);
	add_one(&r, "doubt", NULL, 1.02, BA_VERDICT_INCONCLUSIVE);
	add_one(&r, "large-doubt", NULL, 1.2, BA_VERDICT_INCONCLUSIVE);
	add_one(&r, "removed", NULL, 1, BA_VERDICT_REMOVED);
	add_one(&r, "slower", NULL, 1.1, BA_VERDICT_REGRESSED);
	add_one(&r, "much-slower", NULL, 1.5, BA_VERDICT_REGRESSED);
	add_one(&r, "failed", NULL, 1, BA_VERDICT_FAILED);
	add_one(&r, "failed-too", NULL, 1, BA_VERDICT_FAILED);
	const char *const order[] = {"s/failed", "s/failed-too", "s/much-slower", "s/slower",
		"s/removed", "s/large-doubt", "s/doubt", "s/much-faster", "s/faster", "s/added",
		"s/identical", "s/unchanged", "s/skipped", NULL};
	assert_order(&r, order);
}

TEST(a_sweep_with_one_standing_stays_together)
{
	BA_AUTO(ba_result) ba_result r;
	example_begin(&r, 2);
	add_one(&r, "other", "1", 1.2, BA_VERDICT_REGRESSED);
	add_one(&r, "sweep", "1", 1.1, BA_VERDICT_REGRESSED);
	add_one(&r, "sweep", "2", 1.3, BA_VERDICT_REGRESSED);
	add_one(&r, "sweep", "3", 1.05, BA_VERDICT_REGRESSED);
	const char *const order[] = {
		"s/sweep/n=1", "s/sweep/n=2", "s/sweep/n=3", "s/other/n=1", NULL};
	assert_order(&r, order);
}

TEST(a_sweep_of_several_standings_is_sorted_by_point)
{
	BA_AUTO(ba_result) ba_result r;
	example_begin(&r, 2);
	add_one(&r, "sweep", "1", 1, BA_VERDICT_UNCHANGED);
	add_one(&r, "sweep", "2", 1.1, BA_VERDICT_REGRESSED);
	add_one(&r, "sweep", "3", 1.3, BA_VERDICT_REGRESSED);
	add_one(&r, "other", "1", 1.2, BA_VERDICT_REGRESSED);
	const char *const order[] = {
		"s/sweep/n=3", "s/other/n=1", "s/sweep/n=2", "s/sweep/n=1", NULL};
	assert_order(&r, order);
}

TEST(sweeps_are_known_by_their_ids)
{
	static const struct {
		const char *first, *second;
		bool together;
	} rows[] = {
		{"launch/args=0", "launch/args=1", true},
		{"launch/args=0,path=x", "launch/args=1,path=y", true},
		{"bench/BM_copy/64", "bench/BM_copy/1024", true},
		{"bench/BM_copy/64", "bench/BM_fill/64", false},
		{"launch/args=0", "launch/bytes=0", false},
		{"bench/one", "bench/two", false},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_result) ba_result r;
		example_begin(&r, 2);
		const double figures[][2] = {{1000, 1100}, {1000, 1500}, {1000, 1300}};
		const char *ids[] = {rows[i].first, rows[i].second, "other"};
		for (size_t k = 0; k < 3; k++)
			example_series(&r, example_benchmark(&r, ids[k], 0), BA_METRIC_SUBMIT,
				figures[k], VERDICTS(BA_VERDICT_REGRESSED));
		const char *const together[] = {ids[0], ids[1], ids[2], NULL};
		const char *const apart[] = {ids[1], ids[2], ids[0], NULL};
		assert_order(&r, rows[i].together ? together : apart);
	}
}

TEST(series_of_a_metric_are_each_there_once)
{
	BA_AUTO(ba_result) ba_result r;
	example_begin(&r, 3);
	const double same[] = {1, 1}, second[] = {1, 1.2};
	add(&r, "calm", NULL, same, VERDICTS(BA_VERDICT_UNCHANGED, BA_VERDICT_UNCHANGED));
	add(&r, "slow-in-the-second", NULL, second,
		VERDICTS(BA_VERDICT_UNCHANGED, BA_VERDICT_REGRESSED));
	const double sustained[] = {1000, 1000, 1000};
	example_series(&r, 0, BA_METRIC_SUSTAINED, sustained,
		VERDICTS(BA_VERDICT_REPORTED, BA_VERDICT_REPORTED));
	BA_AUTO(ba_ranking) ba_ranking k;
	ba_ranking_of(&k, &r);
	const ba_series *found[3];
	assert_int_equal(ba_ranking_series(found, &k, &r, BA_METRIC_SUBMIT), 2);
	assert_ptr_equal(found[0], &r.series[1]);
	assert_ptr_equal(found[1], &r.series[0]);
	assert_int_equal(ba_ranking_series(found, &k, &r, BA_METRIC_SUSTAINED), 1);
	assert_int_equal(k.deciding, 4);
	assert_int_equal(k.count, 6);
}
