/* nccl-tests: the table that all_reduce_perf and the other tests print, with one row
 * for each size, out of place and in place. A cell is the mean over the iterations. */

#include "import/source.h"

enum { WORDS_MOST = 32 };

typedef struct reader {
	const ba_source *s;
	ba_lines lines;
	ba_strv header, row;
	ba_buf test, id;    /* "all_reduce_perf" */
	const char *metric; /* a column */
} reader;

BA_OWNS_HERE(reader, r, ba_lines_close(&r->lines), BA_DISPOSE(ba_strv, &r->header, &r->row),
	BA_DISPOSE(ba_buf, &r->test, &r->id))

static int fail(const reader *r, ba_error *err, const char *sentence)
{
	return ba_fail(err, BA_EDATA, "%s: line %zu: %s", r->s->name, r->lines.number, sentence);
}

static bool has(const char *line, size_t size, const char *word)
{
	return memmem(line, size, word, strlen(word)) != NULL;
}

bool ba_is_nccl(const char *line, size_t size)
{
	return size && line[0] == '#' && has(line, size, " size ") && has(line, size, " time ") &&
	       has(line, size, " busbw");
}

static void split(ba_strv *out, const char *line, size_t size)
{
	BA_AUTO_FREE char *text = ba_xstrndup(line, size);
	char *rest = text;
	ba_strv_dispose(out);
	for (char *word; out->count < WORDS_MOST && (word = strtok_r(rest, " \t", &rest));)
		ba_strv_push(out, word);
}

/* Makes the id from the columns before the first "time", whose index it returns. */
static size_t put_id(reader *r, bool in_place)
{
	size_t i = 0;
	ba_buf_clear(&r->id);
	ba_buf_puts(&r->id, r->test.len ? r->test.data : "nccl-tests");
	for (; i < r->header.count && strcmp(r->header.items[i], "time") != 0; i++)
		if (strcmp(r->header.items[i], "count") != 0)
			ba_buf_printf(&r->id, "%c%s=%s", i ? ',' : '/', r->header.items[i],
				r->row.items[i]);
	ba_buf_puts(&r->id, in_place ? "/in-place" : "/out-of-place");
	return i;
}

/* One half of a row: time, algbw, busbw, #wrong */
static int emit(reader *r, size_t from, size_t to, ba_error *err)
{
	bool time = strcmp(r->metric, "time") == 0;
	const char *cell = "", *wrong = "0";
	for (size_t i = from; i < to; i++) {
		const char *column = r->header.items[i];
		if (strcmp(column, r->metric) == 0)
			cell = r->row.items[i];
		if (strcmp(column, "#wrong") == 0 || strcmp(column, "error") == 0)
			wrong = r->row.items[i];
	}
	double value = NAN, bad = 0;
	if (!ba_parse_decimal(&value, cell, strlen(cell)))
		value = NAN;
	if (value < 0)
		return fail(r, err, "a value is negative, which a measured value cannot be");
	/* "N/A" if nothing was checked; the older "error" is a difference */
	bool failed = strcmp(r->header.items[to - 1], "#wrong") == 0 &&
		      ba_parse_decimal(&bad, wrong, strlen(wrong)) && bad > 0;
	value *= time ? 1e3 : 1;
	const ba_record record = {.id = r->id.data,
		.metric = r->metric,
		.is_time = time,
		.higher_is_better = !time,
		.whole = true,
		.level = BA_LEVEL_SUMMARY,
		BA_ONE_VALUE(&value),
		.failure = failed ? "nccl-tests found wrong values" : NULL};
	return ba_source_record(r->s, &record, err);
}

/* Without a reduction, versions before 2.11 leave it empty; later ones write "none". */
static void fill_redop(reader *r)
{
	size_t at = ba_strv_find(&r->header, "redop");
	double number;
	bool lacks = r->row.count + 1 == r->header.count && at < r->row.count &&
		     ba_parse_decimal(&number, r->row.items[at], strlen(r->row.items[at]));
	if (!lacks)
		return;
	ba_strv_push(&r->row, "none");
	for (size_t i = r->row.count - 1; i > at; i--) {
		char *before = r->row.items[i - 1];
		r->row.items[i - 1] = r->row.items[i];
		r->row.items[i] = before;
	}
}

static int read_row(reader *r, const char *line, size_t size, ba_error *err)
{
	if (!ba_text_is_utf8(line, size))
		return fail(r, err, "the text is not UTF-8");
	split(&r->row, line, size);
	if (r->row.count == 0 || strspn(r->row.items[0], "0123456789") != strlen(r->row.items[0]))
		return 0; /* output of NCCL_DEBUG or of the launcher, which is ignored */
	fill_redop(r);
	if (r->row.count != r->header.count)
		return fail(
			r, err, "a row with other columns than the header; is the file truncated?");
	size_t first = put_id(r, false), half = (r->header.count - first) / 2;
	int rc = emit(r, first, first + half, err);
	put_id(r, true);
	return rc ? rc : emit(r, first + half, first + 2 * half, err);
}

static int read_line(reader *r, const char *line, size_t size, ba_error *err)
{
	static const char starting[] = "# Collective test starting: ";
	size_t n = strlen(starting);
	const char *device = memmem(line, size, "] ", 2);
	if (ba_is_nccl(line, size)) {
		split(&r->header, line + 1, size - 1);
		return 0;
	}
	if (size > n && memcmp(line, starting, n) == 0 && ba_text_is_utf8(line, size)) {
		ba_buf_clear(&r->test);
		ba_buf_put(&r->test, line + n, size - n);
	} else if (size && line[0] == '#' && has(line, size, " device ") && device &&
		   ba_text_is_utf8(line, size)) {
		BA_AUTO_FREE char *name =
			ba_xstrndup(device + 2, (size_t)(line + size - device - 2));
		ba_source_field(r->s, "device", name, true);
	} else if (size && line[0] != '#' && r->header.count) {
		return read_row(r, line, size, err);
	}
	return 0;
}

int ba_read_nccl(const ba_source *s, ba_error *err)
{
	static const char *const columns[] = {"time", "algbw", "busbw"};
	BA_AUTO(reader) reader r = {.s = s, .test = BA_BUF_INIT, .id = BA_BUF_INIT};
	const char *line;
	size_t size;
	for (size_t i = 0; i < 3; i++)
		if (ba_source_wants(s, columns[i], i == 0))
			r.metric = columns[i];
	if (!r.metric)
		return 0;
	int rc = ba_lines_open(&r.lines, s, err);
	while (rc == 0 && (rc = ba_lines_next(&line, &size, &r.lines, err)) > 0)
		rc = read_line(&r, line, size, err);
	return rc;
}
