/* Go benchmark text (golang.org/design/14313-benchmark-format): one line is one
 * repetition. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"
#include "import/lines.h"

typedef struct reader {
	const ba_source *s;
	ba_lines lines;
	ba_buf id;     /* the package and what follows it */
	size_t prefix; /* length of the package in it */
	bool higher_is_better;
	size_t benchmarks;
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
	while (*at < end && is_space(**at))
		++*at;
	word w = {.at = *at};
	while (*at < end && !is_space(**at))
		++*at;
	w.size = (size_t)(*at - w.at);
	return w;
}

static bool word_is(word w, const char *text)
{
	return strlen(text) == w.size && memcmp(w.at, text, w.size) == 0;
}

static int fail(reader *r, ba_error *err, const char *sentence)
{
	return ba_fail(err, BA_EDATA, "%s: line %zu: %s", r->lines.name,
		r->lines.number, sentence);
}

/* The id is the name behind its package. Repetitions of one benchmark stand behind each
 * other: the records so far have been looked at. */
static int put_name(reader *r, word name, ba_error *err)
{
	if (r->id.len == r->prefix + name.size &&
		memcmp(r->id.data + r->prefix, name.at, name.size) == 0)
		return 0;
	if (!ba_text_is_utf8(name.at, name.size))
		return fail(r, err, "the name is not UTF-8");
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
	} rows[] = {{"goos", "operating system"}, {"goarch", "architecture"},
		{"cpu", "cpu"}};
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
	for (word w = next_word(&at, end); w.size; w = next_word(&at, end))
		if (word_is(w, "better=higher"))
			r->higher_is_better = true;
}

/* ---- results ------------------------------------------------------------- */

static int emit(reader *r, double value, bool is_time, ba_error *err)
{
	const ba_record record = {
		.id = r->id.data,
		.metric = is_time ? "time" : r->s->sink->metric,
		.is_time = is_time,
		.higher_is_better = r->higher_is_better,
		.level = BA_LEVEL_REPETITION,
		.values = &value,
		.count = 1,
	};
	return ba_source_record(r->s, &record, err);
}

/* "BenchmarkX-8  100  12.5 ns/op  0 B/op"; what is no such line is passed over */
static int read_result(
	reader *r, word name, const char *at, const char *end, ba_error *err)
{
	const char *metric = r->s->sink->metric;
	bool time = !metric || strcmp(metric, "time") == 0;
	double value, iterations;
	word count = next_word(&at, end);
	if (!ba_parse_decimal(&iterations, count.at, count.size))
		return 0; /* "BenchmarkX" alone is what go test -v prints before it */
	int rc = put_name(r, name, err);
	if (rc)
		return rc;
	r->benchmarks++;
	for (word w = next_word(&at, end); w.size; w = next_word(&at, end)) {
		word unit = next_word(&at, end);
		double ns = word_is(unit, "ns/op")    ? 1
			    : word_is(unit, "sec/op") ? 1e9
						      : 0;
		bool wanted = time ? ns > 0 : word_is(unit, metric);
		if (!unit.size)
			return fail(
				r, err, "a value without its unit; is it truncated?");
		if (!wanted)
			continue;
		if (!ba_parse_decimal(&value, w.at, w.size))
			value = NAN;
		else if (value < 0)
			return fail(r, err,
				"a value is negative, which no measured value is");
		return emit(r, time ? value * ns : value, time, err);
	}
	return 0;
}

/* "--- FAIL: BenchmarkX" */
static int read_failure(reader *r, const char *at, const char *end, ba_error *err)
{
	word what = next_word(&at, end), name = next_word(&at, end);
	if (!word_is(what, "FAIL:") || name.size < 9 ||
		memcmp(name.at, "Benchmark", 9) != 0)
		return 0;
	int rc = put_name(r, name, err);
	if (rc)
		return rc;
	r->benchmarks++;
	const ba_record record = {
		.id = r->id.data,
		.metric = "time",
		.is_time = true,
		.level = BA_LEVEL_REPETITION,
		.failure = "go test says it failed",
	};
	return ba_source_record(r->s, &record, err);
}

static int read_line(reader *r, const char *line, size_t size, ba_error *err)
{
	const char *at = line, *end = line + size;
	if (size > 9 && memcmp(line, "Benchmark", 9) == 0) {
		word name = next_word(&at, end);
		return read_result(r, name, at, end, err);
	}
	if (size > 5 && memcmp(line, "Unit ", 5) == 0)
		read_unit(r, line + 5, end);
	else if (size > 4 && memcmp(line, "--- ", 4) == 0)
		return read_failure(r, line + 4, end, err);
	else
		read_key(r, line, size);
	return 0;
}

bool ba_is_go(const char *line, size_t size)
{
	const char *at = line, *end = line + size;
	double iterations;
	word name = next_word(&at, end), count = next_word(&at, end);
	if (word_is(name, "goos:") || word_is(name, "goarch:") || word_is(name, "pkg:"))
		return true;
	return name.size > 9 && memcmp(name.at, "Benchmark", 9) == 0 &&
	       name.at == line && ba_parse_decimal(&iterations, count.at, count.size);
}

int ba_read_go(const ba_source *s, ba_error *err)
{
	reader r = {.s = s, .id = BA_BUF_INIT};
	const char *line;
	size_t size;
	int rc = ba_lines_open(&r.lines, s, err);
	while (rc == 0 && (rc = ba_lines_next(&line, &size, &r.lines, err)) > 0)
		rc = read_line(&r, line, size, err);
	if (rc == 0 && r.benchmarks == 0)
		rc = ba_fail(err, BA_EDATA,
			"'%s' is not a result file of a known format: it is not JSON, no line of it is a result of go test -bench, and no line has the columns of a table that this version knows; is it another CSV, name them with --csv-columns",
			s->name);
	ba_lines_close(&r.lines);
	ba_buf_dispose(&r.id);
	return rc;
}
