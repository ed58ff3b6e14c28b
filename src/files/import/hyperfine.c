/* hyperfine --export-json: each time comes from one process. */
#include "import/source.h"

typedef struct result {
	const ba_source *s;
	ba_buf id, parameters;
	ba_values times;
	ba_statistics of;
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

static int emit(void *data, ba_pull *p, ba_error *err)
{
	result *t = data;
	if (!t->id.len)
		return ba_pull_fail(err, p, "a result without a command");
	if (t->parameters.len)
		ba_buf_printf(&t->id, " [%s]", t->parameters.data);
	const ba_record record = {.id = t->id.data,
		.level = BA_LEVEL_PROCESS,
		.failure = t->failed ? "the command ended with an error" : NULL};
	t->failed = false;
	return ba_source_time(t->s, &record, &t->times, &t->of, err);
}

int ba_read_hyperfine(const ba_source *s, ba_error *err)
{
	static const ba_member members[] = {BA_TEXT("command", result, id),
		BA_STATISTICS(result, of, "mean", "median", "min", "max", 1e9),
		BA_MEMBER_AT("parameters", PARAMETERS, result, parameters),
		BA_ELEMENTS("exit_codes", read_exit_code), BA_VALUES("times", result, times, 1e9),
		{0}};
	static const ba_member document[] = {BA_RECORDS("results", members, emit), {0}};
	result t = {.s = s};
	return ba_document_pull(&t, document, err);
}
