/* the history's file: what goes in comes out, and a damaged file is an error, not a
 * crash */
#include "test.h"

#include <grp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/base.h"
#include "base/rng.h"
#include "example_result.h"
#include "store/history.h"

static char dir[64], *path;

static int begin(void **state)
{
	strcpy(dir, "/tmp/ba-history-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	path = ba_path_join(dir, "folder/history.sqlite");
	return 0;
}

static int end(void **state)
{
	free(path);
	return ba_fs_remove_tree(dir, NULL);
}

/* two variants and two benchmarks, the candidate 4 per cent slower in the first */
static void fill(ba_result *r)
{
	const double figures[] = {2500, 2600};
	const ba_verdict verdicts[] = {BA_VERDICT_REGRESSED};
	example_begin(r, 2);
	for (unsigned i = 0; i < 2; i++) {
		char id[32];
		snprintf(id, sizeof(id), "launch/args=%u", i);
		example_series(r, example_benchmark(r, id, i), BA_METRIC_SUBMIT, figures, verdicts);
	}
}

static int add(const ba_result *r, ba_error *err)
{
	static const char plans[8][65] = {"p0", "p1"};
	BA_AUTO_PTR(ba_history) ba_history *h = NULL;
	int rc = ba_history_open(&h, path, true, err);
	return rc ? rc : ba_history_add(h, r, plans, NULL, err);
}

TEST_WITH(what_goes_in_comes_out, begin, end)
{
	BA_AUTO(ba_result) ba_result r = {0};
	BA_AUTO_PTR(ba_history) ba_history *h = NULL;
	BA_AUTO(ba_history_list) ba_history_list list = {0};
	BA_AUTO(ba_history_points) ba_history_points points = {0};
	ba_error err = {0};
	fill(&r);
	assert_int_equal(ba_history_open(&h, path, false, &err), BA_ENOTFOUND);
	for (int i = 0; i < 3; i++)
		if (add(&r, &err))
			fail_msg("%s", err.text);
	assert_int_equal(ba_history_open(&h, path, false, &err), 0);
	assert_int_equal(ba_history_list_series(&list, h, &err), 0);
	assert_int_equal(list.count, 2);
	assert_string_equal(list.items[0].benchmark, "launch/args=0");
	assert_string_equal(list.items[0].metric, "submit");
	assert_string_equal(list.items[1].plan_sha256, "p1");
	assert_int_equal(list.items[0].points, 6);
	assert_int_equal(ba_history_read(&points, h, &list.items[0], &err), 0);
	assert_int_equal(points.count, 6);
	assert_string_equal(points.items[0].commit, r.run.variants[0].commit);
	assert_null(points.items[0].verdict);
	assert_string_equal(points.items[1].verdict, "regressed");
	assert_string_equal(points.items[1].baseline, r.run.variants[0].commit);
	assert_close(points.items[1].ns, 2600, 0.01);
	/* what is read cannot be written */
	static const char plans[8][65] = {"p0", "p1"};
	assert_int_equal(ba_history_add(h, &r, plans, NULL, &err), BA_EIO);
	assert_has(err.text, "may not be written");
}

/* every way in, with whatever is in the file */
static void look(void)
{
	BA_AUTO_PTR(ba_history) ba_history *h = NULL;
	BA_AUTO(ba_history_list) ba_history_list list = {0};
	ba_error err = {0};
	int rc = ba_history_open(&h, path, false, &err);
	rc = rc ? rc : ba_history_list_series(&list, h, &err);
	for (size_t i = 0; rc == 0 && i < list.count; i++) {
		BA_AUTO(ba_history_points) ba_history_points points = {0};
		rc = ba_history_read(&points, h, &list.items[i], &err);
		for (size_t k = 0; rc == 0 && k < points.count; k++) {
			assert_true(points.items[k].ns > 0);
			assert_true(strlen(points.items[k].commit) < 65);
		}
	}
	if (rc)
		assert_has(err.text, "history.sqlite");
}

static size_t points_of_all(void)
{
	BA_AUTO_PTR(ba_history) ba_history *h = NULL;
	BA_AUTO(ba_history_list) ba_history_list list = {0};
	ba_error err = {0};
	assert_int_equal(ba_history_open(&h, path, false, &err), 0);
	assert_int_equal(ba_history_list_series(&list, h, &err), 0);
	size_t n = 0;
	for (size_t i = 0; i < list.count; i++)
		n += list.items[i].points;
	return n;
}

/* A limit on the size of files stands in for the disk. */
TEST_WITH(a_full_disk_leaves_what_was_there, begin, end)
{
	BA_AUTO(ba_result) ba_result r = {0};
	ba_error err = {0};
	struct rlimit old, limit;
	struct stat st;
	fill(&r);
	assert_int_equal(add(&r, &err), 0);
	size_t before = points_of_all();
	assert_int_equal(stat(path, &st), 0);
	getrlimit(RLIMIT_FSIZE, &old);
	void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
	/* at every page of what several runs would need: in the file, in its journal */
	for (rlim_t room = 0; room <= (rlim_t)st.st_size; room += 4096) {
		limit = old;
		limit.rlim_cur = room;
		setrlimit(RLIMIT_FSIZE, &limit);
		int rc = 0;
		for (int i = 0; i < 40 && rc == 0; i++) {
			rc = add(&r, &err);
			before += rc == 0 ? 4 : 0;
		}
		setrlimit(RLIMIT_FSIZE, &old);
		assert_true(rc < 0);
		assert_has(err.text, "history.sqlite");
		assert_int_equal(points_of_all(), before);
	}
	signal(SIGXFSZ, handler);
	assert_int_equal(add(&r, &err), 0);
	assert_int_equal(points_of_all(), before + 4);
}

/* By another user, where we are one that may write everything. */
static int add_in_child(const ba_result *r)
{
	pid_t child = fork();
	if (child == 0) {
		ba_error err = {0};
		if (geteuid() == 0 && (setgroups(0, NULL) || setuid(65534)))
			_exit(3);
		int rc = add(r, &err);
		_exit(rc == BA_EIO && strstr(err.text, "history.sqlite") &&
					(strstr(err.text, "may not be written") ||
						strstr(err.text, "cannot be opened"))
				? 0
				: 1);
	}
	int status = 0;
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

TEST_WITH(what_may_not_be_written_is_told_and_stays, begin, end)
{
	BA_AUTO(ba_result) ba_result r = {0};
	BA_AUTO_FREE char *folder = ba_path_dir(path);
	ba_error err = {0};
	fill(&r);
	assert_int_equal(add(&r, &err), 0);
	chmod(dir, 0755);
	chmod(folder, 0555);
	chmod(path, 0444);
	assert_int_equal(add_in_child(&r), 0);
	/* the file may be written, and its journal may not be made */
	chmod(path, 0666);
	assert_int_equal(add_in_child(&r), 0);
	/* it may not even be seen */
	chmod(folder, 0);
	assert_int_equal(add_in_child(&r), 0);
	chmod(folder, 0755);
	assert_int_equal(points_of_all(), 4);
}

TEST_WITH(damage_is_an_error, begin, end)
{
	BA_AUTO(ba_result) ba_result r = {0};
	BA_AUTO(ba_buf) ba_buf good = BA_BUF_INIT;
	ba_error err = {0};
	uint64_t random = 3;
	fill(&r);
	for (int i = 0; i < 20; i++)
		assert_int_equal(add(&r, &err), 0);
	assert_int_equal(ba_fs_read(&good, path, 1 << 24, &err), 0);
	for (int i = 0; i < 150; i++) {
		BA_AUTO_FREE char *bad = ba_xmemdup0(good.data, good.len);
		size_t size = good.len;
		if (i % 5 == 0)
			size = ba_rng_below(&random, good.len);
		for (int k = 0; k < 1 + i % 8 && size; k++)
			bad[ba_rng_below(&random, k % 2		? size
						  : size < 4096 ? size
								: 4096)] =
				(char)ba_rng_below(&random, 256);
		assert_int_equal(ba_fs_write(path, bad, size, 0600, &err), 0);
		look();
		/* and a run that would add to it: told, or done */
		if (add(&r, &err))
			assert_has(err.text, "history.sqlite");
	}
}
