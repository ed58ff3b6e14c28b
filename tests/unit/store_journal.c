/* The journal: what was written is there, whatever ended the run. */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include "base/base.h"
#include "example_result.h"
#include "journal_seal.h"
#include "store/journal.h"

typedef struct fixture {
	char dir[64], *path;
	ba_result r;
	ba_strv argv;
	ba_error err;
} fixture;

/* stat() fails that often, as on a disk that is going */
static unsigned stats_to_fail, stats_failed;
int __real_stat(const char *path, struct stat *st);
int __wrap_stat(const char *path, struct stat *st);

int __wrap_stat(const char *path, struct stat *st)
{
	if (stats_failed == stats_to_fail)
		return __real_stat(path, st);
	stats_failed++;
	errno = EIO;
	return -1;
}

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

/* invocation 0 whole, of invocation 1 one of two lines */
static void write_some(fixture *f, ba_journal *j)
{
	const ba_samples *samples = f->r.series[0].samples;
	BA_AUTO(ba_fingerprint) ba_fingerprint fingerprint = {0};
	BA_AUTO(ba_checkpoint)
	ba_checkpoint c = {.elapsed_ns = 12,
		.samples = 1,
		.benchmark_count = 1,
		.suite_count = 1,
		.benchmarks = ba_xcalloc(1, sizeof(*c.benchmarks)),
		.suites = ba_xcalloc(1, sizeof(*c.suites))};
	ba_benchmark_state *b = &c.benchmarks[0];
	b->variant_count = 2;
	b->variants = ba_xcalloc(2, sizeof(*b->variants));
	b->id = ba_xstrdup("launch/args=0");
	b->active = b->sized = b->variants[0].wanted = true;
	b->variants[1].failure = ba_xstrdup("it hung");
	b->variants[1].output = ba_xstrdup("last\nwords");
	b->sets = 64;
	b->flop = 1e9;
	b->has_metric = 1u << BA_METRIC_SUBMIT;
	b->metrics[BA_METRIC_SUBMIT] =
		(ba_metric_state){.slower = 0.1 / 3, .faster = 0.02, .batch = 5};
	c.suites[0].name = ba_xstrdup("launch");
	c.suites[0].engine = ba_xstrdup("split");
	ba_strv_push(&c.notes, "a note");
	ba_fingerprint_add(&fingerprint, "--alpha", ba_xstrdup("0.05"));
	ba_fingerprint_add(&fingerprint, "gone", ba_xstrdup("x"));
	OK(ba_journal_header(j, &f->r, &f->argv, "/here", &fingerprint, &f->err));
	OK(ba_journal_samples(j, "launch/args=0", BA_METRIC_SUBMIT, &samples[0], &f->err));
	OK(ba_journal_invocation(j, 0, &c, &f->err));
	OK(ba_journal_samples(j, "launch/args=0", BA_METRIC_SUBMIT, &samples[1], &f->err));
}

static void create(fixture *f)
{
	BA_AUTO_PTR(ba_journal) ba_journal *j = NULL;
	OK(ba_journal_create(&j, NULL, f->path, &f->err));
	write_some(f, j);
}

TEST_WITH(what_was_written_is_read, setup, teardown)
{
	fixture *f = *state;
	BA_AUTO_PTR(ba_journal) ba_journal *j = NULL;
	BA_AUTO(ba_journal_content) ba_journal_content c = {0};
	create(f);
	OK(ba_journal_open(&j, &c, f->path, &f->err));
	assert_int_equal(c.variant_count, 2);
	assert_string_equal(c.argv.items[1], "HEAD~");
	assert_string_equal(c.directory, "/here");
	assert_string_equal(c.env.target, f->r.run.env.target);
	assert_true(c.seed == f->r.run.seed);
	assert_int_equal(c.resumed.count, 1);
	assert_int_equal(ba_resumed_elapsed_ns(&c.resumed), 12);
	const ba_checkpoint *k = &c.resumed.checkpoints[0];
	assert_string_equal(k->notes.items[0], "a note");
	assert_string_equal(k->suites[0].engine, "split");
	const ba_benchmark_state *b = &k->benchmarks[0];
	assert_true(b->active && b->sized && b->variants[0].wanted && !b->variants[1].wanted);
	assert_string_equal(b->variants[1].failure, "it hung");
	assert_string_equal(b->variants[1].output, "last\nwords");
	assert_null(b->variants[0].skipped);
	assert_int_equal(b->sets, 64);
	assert_true(b->flop == 1e9);
	assert_int_equal(b->has_metric, 1u << BA_METRIC_SUBMIT);
	assert_true(b->metrics[BA_METRIC_SUBMIT].slower == 0.1 / 3);
	assert_int_equal(b->metrics[BA_METRIC_SUBMIT].batch, 5);
}

TEST_WITH(an_invocation_that_is_not_whole_is_dropped_and_cut_off, setup, teardown)
{
	fixture *f = *state;
	create(f);
	BA_AUTO(ba_buf) ba_buf whole = BA_BUF_INIT;
	OK(ba_fs_read(&whole, f->path, 1 << 20, &f->err));
	size_t last = whole.len - 1;
	while (last && whole.data[last - 1] != '\n')
		last--;
	/* every place in the last line at which a kill could tear it */
	for (size_t cut = last; cut <= whole.len; cut += 7) {
		OK(ba_fs_write(f->path, whole.data, cut, 0644, &f->err));
		BA_AUTO_PTR(ba_journal) ba_journal *j = NULL;
		BA_AUTO(ba_journal_content) ba_journal_content c = {0};
		OK(ba_journal_open(&j, &c, f->path, &f->err));
		assert_int_equal(c.resumed.count, 1);
		assert_int_equal(c.resumed.sample_count, 1);
		const ba_samples *x = &f->r.series[0].samples[0],
				 *y = &c.resumed.samples[0].samples;
		assert_memory_equal(x->ns, y->ns,
			(size_t)x->blocks * x->positions * x->readings * sizeof(*x->ns));
		/* looked at is not touched */
		struct stat st;
		assert_int_equal(stat(f->path, &st), 0);
		assert_int_equal(st.st_size, cut);
		/* the next line does not grow out of the torn one */
		OK(ba_journal_go_on(j, &f->err));
		OK(ba_journal_samples(
			j, "launch/args=0", BA_METRIC_SUBMIT, &f->r.series[0].samples[1], &f->err));
		assert_int_equal(stat(f->path, &st), 0);
		assert_int_equal(st.st_size, whole.len);
	}
}

TEST_WITH(origins_stand_before_their_samples, setup, teardown)
{
	fixture *f = *state;
	BA_AUTO(ba_fingerprint) ba_fingerprint fingerprint = {0};
	BA_AUTO(ba_origin) ba_origin o;
	ba_samples *x = f->r.series[0].samples;
	ba_origin_init(&o, "GPU 1", &f->r.run.env, 77);
	for (unsigned origin = 0; origin < 2; origin++) {
		BA_AUTO_PTR(ba_journal) ba_journal *j = NULL;
		BA_AUTO(ba_journal_content) ba_journal_content c = {0};
		const ba_checkpoint k = {.samples = 1};
		OK(ba_journal_create(&j, NULL, f->path, &f->err));
		OK(ba_journal_header(j, &f->r, &f->argv, "/here", &fingerprint, &f->err));
		for (unsigned i = 0; i <= origin; i++)
			OK(ba_journal_origin(j, &o, &f->err));
		x->origin = 1;
		OK(ba_journal_samples(j, "launch/args=0", BA_METRIC_SUBMIT, x, &f->err));
		OK(ba_journal_invocation(j, 0, &k, &f->err));
		OK(ba_journal_samples(j, "launch/args=0", BA_METRIC_SUBMIT, &x[1], &f->err));
		ba_journal_free(BA_TAKE(j));
		int rc = ba_journal_open(&j, &c, f->path, &f->err);
		assert_int_equal(rc, origin ? 0 : BA_EDATA);
		if (rc) {
			assert_non_null(strstr(f->err.text, "is of origin 1, and there are 1"));
			continue;
		}
		assert_int_equal(c.resumed.origin_count, 2);
		assert_string_equal(c.resumed.origins[1].name, "GPU 1");
		assert_true(c.resumed.origins[1].seed == 77);
		assert_int_equal(c.resumed.samples[0].samples.origin, 1);
		/* not within an invocation */
		OK(ba_journal_go_on(j, &f->err));
		OK(ba_journal_samples(j, "launch/args=0", BA_METRIC_SUBMIT, &x[1], &f->err));
		OK(ba_journal_origin(j, &o, &f->err));
		ba_journal_free(BA_TAKE(j));
		ba_journal_content_dispose(&c);
		assert_int_equal(ba_journal_open(&j, &c, f->path, &f->err), BA_EDATA);
		assert_non_null(strstr(f->err.text, "comes within an invocation"));
	}
}

TEST_WITH(a_restart_forgets_what_was_before, setup, teardown)
{
	fixture *f = *state;
	BA_AUTO_PTR(ba_journal) ba_journal *j = NULL;
	BA_AUTO(ba_journal_content) ba_journal_content c = {0};
	OK(ba_journal_create(&j, NULL, f->path, &f->err));
	write_some(f, j);
	OK(ba_journal_restart(j, &f->err));
	ba_journal_free(BA_TAKE(j));
	OK(ba_journal_open(&j, &c, f->path, &f->err));
	assert_int_equal(c.resumed.count, 0);
	assert_int_equal(c.resumed.sample_count, 0);
	assert_string_equal(c.fingerprint.names.items[0], "--alpha");
}

TEST_WITH(a_killed_writer_leaves_whole_lines, setup, teardown)
{
	fixture *f = *state;
	pid_t child = fork();
	if (child == 0) {
		ba_journal *j;
		if (ba_journal_create(&j, NULL, f->path, NULL))
			_exit(1);
		write_some(f, j);
		for (;;)
			if (ba_journal_samples(j, "launch/args=0", BA_METRIC_SUBMIT,
				    &f->r.series[0].samples[1], NULL))
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
	BA_AUTO_PTR(ba_journal) ba_journal *j = NULL;
	BA_AUTO(ba_journal_content) ba_journal_content c = {0};
	OK(ba_journal_open(&j, &c, f->path, &f->err));
	assert_int_equal(c.resumed.count, 1);
}

TEST_WITH(two_runs_do_not_share_one, setup, teardown)
{
	fixture *f = *state;
	BA_AUTO_PTR(ba_journal) ba_journal *one = NULL;
	BA_AUTO_PTR(ba_journal) ba_journal *two = NULL;
	bool replaced = true;
	OK(ba_journal_create(&one, &replaced, f->path, &f->err));
	assert_false(replaced);
	write_some(f, one);
	assert_int_equal(ba_journal_create(&two, NULL, f->path, &f->err), BA_EINVAL);
	assert_has(f->err.text, "is being written by another run");
	assert_null(two);
	BA_AUTO(ba_journal_content) ba_journal_content c = {0};
	assert_int_equal(ba_journal_open(&two, &c, f->path, &f->err), BA_EINVAL);
	assert_has(f->err.text, "is being written by another run");
	ba_journal_free(BA_TAKE(one));
	OK(ba_journal_create(&two, &replaced, f->path, &f->err));
	assert_true(replaced);
}

TEST_WITH(a_full_disk_is_an_error_and_leaves_whole_lines, setup, teardown)
{
	fixture *f = *state;
	BA_AUTO_PTR(ba_journal) ba_journal *j = NULL;
	OK(ba_journal_create(&j, NULL, f->path, &f->err));
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
	int rc = ba_journal_samples(
		j, "launch/args=0", BA_METRIC_SUBMIT, &f->r.series[0].samples[1], &f->err);
	setrlimit(RLIMIT_FSIZE, &old);
	signal(SIGXFSZ, handler);
	assert_int_equal(rc, BA_EIO);
	assert_has(f->err.text, f->path);
	assert_has(f->err.text, strerror(EFBIG));
	struct stat now;
	assert_int_equal(stat(f->path, &now), 0);
	assert_int_equal(now.st_size, st.st_size);
}

TEST(terms_that_differ_are_named)
{
	BA_AUTO(ba_fingerprint) ba_fingerprint then = {0}, now = {0};
	BA_AUTO(ba_strv) ba_strv some = {0}, all = {0};
	ba_fingerprint_add(&then, "a", ba_xstrdup("1"));
	ba_fingerprint_add(&then, "b", ba_xstrdup("2"));
	ba_fingerprint_add(&then, "c", ba_xstrdup("3"));
	ba_fingerprint_add(&now, "d", ba_xstrdup("4"));
	ba_fingerprint_add(&now, "b", ba_xstrdup("2"));
	ba_fingerprint_add(&now, "a", ba_xstrdup("0"));
	ba_fingerprint_differences(&some, &then, &now, false);
	assert_int_equal(some.count, 1);
	assert_string_equal(some.items[0], "a was '1' and is '0' now");
	ba_fingerprint_differences(&all, &then, &now, true);
	assert_int_equal(all.count, 3);
	assert_string_equal(all.items[0], "d is '4' now and was not recorded before");
	assert_string_equal(all.items[2], "c was '3' and does not exist now");
}

/* ---- damage ---- */

/* Reads what `text` says. 0: nothing of it is wrong; else the line that is. */
static size_t damaged_line(fixture *f, const ba_buf *text, ba_journal_content *c)
{
	BA_AUTO_PTR(ba_journal) ba_journal *j = NULL;
	OK(ba_fs_write(f->path, text->data, text->len, 0644, &f->err));
	*c = (ba_journal_content){0};
	int rc = ba_journal_open(&j, c, f->path, &f->err);
	if (rc == 0)
		return c->damaged_line;
	assert_int_equal(rc, BA_EDATA);
	assert_has(f->err.text, "line 1");
	return 1;
}

TEST_WITH(every_bit_that_flips_is_found, setup, teardown)
{
	fixture *f = *state;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	create(f);
	OK(ba_fs_read(&text, f->path, 1 << 20, &f->err));
	size_t line = 1;
	for (size_t i = 0; i < text.len; i++) {
		char was = text.data[i];
		text.data[i] ^= (char)(1 << (i * 5 % 8));
		BA_AUTO(ba_journal_content) ba_journal_content c = {0};
		size_t found = damaged_line(f, &text, &c);
		/* without its end the last line is a torn one, which counts for nothing
		 */
		if (i + 1 < text.len && found != line)
			fail_msg("byte %zu, line %zu: %zu", i, line, found);
		/* what was before it is kept, and nothing else */
		assert_int_equal(c.resumed.count, line > 3);
		assert_int_equal(c.resumed.sample_count, line > 3);
		text.data[i] = was;
		line += was == '\n';
	}
	assert_int_equal(line, 5);
}

TEST_WITH(lines_that_are_missing_or_moved_are_found, setup, teardown)
{
	fixture *f = *state;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	size_t starts[8] = {0}, lines = 0;
	create(f);
	OK(ba_fs_read(&text, f->path, 1 << 20, &f->err));
	for (size_t i = 0; i < text.len; i++)
		if (text.data[i] == '\n')
			starts[++lines] = i + 1;
	assert_int_equal(lines, 4);
	static const struct {
		const char *order; /* of the lines */
		size_t damaged;
	} rows[] = {{"0123", 0}, {"012", 0}, {"013", 3}, {"0213", 2}, {"01233", 5}, {"023", 2},
		{"123", 1}, {"0121", 4}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_buf) ba_buf moved = BA_BUF_INIT;
		BA_AUTO(ba_journal_content) ba_journal_content c = {0};
		for (const char *k = rows[i].order; *k; k++)
			ba_buf_put(&moved, text.data + starts[*k - '0'],
				starts[*k - '0' + 1] - starts[*k - '0']);
		assert_int_equal(damaged_line(f, &moved, &c), rows[i].damaged);
	}
}

/* The lines that are appended follow the last one that was kept. */
TEST_WITH(a_damaged_journal_is_written_on_from_what_is_whole, setup, teardown)
{
	fixture *f = *state;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	create(f);
	OK(ba_fs_read(&text, f->path, 1 << 20, &f->err));
	text.data[text.len - 40] ^= 1;
	OK(ba_fs_write(f->path, text.data, text.len, 0644, &f->err));
	for (int i = 0; i < 2; i++) {
		BA_AUTO_PTR(ba_journal) ba_journal *j = NULL;
		BA_AUTO(ba_journal_content) ba_journal_content c = {0};
		OK(ba_journal_open(&j, &c, f->path, &f->err));
		assert_int_equal(c.damaged_line, i == 0 ? 4 : 0);
		assert_int_equal(c.resumed.count, 1);
		OK(ba_journal_go_on(j, &f->err));
		OK(ba_journal_samples(
			j, "launch/args=0", BA_METRIC_SUBMIT, &f->r.series[0].samples[1], &f->err));
	}
}

TEST_WITH(a_journal_goes_before_its_lock_does, setup, teardown)
{
	fixture *f = *state;
	ba_journal *j = NULL;
	OK(ba_journal_create(&j, NULL, f->path, &f->err));
	ba_journal_remove(j);
	assert_false(ba_fs_exists(f->path));
	/* one that somebody put in its place is not ours */
	OK(ba_journal_create(&j, NULL, f->path, &f->err));
	assert_int_equal(unlink(f->path), 0);
	OK(ba_fs_write(f->path, "x", 1, 0644, &f->err));
	ba_journal_remove(j);
	assert_true(ba_fs_exists(f->path));
	ba_journal_remove(NULL);
}

/* A process that waits at the lock of a file which is removed meanwhile must not write
 * into what has no name any more. */
TEST_WITH(a_lock_of_a_file_that_was_removed_is_none, setup, teardown)
{
	fixture *f = *state;
	enum { ROUNDS = 300 };
	pid_t child = fork();
	for (int i = 0; i < ROUNDS; i++) {
		ba_journal *j = NULL;
		ba_error err = {0};
		if (ba_journal_create(&j, NULL, f->path, &err)) {
			if (err.code != BA_EINVAL && child == 0)
				_exit(1);
			continue;
		}
		if (!ba_fs_exists(f->path)) {
			if (child == 0)
				_exit(1);
			fail_msg("the journal has a lock and no name");
		}
		ba_journal_remove(j);
	}
	if (child == 0)
		_exit(0);
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

#define HEADER                                                                     \
	"{\"t\":\"header\",\"schema\":\"" BA_JOURNAL_SCHEMA "\",\"argv\":[\"x\"]," \
	"\"terms\":{},\"environment\":{},\"variants\":1}\n"
#define SAMPLES(n)                                                                             \
	"{\"t\":\"samples\",\"benchmark\":\"b\",\"metric\":\"submit\","                        \
	"\"invocation\":" n ",\"participants\":1,\"positions\":1,\"blocks\":1,\"readings\":1," \
	"\"batch\":1,\"order\":[0],\"ns\":[1]}\n"
#define INVOCATION(n, samples, benchmarks)                                                 \
	"{\"t\":\"invocation\",\"invocation\":" n ",\"elapsed_ns\":1,\"samples\":" samples \
	",\"suites\":[],\"benchmarks\":[" benchmarks "]}\n"

TEST_WITH(bad_journals_are_refused_in_words, setup, teardown)
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
		{"{\"t\":\"header\",\"schema\":\"other/1\"}\n", "bench-against.journal/4"},
		{"{\"t\":\"header\",\"schema\":\"bench-against.journal/2\"}\n",
			"line 1: $.schema is not 'bench-against.journal/4'"},
		{HEADER HEADER, "is a second header"},
		{HEADER SAMPLES("1"), "line 2: $ is of invocation 1 where 0 is"},
		{HEADER SAMPLES("0") INVOCATION("1", "1", ""), "line 3: $.invocation"},
		{HEADER SAMPLES("0") INVOCATION("0", "2", ""),
			"line 3: $ ends an invocation of 2 lines of samples, of "
			"which 1 are present"},
		{HEADER INVOCATION(
			 "0", "0", "{\"benchmark\":\"b\",\"variants\":[],\"metrics\":{}}"),
			"has 0 entries where 1 are expected"},
		{HEADER INVOCATION("0", "0",
			 "{\"benchmark\":\"b\",\"variants\":[{}],\"metrics\":{"
			 "\"submit\":{\"slower\":-1,\"faster\":0}}}"),
			"$.benchmarks[0].metrics.submit has no thresholds"},
		{HEADER INVOCATION("0", "0",
			 "{\"benchmark\":\"b\",\"variants\":[{}],\"metrics\":{"
			 "\"speed\":{}}}"),
			"is not a metric"},
		{HEADER "{\"t\":\"end\"}\n", "is not a record of a journal"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		journal_seal(&text, rows[i].text, strlen(rows[i].text));
		OK(ba_fs_write(f->path, text.data, text.len, 0644, &f->err));
		ba_journal_content c = {0};
		ba_journal *j = NULL;
		assert_int_equal(ba_journal_open(&j, &c, f->path, &f->err), BA_EDATA);
		assert_has(f->err.text, rows[i].sentence);
		assert_has(f->err.text, f->path);
	}
	ba_journal_content c = {0};
	BA_AUTO_PTR(ba_journal) ba_journal *j = NULL;
	assert_int_equal(ba_journal_open(&j, &c, "/nonexistent/j", &f->err), BA_ENOTFOUND);
	assert_true(ba_journal_create(&j, NULL, "/nonexistent/j", &f->err) < 0);
}

TEST_WITH(a_path_that_cannot_be_looked_at_is_an_error_and_no_loop, setup, teardown)
{
	fixture *f = *state;
	ba_journal *j = NULL;
	stats_to_fail = 100;
	int rc = ba_journal_create(&j, NULL, f->path, &f->err);
	unsigned failed = stats_failed;
	stats_to_fail = stats_failed = 0;
	assert_int_equal(failed, 1);
	assert_int_equal(rc, BA_EIO);
	assert_has(f->err.text, "run.jsonl': Input/output error");
	assert_int_equal(ba_journal_create(&j, NULL, f->path, &f->err), 0);
	ba_journal_remove(j);
}
