#include "test.h"

#include "base/mem.h"
#include "config/config.h"

static void load(ba_config *c, const char *thresholds)
{
	BA_AUTO_FREE char *text = ba_xprintf("{\"thresholds\":%s}", thresholds);
	ba_error err = {0};
	ba_config_init(c);
	if (ba_config_load_text(c, "c.json", text, strlen(text), &err))
		fail_msg("%s", err.text);
}

TEST(texts_of_thresholds_are_read)
{
	static const struct {
		const char *text;
		double ratio, floor_ns;
	} rows[] = {{"2%", .02, 0}, {"0.02", .02, 0}, {"2 %", .02, 0}, {"2% and 25ns", .02, 25},
		{"0.5% and 0.1us", .005, 100}, {"150%", 1.5, 0}, {"1ns", 0, 1}, {"0.25 ns", 0, .25},
		{"1.5 µs", 0, 1500}, {"2 % and 1 ns", .02, 1}, {"2%+1ns", .02, 1},
		{" 2 %  +  1 ns ", .02, 1}, {"2%and1ns", .02, 1}, {"25ns and 2%", .02, 25},
		{"1e-3", .001, 0}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		ba_threshold t = {0};
		ba_error err;
		assert_false(ba_threshold_parse(&t, rows[i].text, "x", &err));
		assert_close(t.slower, rows[i].ratio, 1e-12);
		assert_close(t.faster, rows[i].ratio, 1e-12);
		assert_close(t.floor_ns, rows[i].floor_ns, 1e-12);
	}
}

TEST(thresholds_of_nonsense_are_refused)
{
	static const struct {
		const char *text, *error;
	} rows[] = {{"abc", "'abc' is not a ratio"}, {"", "'' is not a ratio"},
		{"-2%", "'-2%' is negative"}, {"0", "'0' is not above 0"},
		{"0%", "'0%' is not above 0"}, {"nan", "'nan' is not"},
		{"2% and", "'' is not a time"}, {"2% and ", "'' is not a time"},
		{"0ns", "'0ns' is not above 0"}, {"2% and 0 ns", "is not above 0"},
		{"1ns and 2ns", "'2ns' is not a ratio"}, {"1ns and", "'' is not a ratio"},
		{"+", "'' is not a ratio"}, {"1ns, 2%", "'1ns, 2%' is not a time"},
		{"2% and 25", "'25' has no unit; write it like 25ns"},
		{"2% and 5%", "'5%' is not a time"}, {"20000%", "is 200 times the baseline"},
		{"2%%", "'2%%' is not a ratio"},
		{"2", "write 2% for per cent, or 200% if you mean it"},
		{"1 and 25ns", "write 1% for per cent"}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		ba_threshold t = {.slower = 42};
		ba_error err = {0};
		assert_int_equal(
			ba_threshold_parse(&t, rows[i].text, "--threshold", &err), BA_EINVAL);
		assert_has(err.text, "--threshold");
		assert_has(err.text, rows[i].error);
		assert_true(t.slower == 42);
	}
}

TEST(the_most_special_threshold_holds)
{
	BA_AUTO(ba_config) ba_config c;
	load(&c, "{\"benchmarks\":[{\"match\":\"launch/*\",\"threshold\":\"4%\"},"
		 "{\"match\":\"*args=4*\",\"metric\":\"submit\",\"threshold\":\"5%\"},\n"
		 "{\"match\":\"o*\",\"metric\":\"host\",\"threshold\":\"6%\"}],"
		 "\"metrics\":{\"host\":\"3%\",\"roundtrip\":0.07},\"default\":\"1%\"}");
	static const struct {
		const char *id;
		ba_metric metric;
		double ratio;
	} rows[] = {
		{"other/x", BA_METRIC_SUBMIT, .01}, {"other/x", BA_METRIC_HOST, .06},
		{"x", BA_METRIC_HOST, .03}, {"other/x", BA_METRIC_ROUNDTRIP, .07},
		{"launch/args=1", BA_METRIC_SUBMIT, .04},
		{"launch/args=4,path=a", BA_METRIC_SUBMIT, .05},
		{"launch/args=4,path=a", BA_METRIC_SUSTAINED, .04},
		{"launch/args=4,path=a", BA_METRIC_HOST, .04}, /* a glob is more special */
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_close(ba_config_threshold(&c, rows[i].id, rows[i].metric).slower,
			rows[i].ratio, 1e-12);
	BA_AUTO(ba_buf) ba_buf origin = BA_BUF_INIT;
	ba_config_origin_text(&origin, &c, ba_config_threshold(&c, "ox", BA_METRIC_HOST).origin);
	assert_string_equal(origin.data, "c.json:2");
}

TEST(directions_may_differ_and_one_stands_for_both)
{
	BA_AUTO(ba_config) ba_config c;
	load(&c, "{\"default\":{\"slower\":\"2%\",\"faster\":0.03,\"floor\":\"25ns\"},"
		 "\"metrics\":{\"host\":{\"faster\":\"9%\"}}}");
	ba_threshold t = ba_config_threshold(&c, "x", BA_METRIC_SUBMIT);
	assert_close(t.slower, .02, 1e-12);
	assert_close(t.faster, .03, 1e-12);
	assert_close(t.floor_ns, 25, 1e-12);
	t = ba_config_threshold(&c, "x", BA_METRIC_HOST);
	assert_close(t.slower, .09, 1e-12);
	assert_close(t.faster, .09, 1e-12);
}

TEST(a_time_alone_is_a_threshold)
{
	BA_AUTO(ba_config) ba_config c;
	load(&c, "{\"default\":\"2 ns\",\"metrics\":{\"gpu_cold\":{\"floor\":\"9ns\"}},"
		 "\"benchmarks\":[{\"match\":\"a*\",\"threshold\":\"5ns\"}]}");
	static const struct {
		const char *id;
		ba_metric metric;
		double ns;
	} rows[] = {{"x", BA_METRIC_SUBMIT, 2}, {"x", BA_METRIC_GPU_COLD, 9},
		{"ab", BA_METRIC_SUBMIT, 5}};
	for (size_t i = 0; i < 3; i++) {
		ba_threshold t = ba_config_threshold(&c, rows[i].id, rows[i].metric);
		assert_true(t.slower == 0 && t.faster == 0);
		assert_close(t.floor_ns, rows[i].ns, 1e-12);
	}
}

TEST(one_threshold_may_stand_for_the_section)
{
	BA_AUTO(ba_config) ba_config c;
	load(&c, "\"0.7%\"");
	assert_close(ba_config_threshold(&c, "x", BA_METRIC_SUBMIT).slower, .007, 1e-12);
}

TEST(without_a_word_two_per_cent_hold)
{
	BA_AUTO(ba_config) ba_config c;
	ba_config_init(&c);
	ba_threshold t = ba_config_threshold(&c, "x", BA_METRIC_SUBMIT);
	assert_true(t.slower == .02 && t.faster == .02 && t.floor_ns == 0);
	assert_int_equal(t.origin.kind, BA_ORIGIN_DEFAULT);
}

TEST(the_command_line_overrides_every_rule)
{
	BA_AUTO(ba_config) ba_config c;
	ba_error err;
	load(&c, "{\"metrics\":{\"host\":\"3%\"},\"benchmarks\":[{\"match\":\"*\","
		 "\"threshold\":\"4%\"}]}");
	assert_int_equal(ba_config_set_threshold(&c, "0", &err), BA_EINVAL);
	assert_close(ba_config_threshold(&c, "x", BA_METRIC_HOST).slower, .04, 1e-12);
	assert_false(ba_config_set_threshold(&c, "10% and 5ns", &err));
	ba_threshold t = ba_config_threshold(&c, "x", BA_METRIC_HOST);
	assert_close(t.slower, .1, 1e-12);
	assert_int_equal(t.origin.kind, BA_ORIGIN_COMMAND_LINE);
}

TEST(mistakes_in_the_file_have_their_place)
{
	static const struct {
		const char *thresholds, *error;
	} rows[] = {
		{"{\"default\":\"abc\"}", "$.thresholds.default the threshold: 'abc' is not"},
		{"{\"default\":0}", "$.thresholds.default the ratio: '0' is not above 0"},
		{"{\"default\":true}",
			"must be a threshold such as \"2%\", \"25ns\" or \"2% and 25ns\", "
			"is true or false"},
		{"{\"default\":{}}", "has neither 'slower' nor 'faster'"},
		{"{\"default\":{\"slow\":1}}", "slow is not known; did you mean 'slower'?"},
		{"{\"default\":{\"slower\":\"2%\",\"floor\":25}}",
			"$.thresholds.default.floor must be a string"},
		{"{\"default\":{\"slower\":\"2%\",\"floor\":\"25\"}}", "'25' has no unit"},
		{"{\"metrics\":{\"submitt\":\"1%\"}}",
			"$.thresholds.metrics.submitt names no metric"},
		{"{\"benchmarks\":{}}", "must be an array, is an object"},
		{"{\"benchmarks\":[{\"threshold\":\"1%\"}]}",
			"$.thresholds.benchmarks[0] has no 'match'"},
		{"{\"benchmarks\":[{\"match\":\"*\"}]}",
			"$.thresholds.benchmarks[0] has no 'threshold'"},
		{"{\"benchmarks\":[{\"match\":\"*\",\"metric\":\"hostt\"}]}",
			"names no metric: 'hostt'; did you mean 'host'?"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		BA_AUTO(ba_config) ba_config c;
		BA_AUTO_FREE char *text = ba_xprintf("{\"thresholds\":%s}", rows[i].thresholds);
		ba_error err = {0};
		ba_config_init(&c);
		assert_int_equal(
			ba_config_load_text(&c, "c.json", text, strlen(text), &err), BA_ECONFIG);
		assert_has(err.text, rows[i].error);
		assert_has(err.text, "c.json: line 1: $");
	}
}
