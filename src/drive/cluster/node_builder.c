/* The node's side of builds: carries out an order with the tools of this machine. */

#include "base/manifest.h"
#include "build/toolchain.h"
#include "cluster/node_build.h"

typedef struct target {
	char *label, *dir, *log_path;
	bool kept; /* the tree is kept, so the coordinator needs its digest */
} target;

typedef struct order {
	ba_strv base, passed, unset, readable, writable, hidden, env, artefacts, frozen;
	int64_t timeout_ns;
	uint64_t log_ceiling;
	unsigned parallel;
	char *tmp_root, *hashes;
	bool sandbox, network;
	ba_strv *commands;
	size_t command_count;
	target *targets;
	size_t count;
} order;

BA_OWNS_HERE(order, o,
	BA_DISPOSE(ba_strv, &o->base, &o->passed, &o->unset, &o->readable, &o->writable, &o->hidden,
		&o->env, &o->artefacts, &o->frozen),
	BA_FREE_ARRAY(ba_strv_dispose, o->commands, o->command_count),
	BA_FREE_EACH(t, o->targets, o->count, BA_FREE(t->label, t->dir, t->log_path)),
	BA_FREE(o->tmp_root, o->hashes))

static const ba_json_field target_fields[] = {
	BA_FIELD_EACH(target, TEXT, label, dir, log_path),
	BA_FIELD(target, kept, BOOL),
};

static const ba_json_field order_fields[] = {
	BA_FIELD_EACH(order, LIST, base, passed, unset, readable, writable, hidden, env, artefacts,
		frozen),
	BA_FIELD(order, timeout_ns, I64),
	BA_FIELD(order, log_ceiling, U64),
	BA_FIELD(order, parallel, UNSIGNED),
	BA_FIELD_EACH(order, MAYBE, tmp_root, hashes),
	BA_FIELD_EACH(order, BOOL, sandbox, network),
	BA_FIELD_LIST("jobs", order, targets, count, BA_FIELDS(target_fields)),
};

static int read_command(ba_strv *out, ba_json_value v, ba_error *err)
{
	if (ba_json_type_of(v) != BA_JSON_ARRAY || !ba_json_count(v))
		return ba_json_fail(err, v, "is not a command");
	BA_JSON_EACH (word, v) {
		const char *text;
		BA_TRY(ba_json_as_string(&text, word, err));
		ba_strv_push(out, text);
	}
	return 0;
}

static int read_commands(order *o, ba_json_value root, ba_error *err)
{
	ba_json_value commands = {0};
	BA_TRY(ba_json_get_array(&commands, root, "commands", err));
	o->commands = ba_xcalloc(ba_json_count(commands) + 1, sizeof(*o->commands));
	BA_JSON_EACH (v, commands)
		BA_TRY(read_command(&o->commands[o->command_count++], v, err));
	return 0;
}

static int read_order(order *o, const char *text, size_t size, ba_error *err)
{
	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	ba_json_options options = {.name = "the order", .unique_keys = true};
	ba_json_value root;
	BA_TRY(ba_json_parse(&doc, text, size, &options, err));
	BA_TRY(ba_json_as_object(&root, ba_json_root(doc), err));
	BA_TRY(ba_fields_read(o, BA_FIELDS(order_fields), root, err));
	return read_commands(o, root, err);
}

/* ---- what is done ---- */

static void keep_line(void *data, ba_log_level level, const char *text)
{
	if (level == BA_LOG_WARNING)
		ba_strv_push(data, text);
}

static int check_trees(const order *o, ba_error *err)
{
	char host[256] = "";
	gethostname(host, sizeof(host) - 1);
	const target *unseen = BA_FIND(o->targets, o->count, t, !ba_fs_is_dir(t->dir));
	return unseen ? ba_fail(err, BA_EIO,
				"host %s does not see '%s': choose a --cache-dir that all nodes see",
				host, unseen->dir)
		      : 0;
}

static int put_job(ba_json_writer *w, const ba_build_job *job, bool kept, ba_error *err)
{
	BA_AUTO(ba_manifest) ba_manifest m = {0};
	char sha256[65];
	if (kept && job->built)
		BA_TRY(ba_manifest_scan(&m, job->dir, NULL, NULL, err));
	ba_json_open_object(w, NULL);
	ba_fields_write(w, &ba_node_outcome_fields, job);
	if (m.count || (kept && job->built)) {
		ba_manifest_digest(sha256, &m, NULL, NULL);
		ba_json_write_string(w, "sha256", sha256);
	}
	ba_json_close(w);
	return 0;
}

static int build(ba_json_writer *w, const order *o, const ba_build_recipe *recipe, ba_error *err)
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
			.recipe = recipe,
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
	BA_AUTO(order) order o = {0};
	BA_TRY(read_order(&o, text, size, err));
	const ba_sandbox box = {.readable = (const char *const *)o.readable.items,
		.writable = (const char *const *)o.writable.items,
		.hidden = (const char *const *)o.hidden.items,
		.env = (const char *const *)o.env.items,
		.network = o.network};
	/* the order keeps its lists */
	const ba_build_recipe recipe = {.commands = o.commands,
		.command_count = o.command_count,
		.base = o.base,
		.passed = o.passed,
		.unset = o.unset,
		.timeout_ns = o.timeout_ns,
		.log_ceiling = o.log_ceiling,
		.sandbox = o.sandbox ? &box : NULL};
	if (o.sandbox)
		BA_TRY(ba_sandbox_available(err));
	return o.count ? build(w, &o, &recipe, err) : identify(w, &recipe, o.hashes, err);
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
