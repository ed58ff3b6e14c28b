/* Calibrations: all of it comes back, and nothing that planning would divide by is
 * taken on trust. */
#include "test.h"

#include "base/mem.h"
#include "store/calibration.h"

static const ba_json_options options = {
	.name = "c.json", .positions = true, .unique_keys = true, .depth = 8};

static ba_environment machine(const char *uuid, const char *driver)
{
	return (ba_environment){.target = ba_xstrdup("gpu"),
		.device_uuid = ba_xstrdup(uuid),
		.device_name = ba_xstrdup("NVIDIA H200"),
		.driver_version = ba_xstrdup(driver),
		.host_name = ba_xstrdup("node7")};
}

static ba_noise noise(const char *id, char plan, double s)
{
	ba_noise n = {.benchmark = ba_xstrdup(id),
		.metric = BA_METRIC_SUBMIT,
		.engine = ba_xstrdup("duet"),
		.date = ba_xstrdup("2026-01-31T12:00:00Z"),
		.invocations = 8,
		.s = s,
		.s_upper = 1.572 * s,
		.s1_sq = 1e-6,
		.blocks = 600,
		.autocorrelation = -0.1,
		.bias = 1e-5,
		.two_speed = true,
		.ns = 2600,
		.tick_ns = 1,
		.seconds = 0.15,
		.sm_clock_mhz = 1980,
		.memory_clock_mhz = 3201};
	memset(n.plan_sha256, plan, 64);
	return n;
}

static void fill(ba_calibration *c)
{
	BA_AUTO(ba_environment) ba_environment env = machine("GPU-1", "580");
	*c = (ba_calibration){0};
	ba_calibration_init(c, &env);
	ba_noise a = noise("launch/args=0", 'a', 0.001), b = noise("x", 'b', 0.01);
	ba_calibration_put(c, &a);
	ba_calibration_put(c, &b);
	ba_strv_push(&c->findings, "a finding");
	c->start_seconds = 0.5;
}

TEST(everything_comes_back)
{
	BA_AUTO(ba_calibration) ba_calibration c;
	BA_AUTO(ba_calibration) ba_calibration back = {0};
	BA_AUTO(ba_buf) ba_buf first = BA_BUF_INIT;
	BA_AUTO(ba_buf) ba_buf second = BA_BUF_INIT;
	ba_error err = {0};
	fill(&c);
	ba_fields_format(&first, 1, &ba_calibration_fields, &c);
	if (ba_fields_parse(&back, &ba_calibration_fields, first.data, first.len, &options, &err))
		fail_msg("%s", err.text);
	ba_fields_format(&second, 1, &ba_calibration_fields, &back);
	assert_string_equal(first.data, second.data);
	assert_true(back.noises[0].s == 0.001 && back.noises[0].two_speed);
	assert_string_equal(back.findings.items[0], "a finding");
}

TEST(what_is_measured_again_replaces_what_was_known)
{
	BA_AUTO(ba_calibration) ba_calibration c;
	fill(&c);
	ba_noise again = noise("launch/args=0", 'a', 0.002);
	ba_calibration_put(&c, &again);
	assert_int_equal(c.noise_count, 2);
	char plan[65] = {0};
	memset(plan, 'a', 64);
	const ba_noise *found = ba_calibration_find(&c, plan, BA_METRIC_SUBMIT, "duet");
	assert_true(found && found->s == 0.002);
	assert_null(ba_calibration_find(&c, plan, BA_METRIC_SUBMIT, "split"));
	assert_null(ba_calibration_find(&c, plan, BA_METRIC_HOST, "duet"));
	plan[0] = 'b';
	assert_null(ba_calibration_find(&c, plan, BA_METRIC_SUBMIT, "duet"));
}

TEST(each_machine_and_driver_has_a_file_of_its_own)
{
	BA_AUTO(ba_environment) ba_environment a = machine("GPU-1", "580");
	BA_AUTO(ba_environment) ba_environment b = machine("GPU-1", "581");
	BA_AUTO(ba_environment) ba_environment c = machine("GPU-2", "580");
	BA_AUTO(ba_environment) ba_environment none = {.target = ba_xstrdup("host")};
	BA_AUTO_FREE char *pa = ba_calibration_path("/cache", &a);
	BA_AUTO_FREE char *pb = ba_calibration_path("/cache", &b);
	BA_AUTO_FREE char *pc = ba_calibration_path("/cache", &c);
	BA_AUTO_FREE char *pn = ba_calibration_path("/cache", &none);
	assert_has(pa, "/cache/calibration/");
	assert_string_not_equal(pa, pb);
	assert_string_not_equal(pa, pc);
	assert_string_not_equal(pa, pn);
	BA_AUTO(ba_calibration) ba_calibration k;
	fill(&k);
	assert_true(ba_calibration_is_of(&k, &a));
	assert_false(ba_calibration_is_of(&k, &b));
	assert_false(ba_calibration_is_of(&k, &c));
	assert_false(ba_calibration_is_of(&k, &none));
}

TEST(bad_documents_are_refused_in_words)
{
	static const struct {
		const char *from, *to, *says;
	} rows[] = {
		{"calibration/1", "calibration/2", "is 'bench-against.calibration/2'"},
		{"\"s\": 0.001", "\"s\": null", "has 's' of nan"},
		{"\"s\": 0.001", "\"s\": 0", "has 's' of 0"},
		{"\"s\": 0.001", "\"s\": 0.1", "has an upper limit below its value"},
		{"\"blocks\": 600", "\"blocks\": -1", "has 'blocks' of -1"},
		{"\"ns\": 2600", "\"ns\": \"x\"", "must be a number"},
		{"\"invocations\": 8", "\"invocations\": 1", "is based on 1 invocation"},
		{"\"submit\"", "\"speed\"", "is not a metric"},
		{"\"noises\"", "\"noise\"", "has no 'noises'"},
	};
	BA_AUTO(ba_calibration) ba_calibration c;
	BA_AUTO(ba_buf) ba_buf good = BA_BUF_INIT;
	fill(&c);
	ba_fields_format(&good, 1, &ba_calibration_fields, &c);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_calibration) ba_calibration back = {0};
		BA_AUTO(ba_buf) ba_buf bad = BA_BUF_INIT;
		ba_error err = {0};
		const char *at = strstr(good.data, rows[i].from);
		assert_non_null(at);
		ba_buf_put(&bad, good.data, (size_t)(at - good.data));
		ba_buf_puts(&bad, rows[i].to);
		ba_buf_puts(&bad, at + strlen(rows[i].from));
		assert_int_equal(ba_fields_parse(&back, &ba_calibration_fields, bad.data, bad.len,
					 &options, &err),
			BA_EDATA);
		assert_has(err.text, rows[i].says);
	}
}

TEST(no_prefix_of_a_document_is_one)
{
	BA_AUTO(ba_calibration) ba_calibration c;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	fill(&c);
	ba_fields_format(&text, 1, &ba_calibration_fields, &c);
	for (size_t n = 0; n + 2 < text.len; n += 7) {
		BA_AUTO(ba_calibration) ba_calibration back = {0};
		ba_error err;
		assert_int_equal(ba_fields_parse(&back, &ba_calibration_fields, text.data, n,
					 &options, &err),
			BA_EDATA);
	}
}
