/* hyperfine --export-json: each time comes from one process. */
#include <math.h>

#include "import/source.h"

typedef struct result {
	const ba_source *s;
	ba_buf id, parameters;
	ba_values times;
	ba_statistics of; /* seconds */
	bool failed;
} result;

/* An exit code other than 0, or null if the process was killed by a signal. */
static int read_exit_code(void *data, ba_pull *p, ba_error *err)
{
	result *t = data;
	double code = 0;
	int rc = ba_pull_f64(&code, p, err);
	t->failed |= code != 0;
	return rc;
}

static int read_parameters(void *data, ba_pull *p, ba_error *err)
{
	result *t = data;
	return ba_parameters_pull(&t->parameters, p, err);
}

static int read_result(void *data, ba_pull *p, ba_error *err)
{
	result *t = data;
	const ba_member rows[] = {{"command", &t->id}, {"mean", .number = &t->of.mean},
		{"median", .number = &t->of.median}, {"min", .number = &t->of.min},
		{"max", .number = &t->of.max}, {"parameters", .read = read_parameters},
		{"exit_codes", .each = read_exit_code},
		{"times", .values = &t->times, .scale = 1e9}};
	t->times.count = 0;
	t->of = BA_STATISTICS_NONE;
	t->failed = false;
	ba_buf_clear(&t->id);
	ba_buf_clear(&t->parameters);
	BA_TRY(ba_members_pull(t, p, BA_ROWS(rows), err));
	if (!t->id.len)
		return ba_pull_fail(err, p, "a result without a command");
	if (t->parameters.len)
		ba_buf_printf(&t->id, " [%s]", t->parameters.data);
	const ba_statistics ns = ba_statistics_times(&t->of, 1e9);
	const ba_record record = {.id = t->id.data,
		.level = BA_LEVEL_PROCESS,
		.failure = t->failed ? "the command ended with an error" : NULL};
	return ba_source_time(t->s, &record, &t->times, &ns, err);
}

int ba_read_hyperfine(const ba_source *s, ba_error *err)
{
	result t = {.s = s, .id = BA_BUF_INIT, .parameters = BA_BUF_INIT};
	const ba_member rows[] = {{"results", .each = read_result}};
	int rc = ba_document_pull(s, &t, BA_ROWS(rows), err);
	BA_DISPOSE(ba_buf, &t.id, &t.parameters);
	ba_values_dispose(&t.times);
	return rc;
}
