/* A run without the command line: a caller of job/job.h with a repository of two
 * commits, launchers of known cost and a driver that needs no GPU. */
#include "test.h"
#include "tmprepo.h"

#include "base/mem.h"
#include "base/base.h"
#include "job/job.h"

#define FAKE BA_BINARY_DIR "/tests/fakecuda/lib/libcuda.so.1"
#define WORKER BA_BINARY_DIR "/libexec/bench-against/bench-against-worker"
#define HOST_DRIVER BA_BINARY_DIR "/lib/bench-against/host/libcuda.so.1"

extern char **environ;

typedef struct caller {
	char *dir, *repo, *cache;
	ba_job_parts parts;
	ba_job_request q;
	ba_job_services s;
	ba_log log;
	volatile sig_atomic_t stop;
	ba_strv phases, lines; /* that were heard */
	double done;
	bool stop_measuring;
	ba_result r;
	ba_error err;
} caller;

static void hear_phase(void *data, const char *text)
{
	caller *c = data;
	ba_strv_push(&c->phases, text);
	if (c->stop_measuring && strcmp(text, "measuring") == 0)
		c->stop = SIGINT;
}

static void hear_progress(void *data, double done, const char *text)
{
	caller *c = data;
	(void)text;
	c->done = done;
}

static void hear_line(void *data, ba_log_level level, const char *text)
{
	caller *c = data;
	if (level == BA_LOG_WARNING)
		ba_strv_push(&c->lines, text);
}

/* hashes of compilers: seconds under a sanitizer, so one test leaves them to the next */
static char *hashes_dir, *tool_hashes;

static int set_up(void **state)
{
	if (tmprepo_isolate(state))
		return -1;
	/* a launch costs what the library says and nothing else */
	setenv("BA_FAKE_CUDA", "launch_ns=0;clock_ns=0;call_ns=10", 1);
	hashes_dir = tmp_make();
	tool_hashes = at("%s/toolchain-hashes", hashes_dir);
	return 0;
}
static int tear_down(void **state)
{
	tmp_remove(hashes_dir);
	free(tool_hashes);
	return 0;
}
TEST_GROUP(set_up, tear_down);

static void keep_hashes(const caller *c, bool take)
{
	BA_AUTO_FREE char *path = at("%s/toolchain-hashes", c->cache);
	const char *from = take ? path : tool_hashes, *to = take ? tool_hashes : path;
	if (ba_fs_exists(from))
		assert_int_equal(ba_fs_copy(to, from, NULL), 0);
}

static void commit_library(const caller *c, const char *name, const char *library)
{
	BA_AUTO_FREE char *from = at(BA_BINARY_DIR "/tests/suites/%s.so", library);
	BA_AUTO_FREE char *to = at("%s/variant.so", c->repo);
	assert_int_equal(ba_fs_copy(to, from, NULL), 0);
	commit_tagged(c->repo, name);
}

/* tags "old" and "new": a launch of the second costs a tenth more */
static void begin(caller *c)
{
	*c = (caller){.dir = tmp_make(),
		.parts = {.worker = (char *)WORKER, .host_driver = (char *)HOST_DRIVER}};
	c->repo = at("%s/repo", c->dir);
	c->cache = at("%s/cache", c->dir);
	assert_int_equal(ba_fs_mkdirs(c->repo, NULL), 0);
	assert_int_equal(ba_fs_mkdirs(c->cache, NULL), 0);
	keep_hashes(c, false);
	git(c->repo, "init", "-q");
	put(c->repo, ".bench-against.json",
		"{\"build\": {\"commands\": [[\"cp\", \"variant.so\", \"launcher.so\"]]},\n"
		" \"suites\": {\"launch\": {\"kind\": \"launcher\",\n"
		"  \"library\": \"launcher.so\", \"args\": [0, 1]}}}\n");
	commit_library(c, "old", "cost100");
	commit_library(c, "new", "cost110");
	c->log = (ba_log){hear_line, c};
	c->s = (ba_job_services){.parts = &c->parts,
		.cache_root = c->cache,
		.env = (const char *const *)environ,
		.log = &c->log,
		.stop = &c->stop,
		.phase = hear_phase,
		.progress = hear_progress,
		.data = c};
	ba_job_request_init(&c->q);
	c->q.directory = c->repo;
	c->q.target = BA_ON_FAKE;
	c->q.fake_driver = FAKE;
	c->q.metrics = "submit";
	c->q.fixed = 4;
	c->q.blocks = 8;
	c->q.seed = 7;
}

static void end(caller *c)
{
	keep_hashes(c, true);
	ba_result_dispose(&c->r);
	ba_job_request_dispose(&c->q);
	ba_strv_dispose(&c->phases);
	ba_strv_dispose(&c->lines);
	tmp_remove(c->dir);
	free(c->repo);
	free(c->cache);
}

/* the whole story; a list ends after its plan */
static int tell(caller *c, ba_job_journal *journal, const char *first, const char *second)
{
	BA_AUTO(ba_strv) ba_strv variants = {0};
	BA_AUTO_PTR(ba_job) ba_job *job = ba_job_new(&c->q, &c->s, journal, &c->r);
	ba_strv_push(&variants, first);
	if (second)
		ba_strv_push(&variants, second);
	int rc = ba_job_check(&c->q, &c->err);
	rc = rc ? rc : ba_job_resolve(job, &variants, &c->err);
	rc = rc ? rc : ba_job_build(job, &c->err);
	rc = rc ? rc : ba_job_survey(job, &c->err);
	rc = rc ? rc : ba_job_plan(job, &c->err);
	if (rc || c->q.purpose == BA_JOB_LIST)
		return rc;
	rc = ba_job_measure(job, &c->err);
	if (rc == 0) {
		ba_job_answer(job);
		ba_job_end_journal(job);
	}
	return rc;
}

TEST(two_commits_are_resolved_built_measured_and_answered)
{
	caller c;
	begin(&c);
	BA_AUTO_FREE char *before = manifest(c.repo, true);
	if (tell(&c, NULL, "old", "new"))
		fail_msg("%s", c.err.text);
	assert_int_equal(c.r.decided.exit_status, 1);
	assert_has(c.r.decided.answer, "slower");
	assert_int_equal(c.r.run.benchmark_count, 2);
	assert_int_equal(c.r.series_count, 2);
	for (size_t i = 0; i < 2; i++) {
		const ba_comparison *k = &c.r.series[i].comparisons[0];
		assert_int_equal(k->verdict, BA_VERDICT_REGRESSED);
		assert_close(k->ratio, 1.1, 1e-6);
		assert_int_equal(c.r.series[i].sample_count, 4);
	}
	assert_string_equal(c.r.run.variants[0].label, "old");
	assert_int_equal(strlen(c.r.run.variants[1].commit), 40);
	assert_has(c.r.run.repository, "/repo/.git");
	assert_string_equal(c.r.run.command_line, "");
	/* who is told: the steps in their order, and how far it is */
	assert_true(ba_strv_has(&c.phases, "building 2 variants"));
	assert_true(ba_strv_has(&c.phases, "examining the machine"));
	assert_string_equal(c.phases.items[c.phases.count - 1], "measuring");
	assert_true(c.done > 0);
	/* "no commands that modify the source repository" */
	BA_AUTO_FREE char *after = manifest(c.repo, true);
	assert_string_equal(before, after);
	end(&c);
}

TEST(what_is_built_is_found_again_and_the_host_target_measures_it)
{
	caller c;
	begin(&c);
	if (tell(&c, NULL, "old", "new"))
		fail_msg("%s", c.err.text);
	assert_false(c.r.run.variants[0].build_cached);
	ba_result_dispose(&c.r);
	c.r = (ba_result){0};
	c.q.target = BA_ON_HOST;
	c.q.fake_driver = NULL;
	c.q.metrics = "host,instructions";
	c.q.fixed = 2;
	if (tell(&c, NULL, "old", "new"))
		fail_msg("%s", c.err.text);
	assert_true(c.r.run.variants[0].build_cached && c.r.run.variants[1].build_cached);
	assert_string_equal(c.r.run.env.target, "host");
	/* of two benchmarks */
	assert_int_equal(c.r.series_count, 4);
	assert_int_equal(c.r.series[1].metric, BA_METRIC_INSTRUCTIONS);
	assert_int_equal(c.r.series[0].metric, BA_METRIC_HOST);
	assert_int_equal(c.r.series[0].sample_count, 2);
	assert_true(c.r.series[0].variants[1].launches > 0);
	assert_true(strlen(c.r.decided.answer) > 10);
	end(&c);
}

TEST(a_list_ends_with_its_plan)
{
	caller c;
	begin(&c);
	c.q.purpose = BA_JOB_LIST;
	c.q.least = 1;
	if (tell(&c, NULL, "old", NULL))
		fail_msg("%s", c.err.text);
	assert_int_equal(c.r.run.benchmark_count, 2);
	assert_has(c.r.run.benchmarks[1].id, "launch/args=1");
	assert_int_equal(c.r.series_count, 0);
	end(&c);
}

TEST(a_job_that_is_asked_to_stop_keeps_its_journal)
{
	char name[] = "bench-against", *argv[] = {name, NULL};
	caller c;
	begin(&c);
	BA_AUTO_FREE char *path = at("%s/run.journal", c.dir);
	BA_AUTO(ba_job_journal) ba_job_journal whole, stopped;
	ba_job_journal_init(&whole, 1, argv);
	c.q.journal = path;
	if (tell(&c, &whole, "old", "new"))
		fail_msg("%s", c.err.text);
	assert_int_equal(whole.whole, 4);
	assert_false(ba_fs_exists(path));

	ba_result_dispose(&c.r);
	c.r = (ba_result){0};
	c.stop_measuring = true;
	ba_job_journal_init(&stopped, 1, argv);
	if (tell(&c, &stopped, "old", "new") == 0) {
		assert_true(c.r.run.interrupted);
		assert_int_equal(c.r.run.signal, SIGINT);
		assert_int_equal(c.r.decided.exit_status, 128 + SIGINT);
	} else {
		assert_int_equal(c.err.code, BA_EINTERRUPTED);
	}
	end(&c);
}

TEST(a_wrong_request_is_a_sentence_before_anything_is_built)
{
	caller c;
	begin(&c);
	c.q.metrics = "speed";
	assert_int_equal(tell(&c, NULL, "old", "new"), BA_EINVAL);
	assert_has(c.err.text, "--metrics: no metric 'speed'");
	c.q.metrics = "submit";
	assert_int_equal(tell(&c, NULL, "old", NULL), BA_EINVAL);
	assert_has(c.err.text, "1 variant is too few");
	assert_int_equal(tell(&c, NULL, "old", "nobody"), BA_ENOTFOUND);
	assert_has(c.err.text, "nobody");
	assert_int_equal(c.phases.count, 0);
	end(&c);
}
