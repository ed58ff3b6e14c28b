/* A run of any kind of suite that was killed and resumed is, but for times of day,
 * the run that was not: every reading, every figure, every verdict. Costs are of the
 * fake driver's clock or printed by a stub, and depend on the invocation, so that one
 * that is taken for another is seen. */
#include "e2e.h"

#include <signal.h>

#include "base/mem.h"
#include "base/base.h"

TEST_GROUP(e2e_set_up, NULL);

#define PLAIN BA_BINARY_DIR "/tests/fakecuda/plain/libcuda.so.1"

/* ---- what is to be the same ---- */

/* Members that tell when, how long the machine took, or in what state it was: a
 * neighbour changes them, and no answer rests on them. */
static bool is_of_the_moment(ba_json_value v)
{
	static const char *const keys[] = {"started", "wall_seconds", "measure_seconds",
		"started_ns", "wall_ns", "block_at_ns", "build_seconds", "build_cached",
		"build_log", "command_line", "document_sha256"};
	static const char *const paths[] = {"$.environment.load_average",
		"$.environment.timer_read_ns", "$.environment.warnings", "$.spent"};
	const char *key = ba_json_key(v);
	for (size_t i = 0; key && i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(key, keys[i]) == 0)
			return true;
	BA_AUTO_FREE char *path = ba_json_path(v);
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (strcmp(path, paths[i]) == 0)
			return true;
	return false;
}

/* the note that it was resumed, which check_resumed asks for */
static bool is_resumption(ba_json_value v)
{
	const char *text;
	return ba_json_type_of(v) == BA_JSON_STRING && ba_json_as_string(&text, v, NULL) == 0 &&
	       strstr(text, "resumed after an interruption");
}

static ba_json_value next_lasting(ba_json_value v)
{
	while (ba_json_is(v) && (is_of_the_moment(v) || is_resumption(v)))
		v = ba_json_next(v);
	return v;
}

static void fail_at(ba_json_value a, ba_json_value b, const char *what)
{
	BA_AUTO_FREE char *one = ba_json_is(a) ? ba_json_path(a) : ba_xstrdup("nothing");
	BA_AUTO_FREE char *other = ba_json_is(b) ? ba_json_path(b) : ba_xstrdup("nothing");
	fail_msg("%s of the whole run, %s of the resumed one: %s", one, other, what);
}

static void check_scalar(ba_json_value a, ba_json_value b)
{
	const char *text = "", *other = "";
	double x = 0, y = 0;
	bool p = false, q = false;
	switch (ba_json_type_of(a)) {
	case BA_JSON_STRING:
		ba_json_as_string(&text, a, NULL);
		ba_json_as_string(&other, b, NULL);
		if (strcmp(text, other) != 0)
			print_message("'%s' and '%s'\n", text, other);
		break;
	case BA_JSON_NUMBER:
		ba_json_as_f64(&x, a, NULL);
		ba_json_as_f64(&y, b, NULL);
		if (x != y)
			print_message("%.17g and %.17g\n", x, y);
		break;
	case BA_JSON_BOOL:
		ba_json_as_bool(&p, a, NULL);
		ba_json_as_bool(&q, b, NULL);
		break;
	default:
		break;
	}
	if (strcmp(text, other) != 0 || x != y || p != q)
		fail_at(a, b, "they differ");
}

/* the same members in the same order, but for those of the moment */
static void check_same(ba_json_value a, ba_json_value b)
{
	if (ba_json_type_of(a) != ba_json_type_of(b))
		fail_at(a, b, "they are of two types");
	if (ba_json_type_of(a) != BA_JSON_ARRAY && ba_json_type_of(a) != BA_JSON_OBJECT) {
		check_scalar(a, b);
		return;
	}
	a = next_lasting(ba_json_first(a));
	b = next_lasting(ba_json_first(b));
	while (ba_json_is(a) && ba_json_is(b)) {
		if (ba_json_key(a) && strcmp(ba_json_key(a), ba_json_key(b)) != 0)
			fail_at(a, b, "another member");
		check_same(a, b);
		a = next_lasting(ba_json_next(a));
		b = next_lasting(ba_json_next(b));
	}
	if (ba_json_is(a) || ba_json_is(b))
		fail_at(a, b, "one has more");
}

/* The run whole; then killed, resumed, killed again, and resumed to its end.
 */
static void check_resumed(e2e *t, void (*start)(e2e *), int status)
{
	start(t);
	e2e_wait(t);
	assert_status(t, status);
	BA_AUTO_PTR(ba_json) ba_json *whole = BA_TAKE(t->doc);
	e2e_stop_at(2, SIGKILL);
	start(t);
	BA_AUTO_FREE char *journal = e2e_stopped(t, SIGKILL);
	e2e_stop_at(4, SIGKILL);
	e2e_start_tool(t, "--resume", journal);
	free(e2e_stopped(t, SIGKILL));
	e2e_tool(t, "--resume", journal);
	assert_status(t, status);
	assert_has(t->out, "resumed after an interruption: the first ");
	assert_false(ba_fs_exists(journal));
	check_same(ba_json_root(whole), ba_json_root(t->doc));
	e2e_check_verifies(t);
}

static e2e begin(const char *suite)
{
	e2e t = e2e_begin();
	BA_AUTO_FREE char *text =
		at("{ \"build\": { " E2E_BUILD " },\n  \"suites\": { %s } }\n", suite);
	BA_AUTO_FREE char *journal = at("%s.journal", t.json);
	put(t.repo, ".bench-against.json", text);
	e2e_env("BA_TEST_JOURNAL", journal);
	e2e_env("BA_TEST_DRIVER", PLAIN);
	return t;
}

static void commit_file(const e2e *t, const char *name, const char *path, const char *text)
{
	put(t->repo, path, text);
	put(t->repo, "variant.so", name); /* to be copied by the build */
	commit_tagged(t->repo, name);
}

/* ---- the kinds ---- */

/* up to 29 units that depend on the invocation, which is how many the journal has */
#define WANDER "(invocation * 37 + COST // 100 * 11) %% 29"

/* A reading lasts so long that the fewest are taken: how many would follow from the
 * real time of a few, which is not the same twice. */
static void start_plugin(e2e *t)
{
	e2e_start_against(t, "--metrics", "gpu_cold,gpu_hot,wall_hot", "--fixed", "6", "--blocks",
		"4", "old", "new");
}

TEST(a_plugin_suite)
{
	e2e t = begin("\"kernels\": { \"kind\": \"plugin\", \"library\": "
		      "\"launcher.so\", \"warm_up\": 20, \"iterations\": 80 }");
	e2e_env("BA_FAKE_CUDA", "launch_ns=1500;clock_ns=25;call_ns=10");
	e2e_commit(&t, "old", "plugin_sleeps");
	e2e_commit(&t, "new", "plugin_sleeps_more");
	check_resumed(&t, start_plugin, 1);
	e2e_end(&t);
}

/* see start_plugin: a visit is of one reading */
static void start_worker(e2e *t)
{
	e2e_start_tool(t, "--fake-driver", PLAIN, "--metrics", "submit,roundtrip", "--blocks", "2",
		"--batch", "4", "--max-invocations", "6", "--threshold", "0.1%", "--seed", "7",
		"--output", t->json, "old", "same", "slow");
}

static void commit_python(e2e *t, const char *name, int cost)
{
	BA_AUTO_FREE char *text = at("import ctypes, os, time\n"
				     "from bench_against_worker import Case, benchmark\n"
				     "advance = ctypes.CDLL(os.environ['BA_TEST_DRIVER'])"
				     ".ba_fake_advance_ns\n"
				     "advance.argtypes = [ctypes.c_int64]\n"
				     "COST, invocation = %d, 0\n"
				     "journal = os.environ['BA_TEST_JOURNAL']\n"
				     "if os.path.exists(journal):\n"
				     "    invocation = open(journal).read()"
				     ".count('{\"t\":\"invocation\"')\n"
				     "cost = COST + " WANDER "\n"
				     "@benchmark(axes={'n': [1, 2]})\n"
				     "def work(n):\n"
				     "    def run():\n"
				     "        advance(cost * n)\n"
				     "        time.sleep(0.003)\n"
				     "    return Case(run, check=lambda: True)\n",
		cost);
	commit_file(t, name, "bench.py", text);
}

TEST(a_python_worker)
{
	e2e t = begin("\"py\": { \"kind\": \"worker\", \"command\": "
		      "[\"python3\", \"-m\", \"bench_against_worker\", \"bench.py\"], "
		      "\"warm_up\": 1, \"iterations\": 8 }");
	commit_python(&t, "old", 10000);
	commit_python(&t, "same", 10001);
	commit_python(&t, "slow", 11000);
	check_resumed(&t, start_worker, 1);
	e2e_end(&t);
}

static void start_command(e2e *t)
{
	e2e_start_tool(t, "--max-invocations", "6", "--threshold", "0.1%", "--seed", "7",
		"--output", t->json, "old", "same", "slow");
}

static void commit_stub(e2e *t, const char *name, int cost)
{
	BA_AUTO_FREE char *text =
		at("invocation=0\n"
		   "[ ! -e \"$BA_TEST_JOURNAL\" ] || invocation=$(grep -c "
		   "'{\"t\":\"invocation\"' \"$BA_TEST_JOURNAL\")\n"
		   "COST=%d\n"
		   "cost=$((COST + (invocation * 37 + COST / 100 * 11) %% 29))\n"
		   "sleep 0.02\n"
		   "echo '{\"schema\": \"bench-against.samples/1\", \"benchmarks\": '\n"
		   "echo \"[{\\\"id\\\": \\\"a\\\", \\\"values\\\": [$cost, $cost.5]},"
		   " {\\\"id\\\": \\\"b\\\", \\\"values\\\": [$((cost * 2))]}]}\"\n",
			cost);
	commit_file(t, name, "bench.sh", text);
}

TEST(a_command_suite)
{
	e2e t = begin("\"own\": { \"kind\": \"command\", \"command\": "
		      "[\"sh\", \"bench.sh\"] }");
	commit_stub(&t, "old", 10000);
	commit_stub(&t, "same", 10001);
	commit_stub(&t, "slow", 11000);
	check_resumed(&t, start_command, 1);
	e2e_end(&t);
}
