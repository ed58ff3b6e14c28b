/* Criterion.rs: target/criterion/GROUP/FUNCTION/VALUE/BASELINE/{benchmark,sample}.json.
 * times[i] is the time of iters[i] iterations together. */
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>

#include "import/source.h"

enum { DEPTH_MOST = 8 };

typedef struct walk {
	const ba_source *s;
	const char *part;
	ba_values iters, times;
	size_t found;
} walk;

/* The names of directories in it, sorted, without links. */
static int list_dirs(ba_strv *out, const char *path, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv names = {0};
	int rc = ba_fs_names(&names, path, err);
	for (size_t i = 0; rc == 0 && i < names.count; i++) {
		BA_AUTO_FREE char *full = ba_path_join(path, names.items[i]);
		struct stat st;
		if (names.items[i][0] != '.' && lstat(full, &st) == 0 && S_ISDIR(st.st_mode))
			ba_strv_push(out, names.items[i]);
	}
	return rc;
}

static int read_id(ba_buf *id, const char *path, ba_error *err)
{
	const ba_source file = {.name = path};
	const ba_member rows[] = {{"full_id", id}};
	int rc = ba_document_pull(&file, NULL, BA_ROWS(rows), err);
	if (rc == 0 && !id->len)
		rc = ba_fail(err, BA_EDATA, "'%s' has no 'full_id'", path);
	return rc;
}

/* before 0.3.4: [iters, times] */
static int read_pair(walk *w, ba_pull *p, ba_error *err)
{
	ba_values *const both[] = {&w->iters, &w->times};
	int rc = ba_pull_array(p, err);
	for (size_t i = 0; rc == 0 && (rc = ba_pull_element(p, err)) > 0; i++)
		rc = i < 2 ? ba_values_pull(both[i], p, 1, err) : ba_pull_skip(p, err);
	return rc;
}

static int read_sample(walk *w, const char *path, ba_error *err)
{
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	const ba_member rows[] = {{"iters", .values = &w->iters}, {"times", .values = &w->times}};
	w->iters.count = w->times.count = 0;
	int rc = ba_pull_open(&p, path, err);
	if (rc == 0)
		rc = ba_pull_peek(p) == BA_JSON_ARRAY ? read_pair(w, p, err)
						      : ba_members_pull(w, p, BA_ROWS(rows), err);
	rc = rc ? rc : ba_pull_end(p, err);
	if (rc == 0 && w->iters.count != w->times.count)
		rc = ba_fail(err, BA_EDATA, "'%s' has %zu times for %zu samples", path,
			w->times.count, w->iters.count);
	return rc;
}

/* Rejects pipes, which would block, and links that lead out of the folder. */
static int own_file(const char *path, const char *dir, ba_error *err)
{
	if (!ba_fs_exists(path) || ba_fs_is_file_below(path, dir))
		return 0;
	return ba_fail(err, BA_EDATA,
		"'%s' is not a regular file, or is a link that leaves its folder, so it is not read",
		path);
}

static int read_benchmark(walk *w, const char *dir, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf id = BA_BUF_INIT;
	BA_AUTO_FREE char *sample = ba_path_join(dir, "sample.json");
	BA_AUTO_FREE char *benchmark = ba_path_join(dir, "benchmark.json");
	BA_TRY(own_file(benchmark, dir, err));
	BA_TRY(own_file(sample, dir, err));
	BA_TRY(read_id(&id, benchmark, err));
	BA_TRY(read_sample(w, sample, err));
	for (size_t i = 0; i < w->times.count; i++)
		w->times.at[i] /= w->iters.at[i];
	w->found++;
	const ba_record record = {.id = id.data, .level = BA_LEVEL_BATCH};
	return ba_source_time(w->s, &record, &w->times, &BA_STATISTICS_NONE, err);
}

static int walk_dir(walk *w, const char *path, unsigned depth, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv names = {0};
	if (depth > DEPTH_MOST)
		return 0;
	int rc = list_dirs(&names, path, err);
	for (size_t i = 0; rc == 0 && i < names.count; i++) {
		BA_AUTO_FREE char *dir = ba_path_join(path, names.items[i]);
		BA_AUTO_FREE char *sample = ba_path_join(dir, "sample.json");
		bool here = strcmp(names.items[i], w->part) == 0;
		if (ba_fs_exists(sample))
			rc = here ? read_benchmark(w, dir, err) : 0;
		else
			rc = walk_dir(w, dir, depth + 1, err);
	}
	return rc;
}

int ba_read_criterion(const ba_source *s, ba_error *err)
{
	walk w = {.s = s, .part = s->part ? s->part : "new"};
	int rc = walk_dir(&w, s->name, 0, err);
	BA_DISPOSE(ba_values, &w.iters, &w.times);
	if (rc == 0 && w.found == 0)
		rc = ba_fail(err, BA_EDATA,
			"'%s' is a directory without Criterion's '%s/sample.json'; give target/criterion, and #NAME for a saved baseline",
			s->name, w.part);
	return rc;
}

/* ---- critcmp --export: summaries ----------------------------------------- */

static int read_estimate(void *data, ba_pull *p, ba_error *err)
{
	const ba_member rows[] = {{"point_estimate", .number = data}};
	return ba_members_pull(data, p, BA_ROWS(rows), err);
}

static int read_estimates(void *data, ba_pull *p, ba_error *err)
{
	const ba_member rows[] = {{"mean", .read = read_estimate}};
	return ba_members_pull(data, p, BA_ROWS(rows), err);
}

/* {"NAME": {"criterion_estimates_v1": {"mean": {"point_estimate": 1}}}} */
static int read_exported(void *data, ba_pull *p, ba_error *err)
{
	const ba_member rows[] = {{"criterion_estimates_v1", .read = read_estimates}};
	const char *key;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0) {
		BA_AUTO_FREE char *id = ba_xstrdup(key);
		ba_statistics of = BA_STATISTICS_NONE;
		rc = ba_members_pull(&of.mean, p, BA_ROWS(rows), err);
		const ba_record record = {.id = id,
			.failure = isnan(of.mean) ? "the file has no estimate of its mean" : NULL};
		rc = rc ? rc : ba_source_time(data, &record, NULL, &of, err);
	}
	return rc;
}

int ba_read_critcmp(const ba_source *s, ba_error *err)
{
	const ba_member rows[] = {{"benchmarks", .read = read_exported}};
	return ba_document_pull(s, (void *)s, BA_ROWS(rows), err);
}
