/* The coordinator's side of builds on a node: sends orders and processes the answers. */
#include "cluster/node_build.h"

#include "base/manifest.h"

/* how long a network file system may hide files that the node wrote */
#define ARRIVE_NS (120 * BA_SECOND)
#define BUILDER "--builder"

/* ---- orders ---- */

static void put_paths(ba_json_writer *w, const char *key, const char *const *paths)
{
	ba_json_open_row(w, key);
	for (; paths && *paths; paths++)
		ba_json_write_string(w, NULL, *paths);
	ba_json_close(w);
}

static void put_recipe(ba_json_writer *w, const ba_build_recipe *r)
{
	ba_json_open_array(w, "commands");
	for (size_t i = 0; i < r->command_count; i++)
		put_paths(w, NULL, (const char *const *)r->commands[i].items);
	ba_json_close(w);
	ba_fields_write_list(w, "base", &r->base);
	ba_fields_write_list(w, "passed", &r->passed);
	ba_fields_write_list(w, "unset", &r->unset);
	ba_json_write_i64(w, "timeout_ns", r->timeout_ns);
	ba_json_write_u64(w, "log_ceiling", r->log_ceiling);
	ba_json_write_bool(w, "sandbox", r->sandbox != NULL);
	if (!r->sandbox)
		return;
	ba_json_write_bool(w, "network", r->sandbox->network);
	put_paths(w, "readable", r->sandbox->readable);
	put_paths(w, "writable", r->sandbox->writable);
	put_paths(w, "hidden", r->sandbox->hidden);
	put_paths(w, "env", r->sandbox->env);
}

static void put_jobs(
	ba_json_writer *w, const ba_build_job *jobs, size_t count, const ba_build_options *o)
{
	ba_json_put(w, "parallel: %u, tmp_root: %s", o->parallel, o->tmp_root);
	if (jobs[0].artefacts)
		ba_fields_write_list(w, "artefacts", jobs[0].artefacts);
	if (jobs[0].frozen)
		ba_fields_write_list(w, "frozen", jobs[0].frozen);
	ba_json_put(w, "jobs: [");
	BA_EACH (const ba_build_job, job, jobs, count)
		ba_json_put(w, "{label: %s, dir: %s, log_path: %s, kept: %d}", job->label, job->dir,
			job->log_path, job->data != NULL);
	ba_json_put(w, "]");
}

static void begin_order(ba_json_writer *w, ba_buf *order, const ba_build_recipe *recipe)
{
	*w = ba_json_writer_to_buf(order, 0);
	ba_json_open_object(w, NULL);
	put_recipe(w, recipe);
}

/* *root: the answer to the order in the writer; its text is in *doc */
static int ask(ba_json **doc, ba_json_value *root, ba_node *n, ba_json_writer *w,
	const ba_buf *order, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf answer = BA_BUF_INIT;
	ba_json_options options = {.name = ba_node_name(n), .unique_keys = true};
	const char *sentence;
	int64_t code = 0;
	ba_json_close(w);
	BA_TRY(ba_node_run(&answer, n, BUILDER, order, err));
	BA_TRY(ba_json_parse(doc, answer.data, answer.len, &options, err));
	BA_TRY(ba_json_as_object(root, ba_json_root(*doc), err));
	if (!ba_json_is(ba_json_find(*root, "error")))
		return 0;
	BA_TRY(ba_json_get_string(&sentence, *root, "error", err));
	BA_TRY(ba_json_get_i64(&code, *root, "code", INT16_MIN, -1, err));
	return ba_fail(err, (int)code, "on %s: %s", ba_node_name(n), sentence);
}

int ba_node_toolchain(char out[65], ba_node *n, const ba_build_recipe *recipe,
	const char *cache_file, ba_error *err)
{
	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	ba_json_value root;
	static const ba_json_field rows[] = {{.key = "toolchain", .kind = BA_KIND_DIGEST}};
	*out = '\0';
	BA_AUTO(ba_buf) ba_buf order = BA_BUF_INIT;
	ba_json_writer w;
	begin_order(&w, &order, recipe);
	ba_json_write_string(&w, "hashes", cache_file);
	BA_TRY(ask(&doc, &root, n, &w, &order, err));
	BA_TRY(ba_fields_read(out, BA_FIELDS(rows), root, err));
	return *out ? 0 : ba_json_fail(err, root, "has no toolchain");
}

/* ---- what became of a job ---- */

static const ba_json_field outcome_rows[] = {
	BA_FIELD(ba_build_job, built, BOOL),
	BA_FIELD(ba_build_job, code, INT),
	BA_FIELD(ba_build_job, failure, MAYBE),
	BA_FIELD(ba_build_job, seconds, SIZE),
	BA_FIELD(ba_build_job, left_running, UNSIGNED),
	BA_FIELD(ba_build_job, log_dropped, U64),
};
const ba_json_fields ba_node_outcome_fields = BA_FIELDS_INIT(outcome_rows);

static bool is_here(const char *dir, const char *sha256)
{
	BA_AUTO(ba_manifest) ba_manifest m = {0};
	char mine[65];
	if (ba_manifest_scan(&m, dir, NULL, NULL, NULL))
		return false;
	ba_manifest_digest(mine, &m, NULL, NULL);
	return strcmp(mine, sha256) == 0;
}

static int await_tree(const ba_node *n, const ba_build_job *job, const char *sha256,
	const ba_build_options *o, ba_error *err)
{
	const struct timespec pause = {.tv_nsec = BA_SECOND / 2};
	int64_t end = ba_now_ns() + ARRIVE_NS;
	while (!is_here(job->dir, sha256)) {
		if (o->stop && *o->stop)
			return ba_fail(err, BA_EINTERRUPTED, "interrupted");
		if (ba_now_ns() > end)
			return ba_fail(err, BA_EIO,
				"'%s' is not what %s built there: do both see one directory?",
				job->dir, ba_node_name(n));
		nanosleep(&pause, NULL);
	}
	return 0;
}

static int take_job(
	ba_node *n, ba_build_job *job, ba_json_value v, const ba_build_options *o, ba_error *err)
{
	ba_json_value object;
	static const ba_json_field rows[] = {{.key = "sha256", .kind = BA_KIND_DIGEST}};
	char sha256[65] = "";
	ba_error why = {0};
	BA_TRY(ba_json_as_object(&object, v, err));
	BA_TRY(ba_fields_read(job, &ba_node_outcome_fields, object, err));
	BA_TRY(ba_fields_read(sha256, BA_FIELDS(rows), object, err));
	if (job->built == (job->failure != NULL) || job->built != (job->code == 0) ||
		job->code > 0 || (job->built && job->data && !*sha256))
		return ba_json_fail(err, object, "contradicts itself");
	if (!job->built || !job->data)
		return 0;
	int rc = await_tree(n, job, sha256, o, &why);
	rc = rc ? rc : job->complete(job, &why);
	if (rc == 0)
		return 0;
	job->built = false;
	if (rc == BA_EINTERRUPTED)
		return ba_fail(err, rc, "%s", why.text);
	job->code = rc;
	job->failure = ba_xprintf("variant '%s': %s", job->label, why.text);
	return 0;
}

static int put_warnings(
	const ba_node *n, ba_json_value root, const ba_build_options *o, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv lines = {0};
	BA_TRY(ba_fields_read_list(&lines, root, "warnings", err));
	for (size_t i = 0; i < lines.count; i++)
		ba_log_printf(o->log, BA_LOG_WARNING, "on %s: %s", ba_node_name(n), lines.items[i]);
	return 0;
}

int ba_node_build(ba_node *n, ba_build_job *jobs, size_t count, const ba_build_options *options,
	ba_error *err)
{
	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	BA_AUTO(ba_buf) ba_buf order = BA_BUF_INIT;
	ba_json_value root, list;
	ba_json_writer w;
	begin_order(&w, &order, jobs[0].recipe);
	put_jobs(&w, jobs, count, options);
	BA_TRY(ask(&doc, &root, n, &w, &order, err));
	BA_TRY(put_warnings(n, root, options, err));
	BA_TRY(ba_json_get_array(&list, root, "jobs", err));
	if (ba_json_count(list) != count)
		return ba_json_fail(err, list, "does not have %zu jobs", count);
	for (size_t i = 0; i < count; i++)
		BA_TRY(take_job(n, &jobs[i], ba_json_at(list, i), options, err));
	for (size_t i = 0; i < count; i++)
		if (!jobs[i].built)
			return ba_fail(err, jobs[i].code, "%s", jobs[i].failure);
	return 0;
}
