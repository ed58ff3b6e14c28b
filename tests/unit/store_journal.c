/* The journal: what was written is there, whatever ended the run. */
#include "test.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include "base/path.h"
#include "example_result.h"
#include "store/journal.h"

typedef struct fixture {
	char dir[64], *path;
	ba_result r;
	ba_strv argv;
	ba_error err;
} fixture;

static int setup(void **state)
{
	fixture *f = ba_xcalloc(1, sizeof(*f));
	strcpy(f->dir, "/tmp/ba-journal-XXXXXX");
	if (!mkdtemp(f->dir))
		return -1;
	f->path = ba_path_join(f->dir, "run.jsonl");
	const double ratios[] = {1.0};
	const ba_verdict verdicts[] = {BA_VERDICT_UNCHANGED};
	example_begin(&f->r, 2);
	example_launch_suite(&f->r, ratios, verdicts);
	ba_strv_push(&f->argv, "bench-against");
	ba_strv_push(&f->argv, "HEAD~");
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	fixture *f = *state;
	ba_fs_remove_tree(f->dir, NULL);
	free(f->path);
	ba_result_dispose(&f->r);
	ba_strv_dispose(&f->argv);
	free(f);
	return 0;
}

#define OK(call)                                     \
	do {                                         \
		if (call)                            \
			fail_msg("%s", f->err.text); \
	} while (0)

static void write_some(fixture *f, ba_journal *j)
{
	OK(ba_journal_header(j, &f->r, &f->argv, &f->err));
	OK(ba_journal_samples(j, "launch/args=0", BA_METRIC_SUBMIT,
		&f->r.series[0].samples[0], &f->err));
	OK(ba_journal_failure(j, "launch/args=1", BA_METRIC_SUBMIT, 1, "it hung",
		"last\nwords", &f->err));
	OK(ba_journal_samples(j, "launch/args=0", BA_METRIC_SUBMIT,
		&f->r.series[0].samples[1], &f->err));
}

static void what_was_written_is_read(void **state)
{
	fixture *f = *state;
	BA_AUTO_PTR(ba_journal) ba_journal *j = NULL;
	OK(ba_journal_open(&j, f->path, true, &f->err));
	write_some(f, j);
	BA_AUTO(ba_journal_content) ba_journal_content c = {0};
	OK(ba_journal_read(&c, f->path, &f->err)); /* while it is open */
	assert_false(c.ended);
	assert_false(c.torn);
	assert_int_equal(c.variant_count, 2);
	assert_string_equal(c.variants[1].label, "contextvar");
	assert_string_equal(c.argv.items[1], "HEAD~");
	assert_true(c.seed == f->r.seed);
	assert_string_equal(c.plan_sha256, f->r.suite_sha256);
	assert_int_equal(c.record_count, 3);
	assert_int_equal(c.records[0].kind, BA_RECORD_SAMPLES);
	assert_int_equal(c.records[0].metric, BA_METRIC_SUBMIT);
	assert_int_equal(c.records[1].kind, BA_RECORD_FAILURE);
	assert_string_equal(c.records[1].failure, "it hung");
	assert_string_equal(c.records[1].output, "last\nwords");
	assert_int_equal(c.records[1].variant, 1);
	const ba_samples *x = &f->r.series[0].samples[1], *y = &c.records[2].samples;
	assert_int_equal(y->invocation, 1);
	assert_memory_equal(x->ns, y->ns,
		(size_t)x->blocks * x->positions * x->readings * sizeof(*x->ns));
	OK(ba_journal_end(j, 1, &f->err));
	BA_AUTO(ba_journal_content) ba_journal_content all = {0};
	OK(ba_journal_read(&all, f->path, &f->err));
	assert_true(all.ended);
	assert_int_equal(all.exit_status, 1);
}

static void a_torn_line_is_left_out_and_cut_off(void **state)
{
	fixture *f = *state;
	BA_AUTO_PTR(ba_journal) ba_journal *j = NULL;
	OK(ba_journal_open(&j, f->path, false, &f->err));
	write_some(f, j);
	ba_journal_free(BA_TAKE(j));
	struct stat st;
	assert_int_equal(stat(f->path, &st), 0);
	/* every place in the last line at which a kill could tear it */
	BA_AUTO(ba_buf) ba_buf whole = BA_BUF_INIT;
	OK(ba_fs_read(&whole, f->path, 1 << 20, &f->err));
	size_t last = whole.len - 1;
	while (last && whole.data[last - 1] != '\n')
		last--;
	for (size_t cut = last; cut < whole.len; cut += 7) {
		OK(ba_fs_write(f->path, whole.data, cut, 0644, &f->err));
		BA_AUTO(ba_journal_content) ba_journal_content c = {0};
		OK(ba_journal_read(&c, f->path, &f->err));
		assert_int_equal(c.record_count, 2);
		assert_int_equal(c.torn, cut > last);
		/* taken up again, the next line does not grow out of the torn one */
		BA_AUTO_PTR(ba_journal) ba_journal *again = NULL;
		OK(ba_journal_open(&again, f->path, false, &f->err));
		OK(ba_journal_end(again, 0, &f->err));
		BA_AUTO(ba_journal_content) ba_journal_content resumed = {0};
		OK(ba_journal_read(&resumed, f->path, &f->err));
		assert_int_equal(resumed.record_count, 2);
		assert_true(resumed.ended && !resumed.torn);
	}
}

static void a_killed_writer_leaves_whole_lines(void **state)
{
	fixture *f = *state;
	pid_t child = fork();
	if (child == 0) {
		ba_journal *j;
		if (ba_journal_open(&j, f->path, false, NULL) ||
			ba_journal_header(j, &f->r, &f->argv, NULL))
			_exit(1);
		for (;;)
			if (ba_journal_samples(j, "launch/args=0", BA_METRIC_SUBMIT,
				    &f->r.series[0].samples[0], NULL))
				_exit(1);
	}
	struct stat st = {0};
	while (st.st_size < 100000)
		if (stat(f->path, &st))
			st.st_size = 0;
	kill(child, SIGKILL);
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	BA_AUTO(ba_journal_content) ba_journal_content c = {0};
	OK(ba_journal_read(&c, f->path, &f->err));
	assert_true(c.record_count > 100);
}

static void two_runs_do_not_share_one(void **state)
{
	fixture *f = *state;
	BA_AUTO_PTR(ba_journal) ba_journal *one = NULL;
	BA_AUTO_PTR(ba_journal) ba_journal *two = NULL;
	OK(ba_journal_open(&one, f->path, false, &f->err));
	assert_int_equal(ba_journal_open(&two, f->path, false, &f->err), BA_EIO);
	assert_has(f->err.text, "is being written by another run");
	assert_null(two);
	ba_journal_free(BA_TAKE(one));
	OK(ba_journal_open(&two, f->path, false, &f->err));
}

static void a_full_disk_is_an_error_and_leaves_whole_lines(void **state)
{
	fixture *f = *state;
	BA_AUTO_PTR(ba_journal) ba_journal *j = NULL;
	OK(ba_journal_open(&j, f->path, false, &f->err));
	write_some(f, j);
	struct stat st;
	assert_int_equal(stat(f->path, &st), 0);
	/* a limit on the size of files stands in for the disk */
	struct rlimit old, limit;
	getrlimit(RLIMIT_FSIZE, &old);
	limit = old;
	limit.rlim_cur = (rlim_t)st.st_size + 100;
	void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	int rc = ba_journal_samples(j, "launch/args=0", BA_METRIC_SUBMIT,
		&f->r.series[0].samples[1], &f->err);
	setrlimit(RLIMIT_FSIZE, &old);
	signal(SIGXFSZ, handler);
	assert_int_equal(rc, BA_EIO);
	assert_has(f->err.text, f->path);
	OK(ba_journal_end(j, 125, &f->err));
	BA_AUTO(ba_journal_content) ba_journal_content c = {0};
	OK(ba_journal_read(&c, f->path, &f->err));
	assert_int_equal(c.record_count, 3);
	assert_true(c.ended && !c.torn);
}

static void bad_journals_are_refused_in_words(void **state)
{
	fixture *f = *state;
	static const struct {
		const char *text, *sentence;
	} rows[] = {
		{"", "no header"},
		{"{\"t\":\"hea", "no header"},
		{"garbage\n", "line 1"},
		{"[1]\n", "line 1"},
		{"{\"t\":\"samples\"}\n", "line 1: $ comes before a header"},
		{"{\"t\":\"header\",\"schema\":\"other/1\"}\n",
			"bench-against.journal/1"},
		{"{\"t\":\"header\",\"schema\":\"bench-against.journal/"
		 "1\",\"variants\":[]}\n",
			"0 variants"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		OK(ba_fs_write(
			f->path, rows[i].text, strlen(rows[i].text), 0644, &f->err));
		ba_journal_content c = {0};
		assert_int_equal(ba_journal_read(&c, f->path, &f->err), BA_EDATA);
		assert_has(f->err.text, rows[i].sentence);
		assert_has(f->err.text, f->path);
	}
	ba_journal_content c = {0};
	assert_true(ba_journal_read(&c, "/nonexistent/j", &f->err) < 0);
	BA_AUTO_PTR(ba_journal) ba_journal *j = NULL;
	assert_int_equal(ba_journal_open(&j, "/nonexistent/j", false, &f->err), BA_EIO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			what_was_written_is_read, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_torn_line_is_left_out_and_cut_off, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_killed_writer_leaves_whole_lines, setup, teardown),
		cmocka_unit_test_setup_teardown(
			two_runs_do_not_share_one, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_full_disk_is_an_error_and_leaves_whole_lines, setup,
			teardown),
		cmocka_unit_test_setup_teardown(
			bad_journals_are_refused_in_words, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
