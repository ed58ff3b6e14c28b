/* The coordinator's side of builds on a node: sends orders and processes the answers. */
#include "cluster/node.h"

#include "base/manifest.h"

/* how long a network file system may hide files that the node wrote */
#define ARRIVE_NS (120 * BA_SECOND)

/* ---- orders ---- */

static ba_strv list_of(const char *const *items)
{
	ba_strv list = {.items = (char **)items};
	while (items && items[list.count])
		list.count++;
	return list;
}

/* Borrows everything. */
static ba_node_order order_of(const ba_build_recipe *r)
{
	const ba_sandbox nothing = {0}, *s = r->sandbox ? r->sandbox : &nothing;
	return (ba_node_order){.recipe = *r,
		.sandbox = r->sandbox != NULL,
		.network = s->network,
		.readable = list_of(s->readable),
		.writable = list_of(s->writable),
		.hidden = list_of(s->hidden),
		.env = list_of(s->env)};
}

/* *root: the answer, whose text is in *doc */
static int ask(
	ba_json **doc, ba_json_value *root, ba_node *n, const ba_node_order *order, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT, answer = BA_BUF_INIT;
	ba_json_options options = {.name = ba_node_name(n), .unique_keys = true};
	const char *sentence;
	int64_t code = 0;
	ba_fields_format(&text, 0, &ba_node_order_fields, order);
	BA_TRY(ba_node_run(&answer, n, "--builder", &text, err));
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
	ba_node_order order = order_of(recipe);
	order.hashes = (char *)cache_file;
	BA_TRY(ask(&doc, &root, n, &order, err));
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
	BA_FIELD_IF(ba_build_job, sha256, DIGEST, sha256),
};
const ba_json_fields ba_node_outcome_fields = BA_FIELDS_INIT(outcome_rows);

static bool is_here(const ba_build_job *job)
{
	BA_AUTO(ba_manifest) ba_manifest m = {0};
	char mine[65];
	if (ba_manifest_scan(&m, job->dir, NULL, NULL, NULL))
		return false;
	ba_manifest_digest(mine, &m, NULL, NULL);
	return strcmp(mine, job->sha256) == 0;
}

static int await_tree(
	const ba_node *n, const ba_build_job *job, const ba_build_options *o, ba_error *err)
{
	const struct timespec pause = {.tv_nsec = BA_SECOND / 2};
	int64_t end = ba_now_ns() + ARRIVE_NS;
	while (!is_here(job)) {
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
	ba_error why = {0};
	BA_TRY(ba_json_as_object(&object, v, err));
	BA_TRY(ba_fields_read(job, &ba_node_outcome_fields, object, err));
	if (job->built == (job->failure != NULL) || job->built != (job->code == 0) ||
		job->code > 0 || (job->built && job->data && !*job->sha256))
		return ba_json_fail(err, object, "contradicts itself");
	if (!job->built || !job->data)
		return 0;
	int rc = await_tree(n, job, o, &why);
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
	BA_AUTO_FREE ba_node_target *targets = ba_xcalloc(count, sizeof(*targets));
	ba_node_order order = order_of(jobs[0].recipe);
	ba_json_value root, list;
	order.parallel = options->parallel;
	order.tmp_root = (char *)options->tmp_root;
	order.artefacts = jobs[0].artefacts ? *jobs[0].artefacts : order.artefacts;
	order.frozen = jobs[0].frozen ? *jobs[0].frozen : order.frozen;
	order.targets = targets;
	order.count = count;
	for (size_t i = 0; i < count; i++)
		targets[i] = (ba_node_target){(char *)jobs[i].label, (char *)jobs[i].dir,
			(char *)jobs[i].log_path, .kept = jobs[i].data != NULL};
	BA_TRY(ask(&doc, &root, n, &order, err));
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
