/* --device 0,1: members measure side by side. */
#include "devices.h"

TEST_GROUP(e2e_set_up, NULL);

/* ---- all is well ---- */

TEST(two_devices_share_the_invocations)
{
	e2e t = begin("cost110");
	e2e_against(&t, "--device", "0,1", "old", "new");
	assert_status(&t, 1);
	assert_string_equal(e2e_verdict(&t, 1), "regressed");
	assert_close(e2e_ratio(&t, 1), 1.1, 1e-6);
	assert_int_equal(e2e_count(&t, "origins"), 2);
	assert_string_equal(e2e_text(&t, "origins.0.name"), "GPU 0");
	assert_string_equal(e2e_text(&t, "origins.1.name"), "GPU 1");
	assert_int_equal(e2e_number(&t, "origins.1.place"), 1);
	size_t all = e2e_count(&t, "series.0.samples");
	assert_int_equal(made_by(&t, 0), all / 2);
	assert_int_equal(made_by(&t, 1), all / 2);
	assert_has(t.out, "GPUs: GPU 0, GPU 1 agree (p = ");
	assert_no_desk(&t);
	e2e_check_verifies(&t);
	end(&t);
}

TEST(all_are_as_many_as_the_driver_shows)
{
	e2e t = begin("cost100_only_direct");
	e2e_against(&t, "--device", "all", "--fixed", "6", "old", "new");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	assert_int_equal(e2e_count(&t, "origins"), 3);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(made_by(&t, i), 2);
	end(&t);
}

/* On device 1 a launch costs ten times as much, so the same 10 ns are 1 %. */
TEST(a_gpu_that_differs_is_named)
{
	e2e t = begin("cost110");
	e2e_env("BA_FAKE_CUDA_1", "launch_ns=900");
	e2e_against(&t, "--device", "0,1", "--fixed", "12", "old", "new");
	assert_status(&t, 1);
	assert_has(t.out, "GPUs: GPU 0, GPU 1 differ in 1 of 1 comparison");
	assert_has(e2e_text(&t, "series.0.comparisons.0.reason"), "only on GPU 0");
	/* the answer names it, too; a speed of a GPU is not a second speed of the benchmark */
	assert_has(t.out, "got slower only on GPU 0, by 10");
	assert_has(t.out, ", and the mean of 2 places moved by +5");
	assert_has(t.out, " regressed in new: slower only on GPU 0: +10");
	assert_null(strstr(t.out, "ran at two speeds"));
	e2e_check_verifies(&t);
	BA_AUTO_FREE char *copy = ba_path_join(t.dir, "to-verify.json");
	e2e_tool(&t, "report", copy, "--format", "summary");
	assert_has(t.out, "got slower only on GPU 0, by 10");
	end(&t);
}

TEST(one_variant_is_measured_on_two)
{
	e2e t = begin("cost110");
	e2e_tool(&t, "run", "--fake-driver", FAKE, "--metrics", "submit", "--device", "0,1",
		"--blocks", "8", "--output", t.json, "new");
	assert_status(&t, 0);
	assert_int_equal(e2e_count(&t, "series.0.samples"), 4);
	assert_int_equal(made_by(&t, 1), 2);
	end(&t);
}

TEST(the_host_target_has_processes_at_one_place)
{
	e2e t = begin("cost110");
	e2e_tool(&t, "--target", "host", "--device", "0,1", "--fixed", "4", "--blocks", "20",
		"--output", t.json, "old", "new");
	assert_true(t.status == 0 || t.status == 1); /* as quiet as the machine is */
	assert_int_equal(e2e_count(&t, "origins"), 2);
	assert_string_equal(e2e_text(&t, "origins.1.name"), "process 1");
	assert_int_equal(e2e_number(&t, "origins.1.place"), 0);
	assert_int_equal(made_by(&t, 1), 2);
	/* the numbers are those of processes, and none of them is missing */
	e2e_tool(&t, "--target", "host", "--device", "9", "--fixed", "2", "--blocks", "20",
		"--output", t.json, "old", "new");
	assert_true(t.status == 0 || t.status == 1);
	end(&t);
}

/* ---- options ---- */

TEST(devices_that_cannot_be_are_refused)
{
	e2e t = begin("cost110");
	static const struct {
		const char *devices, *option, *value, *sentence;
	} rows[] = {
		{"0,0", "--blocks", "8", "0 appears twice"},
		{"0,x", "--blocks", "8",
			"--device '0,x': 'x' is not a GPU number; it takes a number from 0 to 1023, several as in 0,2, or 'all'"},
		{"0,", "--blocks", "8", "--device '0,': a number is missing; it takes"},
		{"", "--blocks", "8", "--device '': a number is missing; it takes"},
		{"-1", "--blocks", "8", "--device '-1': '-1' is not a GPU number"},
		{"1024", "--blocks", "8", "'1024' is not a GPU number"},
		{"all,0", "--blocks", "8", "'all' is not a GPU number"},
		{"0,1", "--cpu", "0", "leave out --cpu"},
		{"0,1", "--untrusted", "--no-history", "--untrusted measures on one GPU"},
		{"0,1", "--fixed", "3", "2 GPUs need at least 4 invocations"},
	};
	for (size_t i = 0; i < BA_COUNT(rows); i++) {
		e2e_against(&t, "--device", rows[i].devices, rows[i].option, rows[i].value, "old",
			"new");
		assert_status(&t, 129);
		assert_has(t.err, rows[i].sentence);
	}
	end(&t);
}
