/* github-action-benchmark: what customSmallerIsBetter and customBiggerIsBetter read, and
 * data.js, which the action keeps: runs of each suite, oldest first. All values are summaries.
 * #COMMIT chooses a run of data.js by its commit's beginning; else the last counts. */

#include "import/source.h"

static const char prefix[] = "window.BENCHMARK_DATA =";

typedef struct bench {
	char *name, *unit;
	double value;
} bench;

/* The run being read. Its benchmarks wait for the end: its commit may follow them. */
typedef struct run {
	const ba_source *s;
	bench *items;
	size_t count, capacity;
	ba_buf commit, tool;
	ba_buf name, unit; /* the benchmark being read */
	double value;
	const char *suite; /* in data.js */
	size_t chosen;	   /* number of runs that were taken */
} run;

static void drop_items(run *r)
{
	for (size_t i = 0; i < r->count; i++)
		BA_FREE(r->items[i].name, r->items[i].unit);
	r->count = 0;
}

static int add_bench(void *data, ba_pull *p, ba_error *err)
{
	run *r = data;
	if (!r->name.len)
		return ba_pull_fail(err, p, "a benchmark without a name");
	*BA_PUSH(r->items, r->count, r->capacity) = (bench){.name = ba_buf_detach(&r->name),
		.unit = ba_buf_detach(&r->unit),
		.value = r->value};
	return 0;
}

static const ba_member bench_members[] = {BA_TEXT("name", run, name), BA_TEXT("unit", run, unit),
	BA_NUMBER("value", run, value, 1), {0}};
static const ba_member commit_members[] = {BA_TEXT("id", run, commit), {0}};
static const ba_member run_members[] = {BA_OBJECT("commit", commit_members),
	BA_TEXT("tool", run, tool), BA_RECORDS("benches", bench_members, add_bench), {0}};

static int emit(const run *r, ba_error *err)
{
	for (size_t i = 0; i < r->count; i++) {
		const bench *b = &r->items[i];
		BA_AUTO_FREE char *id =
			r->suite ? ba_xprintf("%s/%s", r->suite, b->name) : ba_xstrdup(b->name);
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
			BA_ONE_VALUE(&value)};
		if (ba_source_wants(r->s, metric, true))
			BA_TRY(ba_source_record(r->s, &record, err));
	}
	return 0;
}

/* ---- data.js ------------------------------------------------------------- */

static int read_run(void *data, ba_pull *p, ba_error *err)
{
	run *r = data;
	drop_items(r);
	ba_members_clear(r, run_members);
	BA_TRY(ba_members_pull(r, p, run_members, err));
	if (!r->s->part || !ba_text_starts(r->commit.data, r->s->part))
		return 0;
	r->chosen++;
	return emit(r, err);
}

static int read_suite(void *data, const char *key, ba_pull *p, ba_error *err)
{
	run *r = data;
	r->suite = key;
	drop_items(r);
	BA_TRY(ba_each_pull(r, p, read_run, err));
	if (r->s->part)
		return 0;
	r->chosen += r->count > 0;
	return emit(r, err);
}

static int read_data(run *r, ba_pull *p, ba_error *err)
{
	static const ba_member document[] = {BA_KEYS("entries", read_suite), {0}};
	BA_TRY(ba_members_pull(r, p, document, err));
	BA_TRY(ba_pull_end(p, err));
	return r->chosen || !r->s->part
		       ? 0
		       : ba_fail(err, BA_EDATA, "%s: no run has a commit that begins with '%.100s'",
				 r->s->name, r->s->part);
}

/* Replaces JavaScript with spaces, so that line numbers stay correct. */
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

static int read_list(run *r, ba_pull *p, ba_error *err)
{
	BA_TRY(ba_records_pull(r, p, bench_members, add_bench, err));
	BA_TRY(ba_pull_end(p, err));
	return emit(r, err);
}

int ba_read_github(const ba_source *s, ba_error *err)
{
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_TRY(load(&text, s, err));
	run r = {.s = s};
	ba_members_clear(&r, run_members);
	p = ba_pull_memory(text.data, text.len, s->name);
	int rc = ba_pull_peek(p) == BA_JSON_ARRAY ? read_list(&r, p, err) : read_data(&r, p, err);
	drop_items(&r);
	free(r.items);
	ba_members_dispose(&r, run_members);
	return rc;
}
