/* Serving benchmarks: vLLM's --save-result and bench throughput, one object, and
 * SGLang's --output-file, one object on each line. A file is one process; its values
 * are means and percentiles over requests, so each is a summary. Several files of a
 * label make them processes. */

#include "import/lines.h"

enum { FIGURES_MOST = 256 };

typedef struct result {
	ba_buf model, text;
	ba_strv parameters;
	ba_strv names; /* of the figures */
	double values[FIGURES_MOST];
} result;

static void result_dispose(result *r)
{
	BA_DISPOSE(ba_buf, &r->model, &r->text);
	BA_DISPOSE(ba_strv, &r->parameters, &r->names);
}
BA_DEFINE_AUTO(result, result_dispose)

/* Reads what identifies the run, such as "max_concurrency=64,request_rate=inf". */
static int read_member(result *r, const char *key, ba_pull *p, ba_error *err)
{
	static const char *const parameters[] = {"backend", "dataset_name", "num_prompts",
		"request_rate", "burstiness", "max_concurrency", "random_input_len",
		"random_output_len", "sharegpt_output_len", NULL};
	BA_AUTO_FREE char *name = ba_xstrdup(key);
	double value = 0;
	if (strcmp(name, "model_id") == 0 || strcmp(name, "model") == 0)
		return ba_text_pull(&r->model, p, err);
	if (ba_is_among(parameters, name)) {
		bool is_null = ba_pull_peek(p) == BA_JSON_NULL;
		int rc = ba_text_pull(&r->text, p, err);
		if (rc == 0 && !is_null && r->text.len)
			ba_strv_push_take(&r->parameters, ba_xprintf("%s=%s", name, r->text.data));
		return rc;
	}
	if (ba_pull_peek(p) != BA_JSON_NUMBER || r->names.count == FIGURES_MOST)
		return ba_pull_skip(p, err);
	int rc = ba_time_pull(&value, p, err);
	r->values[r->names.count] = value;
	ba_strv_push(&r->names, name);
	return rc;
}

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
		.values = &ns,
		.count = 1};
	return is_wanted(s, name, metric) ? ba_source_record(s, &record, err) : 0;
}

static int read_result(const ba_source *s, ba_pull *p, ba_error *err)
{
	BA_AUTO(result) result r = {.model = BA_BUF_INIT, .text = BA_BUF_INIT};
	BA_AUTO(ba_buf) ba_buf id = BA_BUF_INIT;
	const char *key;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = read_member(&r, key, p, err);
	if (rc)
		return rc;
	ba_buf_puts(&id, r.model.len ? r.model.data : "serving");
	ba_buf_puts(&id, r.parameters.count ? "/" : "");
	ba_parameters_join(&id, &r.parameters);
	for (size_t i = 0; rc == 0 && i < r.names.count; i++)
		rc = emit(s, id.data, r.names.items[i], r.values[i], err);
	return rc;
}

/* One object over several lines, or one object on each line. */
int ba_read_serving(const ba_source *s, ba_error *err)
{
	BA_AUTO(ba_lines) ba_lines lines = {0};
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
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
		return ba_json_lines(s, read_result, err);
	rc = ba_source_pull(&p, s, err);
	rc = rc ? rc : read_result(s, p, err);
	return rc ? rc : ba_pull_end(p, err);
}
