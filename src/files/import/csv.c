#include "import/csv.h"

enum { ROW_MOST = 1 << 20 };

int ba_csv_open(ba_csv *c, const ba_source *s, ba_error *err)
{
	*c = (ba_csv){.separator = ',', .text = BA_BUF_INIT};
	return ba_lines_open(&c->lines, s, err);
}

void ba_csv_close(ba_csv *c)
{
	ba_lines_close(&c->lines);
	ba_buf_dispose(&c->text);
	ba_strv_dispose(&c->header);
	free(c->cells);
	c->cells = NULL;
}

int ba_csv_fail(ba_error *err, const ba_csv *c, const char *fmt, ...)
{
	BA_FORMATTED(text, fmt);
	return ba_fail(err, BA_EDATA, "%s: line %zu: %s", c->lines.name, c->line, text);
}

static void begin_cell(ba_csv *c)
{
	*BA_PUSH(c->cells, c->count, c->capacity) = c->text.len;
}

/* Appends a line to the row. */
static void add_line(ba_csv *c, const char *line, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		char x = line[i];
		bool two = x == '"' && i + 1 < size && line[i + 1] == '"';
		if (c->quoted && two)
			ba_buf_putc(&c->text, line[++i]);
		else if (c->quoted && x == '"')
			c->quoted = false;
		else if (!c->quoted && x == '"' && c->cells[c->count - 1] == c->text.len)
			c->quoted = true;
		else if (!c->quoted && x == c->separator) {
			ba_buf_putc(&c->text, '\0');
			begin_cell(c);
		} else
			ba_buf_putc(&c->text, x);
	}
}

/* "| a | **b** |": splits at bars, and removes spaces and stars around cells */
static void add_bars(ba_csv *c, const char *line, size_t size)
{
	const char *at = line + 1, *end = line + size;
	while (end > at && end[-1] == ' ')
		end--;
	end -= end > at && end[-1] == '|';
	for (;;) {
		const char *bar = memchr(at, '|', (size_t)(end - at)), *to = bar ? bar : end;
		while (at < to && strchr(" *", *at))
			at++;
		while (to > at && strchr(" *", to[-1]))
			to--;
		ba_buf_put(&c->text, at, (size_t)(to - at));
		if (!bar)
			return;
		at = bar + 1;
		ba_buf_putc(&c->text, '\0');
		begin_cell(c);
	}
}

static void add(ba_csv *c, const char *line, size_t size)
{
	c->bars = c->separator == '|' && size && line[0] == '|';
	if (c->bars)
		add_bars(c, line, size);
	else
		add_line(c, line, size);
}

static void begin_row(ba_csv *c)
{
	ba_buf_clear(&c->text);
	c->count = 0;
	c->quoted = false;
	begin_cell(c);
}

bool ba_csv_split(ba_csv *c, const char *line, size_t size)
{
	begin_row(c);
	if (size > 2 && memcmp(line, "\xef\xbb\xbf", 3) == 0) {
		line += 3;
		size -= 3;
	}
	if (!ba_text_is_utf8(line, size))
		return false;
	add(c, line, size);
	return !c->quoted;
}

/* Is the line a header with one of the separators? Keeps that separator. */
static bool is_header(ba_csv *c, const char *line, size_t size,
	bool (*is)(const ba_csv *c, const void *), const void *data)
{
	const char *separators = size && line[0] == '|' ? "|" : ",;\t";
	for (const char *x = separators; *x; x++) {
		c->separator = *x;
		if (memchr(line, *x, size) && ba_csv_split(c, line, size) && is(c, data))
			return true;
	}
	return false;
}

bool ba_csv_line_is(
	const char *line, size_t size, bool (*is)(const ba_csv *c, const void *), const void *data)
{
	BA_AUTO(ba_csv) ba_csv c = {.text = BA_BUF_INIT};
	return is_header(&c, line, size, is, data);
}

int ba_csv_find_header(bool *found, ba_csv *c, bool (*is)(const ba_csv *c, const void *),
	const void *data, ba_error *err)
{
	const char *line;
	size_t size;
	int rc;
	*found = false;
	ba_strv_dispose(&c->header);
	while ((rc = ba_lines_next(&line, &size, &c->lines, err)) > 0) {
		c->line = c->lines.number;
		if (!is_header(c, line, size, is, data)) {
			if (c->before)
				c->before(c, line, size);
			continue;
		}
		for (size_t i = 0; i < c->count; i++)
			ba_strv_push(&c->header, ba_csv_cell(c, i));
		*found = true;
		return 0;
	}
	return rc;
}

/* "|---|---:|": the line below the header of a Markdown table */
static bool is_rule(const ba_csv *c, const char *line, size_t size)
{
	size_t i = 0;
	while (i < size && strchr("|-: ", line[i]))
		i++;
	return c->separator == '|' && size && i == size;
}

int ba_csv_next(ba_csv *c, ba_error *err)
{
	const char *line;
	size_t size;
	int rc = ba_lines_next(&line, &size, &c->lines, err);
	while (rc > 0 && is_rule(c, line, size))
		rc = ba_lines_next(&line, &size, &c->lines, err);
	c->line = c->lines.number;
	begin_row(c);
	while (rc > 0) {
		if (!ba_text_is_utf8(line, size))
			return ba_csv_fail(err, c, "the text is not UTF-8");
		if (c->text.len > ROW_MOST)
			return ba_csv_fail(
				err, c, "a row is longer than 1 MiB; is a quote missing?");
		add(c, line, size);
		if (!c->quoted)
			return 1;
		ba_buf_putc(&c->text, '\n');
		rc = ba_lines_next(&line, &size, &c->lines, err);
		if (rc == 0)
			return ba_csv_fail(err, c, "a quote is not closed; is the file truncated?");
	}
	return rc;
}

int ba_csv_check_count(const ba_csv *c, ba_error *err)
{
	if (c->count == c->header.count)
		return 0;
	return ba_csv_fail(err, c, "%zu cells, but the header has %zu; is the file truncated?",
		c->count, c->header.count);
}

int ba_csv_next_record(ba_csv *c, ba_error *err)
{
	int rc = ba_csv_next(c, err);
	while (rc > 0 && c->count == 1 && !*ba_csv_cell(c, 0))
		rc = ba_csv_next(c, err);
	int bad = rc > 0 ? ba_csv_check_count(c, err) : 0;
	return bad ? bad : rc;
}

const char *ba_csv_cell(const ba_csv *c, size_t column)
{
	return column < c->count ? c->text.data + c->cells[column] : "";
}

size_t ba_csv_column(const ba_csv *c, const char *name)
{
	size_t i = 0, count = c->header.count ? c->header.count : c->count;
	while (i < count &&
		strcmp(c->header.count ? c->header.items[i] : ba_csv_cell(c, i), name) != 0)
		i++;
	return i;
}

bool ba_csv_has_all(const ba_csv *c, const void *names)
{
	const char *const *name = names;
	while (name && *name && ba_csv_column(c, *name) != c->count)
		name++;
	return !name || !*name;
}
