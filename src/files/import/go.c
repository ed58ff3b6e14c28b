/* Go benchmark text (golang.org/design/14313-benchmark-format): a line is a repetition. */

#include "import/source.h"

typedef struct reader {
	const ba_source *s;
	ba_lines lines;
	ba_buf id;     /* the package, followed by the benchmark's name */
	size_t prefix; /* length of the package in `id` */
	bool higher_is_better;
	ba_direction direction;
	bool again; /* did the last record have this name, too? */
	size_t benchmarks;
	ba_buf running;	  /* a benchmark that started but printed no result yet */
	ba_buf ending;	  /* "-8", the number of processors, if results have it */
	ba_strv troubles; /* "F" or "S", and the id of a failed or skipped benchmark */
} reader;

typedef struct word {
	const char *at;
	size_t size;
} word;

static bool is_space(char c)
{
	return c == ' ' || c == '\t';
}

static word next_word(const char **at, const char *end)
{
	const char *from = *at, *to;
	while (from < end && is_space(*from))
		from++;
	for (to = from; to < end && !is_space(*to);)
		to++;
	*at = to;
	return (word){from, (size_t)(to - from)};
}

static bool word_is(word w, const char *text)
{
	return strlen(text) == w.size && memcmp(w.at, text, w.size) == 0;
}

static bool begins(const char *line, size_t size, const char *text)
{
	size_t n = strlen(text);
	return size >= n && memcmp(line, text, n) == 0;
}

static int fail(reader *r, ba_error *err, const char *sentence)
{
	return ba_fail(err, BA_EDATA, "%s: line %zu: %s", r->lines.name, r->lines.number, sentence);
}

/* The id is the package followed by the name. */
static int put_name(reader *r, word name, ba_error *err)
{
	if (!ba_text_is_utf8(name.at, name.size))
		return fail(r, err, "the name is not UTF-8");
	r->again = false;
	ba_buf_truncate(&r->id, r->prefix);
	ba_buf_put(&r->id, name.at, name.size);
	return 0;
}

/* ---- configuration lines ------------------------------------------------- */

/* "pkg: example.com/x": keys begin with a lower-case letter and hold no space */
static void read_key(reader *r, const char *line, size_t size)
{
	static const struct {
		const char *key, *name;
	} rows[] = {{"goos", "operating system"}, {"goarch", "architecture"}, {"cpu", "cpu"}};
	const char *colon = memchr(line, ':', size);
	if (size == 0 || line[0] < 'a' || line[0] > 'z' || !colon)
		return;
	const char *value = colon + 1, *end = line + size;
	while (value < end && is_space(*value))
		value++;
	const word key = {line, (size_t)(colon - line)};
	BA_AUTO_FREE char *text = ba_xstrndup(value, (size_t)(end - value));
	if (word_is(key, "pkg")) {
		ba_buf_clear(&r->id);
		ba_buf_puts(&r->id, text);
		if (*text)
			ba_buf_putc(&r->id, '.');
		r->prefix = r->id.len;
		r->again = false;
	}
	for (size_t i = 0; i < BA_COUNT(rows); i++)
		if (word_is(key, rows[i].key))
			ba_source_field(r->s, rows[i].name, text, true);
}

/* "Unit MB/s better=higher" */
static void read_unit(reader *r, const char *at, const char *end)
{
	word unit = next_word(&at, end);
	if (!r->s->sink->metric || !word_is(unit, r->s->sink->metric))
		return;
	for (word w = next_word(&at, end); w.size; w = next_word(&at, end)) {
		bool higher = word_is(w, "better=higher");
		if (!higher && !word_is(w, "better=lower"))
			continue;
		r->higher_is_better = higher;
		r->direction = BA_DIRECTION_SAID;
		r->again = false;
	}
}

/* ---- what has no result -------------------------------------------------- */

/* "-8" of "BenchmarkX-8", or an empty word */
static word processors(word name)
{
	const char *end = name.at + name.size, *at = end;
	while (at > name.at && at[-1] >= '0' && at[-1] <= '9')
		at--;
	bool has = at < end && at > name.at && at[-1] == '-';
	return has ? (word){at - 1, (size_t)(end - at + 1)} : (word){end, 0};
}

/* go test -v may print the processors later: the end of the file completes the name */
static int note_trouble(reader *r, char kind, word name, ba_error *err)
{
	if (!ba_text_is_utf8(name.at, name.size))
		return fail(r, err, "the name is not UTF-8");
	ba_strv_printf(&r->troubles, "%c%.*s%.*s", kind, (int)r->prefix, r->id.data, (int)name.size,
		name.at);
	return 0;
}

/* "--- FAIL: BenchmarkX", "--- SKIP: BenchmarkX" */
static int read_outcome(reader *r, const char *at, const char *end, ba_error *err)
{
	word what = next_word(&at, end), name = next_word(&at, end);
	bool failed = word_is(what, "FAIL:");
	if ((!failed && !word_is(what, "SKIP:")) || !begins(name.at, name.size, "Benchmark"))
		return 0;
	ba_buf_clear(&r->running);
	return note_trouble(r, failed ? 'F' : 'S', name, err);
}

/* The program ended during a benchmark: "panic: ...", "FAIL x 0.1s", "exit status 2". */
static int read_end(reader *r, ba_error *err)
{
	const word name = {r->running.data, r->running.len};
	int rc = name.size ? note_trouble(r, 'F', name, err) : 0;
	ba_buf_clear(&r->running);
	return rc;
}

/* A benchmark that only groups others fails with them, and has no result. */
static bool holds_others(const reader *r, const char *trouble)
{
	size_t size = strlen(trouble);
	return BA_ANY(r->troubles.items, r->troubles.count, other,
		strncmp(*other, trouble, size) == 0 && (*other)[size] == '/');
}

static int emit_troubles(reader *r, ba_error *err)
{
	for (size_t i = 0; i < r->troubles.count; i++) {
		const char *trouble = r->troubles.items[i], *id = trouble + 1;
		bool failed = *trouble == 'F';
		bool whole = processors((word){id, strlen(id)}).size != 0;
		BA_AUTO_FREE char *full = ba_xprintf("%s%s", id, whole ? "" : r->ending.data);
		const ba_record record = {
			.id = full,
			.metric = "time",
			.is_time = true,
			.level = BA_LEVEL_REPETITION,
			.failure = failed ? "go test reports that it failed" : NULL,
			.skipped = failed ? NULL : "go test reports that it was skipped",
		};
		r->benchmarks++;
		if (!holds_others(r, trouble))
			BA_TRY(ba_source_record(r->s, &record, err));
	}
	return 0;
}

/* "BenchmarkX" alone, or followed by its output: go test -v prints it at the start. */
static int begin_running(reader *r, word name, const char *at, const char *end, ba_error *err)
{
	ba_buf_clear(&r->running);
	ba_buf_put(&r->running, name.at, name.size);
	word next = next_word(&at, end);
	if (word_is(next, "---"))
		return read_outcome(r, at, end, err);
	return word_is(next, "panic:") ? read_end(r, err) : 0;
}

static void end_running(reader *r, word name)
{
	ba_buf_clear(&r->running);
	if (r->ending.len)
		return;
	word ending = processors(name);
	ba_buf_put(&r->ending, ending.at, ending.size);
}

/* ---- results ------------------------------------------------------------- */

static int emit(reader *r, double value, bool is_time, ba_error *err)
{
	const ba_record record = {
		.id = r->id.data,
		.metric = is_time ? "time" : r->s->sink->metric,
		.is_time = is_time,
		.higher_is_better = r->higher_is_better,
		.direction = is_time ? BA_DIRECTION_SAID : r->direction,
		.level = BA_LEVEL_REPETITION,
		BA_ONE_VALUE(&value),
		.again = r->again,
	};
	r->again = true;
	return ba_source_record(r->s, &record, err);
}

static bool is_count(word w)
{
	double ignored;
	return ba_parse_decimal(&ignored, w.at, w.size);
}

/* The value, or NaN if the word is not a number. *found: is there a word? */
static double next_value(bool *found, const char **at, const char *end)
{
	double value = NAN;
	word w = next_word(at, end);
	*found = w.size;
	return ba_parse_decimal(&value, w.at, w.size) ? value : NAN;
}

/* "BenchmarkX-8  100  12.5 ns/op  0 B/op" */
static int read_result(
	reader *r, word name, bool again, const char *at, const char *end, ba_error *err)
{
	const char *metric = r->s->sink->metric;
	bool time = !metric || strcmp(metric, "time") == 0;
	double value;
	const char *begin = at;
	bool found;
	if (isnan(next_value(&found, &at, end)))
		return begin_running(r, name, begin, end, err);
	end_running(r, name);
	BA_TRY(again ? 0 : put_name(r, name, err));
	r->benchmarks++;
	while ((value = next_value(&found, &at, end), found)) {
		word unit = next_word(&at, end);
		double ns = word_is(unit, "ns/op") ? 1 : word_is(unit, "sec/op") ? 1e9 : 0;
		bool wanted = time ? ns > 0 : word_is(unit, metric);
		if (!unit.size)
			return fail(r, err, "a value without its unit; is it truncated?");
		if (r->s->sink->offer) {
			BA_AUTO_FREE char *name_of_unit = ba_xstrndup(unit.at, unit.size);
			ba_source_offer(r->s, ns > 0 ? "time" : name_of_unit);
			continue;
		}
		if (!wanted)
			continue;
		if (value < 0)
			return fail(
				r, err, "a value is negative, which a measured value cannot be");
		return emit(r, time ? value * ns : value, time, err);
	}
	return 0;
}

/* Does the line begin with the name of the line before, as most lines do? */
static bool begins_again(const reader *r, const char *line, size_t size)
{
	size_t name = r->id.len - r->prefix;
	return name && size > name && is_space(line[name]) &&
	       memcmp(line, r->id.data + r->prefix, name) == 0;
}

static int read_line(reader *r, const char *line, size_t size, ba_error *err)
{
	const char *at = line, *end = line + size;
	if (begins_again(r, line, size)) {
		const word name = {line, r->id.len - r->prefix};
		return read_result(r, name, true, line + name.size, end, err);
	}
	if (size > 9 && begins(line, size, "Benchmark")) {
		word name = next_word(&at, end);
		return read_result(r, name, false, at, end, err);
	}
	if (begins(line, size, "Unit "))
		read_unit(r, line + 5, end);
	else if (begins(line, size, "--- "))
		return read_outcome(r, line + 4, end, err);
	else if (begins(line, size, "panic: ") || begins(line, size, "exit status ") ||
		 begins(line, size, "FAIL\t"))
		return read_end(r, err);
	else
		read_key(r, line, size);
	return 0;
}

bool ba_is_go(const char *line, size_t size)
{
	const char *at = line, *end = line + size;
	word name = next_word(&at, end), second = next_word(&at, end), third = next_word(&at, end);
	bool failed = word_is(second, "FAIL:") || word_is(second, "SKIP:");
	if (word_is(name, "goos:") || word_is(name, "goarch:") || word_is(name, "pkg:"))
		return true;
	if (word_is(name, "---"))
		return failed && begins(third.at, third.size, "Benchmark");
	return name.at == line && name.size > 9 && begins(line, size, "Benchmark") &&
	       is_count(second);
}

int ba_read_go(const ba_source *s, ba_error *err)
{
	reader r = {.s = s, .id = BA_BUF_INIT, .running = BA_BUF_INIT, .ending = BA_BUF_INIT};
	const char *line;
	size_t size;
	int rc = ba_lines_open(&r.lines, s, err);
	while (rc == 0 && (rc = ba_lines_next(&line, &size, &r.lines, err)) > 0)
		rc = read_line(&r, line, size, err);
	rc = rc ? rc : emit_troubles(&r, err);
	if (rc == 0 && r.benchmarks == 0)
		rc = ba_fail(err, BA_EDATA,
			"'%s' has lines of go test, but no result of a benchmark; run go test with -bench",
			s->name);
	ba_lines_close(&r.lines);
	BA_DISPOSE(ba_buf, &r.id, &r.running, &r.ending);
	ba_strv_dispose(&r.troubles);
	return rc;
}

/* ---- go test -json: one event on each line. The events of a package, joined, are the text above,
 * and lie among those of other packages. ---- */

typedef struct package {
	ba_buf name, text;
} package;

typedef struct packages {
	const ba_source *s;
	package *items;
	size_t count, capacity, size;
	ba_buf name, output; /* name and output of the current event */
} packages;

static void add_output(packages *k)
{
	size_t i = k->count;
	/* Search from the end: output usually belongs to the latest package. */
	while (i > 0 && strcmp(k->items[i - 1].name.data, k->name.data) != 0)
		i--;
	if (i == 0) {
		*BA_PUSH(k->items, k->count, k->capacity) = (package){BA_BUF_INIT, BA_BUF_INIT};
		i = k->count;
		ba_buf_puts(&k->items[i - 1].name, k->name.data);
		ba_buf_printf(&k->items[i - 1].text, "pkg: %s\n", k->name.data);
	}
	ba_buf_put(&k->items[i - 1].text, k->output.data, k->output.len);
	k->size += k->output.len;
}

static const ba_member event_members[] = {
	BA_TEXT("Package", packages, name), BA_TEXT("Output", packages, output), {0}};

static int read_event(void *data, ba_pull *p, ba_error *err)
{
	enum { TEXT_MOST = 1 << 30 };
	packages *k = data;
	ba_members_clear(k, event_members);
	BA_TRY(ba_members_pull(k, p, event_members, err));
	if (k->size + k->output.len > TEXT_MOST)
		return ba_pull_fail(err, p, "the output of the tests is longer than 1 GiB");
	if (k->output.len)
		add_output(k);
	return 0;
}

int ba_read_go_json(const ba_source *s, ba_error *err)
{
	packages k = {.s = s};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	/* go itself prints text between the events if a build fails */
	int rc = ba_json_lines(&k, read_event, true, err);
	for (size_t i = 0; i < k.count; i++) {
		ba_buf_put(&text, k.items[i].text.data, k.items[i].text.len);
		ba_buf_putc(&text, '\n');
		BA_DISPOSE(ba_buf, &k.items[i].name, &k.items[i].text);
	}
	free(k.items);
	ba_members_dispose(&k, event_members);
	BA_AUTO_FREE char *name = ba_xprintf("%s, output of the tests", s->name);
	ba_source whole = *s;
	whole.name = name;
	whole.text = text.data;
	whole.size = text.len;
	return rc ? rc : ba_read_go(&whole, err);
}
