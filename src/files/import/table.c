#include "import/table.h"

/* ---- cells --------------------------------------------------------------- */

double ba_table_number(const char *cell)
{
	double value;
	BA_AUTO(ba_buf) ba_buf plain = BA_BUF_INIT;
	size_t whole = strcspn(cell, "."), first = strcspn(cell, ",");
	for (size_t i = 0; cell[i]; i++) {
		bool comma = cell[i] == ',';
		/* "1,234,567.8": commas must stand before groups of three digits */
		if (comma && (i > whole || first > 4 || (whole - i) % 4 != 0))
			return NAN;
		if (!comma && cell[i] != ' ')
			ba_buf_putc(&plain, cell[i]);
	}
	return ba_parse_decimal(&value, plain.data, plain.len) ? value : NAN;
}

double ba_table_measure(double *ns, const char *cell)
{
	static const char *const bytes[] = {"B", "KB", "MB", "GB"};
	size_t size = strcspn(cell, " ");
	const char *unit = cell + size + strspn(cell + size, " ");
	BA_AUTO_FREE char *number = ba_xstrndup(cell, size);
	double scale = 1;
	*ns = ba_unit_ns(unit);
	if (*ns > 0 || !*unit || ba_text_starts(unit, "±"))
		return ba_table_number(number);
	for (size_t i = 0; i < BA_COUNT(bytes); i++, scale *= 1024)
		if (strcmp(unit, bytes[i]) == 0)
			return ba_table_number(number) * scale;
	return ba_table_number(cell);
}

/* "Avg (ns)" to "Avg", and *unit to "ns"; *unit is empty if there is none */
static void split_unit(ba_buf *name, ba_buf *unit, const char *column)
{
	size_t size = strlen(column);
	const char *open = strrchr(column, '(');
	bool has = open && open > column + 1 && open[-1] == ' ' && column[size - 1] == ')';
	ba_buf_clear(name);
	ba_buf_clear(unit);
	ba_buf_put(name, column, has ? (size_t)(open - 1 - column) : size);
	if (has)
		ba_buf_put(unit, open + 1, (size_t)(column + size - 2 - open));
}

void ba_table_unit(ba_buf *out, const char *column)
{
	const char *open = strrchr(column, '(');
	ba_buf_clear(out);
	if (open && strchr(open, ')'))
		ba_buf_put(out, open + 1, strcspn(open + 1, ")"));
}

bool ba_table_is(const ba_table *t, const char *line, size_t size)
{
	return ba_csv_line_is(line, size, ba_csv_has_all, t->needs);
}

/* ---- rows ---------------------------------------------------------------- */

typedef struct chosen {
	const char *metric;
	size_t column;
	double scale;
	bool is_time, higher_is_better;
} chosen;

typedef struct reader {
	ba_csv csv; /* the first member: take_heading() gets it */
	const ba_table *t;
	const ba_source *s;
	ba_buf id, heading;
	bool begun; /* the title was read, or there is none */
	ba_strv words;
	size_t name, after, before, status, device;
	chosen value;
} reader;

BA_OWNS_HERE(reader, r, ba_csv_close(&r->csv), BA_DISPOSE(ba_buf, &r->id, &r->heading),
	ba_strv_dispose(&r->words))

/* Finds the column with the requested metric. */
static bool choose(reader *r)
{
	const char *asked = r->s->sink->metric;
	BA_AUTO(ba_buf) ba_buf name = BA_BUF_INIT, unit = BA_BUF_INIT;
	const ba_table_metric *m = r->t->metrics;
	while (asked && m->column && strcmp(m->metric, asked) != 0)
		m++;
	const char *column = m->column ? m->column : asked;
	if (!column) /* the format has no metrics, and none was requested */
		return false;
	for (size_t i = 0; i < r->csv.header.count; i++) {
		split_unit(&name, &unit, r->csv.header.items[i]);
		if (strcmp(name.data, column) != 0 && strcmp(r->csv.header.items[i], column) != 0)
			continue;
		double ns = unit.len ? ba_unit_ns(unit.data) : m->ns;
		r->value = (chosen){.metric = m->column ? m->metric : asked,
			.column = i,
			.scale = ns > 0 ? ns : 1,
			.is_time = ns > 0,
			.higher_is_better = ba_unit_is_rate(unit.len ? unit.data : name.data)};
		return true;
	}
	return false;
}

/* Is the column, by its position, part of the benchmark's name? */
static bool is_between(const reader *r, size_t i)
{
	size_t first = r->t->title ? 0 : 1 + (r->t->after ? r->after : r->name);
	return r->t->before && i >= first && i < r->before &&
	       !ba_is_among(r->t->ignored, r->csv.header.items[i]);
}

static void put_id(reader *r)
{
	const ba_csv *c = &r->csv;
	ba_buf_clear(&r->id);
	ba_strv_dispose(&r->words);
	ba_buf_puts(&r->id, r->t->title ? r->heading.data : ba_csv_cell(c, r->name));
	for (size_t i = 0; i < c->header.count; i++) {
		const char *column = c->header.items[i], *cell = ba_csv_cell(c, i);
		/* NVBench writes each power of two in two columns: 2^10 counts. */
		BA_AUTO_FREE char *power = ba_xprintf("%s (pow2)", column);
		bool number = (i && strcmp(c->header.items[i - 1], power) == 0) ||
			      (r->t->title && *column == '(');
		int size = (int)strlen(column) - (ba_text_ends(column, " (pow2)") ? 7 : 0);
		if (*cell && !number && !ba_is_among(r->t->ignored, cell) &&
			(is_between(r, i) || ba_is_among(r->t->parameters, column)))
			ba_strv_printf(&r->words, "%.*s=%s", size, column, cell);
	}
	if (!r->t->in_order)
		ba_strv_sort(&r->words);
	BA_AUTO_FREE char *words = ba_strv_join(&r->words, ",");
	ba_buf_printf(&r->id, "%s%s", r->words.count && r->id.len ? "/" : "", words);
}

/* Offers the columns whose cells are numbers. */
static void offer(const reader *r)
{
	BA_AUTO(ba_buf) ba_buf name = BA_BUF_INIT, unit = BA_BUF_INIT;
	for (size_t i = 0; i < r->csv.header.count; i++) {
		const ba_table_metric *m = r->t->metrics;
		split_unit(&name, &unit, r->csv.header.items[i]);
		while (m->column && strcmp(m->column, name.data) != 0)
			m++;
		bool parameter =
			is_between(r, i) || ba_is_among(r->t->parameters, r->csv.header.items[i]);
		double ns, value = ba_table_measure(&ns, ba_csv_cell(&r->csv, i));
		if (i != r->name && !parameter && isfinite(value))
			ba_source_offer(r->s, m->column ? m->metric : name.data);
	}
}

static int read_row(reader *r, ba_error *err)
{
	const ba_csv *c = &r->csv;
	const char *cell = ba_csv_cell(c, r->value.column);
	const char *status = ba_csv_cell(c, r->status);
	BA_AUTO_FREE char *failure = NULL, *skipped = NULL;
	if (r->s->sink->offer) {
		offer(r);
		return 0;
	}
	double own, value = ba_table_measure(&own, cell);
	value *= own > 0 ? own : r->value.scale;
	put_id(r);
	if (!r->id.len && r->t->title)
		return ba_csv_fail(
			err, c, "the name of the benchmark ('## NAME') must come before its table");
	if (!r->id.len)
		return ba_csv_fail(err, c, "a row without '%s'", r->t->name);
	if (value < 0)
		return ba_csv_fail(
			err, c, "'%s' is negative, which a measured value cannot be", cell);
	if (*status && r->t->skip && strcmp(status, r->t->skip) == 0)
		skipped = ba_xprintf("its %s is '%s'", r->t->status, status);
	else if (*status && !ba_is_among(r->t->good, status))
		failure = ba_xprintf("its %s is '%s'", r->t->status, status);
	else if (!*cell || isnan(value))
		failure = *cell ? ba_xprintf("'%.60s' is not a number", cell)
				: ba_xstrdup("the file has no value for it");
	ba_source_field(r->s, "device", ba_csv_cell(c, r->device), true);
	const ba_record record = {.id = r->id.data,
		.metric = r->value.metric,
		.is_time = r->value.is_time || own > 0,
		.higher_is_better = r->value.higher_is_better,
		.whole = r->t->whole,
		.level = r->t->level,
		BA_ONE_VALUE(&value),
		.failure = failure,
		.skipped = skipped};
	return ba_source_record(r->s, &record, err);
}

static size_t column_of(const reader *r, const char *name)
{
	return name ? ba_csv_column(&r->csv, name) : SIZE_MAX;
}

static void find_columns(reader *r)
{
	r->name = column_of(r, r->t->name);
	r->after = column_of(r, r->t->after);
	r->before = column_of(r, r->t->before);
	r->status = column_of(r, r->t->status);
	r->device = column_of(r, r->t->device);
}

static void take_heading(ba_csv *c, const char *line, size_t size)
{
	reader *r = (reader *)c;
	BA_AUTO_FREE char *text = ba_xstrndup(line, size);
	const char *name = strchr(text, ']');
	r->begun = r->begun || strcmp(text, r->t->title) == 0;
	if (!r->begun || !ba_text_is_utf8(line, size))
		return;
	if (ba_text_starts(text, "## ")) {
		ba_buf_clear(&r->heading);
		ba_buf_puts(&r->heading, text + 3);
	} else if (ba_text_starts(text, "### ")) {
		ba_source_field(r->s, "device", name && name[1] ? name + 2 : text + 4, true);
	}
}

/* Reads rows up to an empty line, or up to other output of the program. */
static int read_rows(reader *r, ba_error *err)
{
	bool wanted = r->begun && choose(r);
	int rc;
	find_columns(r);
	while ((rc = ba_csv_next(&r->csv, err)) > 0 && (r->csv.count > 1 || r->csv.bars)) {
		rc = ba_csv_check_count(&r->csv, err);
		rc = rc || (!wanted && !(r->begun && r->s->sink->offer)) ? rc : read_row(r, err);
		if (rc)
			return rc;
	}
	return rc;
}

int ba_table_read(const ba_table *t, const ba_source *s, ba_error *err)
{
	BA_AUTO(reader)
	reader r = {.t = t, .s = s, .id = BA_BUF_INIT, .heading = BA_BUF_INIT, .begun = !t->title};
	size_t tables = 0;
	bool found = true;
	int rc = ba_csv_open(&r.csv, s, err);
	r.csv.before = t->title ? take_heading : NULL;
	while (rc >= 0 && found) {
		rc = ba_csv_find_header(&found, &r.csv, ba_csv_has_all, t->needs, err);
		tables += rc == 0 && found;
		rc = rc == 0 && found ? read_rows(&r, err) : rc;
	}
	if (rc == 0 && tables == 0)
		return ba_fail(err, BA_EDATA, "%s: no line has the columns '%s' and '%s'", s->name,
			t->needs[0], t->needs[1]);
	return rc;
}
