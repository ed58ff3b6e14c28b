/* Which benchmarks have metrics of starts, and what the rows say of them. */
#include "test.h"

#include "model/benchmark.h"

TEST(a_process_has_metrics_that_need_no_call)
{
	const ba_benchmark process = {.kind = BA_SUITE_WORKER, .process = true};
	assert_true(ba_benchmark_has_metric(&process, BA_METRIC_IMPORT));
	assert_true(ba_benchmark_has_metric(&process, BA_METRIC_HOST_PEAK));
	assert_false(ba_benchmark_has_metric(&process, BA_METRIC_FIRST_CALL));
	assert_false(ba_benchmark_has_metric(&process, BA_METRIC_SUBMIT));
}

TEST(a_call_has_the_others_whatever_it_declares)
{
	ba_benchmark call = {.kind = BA_SUITE_WORKER, .metrics = 1u << BA_METRIC_SUBMIT};
	assert_true(ba_benchmark_has_metric(&call, BA_METRIC_FIRST_CALL));
	assert_true(ba_benchmark_has_metric(&call, BA_METRIC_SUBMIT));
	assert_false(ba_benchmark_has_metric(&call, BA_METRIC_SIZE));
	assert_false(ba_benchmark_has_metric(&call, BA_METRIC_DEVICE_PEAK));
	call.gpu = true;
	assert_true(ba_benchmark_has_metric(&call, BA_METRIC_DEVICE_PEAK));
	call.kind = BA_SUITE_COMMAND;
	assert_false(ba_benchmark_has_metric(&call, BA_METRIC_FIRST_CALL));
	call.process = true;
	assert_true(ba_benchmark_has_metric(&call, BA_METRIC_FIRST_CALL_CACHED));
	assert_false(ba_benchmark_has_metric(&call, BA_METRIC_IMPORT));
	call.process = false;
	/* these run on a GPU without saying so */
	call.kind = BA_SUITE_LAUNCHER;
	call.gpu = false;
	assert_true(ba_benchmark_has_metric(&call, BA_METRIC_FIRST_CALL));
	assert_true(ba_benchmark_has_metric(&call, BA_METRIC_DEVICE_PEAK));
}

TEST(a_time_of_a_start_is_reported_with_its_processor_time)
{
	for (int m = BA_METRIC_START; m < BA_METRIC_COUNT; m++) {
		const ba_metric_info *info = ba_metric_get((ba_metric)m);
		assert_true(info->starts && info->on_request && !info->untrusted);
		assert_false(ba_metric_is_of_runs((ba_metric)m));
		/* bytes of files and of the device are equal in each process */
		assert_int_equal(ba_metric_repeats((ba_metric)m),
			m == BA_METRIC_SIZE || m == BA_METRIC_DEVICE_PEAK);
		if (info->cpu)
			assert_true(
				ba_text_ends(ba_metric_get((ba_metric)info->cpu)->name, "_cpu"));
	}
}
