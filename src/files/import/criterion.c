/* Criterion.rs: target/criterion/GROUP/FUNCTION/VALUE/BASELINE/{benchmark,sample}.json.
 * times[i] is the time of iters[i] iterations together. */

#include "import/source.h"

enum { DEPTH_MOST = 8 };

typedef struct walk {
	const ba_source *s;
	const char *part;
	ba_buf id;
	ba_values iters, times;
	size_t found;
} walk;

/* before 0.3.4: [iters, times] */
static int read_pair(walk *w, ba_pull *p, ba_error *err)
{
	ba_values *const both[] = {&w->iters, &w->times};
	int rc = ba_pull_array(p, err);
	for (size_t i = 0; rc == 0 && (rc = ba_pull_element(p, err)) > 0; i++)
		rc = i < 2 ? ba_values_pull(both[i], p, 1, err) : ba_pull_skip(p, err);
	return rc;
}

static const ba_member id_members[] = {BA_TEXT("full_id", walk, id), {0}};
static const ba_member sample_members[] = {
	BA_VALUES("iters", walk, iters, 1), BA_VALUES("times", walk, times, 1), {0}};

static int read_file(walk *w, const char *path, const ba_member *rows, ba_error *err)
{
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	ba_members_clear(w, rows);
	int rc = ba_pull_open(&p, path, err);
	if (rc == 0)
		rc = rows == sample_members && ba_pull_peek(p) == BA_JSON_ARRAY
			     ? read_pair(w, p, err)
			     : ba_members_pull(w, p, rows, err);
	return rc ? rc : ba_pull_end(p, err);
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
	BA_AUTO_FREE char *sample = ba_path_join(dir, "sample.json");
	BA_AUTO_FREE char *benchmark = ba_path_join(dir, "benchmark.json");
	BA_TRY(own_file(benchmark, dir, err));
	BA_TRY(own_file(sample, dir, err));
	BA_TRY(read_file(w, benchmark, id_members, err));
	if (!w->id.len)
		return ba_fail(err, BA_EDATA, "'%s' has no 'full_id'", benchmark);
	BA_TRY(read_file(w, sample, sample_members, err));
	if (w->iters.count != w->times.count)
		return ba_fail(err, BA_EDATA, "'%s' has %zu times for %zu samples", sample,
			w->times.count, w->iters.count);
	for (size_t i = 0; i < w->times.count; i++)
		w->times.at[i] /= w->iters.at[i];
	w->found++;
	const ba_record record = {.id = w->id.data, .level = BA_LEVEL_BATCH};
	return ba_source_time(w->s, &record, &w->times, &BA_STATISTICS_NONE, err);
}

static int walk_dir(walk *w, const char *path, unsigned depth, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv names = {0};
	if (depth > DEPTH_MOST)
		return 0;
	int rc = ba_fs_names(&names, path, err);
	for (size_t i = 0; rc == 0 && i < names.count; i++) {
		BA_AUTO_FREE char *dir = ba_path_join(path, names.items[i]);
		BA_AUTO_FREE char *sample = ba_path_join(dir, "sample.json");
		bool here = strcmp(names.items[i], w->part) == 0;
		struct stat st;
		/* links are not followed */
		if (names.items[i][0] == '.' || lstat(dir, &st) || !S_ISDIR(st.st_mode))
			continue;
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
	ba_members_dispose(&w, id_members);
	ba_members_dispose(&w, sample_members);
	if (rc == 0 && w.found == 0)
		rc = ba_fail(err, BA_EDATA,
			"'%s' is a directory without Criterion's '%s/sample.json'; give target/criterion, and #NAME for a saved baseline",
			s->name, w.part);
	return rc;
}

/* ---- critcmp --export: summaries ----------------------------------------- */

typedef struct export
{
	const ba_source *s;
	ba_statistics of;
}
export;

/* {"NAME": {"criterion_estimates_v1": {"mean": {"point_estimate": 1}}}} */
static int read_exported(void *data, const char *id, ba_pull *p, ba_error *err)
{
	static const ba_member estimate[] = {BA_NUMBER("point_estimate", export, of.mean, 1), {0}};
	static const ba_member estimates[] = {BA_OBJECT("mean", estimate), {0}};
	static const ba_member rows[] = {BA_OBJECT("criterion_estimates_v1", estimates), {0}};
	export *e = data;
	e->of = BA_STATISTICS_NONE;
	BA_TRY(ba_members_pull(e, p, rows, err));
	const ba_record record = {.id = id,
		.failure = isnan(e->of.mean) ? "the file has no estimate of its mean" : NULL};
	return ba_source_time(e->s, &record, NULL, &e->of, err);
}

int ba_read_critcmp(const ba_source *s, ba_error *err)
{
	static const ba_member document[] = {BA_KEYS("benchmarks", read_exported), {0}};
	export e = {.s = s};
	return ba_document_pull(&e, document, err);
}
