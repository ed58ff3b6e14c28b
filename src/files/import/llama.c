/* llama-bench -o json, a list of tests, and -o jsonl, one on each line. Repetitions are of one
 * process. Its default is a Markdown table of means. */

#include "import/table.h"

typedef struct test {
	const ba_source *s;
	ba_buf model;
	ba_strv parameters;
	double prompt, gen, depth;
	ba_values ns, rate;
} test;

/* older builds write true, newer ones 1 */
static int read_flash(void *data, ba_pull *p, ba_error *err)
{
	test *t = data;
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_TRY(ba_text_pull(&text, p, err));
	const char *value = strcmp(text.data, "1") == 0	  ? "true"
			    : strcmp(text.data, "0") == 0 ? "false"
							  : text.data;
	ba_strv_printf(&t->parameters, "flash_attn=%s", value);
	return 0;
}

#define PARAMETER(key) BA_MEMBER_AT(key, WORD, test, parameters)
static const ba_member members[] = {BA_VALUES("samples_ns", test, ns, 1),
	BA_VALUES("samples_ts", test, rate, 1), BA_NUMBER("n_prompt", test, prompt, 1),
	BA_NUMBER("n_gen", test, gen, 1), BA_NUMBER("n_depth", test, depth, 1),
	BA_TEXT("model_type", test, model), PARAMETER("n_batch"), PARAMETER("n_ubatch"),
	PARAMETER("n_threads"), PARAMETER("type_k"), PARAMETER("type_v"), PARAMETER("n_gpu_layers"),
	PARAMETER("split_mode"), BA_READ("flash_attn", read_flash),
	BA_SAID("cpu_info", "cpu_info", true), BA_SAID("gpu_info", "gpu_info", true),
	BA_SAID("backends", "backends", true), {0}};

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

static int emit(void *data, ba_pull *p, ba_error *err)
{
	test *t = data;
	BA_AUTO(ba_buf) ba_buf id = BA_BUF_INIT;
	if (!t->model.len)
		return ba_pull_fail(err, p, "a test without 'model_type'");
	put_id(&id, t);
	bool rate = ba_source_wants(t->s, "t/s", false);
	const ba_values *values = rate ? &t->rate : &t->ns;
	const ba_record record = {.id = id.data,
		.metric = rate ? "t/s" : "time",
		.is_time = !rate,
		.higher_is_better = rate,
		.whole = true,
		.level = BA_LEVEL_REPETITION,
		.values = values->at,
		.count = values->count};
	return rate || ba_source_wants(t->s, "time", true) ? ba_source_record(t->s, &record, err)
							   : 0;
}

static int read_test(void *data, ba_pull *p, ba_error *err)
{
	return ba_record_pull(data, p, members, emit, err);
}

static const ba_table table = {
	.needs = (const char *const[]){"model", "backend", "test", "t/s", NULL},
	.name = "model",
	.after = "backend",
	.before = "t/s",
	.device = "backend",
	.metrics = (const ba_table_metric[]){{"t/s", "t/s", 0}, {NULL, NULL, 0}},
	.level = BA_LEVEL_SUMMARY,
	.whole = true};

BA_TABLE_IS(llama, table)

int ba_read_llama(const ba_source *s, ba_error *err)
{
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	test t = {.s = s};
	BA_TRY(ba_source_pull(&p, s, err));
	switch (ba_pull_peek(p)) {
	case BA_JSON_ARRAY:
		BA_TRY(ba_each_pull(&t, p, read_test, err));
		return ba_pull_end(p, err);
	case BA_JSON_OBJECT:
		return ba_json_lines(&t, read_test, false, err);
	default:
		return ba_table_read(&table, s, err);
	}
}
