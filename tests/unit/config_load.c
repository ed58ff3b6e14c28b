#include "test.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "config/config.h"

static void load(ba_config *c, const char *text)
{
	ba_error err = {0};
	ba_config_init(c);
	if (ba_config_load_text(c, "c.json", text, strlen(text), &err))
		fail_msg("%s", err.text);
}

static void assert_origin(const ba_config *c, ba_value_origin origin, const char *expected)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_config_origin_text(&text, c, origin);
	assert_string_equal(text.data, expected);
}

TEST(an_example_is_read_with_origins)
{
	static const char text[] =
		"{ // how this project is built\n"
		"  \"build\": {\n"
		"    \"commands\": [[\"cmake\", \"-S\", \".\", \"-B\", \"build\"],\n"
		"                 [\"cmake\", \"--build\", \"build\", \"-j\"]],\n"
		"    \"timeout\": \"10m\", \"env\": [\"CC\", \"CFLAGS\"], \"inputs\": "
		"[]\n"
		"  },\n"
		"  \"suites\": { \"launch\": { \"kind\": \"launcher\",\n"
		"     \"library\": \"build/libx.so\" } },\n"
		"  \"thresholds\": {\"default\": \"3%\"},\n"
		"}\n";
	BA_AUTO(ba_config) ba_config c;
	load(&c, text);
	assert_int_equal(c.build.command_count, 2);
	assert_string_equal(c.build.commands[1].items[0], "cmake");
	assert_null(c.build.commands[1].items[4]);
	assert_true(c.build.timeout_ns == 600 * BA_SECOND);
	assert_string_equal(c.build.env.items[1], "CFLAGS");
	assert_int_equal(c.build.inputs.count, 0);
	assert_int_equal(c.suite_count, 1);
	const ba_suite_config *s = &c.suites[0];
	assert_string_equal(s->name, "launch");
	assert_string_equal(s->library, "build/libx.so");
	assert_int_equal(s->args.count, 5);
	assert_int_equal(s->args.items[4], 4);
	assert_int_equal(s->repeats, 7);
	assert_false(s->all_paths || s->paths.count);
	assert_origin(&c, c.sandbox_origin, "the default");
	assert_origin(&c, c.thresholds.fallback.origin, "c.json:9");
}

TEST(every_key_is_read)
{
	BA_AUTO(ba_config) ba_config c;
	load(&c, "{\"$schema\":\"x\",\"build\":{\"command\":[\"make\",\"\"],\"jobs\":3,"
		 "\"timeout\":1.5,\"inputs\":[\"src\",\"*.cmake\"],\"artefacts\":[\"b/"
		 "a\"]},"
		 "\"suites\":{\"s.1\":{\"kind\":\"launcher\",\"library\":\"l.so\","
		 "\"paths\":\"all\",\"args\":[0,64],\"bytes\":[4096],\"loops\":[10,20,"
		 "20],"
		 "\"repeats\":1},\"t\":{\"kind\":\"launcher\",\"library\":\"l.so\","
		 "\"paths\":[\"signature\",\"dispatch\"]}},"
		 "\"overlay\":{\"from\":\"baseline\",\"paths\":[\"bench\"]},"
		 "\"gate\":{\"mode\":\"strict\"},\"sandbox\":true}");
	assert_int_equal(c.build.jobs, 3);
	assert_true(c.build.timeout_ns == 1500 * BA_MS);
	assert_string_equal(c.build.commands[0].items[1], "");
	assert_string_equal(c.build.inputs.items[1], "*.cmake");
	assert_string_equal(c.build.artefacts.items[0], "b/a");
	assert_true(c.suites[0].all_paths);
	assert_int_equal(c.suites[0].bytes.items[0], 4096);
	assert_string_equal(c.suites[1].paths.items[1], "dispatch");
	assert_int_equal(c.overlay_from, BA_OVERLAY_BASELINE);
	assert_string_equal(c.overlay.items[0], "bench");
	assert_true(c.gate_strict && c.sandbox.on);
}

TEST(mistakes_are_told_with_line_path_and_remedy)
{
	static const struct {
		const char *text, *error;
	} rows[] = {
		{"{\n\"bild\":{}}", "line 2: $.bild is not known; did you mean 'build'?"},
		{"{\"build\":{\"time_out\":1}}", "line 1: $.build.time_out is not "
						 "known; did you mean 'timeout'?"},
		{"{\"gate\":{\"xyzzy\":1}}",
			"line 1: $.gate.xyzzy is not known; the "
			"keys here are 'mode', 'expected', 'environments', 'lane'"},
		{"[]", "line 1: $ must be an object, is an array"},
		{"{\"build\":[]}", "line 1: $.build must be an object, is an array"},
		{"{\"build\":{\"commands\":\"make\"}}",
			"line 1: $.build.commands must be an array, is a string"},
		{"{\"build\":{\"command\":\"make -j\"}}",
			"line 1: $.build.command must be an array of arguments such as "
			"[\"cmake\", \"--build\", \"build\"], is a string; "
			"bench-against uses no shell"},
		{"{\"build\":{\"commands\":[\"make\",\"-j\"]}}",
			"line 1: $.build.commands must be an array of commands, each "
			"an array "
			"of arguments; one command alone is 'command'"},
		{"{\"build\":{\"commands\":[[]]}}", "line 1: $.build.commands[0] names no program"},
		{"{\"build\":{\"commands\":[[\"a\",\n1]]}}",
			"line 2: $.build.commands[0][1] must be a string, is a number"},
		{"{\"build\":{\"command\":[\"a\"],\"commands\":[[\"b\"]]}}",
			"line 1: $.build.commands is the second of 'command' and "
			"'commands': "
			"keep one of them"},
		{"{\"build\":{\"timeout\":\"soon\"}}",
			"line 1: $.build.timeout is not a time: 'soon'; write it like "
			"500ms, "
			"10s, 8m or 1h"},
		{"{\"build\":{\"timeout\":0}}", "line 1: $.build.timeout must be above "
						"0 and at most 1e9 seconds"},
		{"{\"build\":{\"timeout\":\"0s\"}}", "line 1: $.build.timeout must be above 0"},
		{"{\"build\":{\"timeout\":null}}",
			"line 1: $.build.timeout must be a time such as \"10m\", or a "
			"number of "
			"seconds, is null"},
		{"{\"build\":{\"jobs\":0}}",
			"line 1: $.build.jobs must be between 1 and 256, is 0"},
		{"{\"build\":{\"env\":[\"CC=gcc\"]}}",
			"line 1: $.build.env[0] is a name and a value: only the name "
			"belongs "
			"here, the value is taken from the environment"},
		{"{\"build\":{\"env\":[\"1X\"]}}",
			"line 1: $.build.env[0] is not the name of a variable"},
		{"{\"build\":{\"inputs\":[\"../x\"]}}",
			"line 1: $.build.inputs[0] must be a path inside the tree: not "
			"empty, "
			"not absolute, without '..'"},
		{"{\"suites\":{\"a/b\":{}}}", "line 1: $.suites[\"a/b\"] is not a name "
					      "for a suite: 1 to 64 letters, "
					      "digits and . _ -"},
		{"{\"suites\":{\"a\":{}}}", "line 1: $.suites.a has no 'kind'"},
		{"{\"suites\":{\"a\":{\"kind\":\"lunch\"}}}",
			"line 1: $.suites.a.kind must be one of 'launcher', 'plugin', "
			"'worker', 'command', 'python-task', 'nvbench', 'google-benchmark', "
			"is 'lunch'"},
		{"{\"suites\":{\"a\":{\"kind\":\"worker\"}}}",
			"line 1: $.suites.a has no 'command': what is started in the "
			"tree, such as [\"python3\", \"-m\", "
			"\"bench_against_worker\", \"bench.py\"]"},
		{"{\"suites\":{\"a\":{\"kind\":\"worker\",\"programs\":\"x*\"}}}",
			"line 1: $.suites.a has 'programs', which only the kinds 'nvbench' and "
			"'google-benchmark' have"},
		{"{\"suites\":{\"a\":{\"kind\":\"nvbench\",\"programs\":\"x*\",\"command\":[\"x\"]}}}",
			"line 1: $.suites.a has 'programs' and a 'command' that runs none of them: "
			"write \"{program}\" where the program belongs"},
		{"{\"suites\":{\"a\":{\"kind\":\"nvbench\",\"programs\":\"../x*\"}}}",
			"line 1: $.suites.a.programs must be a path inside the tree: not empty, "
			"not absolute, without '..'"},
		{"{\"suites\":{\"a\":{\"kind\":\"worker\",\"command\":\"python3 "
		 "b.py\"}}"
		 "}",
			"line 1: $.suites.a.command must be an array of arguments such "
			"as [\"cmake\", \"--build\", \"build\"], is a string; "
			"bench-against uses no shell"},
		{"{\"suites\":{\"a\":{\"kind\":\"worker\",\"command\":[]}}}",
			"line 1: $.suites.a.command names no program"},
		{"{\"suites\":{\"a\":{\"kind\":\"worker\",\"command\":[\"x\"],"
		 "\"pythonpath\":[\"../src\"]}}}",
			"line 1: $.suites.a.pythonpath[0] must be a path inside the "
			"tree: not empty, not absolute, without '..'"},
		{"{\"suites\":{\"a\":{\"kind\":\"launcher\"}}}",
			"line 1: $.suites.a has no 'library': the path in the built "
			"tree of the "
			"library that exports bench_against_launcher"},
		{"{\"suites\":{\"a\":{\"kind\":\"launcher\",\"library\":\"/x\"}}}",
			"line 1: $.suites.a.library must be a path inside the tree: "
			"not empty, "
			"not absolute, without '..'"},
		{"{\"suites\":{\"a\":{\"kind\":\"launcher\",\"library\":\"x\",\"args\":"
		 "[]}}}",
			"line 1: $.suites.a measures nothing: 'args' and 'bytes' are "
			"both "
			"empty"},
		{"{\"suites\":{\"a\":{\"kind\":\"launcher\",\"args\":[1,1]}}}",
			"line 1: $.suites.a.args[1] appears twice"},
		{"{\"suites\":{\"a\":{\"kind\":\"launcher\",\"loops\":[0]}}}",
			"line 1: $.suites.a.loops[0] must be between 1 and 1000000000, "
			"is 0"},
		{"{\"suites\":{\"a\":{\"kind\":\"launcher\",\"bytes\":[40000]}}}",
			"line 1: $.suites.a.bytes[0] must be between 1 and 32764, is "
			"40000"},
		{"{\"suites\":{\"a\":{\"kind\":\"launcher\",\"repeats\":1.5}}}",
			"line 1: $.suites.a.repeats must be a whole number, is 1.5"},
		{"{\"suites\":{\"a\":{\"kind\":\"launcher\",\"repeets\":1}}}",
			"line 1: $.suites.a.repeets is not known; did you mean "
			"'repeats'?"},
		{"{\"suites\":{\"a\":{\"kind\":\"launcher\",\"paths\":\"al\"}}}",
			"line 1: $.suites.a.paths must be an array of names, or the "
			"word "
			"\"all\""},
		{"{\"suites\":{\"a\":{\"kind\":\"launcher\",\"paths\":[]}}}",
			"line 1: $.suites.a.paths is empty; leave it out for the "
			"library's "
			"first path"},
		{"{\"overlay\":{\"from\":\"baseline\"}}", "line 1: $.overlay has no 'paths'"},
		{"{\"gate\":{\"mode\":\"lax\"}}", "line 1: $.gate.mode must be one of "
						  "'default', 'strict', is 'lax'"},
		{"{\"sandbox\":1}",
			"line 1: $.sandbox must be true, false or an object, is a number"},
		{"{\"sandbox\":{\"readable\":[\"x\"]}}",
			"line 1: $.sandbox.readable[0] must be an absolute path, or begin with '~/', without '..'"},
		{"{\"sandbox\":{\"writable\":[\"/a/../b\"]}}",
			"line 1: $.sandbox.writable[0] must be an absolute path, or begin with '~/', without '..'"},
		{"{\"sandbox\":{\"writable\":[\"/\"]}}",
			"line 1: $.sandbox.writable[0] must be an absolute path, or begin with '~/', without '..'"},
		{"{\"gate\":{},\n\"gate\":{}}", "line 2: $.gate appears twice"},
		{"{\"gate\":{}",
			"line 1, column 11: $.gate: ',' or '}' expected, but the text ends"},
		{"", "line 1, column 1: the text is empty"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		BA_AUTO(ba_config) ba_config c;
		BA_AUTO_FREE char *expected = ba_xprintf("c.json: %s", rows[i].error);
		ba_error err = {0};
		ba_config_init(&c);
		int rc =
			ba_config_load_text(&c, "c.json", rows[i].text, strlen(rows[i].text), &err);
		assert_string_equal(err.text, expected);
		assert_int_equal(rc, BA_ECONFIG);
	}
}

TEST(a_plugin_has_axes_and_counts)
{
	BA_AUTO(ba_config) ba_config c;
	load(&c, "{\"suites\":{\"k\":{\"kind\":\"plugin\",\"library\":\"k.so\","
		 "\"axes\":{\"n\":[1,1048576],\"S\":\"128:1024:*2\","
		 "\"dtype\":[\"f16\",\"f32\"]},\"iterations\":900}}}");
	const ba_suite_config *s = &c.suites[0];
	assert_string_equal(s->name, "k");
	assert_int_equal(s->kind, BA_SUITE_PLUGIN);
	BA_AUTO_FREE char *axes = ba_strv_join(&s->axes, " ");
	assert_string_equal(axes, "n=1,1048576 S=128:1024:*2 dtype=f16,f32");
	assert_int_equal(s->warm_up, 200);
	assert_int_equal(s->iterations, 900);
}

TEST(sandbox_is_a_choice_or_an_object)
{
	BA_AUTO(ba_config) ba_config no;
	BA_AUTO(ba_config) ba_config some;
	load(&no, "{\"sandbox\":false}");
	assert_false(no.sandbox.on);
	ba_config_set_sandbox(&no);
	assert_true(no.sandbox.on && !no.sandbox.network);
	load(&some, "{\"sandbox\":{\"network\":true,\"readable\":[\"/opt/x\",\"~/.cache\"],"
		    "\"writable\":[\"~/.ccache\"],\"env\":[\"A_B\"]}}");
	assert_true(some.sandbox.on && some.sandbox.network);
	assert_string_equal(some.sandbox.readable.items[1], "~/.cache");
	assert_string_equal(some.sandbox.writable.items[0], "~/.ccache");
	assert_string_equal(some.sandbox.env.items[0], "A_B");
}

TEST(a_file_that_cannot_be_read_is_named)
{
	BA_AUTO(ba_config) ba_config c;
	ba_error err;
	ba_config_init(&c);
	assert_int_equal(ba_config_load(&c, "/no/such/dir/c.json", &err), BA_ENOTFOUND);
	assert_has(err.text, "/no/such/dir/c.json");
	assert_int_equal(ba_config_load(&c, "/tmp", &err), BA_ECONFIG);
	assert_int_equal(err.code, BA_ECONFIG);
	assert_has(err.text, "'/tmp'");
	assert_int_equal(ba_config_load(&c, "/dev/zero", &err), BA_ECONFIG);
	assert_has(err.text, "'/dev/zero' is a pipe or a device, not a file");
	char large[] = "/tmp/ba-config-XXXXXX";
	BA_AUTO_FD int fd = mkstemp(large);
	assert_int_equal(ftruncate(fd, 1048577), 0);
	assert_int_equal(ba_config_load(&c, large, &err), BA_ECONFIG);
	unlink(large);
	assert_has(err.text, "is larger than the limit of 1048576 bytes");
}

/* as fuzzing would: no cut or changed byte crashes, leaks, or loads something half */
TEST(damaged_files_are_refused_or_loaded_whole)
{
	static const char good[] = "{\"build\":{\"commands\":[[\"a\",\"b\"]],\"env\":["
				   "\"C\"],\"timeout\":\"1m\"},"
				   "\"suites\":{\"s\":{\"kind\":\"launcher\","
				   "\"library\":\"x\",\"args\":[1,2]}},"
				   "\"thresholds\":{\"benchmarks\":[{\"match\":\"*\","
				   "\"threshold\":\"2%\"}]}}";
	static const char bytes[] = "{}[]\",:0 x\\";
	for (size_t at = 0; at < sizeof(good) - 1; at++) {
		for (size_t b = 0; b < sizeof(bytes); b++) {
			char text[sizeof(good)];
			memcpy(text, good, sizeof(good));
			text[at] = bytes[b];
			ba_config c;
			ba_config_init(&c);
			ba_error err = {0};
			int rc = ba_config_load_text(&c, "c", text, strlen(text), &err);
			assert_true(rc == 0 || (rc == BA_ECONFIG && *err.text));
			ba_config_dispose(&c);
		}
	}
}
