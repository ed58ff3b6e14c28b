/* The variants' libraries: loaded in the order asked for, opened, and announced. */

#include "worker/process_check.h"

static void announce_variant(const ba_worker *w, size_t i, bool hashes)
{
	const ba_library *lib = &w->libs[i];
	BA_AUTO(ba_strv) ba_strv paths = {0}, objects = {0}, sums = {0};
	for (uint32_t k = 0; lib->launcher && k < lib->launcher->path_count; k++)
		ba_strv_push(&paths, lib->launcher->paths[k].name);
	if (hashes)
		ba_library_objects(&objects, lib->tree);
	for (size_t k = 0; k < objects.count; k++) {
		char sum[65] = "";
		ba_sha256_file(sum, objects.items[k], NULL);
		ba_strv_push(&sums, sum);
	}
	BA_REPLY(w, "variant", BA_SAY_U64("variant", i),
		BA_SAY_TEXT("name", lib->launcher ? lib->launcher->name : lib->suite->name),
		BA_SAY_TEXTS("paths", paths), BA_SAY_TEXTS("objects", objects),
		BA_SAY_TEXTS("sha256", sums));
}

void ba_worker_log(const char *line)
{
	fprintf(stderr, "%s\n", line);
}

static int open_session(ba_worker *w, size_t i, ba_error *err)
{
	ba_library *lib = &w->libs[i];
	static ba_launcher_host host;
	host = (ba_launcher_host){.abi = BA_LAUNCHER_ABI,
		.struct_size = sizeof(host),
		.target = w->target == BA_TARGET_GPU ? BA_LAUNCHER_TARGET_GPU
						     : BA_LAUNCHER_TARGET_HOST,
		.device = w->device.ordinal,
		.context = w->context,
		.driver_symbol = ba_worker_driver_symbol,
		.log = ba_worker_log};
	ba_worker_enter(w, (int)i, BA_PHASE_OPEN);
	int rc = lib->launcher->open(&lib->session, &host);
	if (rc) {
		lib->session = NULL;
		const char *why = lib->launcher->last_error(NULL);
		return ba_fail(err, BA_EVARIANT, "open() returned %d%s%s", rc,
			why && *why ? ": " : "", why ? why : "");
	}
	return ba_worker_check_context(w, "open()", err);
}

/* Its constructors run, and its table is ours. */
static int load_library(ba_worker *w, size_t i, ba_error *err)
{
	ba_library *lib = &w->libs[i];
	ba_suite *s = &lib->suite_table;
	ba_process_check process;
	ba_process_check_begin(&process);
	BA_TRY(ba_library_load(lib, w->plugin_kind, err));
	ba_process_code_learn(&w->code, (int)i, BA_PROCESS_CODE_BOUND);
	if (w->plugin_kind) {
		if (s->benchmarks)
			s->benchmarks = ba_process_code_keep_table(&w->code, (int)i, s->benchmarks,
				s->benchmark_count * sizeof(*s->benchmarks));
		lib->suite = ba_process_code_keep_table(&w->code, (int)i, s, sizeof(*s));
	} else {
		lib->launcher = ba_process_code_keep_table(
			&w->code, (int)i, lib->launcher, sizeof(*lib->launcher));
	}
	return ba_process_check_end(&process, w, (int)i, BA_PHASE_LOAD, err);
}

static int open_it(ba_worker *w, size_t i, ba_error *err)
{
	ba_process_check process;
	ba_process_check_begin(&process);
	BA_TRY(w->plugin_kind ? ba_plugin_open(w, i, err) : open_session(w, i, err));
	return ba_process_check_end(&process, w, (int)i, BA_PHASE_OPEN, err);
}

static int load_one(ba_worker *w, size_t i, ba_error *err)
{
	int rc = load_library(w, i, err);
	rc = rc ? rc : open_it(w, i, err);
	w->libs[i].ready = rc == 0;
	return rc;
}

/* Each of 0 .. n-1 once. */
static int read_load_order(ba_worker *w, size_t n, const ba_message *m, ba_error *err)
{
	BA_AUTO_FREE uint64_t *asked = ba_xcalloc(n, sizeof(*asked));
	BA_AUTO_FREE bool *met = ba_xcalloc(n, sizeof(*met));
	int rc = ba_message_u64s(asked, n, m, "order", err);
	free(w->order);
	w->order = ba_xcalloc(n, sizeof(*w->order));
	for (size_t k = 0; rc == 0 && k < n; k++) {
		if (asked[k] >= n || met[asked[k]])
			return ba_fail(
				err, BA_EPROTOCOL, "message 'load': no order of %zu variants", n);
		met[asked[k]] = true;
		w->order[k] = (size_t)asked[k];
	}
	return rc;
}

/* What a variant's own library does wrong is reported, and the others are loaded. */
static int load_each(ba_worker *w, bool *all, ba_error *err)
{
	*all = true;
	for (size_t k = 0; k < w->lib_count && !w->lost; k++) {
		size_t i = w->order[k];
		ba_error trouble;
		ba_worker_enter(w, (int)i, BA_PHASE_LOAD);
		int rc = load_one(w, i, &trouble);
		ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
		*all = *all && rc == 0;
		BA_TRY(rc ? ba_worker_blame(w, (int)i, &trouble, err) : 0);
	}
	return 0;
}

int ba_worker_load(ba_worker *w, const ba_message *m, ba_error *err)
{
	ba_message_texts(&w->labels, m, "labels");
	ba_message_texts(&w->libraries, m, "libraries");
	ba_message_texts(&w->originals, m, "originals");
	ba_message_texts(&w->trees, m, "trees");
	w->plugin_kind = strcmp(ba_message_text(m, "kind"), "plugin") == 0;
	size_t n = w->libraries.count;
	size_t originals = w->originals.count;
	if (n == 0 || w->labels.count != n || w->trees.count != n || w->libs ||
		(originals && originals != n))
		return ba_fail(err, BA_EPROTOCOL, "message 'load': lists of unequal length");
	BA_TRY(read_load_order(w, n, m, err));
	w->libs = ba_xcalloc(n, sizeof(*w->libs));
	w->code.libs = w->libs;
	w->lib_count = n;
	for (size_t i = 0; i < n; i++)
		w->libs[i] = (ba_library){.label = w->labels.items[i],
			.path = w->libraries.items[i],
			.original = originals ? w->originals.items[i] : NULL,
			.tree = w->trees.items[i]};
	bool all;
	w->speaks = ba_message_bool(m, "hashes");
	BA_TRY(load_each(w, &all, err));
	if (n > 1)
		ba_process_code_seal(&w->code);
	BA_AUTO_FREE char *reason = NULL;
	bool share = !all || ba_libraries_can_share(&reason, w->libs, n);
	for (size_t i = 0; i < n; i++)
		if (w->libs[i].ready)
			announce_variant(w, i, ba_message_bool(m, "hashes"));
	BA_REPLY(w, "loaded", BA_SAY_BOOL("share", share), BA_SAY_TEXT("reason", reason));
	return 0;
}
