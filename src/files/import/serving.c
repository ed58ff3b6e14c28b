/* Serving benchmarks: vLLM's --save-result and bench throughput, one object, and SGLang's
 * --output-file, one on each line. A file is one process; its values are means and percentiles
 * over requests: summaries. Several files of a label make them processes. */

#include "import/source.h"

enum { FIGURES_MOST = 256 };

typedef struct result {
	const ba_source *s;
	ba_buf model;
	ba_strv parameters;
	ba_strv names; /* of the figures */
	double values[FIGURES_MOST];
} result;

/* Any other number is a figure. */
static int read_figure(void *data, const char *key, ba_pull *p, ba_error *err)
{
	result *r = data;
	if (ba_pull_peek(p) != BA_JSON_NUMBER || r->names.count == FIGURES_MOST)
		return ba_pull_skip(p, err);
	BA_TRY(ba_time_pull(&r->values[r->names.count], p, err));
	ba_strv_push(&r->names, key);
	return 0;
}

#define PARAMETER(key) BA_MEMBER_AT(key, WORD, result, parameters)
/* what identifies the run, such as "max_concurrency=64,request_rate=inf" */
static const ba_member members[] = {BA_TEXT("model_id", result, model),
	BA_TEXT("model", result, model), PARAMETER("backend"), PARAMETER("dataset_name"),
	PARAMETER("num_prompts"), PARAMETER("request_rate"), PARAMETER("burstiness"),
	PARAMETER("max_concurrency"), PARAMETER("random_input_len"), PARAMETER("random_output_len"),
	PARAMETER("sharegpt_output_len"), {.of_key = read_figure}};

/* Without a choice, these metrics; "mean_ttft_ms" is the time "mean_ttft". */
static bool is_wanted(const ba_source *s, const char *name, const char *metric)
{
	static const char *const usual[] = {"requests_per_second", "tokens_per_second",
		"elapsed_time", "request_throughput", "output_throughput", "median_ttft_ms",
		"p99_ttft_ms", "median_tpot_ms", "p99_tpot_ms", "median_e2e_latency_ms",
		"median_e2el_ms", NULL};
	const char *asked = s->sink->metric;
	if (ba_source_offer(s, metric))
		return false;
	return asked ? strcmp(asked, name) == 0 || strcmp(asked, metric) == 0
		     : ba_is_among(usual, name);
}

static int emit(const ba_source *s, const char *id, const char *name, double value, ba_error *err)
{
	bool ms = ba_text_ends(name, "_ms"), seconds = strcmp(name, "elapsed_time") == 0;
	bool time = ms || seconds;
	BA_AUTO_FREE char *metric = ba_xstrndup(name, strlen(name) - (ms ? 3 : 0));
	double ns = value * (ms ? 1e6 : seconds ? 1e9 : 1);
	const ba_record record = {.id = id,
		.metric = metric,
		.is_time = time,
		.higher_is_better = ba_unit_is_rate(metric) ||
				    strcmp(metric, "request_goodput") == 0 ||
				    strcmp(metric, "completed") == 0,
		.whole = true,
		.level = BA_LEVEL_SUMMARY,
		BA_ONE_VALUE(&ns)};
	return is_wanted(s, name, metric) ? ba_source_record(s, &record, err) : 0;
}

static int emit_all(void *data, ba_pull *p, ba_error *err)
{
	result *r = data;
	BA_AUTO(ba_buf) ba_buf id = BA_BUF_INIT;
	ba_buf_puts(&id, r->model.len ? r->model.data : "serving");
	ba_buf_puts(&id, r->parameters.count ? "/" : "");
	ba_parameters_join(&id, &r->parameters);
	for (size_t i = 0; i < r->names.count; i++)
		BA_TRY(emit(r->s, id.data, r->names.items[i], r->values[i], err));
	return 0;
}

static int read_result(void *data, ba_pull *p, ba_error *err)
{
	result *r = data;
	int rc = ba_record_pull(r, p, members, emit_all, err);
	ba_strv_dispose(&r->names);
	return rc;
}

/* One object over several lines, or one object on each line. */
int ba_read_serving(const ba_source *s, ba_error *err)
{
	BA_AUTO(ba_lines) ba_lines lines = {0};
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	result r = {.s = s};
	const char *line = "";
	size_t size = 0;
	int rc = ba_lines_open(&lines, s, err);
	rc = rc ? rc : ba_lines_next(&line, &size, &lines, err);
	if (rc < 0)
		return rc;
	size_t whole = rc ? size : 0;
	while (whole && strchr(" \t", line[whole - 1]))
		whole--;
	if (whole && line[whole - 1] == '}')
		return ba_json_lines(&r, read_result, false, err);
	rc = ba_source_pull(&p, s, err);
	rc = rc ? rc : read_result(&r, p, err);
	return rc ? rc : ba_pull_end(p, err);
}
