/* A run that was killed is resumed, and nothing but the time shows it; a journal
 * of another run, or of none, is refused and stays as it was. */
#include "e2e.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/mem.h"
#include "base/base.h"

TEST_GROUP(e2e_set_up, NULL);

static e2e begin(const char *candidate)
{
	e2e t = e2e_begin();
	e2e_configure(&t, E2E_BUILD, "[0, 1]");
	e2e_commit(&t, "old", "cost100");
	e2e_commit(&t, "new", candidate);
	return t;
}

/* samples of each of two benchmarks in every invocation, once */
static void check_samples(const char *document, int invocations)
{
	for (int i = 0; i < invocations; i++) {
		BA_AUTO_FREE char *one = at("\"invocation\": %d,", i);
		assert_int_equal(e2e_occurrences(document, one), 2);
	}
}

TEST(a_killed_run_ends_as_if_it_had_not_been)
{
	e2e t = begin("cost110");
	e2e_against(&t, "--fixed", "12", "old", "new");
	assert_status(&t, 1);
	double ratio = e2e_ratio(&t, 1);
	e2e_stop_at(3, SIGKILL);
	e2e_start_against(&t, "--fixed", "12", "old", "new");
	BA_AUTO_FREE char *journal = e2e_stopped(&t, SIGKILL);
	/* where it was started, and nothing else said */
	e2e_tool(&t, "--resume", journal);
	assert_status(&t, 1);
	assert_has(t.out, "resumed after an interruption: the first ");
	assert_false(ba_fs_exists(journal));
	/* the fake driver's clock is virtual: it is the very same answer */
	assert_true(e2e_ratio(&t, 1) == ratio);
	assert_string_equal(e2e_verdict(&t, 1), "regressed");
	BA_AUTO_FREE char *document = e2e_text_of(t.json);
	e2e_check_verifies(&t);
	check_samples(document, 12);
	assert_has(document, "--fixed 12");
	e2e_end(&t);
}

/* An alpha below the least p-value of 12 invocations leaves it open look by look,
 * whatever the machine does. */
TEST(looks_are_those_that_would_have_been)
{
	e2e t = begin("cost100");
	e2e_stop_at(7, SIGKILL);
	e2e_start_tool(&t, "--target", "host", "--metrics", "host", "--blocks", "8",
		"--max-invocations", "12", "--threshold", "0.01%", "--alpha", "1e-9",
		"--measure-identical", "--output", t.json, "old", "new");
	BA_AUTO_FREE char *journal = e2e_stopped(&t, SIGKILL);
	/* a torn line is no line */
	BA_AUTO_FREE char *text = e2e_text_of(journal);
	BA_AUTO_FREE char *torn = at("%s{\"t\":\"samples\",\"bench", text);
	ba_error err = {0};
	assert_int_equal(ba_fs_write(journal, torn, strlen(torn), 0644, &err), 0);
	e2e_tool(&t, "--resume", journal);
	assert_string_equal(e2e_verdict(&t, 1), "inconclusive");
	assert_int_equal((int)e2e_number(&t, "series.0.comparisons.0.invocations"), 12);
	BA_AUTO_FREE char *document = e2e_text_of(t.json);
	e2e_check_verifies(&t);
	check_samples(document, 12);
	e2e_end(&t);
}

TEST(what_had_failed_has_failed)
{
	e2e t = begin("crash_one_argument");
	e2e_stop_at(2, SIGKILL);
	e2e_start_against(&t, "--fixed", "8", "old", "new");
	BA_AUTO_FREE char *journal = e2e_stopped(&t, SIGKILL);
	e2e_tool(&t, "--resume", journal);
	assert_status(&t, 125);
	assert_has(t.out, "launch/args=1");
	assert_has(t.out, "SIGSEGV");
	e2e_check_verifies(&t);
	e2e_end(&t);
}

TEST(an_engine_that_was_changed_stays_changed)
{
	e2e t = begin("crash_in_company");
	e2e_stop_at(2, SIGKILL);
	e2e_start_against(&t, "--fixed", "8", "old", "new");
	BA_AUTO_FREE char *journal = e2e_stopped(&t, SIGKILL);
	BA_AUTO_FREE char *text = e2e_text_of(journal);
	assert_has(text, "\"engine\":\"split\"");
	e2e_tool(&t, "--resume", journal);
	assert_has(t.out, "split engine");
	e2e_check_verifies(&t);
	e2e_end(&t);
}

TEST(ctrl_c_keeps_the_journal_and_says_so)
{
	e2e t = begin("cost110");
	e2e_stop_at(2, SIGINT);
	e2e_start_against(&t, "--fixed", "30", "old", "new");
	BA_AUTO_FREE char *journal = e2e_stopped(&t, SIGINT);
	BA_AUTO_FREE char *hint = at("to resume: bench-against --resume %s", journal);
	assert_has(t.err, hint);
	e2e_tool(&t, "--resume", journal);
	assert_status(&t, 1);
	e2e_check_verifies(&t);
	/* begun anew, an old one is in the way of nobody; that is said */
	e2e_stop_at(1, SIGKILL);
	e2e_start_against(&t, "--fixed", "30", "old", "new");
	BA_AUTO_FREE char *again = e2e_stopped(&t, SIGKILL);
	e2e_against(&t, "old", "new");
	assert_status(&t, 1);
	assert_has(t.err, "is replaced; --resume would have resumed that run");
	assert_false(ba_fs_exists(again));
	e2e_end(&t);
}

/* One that is still being written is not the second run's to remove. */
TEST(a_second_run_leaves_the_journal_of_the_first)
{
	e2e t = begin("cost110"), second = t;
	e2e_stop_at(1, SIGSTOP);
	e2e_start_against(&t, "--fixed", "12", "old", "new");
	BA_AUTO_FREE char *journal = at("%s.journal", t.json);
	e2e_wait_for(journal);
	second.dir = at("%s/second", t.dir);
	second.out = second.err = NULL;
	second.doc = NULL;
	assert_int_equal(ba_fs_mkdirs(second.dir, NULL), 0);
	/* at once: nothing is built, and no node is asked for */
	BA_AUTO_FREE char *lock = at("%s/no-cache", t.dir);
	e2e_against(&second, "--fixed", "2", "--cache-dir", lock, "old", "new");
	assert_status(&second, 129);
	assert_has(second.err, "is being written by another run");
	assert_false(ba_fs_exists(lock));
	assert_null(second.doc);
	assert_true(ba_fs_exists(journal));
	free(second.out);
	free(second.err);
	ba_json_free(second.doc);
	free(second.dir);
	int status;
	assert_int_equal(waitpid(t.pid, &status, WUNTRACED), t.pid);
	assert_true(WIFSTOPPED(status));
	kill(t.pid, SIGKILL);
	BA_AUTO_FREE char *again = e2e_stopped(&t, SIGKILL);
	e2e_tool(&t, "--resume", again, "--fixed", "12");
	assert_has(t.out, "resumed after an interruption");
	e2e_end(&t);
}

/* A line that is not as it was written is named; what is before it counts. */
TEST(a_damaged_line_is_named_and_what_is_before_it_kept)
{
	e2e t = begin("cost110");
	e2e_stop_at(5, SIGKILL);
	e2e_start_against(&t, "--fixed", "12", "old", "new");
	BA_AUTO_FREE char *journal = e2e_stopped(&t, SIGKILL);
	BA_AUTO_FREE char *text = e2e_text_of(journal);
	char *at = strstr(text, "\"invocation\":3,");
	assert_non_null(at);
	at = strstr(at, "\"ns\":[");
	assert_non_null(at);
	at[6] ^= 1; /* 2 becomes 3: a sample is another */
	ba_error err = {0};
	assert_int_equal(ba_fs_write(journal, text, strlen(text), 0644, &err), 0);
	e2e_tool(&t, "--resume", journal);
	assert_status(&t, 1);
	assert_has(t.err, " of the journal '");
	assert_has(t.err, "is damaged: the 3 invocations before it are kept");
	assert_has(t.out, "is damaged: the 3 invocations before it are kept");
	BA_AUTO_FREE char *document = e2e_text_of(t.json);
	e2e_check_verifies(&t);
	check_samples(document, 12);
	e2e_end(&t);
}

static void check_refused(e2e *t, const char *journal, const char *sentence)
{
	BA_AUTO_FREE char *now = e2e_text_of(journal);
	assert_status(t, 129);
	assert_has(t->err, sentence);
	assert_has(t->err, "--resume: '");
	assert_false(ba_fs_exists(t->json));
	BA_AUTO_FREE char *after = e2e_text_of(journal);
	assert_string_equal(now, after);
}

TEST(another_run_is_refused_by_what_differs)
{
	e2e t = begin("cost110");
	e2e_stop_at(2, SIGKILL);
	e2e_start_against(&t, "--fixed", "12", "old", "new");
	BA_AUTO_FREE char *journal = e2e_stopped(&t, SIGKILL);
	static const struct {
		const char *option, *value, *sentence;
	} rows[] = {
		{"--alpha", "1%", "--alpha was '0.05' and is '0.01' now"},
		{"--seed", "8", "--seed was '7' and is '8' now"},
		{"--fixed", "6", "was '12' and is '6' now"},
		{"--threshold", "7%",
			"the threshold of launch/args=0,path=direct, submit was "
			"'0.02 slower, "},
		{"--filter", "*args=0,*", "the set of benchmarks was '2, "},
		{"--blocks", "9", "--blocks was '8' and is '9' now"},
		{"--engine", "split", "--engine was 'auto' and is 'split' now"},
		{"--layouts", "2", "--layouts was '1' and is '2' now"},
		{"--gate", "--strict", "--gate was 'off' and is 'on' now"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		e2e_tool(&t, "--resume", journal, rows[i].option, rows[i].value);
		check_refused(&t, journal, rows[i].sentence);
	}
	e2e_tool(&t, "--resume", journal, "new", "old");
	check_refused(&t, journal, "variant 1 was 'old, commit ");
	chmod(journal, 0646);
	e2e_tool(&t, "--resume", journal);
	check_refused(
		&t, journal, "can be written by other users; if you trust it, run: chmod go-w '");
	chmod(journal, 0644);
	e2e_tool(&t, "run", "--resume", journal);
	check_refused(&t, journal, "resume it: bench-against --resume ");
	/* the same words name another commit */
	e2e_commit(&t, "later", "cost101");
	const char *const move[] = {"git", "tag", "-f", "new", "later", NULL};
	assert_int_equal(run_program(NULL, t.repo, move, NULL, 0), 0);
	e2e_tool(&t, "--resume", journal);
	check_refused(&t, journal, "variant 2 was 'new, commit ");
	e2e_end(&t);
}

TEST(what_is_no_journal_is_refused)
{
	static const struct {
		const char *text, *sentence;
	} rows[] = {
		{"", "no header: the run ended before it measured anything"},
		{"garbage\n", "line 1"},
		{"{\"t\":\"header\",\"schema\":\"bench-against.journal/1\"}\n",
			"is not 'bench-against.journal/4'"},
		{"{\"schema\":\"bench-against.results/1\"}\n", "line 1: $ has no 't'"},
	};
	e2e t = begin("cost110");
	BA_AUTO_FREE char *path = at("%s/j", t.dir);
	ba_error err = {0};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(
			ba_fs_write(path, rows[i].text, strlen(rows[i].text), 0644, &err), 0);
		e2e_tool(&t, "--resume", path);
		assert_status(&t, 129);
		assert_has(t.err, rows[i].sentence);
		BA_AUTO_FREE char *after = e2e_text_of(path);
		assert_string_equal(after, rows[i].text);
	}
	e2e_tool(&t, "--resume", "nowhere");
	assert_status(&t, 129);
	assert_has(t.err, "--resume: journal 'nowhere'");
	e2e_tool(&t, "--resume", t.dir);
	assert_has(t.err, "--resume: ");
	e2e_tool(&t, "--resume", "");
	assert_status(&t, 129);
	assert_has(t.err, "--resume '' names no journal");
	e2e_end(&t);
}
