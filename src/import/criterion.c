/* Criterion.rs: target/criterion/GROUP/FUNCTION/VALUE/BASELINE/{benchmark,sample}.json.
 * times[i] is the time of iters[i] iterations together. */
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/path.h"
#include "base/strv.h"
#include "import/source.h"

enum { DEPTH_MOST = 8 };

typedef struct walk {
	const ba_source *s;
	const char *part;
	ba_values iters, times;
	size_t found;
} walk;

/* names of directories in it, sorted; links are not followed */
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
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	const char *key;
	int rc = ba_pull_open(&p, path, err);
	rc = rc ? rc : ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "full_id") == 0 ? ba_text_pull(id, p, err) : ba_pull_skip(p, err);
	rc = rc ? rc : ba_pull_end(p, err);
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
	const char *key;
	w->iters.count = w->times.count = 0;
	int rc = ba_pull_open(&p, path, err);
	bool pair = rc == 0 && ba_pull_peek(p) == BA_JSON_ARRAY;
	rc = rc ? rc : pair ? read_pair(w, p, err) : ba_pull_object(p, err);
	while (rc == 0 && !pair && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "iters") == 0	 ? ba_values_pull(&w->iters, p, 1, err)
		     : strcmp(key, "times") == 0 ? ba_values_pull(&w->times, p, 1, err)
						 : ba_pull_skip(p, err);
	rc = rc ? rc : ba_pull_end(p, err);
	if (rc == 0 && w->iters.count != w->times.count)
		rc = ba_fail(err, BA_EDATA, "'%s' has %zu times for %zu samples", path,
			w->times.count, w->iters.count);
	return rc;
}

/* a pipe would block, and a link may lead to anything */
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
	int rc = own_file(benchmark, dir, err);
	rc = rc ? rc : own_file(sample, dir, err);
	rc = rc ? rc : read_id(&id, benchmark, err);
	rc = rc ? rc : read_sample(w, sample, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < w->times.count; i++)
		w->times.at[i] /= w->iters.at[i];
	w->found++;
	const ba_record record = {
		.id = id.data,
		.metric = "time",
		.is_time = true,
		.whole = true,
		.level = BA_LEVEL_BATCH,
		.values = w->times.at,
		.count = w->times.count,
	};
	return ba_source_wants(w->s, "time", true) ? ba_source_record(w->s, &record, err) : 0;
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
	ba_values_dispose(&w.iters);
	ba_values_dispose(&w.times);
	if (rc == 0 && w.found == 0)
		rc = ba_fail(err, BA_EDATA,
			"'%s' is a directory without Criterion's '%s/sample.json'; give target/criterion, and #NAME for a saved baseline",
			s->name, w.part);
	return rc;
}

/* ---- critcmp --export: summaries ----------------------------------------- */

static int read_estimate(double *out, ba_pull *p, ba_error *err)
{
	const char *key;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "point_estimate") == 0 ? ba_time_pull(out, p, err)
							: ba_pull_skip(p, err);
	return rc;
}

static int read_estimates(double *mean, ba_pull *p, ba_error *err)
{
	const char *key;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "mean") == 0 ? read_estimate(mean, p, err) : ba_pull_skip(p, err);
	return rc;
}

static int read_exported(const ba_source *s, const char *id, ba_pull *p, ba_error *err)
{
	const char *key;
	double mean = NAN;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "criterion_estimates_v1") == 0 ? read_estimates(&mean, p, err)
								: ba_pull_skip(p, err);
	const ba_record record = {
		.id = id,
		.metric = "time",
		.is_time = true,
		.whole = true,
		.level = BA_LEVEL_SUMMARY,
		.values = &mean,
		.count = 1,
		.failure = isnan(mean) ? "the file has no estimate of its mean" : NULL,
	};
	if (rc == 0 && ba_source_wants(s, "time", true))
		rc = ba_source_record(s, &record, err);
	return rc;
}

int ba_read_critcmp(const ba_source *s, ba_error *err)
{
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	const char *key;
	int rc = ba_source_pull(&p, s, err);
	rc = rc ? rc : ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0) {
		if (strcmp(key, "benchmarks") != 0) {
			rc = ba_pull_skip(p, err);
			continue;
		}
		rc = ba_pull_object(p, err);
		while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0) {
			BA_AUTO_FREE char *id = ba_xstrdup(key);
			rc = read_exported(s, id, p, err);
		}
	}
	return rc ? rc : ba_pull_end(p, err);
}
