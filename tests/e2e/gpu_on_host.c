/* GPU benchmarks of worker suites on the host target: they find its driver, their calls
 * are measured, and nothing is executed. */
#include "e2e.h"

#include "base/mem.h"

#define FAKE_DIR BA_BINARY_DIR "/tests/fakecuda/plain"

/* `launch(n)` launches n kernels; check() would find that they did nothing */
#define PROJECT                                                                 \
	"import ctypes, os\n"                                                   \
	"from bench_against_worker import Case, benchmark\n"                    \
	"lib = ctypes.CDLL('libcuda.so.1')\n"                                   \
	"PTX = b'.version 7.0\\n.target sm_70\\n.address_size 64\\n'"           \
	" b'.visible .entry empty()\\n{ ret; }'\n"                              \
	"def kernel():\n"                                                       \
	"    module, kernel = ctypes.c_void_p(), ctypes.c_void_p()\n"           \
	"    assert not lib.cuModuleLoadData(ctypes.byref(module), PTX)\n"      \
	"    assert not lib.cuModuleGetFunction(ctypes.byref(kernel), module, " \
	"b'empty')\n"                                                           \
	"    return kernel\n"                                                   \
	"def launch(kernel, n):\n"                                              \
	"    for _ in range(n):\n"                                              \
	"        assert not lib.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, "   \
	"None, None, None)\n"
#define LAUNCHES(n)                                                         \
	PROJECT "@benchmark(gpu=True, metrics=['gpu_hot', 'submit'])\n"     \
		"def launches():\n    k = kernel()\n"                       \
		"    return Case(lambda: launch(k, " #n "), check=lambda: " \
		"False)\n"

static e2e begin(void)
{
	e2e t = e2e_begin();
	put(t.repo, ".bench-against.json",
		"{ \"suites\": { \"py\": { \"kind\": \"worker\", \"command\":\n"
		"  [\"python3\", \"-m\", \"bench_against_worker\", \"bench.py\"] } } }\n");
	return t;
}

static void commit(e2e *t, const char *name, const char *benchmarks)
{
	put(t->repo, "bench.py", benchmarks);
	commit_tagged(t->repo, name);
}

#define on_host(t, ...)                                                                           \
	e2e_tool((t), "--target", "host", "--fixed", "4", "--blocks", "4", "--output", (t)->json, \
		__VA_ARGS__)
#define timed(t, ...) on_host((t), "--metrics", "host", __VA_ARGS__)

TEST(launches_of_python_are_compared_without_a_gpu)
{
	e2e t = begin();
	commit(&t, "few", LAUNCHES(2));
	commit(&t, "many", LAUNCHES(12));
	timed(&t, "few", "many");
	assert_string_equal(e2e_text(&t, "series.0.metric"), "host");
	assert_true(e2e_ratio(&t, 1) > 2);
	assert_has(t.out, "the results of 1 GPU benchmark were not checked: the driver "
			  "of the host target executes no kernels");
	assert_null(strstr(t.out, "not measured"));
	e2e_check_verifies(&t);
	e2e_end(&t);
}

TEST(what_has_only_metrics_of_a_gpu_is_left_out_with_a_sentence)
{
	e2e t = begin();
	commit(&t, "old",
		LAUNCHES(2) "@benchmark(gpu=True)\ndef heats():\n"
			    "    raise RuntimeError('never set up here')\n");
	commit(&t, "new",
		LAUNCHES(2) "@benchmark(gpu=True)\ndef heats():\n"
			    "    raise RuntimeError('nor here')\n");
	on_host(&t, "old", "new");
	assert_has(t.out, "not measured: py/heats, because GPU metrics need a GPU; --target host "
			  "measures only benchmarks that have the metric 'submit'");
	for (int i = 0; i < (int)e2e_count(&t, "series"); i++) {
		BA_AUTO_FREE char *of = at("series.%d.benchmark", i);
		assert_close(e2e_number(&t, of), 0, 0); /* py/launches */
	}
	e2e_end(&t);
}

/* a real one would execute, and the times of host and GPU would be mixed up */
TEST(another_driver_is_detected)
{
	e2e t = begin();
	e2e_env("BA_TEST_DRIVER", FAKE_DIR "/libcuda.so.1");
	commit(&t, "good", LAUNCHES(2));
	commit(&t, "late",
		PROJECT "@benchmark(gpu=True, metrics=['submit'])\ndef launches():\n"
			"    ctypes.CDLL(os.environ['BA_TEST_DRIVER'])\n"
			"    return lambda: None\n");
	timed(&t, "good", "late");
	assert_string_equal(e2e_verdict(&t, 1), "failed");
	assert_has(t.out, FAKE_DIR "/libcuda.so.1' was loaded: with --target host a "
				   "program must use the driver of bench-against");
	/* the user's folders come after ours */
	e2e_env("LD_LIBRARY_PATH", FAKE_DIR);
	timed(&t, "good", "good");
	assert_status(&t, 0);
	/* and where a program puts another before it, it is not ours that is found */
	put(t.repo, ".bench-against.json",
		"{ \"suites\": { \"py\": { \"kind\": \"worker\", \"command\":\n"
		"  [\"env\", \"LD_LIBRARY_PATH=" FAKE_DIR "\", \"python3\", \"-m\",\n"
		"   \"bench_against_worker\", \"bench.py\"] } } }\n");
	timed(&t, "good", "late");
	assert_status(&t, 125);
	assert_has(t.err, FAKE_DIR "/libcuda.so.1' was loaded");
	e2e_env("LD_LIBRARY_PATH", NULL);
	e2e_env("BA_TEST_DRIVER", NULL);
	e2e_end(&t);
}

/* As the CUDA runtime does when it starts: it gets no table, and its first call fails. */
TEST(what_needs_the_cuda_runtime_fails_with_a_sentence)
{
	e2e t = begin();
	commit(&t, "good", LAUNCHES(2));
	commit(&t, "runtime",
		PROJECT "@benchmark(gpu=True, metrics=['submit'])\ndef launches():\n"
			"    table, id = ctypes.c_void_p(), bytes.fromhex("
			"'6bd5fb6c5bf4e74a8987d93912fd9df9')\n"
			"    if lib.cuGetExportTable(ctypes.byref(table), id):\n"
			"        raise OSError('cudaErrorNotSupported')\n"
			"    return lambda: None\n");
	timed(&t, "good", "runtime");
	assert_string_equal(e2e_verdict(&t, 1), "failed");
	const char *failure = e2e_text(&t, "series.0.variants.1.failure");
	assert_has(failure, "setup: OSError: cudaErrorNotSupported (bench.py:");
	assert_has(failure, "; the program uses the CUDA runtime (<<<>>>, PyTorch, CuPy), "
			    "which needs private tables of NVIDIA's driver: measure it with "
			    "--target gpu");
	e2e_end(&t);
}
