/* github-action-benchmark: the list that its tools customSmallerIsBetter and
 * customBiggerIsBetter read, and data.js, which the action keeps: for each suite a list
 * of runs, oldest first. Every value is a summary. #COMMIT chooses a run of data.js by
 * the beginning of its commit; without it the last one counts. */

#include "import/lines.h"

static const char prefix[] = "window.BENCHMARK_DATA =";

typedef struct bench {
	char *name, *unit;
	double value;
} bench;

/* The run being read. Its benchmarks are kept until the end, because its commit may
 * come after them. */
typedef struct run {
	bench *items;
	size_t count, capacity;
	ba_buf commit, tool;
} run;

static void run_clear(run *r)
{
	for (size_t i = 0; i < r->count; i++) {
		BA_FREE(r->items[i].name, r->items[i].unit);
	}
	r->count = 0;
	ba_buf_clear(&r->commit);
	ba_buf_clear(&r->tool);
}

static void run_dispose(run *r)
{
	run_clear(r);
	free(r->items);
	BA_DISPOSE(ba_buf, &r->commit, &r->tool);
}
BA_DEFINE_AUTO(run, run_dispose)

static int read_bench(void *data, ba_pull *p, ba_error *err)
{
	run *r = data;
	BA_AUTO(ba_buf) ba_buf name = BA_BUF_INIT, unit = BA_BUF_INIT;
	double value = 0;
	const ba_member rows[] = {{"name", &name}, {"unit", &unit}, {"value", .number = &value}};
	BA_TRY(ba_members_pull(r, p, BA_ROWS(rows), err));
	if (!name.len)
		return ba_pull_fail(err, p, "a benchmark without a name");
	*BA_PUSH(r->items, r->count, r->capacity) =
		(bench){.name = ba_buf_detach(&name), .unit = ba_buf_detach(&unit), .value = value};
	return 0;
}

static int emit(const ba_source *s, const run *r, const char *suite, ba_error *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < r->count; i++) {
		const bench *b = &r->items[i];
		BA_AUTO_FREE char *id =
			suite ? ba_xprintf("%s/%s", suite, b->name) : ba_xstrdup(b->name);
		/* "ns/iter", "ms", "sec/op": the ns of one unit; 0: it is not a time */
		BA_AUTO_FREE char *of = ba_xstrndup(b->unit, strcspn(b->unit, "/"));
		double ns = ba_unit_ns(of);
		double value = b->value * (ns > 0 ? ns : 1);
		bool more = strcmp(r->tool.data, "customBiggerIsBetter") == 0;
		bool less = strcmp(r->tool.data, "customSmallerIsBetter") == 0;
		const char *metric = ns > 0 ? "time" : *b->unit ? b->unit : "value";
		const ba_record record = {.id = id,
			.metric = metric,
			.is_time = ns > 0,
			.higher_is_better = more,
			.direction = more || less ? BA_DIRECTION_SAID : BA_DIRECTION_OPEN,
			.whole = true,
			.level = BA_LEVEL_SUMMARY,
			.values = &value,
			.count = 1};
		if (ba_source_wants(s, metric, true))
			rc = ba_source_record(s, &record, err);
	}
	return rc;
}

/* ---- data.js ------------------------------------------------------------- */

static int read_commit(void *data, ba_pull *p, ba_error *err)
{
	run *r = data;
	const ba_member rows[] = {{"id", &r->commit}};
	return ba_members_pull(r, p, BA_ROWS(rows), err);
}

static int read_run(run *r, ba_pull *p, ba_error *err)
{
	const ba_member rows[] = {{"commit", .read = read_commit}, {"tool", &r->tool},
		{"benches", .each = read_bench}};
	run_clear(r);
	return ba_members_pull(r, p, BA_ROWS(rows), err);
}

/* Reads the runs of one suite; *chosen counts those that were taken. */
static int read_suite(
	const ba_source *s, const char *suite, size_t *chosen, ba_pull *p, ba_error *err)
{
	BA_AUTO(run) run r = {.commit = BA_BUF_INIT, .tool = BA_BUF_INIT};
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0) {
		rc = read_run(&r, p, err);
		if (rc == 0 && s->part && ba_text_starts(r.commit.data, s->part)) {
			++*chosen;
			rc = emit(s, &r, suite, err);
		}
	}
	if (rc || s->part)
		return rc;
	*chosen += r.count > 0;
	return emit(s, &r, suite, err);
}

static int read_entries(const ba_source *s, size_t *chosen, ba_pull *p, ba_error *err)
{
	const char *key;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0) {
		BA_AUTO_FREE char *suite = ba_xstrdup(key);
		rc = read_suite(s, suite, chosen, p, err);
	}
	return rc;
}

static int read_data(const ba_source *s, ba_pull *p, ba_error *err)
{
	const char *key;
	size_t chosen = 0;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "entries") == 0 ? read_entries(s, &chosen, p, err)
						 : ba_pull_skip(p, err);
	rc = rc ? rc : ba_pull_end(p, err);
	if (rc == 0 && s->part && chosen == 0)
		return ba_fail(err, BA_EDATA, "%s: no run has a commit that begins with '%.100s'",
			s->name, s->part);
	return rc;
}

/* Loads the text and replaces JavaScript with spaces, so that line numbers stay
 * correct. */
static int load(ba_buf *text, const ba_source *s, ba_error *err)
{
	int rc = ba_lines_load(text, s, err);
	char *at = text->len ? strstr(text->data, prefix) : NULL;
	if (at && (at == text->data || at[-1] == '\n'))
		memset(at, ' ', strlen(prefix));
	while (text->len && strchr(" \n;", text->data[text->len - 1]))
		ba_buf_truncate(text, text->len - 1);
	return rc;
}

bool ba_is_github(const char *line, size_t size)
{
	return size > strlen(prefix) && memcmp(line, prefix, strlen(prefix)) == 0;
}

int ba_read_github(const ba_source *s, ba_error *err)
{
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO(run) run r = {.commit = BA_BUF_INIT, .tool = BA_BUF_INIT};
	BA_TRY(load(&text, s, err));
	p = ba_pull_memory(text.data, text.len, s->name);
	if (ba_pull_peek(p) != BA_JSON_ARRAY)
		return read_data(s, p, err);
	int rc = ba_each_pull(&r, p, read_bench, err);
	rc = rc ? rc : ba_pull_end(p, err);
	return rc ? rc : emit(s, &r, NULL, err);
}
