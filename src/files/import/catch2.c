/* Catch2 -r xml, versions 2 and 3: BenchmarkResults of test cases and sections, which are means. */
#include <expat.h>

#include "import/source.h"

enum { DEPTH_MOST = 64 };

typedef struct reader {
	const ba_source *s;
	XML_Parser parser;
	/* names of the open elements; "" if an element has no name that counts */
	ba_strv names;
	double mean;
	bool failed;
	int rc; /* return code of the first error */
	ba_error *err;
} reader;

BA_OWNS_HERE(reader, r, XML_ParserFree(r->parser), ba_strv_dispose(&r->names))

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

static void fail(reader *r, const char *sentence)
{
	if (!r->rc)
		r->rc = ba_fail(r->err, BA_EDATA, "%s: line %lu: %s", r->s->name,
			(unsigned long)XML_GetCurrentLineNumber(r->parser), sentence);
	XML_StopParser(r->parser, XML_FALSE);
}

static const char *attribute(const char **attributes, const char *name)
{
	for (; *attributes; attributes += 2)
		if (strcmp(attributes[0], name) == 0)
			return attributes[1];
	return "";
}

/* "test case/section/benchmark" */
static int emit(reader *r)
{
	BA_AUTO(ba_buf) ba_buf id = BA_BUF_INIT;
	for (size_t i = 0; i < r->names.count; i++)
		if (*r->names.items[i])
			ba_buf_printf(&id, "%s%s", id.len ? "/" : "", r->names.items[i]);
	ba_statistics of = BA_STATISTICS_NONE;
	of.mean = r->mean;
	const ba_record record = {
		.id = id.data, .failure = r->failed ? "Catch2 reports that it failed" : NULL};
	return ba_source_time(r->s, &record, NULL, &of, r->err);
}

static void begin(void *data, const char *element, const char **attributes)
{
	reader *r = data;
	const char *name = attribute(attributes, "name"), *value = attribute(attributes, "value");
	bool benchmark = strcmp(element, "BenchmarkResults") == 0;
	bool named =
		benchmark || strcmp(element, "TestCase") == 0 || strcmp(element, "Section") == 0;
	bool mean = strcmp(element, "mean") == 0;
	if (r->names.count == DEPTH_MOST)
		fail(r, "nested deeper than 64");
	else if (benchmark && !*name)
		fail(r, "a benchmark without a name");
	else if (mean && !ba_parse_decimal(&r->mean, value, strlen(value)))
		fail(r, "a mean that is not a number");
	else if (mean && r->mean < 0)
		fail(r, "a mean is negative, which a measured value cannot be");
	ba_strv_push(&r->names, named ? name : "");
	if (benchmark)
		r->mean = NAN;
	r->failed = (r->failed && !benchmark) || strcmp(element, "failed") == 0;
}

static void end(void *data, const char *element)
{
	reader *r = data;
	if (strcmp(element, "BenchmarkResults") == 0 && !r->rc)
		r->rc = emit(r);
	if (r->rc)
		XML_StopParser(r->parser, XML_FALSE);
	free(r->names.items[--r->names.count]);
	r->names.items[r->names.count] = NULL;
}

/* Rejects document types, so that no entity is expanded or fetched. */
static void refuse_type(
	void *data, const char *name, const char *system, const char *public, int subset)
{
	fail(data, "a document type is not accepted");
}

int ba_read_catch2(const ba_source *s, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_TRY(ba_lines_load(&text, s, err));
	BA_AUTO(reader) reader r = {.s = s, .parser = XML_ParserCreate(NULL), .err = err};
	XML_SetUserData(r.parser, &r);
	XML_SetElementHandler(r.parser, begin, end);
	XML_SetStartDoctypeDeclHandler(r.parser, refuse_type);
	if (XML_Parse(r.parser, text.data, (int)text.len, true) != XML_STATUS_OK)
		fail(&r, XML_ErrorString(XML_GetErrorCode(r.parser)));
	return r.rc;
}
