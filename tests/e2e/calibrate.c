/* `bench-against calibrate` with the fake driver, and what later runs make of it. */
#include "e2e.h"

#include <glob.h>

#include "base/mem.h"
#include "base/base.h"

TEST_GROUP(e2e_set_up, NULL);

static e2e two_variants(void)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost110");
	return t;
}

#define FAKE BA_BINARY_DIR "/tests/fakecuda/lib/libcuda.so.1"
#define calibrate(t, ...)                                                                          \
	e2e_tool((t), "calibrate", "--fake-driver", FAKE, "--metrics", "submit", "--blocks", "20", \
		__VA_ARGS__)

/* the only file in the cache's folder of calibrations */
static char *calibration_file(const e2e *t)
{
	BA_AUTO_FREE char *pattern = ba_path_join(t->cache, "calibration/*.json");
	glob_t found;
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	assert_int_equal(found.gl_pathc, 1);
	char *path = ba_xstrdup(found.gl_pathv[0]);
	globfree(&found);
	return path;
}

static char *content(const char *path)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	assert_int_equal(ba_fs_read(&text, path, SIZE_MAX, NULL), 0);
	return ba_buf_detach(&text);
}

static void replace(const char *path, const char *from, const char *to)
{
	BA_AUTO_FREE char *text = content(path);
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	for (char *at = text, *hit;; at = hit + strlen(from)) {
		hit = strstr(at, from);
		ba_buf_put(&out, at, hit ? (size_t)(hit - at) : strlen(at));
		if (!hit)
			break;
		ba_buf_puts(&out, to);
	}
	assert_string_not_equal(text, out.data);
	assert_int_equal(ba_fs_write(path, out.data, out.len, 0600, NULL), 0);
}

static void assert_note(const e2e *t, const char *part)
{
	for (size_t i = 0; i < e2e_count(t, "notes"); i++) {
		BA_AUTO_FREE char *path = ba_xprintf("notes.%zu", i);
		if (strstr(e2e_text(t, path), part))
			return;
	}
	fail_msg("no note says '%s':\n%s", part, t->out);
}

TEST(a_calibration_is_a_table_and_a_file)
{
	e2e t = two_variants();
	calibrate(&t, "old");
	assert_status(&t, 0);
	assert_has(t.out, "old against itself on ");
	assert_has(t.out, ": 8 invocations, duet engine");
	assert_has(t.out, "unchanged after");
	assert_has(t.out, "launch/args=0");
	BA_AUTO_FREE char *path = calibration_file(&t);
	BA_AUTO_FREE char *text = content(path);
	assert_has(text, "\"schema\": \"bench-against.calibration/1\"");
	assert_has(text, "\"invocations\": 8");
	/* a run in its light is what it was */
	e2e_against(&t, "old", "new");
	assert_status(&t, 1);
	assert_null(strstr(t.out, "noisier"));
	e2e_end(&t);
}

TEST(a_threshold_below_the_floor_is_refused)
{
	e2e t = two_variants();
	calibrate(&t, "--thorough", "old");
	assert_status(&t, 0);
	assert_has(t.out, ": 16 invocations");
	e2e_against(&t, "--threshold", "0.001%", "old", "new");
	assert_status(&t, 129);
	assert_has(t.err, "the threshold of 0.001 % for launch/args=0");
	assert_has(t.err, "is below 0.");
	assert_has(t.err, "--allow-below-floor");
	assert_null(t.doc);
	e2e_against(&t, "--threshold", "0.001%", "--allow-below-floor", "old", "new");
	assert_status(&t, 1);
	assert_note(&t, "expect 'inconclusive'");
	e2e_end(&t);
}

TEST(a_machine_that_became_noisier_is_noticed)
{
	e2e t = two_variants();
	calibrate(&t, "old");
	BA_AUTO_FREE char *path = calibration_file(&t);
	/* as if it had been a hundred times quieter */
	replace(path, "\"s\": 0.000", "\"s\": 0.00000");
	replace(path, "\"s_upper\": 0.000", "\"s_upper\": 0.00000");
	e2e_against(&t, "old", "new");
	assert_status(&t, 1);
	assert_note(&t, "this machine is noisier than when it was calibrated (");
	/* as this run was started */
	assert_note(&t, "look for the cause: bench-against doctor");
	assert_note(&t, "measure the noise again: bench-against calibrate --metrics submit");
	e2e_end(&t);
}

TEST(what_will_take_long_is_said_before)
{
	e2e t = two_variants();
	calibrate(&t, "old");
	BA_AUTO_FREE char *path = calibration_file(&t);
	replace(path, "\"s\": 0.000", "\"s\": 0.01");
	replace(path, "\"s_upper\": 0.000", "\"s_upper\": 0.01");
	e2e_against(&t, "old", "new");
	assert_note(&t, "1 of 1 benchmarks need more invocations than the first look has");
	e2e_end(&t);
}

TEST(another_machines_calibration_is_not_used)
{
	e2e t = two_variants();
	calibrate(&t, "old");
	BA_AUTO_FREE char *path = calibration_file(&t);
	replace(path, "\"device_uuid\": \"", "\"device_uuid\": \"GPU-other-");
	/* it would be refused in its light */
	e2e_against(&t, "--threshold", "0.001%", "old", "new");
	assert_status(&t, 1);
	assert_has(t.err, "the calibration is not used: ");
	assert_has(t.err, "is the calibration of another machine: device GPU-other-");
	/* nor is one that is torn */
	BA_AUTO_FREE char *text = content(path);
	assert_int_equal(ba_fs_write(path, text, strlen(text) / 2, 0600, NULL), 0);
	e2e_against(&t, "old", "new");
	assert_status(&t, 1);
	assert_has(t.err, "the calibration is not used: ");
	/* a new one takes its place */
	calibrate(&t, "old");
	assert_status(&t, 0);
	assert_has(t.err, "the previous calibration is replaced");
	e2e_against(&t, "old", "new");
	assert_null(strstr(t.err, "not used"));
	e2e_end(&t);
}

TEST(a_filter_finds_its_part_and_keeps_the_rest)
{
	e2e t = two_variants();
	calibrate(&t, "--args", "0,1", "old");
	BA_AUTO_FREE char *path = calibration_file(&t);
	calibrate(&t, "--args", "1", "old");
	assert_status(&t, 0);
	BA_AUTO_FREE char *text = content(path);
	assert_has(text, "launch/args=0");
	assert_has(text, "launch/args=1");
	e2e_against(&t, "--args", "0", "--threshold", "0.001%", "old", "new");
	assert_status(&t, 129);
	e2e_against(&t, "--args", "2", "--threshold", "0.001%", "old", "new");
	assert_status(&t, 1);
	e2e_end(&t);
}

TEST(what_cannot_be_calibrated_is_refused)
{
	e2e t = two_variants();
	calibrate(&t, "path:.");
	assert_status(&t, 129);
	assert_has(t.err, "two builds of the same code");
	calibrate(&t, "old", "new");
	assert_status(&t, 129);
	assert_has(t.err, "'new' is one too many");
	calibrate(&t, "nowhere");
	assert_status(&t, 129);
	static const char *const bad[] = {"0", "-1%", "abc", "nan"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		BA_AUTO_FREE char *option = ba_xprintf("--threshold=%s", bad[i]);
		calibrate(&t, option, "old");
		assert_status(&t, 129);
		e2e_against(&t, option, "old", "new");
		assert_status(&t, 129);
		assert_has(t.err, bad[i]);
	}
	e2e_commit(&t, "crash", "crash_launch");
	calibrate(&t, "crash");
	assert_status(&t, 125);
	assert_has(t.err, "nothing could be measured, so there is no new calibration");
	e2e_end(&t);
}

TEST(each_of_several_gpus_has_a_calibration)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "old", "cost100");
	e2e_env("BA_FAKE_CUDA", "launch_ns=0;clock_ns=0;call_ns=10;devices=3");
	calibrate(&t, "--device", "0,2", "old");
	assert_status(&t, 0);
	BA_AUTO_FREE char *folder = ba_path_join(t.cache, "calibration");
	BA_AUTO(ba_strv) ba_strv files = {0};
	assert_int_equal(ba_fs_names(&files, folder, NULL), 0);
	assert_int_equal(files.count, 2);
	e2e_env("BA_FAKE_CUDA", NULL);
	e2e_end(&t);
}
