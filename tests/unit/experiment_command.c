/* Command suites with many benchmarks, from what a program prints to kept samples. */
#include "test.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/base.h"
#include "experiment/experiment.h"
#include "suite/command_run.h"
#include "suite/kinds.h"

enum { MANY = 3000, VARIANTS = 2 };

typedef struct bench {
	char dir[64];
	char *file; /* what the program prints */
	ba_result result;
	char *argv[3];
	ba_command_line command;
	ba_suite_spec suite;
	volatile sig_atomic_t stop;
	size_t stored;
} bench;

static ba_session_threshold two_percent(void *data, const char *benchmark, ba_metric metric)
{
	(void)data;
	(void)benchmark;
	(void)metric;
	return (ba_session_threshold){.slower = 0.02, .faster = 0.02};
}

static void stop_at_the_first(
	void *data, const ba_result *r, const ba_series *series, const ba_samples *samples)
{
	bench *b = data;
	(void)r;
	(void)series;
	(void)samples;
	b->stored++;
	b->stop = SIGTERM;
}

static void write_output(const bench *b, const char *text)
{
	ba_error err;
	if (ba_fs_write(b->file, text, strlen(text), 0600, &err))
		fail_msg("%s", err.text);
}

static void begin(bench *b, const char *output)
{
	*b = (bench){.dir = "/tmp/ba-command-XXXXXX"};
	assert_non_null(mkdtemp(b->dir));
	b->file = ba_path_join(b->dir, "printed");
	b->argv[0] = (char *)"cat";
	b->argv[1] = b->file;
	write_output(b, output);
	ba_result *r = &b->result;
	*r = (ba_result){.run.variant_count = VARIANTS,
		.run.variants = ba_xcalloc(VARIANTS, sizeof(ba_variant)),
		.decided.alpha = 0.05};
	for (size_t v = 0; v < VARIANTS; v++) {
		r->run.variants[v].label = ba_xprintf("v%zu", v);
		/* two places: variants in one folder have nothing to differ in */
		r->run.variants[v].tree_dir = ba_xstrdup(v ? "/usr" : "/");
	}
	ba_measured_add_suite(&r->run, "many", BA_SUITE_COMMAND); /* the machine is known */
	b->command = (ba_command_line){
		.argv = b->argv, .limit_ns = INT64_C(60000000000), .scratch = b->dir};
	b->suite = (ba_suite_spec){.name = "many",
		.kind = BA_SUITE_COMMAND,
		.command = &b->command,
		.failures = ba_xcalloc(VARIANTS, sizeof(char *)),
		.engine = {.kind = BA_ENGINE_SPLIT,
			.variant_count = VARIANTS,
			.variants = r->run.variants,
			.stop = &b->stop}};
}

static void end(bench *b)
{
	for (size_t v = 0; v < VARIANTS; v++) {
		free(b->suite.failures[v]);
		ba_outcomes_dispose(&b->suite.found[v]);
	}
	free(b->suite.failures);
	free(b->suite.found);
	ba_survey_dispose(&b->suite.survey);
	ba_result_dispose(&b->result);
	ba_fs_remove_tree(b->dir, NULL);
	free(b->file);
}

static char *many(size_t count, const char *name)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	ba_buf_puts(&text, "{\"schema\": \"bench-against.samples/1\", \"benchmarks\": [");
	for (size_t i = 0; i < count; i++)
		ba_buf_printf(
			&text, "%s{\"id\": \"%s%zu\", \"values\": [1000]}", i ? "," : "", name, i);
	ba_buf_puts(&text, "]}");
	return ba_buf_detach(&text);
}

static void choose(bench *b)
{
	ba_result *r = &b->result;
	const ba_outcomes *found = &b->suite.found[0];
	r->run.benchmarks = ba_xcalloc(found->count, sizeof(*r->run.benchmarks));
	for (size_t i = 0; i < found->count; i++)
		r->run.benchmarks[r->run.benchmark_count++] =
			(ba_benchmark){.suite = ba_xstrdup("many"),
				.kind = BA_SUITE_COMMAND,
				.id = ba_xprintf("many/%s", found->items[i].id),
				.name = ba_xstrdup(found->items[i].id),
				.metrics = UINT32_C(1) << BA_METRIC_TIME};
}

TEST(a_signal_ends_it_between_two_benchmarks)
{
	bench b;
	ba_error err = {0};
	BA_AUTO_FREE char *output = many(MANY, "n=");
	begin(&b, output);
	if (ba_suite_survey(&b.suite, &b.result, &err))
		fail_msg("%s", err.text);
	assert_int_equal(b.suite.found[1].count, MANY);
	choose(&b);
	BA_AUTO_FREE bool *has = ba_xcalloc(MANY * VARIANTS, sizeof(*has));
	memset(has, true, MANY * VARIANTS);
	const ba_session_spec spec = {.suites = &b.suite,
		.suite_count = 1,
		.measure[BA_METRIC_TIME] = true,
		.verdict[BA_METRIC_TIME] = true,
		.alpha = 0.05,
		.design = ba_design_fixed(4),
		.threshold = two_percent,
		.stored = stop_at_the_first,
		.stored_data = &b};
	assert_int_equal(ba_experiment_run(&b.result, &spec, has, &err), 0);
	assert_true(b.result.run.interrupted);
	assert_int_equal(b.stored, 1); /* of 3000 */
	end(&b);
}

static void check_failure(const char *output, const char *said)
{
	bench b;
	ba_error err = {0};
	begin(&b, output);
	assert_int_equal(ba_suite_survey(&b.suite, &b.result, &err), BA_ELIBRARY);
	assert_has(b.suite.failures[0], said);
	assert_has(b.suite.failures[1], said);
	end(&b);
}

TEST(more_benchmarks_than_anybody_has_are_the_programs_failure)
{
	BA_AUTO_FREE char *output = many(100001, "n=");
	check_failure(output, "more than 100000 benchmarks");
}

TEST(names_without_end_are_the_programs_failure)
{
	/* fifty names of a million bytes: less than 64 MiB are printed, and read */
	BA_AUTO_FREE char *name = ba_xmalloc(1000001);
	memset(name, 'x', 1000000);
	name[1000000] = '\0';
	BA_AUTO_FREE char *output = many(50, name);
	check_failure(output, "names and messages of more than 32 MiB");
}

/* No descriptor is left for a pipe: nobody's program has failed. */
TEST(what_this_machine_lacks_is_not_the_programs_failure)
{
	bench b;
	ba_error err = {0};
	struct rlimit before, few;
	begin(&b, "{}");
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	for (rlim_t left = 0; left < 6; left++) {
		int next = dup(0);
		close(next);
		few = (struct rlimit){(rlim_t)next + left, before.rlim_max};
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
		int rc = ba_suite_survey(&b.suite, &b.result, &err);
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
		assert_int_equal(rc, BA_EIO);
		assert_has(err.text, strerror(EMFILE));
		assert_null(b.suite.failures[0]);
		assert_null(b.suite.failures[1]);
		ba_survey_dispose(&b.suite.survey);
		free(b.suite.found);
		b.suite.found = NULL;
	}
	/* and a program that is not there is */
	b.argv[0] = (char *)"/no/such/program";
	assert_int_equal(ba_suite_survey(&b.suite, &b.result, &err), BA_ELIBRARY);
	assert_has(b.suite.failures[0], "/no/such/program");
	end(&b);
}
