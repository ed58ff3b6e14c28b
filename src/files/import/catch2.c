/* Catch2 -r xml, versions 2 and 3: BenchmarkResults within test cases and sections. They
 * hold the mean of the samples only. */
#include <math.h>

#include "base/base.h"
#include "base/parse.h"
#include "import/lines.h"
#include "import/xml.h"

typedef struct reader {
	const ba_source *s;
	ba_xml xml;
	ba_strv names; /* of the open elements; "" if they have none that counts */
	double mean;
	bool failed;
} reader;

static void reader_dispose(reader *r)
{
	ba_xml_dispose(&r->xml);
	ba_strv_dispose(&r->names);
}
BA_DEFINE_AUTO(reader, reader_dispose)

bool ba_is_catch2(const char *line, size_t size)
{
	/* version 2 has <Catch name="...">, version 3 <Catch2TestRun ...> */
	while (size && (*line == ' ' || *line == '\t')) {
		line++;
		size--;
	}
	return (size > 7 && memcmp(line, "<Catch ", 7) == 0) ||
	       (size > 14 && memcmp(line, "<Catch2TestRun", 14) == 0);
}

static bool is_element(const reader *r, const char *name)
{
	const ba_strv *open = &r->xml.open;
	return open->count && strcmp(open->items[open->count - 1], name) == 0;
}

/* "test case/section/benchmark" */
static int emit(reader *r, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf id = BA_BUF_INIT;
	for (size_t i = 0; i < r->names.count; i++)
		if (*r->names.items[i])
			ba_buf_printf(&id, "%s%s", id.len ? "/" : "", r->names.items[i]);
	ba_statistics of = BA_STATISTICS_NONE;
	of.mean = r->mean;
	const ba_record record = {
		.id = id.data, .failure = r->failed ? "Catch2 reports that it failed" : NULL};
	return ba_source_time(r->s, &record, NULL, &of, err);
}

static int begin(reader *r, ba_error *err)
{
	const ba_xml *x = &r->xml;
	bool benchmark = is_element(r, "BenchmarkResults");
	bool named = benchmark || is_element(r, "TestCase") || is_element(r, "Section");
	const char *value = ba_xml_attribute(x, "value");
	ba_strv_push(&r->names, named ? ba_xml_attribute(x, "name") : "");
	if (benchmark) {
		r->mean = NAN;
		r->failed = false;
		if (!*ba_xml_attribute(x, "name"))
			return ba_xml_fail(err, x, "a benchmark without a name");
	}
	r->failed |= is_element(r, "failed");
	if (is_element(r, "mean") && !ba_parse_decimal(&r->mean, value, strlen(value)))
		return ba_xml_fail(err, x, "a mean that is not a number");
	if (is_element(r, "mean") && r->mean < 0)
		return ba_xml_fail(err, x, "a mean is negative, which a measured value cannot be");
	return 0;
}

static int end(reader *r, ba_error *err)
{
	int rc = is_element(r, "BenchmarkResults") ? emit(r, err) : 0;
	if (r->names.count) {
		free(r->names.items[--r->names.count]);
		r->names.items[r->names.count] = NULL;
	}
	return rc;
}

int ba_read_catch2(const ba_source *s, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	int rc = ba_lines_load(&text, s, err);
	BA_AUTO(reader)
	reader r = {.s = s,
		.xml = {.name = s->name,
			.text = text.data,
			.at = text.data,
			.end = text.data + text.len}};
	while (rc == 0 && (rc = ba_xml_next(&r.xml, err)) > 0) {
		rc = r.xml.closes ? 0 : begin(&r, err);
		if (rc == 0 && (r.xml.closes || r.xml.empty))
			rc = end(&r, err);
	}
	return rc;
}
