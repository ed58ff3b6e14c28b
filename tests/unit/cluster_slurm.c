#include "test.h"

#include <sys/stat.h>

#include "cluster/slurm_tasks.h"
#include "cluster/slurm_array.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/base.h"

TEST(the_array_is_ours_and_the_rest_is_sbatchs)
{
	static const struct {
		const char *text, *options;
		size_t tasks, at_once;
	} rows[] = {
		{"slurm: --partition=gpu --gres=gpu:1 --array=8", "--partition=gpu|--gres=gpu:1", 8,
			0},
		{"slurm:--array 8%2 -p gpu", "-p|gpu", 8, 2},
		{"slurm: -a16%4", "", 16, 4},
		{"slurm: -a 0-7", "", 8, 0},
		{"slurm: --array=1-8%3", "", 8, 3},
		{"slurm:", "", 1, 0},
		{"slurm: --comment='two words' --nodelist=\"a b\"",
			"--comment=two words|--nodelist=a b", 1, 0},
	};
	for (size_t i = 0; i < BA_COUNT(rows); i++) {
		ba_slurm_spec s = {0};
		ba_error err = {0};
		assert_int_equal(ba_slurm_spec_parse(&s, "--on", rows[i].text, &err), 0);
		char *options = ba_strv_join(&s.options, "|");
		assert_string_equal(options, rows[i].options);
		assert_int_equal(s.tasks, rows[i].tasks);
		assert_int_equal(s.at_once, rows[i].at_once);
		free(options);
		ba_slurm_spec_dispose(&s);
	}
}

TEST(what_is_wrong_is_named)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{"pbs: -q gpu", "only Slurm is known"},
		{"slurm", "--on slurm: it must begin with 'slurm:'"},
		{"slurm: --array=0", "--array=0 is not a number of tasks"},
		{"slurm: --array=1,3", "--array=1,3"},
		{"slurm: --array=8%", "--array=8%"},
		{"slurm: --array=7-3", "--array=7-3"},
		{"slurm: --array=1001", "from 1 to 1000"},
		{"slurm: --array", "--array= is not"},
		{"slurm: --output=x", "sets --output of sbatch itself"},
		{"slurm: -ox", "sets --output of sbatch itself"},
		{"slurm: --wrap x", "sets --wrap"},
		{"slurm: --outp=x", "sets --output"},
		{"slurm: --arr=x", "--array=x is not"},
		{"slurm: -W", "sets --wait"},
		{"slurm: --comment='x", "a quotation mark or backslash at the end"},
	};
	for (size_t i = 0; i < BA_COUNT(rows); i++) {
		ba_slurm_spec s = {0};
		ba_error err = {0};
		assert_int_equal(ba_slurm_spec_parse(&s, "--on", rows[i].text, &err), BA_EINVAL);
		assert_has(err.text, rows[i].says);
		assert_int_equal(s.tasks, 0);
	}
}

static void check_task(const ba_slurm_array *a, size_t i, const char *text)
{
	ba_buf got = BA_BUF_INIT;
	ba_slurm_task_text(&got, &a->tasks[i]);
	assert_string_equal(got.data, text);
	ba_buf_dispose(&got);
}

/* lines as squeue of Slurm 22.05 writes them */
TEST(states_are_read_as_squeue_writes_them)
{
	ba_slurm_array a;
	ba_slurm_array_again(&a, "12", NULL, 11);
	ba_slurm_read(&a, "CLUSTER: other\n"
			  "12_0|FAILED|0|1792|n1|NonZeroExitCode|7|\n"
			  "12_1|FAILED|0|9|n1|JobLaunchFailure|7|\n"
			  "12_2|COMPLETED|0|0|n1|None|7|\n"
			  "12_3|CANCELLED|0|15|n1|None|7|\n"
			  "12_4|PENDING|1|0||BeginTime|7|\n"
			  "12_5|RUNNING|0|0|n2|None|7|\n"
			  "12_6|COMPLETING|0|0|n3|None|7|\n"
			  "12_7|TIMEOUT|0|0|n3|TimeLimit|7|\n"
			  "12_8|NODE_FAIL|0|1|n3|NodeDown|7|\n"
			  "12_10|FAILED|0|53|n4|RaisedSignal:53(Real-time_signal_19)|7|\n"
			  "12_99|RUNNING|0|0|n2|None|7|\n"
			  "121_9|RUNNING|0|0|n2|None|7|\n"
			  "12_9|RUNNING|0|0|n2|None|7; reboot|\n"
			  "12_9|RUNNING|\n");
	check_task(&a, 0, "ended with status 7 on n1");
	check_task(&a, 1, "was killed by signal 9 on n1");
	check_task(&a, 2, "ended on n1");
	check_task(&a, 3, "was cancelled");
	check_task(&a, 4, "waits after a requeue (BeginTime)");
	check_task(&a, 5, "runs on n2");
	check_task(&a, 6, "runs on n3");
	check_task(&a, 7, "ran out of time on n3");
	check_task(&a, 8, "was lost: n3 failed");
	check_task(&a, 9, "is no longer known to Slurm");
	assert_int_equal(ba_slurm_count(&a, BA_SLURM_TASK_RUNNING), 2);
	check_task(&a, 10, "could not open its output file on n4 (signal 53)");
	assert_int_equal(ba_slurm_count(&a, BA_SLURM_TASK_FAILED), 3);
	ba_slurm_array_dispose(&a);
}

TEST(a_task_that_slurm_forgot_keeps_its_end)
{
	ba_slurm_array a;
	ba_slurm_array_again(&a, "12", NULL, 2);
	ba_slurm_read(&a, "12_0|FAILED|0|9|n1|None|7|\n12_1|RUNNING|0|0|n1|None|7|\n");
	ba_slurm_read(&a, "");
	assert_int_equal(a.tasks[0].state, BA_SLURM_TASK_FAILED);
	assert_int_equal(a.tasks[1].state, BA_SLURM_TASK_GONE);
	ba_slurm_array_dispose(&a);
}

/* a squeue that says that, instead of Slurm's */
static void squeue_says(const char *dir, const char *lines)
{
	BA_AUTO_FREE char *path = ba_path_join(dir, "squeue");
	BA_AUTO_FREE char *text = ba_xprintf("#!/bin/sh\ncat <<'END'\n%s\nEND\n", lines);
	assert_int_equal(ba_fs_write_atomic(path, text, strlen(text), NULL), 0);
	assert_int_equal(chmod(path, 0755), 0);
}

static void keep_line(void *data, ba_log_level level, const char *text)
{
	if (level == BA_LOG_INFO)
		ba_buf_printf(data, "%s\n", text);
}

/* what is heard of the next member that is gone */
static char *next_gone(const ba_member_source *m, const char *member)
{
	int64_t end = ba_now_ns() + 30 * BA_SECOND;
	BA_AUTO_FREE char *id = NULL;
	char *how = NULL;
	while (!id && ba_now_ns() < end)
		assert_int_equal(m->wait(m->self, 20 * BA_MS, &id, &how, NULL), 0);
	assert_string_equal(id ? id : "", member);
	return how;
}

TEST(a_crew_says_why_it_waits_and_how_its_tasks_end)
{
	char dir[] = "/tmp/ba-squeue-XXXXXX", *id = NULL, *how = NULL;
	assert_non_null(mkdtemp(dir));
	BA_AUTO_FREE char *path = ba_xprintf("%s:%s", dir, getenv("PATH"));
	BA_AUTO(ba_buf) ba_buf said = BA_BUF_INIT;
	const ba_log log = {keep_line, &said};
	int64_t end = ba_now_ns() + 30 * BA_SECOND;
	ba_slurm_array a;
	ba_error err = {0};
	setenv("PATH", path, 1);
	squeue_says(dir, "12_0|PENDING|0|0||None|7|\n12_1|PENDING|0|0||Resources|7|");
	ba_slurm_array_again(&a, "12", NULL, 2);
	BA_AUTO_PTR(ba_slurm_tasks)
	ba_slurm_tasks *c = ba_slurm_tasks_new(
		&a, &(ba_slurm_tasks_spec){.output_dir = "/only/here", .log = &log});
	const ba_member_source m = ba_slurm_tasks_source(c);
	while (said.len == 0 && ba_now_ns() < end)
		assert_int_equal(m.wait(m.self, 20 * BA_MS, &id, &how, NULL), 0);
	assert_string_equal(said.data, "Slurm job 12: 2 tasks wait in the queue (Resources)\n");
	squeue_says(dir, "12_0|CANCELLED|0|15||None|7|\n12_1|FAILED|0|53|n4|None|8|");
	BA_AUTO_FREE char *first = next_gone(&m, "12_0");
	assert_string_equal(first, "its task was cancelled");
	BA_AUTO_FREE char *second = next_gone(&m, "12_1");
	assert_string_equal(second,
		"its task could not open its output file on n4 (signal 53): nodes do not see '/only/here'; --desk DIR names a directory that they see, and --ship needs none");
	assert_int_equal(m.wait(m.self, 20 * BA_MS, &id, &how, &err), BA_EUNSUPPORTED);
	assert_non_null(strstr(err.text, "all tasks of Slurm job 12 have ended"));
	assert_int_equal(ba_fs_remove_tree(dir, NULL), 0);
}
