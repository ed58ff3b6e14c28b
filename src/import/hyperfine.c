/* hyperfine --export-json: every time is that of a process. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/source.h"

/* an exit code that is not 0, or null: killed by a signal */
static int read_exit_codes(bool *failed, ba_pull *p, ba_error *err)
{
	double code = 0;
	if (ba_pull_peek(p) != BA_JSON_ARRAY)
		return ba_pull_skip(p, err);
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0) {
		rc = ba_pull_f64(&code, p, err);
		*failed |= rc == 0 && code != 0;
	}
	return rc;
}

static int read_result(ba_values *times, const ba_source *s, ba_pull *p, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf id = BA_BUF_INIT, parameters = BA_BUF_INIT;
	const char *key;
	double mean = NAN;
	bool failed = false;
	times->count = 0;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "command") == 0      ? ba_text_pull(&id, p, err)
		     : strcmp(key, "mean") == 0	      ? ba_time_pull(&mean, p, err)
		     : strcmp(key, "parameters") == 0 ? ba_parameters_pull(&parameters, p, err)
		     : strcmp(key, "exit_codes") == 0 ? read_exit_codes(&failed, p, err)
		     : strcmp(key, "times") == 0 && ba_pull_peek(p) == BA_JSON_ARRAY
			     ? ba_values_pull(times, p, 1e9, err)
			     : ba_pull_skip(p, err);
	if (rc)
		return rc;
	if (!id.len)
		return ba_pull_fail(err, p, "a result without a command");
	if (parameters.len)
		ba_buf_printf(&id, " [%s]", parameters.data);
	mean *= 1e9;
	ba_record record = {
		.id = id.data,
		.metric = "time",
		.is_time = true,
		.whole = true,
		.level = times->count ? BA_LEVEL_PROCESS : BA_LEVEL_SUMMARY,
		.values = times->count ? times->at : &mean,
		.count = times->count ? times->count : 1,
		.failure = failed ? "the command ended with an error" : NULL,
	};
	return ba_source_wants(s, "time", true) ? ba_source_record(s, &record, err) : 0;
}

int ba_read_hyperfine(const ba_source *s, ba_error *err)
{
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	BA_AUTO(ba_values) ba_values times = {0};
	const char *key;
	int rc = ba_source_pull(&p, s, err);
	rc = rc ? rc : ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0) {
		if (strcmp(key, "results") != 0) {
			rc = ba_pull_skip(p, err);
			continue;
		}
		rc = ba_pull_array(p, err);
		while (rc == 0 && (rc = ba_pull_element(p, err)) > 0)
			rc = read_result(&times, s, p, err);
	}
	return rc ? rc : ba_pull_end(p, err);
}
