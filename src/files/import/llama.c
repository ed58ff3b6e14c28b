/* llama-bench -o json, a list of tests, and -o jsonl, with one test on each line. The
 * repetitions of a test run in one process. Its default is a table in Markdown, with
 * means. */

#include "import/table.h"

typedef struct test {
	ba_buf model, text;
	ba_strv parameters;
	double prompt, gen, depth;
	ba_values ns, rate;
} test;

static void test_dispose(test *t)
{
	BA_DISPOSE(ba_buf, &t->model, &t->text);
	ba_strv_dispose(&t->parameters);
	BA_DISPOSE(ba_values, &t->ns, &t->rate);
}
BA_DEFINE_AUTO(test, test_dispose)

static int read_member(test *t, const ba_source *s, const char *key, ba_pull *p, ba_error *err)
{
	static const char *const parameters[] = {"n_batch", "n_ubatch", "n_threads", "type_k",
		"type_v", "n_gpu_layers", "split_mode", "flash_attn", NULL};
	static const char *const flags[] = {"0", "1", NULL};
	static const char *const fields[] = {"cpu_info", "gpu_info", "backends", NULL};
	bool array = ba_pull_peek(p) == BA_JSON_ARRAY;
	BA_AUTO_FREE char *name = ba_xstrdup(key);
	if (strcmp(name, "samples_ns") == 0 && array)
		return ba_values_pull(&t->ns, p, 1, err);
	if (strcmp(name, "samples_ts") == 0 && array)
		return ba_values_pull(&t->rate, p, 1, err);
	if (strcmp(name, "n_prompt") == 0)
		return ba_time_pull(&t->prompt, p, err);
	if (strcmp(name, "n_gen") == 0)
		return ba_time_pull(&t->gen, p, err);
	if (strcmp(name, "n_depth") == 0)
		return ba_time_pull(&t->depth, p, err);
	if (strcmp(name, "model_type") == 0)
		return ba_text_pull(&t->model, p, err);
	bool parameter = ba_is_among(parameters, name), field = ba_is_among(fields, name);
	int rc = parameter || field ? ba_text_pull(&t->text, p, err) : ba_pull_skip(p, err);
	/* older builds write flash_attn as true, newer ones as 1 */
	bool flag = strcmp(name, "flash_attn") == 0 && ba_is_among(flags, t->text.data);
	const char *value = !flag ? t->text.data : *t->text.data == '1' ? "true" : "false";
	if (rc == 0 && parameter)
		ba_strv_push_take(&t->parameters, ba_xprintf("%s=%s", name, value));
	if (rc == 0 && field)
		ba_source_field(s, name, t->text.data, true);
	return rc;
}

/* "llama 7B Q4_0/pp512", "tg128", "pp512+tg128", with "@d4096" */
static void put_id(ba_buf *id, test *t)
{
	ba_buf_printf(id, "%s/", t->model.data);
	if (t->prompt > 0)
		ba_buf_printf(id, "pp%.0f", t->prompt);
	if (t->gen > 0)
		ba_buf_printf(id, "%stg%.0f", t->prompt > 0 ? "+" : "", t->gen);
	if (t->depth > 0)
		ba_buf_printf(id, "@d%.0f", t->depth);
	ba_buf_puts(id, t->parameters.count ? "/" : "");
	ba_parameters_join(id, &t->parameters);
}

static int read_test(const ba_source *s, ba_pull *p, ba_error *err)
{
	BA_AUTO(test) test t = {.model = BA_BUF_INIT, .text = BA_BUF_INIT};
	BA_AUTO(ba_buf) ba_buf id = BA_BUF_INIT;
	const char *key;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = read_member(&t, s, key, p, err);
	if (rc)
		return rc;
	if (!t.model.len)
		return ba_pull_fail(err, p, "a test without 'model_type'");
	put_id(&id, &t);
	bool rate = ba_source_wants(s, "t/s", false);
	const ba_values *values = rate ? &t.rate : &t.ns;
	const ba_record record = {.id = id.data,
		.metric = rate ? "t/s" : "time",
		.is_time = !rate,
		.higher_is_better = rate,
		.whole = true,
		.level = BA_LEVEL_REPETITION,
		.values = values->at,
		.count = values->count};
	return rate || ba_source_wants(s, "time", true) ? ba_source_record(s, &record, err) : 0;
}

static int read_list(const ba_source *s, ba_pull *p, ba_error *err)
{
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0)
		rc = read_test(s, p, err);
	return rc ? rc : ba_pull_end(p, err);
}

static const char *const needs[] = {"model", "backend", "test", "t/s", NULL};
static const ba_table_metric metrics[] = {{"t/s", "t/s", 0}, {NULL, NULL, 0}};
static const ba_table table = {.needs = needs,
	.name = "model",
	.after = "backend",
	.before = "t/s",
	.device = "backend",
	.metrics = metrics,
	.level = BA_LEVEL_SUMMARY,
	.whole = true};

bool ba_is_llama(const char *line, size_t size)
{
	return ba_table_is(&table, line, size);
}

int ba_read_llama(const ba_source *s, ba_error *err)
{
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	BA_TRY(ba_source_pull(&p, s, err));
	switch (ba_pull_peek(p)) {
	case BA_JSON_ARRAY:
		return read_list(s, p, err);
	case BA_JSON_OBJECT:
		return ba_json_lines(s, read_test, err);
	default:
		return ba_table_read(&table, s, err);
	}
}
