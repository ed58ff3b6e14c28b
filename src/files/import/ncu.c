/* Nsight Compute: `ncu --csv`, a row for each metric of a launch, or with --page raw a row for
 * each launch, and a second line of units. Each launch is replayed alone, so it is a
 * repetition. */

#include "import/table.h"

typedef struct reader {
	const ba_source *s;
	ba_csv csv;
	ba_buf id, launch, unit;
	size_t number, kernel, block, grid, name, value;
} reader;

BA_OWNS_HERE(reader, r, ba_csv_close(&r->csv), BA_DISPOSE(ba_buf, &r->id, &r->launch, &r->unit))

static bool is_header(const ba_csv *c, const void *data)
{
	bool metric = ba_csv_column(c, "Metric Value") < c->count;
	for (size_t i = 0; i < c->count; i++)
		metric |= strstr(ba_csv_cell(c, i), "__") != NULL;
	return metric && ba_csv_column(c, "ID") < c->count &&
	       ba_csv_column(c, "Kernel Name") < c->count;
}

bool ba_is_ncu(const char *line, size_t size)
{
	return ba_csv_line_is(line, size, is_header, NULL);
}

static bool is_wanted(const reader *r, const char *metric)
{
	const char *asked = r->s->sink->metric;
	if (ba_source_offer(r->s, metric))
		return false;
	return asked && strcmp(asked, "time") != 0
		       ? strcmp(metric, asked) == 0
		       : strcmp(metric, "gpu__time_duration.sum") == 0 ||
				 strcmp(metric, "Duration") == 0;
}

static void find_columns(reader *r)
{
	const ba_csv *c = &r->csv;
	r->number = ba_csv_column(c, "ID");
	r->kernel = ba_csv_column(c, "Kernel Name");
	r->block = ba_csv_column(c, "Block Size");
	r->grid = ba_csv_column(c, "Grid Size");
	r->name = ba_csv_column(c, "Metric Name");
	r->value = ba_csv_column(c, "Metric Value");
	for (size_t i = 0; r->value == c->header.count && i < c->header.count; i++)
		if (is_wanted(r, c->header.items[i]))
			r->value = i;
}

/* Writes "(128, 1, 1)" as 128x1x1, because commas separate the parameters of a name. */
static void put_size(ba_buf *out, const char *before, const char *size)
{
	ba_buf_puts(out, before);
	for (const char *c = size; *c; c++)
		if (*c == ',')
			ba_buf_putc(out, 'x');
		else if (!strchr("() ", *c))
			ba_buf_putc(out, *c);
}

/* On the details page, cells about rules are missing if there is no rule. */
static bool is_whole(const reader *r)
{
	size_t least = r->name < r->csv.header.count ? r->value + 1 : r->csv.header.count;
	return r->csv.count >= least && r->csv.count <= r->csv.header.count;
}

static int emit(reader *r, const char *metric, const char *unit, ba_error *err)
{
	const ba_csv *c = &r->csv;
	double ns = ba_unit_ns(unit);
	double value = ba_table_number(ba_csv_cell(c, r->value)) * (ns > 0 ? ns : 1);
	const char *block = ba_csv_cell(c, r->block), *grid = ba_csv_cell(c, r->grid);
	bool time = ns > 0 && is_wanted(r, metric) &&
		    (!r->s->sink->metric || strcmp(r->s->sink->metric, "time") == 0);
	if (value < 0)
		return ba_csv_fail(err, c, "a value is negative, which a measured value cannot be");
	ba_buf_clear(&r->id);
	ba_buf_puts(&r->id, ba_csv_cell(c, r->kernel));
	if (!r->id.len)
		return ba_csv_fail(err, c, "a row without 'Kernel Name'");
	if (*block && *grid) {
		put_size(&r->id, "/block=", block);
		put_size(&r->id, ",grid=", grid);
	}
	const ba_record record = {.id = r->id.data,
		.metric = time ? "time" : metric,
		.is_time = ns > 0,
		.higher_is_better = ba_unit_is_rate(unit),
		.level = BA_LEVEL_REPETITION,
		BA_ONE_VALUE(&value)};
	return ba_source_record(r->s, &record, err);
}

static int read_row(reader *r, ba_error *err)
{
	const ba_csv *c = &r->csv;
	const char *number = ba_csv_cell(c, r->number);
	if (r->name == c->header.count) {
		const char *metric = r->value < c->header.count ? c->header.items[r->value] : NULL;
		if (*number)
			return metric ? emit(r, metric, r->unit.data, err) : 0;
		ba_buf_clear(&r->unit); /* this row has the units */
		ba_buf_puts(&r->unit, ba_csv_cell(c, r->value));
		return 0;
	}
	const char *metric = ba_csv_cell(c, r->name);
	/* a section may repeat a metric of the same launch */
	if (!is_wanted(r, metric) || strcmp(number, r->launch.data) == 0)
		return 0;
	ba_buf_clear(&r->launch);
	ba_buf_puts(&r->launch, number);
	return emit(r, metric, ba_csv_cell(c, ba_csv_column(c, "Metric Unit")), err);
}

int ba_read_ncu(const ba_source *s, ba_error *err)
{
	BA_AUTO(reader)
	reader r = {.s = s, .id = BA_BUF_INIT, .launch = BA_BUF_INIT, .unit = BA_BUF_INIT};
	bool found;
	int rc = ba_csv_open(&r.csv, s, err);
	rc = rc ? rc : ba_csv_find_header(&found, &r.csv, is_header, NULL, err);
	if (rc == 0 && !found)
		return ba_fail(err, BA_EDATA, "%s: no line has the columns 'ID' and 'Kernel Name'",
			s->name);
	if (rc == 0)
		find_columns(&r);
	while (rc == 0 && (rc = ba_csv_next(&r.csv, err)) > 0) {
		/* "==PROF== Disconnected" and output of the program, which are ignored */
		if (r.csv.count == 1)
			rc = 0;
		else if (!is_whole(&r))
			rc = ba_csv_check_count(&r.csv, err);
		else
			rc = read_row(&r, err);
	}
	return rc;
}
