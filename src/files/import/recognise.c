/* Recognises the format of a file by its content. */

#include "import/source.h"

typedef enum format_index {
#define FORMAT_ENUM(code, name, title, reader, help) FORMAT_##code,
	FORMATS(FORMAT_ENUM)
#undef FORMAT_ENUM
		FORMAT_NONE
} format_index;

static const struct {
	ba_import_format shown;
	int (*read)(const ba_source *s, ba_error *err);
} formats[] = {
#define FORMAT_ROW(code, name, title, reader, help) {{name, title, help}, reader},
	FORMATS(FORMAT_ROW)
#undef FORMAT_ROW
};

const char *ba_import_samples_hint(const ba_import_format *format)
{
	static const struct row {
		format_index format;
		const char *hint;
	} rows[] = {{FORMAT_PYTEST, "--benchmark-save-data"}, {FORMAT_NVBENCH, "--jsonbin FILE"},
		{FORMAT_NVBENCH_TABLE, "--jsonbin FILE"},
		{FORMAT_GOOGLE, "--benchmark_report_aggregates_only=false"},
		{FORMAT_DOTNET, "the exporter json"}, {FORMAT_LLAMA, "-o json"},
		{FORMAT_CRITCMP, "Criterion's directory in place of critcmp's export"}};
	const struct row *row =
		BA_FIND(rows, BA_COUNT(rows), x, format == &formats[x->format].shown);
	return row ? row->hint : NULL;
}

/* ---- recognition --------------------------------------------------------- */

static int format_of_schema(format_index *out, ba_pull *p, ba_error *err)
{
	const char *schema = "";
	if (ba_pull_peek(p) != BA_JSON_STRING)
		return ba_pull_skip(p, err);
	int rc = ba_pull_string(&schema, p, err);
	if (rc == 0 && strcmp(schema, "bench-against.results/1") == 0)
		*out = FORMAT_RESULTS;
	else if (rc == 0 && strcmp(schema, "bench-against.samples/1") == 0)
		*out = FORMAT_SAMPLES;
	else if (rc == 0 && ba_text_starts(schema, "bench-against.")) {
		BA_AUTO_FREE char *safe = ba_text_safe(schema);
		return ba_pull_fail(
			err, p, "'%.60s' is not a schema that this version reads", safe);
	}
	return rc;
}

/* The first key of its first object that only one format has. */
static int format_of_array(format_index *out, ba_pull *p, ba_error *err)
{
	static const struct {
		const char *key;
		format_index format;
	} rows[] = {{"jmhVersion", FORMAT_JMH}, {"primaryMetric", FORMAT_JMH},
		{"build_commit", FORMAT_LLAMA}, {"unit", FORMAT_GITHUB},
		{"BenchmarkTools", FORMAT_JULIA}, {"title", FORMAT_NANOBENCH},
		{"measurements", FORMAT_NANOBENCH}};
	const char *key;
	int rc = ba_pull_array(p, err);
	rc = rc ? rc : ba_pull_element(p, err);
	if (rc <= 0 || ba_pull_peek(p) != BA_JSON_OBJECT)
		return rc < 0 ? rc : 0;
	rc = ba_pull_object(p, err);
	while (rc == 0 && *out == FORMAT_NONE && (rc = ba_pull_member(&key, p, err)) > 0) {
		for (size_t i = 0; i < BA_COUNT(rows); i++)
			if (strcmp(key, rows[i].key) == 0)
				*out = rows[i].format;
		rc = *out != FORMAT_NONE ? 0 : ba_pull_skip(p, err);
	}
	return rc;
}

/* hyperfine and nanobench have a list of this name */
static int format_of_results(format_index *out, ba_pull *p, ba_error *err)
{
	format_index inner = FORMAT_NONE;
	int rc = format_of_array(&inner, p, err);
	*out = inner == FORMAT_NANOBENCH || inner == FORMAT_GITHUB ? FORMAT_NANOBENCH
								   : FORMAT_HYPERFINE;
	return rc;
}

typedef struct measure {
	const ba_source *s;
	double value;
} measure;

/* {"latency": {"value": 1}}: what Bencher's format has of a benchmark */
static int format_of_measures(format_index *out, ba_pull *p, ba_error *err)
{
	static const ba_member rows[] = {BA_NUMBER("value", measure, value, 1), {0}};
	const char *key;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0) {
		measure m = {.value = NAN};
		rc = ba_pull_peek(p) == BA_JSON_OBJECT ? ba_members_pull(&m, p, rows, err)
						       : ba_pull_skip(p, err);
		if (rc == 0 && isfinite(m.value))
			*out = FORMAT_BENCHER;
	}
	return rc;
}

/* Others have a "context", too. */
static int refuse_strangers(ba_pull *p, ba_error *err)
{
	static const struct {
		const char *key;
		ba_json_type type;
		const char *tool;
	} rows[] = {{"build", BA_JSON_OBJECT, "AndroidX Benchmark"},
		{"runtime", BA_JSON_STRING, "mitata"}};
	const char *key;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0) {
		for (size_t i = 0; i < BA_COUNT(rows); i++)
			if (strcmp(key, rows[i].key) == 0 && ba_pull_peek(p) == rows[i].type)
				return ba_pull_fail(err, p,
					"this seems to be a file of %s, which bench-against does not read; write its values as bench-against.samples/1 (docs/compare.md)",
					rows[i].tool);
		rc = ba_pull_skip(p, err);
	}
	return rc;
}

/* The first top-level key that only one format has. */
static int format_of_object(format_index *out, ba_pull *p, ba_error *err)
{
	static const struct {
		const char *key;
		ba_json_type type;
		format_index format;
	} rows[] = {{"context", BA_JSON_OBJECT, FORMAT_GOOGLE},
		{"machine_info", BA_JSON_OBJECT, FORMAT_PYTEST},
		{"commit_info", BA_JSON_OBJECT, FORMAT_PYTEST},
		{"devices", BA_JSON_ARRAY, FORMAT_NVBENCH},
		{"results", BA_JSON_ARRAY, FORMAT_HYPERFINE},
		{"results", BA_JSON_OBJECT, FORMAT_ASV},
		{"commit_hash", BA_JSON_STRING, FORMAT_ASV},
		{"benchmarks", BA_JSON_OBJECT, FORMAT_CRITCMP},
		{"build_commit", BA_JSON_STRING, FORMAT_LLAMA},
		{"metadata", BA_JSON_OBJECT, FORMAT_PYPERF},
		{"request_throughput", BA_JSON_NUMBER, FORMAT_SERVING},
		{"requests_per_second", BA_JSON_NUMBER, FORMAT_SERVING},
		{"creator", BA_JSON_OBJECT, FORMAT_CODSPEED},
		{"Action", BA_JSON_STRING, FORMAT_GO_JSON},
		{"HostEnvironmentInfo", BA_JSON_OBJECT, FORMAT_DOTNET}};
	const char *key;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && *out == FORMAT_NONE && (rc = ba_pull_member(&key, p, err)) > 0) {
		bool schema = strcmp(key, "schema") == 0;
		ba_json_type type = BA_JSON_ABSENT;
		BA_AUTO_FREE char *mine = ba_xstrdup(key);
		type = ba_pull_peek(p);
		for (size_t i = 0; i < BA_COUNT(rows); i++)
			if (type == rows[i].type && strcmp(mine, rows[i].key) == 0)
				*out = rows[i].format;
		rc = *out == FORMAT_HYPERFINE ? format_of_results(out, p, err)
		     : *out == FORMAT_GOOGLE  ? refuse_strangers(p, err)
		     : *out != FORMAT_NONE    ? 0
		     : schema		      ? format_of_schema(out, p, err)
		     : type == BA_JSON_OBJECT ? format_of_measures(out, p, err)
					      : ba_pull_skip(p, err);
	}
	return rc;
}

/* "Two words or more, and a full stop": a Markdown table after it is part of a page. */
static bool is_prose(const char *line, size_t size)
{
	bool letters = size > 1 && isupper((unsigned char)line[0]) &&
		       isalpha((unsigned char)line[size - 2]);
	return letters && line[size - 1] == '.' && memchr(line, ' ', size);
}

/* All but JSON are recognised by a line near the beginning: programs may print before it. */
static int format_of_text(format_index *out, const ba_source *s, ba_error *err)
{
	enum { LINES_MOST = 10000 };
	static const struct {
		bool (*is)(const char *line, size_t size);
		format_index format;
	} rows[] = {
#define TEXT_ROW(code, is) {is, FORMAT_##code},
		TEXT_FORMATS(TEXT_ROW)
#undef TEXT_ROW
	};
	BA_AUTO(ba_lines) ba_lines lines = {0};
	const char *line;
	size_t size;
	bool prose = false;
	int rc = ba_lines_open(&lines, s, err);
	while (rc == 0 && (rc = ba_lines_next(&line, &size, &lines, err)) > 0) {
		bool table = size && line[0] == '|';
		/* much output may come before the first result of Go, rows[0] */
		size_t count = lines.number <= LINES_MOST ? BA_COUNT(rows) : 1;
		for (size_t i = 0; i < count && !(table && prose); i++)
			if (rows[i].is(line, size)) {
				*out = rows[i].format;
				return 0;
			}
		prose = prose || is_prose(line, size);
		rc = 0;
	}
	if (rc < 0)
		return rc;
	return ba_fail(err, BA_EDATA,
		"'%s' is not a result file of a known format: it is not JSON, no line of it is a result of go test -bench, and no line has the columns of a table that this version knows; if it is another CSV file, name its columns with --csv-columns",
		s->name);
}

static int recognise(format_index *out, const ba_source *s, ba_error *err)
{
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	*out = FORMAT_NONE;
	if (!s->text && ba_fs_is_dir(s->name)) {
		*out = FORMAT_CRITERION;
		return 0;
	}
	int rc = 0;
	BA_TRY(ba_source_pull(&p, s, err));
	switch (ba_pull_peek(p)) {
	case BA_JSON_OBJECT:
		rc = format_of_object(out, p, err);
		break;
	case BA_JSON_ARRAY:
		rc = format_of_array(out, p, err);
		*out = *out == FORMAT_NANOBENCH ? FORMAT_NONE : *out;
		break;
	default:
		*out = FORMAT_COLUMNS;
		rc = s->sink->csv_columns ? 0 : format_of_text(out, s, err);
	}
	if (rc == 0 && *out == FORMAT_NONE) {
		BA_AUTO(ba_buf) ba_buf names = BA_BUF_INIT;
		for (size_t i = 0; i < FORMAT_NONE; i++)
			ba_buf_printf(&names, "%s%s", i ? ", " : "", formats[i].shown.title);
		rc = ba_fail(err, BA_EDATA,
			"'%s' is JSON, but not a result file of a known format: %s", s->name,
			names.data);
	}
	return rc;
}

/* ---- reading ------------------------------------------------------------- */

/* Variants, baselines and runs of data.js are parts; in other files benchmarks are. */
static int has_own_parts(bool *own, format_index i, const ba_source *s, ba_error *err)
{
	*own = i == FORMAT_RESULTS || i == FORMAT_CRITERION;
	if (i != FORMAT_GITHUB)
		return 0;
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	int rc = ba_source_pull(&p, s, err);
	*own = rc == 0 && ba_pull_peek(p) != BA_JSON_ARRAY;
	return rc;
}

static int read_source(const ba_import_format **format, const ba_source *s, ba_error *err)
{
	format_index index;
	BA_TRY(recognise(&index, s, err));
	if (format)
		*format = &formats[index].shown;
	bool own = false;
	BA_TRY(has_own_parts(&own, index, s, err));
	if (!s->part || own)
		return formats[index].read(s, err);
	BA_AUTO(ba_parts) ba_parts parts = {.name = BA_BUF_INIT};
	ba_source of_part = *s;
	of_part.parts = &parts;
	BA_TRY(formats[index].read(&of_part, err));
	return ba_parts_check(&parts, s, err);
}

/* A pipe is read once, and formats are recognised before: keep it in memory. */
static int read_pipe(const ba_import_format **format, ba_source *s, const char *path, ba_error *err)
{
	enum { PIPE_MOST = 1 << 30 };
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	int rc = ba_fs_read_input(&text, path, PIPE_MOST, err);
	s->text = text.data;
	s->size = text.len;
	return rc ? rc : read_source(format, s, err);
}

int ba_import_read(const ba_import_format **format, const char *path, const char *part,
	const ba_sink *sink, ba_error *err)
{
	struct stat st;
	ba_source s = {.name = path, .part = part, .sink = sink};
	if (stat(path, &st))
		return ba_fail_errno(err, ba_fs_code(errno), "cannot read '%s'", path);
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return read_pipe(format, &s, path, err);
	return read_source(format, &s, err);
}

int ba_import_memory(const ba_import_format **format, const char *text, size_t size,
	const char *name, const char *part, const ba_sink *sink, ba_error *err)
{
	const ba_source s = {.name = name, .part = part, .text = text, .size = size, .sink = sink};
	return read_source(format, &s, err);
}
