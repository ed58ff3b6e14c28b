#include "test.h"

#include "gpu/nvml.h"

#define PATH BA_BINARY_DIR "/tests/fakecuda/nvml/libnvidia-ml.so.1"
#define BUS_ID "FAKE:00:00.0"

static ba_nvml open_fake(void)
{
	ba_nvml n;
	ba_error err = {0};
	if (ba_nvml_open(&n, BUS_ID, PATH, &err) < 0)
		fail_msg("%s", err.text);
	return n;
}

TEST(the_state_is_read)
{
	BA_AUTO(ba_nvml) ba_nvml n = open_fake();
	ba_nvml_state s = ba_nvml_read(&n);
	assert_string_equal(s.driver_version, "999.12");
	assert_int_equal(s.cuda_version, 13000);
	assert_string_equal(s.name, "FAKE GPU");
	assert_string_equal(s.uuid, "GPU-fake");
	assert_int_equal(s.sm_clock_mhz, 345);
	assert_int_equal(s.sm_clock_max_mhz, 1980);
	assert_int_equal(s.memory_clock_mhz, 3201);
	assert_close(s.power_watts, 123.456, 1e-12);
	assert_close(s.power_limit_watts, 700, 1e-12);
	assert_int_equal(s.temperature_c, 41);
	assert_int_equal(s.ecc, 1);
	assert_int_equal(s.mig, 0);
	assert_int_equal(s.utilization_percent, 17);
	assert_int_equal(s.persistence, 1);
	assert_string_equal(ba_nvml_virtualization_name(s.virtualization), "passthrough");
}

TEST(this_process_is_not_another)
{
	BA_AUTO(ba_nvml) ba_nvml n = open_fake();
	assert_int_equal(ba_nvml_read(&n).other_processes, 2);
}

TEST(an_older_name_is_found)
{
	BA_AUTO(ba_nvml) ba_nvml n = open_fake();
	assert_int_equal(ba_nvml_read(&n).event_reasons, NV_REASON_SW_POWER_CAP);
}

TEST(a_function_that_is_missing_is_unknown)
{
	BA_AUTO(ba_nvml) ba_nvml n = open_fake();
	assert_null(n.conf_compute);
	assert_int_equal(ba_nvml_read(&n).conf_compute, -1);
}

TEST(what_is_not_supported_is_unknown_and_not_zero)
{
	setenv("BA_FAKE_NVML", "none", 1);
	BA_AUTO(ba_nvml) ba_nvml n = open_fake();
	ba_nvml_state s = ba_nvml_read(&n);
	assert_int_equal(ba_nvml_read_counters(&n).known, 0);
	unsetenv("BA_FAKE_NVML");
	const int fields[] = {s.sm_clock_mhz, s.sm_clock_max_mhz, s.memory_clock_mhz,
		s.temperature_c, s.ecc, s.mig, s.virtualization, s.persistence, s.compute_mode,
		s.utilization_percent, s.other_processes};
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		assert_int_equal(fields[i], -1);
	assert_true(s.power_watts < 0 && s.power_limit_watts < 0);
	assert_string_equal(ba_nvml_virtualization_name(-1), "");
}

static int index_of(uint32_t field)
{
	for (int i = 0; i < BA_NVML_COUNTERS; i++)
		if (ba_nvml_counter_infos[i].field == field)
			return i;
	return -1;
}

TEST(counters_that_moved_are_found)
{
	BA_AUTO(ba_nvml) ba_nvml n = open_fake();
	ba_nvml_counters a = ba_nvml_read_counters(&n), b = ba_nvml_read_counters(&n);
	assert_int_equal(a.known, 0x1ff & ~(1u << index_of(74)));
	assert_int_equal(a.ns[index_of(79)], 5);
	assert_int_equal(ba_nvml_moved(&a, &b, 0), 1u << index_of(269));
	assert_int_equal(ba_nvml_moved(&a, &b, 1000), 0);
	assert_int_equal(ba_nvml_moved(&b, &a, 0), 0);
}

TEST(only_heat_and_lack_of_power_are_harmful)
{
	const uint32_t harmful[] = {75, 269, 270, 271};
	uint32_t mask = 0;
	for (size_t i = 0; i < 4; i++)
		mask |= 1u << index_of(harmful[i]);
	assert_int_equal(ba_nvml_harmful(0x1ff), mask);
}

TEST(a_gpu_it_does_not_know_is_an_error)
{
	ba_nvml n;
	ba_error err = {0};
	assert_int_equal(ba_nvml_open(&n, "0000:99:00.0", PATH, &err), BA_EGPU);
	assert_has(err.text, "NVML knows no GPU at '0000:99:00.0'");
	assert_has(err.text, "Not Found (6)");
}

TEST(no_nvml_and_what_is_none_are_errors)
{
	ba_nvml n;
	ba_error err = {0};
	assert_int_equal(ba_nvml_open(&n, BUS_ID, "/nonexistent.so", &err), BA_EGPU);
	assert_has(err.text, "no NVML: /nonexistent.so");
	assert_int_equal(ba_nvml_open(&n, BUS_ID, "libm.so.6", &err), BA_EGPU);
	assert_has(err.text, "nvmlInit_v2");
}
