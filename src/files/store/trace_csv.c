#include "base/lines.h"
#include "store/trace_csv.h"

enum { COLUMNS = 7, LINE_MAX_BYTES = 65535 };

static const char *const column_names[COLUMNS] = {
	"benchmark", "invocation", "block", "position", "variant", "sample", "ns"};

typedef struct reader {
	const char *name;
	uint64_t line, rows;
	bool header_seen;
	ba_trace_row_fn *fn;
	void *data;
} reader;

static int fail_at(const reader *r, ba_error *err, const char *what)
{
	return ba_fail(err, BA_EDATA, "%s:%" PRIu64 ": %s", r->name, r->line, what);
}

/* Unquotes the field at *at in place; *at moves past its comma, or is NULL after the last. */
static int next_field(char **field, char **at, ba_error *err)
{
	char *from = *at, *to = from;
	*field = from;
	if (*from != '"') {
		char *comma = strchr(from, ',');
		if (comma)
			*comma = '\0';
		*at = comma ? comma + 1 : NULL;
		return 0;
	}
	for (from++;; from++) {
		if (*from == '\0')
			return ba_fail(err, BA_EDATA, "a quote is not closed");
		if (*from == '"' && *++from != '"')
			break;
		*to++ = *from;
	}
	if (*from != ',' && *from != '\0')
		return ba_fail(err, BA_EDATA, "text after a closing quote");
	*at = *from ? from + 1 : NULL;
	*to = '\0';
	return 0;
}

static int split(char *fields[COLUMNS], char *line, ba_error *err)
{
	char *at = line;
	for (size_t i = 0; i < COLUMNS; i++) {
		if (!at)
			return ba_fail(err, BA_EDATA,
				"%zu fields where " BA_TRACE_CSV_HEADER " has %d", i, COLUMNS);
		BA_TRY(next_field(&fields[i], &at, err));
	}
	if (at)
		return ba_fail(err, BA_EDATA,
			"more than %d fields; a name with a comma must be quoted", COLUMNS);
	return 0;
}

static int parse_count(uint32_t *out, const char *text, size_t column, ba_error *err)
{
	uint64_t value = 0;
	if (ba_parse_u64(&value, text, 0, UINT32_MAX, "", NULL))
		return ba_fail(err, BA_EDATA, "%s '%.40s' is not a whole number below 2^32",
			column_names[column], text);
	*out = (uint32_t)value;
	return 0;
}

static int parse_ns(double *out, const char *text, ba_error *err)
{
	/* neither accepts nan, infinities, hexadecimal or trailing text; the first is fast */
	size_t plain = ba_parse_plain(out, text, strlen(text));
	if ((!plain || text[plain]) && !ba_parse_f64(out, text, -INFINITY, INFINITY))
		return ba_fail(err, BA_EDATA, "ns '%.40s' is not a number", text);
	if (!(*out > 0))
		return ba_fail(err, BA_EDATA, "ns '%.40s' is not a positive time", text);
	if (*out < 1e-9 || *out > 1e18)
		return ba_fail(
			err, BA_EDATA, "ns '%.40s' is not between 1e-9 and 1e18 (30 years)", text);
	return 0;
}

static int parse_row(ba_trace_row *row, char *line, ba_error *err)
{
	char *f[COLUMNS];
	BA_TRY(split(f, line, err));
	BA_TRY(parse_count(&row->invocation, f[1], 1, err));
	BA_TRY(parse_count(&row->block, f[2], 2, err));
	BA_TRY(parse_count(&row->position, f[3], 3, err));
	BA_TRY(parse_count(&row->sample, f[5], 5, err));
	row->benchmark = f[0];
	row->variant = f[4];
	return parse_ns(&row->ns, f[6], err);
}

static int check_header(reader *r, const char *line, ba_error *err)
{
	BA_AUTO_FREE char *safe = ba_text_safe(line);
	/* some editors write a byte order mark */
	if (ba_text_starts(line, "\xef\xbb\xbf"))
		line += 3;
	r->header_seen = true;
	if (strcmp(line, BA_TRACE_CSV_HEADER) == 0)
		return 0;
	return ba_fail(err, BA_EDATA,
		"%s:%" PRIu64 ": the header must be '" BA_TRACE_CSV_HEADER "', not '%.200s'",
		r->name, r->line, safe);
}

static int use_line(reader *r, char *line, size_t length, ba_error *err)
{
	ba_trace_row row = {.line = r->line};
	if (length == 0 || line[0] == '#')
		return 0;
	if (memchr(line, '\0', length))
		return fail_at(r, err, "a NUL byte");
	if (!r->header_seen)
		return check_header(r, line, err);
	int rc = parse_row(&row, line, err);
	rc = rc ? rc : r->fn(r->data, &row, err);
	if (rc < 0)
		return ba_fail_context(err, "%s:%" PRIu64, r->name, r->line);
	r->rows++;
	return 0;
}

int ba_trace_csv_read(
	uint64_t *rows, int fd, const char *name, ba_trace_row_fn *fn, void *data, ba_error *err)
{
	BA_AUTO(ba_lines) ba_lines lines = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT; /* the line, which is unquoted in place */
	reader r = {.name = name, .fn = fn, .data = data};
	const char *line;
	size_t length;
	int rc;
	ba_lines_file(&lines, name, fd, (size_t)2 << 20);
	while ((rc = ba_lines_next(&line, &length, &lines, err)) > 0) {
		r.line = lines.number;
		if (length > LINE_MAX_BYTES)
			return fail_at(&r, err, "the line is longer than 65535 bytes");
		ba_buf_clear(&text);
		ba_buf_put(&text, line, length);
		BA_TRY(use_line(&r, text.data, length, err));
	}
	if (rc < 0)
		return rc;
	if (!r.header_seen)
		return ba_fail(err, BA_EDATA,
			"'%s' is empty; a trace begins with '" BA_TRACE_CSV_HEADER "'", name);
	if (rows)
		*rows = r.rows;
	return 0;
}
