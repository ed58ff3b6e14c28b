/* The node's side of builds: carries out an order with the tools of this machine. */

#include "base/manifest.h"
#include "build/toolchain.h"
#include "cluster/node.h"

BA_OWNS_HERE(ba_node_order, o,
	BA_FREE_ARRAY(ba_strv_dispose, (ba_strv *)o->recipe.commands, o->recipe.command_count),
	ba_build_recipe_dispose(&o->recipe),
	BA_DISPOSE(ba_strv, &o->readable, &o->writable, &o->hidden, &o->env, &o->artefacts,
		&o->frozen),
	BA_FREE_EACH(t, o->targets, o->count, BA_FREE(t->label, t->dir, t->log_path)),
	BA_FREE(o->tmp_root, o->hashes))

static int check_command(void *command, ba_json_value v, ba_error *err)
{
	return ((const ba_strv *)command)->count ? 0 : ba_json_fail(err, v, "is not a command");
}

static const ba_json_field command_rows[] = {{.key = "argv", .kind = BA_KIND_LIST}};
static const ba_json_fields command_fields = BA_FIELDS_INIT(command_rows, .read = check_command);

static const ba_json_field recipe_rows[] = {
	BA_FIELD_LIST("commands", ba_build_recipe, commands, command_count, &command_fields,
		.required = true),
	BA_FIELD_EACH(ba_build_recipe, LIST, base, passed, unset),
	BA_FIELD(ba_build_recipe, timeout_ns, I64),
	BA_FIELD(ba_build_recipe, log_ceiling, U64),
};

static const ba_json_field target_rows[] = {
	BA_FIELD_EACH(ba_node_target, TEXT, label, dir, log_path),
	BA_FIELD(ba_node_target, kept, BOOL),
};

static const ba_json_field order_rows[] = {
	BA_FIELD_OBJECT("recipe", ba_node_order, recipe, BA_FIELDS(recipe_rows), .required = true),
	BA_FIELD_EACH(ba_node_order, BOOL, sandbox, network),
	BA_FIELD_EACH(ba_node_order, LIST, readable, writable, hidden, env, artefacts, frozen),
	BA_FIELD(ba_node_order, parallel, UNSIGNED),
	BA_FIELD_EACH(ba_node_order, MAYBE, tmp_root, hashes),
	BA_FIELD_LIST("jobs", ba_node_order, targets, count, BA_FIELDS(target_rows)),
};
const ba_json_fields ba_node_order_fields = BA_FIELDS_INIT(order_rows);

/* ---- what is done ---- */

static void keep_line(void *data, ba_log_level level, const char *text)
{
	if (level == BA_LOG_WARNING)
		ba_strv_push(data, text);
}

static int check_trees(const ba_node_order *o, ba_error *err)
{
	char host[256] = "";
	gethostname(host, sizeof(host) - 1);
	const ba_node_target *unseen = BA_FIND(o->targets, o->count, t, !ba_fs_is_dir(t->dir));
	return unseen ? ba_fail(err, BA_EIO,
				"host %s does not see '%s': choose a --cache-dir that all nodes see",
				host, unseen->dir)
		      : 0;
}

static int put_job(ba_json_writer *w, ba_build_job *job, bool kept, ba_error *err)
{
	BA_AUTO(ba_manifest) ba_manifest m = {0};
	if (kept && job->built) {
		BA_TRY(ba_manifest_scan(&m, job->dir, NULL, NULL, err));
		ba_manifest_digest(job->sha256, &m, NULL, NULL);
	}
	ba_fields_write_object(w, NULL, &ba_node_outcome_fields, job);
	return 0;
}

static int build(ba_json_writer *w, const ba_node_order *o, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv warnings = {0};
	BA_AUTO_FREE ba_build_job *jobs = ba_xcalloc(o->count, sizeof(*jobs));
	const ba_log log = {keep_line, &warnings};
	const ba_build_options options = {
		.parallel = o->parallel, .tmp_root = o->tmp_root, .log = &log};
	ba_error first = {0};
	int rc = 0;
	BA_TRY(check_trees(o, err));
	for (size_t i = 0; i < o->count; i++)
		jobs[i] = (ba_build_job){.label = o->targets[i].label,
			.dir = o->targets[i].dir,
			.log_path = o->targets[i].log_path,
			.recipe = &o->recipe,
			.artefacts = &o->artefacts,
			.frozen = &o->frozen};
	ba_build_all(jobs, o->count, &options, &first);
	ba_json_open_array(w, "jobs");
	for (size_t i = 0; i < o->count; i++) {
		if (rc == 0 && !jobs[i].built && !jobs[i].failure)
			rc = ba_fail(err, first.code, "%s", first.text);
		rc = rc ? rc : put_job(w, &jobs[i], o->targets[i].kept, err);
		ba_build_job_dispose(&jobs[i]);
	}
	ba_json_close(w);
	ba_fields_write_list(w, "warnings", &warnings);
	return rc;
}

static int identify(
	ba_json_writer *w, const ba_build_recipe *recipe, const char *hashes, ba_error *err)
{
	BA_AUTO(ba_toolchain) ba_toolchain tools = {0};
	BA_TRY(ba_toolchain_identify(&tools, recipe, hashes, NULL, err));
	ba_json_write_string(w, "toolchain", tools.sha256);
	return 0;
}

static int serve(ba_json_writer *w, const char *text, size_t size, ba_error *err)
{
	BA_AUTO(ba_node_order) ba_node_order o = {0};
	const ba_json_options options = {.name = "the order", .unique_keys = true};
	BA_TRY(ba_fields_parse(&o, &ba_node_order_fields, text, size, &options, err));
	const ba_sandbox box = {.readable = (const char *const *)o.readable.items,
		.writable = (const char *const *)o.writable.items,
		.hidden = (const char *const *)o.hidden.items,
		.env = (const char *const *)o.env.items,
		.network = o.network};
	if (o.sandbox)
		BA_TRY(ba_sandbox_available(err));
	o.recipe.sandbox = o.sandbox ? &box : NULL;
	return o.count ? build(w, &o, err) : identify(w, &o.recipe, o.hashes, err);
}

void ba_node_serve_build(ba_buf *answer, const char *text, size_t size)
{
	ba_error err = {0};
	ba_json_writer w = ba_json_writer_to_buf(answer, 0);
	ba_json_open_object(&w, NULL);
	int rc = serve(&w, text, size, &err);
	if (rc) {
		ba_json_write_string(&w, "error", err.text);
		ba_json_write_i64(&w, "code", rc);
	}
	ba_json_close(&w);
}
