/* perf stat -x SEPARATOR: one line for each event. A file is one process; with -r each
 * value is the mean of several, beside its deviation in percent. */

#include "import/csv.h"

enum { FIELDS_LEAST = 5 };

static bool is_number(const char *text)
{
	double value;
	return ba_parse_decimal(&value, text, strlen(text));
}

static bool is_missing(const char *text)
{
	return strcmp(text, "<not supported>") == 0 || strcmp(text, "<not counted>") == 0;
}

static bool is_percentage(const char *text)
{
	size_t size = strlen(text);
	double value;
	return size > 1 && text[size - 1] == '%' && ba_parse_decimal(&value, text, size - 1);
}

/* Finds the separator after the first value; 0 if the line does not begin with a value. */
static char separator_of(const char *line, size_t size)
{
	size_t i = 0;
	while (i < size && (isdigit((unsigned char)line[i]) || line[i] == '.'))
		i++;
	if (i == 0 && size && line[0] == '<') {
		const char *end = memchr(line, '>', size);
		i = end ? (size_t)(end - line) + 1 : 0;
	}
	return i > 0 && i < size && line[i] != ' ' ? line[i] : '\0';
}

/* value, unit, event, [deviation,] running time, percentage, ... */
static bool is_row(const ba_csv *c)
{
	const char *value = ba_csv_cell(c, 0), *event = ba_csv_cell(c, 2);
	bool several = is_percentage(ba_csv_cell(c, 3));
	return c->count >= FIELDS_LEAST && (is_number(value) || is_missing(value)) && *event &&
	       !is_number(event) && !strchr(event, ' ') &&
	       is_number(ba_csv_cell(c, several ? 4 : 3)) &&
	       is_number(ba_csv_cell(c, several ? 5 : 4));
}

bool ba_is_perf(const char *line, size_t size)
{
	BA_AUTO(ba_csv)
	ba_csv c = {.text = BA_BUF_INIT};
	c.separator = separator_of(line, size);
	return c.separator && ba_csv_split(&c, line, size) && is_row(&c);
}

static int emit(const ba_source *s, const ba_csv *c, ba_error *err)
{
	const char *cell = ba_csv_cell(c, 0), *event = ba_csv_cell(c, 2);
	double ns = ba_unit_ns(ba_csv_cell(c, 1)), value = NAN;
	if (!ba_parse_decimal(&value, cell, strlen(cell)))
		value = NAN;
	value *= ns > 0 ? ns : 1;
	BA_AUTO_FREE char *missing = is_missing(cell) ? ba_xprintf("perf says '%s'", cell) : NULL;
	/* "<not counted>" is a failure; "<not supported>" is the machine's, and so a skip */
	bool skipped = strcmp(cell, "<not supported>") == 0;
	const ba_record record = {.id = "perf stat",
		.metric = event,
		.is_time = ns > 0,
		.whole = true,
		.level = is_percentage(ba_csv_cell(c, 3)) ? BA_LEVEL_SUMMARY : BA_LEVEL_PROCESS,
		BA_ONE_VALUE(&value),
		.failure = skipped ? NULL : missing,
		.skipped = skipped ? missing : NULL};
	return ba_source_wants(s, event, true) ? ba_source_record(s, &record, err) : 0;
}

int ba_read_perf(const ba_source *s, ba_error *err)
{
	BA_AUTO(ba_csv) ba_csv c = {0};
	const char *line;
	size_t size;
	int rc = ba_csv_open(&c, s, err);
	c.separator = '\0';
	while (rc == 0 && (rc = ba_lines_next(&line, &size, &c.lines, err)) > 0) {
		rc = 0;
		c.line = c.lines.number;
		if (!c.separator)
			c.separator = ba_is_perf(line, size) ? separator_of(line, size) : '\0';
		/* Skip comments and output of the program itself. */
		bool begins = c.separator && separator_of(line, size) == c.separator;
		if (!begins)
			continue;
		if (!ba_csv_split(&c, line, size))
			return ba_csv_fail(err, &c, "the text is not UTF-8");
		if (!is_row(&c))
			return ba_csv_fail(err, &c,
				"a row of perf stat must have a value, its unit and its event; is the file truncated?");
		rc = emit(s, &c, err);
	}
	return rc;
}
