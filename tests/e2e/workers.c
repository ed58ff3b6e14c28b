/* Suites of kind `worker`: programs of the variants, here in Python and in shell. Time
 * is the fake driver's, so that what a run costs is written in the commit. */
#include "e2e.h"

#include <unistd.h>

#include "base/mem.h"
#include "proc/proc.h"

static int set_up(void **state)
{
	BA_AUTO_FREE char *python = NULL;
	if (ba_proc_find_program(&python, "python3", getenv("PATH"), "/", NULL)) {
		puts("no python3 here");
		exit(77);
	}
	return e2e_set_up(state);
}
TEST_GROUP(set_up, NULL);

#define FAKE BA_BINARY_DIR "/tests/fakecuda/plain/libcuda.so.1"
#define NVML BA_BINARY_DIR "/tests/fakecuda/nvml/libnvidia-ml.so.1"

/* a project: what is started, and the benchmarks */
#define PYTHON "exec python3 -m bench_against_worker bench.py\n"
#define IMPORTS                                                    \
	"import ctypes, os\n"                                      \
	"from bench_against_worker import Case, Skip, benchmark\n" \
	"advance = ctypes.CDLL(os.environ['BA_TEST_DRIVER'])"      \
	".ba_fake_advance_ns\n"                                    \
	"advance.argtypes = [ctypes.c_int64]\n"
#define COSTS(ns)                                                     \
	IMPORTS "@benchmark(axes={'n': [1, 2]})\ndef work(n):\n"      \
		"    return Case(lambda: advance(" #ns "), items=n, " \
		"check=lambda: True)\n"

static e2e begin(void)
{
	e2e t = e2e_begin();
	e2e_env("BA_TEST_DRIVER", FAKE);
	put(t.repo, ".bench-against.json",
		"{ \"suites\": { \"py\": { \"kind\": \"worker\",\n"
		"  \"command\": [\"sh\", \"start.sh\"] } } }\n");
	return t;
}

static void commit(e2e *t, const char *name, const char *start, const char *benchmarks)
{
	put(t->repo, "start.sh", start);
	put(t->repo, "bench.py", benchmarks);
	commit_tagged(t->repo, name);
}

#define alone(t, ...)                                                                      \
	e2e_tool((t), "run", "--fake-driver", FAKE, "--metrics", "submit", "--fixed", "2", \
		"--blocks", "4", "--output", (t)->json, __VA_ARGS__)

/* for sentences: two invocations, each of which starts every program anew */
#define briefly(t, ...)                                                                         \
	e2e_tool((t), "--fake-driver", FAKE, "--metrics", "submit", "--fixed", "2", "--blocks", \
		"2", "--seed", "7", "--output", (t)->json, __VA_ARGS__)

#define against(t, ...)                                                                         \
	e2e_tool((t), "--fake-driver", FAKE, "--metrics", "submit", "--fixed", "4", "--blocks", \
		"4", "--seed", "7", "--output", (t)->json, __VA_ARGS__)

TEST(what_a_run_costs_is_what_is_compared)
{
	e2e t = begin();
	commit(&t, "old", PYTHON, COSTS(10000));
	commit(&t, "same", PYTHON, COSTS(10000) "# another comment\n");
	commit(&t, "slow", PYTHON, COSTS(11000));
	against(&t, "old", "same", "slow");
	assert_status(&t, 1);
	assert_string_equal(e2e_text(&t, "engine"), "split");
	assert_string_equal(e2e_text(&t, "benchmarks.0.id"), "py/work/n=1");
	assert_string_equal(e2e_text(&t, "benchmarks.1.id"), "py/work/n=2");
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	assert_string_equal(e2e_verdict(&t, 2), "regressed");
	assert_close(e2e_ratio(&t, 2), 1.1, 1e-9);
	assert_close(e2e_number(&t, "series.0.variants.0.mean_ns"), 10000, 1e-9);
	/* what ran: the file of the tree, with its digest */
	assert_string_equal(e2e_text(&t, "variants.0.artefacts.0.path"), "bench.py");
	e2e_check_verifies(&t);
	/* the same commit twice is the same code */
	briefly(&t, "old", "old");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "identical");
	e2e_tool(&t, "list", "old");
	assert_string_equal(t.out, "py/work/n=1\npy/work/n=2\n");
	e2e_end(&t);
}

TEST(a_benchmark_that_only_one_has_is_added_or_removed)
{
	e2e t = begin();
	commit(&t, "old", PYTHON, COSTS(100));
	commit(&t, "new", PYTHON,
		COSTS(100) "@benchmark\ndef more():\n    return lambda: advance(50)\n"
			   "@benchmark\ndef never():\n    raise Skip('no such "
			   "luck')\n");
	briefly(&t, "old", "new");
	assert_status(&t, 0);
	assert_string_equal(e2e_text(&t, "benchmarks.2.id"), "py/more");
	assert_string_equal(e2e_text(&t, "series.2.comparisons.0.verdict"), "added");
	assert_has(t.out, "no such luck");
	briefly(&t, "new", "old");
	assert_string_equal(e2e_text(&t, "series.2.comparisons.0.verdict"), "removed");
	e2e_end(&t);
}

/* ---- in rotation ---- */

#define rotating(t, ...) against((t), "--rotation", "3", __VA_ARGS__)

static double began(const e2e *t, unsigned invocation)
{
	BA_AUTO_FREE char *path = ba_xprintf("series.0.samples.%u.started_ns", invocation);
	return e2e_number(t, path);
}

TEST(invocations_in_rotation_give_what_they_give_one_by_one)
{
	e2e t = begin();
	commit(&t, "old", PYTHON, COSTS(10000));
	commit(&t, "slow", PYTHON, COSTS(11000));
	e2e_tool(&t, "--fake-driver", FAKE, "--metrics", "submit", "--max-invocations", "8",
		"--blocks", "4", "--output", t.json, "--rotation", "3", "old", "slow");
	assert_status(&t, 1);
	assert_close(e2e_ratio(&t, 1), 1.1, 1e-9);
	for (unsigned i = 0; i < 4; i++) {
		BA_AUTO_FREE char *path = ba_xprintf("series.0.samples.%u.invocation", i);
		assert_close(e2e_number(&t, path), i, 0);
	}
	/* the second benchmark of an invocation comes after the first of the others */
	double first[3], second[3];
	for (unsigned i = 0; i < 3; i++) {
		double a = began(&t, i + 1);
		BA_AUTO_FREE char *path = ba_xprintf("series.1.samples.%u.started_ns", i + 1);
		double b = e2e_number(&t, path);
		first[i] = a < b ? a : b;
		second[i] = a < b ? b : a;
	}
	for (unsigned i = 0; i < 9; i++)
		assert_true(first[i / 3] < second[i % 3]);
	/* no look comes within a round of three */
	assert_close(e2e_number(&t, "decision.looks.0"), 4, 0);
	assert_close(e2e_number(&t, "decision.looks.1"), 8, 0);
	e2e_check_verifies(&t);
	/* by itself, each invocation ends before the next one begins */
	against(&t, "--rotation", "1", "old", "slow");
	assert_status(&t, 1);
	for (unsigned i = 0; i < 3; i++) {
		BA_AUTO_FREE char *path = ba_xprintf("series.1.samples.%u.started_ns", i);
		double b = e2e_number(&t, path);
		assert_true(began(&t, i) < began(&t, i + 1) && b < began(&t, i + 1));
	}
	e2e_end(&t);
}

/* In its third process and later: the survey and the first invocation have two. */
#define DIES_LATER                                                    \
	IMPORTS "path = os.path.join(os.environ['HOME'], 'starts')\n" \
		"open(path, 'a').write('x')\n"                        \
		"late = os.path.getsize(path) > 3\n"                  \
		"@benchmark(axes={'n': [1, 2]})\n"                    \
		"def work(n):\n"                                      \
		"    if late and n == 2: os._exit(9)\n"               \
		"    return Case(lambda: advance(10000), items=n, check=lambda: True)\n"

TEST(one_that_dies_in_rotation_costs_nobody_else)
{
	e2e t = begin();
	commit(&t, "old", PYTHON, COSTS(10000));
	commit(&t, "dies", PYTHON, DIES_LATER);
	commit(&t, "slow", PYTHON, COSTS(11000));
	rotating(&t, "old", "dies", "slow");
	assert_status(&t, 1);
	assert_has(e2e_text(&t, "series.1.variants.1.failure"), "exited with status 9");
	assert_string_equal(e2e_text(&t, "series.0.comparisons.0.verdict"), "unchanged");
	assert_string_equal(e2e_text(&t, "series.0.comparisons.1.verdict"), "regressed");
	assert_string_equal(e2e_text(&t, "series.1.comparisons.1.verdict"), "regressed");
	assert_close(e2e_number(&t, "series.1.comparisons.1.invocations"), 4, 0);
	e2e_check_verifies(&t);
	e2e_end(&t);
}

/* ---- bad input ---- */

typedef struct misdeed {
	const char *name, *start, *benchmarks;
	const char *sentence; /* in the failure of the candidate */
	const char *output;   /* in its last output, or NULL */
} misdeed;

#define SAY(text) "echo '" text "' >&$BENCH_AGAINST_REPLIES\n"
#define HELLO                                                                         \
	"read line <&$BENCH_AGAINST_REQUESTS\n" SAY(                                  \
		"{\"t\":\"hello\",\"protocol\":\"bench-against.worker\",\"version\":" \
		"1}") "read line <&$BENCH_AGAINST_REQUESTS\n" SAY("{\"t\":"           \
								  "\"opened\"}")
#define ASKED "read line <&$BENCH_AGAINST_REQUESTS\n"
#define BENCHMARK(name, axes, counts, values)                                                 \
	SAY("{\"t\":\"benchmark\",\"name\":\"" name "\",\"axes\":[" axes "],\"kinds\":[" axes \
	    "],\"value_counts\":[" counts "],\"values\":[" values "],\"modes\":[\"submit\"]}")
#define LISTS(benchmarks)                                             \
	HELLO "read line <&$BENCH_AGAINST_REQUESTS\n" benchmarks SAY( \
		"{\"t\":\"listed\"}") "cat <&$BENCH_AGAINST_REQUESTS\n"

static const misdeed misdeeds[] = {
	{"version",
		SAY("{\"t\":\"hello\",\"protocol\":\"bench-against.worker\","
		    "\"version\":2}") "sleep 600",
		"", "speaks 'bench-against.worker' 2; this tool speaks", NULL},
	{"garbage", "echo here comes trouble\n" HELLO ASKED SAY("\033]0;gotcha\a") "sleep 600", "",
		"it wrote a message that cannot be read", "here comes trouble"},
	{"half a line", HELLO ASKED "printf '{\"t\":\"li' >&$BENCH_AGAINST_REPLIES\nexit 0", "",
		"ended in the middle of a line", NULL},
	{"a line without end",
		HELLO "head -c 1000000000 /dev/zero | tr '\\0' x "
		      ">&$BENCH_AGAINST_REPLIES",
		"", "wrote a line of more than 4194304 bytes", NULL},
	{"exits early", "echo cannot find my hat >&2; exit 4", "",
		"exited with status 4 before it answered 'hello'", "cannot find my hat"},
	{"no program", "exec ./no-such-program", "", "exited with status 127", NULL},
	{"hangs", HELLO "sleep 600", "", "made no progress for 6 s before it answered 'list'",
		NULL},
	{"one name twice", LISTS(BENCHMARK("a", "", "", "") BENCHMARK("a", "", "", "")), "",
		"two benchmarks are called 'a'", NULL},
	{"no values", LISTS(BENCHMARK("a", "\"n\"", "0", "")), "", "axis 'n' has no values", NULL},
	{"a bad name", LISTS(BENCHMARK("\\u001b[31mred", "", "", "")), "",
		"is not a name for a benchmark", NULL},
	{"lists that do not fit", LISTS(BENCHMARK("a", "\"n\"", "3", "\"1\"")), "",
		"fewer values than value_counts says", NULL},
	{"one name twice in Python", PYTHON,
		COSTS(100) "@benchmark(name='work')\ndef again(): pass\n",
		"two benchmarks are called 'work': ", NULL},
	{"no values in Python", PYTHON,
		COSTS(100) "@benchmark(axes={'m': []})\ndef none(m): pass\n",
		"axis 'm' has no values", NULL},
	{"an exception while loading", PYTHON, "import no_such_module\n",
		"cannot be loaded: ModuleNotFoundError: No module named "
		"'no_such_module' (bench.py:1)",
		"ModuleNotFoundError"},
	{"an exception in setup", PYTHON,
		IMPORTS "@benchmark(axes={'n': [1, 2]})\ndef work(n):\n"
			"    return {}['key']\n",
		"setup: KeyError: 'key' (bench.py:7)", "KeyError"},
	{"an exception in run", PYTHON,
		IMPORTS "@benchmark(axes={'n': [1, 2]})\ndef work(n):\n"
			"    todo = list(range(300))\n    return lambda: "
			"todo.pop()\n",
		"run(): IndexError: pop from empty list (bench.py:8)", NULL},
	{"a wrong answer", PYTHON,
		IMPORTS "@benchmark(axes={'n': [1, 2]})\ndef work(n):\n"
			"    def check():\n        assert n > 2, f'{n} is no good'\n"
			"    return Case(lambda: advance(1), check=check)\n",
		"wrong answer: 1 is no good", NULL},
	{"a crash in the middle", PYTHON,
		IMPORTS "@benchmark(axes={'n': [1, 2]})\ndef work(n):\n"
			"    todo = list(range(300))\n"
			"    return lambda: todo.pop() or os.kill(os.getpid(), 11)\n",
		"killed by signal 11 (SIGSEGV) before it answered 'measure'", NULL},
};

TEST(each_misdeed_is_told_of_its_variant)
{
	e2e t = begin();
	commit(&t, "good", PYTHON, COSTS(100));
	for (size_t i = 0; i < sizeof(misdeeds) / sizeof(misdeeds[0]); i++) {
		const misdeed *m = &misdeeds[i];
		BA_AUTO_FREE char *tag = at("bad%zu", i);
		print_message("           %s\n", m->name);
		commit(&t, tag, m->start, m->benchmarks);
		/* long enough for a Python to start on a machine that is busy */
		const char *patience = strcmp(m->name, "hangs") == 0 ? "6s" : "60s";
		briefly(&t, "--filter", "*n=1", "--hang-after", patience, "good", tag);
		assert_status(&t, 125);
		assert_string_equal(e2e_verdict(&t, 1), "failed");
		assert_has(e2e_failure(&t, 1), m->sentence);
		assert_string_equal(e2e_failure(&t, 0), "");
		if (m->output)
			assert_has(e2e_text(&t, "series.0.variants.1.output"), m->output);
		assert_null(strchr(t.out, '\033'));
		assert_null(strchr(t.err, '\033'));
	}
	e2e_end(&t);
}

TEST(one_that_fails_costs_nobody_else)
{
	e2e t = begin();
	commit(&t, "good", PYTHON, COSTS(10000));
	commit(&t, "bad", PYTHON, "import sys\nsys.exit('not today')\n");
	commit(&t, "slow", PYTHON, COSTS(11000));
	against(&t, "good", "bad", "slow");
	assert_status(&t, 1);
	assert_string_equal(e2e_verdict(&t, 1), "failed");
	assert_has(e2e_failure(&t, 1), "SystemExit: not today");
	assert_string_equal(e2e_verdict(&t, 2), "regressed");
	/* where nobody is left there is no answer */
	briefly(&t, "bad", "bad");
	assert_status(&t, 125);
	assert_has(t.err, "not today");
	e2e_end(&t);
}

/* Its news are limited, as is what is kept of a sentence: the others are measured. */
TEST(one_that_floods_the_host_costs_nobody_else)
{
	e2e t = begin();
	commit(&t, "good", PYTHON, COSTS(10000));
	commit(&t, "flood", PYTHON,
		IMPORTS "from bench_against_worker.channel import Channel\n"
			"send = Channel.send\n"
			"def flood(self, type_, **members):\n"
			"    for i in range(9999 if type_ == 'listed' else 0):\n"
			"        send(self, 'note', text='x' * 4000000)\n"
			"    send(self, type_, **members)\n"
			"Channel.send = flood\n"
			"@benchmark(axes={'n': [1, 2]})\ndef work(n):\n"
			"    return lambda: advance(10000)\n");
	commit(&t, "wordy", PYTHON,
		IMPORTS "@benchmark(axes={'n': [1, 2]})\ndef work(n):\n"
			"    raise ValueError('x' * 3000000)\n");
	commit(&t, "slow", PYTHON, COSTS(11000));
	against(&t, "good", "flood", "wordy", "slow");
	assert_status(&t, 1);
	assert_string_equal(e2e_verdict(&t, 1), "failed");
	assert_has(e2e_failure(&t, 1), "wrote more than 16 MiB before it answered 'list'");
	assert_string_equal(e2e_verdict(&t, 2), "failed");
	assert_true(strlen(e2e_failure(&t, 2)) < 2100);
	assert_string_equal(e2e_verdict(&t, 3), "regressed");
	e2e_end(&t);
}

/* -E ignores PYTHONPATH, and the tree comes first in sys.path */
TEST(another_version_of_the_module_is_reported)
{
	e2e t = begin();
	commit(&t, "own", PYTHON, COSTS(100));
	BA_AUTO_FREE char *copy =
		ba_xprintf("cp -r '%s/python/bench_against_worker' '%s'", BA_SOURCE_DIR, t.repo);
	assert_int_equal(system(copy), 0);
	alone(&t, "WORKTREE");
	assert_status(&t, 0);
	assert_null(strstr(t.err, "installed bench_against_worker"));
	BA_AUTO_FREE char *older = ba_xprintf(
		"sed -i 's/^__version__ = .*/__version__ = \"0.0.9\"/' '%s/bench_against_worker/__init__.py'",
		t.repo);
	assert_int_equal(system(older), 0);
	put(t.repo, "start.sh", "exec python3 -E -m bench_against_worker bench.py\n");
	commit_all(t.repo, "older");
	alone(&t, "HEAD");
	assert_status(&t, 0);
	assert_has(t.err,
		"HEAD: its benchmarks run with an installed bench_against_worker 0.0.9; this tool has");
	e2e_end(&t);
}

TEST(standard_output_is_the_projects_own)
{
	e2e t = begin();
	commit(&t, "good", PYTHON, COSTS(10000));
	commit(&t, "loud", PYTHON,
		COSTS(10000) "print('nobody asked for this' * 100000)\n"
			     "os.write(1, b'{\"t\":\"measured\",\"ns\":[1]}\\n')\n");
	against(&t, "good", "loud");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	assert_null(strstr(t.out, "nobody asked"));
	e2e_end(&t);
}

/* A kernel on the fake GPU takes 900 ns there; `setup` is the benchmark's function, in
 * which launch(n) launches n of them. */
#define ON_GPU(setup)                                                           \
	"import ctypes, os\n"                                                   \
	"from bench_against_worker import Case, benchmark\n"                    \
	"lib = ctypes.CDLL(os.environ['BA_TEST_DRIVER'])\n"                     \
	"PTX = b'.version 7.0\\n.target sm_70\\n.address_size 64\\n'"           \
	" b'.visible .entry empty()\\n{ ret; }'\n"                              \
	"def kernel():\n"                                                       \
	"    module, kernel = ctypes.c_void_p(), ctypes.c_void_p()\n"           \
	"    assert not lib.cuModuleLoadData(ctypes.byref(module), PTX)\n"      \
	"    assert not lib.cuModuleGetFunction(ctypes.byref(kernel), module, " \
	"b'empty'"                                                              \
	")\n"                                                                   \
	"    return kernel\n"                                                   \
	"def launch(kernel, n):\n"                                              \
	"    for _ in range(n):\n"                                              \
	"        lib.cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, None, None, "  \
	"None)\n" setup
#define KERNELS(launches)                                                           \
	ON_GPU("@benchmark(gpu=True)\ndef empty():\n    k = kernel()\n"             \
	       "    return Case(lambda: launch(k, " #launches "), bytes_read=1e6, " \
	       "flop=2e6)\n")
#define GPU_SCRIPT                                                                   \
	"launch_ns=100;drain_ns=900;clock_ns=0;call_ns=10;event_tick_ns=1;mhz=1500;" \
	"ramp_ms=0"

#define on_gpu(t, ...)                                                                    \
	e2e_tool((t), "--fake-driver", FAKE, "--fixed", "4", "--blocks", "4", "--output", \
		(t)->json, __VA_ARGS__)

TEST(gpu_time_is_that_of_the_kernels)
{
	e2e t = begin();
	e2e_env("BA_FAKE_CUDA", GPU_SCRIPT);
	commit(&t, "once", PYTHON, KERNELS(1));
	commit(&t, "twice", PYTHON, KERNELS(2));
	on_gpu(&t, "once", "twice");
	assert_status(&t, 1);
	assert_int_equal(e2e_count(&t, "series"), 4);
	assert_string_equal(e2e_text(&t, "series.0.metric"), "gpu_cold");
	assert_string_equal(e2e_verdict(&t, 1), "regressed");
	assert_true(e2e_ratio(&t, 1) > 1.5);
	double cold_ns = e2e_number(&t, "series.0.variants.0.mean_ns");
	assert_true(cold_ns >= 900 && cold_ns < 1500);
	assert_close(e2e_number(&t, "benchmarks.0.flop"), 2e6, 1);
	assert_true(e2e_number(&t, "environment.event_tick_ns") > 0);
	/* the device's own clock, at each visit */
	assert_close(e2e_number(&t, "series.0.samples.0.khz.0"), 1.5e6, 3e3);
	assert_close(e2e_number(&t, "series.0.variants.1.sm_mhz"), 1500, 3);
	/* this one is not the driver of the host target, however it was found */
	e2e_tool(&t, "--target", "host", "once", "twice");
	assert_status(&t, 125);
	assert_has(t.err, "/tests/fakecuda/plain/libcuda.so.1' was loaded: with "
			  "--target host a program must use the driver of");
	e2e_end(&t);
}

/* the counters are the host's to read, whatever language the worker is written in */
TEST(blocks_at_a_lower_clock_are_measured_again_by_all_programs)
{
	e2e t = begin();
	e2e_env("BA_FAKE_CUDA", GPU_SCRIPT);
	e2e_env("BA_FAKE_NVML_LIBRARY", NVML);
	/* read twice at the beginning, then after each of the four blocks */
	e2e_env("BA_FAKE_NVML", "throttle=4-5");
	commit(&t, "once", PYTHON, KERNELS(1));
	commit(&t, "twice", PYTHON, KERNELS(2));
	on_gpu(&t, "--metrics", "gpu_cold", "once", "twice");
	assert_status(&t, 1);
	for (int i = 0; i < 4; i++) {
		BA_AUTO_FREE char *repeated = at("series.0.samples.%d.repeated", i);
		assert_close(e2e_number(&t, repeated), 2, 0);
	}
	assert_int_equal(e2e_count(&t, "series.0.samples.0.clock_events"), 4);
	assert_true(e2e_ratio(&t, 1) > 1.5);
	/* and where it does not end, neither does this */
	e2e_env("BA_FAKE_NVML", "throttle=1-1000000");
	on_gpu(&t, "--metrics", "gpu_cold", "once", "twice");
	assert_status(&t, 125);
	assert_has(t.err, "something holds the GPU's clock down (hardware thermal)");
	e2e_env("BA_FAKE_NVML_LIBRARY", NULL);
	e2e_env("BA_FAKE_NVML", NULL);
	e2e_end(&t);
}

TEST(inputs_rotate_where_there_are_several_sets_of_them)
{
	e2e t = begin();
	e2e_env("BA_FAKE_CUDA", GPU_SCRIPT);
	/* 50 MB of L2 cache and 100 MB a run: as many sets as it takes to forget one,
	 * the last of which has twice the work */
	commit(&t, "sets", PYTHON,
		ON_GPU("import functools\n"
		       "@benchmark(gpu=True)\ndef rotates(sets):\n    k = kernel()\n"
		       "    return Case([functools.partial(launch, k, 2 if i else 1)\n"
		       "                 for i in range(sets)], bytes_read=100e6)\n"
		       "@benchmark(gpu=True)\ndef stays():\n    k = kernel()\n"
		       "    return lambda: launch(k, 1)\n"));
	e2e_tool(&t, "run", "--fake-driver", FAKE, "--fixed", "2", "--blocks", "4", "--metrics",
		"gpu_hot,gpu_rotate", "--output", t.json, "sets");
	assert_status(&t, 0);
	assert_int_equal(e2e_count(&t, "series"), 3);
	assert_string_equal(e2e_text(&t, "series.1.metric"), "gpu_rotate");
	double hot = e2e_number(&t, "series.0.variants.0.mean_ns");
	double rotating = e2e_number(&t, "series.1.variants.0.mean_ns");
	/* one run of three or four has one launch, the others two */
	assert_true(rotating > 1.5 * hot && rotating < 2 * hot);
	assert_has(t.out, "gpu_rotate was not measured of py/stays: it works on one set");
	e2e_end(&t);
}

/* a worker from before there was a flush to be asked for */
static const char old_worker[] =
	"import json, os\n"
	"requests = os.fdopen(int(os.environ['BENCH_AGAINST_REQUESTS']))\n"
	"replies = os.fdopen(int(os.environ['BENCH_AGAINST_REPLIES']), 'w')\n"
	"def say(kind, **members):\n"
	"    print(json.dumps({'t': kind, **members}), file=replies, flush=True)\n"
	"for line in requests:\n"
	"    asked = json.loads(line)\n"
	"    if asked['t'] == 'hello':\n"
	"        say('hello', protocol='bench-against.worker', version=1)\n"
	"    elif asked['t'] == 'open':\n"
	"        say('opened')\n"
	"    elif asked['t'] == 'list':\n"
	"        say('benchmark', name='empty', axes=[], kinds=[], value_counts=[],\n"
	"            values=[], points=[], modes=['gpu_cold'])\n"
	"        say('listed')\n"
	"    elif asked['t'] == 'prepare':\n"
	"        say('prepared', present=[1])\n"
	"    elif asked['t'] == 'measure':\n"
	"        say('measured', ns=[900 * asked['batch']] * asked['readings'])\n"
	"    else:\n"
	"        say(asked['t'] + 'd')\n";

TEST(a_worker_that_cannot_flush_as_asked_has_failed)
{
	e2e t = begin();
	e2e_env("BA_FAKE_CUDA", GPU_SCRIPT);
	commit(&t, "once", PYTHON, KERNELS(1));
	commit(&t, "old", "exec python3 bench.py\n", old_worker);
	on_gpu(&t, "--metrics", "gpu_cold", "--filter", "*empty", "once", "old");
	assert_string_equal(e2e_failure(&t, 1), "");
	on_gpu(&t, "--metrics", "gpu_cold", "--filter", "*empty", "--flush", "write", "once",
		"old");
	assert_status(&t, 125);
	assert_has(
		e2e_failure(&t, 1), "its worker cannot flush the L2 cache as --flush write asks");
	assert_string_equal(e2e_failure(&t, 0), "");
	assert_string_equal(e2e_text(&t, "environment.flush"), "write");
	e2e_end(&t);
}

/* of the files that the command names; what else is benchmark code nobody says */
TEST(benchmark_code_that_differs_is_told)
{
	e2e t = begin();
#define STARTS(more)                                                       \
	"{ \"suites\": { \"py\": { \"kind\": \"worker\",\n  \"command\": " \
	"[\"python3\", "                                                   \
	"\"-m\", \"bench_against_worker\", \"./bench.py\"] } }" more " }\n"
	put(t.repo, ".bench-against.json", STARTS(""));
	commit(&t, "old", PYTHON, COSTS(10000));
	commit(&t, "same", "# not what is run\n", COSTS(10000));
	commit(&t, "new", PYTHON, COSTS(10000) "# another comment\n");
	briefly(&t, "old", "same", "new");
	assert_status(&t, 0);
	assert_has(t.out, "benchmark sources differ: bench.py, which suite 'py' runs");
	assert_has(t.out, "in new as in old");
	briefly(&t, "old", "same");
	assert_null(strstr(t.out, "sources differ"));
	put(t.repo, ".bench-against.json",
		STARTS(", \"overlay\": {\"from\": \"baseline\", \"paths\": "
		       "[\"bench.py\"]}"));
	commit(&t, "over", PYTHON, COSTS(10000) "# and another\n");
	briefly(&t, "--config-from", "over", "old", "over");
	assert_status(&t, 0);
	assert_has(t.out, "bench.py of over is taken from old (overlay)");
	assert_null(strstr(t.out, "which suite"));
	e2e_end(&t);
}

/* what the options and the configuration of a plugin suite say, said to a worker */
TEST(axes_and_warm_up_are_those_asked_for)
{
	e2e t = begin();
	static const char benchmarks[] = IMPORTS "@benchmark(axes={'n': [10, 20]})\n"
						 "def work(n):\n"
						 "    count = [0]\n"
						 "    def run():\n"
						 "        count[0] += 1\n"
						 "        if count[0] > 2000:\n"
						 "            raise RuntimeError('too often')\n"
						 "        advance(100000 * n)\n"
						 "    return run\n";
	commit(&t, "old", PYTHON, benchmarks);
	alone(&t, "--axis", "n=3", "old");
	assert_status(&t, 0);
	assert_string_equal(e2e_text(&t, "series.0.id"), "py/work/n=3");
	alone(&t, "--axis", "n=3", "--warm-up", "4000", "old");
	assert_status(&t, 125);
	assert_has(t.out, "too often");
	put(t.repo, ".bench-against.json",
		"{ \"suites\": { \"py\": { \"kind\": \"worker\", \"axes\": {\"n\": "
		"[5]},\n  \"warm_up\": 4000, \"command\": [\"sh\", \"start.sh\"] } } "
		"}\n");
	commit(&t, "new", PYTHON, benchmarks);
	alone(&t, "--warm-up", "1", "new");
	assert_status(&t, 0);
	assert_string_equal(e2e_text(&t, "series.0.id"), "py/work/n=5");
	alone(&t, "new");
	assert_status(&t, 125);
	assert_has(t.out, "too often");
	e2e_end(&t);
}

TEST(a_folder_of_the_modules_name_does_not_replace_the_module)
{
	e2e t = begin();
	put(t.repo, "bench_against_worker/__init__.py", "raise SystemExit(3)\n");
	put(t.repo, "bench_against_worker/__main__.py", "raise SystemExit(4)\n");
	/* the tree's own is run as well, and its top is where modules are found */
	put(t.repo, "sitecustomize.py", "import builtins\nbuiltins.COST = 10000\n");
	put(t.repo, "helper.py", "import bench_against_worker.registry\n");
	commit(&t, "old", PYTHON,
		IMPORTS "import helper\n@benchmark\ndef work():\n"
			"    return lambda: advance(COST)\n");
	alone(&t, "old");
	assert_status(&t, 0);
	assert_string_equal(e2e_text(&t, "series.0.id"), "py/work");
	e2e_end(&t);
}

TEST(an_installed_copy_of_the_project_is_not_measured)
{
	e2e t = begin();
	BA_AUTO_FREE char *site = at("%s/site-packages", t.dir);
	BA_AUTO_FREE char *bench = at(IMPORTS "import sys\nsys.path.append('%s')\nimport shapes\n"
					      "@benchmark\ndef work():\n"
					      "    return lambda: advance(shapes.COST)\n",
		site);
	put(site, "shapes/__init__.py", "COST = 10000\n");
	put(t.repo, "src/shapes/__init__.py", "COST = 10000\n");
	commit(&t, "old", PYTHON, bench);
	put(t.repo, "src/shapes/__init__.py", "COST = 20000\n");
	commit(&t, "new", PYTHON, bench);
	briefly(&t, "old", "new");
	assert_status(&t, 125);
	assert_has(t.err, "although this tree has a 'shapes' of its own");
	e2e_end(&t);
}

TEST(any_character_may_stand_in_a_name)
{
	e2e t = begin();
	commit(&t, "rocket", PYTHON,
		IMPORTS "@benchmark(axes={'s': ['\\U0001F680']})\ndef work(s):\n"
			"    return lambda: advance(10000)\n");
	commit(&t, "half", PYTHON,
		IMPORTS "@benchmark(axes={'s': ['\\ud83d']})\ndef work(s):\n"
			"    return lambda: advance(10000)\n");
	alone(&t, "rocket");
	assert_status(&t, 0);
	assert_string_equal(e2e_text(&t, "series.0.id"), "py/work/s=\xf0\x9f\x9a\x80");
	alone(&t, "half");
	assert_status(&t, 125);
	assert_has(t.err, "half of a surrogate pair, which is not a character");
	e2e_end(&t);
}

TEST(each_variant_has_its_own_modules_and_caches)
{
	e2e t = begin();
	static const char benchmarks[] =
		IMPORTS "from helper import COST\n"
			"caches = [os.environ[n] for n in ('NUMBA_CACHE_DIR', "
			"'TRITON_CACHE_DIR', 'CUDA_CACHE_PATH')]\n"
			"assert len(set(caches)) == 3 and all(map(os.path.isdir, caches))\n"
			"mark = os.path.join(caches[0], 'mark')\n"
			"if os.path.exists(mark):\n    assert open(mark).read() == str(COST)\n"
			"open(mark, 'w').write(str(COST))\n"
			"@benchmark\ndef work():\n    return lambda: advance(COST)\n";
	/* the user's own copy is on the path, too, and is none of the variants' */
	put(t.repo, ".gitignore", "/src/\n");
	put(t.repo, ".bench-against.json",
		"{ \"suites\": { \"py\": { \"kind\": \"worker\", \"pythonpath\": "
		"[\"lib\"],\n  \"command\": [\"sh\", \"start.sh\"] } } }\n");
	put(t.repo, "lib/helper.py", "COST = 10000\n");
	commit(&t, "old", PYTHON, benchmarks);
	put(t.repo, "lib/helper.py", "COST = 12000\n");
	commit(&t, "new", PYTHON, benchmarks);
	put(t.repo, "src/helper.py", "COST = 7\n");
	BA_AUTO_FREE char *path = at("%s/src", t.repo);
	e2e_env("PYTHONPATH", path);
	e2e_env("NUMBA_CACHE_DIR", "/nowhere");
	against(&t, "old", "new");
	assert_status(&t, 1);
	assert_close(e2e_ratio(&t, 1), 1.2, 1e-9);
	assert_string_equal(e2e_text(&t, "variants.1.artefacts.1.path"), "lib/helper.py");
	/* a tree that reaches for the user's files says nothing of itself */
	BA_AUTO_FREE char *thief =
		at("import sys\nsys.path.insert(0, '%s/src')\n%s", t.repo, benchmarks);
	commit(&t, "thief", PYTHON, thief);
	briefly(&t, "new", "thief");
	assert_status(&t, 125);
	assert_has(e2e_failure(&t, 1), "src/helper.py' was loaded, which is not of the tree");
	e2e_end(&t);
}

/* A worker in C, whose cost is in a library. LOAD: what else it loads, when a benchmark
 * is prepared. */
static const char c_worker[] =
	"#include <dlfcn.h>\n#include <glob.h>\n#include <stdio.h>\n"
	"#include <stdlib.h>\n#include <string.h>\nint cost(void);\n"
	"static FILE *file(const char *name, const char *mode)\n"
	"{ return fdopen(atoi(getenv(name)), mode); }\n"
	"int main(void)\n{\n"
	"    static char line[1 << 16];\n"
	"    FILE *in = file(\"BENCH_AGAINST_REQUESTS\", \"r\");\n"
	"    FILE *out = file(\"BENCH_AGAINST_REPLIES\", \"w\");\n"
	"    setvbuf(out, 0, _IOLBF, 0);\n"
	"    while (fgets(line, sizeof(line), in)) {\n"
	"        char *type = strstr(line, \"\\\"t\\\":\\\"\") + 5;\n"
	"#define IS(name) !strncmp(type, name, strlen(name))\n"
	"#define SAY(text) fputs(text \"\\n\", out)\n"
	"        if (IS(\"hello\"))\n"
	"            SAY(\"{\\\"t\\\":\\\"hello\\\",\\\"protocol\\\":"
	"\\\"bench-against.worker\\\",\\\"version\\\":1}\");\n"
	"        else if (IS(\"open\"))\n"
	"            SAY(\"{\\\"t\\\":\\\"opened\\\"}\");\n"
	"        else if (IS(\"list\"))\n"
	"            SAY(\"{\\\"t\\\":\\\"benchmark\\\",\\\"name\\\":\\\"work\\\","
	"\\\"axes\\\":[],\\\"kinds\\\":[],\\\"value_counts\\\":[],\\\"values\\\":[],"
	"\\\"modes\\\":[\\\"submit\\\"]}\\n{\\\"t\\\":\\\"listed\\\"}\");\n"
	"        else if (IS(\"prepare\")) {\n"
	"#ifdef LOAD\n"
	"            glob_t all;\n"
	"            glob(LOAD, 0, 0, &all);\n"
	"            for (size_t i = 0; i < all.gl_pathc; i++)\n"
	"                dlopen(all.gl_pathv[i], RTLD_NOW);\n"
	"#endif\n"
	"            SAY(\"{\\\"t\\\":\\\"prepared\\\",\\\"present\\\":[1]}\");\n"
	"        } else if (IS(\"measure\")) {\n"
	"            long n = atol(strstr(line, \"readings\\\":\") + 10);\n"
	"            long batch = atol(strstr(line, \"batch\\\":\") + 7);\n"
	"            fprintf(out, \"{\\\"t\\\":\\\"measured\\\",\\\"ns\\\":[\");\n"
	"            while (n-- > 0)\n"
	"                fprintf(out, \"%ld%s\", cost() * batch, n ? \",\" : \"]}\\n\");\n"
	"        } else\n"
	"            fprintf(out, \"{\\\"t\\\":\\\"%s\\\"}\\n\", IS(\"close\") ? "
	"\"closed\" : \"released\");\n"
	"    }\n    return 0;\n}\n";

static void commit_c(e2e *t, const char *name, int cost, const char *flags)
{
	BA_AUTO_FREE char *library = at("int cost(void) { return %d; }\n", cost);
	BA_AUTO_FREE char *build = at("cc -shared -fPIC -o libcost.so cost.c && "
				      "cc worker.c -o worker -L. -lcost -ldl %s\n",
		flags);
	put(t->repo, "cost.c", library);
	put(t->repo, "worker.c", c_worker);
	put(t->repo, "build.sh", build);
	commit_tagged(t->repo, name);
}

#define OWN "-Wl,-rpath,'$ORIGIN'"

/* By RPATH, by an absolute path, and from the tree of another variant. */
TEST(a_worker_in_c_that_loads_code_of_another_tree_has_failed)
{
	e2e t = begin();
	if (!have_program("cc"))
		skip();
	put(t.repo, ".gitignore", "*.so\nworker\n");
	put(t.repo, ".bench-against.json",
		"{ \"build\": {\"commands\": [[\"sh\", \"build.sh\"]]},\n"
		"  \"suites\": { \"c\": { \"kind\": \"worker\",\n"
		"  \"command\": [\"./worker\"] } } }\n");
	commit_c(&t, "old", 10000, OWN);
	commit_c(&t, "new", 11000, OWN);
	/* the checkout is built as well */
	const char *const build[] = {"sh", "build.sh", NULL};
	assert_int_equal(run_program(NULL, t.repo, build, NULL, 0), 0);
	against(&t, "old", "new");
	assert_status(&t, 1);
	assert_close(e2e_ratio(&t, 1), 1.1, 1e-9);
	BA_AUTO_FREE char *rpath = at("-Wl,-rpath,'%s'", t.repo);
	BA_AUTO_FREE char *path = at(OWN " -DLOAD='\"%s/libcost.so\"'", t.repo);
	const struct {
		const char *name, *flags, *owner;
	} rows[] = {{"rpath", rpath, "was loaded from your checkout"},
		{"path", path, "was loaded from your checkout"},
		{"sibling", OWN " -DLOAD='\"../*/libcost.so\"'",
			"was loaded from another variant, 'old'"}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		print_message("           %s\n", rows[i].name);
		commit_c(&t, rows[i].name, 11000, rows[i].flags);
		briefly(&t, "old", rows[i].name);
		assert_status(&t, 125);
		assert_string_equal(e2e_failure(&t, 0), "");
		assert_has(e2e_failure(&t, 1), "libcost.so");
		assert_has(e2e_failure(&t, 1), rows[i].owner);
	}
	e2e_end(&t);
}
