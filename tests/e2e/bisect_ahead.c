/* bisect builds ahead: commits that later steps will need, beside steps that count. Builds
 * ahead have the priority 10, by which the builds of this test know them. */
#include "e2e.h"

#include <signal.h>
#include <time.h>

#include "base/mem.h"

TEST_GROUP(e2e_set_up, NULL);

enum { COMMITS = 32, STEP = 19 };
#define LAST "c31"

/* A history whose builds do `ahead` if they run ahead. The ends take long enough to make
 * that worth while; the others, `needed`. */
static e2e make_line(const char *ahead, const char *needed)
{
	e2e t = e2e_begin();
	BA_AUTO_FREE char *build =
		at("\"jobs\": 30, \"commands\": [[\"sh\", \"-c\", \""
		   "cp variant.so launcher.so; case $(nice) in 10) %s;; esac; "
		   "case $(cat number) in c0|" LAST ") sleep 0.6;; *) %s;; esac\"]]",
			ahead, needed);
	e2e_configure(&t, build, "[0]");
	for (int i = 0; i < COMMITS; i++) {
		BA_AUTO_FREE char *name = at("c%d", i);
		put(t.repo, "number", name);
		e2e_commit(&t, name, i < STEP ? i % 2 ? "cost100" : "more1" : "cost130_more20");
	}
	return t;
}

#define COUNT "--target", "host", "--metrics", "instructions", "--threshold", "5%"

/* no trap flag here */
static bool cannot_count(const e2e *t)
{
	return strstr(t->err, "could not be compared") != NULL;
}

static void check_answer(e2e *t)
{
	BA_AUTO_FREE char *guilty = git_says(t->repo, "rev-parse", "c19");
	assert_status(t, 0);
	ba_json_free(t->doc);
	t->doc = NULL;
	assert_int_equal(ba_json_parse(&t->doc, t->out, strlen(t->out), NULL, NULL), 0);
	assert_string_equal(e2e_text(t, "steps.0.commits.0.commit"), guilty);
}

/* The first step waits until a build ahead is complete, at most a minute. */
TEST(builds_run_ahead_of_steps_that_count)
{
	e2e t = make_line("exit 0",
		"for i in $(seq 600); do [ -e ../../../go -o $(ls ../*.complete | wc -l) -gt 2 ] && break; sleep 0.1; done");
	e2e_tool(&t, "bisect", COUNT, "--format", "json", "c0", LAST);
	if (cannot_count(&t)) {
		e2e_end(&t);
		skip();
	}
	check_answer(&t);
	double ahead = e2e_number(&t, "cost.built_ahead");
	double used = e2e_number(&t, "cost.built_ahead_used");
	assert_true(ahead >= 1 && used <= ahead);
	/* asked for not */
	put(t.dir, "go", "");
	e2e_tool(&t, "bisect", COUNT, "--cache-dir", "../other", "--no-build-ahead", "--format",
		"json", "c0", LAST);
	check_answer(&t);
	assert_true(e2e_number(&t, "cost.built_ahead") == 0);
	e2e_end(&t);
}

/* Beside a step that is timed nothing is built: builds ahead that never end are ended before
 * it, so no later step finds one running and waits for it. */
TEST(nothing_is_built_beside_steps_that_are_timed)
{
	BA_AUTO_FREE char *endless = at("sleep %s", e2e_ages());
	e2e t = make_line(endless, ":");
	e2e_tool(&t, "bisect", "--fake-driver", BA_BINARY_DIR "/tests/fakecuda/lib/libcuda.so.1",
		"--metrics", "submit", "--blocks", "8", "--seed", "7", "--format", "json", "c0",
		LAST);
	check_answer(&t);
	assert_true(e2e_number(&t, "cost.built_ahead") == 0);
	assert_int_equal(e2e_processes(e2e_ages()), 0);
	e2e_end(&t);
}

/* Ctrl-C, and a kill that nothing can answer. */
TEST(builds_ahead_end_with_a_search_that_is_stopped)
{
	static const int signals[] = {SIGINT, SIGKILL};
	const struct timespec moment = {.tv_nsec = 5000000};
	for (size_t i = 0; i < 2; i++) {
		BA_AUTO_FREE char *endless = at("touch ../../../ahead; sleep %s", e2e_ages());
		/* a step that waits for its builds */
		BA_AUTO_FREE char *needed = at("sleep %s", e2e_ages());
		e2e t = make_line(endless, needed);
		BA_AUTO_FREE char *path = at("%s/ahead", t.dir);
		e2e_tool(&t, COUNT, "--fixed", "2", "c0", LAST);
		if (t.status != 1) { /* no trap flag here */
			e2e_end(&t);
			skip();
		}
		e2e_start_tool(&t, "bisect", COUNT, "--cache-dir", "../other", "c0", LAST);
		e2e_wait_for(path);
		kill(t.pid, signals[i]);
		e2e_wait(&t);
		assert_int_equal(t.signal, signals[i]);
		while (signals[i] == SIGKILL && e2e_left(&t))
			nanosleep(&moment, NULL);
		assert_int_equal(e2e_processes(e2e_ages()), 0);
		const char *const find[] = {"sh", "-c",
			"ls run; for d in trees/*-?; do [ -e \"$d.complete\" ] || echo \"$d\"; done",
			NULL};
		BA_AUTO_FREE char *cache = at("%s/other", t.dir);
		char *left = NULL;
		assert_int_equal(run_program(&left, cache, find, NULL, 0), 0);
		assert_string_equal(left, "");
		free(left);
		e2e_end(&t);
	}
}
