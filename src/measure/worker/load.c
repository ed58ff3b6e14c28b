/* The variants' libraries: loaded in the order asked for, opened, and announced. */

#include "worker/process_check.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include "worker/library.h"

/* ---- can the libraries share the process? ---- */

typedef struct object {
	char *path; /* links resolved */
	const char *soname, *strings;
	const ElfW(Sym) * symbols;
	size_t symbol_count;
	const ElfW(Dyn) * dynamic;
	int owner; /* index of the variant whose tree holds it, or -1 */
} object;

typedef struct objects {
	object *items;
	size_t count, capacity;
	const ba_library *libs;
	size_t lib_count;
} objects;

/* The GNU hash table is the only place that tells how many symbols there are. */
static size_t symbols_of_gnu_hash(const uint32_t *table)
{
	uint32_t buckets = table[0], first = table[1], bloom = table[2], last = 0;
	const uint32_t *bucket = table + 4 + bloom * (sizeof(ElfW(Addr)) / 4);
	const uint32_t *chain = bucket + buckets;
	for (uint32_t i = 0; i < buckets; i++)
		if (bucket[i] > last)
			last = bucket[i];
	if (last < first)
		return first;
	while (!(chain[last - first] & 1))
		last++;
	return last + 1;
}

static void read_dynamic(object *o, ElfW(Addr) base)
{
	const uint32_t *gnu_hash = NULL, *hash = NULL;
	ElfW(Xword) soname = 0;
	bool has_soname = false;
	for (const ElfW(Dyn) *d = o->dynamic; d->d_tag != DT_NULL; d++) {
		/* glibc has relocated these in place; other systems have not */
		ElfW(Addr) address = d->d_un.d_ptr < base ? base + d->d_un.d_ptr : d->d_un.d_ptr;
		switch (d->d_tag) {
		case DT_STRTAB:
			o->strings = (const char *)address;
			break;
		case DT_SYMTAB:
			o->symbols = (const ElfW(Sym) *)address;
			break;
		case DT_GNU_HASH:
			gnu_hash = (const uint32_t *)address;
			break;
		case DT_HASH:
			hash = (const uint32_t *)address;
			break;
		case DT_SONAME:
			soname = d->d_un.d_val;
			has_soname = true;
			break;
		}
	}
	if (has_soname && o->strings)
		o->soname = o->strings + soname;
	o->symbol_count = gnu_hash ? symbols_of_gnu_hash(gnu_hash) : hash ? hash[1] : 0;
}

static int collect(struct dl_phdr_info *info, size_t size, void *data)
{
	objects *all = data;
	if (!info->dlpi_name || info->dlpi_name[0] != '/')
		return 0;
	object o = {.owner = -1};
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			o.dynamic =
				(const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
	if (!o.dynamic)
		return 0;
	read_dynamic(&o, info->dlpi_addr);
	char resolved[PATH_MAX];
	o.path = ba_xstrdup(realpath(info->dlpi_name, resolved) ? resolved : info->dlpi_name);
	for (size_t i = 0; i < all->lib_count && o.owner < 0; i++)
		if (ba_path_is_below(o.path, all->libs[i].tree))
			o.owner = (int)i;
	*BA_PUSH(all->items, all->count, all->capacity) = o;
	return 0;
}

static objects objects_now(const ba_library *libs, size_t count)
{
	objects all = {.libs = libs, .lib_count = count};
	dl_iterate_phdr(collect, &all);
	return all;
}

BA_OWNS_HERE(objects, all, BA_FREE_EACH(x, all->items, all->count, free(x->path)))

/* The mapped files inside the tree: the library and what it loaded. */
static void list_objects(ba_strv *out, const char *tree)
{
	const ba_library one = {.tree = tree};
	BA_AUTO(objects) objects all = objects_now(&one, 1);
	for (size_t i = 0; i < all.count; i++)
		if (all.items[i].owner == 0)
			ba_strv_push(out, all.items[i].path);
}

/* The object that a DT_NEEDED name was bound to: the linker takes the first loaded one
 * with that SONAME, or that file name. */
static const object *provider(const objects *all, const char *needed)
{
	return BA_FIND(all->items, all->count, o,
		strcmp(o->soname ? o->soname : ba_path_base(o->path), needed) == 0);
}

static char *foreign_dependency(const objects *all)
{
	BA_EACH (const object, o, all->items, all->count) {
		if (o->owner < 0)
			continue;
		for (const ElfW(Dyn) *d = o->dynamic; d->d_tag != DT_NULL; d++) {
			if (d->d_tag != DT_NEEDED)
				continue;
			const char *needed = o->strings + d->d_un.d_val;
			const object *p = provider(all, needed);
			if (p && p->owner >= 0 && p->owner != o->owner)
				return ba_xprintf(
					"'%s' of %s needs '%s', which was resolved to the build of %s",
					ba_path_base(o->path), all->libs[o->owner].label, needed,
					all->libs[p->owner].label);
		}
	}
	return NULL;
}

typedef struct exported {
	const char *name;
	int owner;
} exported;

BA_DEFINE_ORDER(by_name, exported, strcmp(a->name, b->name) ?: a->owner - b->owner)

/* Unique symbols (STB_GNU_UNIQUE: C++ inline variables, template statics) are one for
 * the whole process whatever RTLD_LOCAL says. */
static char *shared_unique_symbol(const objects *all)
{
	BA_AUTO_FREE exported *found = NULL;
	size_t count = 0, capacity = 0;
	BA_EACH (const object, o, all->items, all->count) {
		for (size_t k = 0; o->owner >= 0 && k < o->symbol_count; k++) {
			const ElfW(Sym) *s = &o->symbols[k];
			if (ELF64_ST_BIND(s->st_info) != STB_GNU_UNIQUE || s->st_shndx == SHN_UNDEF)
				continue;
			*BA_PUSH(found, count, capacity) =
				(exported){o->strings + s->st_name, o->owner};
		}
	}
	BA_SORT(found, count, by_name);
	char *reason = NULL;
	for (size_t i = 1; i < count && !reason; i++)
		if (found[i].owner != found[i - 1].owner &&
			strcmp(found[i].name, found[i - 1].name) == 0)
			reason = ba_xprintf(
				"%s and %s both define the unique symbol '%s', which a process has only once",
				all->libs[found[i - 1].owner].label,
				all->libs[found[i].owner].label, found[i].name);
	return reason;
}

/* A variant that made its symbols global (RTLD_GLOBAL, LD_PRELOAD) answers for others.
 */
static char *interposed_symbol(const objects *all)
{
	BA_EACH (const object, o, all->items, all->count) {
		for (size_t k = 0; o->owner >= 0 && k < o->symbol_count; k++) {
			const ElfW(Sym) *s = &o->symbols[k];
			const char *name = o->strings + s->st_name;
			Dl_info info;
			char resolved[PATH_MAX];
			if (s->st_shndx == SHN_UNDEF || s->st_name == 0 ||
				ELF64_ST_BIND(s->st_info) == STB_LOCAL)
				continue;
			void *global = dlsym(RTLD_DEFAULT, name);
			if (!global || !dladdr(global, &info) || !info.dli_fname ||
				!realpath(info.dli_fname, resolved))
				continue;
			for (size_t v = 0; v < all->lib_count; v++)
				if ((int)v != o->owner &&
					ba_path_is_below(resolved, all->libs[v].tree))
					return ba_xprintf(
						"the global symbol '%s' of %s replaces that of %s",
						name, all->libs[v].label,
						all->libs[o->owner].label);
		}
	}
	return NULL;
}

/* All are loaded: does each use only its own build? False, with the reason (caller
 * frees), in three cases: a dependency was resolved to another variant's build; two
 * define the same unique symbol (C++); one puts a symbol into the global scope that
 * another also defines. */
static bool can_share(char **reason, const ba_library *libs, size_t count)
{
	BA_AUTO(objects) objects all = objects_now(libs, count);
	char *found = foreign_dependency(&all);
	if (!found)
		found = shared_unique_symbol(&all);
	if (!found)
		found = interposed_symbol(&all);
	*reason = found;
	return found == NULL;
}

/* ---- loaded, opened, announced ---- */

static void announce_variant(const ba_worker *w, size_t i, bool hashes)
{
	const ba_library *lib = &w->libs[i];
	BA_AUTO(ba_strv) ba_strv paths = {0}, files = {0}, sums = {0};
	for (uint32_t k = 0; lib->launcher && k < lib->launcher->path_count; k++)
		ba_strv_push(&paths, lib->launcher->paths[k].name);
	if (hashes)
		list_objects(&files, lib->tree);
	for (size_t k = 0; k < files.count; k++) {
		char sum[65] = "";
		ba_sha256_file(sum, files.items[k], NULL);
		ba_strv_push(&sums, sum);
	}
	BA_REPLY(w, "variant", BA_SAY_U64("variant", i),
		BA_SAY_TEXT("name", lib->launcher ? lib->launcher->name : lib->suite->name),
		BA_SAY_TEXTS("paths", paths), BA_SAY_TEXTS("objects", files),
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
	bool share = !all || can_share(&reason, w->libs, n);
	for (size_t i = 0; i < n; i++)
		if (w->libs[i].ready)
			announce_variant(w, i, ba_message_bool(m, "hashes"));
	BA_REPLY(w, "loaded", BA_SAY_BOOL("share", share), BA_SAY_TEXT("reason", reason));
	return 0;
}
