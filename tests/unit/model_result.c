/* What a comparison says beside its verdict. */
#include "test.h"

#include "model/result.h"

static void assert_words(const ba_comparison *c, const char *expected)
{
	BA_AUTO(ba_buf) ba_buf words = BA_BUF_INIT;
	ba_comparison_put_verdict(&words, c);
	assert_string_equal(words.data, expected);
}

TEST(an_interval_without_zero_is_said_within_the_threshold)
{
	ba_comparison c = {.verdict = BA_VERDICT_UNCHANGED,
		.threshold_slower = 0.02,
		.threshold_faster = 0.015};
	static const struct {
		double low, high;
		ba_shift shift;
		const char *words;
	} rows[] = {
		{1.013, 1.021, BA_SHIFT_SLOWER, "slower, within 2 %"},
		{0.985, 0.999, BA_SHIFT_FASTER, "faster, within 1.5 %"},
		{0.999, 1.002, BA_SHIFT_NONE, "unchanged"},
		{1, 1.002, BA_SHIFT_NONE, "unchanged"},
		{0, 0, BA_SHIFT_NONE, "unchanged"}, /* no interval */
		{NAN, NAN, BA_SHIFT_NONE, "unchanged"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		c.low = rows[i].low;
		c.high = rows[i].high;
		assert_int_equal(ba_comparison_shift(&c), rows[i].shift);
		assert_words(&c, rows[i].words);
	}
}

TEST(other_verdicts_keep_their_name)
{
	for (int v = 0; v < BA_VERDICT_COUNT; v++) {
		ba_comparison c = {.verdict = (ba_verdict)v, .low = 1.01, .high = 1.02};
		if (v == BA_VERDICT_UNCHANGED)
			continue;
		assert_int_equal(ba_comparison_shift(&c), BA_SHIFT_NONE);
		assert_words(&c, ba_verdict_name((ba_verdict)v));
	}
}

TEST(thresholds_are_said_as_they_were_given)
{
	static const struct {
		double ratio, ns, first, second;
		const char *words;
	} rows[] = {
		{0.02, 0, 0.02, 0.02, "2 %"}, {0.02, 1, 0.09, 0.1, "9 to 10 % (at least 1 ns)"},
		{0, 25, 0.05, 0.05, "5 % (at least 25 ns)"},
		{0, 0, 0.02, 0.05, "2 to 5 %"}, /* an earlier document */
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ba_comparison all[3] = {
			{.ratio = 1, .threshold_slower = rows[i].first},
			{.ratio = 1, .threshold_slower = rows[i].second},
			{.threshold_slower = 0.5}, /* not measured */
		};
		ba_series series[3];
		for (size_t k = 0; k < 3; k++) {
			all[k].threshold_given = rows[i].ratio;
			all[k].threshold_given_ns = rows[i].ns;
			series[k] = (ba_series){.comparisons = &all[k]};
		}
		ba_result r = {.series = series, .series_count = 3};
		BA_AUTO(ba_buf) ba_buf words = BA_BUF_INIT;
		ba_result_put_thresholds(&words, &r, -1, 1);
		assert_string_equal(words.data, rows[i].words);
	}
}

TEST(static_kernels_of_one_name_are_unknown_if_they_differ)
{
	/* the next three: in a file of device code, for other targets, and equal */
	static const char *const lines[][2] = {{"0 k prog k sm_90 0 aa", "0 k prog k sm_90 0 bb"},
		{"0 k  k sm_90 0 aa", "0 k  k sm_90 0 bb"},
		{"0 k prog k sm_80 0 aa", "0 k prog k sm_90 0 bb"},
		{"0 k prog k sm_90 0 aa", "0 k prog k sm_90 0 aa"}};
	for (size_t i = 0; i < BA_COUNT(lines); i++) {
		ba_measured_suite s = {0};
		char all[65], of_k[65];
		BA_AUTO(ba_strv) ba_strv names = {0};
		ba_strv_push(&names, "k");
		ba_strv_push(&s.host, "aa");
		ba_strv_push(&s.kernels, lines[i][0]);
		ba_strv_push(&s.kernels, lines[i][1]);
		ba_measured_suite_digest(all, &s, 0, NULL);
		ba_measured_suite_digest(of_k, &s, 0, &names);
		assert_int_equal(strlen(all), i == 0 ? 0 : 64);
		assert_int_equal(strlen(of_k), i == 0 ? 0 : 64);
		ba_measured_suite_dispose(&s);
	}
}
