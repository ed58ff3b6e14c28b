/* The gate in practice: what a candidate changes about its own rules is told and not
 * obeyed, and what is expected has to be measured. */
#include "e2e.h"

#include "base/mem.h"
#include "base/fs.h"

TEST_GROUP(e2e_set_up, NULL);

#define SUITE                                                               \
	"\"suites\": { \"launch\": { \"kind\": \"launcher\", \"library\": " \
	"\"launcher.so\", \"args\": [0] } }"

/* the configuration with `more` keys at its top: "\"gate\": {...}" */
static void configure(e2e *t, const char *more)
{
	BA_AUTO_FREE char *text =
		at("{ \"build\": { " E2E_BUILD " },\n%s%s" SUITE " }\n", more, *more ? ",\n" : "");
	put(t->repo, ".bench-against.json", text);
}

/* is there a note that holds the text? */
static bool noted(const e2e *t, const char *text)
{
	for (size_t i = 0; i < e2e_count(t, "notes"); i++) {
		BA_AUTO_FREE char *path = at("notes.%zu", i);
		if (strstr(e2e_text(t, path), text))
			return true;
	}
	return false;
}

static void assert_noted(const e2e *t, const char *text)
{
	if (!noted(t, text)) {
		for (size_t i = 0; i < e2e_count(t, "notes"); i++) {
			BA_AUTO_FREE char *path = at("notes.%zu", i);
			print_message("note: %s\n", e2e_text(t, path));
		}
		fail_msg("no note says: %s", text);
	}
}

TEST(a_change_of_the_rules_is_told_and_not_obeyed)
{
	e2e t = e2e_begin();
	configure(&t, "\"thresholds\": { \"default\": \"2%\" }");
	e2e_commit(&t, "old", "cost100");
	configure(&t, "// was 2%\n\"thresholds\": { \"default\": \"50%\" }, \"gate\": { "
		      "\"mode\": \"default\" }");
	e2e_commit(&t, "new", "cost110");
	e2e_against(&t, "--gate", "old", "new");
	assert_status(&t, 1);
	assert_noted(&t, "new changes the rules, which is ignored: "
			 "$.thresholds.default is \"50%\", not \"2%\"");
	assert_noted(&t, "new changes the rules, which is ignored: $.gate is new: "
			 "{\"mode\":\"default\"}");
	assert_has(t.out, "which is ignored: $.thresholds.default");
	/* without a gate nobody is told what is not so */
	e2e_against(&t, "old", "new");
	assert_status(&t, 0);
	assert_false(noted(&t, "which is ignored"));
	/* a file that is gone, one that is broken */
	git(t.repo, "rm", "-q", "--cached", ".bench-against.json");
	git(t.repo, "commit", "-q", "-m", "gone");
	git(t.repo, "tag", "gone");
	put(t.repo, ".bench-against.json", "{ \"build\": ");
	e2e_commit(&t, "broken", "cost110");
	e2e_against(&t, "--gate", "old", "gone", "broken");
	assert_status(&t, 1);
	assert_noted(&t, "gone changes the rules, which is ignored: "
			 ".bench-against.json was removed");
	assert_noted(&t, "broken changes the rules, which is ignored: "
			 ".bench-against.json: line 1, column 12");
	e2e_end(&t);
}

TEST(the_first_configuration_needs_to_be_named)
{
	e2e t = e2e_begin();
	BA_AUTO_FREE char *file = at("%s/.bench-against.json", t.repo);
	unlink(file);
	e2e_commit(&t, "old", "cost100");
	configure(&t, "");
	e2e_commit(&t, "new", "cost100");
	e2e_against(&t, "--gate", "old", "new");
	assert_status(&t, 129);
	assert_has(t.err, "old has no '.bench-against.json', and in a gate the "
			  "baseline's rules; for the change that brings it, name that "
			  "with --config-from");
	e2e_against(&t, "--gate", "--measure-identical", "--config-from", "new", "old", "new");
	assert_status(&t, 0);
	e2e_end(&t);
}

TEST(what_list_writes_is_what_a_gate_expects)
{
	e2e t = e2e_begin();
	configure(&t, "\"gate\": { \"expected\": \".bench-against.expected\" }");
	e2e_commit(&t, "before", "cost100");
	e2e_against(&t, "--gate", "before", "before");
	assert_status(&t, 129);
	assert_has(t.err, "expects the benchmarks in 'before:.bench-against.expected', "
			  "and there is no such file");
	e2e_tool(&t, "list", "--expected", "--path", "all", "before");
	assert_status(&t, 0);
	assert_has(t.out, "# The benchmarks that a gate expects");
	assert_has(t.out, "\nlaunch/args=0,path=direct\nlaunch/args=0,path=second\n");
	put(t.repo, ".bench-against.expected", t.out);
	e2e_commit(&t, "old", "cost100");
	put(t.repo, ".bench-against.expected", "launch/args=0,path=direct\n");
	e2e_commit(&t, "new", "cost101");
	e2e_against(&t, "--gate", "--path", "all", "old", "new");
	assert_status(&t, 0);
	assert_noted(&t, "new changes the rules, which is ignored: "
			 "'.bench-against.expected' no longer expects "
			 "launch/args=0,path=second");
	/* one of them is not measured: no green, also where the candidate does not
	 * expect it any more */
	e2e_against(&t, "--gate", "old", "new");
	assert_status(&t, 125);
	assert_noted(&t, "expected and not measured: 'launch/args=0,path=second': there "
			 "is no such benchmark");
	assert_has(t.out, "Not fully measured: the expected "
			  "'launch/args=0,path=second' was not measured");
	assert_string_equal(e2e_text(&t, "gate.expected.1"), "launch/args=0,path=second");
	e2e_end(&t);
}

TEST(a_benchmark_without_samples_is_told_with_its_reason)
{
	e2e t = e2e_begin();
	configure(&t, "\"gate\": { \"expected\": [\"launch/*\"] }");
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "bad", "crash_launch");
	e2e_commit(&t, "new", "cost100_only_direct");
	e2e_against(&t, "--gate", "old", "bad");
	assert_status(&t, 125);
	assert_noted(&t, "expected and not measured: 'launch/*': "
			 "launch/args=0,path=direct: it failed in bad: ");
	/* measured, and not on the list: somebody should put it there */
	configure(&t, "\"gate\": { \"expected\": [\"launch/*path=direct\"] }");
	e2e_commit(&t, "fewer", "cost100");
	e2e_against(&t, "--gate", "--path", "all", "fewer", "old");
	assert_noted(&t, "measured, but not expected, so that a gate would not miss "
			 "it: launch/args=0,path=second");
	e2e_end(&t);
}

/* cost100 has two launch paths, the other library one of them */
TEST(one_match_does_not_cover_for_a_benchmark_that_is_gone)
{
	e2e t = e2e_begin();
	configure(&t, "\"gate\": { \"expected\": [\"launch/*\"] }");
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", "cost100_only_direct");
	e2e_against(&t, "--gate", "--measure-identical", "--path", "all", "old", "new");
	assert_status(&t, 125);
	assert_noted(&t, "expected and not measured: 'launch/*': "
			 "launch/args=0,path=second: new does not have it");
	e2e_check_verifies(&t);
	/* what is new needs not be in the baseline */
	e2e_against(&t, "--gate", "--measure-identical", "--path", "all", "new", "old");
	assert_status(&t, 0);
	e2e_end(&t);
}

TEST(a_threshold_of_nothing_is_no_gate)
{
	e2e t = e2e_begin();
	configure(&t, "\"thresholds\": { \"default\": \"50%\", \"benchmarks\": [{ "
		      "\"match\": \"lunch/*\", \"threshold\": \"2%\" }] }");
	e2e_commit(&t, "old", "cost100");
	configure(&t, "");
	e2e_commit(&t, "new", "cost110");
	e2e_against(&t, "--gate", "old", "new");
	assert_status(&t, 129);
	assert_has(t.err, "old:.bench-against.json: the threshold for 'lunch/*' (line 2) "
			  "matches no benchmark of old");
	assert_has(t.err, "--config-from");
	/* elsewhere it is said; a part of the benchmarks cannot tell */
	configure(&t, "\"thresholds\": { \"default\": \"50%\", \"benchmarks\": [{ "
		      "\"match\": \"lunch/*\", \"threshold\": \"2%\" }] }");
	e2e_against(&t, "old", "new");
	assert_status(&t, 0);
	assert_noted(&t, "the threshold for 'lunch/*' (line 2 of the configuration) "
			 "matches no benchmark");
	configure(&t, "\"gate\": { \"expected\": [\"launch/*\", \"lunch/*\"] }");
	e2e_against(&t, "old", "new");
	assert_noted(&t, "'lunch/*' of gate.expected matches no benchmark");
	assert_null(strstr(t.out, "'launch/*' of gate"));
	/* a benchmark of that name in the candidate does not make the rule one */
	put(t.repo, ".bench-against.json",
		"{ \"build\": { " E2E_BUILD " }, \"thresholds\": { \"default\": \"50%\",\n"
		"\"benchmarks\": [{ \"match\": \"*path=second\", \"threshold\": \"2%\" "
		"}] },"
		"\n\"suites\": { \"launch\": { \"kind\": \"launcher\", \"library\": "
		"\"launcher.so\", \"args\": [0], \"paths\": \"all\" } } }");
	e2e_commit(&t, "few", "cost100_only_direct");
	e2e_commit(&t, "more", "cost110");
	e2e_against(&t, "--gate", "few", "more");
	assert_status(&t, 129);
	assert_has(t.err, "matches no benchmark of few");
	e2e_against(&t, "--gate", "more", "few");
	assert_status(&t, 0);
	e2e_end(&t);
}

TEST(a_broken_list_is_refused_with_its_line)
{
	static const struct {
		const char *text, *error;
	} rows[] = {
		{"", "no benchmark is named"},
		{"# nothing\n\n", "no benchmark is named"},
		{"launch/a\nlaunch/b\nlaunch/a\n", "line 3: this name appears twice"},
		{"launch/a\n\x1b[31m\n", "line 2: a control character"},
	};
	e2e t = e2e_begin();
	configure(&t, "\"gate\": { \"expected\": \"list\" }");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO_FREE char *name = at("v%zu", i);
		put(t.repo, "list", rows[i].text);
		e2e_commit(&t, name, i % 2 ? "cost100" : "cost101");
		e2e_against(&t, "--gate", name, name);
		assert_status(&t, 129);
		assert_has(t.err, rows[i].error);
	}
	e2e_end(&t);
}

/* The baseline's configuration says it, so that no candidate can say otherwise. */
TEST(a_weaker_lane_is_refused_before_anything_is_measured)
{
	e2e t = e2e_begin();
	configure(&t, "\"gate\": { \"lane\": \"isolated\" }");
	e2e_commit(&t, "old", "cost100");
	configure(&t, "\"gate\": { \"lane\": \"any\" }");
	e2e_commit(&t, "new", "cost110");
	e2e_against(&t, "--gate", "old", "new");
	assert_status(&t, 129);
	assert_has(t.err, ".bench-against.json:2: $.gate.lane is 'isolated', and this "
			  "run is in a weaker lane; add --engine split or --untrusted");
	assert_null(t.doc);
	e2e_against(&t, "--gate", "--engine", "duet", "old", "new");
	assert_status(&t, 129);
	e2e_against(&t, "--gate", "--engine", "split", "old", "new");
	assert_status(&t, 1);
	assert_noted(&t, "$.gate.lane is \"any\", not \"isolated\"");
	/* without a gate, or by rules that ask for nothing */
	e2e_against(&t, "old", "new");
	assert_status(&t, 1);
	e2e_against(&t, "--gate", "new", "old");
	assert_status(&t, 0);
	configure(&t, "\"gate\": { \"lane\": \"untrusted\" }");
	e2e_commit(&t, "strict", "cost100");
	e2e_against(&t, "--gate", "--engine", "split", "strict", "new");
	assert_status(&t, 129);
	assert_has(t.err, "$.gate.lane is 'untrusted', and this run is in a weaker "
			  "lane; add --untrusted");
	configure(&t, "\"gate\": { \"lane\": \"safe\" }");
	e2e_commit(&t, "wrong", "cost100");
	e2e_against(&t, "--gate", "wrong", "new");
	assert_status(&t, 129);
	assert_has(t.err, "$.gate.lane must be one of 'any', 'isolated', "
			  "'untrusted', is 'safe'");
	e2e_end(&t);
}
