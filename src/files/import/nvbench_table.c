/* NVBench --csv and --md: tables of means. With --jsonbin there are samples (nvbench.c). */
#include <math.h>

#include "import/table.h"

static const char *const needs[] = {"Benchmark", "Device Name", "Skipped", NULL};
static const char *const good[] = {"No", NULL};
static const ba_table_metric metrics[] = {{"GPU Time", "gpu_time", 1e9},
	{"CPU Time", "cpu_time", 1e9}, {"Batch GPU", "batch_time", 1e9}, {NULL, NULL, 0}};
static const ba_table table = {.needs = needs,
	.name = "Benchmark",
	.after = "Device Name",
	.before = "Skipped",
	.status = "Skipped",
	.skip = "Yes",
	.good = good,
	.device = "Device Name",
	.metrics = metrics,
	.level = BA_LEVEL_SUMMARY,
	.whole = true};

static const char results[] = "# Benchmark Results";

bool ba_is_nvbench_table(const char *line, size_t size)
{
	return ba_table_is(&table, line, size) ||
	       (size == strlen(results) && memcmp(line, results, size) == 0);
}

/* ---- Markdown ------------------------------------------------------------ */

/* "## copy", "### [0] NVIDIA H100", and a table whose cells contain units */
typedef struct reader {
	const ba_source *s;
	ba_csv csv; /* rows, split at bars; without a header between tables */
	ba_buf benchmark, id;
} reader;

static void reader_dispose(reader *r)
{
	ba_csv_close(&r->csv);
	BA_DISPOSE(ba_buf, &r->benchmark, &r->id);
}
BA_DEFINE_AUTO(reader, reader_dispose)

/* Columns before "Samples" are axes. For "2^10", the number itself is in the next
 * column. */
static void put_id(reader *r)
{
	BA_AUTO(ba_strv) ba_strv words = {0};
	ba_buf_clear(&r->id);
	ba_buf_puts(&r->id, r->benchmark.data);
	const ba_strv *header = &r->csv.header;
	for (size_t i = 0; i < header->count; i++) {
		const char *name = header->items[i];
		const char *next = i + 1 < header->count ? header->items[i + 1] : "";
		BA_AUTO_FREE char *pretty = ba_xprintf("(%s)", name);
		if (strcmp(name, "Samples") == 0)
			break;
		bool both = strcmp(next, pretty) == 0;
		const char *value = ba_csv_cell(&r->csv, both ? i + 1 : i);
		if (*value)
			ba_strv_printf(&words, "%s=%s", name, value);
		i += both;
	}
	ba_buf_puts(&r->id, words.count ? "/" : "");
	ba_parameters_join(&r->id, &words);
}

static int read_row(reader *r, ba_error *err)
{
	const ba_table_metric *m = metrics;
	while (m->column && !ba_source_wants(r->s, m->metric, m == metrics))
		m++;
	size_t column = m->column ? ba_csv_column(&r->csv, m->column) : r->csv.count;
	if (column == r->csv.count)
		return 0;
	const char *cell = ba_csv_cell(&r->csv, column);
	double ns, value = ba_table_measure(&ns, cell);
	value = ns > 0 ? value * ns : NAN;
	put_id(r);
	if (!r->id.len)
		return ba_csv_fail(err, &r->csv,
			"the name of the benchmark ('## NAME') must come before its table");
	if (value < 0)
		return ba_csv_fail(
			err, &r->csv, "'%s' is negative, which a measured value cannot be", cell);
	const ba_record record = {.id = r->id.data,
		.metric = m->metric,
		.is_time = true,
		.whole = true,
		.level = BA_LEVEL_SUMMARY,
		.values = &value,
		.count = 1,
		.failure = *cell ? NULL : "the file has no value for it"};
	return ba_source_record(r->s, &record, err);
}

static int read_bars(reader *r, const char *line, size_t size, ba_error *err)
{
	ba_csv *c = &r->csv;
	if (size > 1 && line[1] == '-')
		return 0;
	if (!ba_csv_split(c, line, size))
		return ba_csv_fail(err, c, "the text is not UTF-8");
	if (c->header.count == 0) {
		for (size_t i = 0; i < c->count; i++)
			ba_strv_push(&c->header, ba_csv_cell(c, i));
		return 0;
	}
	int rc = ba_csv_check_count(c, err);
	/* other tables have no samples */
	bool ours = ba_csv_column(c, "Samples") < c->count;
	return rc || !ours ? rc : read_row(r, err);
}

static int read_line(reader *r, const char *line, size_t size, ba_error *err)
{
	if (size && line[0] == '|')
		return read_bars(r, line, size, err);
	ba_strv_dispose(&r->csv.header);
	if (size > 3 && memcmp(line, "## ", 3) == 0) {
		if (!ba_text_is_utf8(line, size))
			return ba_csv_fail(err, &r->csv, "the text is not UTF-8");
		ba_buf_clear(&r->benchmark);
		ba_buf_put(&r->benchmark, line + 3, size - 3);
	} else if (size > 4 && memcmp(line, "### ", 4) == 0) {
		const char *name = memchr(line, ']', size);
		size_t at = name ? (size_t)(name - line) + 2 : 4;
		BA_AUTO_FREE char *device = ba_xstrndup(line + at, at < size ? size - at : 0);
		if (ba_text_is_utf8(device, strlen(device)))
			ba_source_field(r->s, "device", device, true);
	}
	return 0;
}

static int read_markdown(const ba_source *s, ba_error *err)
{
	BA_AUTO(reader)
	reader r = {.s = s, .benchmark = BA_BUF_INIT, .id = BA_BUF_INIT};
	const char *line;
	size_t size;
	bool begun = false;
	int rc = ba_csv_open(&r.csv, s, err);
	r.csv.separator = '|';
	while (rc == 0 && (rc = ba_lines_next(&line, &size, &r.csv.lines, err)) > 0) {
		r.csv.line = r.csv.lines.number;
		begun |= size == strlen(results) && memcmp(line, results, size) == 0;
		rc = begun ? read_line(&r, line, size, err) : 0;
	}
	return rc;
}

int ba_read_nvbench_table(const ba_source *s, ba_error *err)
{
	BA_AUTO(ba_lines) ba_lines lines = {0};
	const char *line;
	size_t size;
	bool csv = false;
	int rc = ba_lines_open(&lines, s, err);
	while (rc == 0 && !csv && (rc = ba_lines_next(&line, &size, &lines, err)) > 0) {
		csv = ba_table_is(&table, line, size);
		rc = 0;
	}
	if (rc < 0)
		return rc;
	return csv ? ba_table_read(&table, s, err) : read_markdown(s, err);
}
