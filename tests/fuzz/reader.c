/* A reader of import/, one of FUZZ_READERS, on bytes that are anything: it ends with 0 or a
 * sentence, and what it passes on is what it promises (import.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void insist(bool true_it_is)
{
	if (!true_it_is)
		abort();
}

static void field(void *data, const char *name, const char *value, bool must_match)
{
	(void)data, (void)must_match;
	insist(*name && *value);
}

static int record(void *data, const ba_record *r, ba_error *err)
{
	(void)data, (void)err;
	insist(r->id && r->metric && r->level < BA_LEVEL_COUNT);
	insist(r->failure || r->skipped ? r->count == 0 : r->count > 0);
	for (size_t i = 0; i < r->count; i++)
		insist(isfinite(r->values[i]) && r->values[i] > 0);
	return 0;
}

static void warn(void *data, const char *text)
{
	(void)data;
	insist(*text);
}

/* by FUZZ_TARGET, or the only one */
static int read_it(const ba_source *s, ba_error *err)
{
	const char *target = getenv("FUZZ_TARGET");
#define READER(name)                                     \
	if (!target || !strcmp(target, "import_" #name)) \
		return ba_read_##name(s, err);
	FUZZ_READERS
	abort();
}

/* The last byte chooses the metric that is asked for, where the format has several. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const metrics[] = {NULL, "cpu_time", "value", "B/op"};
	ba_error err = {0};
	const ba_sink sink = {.field = field,
		.record = record,
		.warn = warn,
		.csv_columns = "name=a,value=b,unit=u,group=g",
		.offer = size && data[size - 1] % 16 > 7 ? warn : NULL,
		.metric = metrics[size ? data[size - 1] % 4 : 0]};
	const ba_source s = {.name = "/nonexistent/x.json",
		.text = (const char *)data,
		.size = size,
		.part = size && data[size - 1] % 8 > 3 ? "v2" : NULL,
		.sink = &sink};
	int rc = read_it(&s, &err);
	insist(rc == 0 || (rc < 0 && *err.text));
	return 0;
}
