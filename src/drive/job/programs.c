#include "job/setup.h"

#include <glob.h>

#include "engine/box.h"

/* Files compiled at run time go into a folder of this run and variant: not shared, not in a
 * tree. Whole programs keep their caches, except Python's compiled modules, unless their first
 * run is measured (cold). */
static const struct {
	const char *variable, *folder;
	bool of_commands;
} caches[] = {
	{"CUDA_CACHE_PATH", "jit/cuda", false},
	{"CUPY_CACHE_DIR", "jit/cupy", false},
	{"LAUNCHCFG_CACHE_DIR", "jit/launchcfg", false},
	{"NUMBA_CACHE_DIR", "jit/numba", false},
	{"PYTHONPYCACHEPREFIX", "pycache", true},
	{"TORCHINDUCTOR_CACHE_DIR", "jit/inductor", false},
	{"TORCH_EXTENSIONS_DIR", "jit/torch_extensions", false},
	{"TRITON_CACHE_DIR", "jit/triton", false},
};

/* What a candidate writes is read by its next process. A task's may start while others are
 * measured, so it must not get code in that way before its tree is loaded. */
static bool is_set(size_t cache, const ba_suite_config *suite, bool cold)
{
	if (suite->is_task && strcmp(caches[cache].variable, "PYTHONPYCACHEPREFIX") == 0)
		return false;
	return cold || suite->kind == BA_SUITE_WORKER || caches[cache].of_commands;
}

BA_OWNS(ba_programs, p, BA_FREE_ARRAY(ba_strv_dispose, p->envs, p->count),
	BA_FREE_EACH(x, p->caches, p->caches ? p->count : 0, free(*x)),
	BA_FREE(p->lists, p->items, p->sizes))

/* The preload library speaks the worker protocol within the program (measure/hook). */
static int put_hook(
	ba_strv *out, const ba_suite_config *suite, const ba_job_services *services, ba_error *err)
{
	const char *inherited = ba_job_variable(services, "LD_PRELOAD");
	const char *hook = services->parts->hook;
	if (!hook)
		return ba_fail(err, BA_EIO,
			"suite '%s' needs lib/bench-against/hook.so, which is missing: the installation is incomplete",
			suite->name);
	ba_strv_printf(out, "BENCH_AGAINST_HOOK=%s", suite->hook);
	ba_strv_printf(
		out, "LD_PRELOAD=%s%s%s", hook, inherited ? ":" : "", inherited ? inherited : "");
	return 0;
}

static bool is_ours(const char *entry, const ba_suite_config *suite, const char *driver, bool cold)
{
	if (driver && ba_env_value(entry, "LD_LIBRARY_PATH"))
		return true;
	if (suite->hook && ba_env_value(entry, "LD_PRELOAD"))
		return true;
	if (BA_ANY(caches, BA_COUNT(caches), x,
		    is_set((size_t)(x - caches), suite, cold) && ba_env_value(entry, x->variable)))
		return true;
	/* compiled modules go into a folder of this run, where they disturb nobody */
	return ba_env_value(entry, "PYTHONPATH") || ba_env_value(entry, "PYTHONDONTWRITEBYTECODE");
}

/* PYTHONPATH of a worker: a folder that protects the tool's module from one of its name in the
 * tree; that module, so that one version measures all; the tree's folders; the user's. */
static char *python_path(
	const ba_suite_config *suite, const char *tree, const ba_job_services *services)
{
	BA_AUTO(ba_strv) ba_strv parts = {0};
	const ba_job_parts *own = services->parts;
	const char *inherited = ba_job_variable(services, "PYTHONPATH");
	if (suite->kind == BA_SUITE_WORKER && own->python) {
		if (own->python_start)
			ba_strv_push(&parts, own->python_start);
		ba_strv_push(&parts, own->python);
	}
	/* a task's process adds these itself, when it loads the tree (config/suites.c) */
	for (size_t i = 0; !suite->is_task && i < suite->pythonpath.count; i++)
		ba_strv_push_take(&parts, ba_path_join(tree, suite->pythonpath.items[i]));
	if (!suite->is_task && suite->pythonpath.count == 0)
		ba_strv_push(&parts, tree);
	if (inherited && *inherited)
		ba_strv_push(&parts, inherited);
	return ba_strv_join(&parts, ":");
}

/* Puts the driver's folder before those of the user's LD_LIBRARY_PATH. */
static void put_driver(ba_strv *out, const char *driver, const ba_job_services *services)
{
	BA_AUTO_FREE char *dir = ba_path_dir(driver);
	const char *inherited = ba_job_variable(services, "LD_LIBRARY_PATH");
	bool more = inherited && *inherited;
	ba_strv_printf(out, "LD_LIBRARY_PATH=%s%s%s", dir, more ? ":" : "", more ? inherited : "");
}

static int make_environment(ba_strv *out, const ba_suite_config *suite, const char *tree,
	const ba_job_services *services, const char *driver, const char *own_dir, bool cold,
	ba_error *err)
{
	for (const char *const *e = services->env; *e; e++)
		if (!is_ours(*e, suite, driver, cold))
			ba_strv_push(out, *e);
	for (size_t i = 0; i < BA_COUNT(caches); i++) {
		if (!is_set(i, suite, cold))
			continue;
		BA_AUTO_FREE char *dir = ba_path_join(own_dir, caches[i].folder);
		BA_TRY(ba_fs_mkdirs(dir, err));
		ba_strv_printf(out, "%s=%s", caches[i].variable, dir);
	}
	BA_AUTO_FREE char *path = python_path(suite, tree, services);
	ba_strv_printf(out, "PYTHONPATH=%s", path);
	if (suite->is_task)
		ba_strv_push(out, "PYTHONDONTWRITEBYTECODE=1");
	if (driver)
		put_driver(out, driver, services);
	return suite->hook ? put_hook(out, suite, services, err) : 0;
}

/* Of several programs, a variant may lack one. */
static bool has_program(const ba_suite_config *suite, const char *tree)
{
	const char *path = suite->programs.count ? suite->programs.items[0] : "";
	BA_AUTO_FREE char *file = ba_path_join(tree, path);
	return !*path || ba_fs_exists(file);
}

int ba_programs_of(ba_programs *out, const ba_suite_config *suite, const ba_variant *variants,
	size_t count, const ba_job_services *services, const char *driver, const char *scratch,
	bool cold, ba_error *err)
{
	BA_AUTO(ba_programs)
	ba_programs p = {.items = ba_xcalloc(count, sizeof(*p.items)),
		.envs = ba_xcalloc(count, sizeof(*p.envs)),
		.lists = ba_xcalloc(count, sizeof(*p.lists)),
		.count = count};
	bool environments = BA_ANY(variants, count, v, v->environment.parts.count);
	for (size_t v = 0; v < count; v++) {
		const char *tree = variants[v].tree_dir ? variants[v].tree_dir : "";
		BA_AUTO(ba_strv) ba_strv own = {0};
		ba_job_services mine = *services;
		ba_variant_environment_put(&own, &variants[v].environment, services->env, true);
		if (environments) /* workers then report what they load */
			ba_strv_printf(&own, "BENCH_AGAINST_ENVIRONMENT=%s",
				variants[v].environment.dir ? variants[v].environment.dir : "");
		if (own.count)
			mine.env = (const char *const *)own.items;
		BA_AUTO_FREE char *folder = ba_box_folder(scratch, v);
		BA_AUTO_FREE char *own_dir = ba_path_join(folder, suite->name);
		BA_TRY(make_environment(
			&p.envs[v], suite, tree, &mine, driver, own_dir, cold, err));
		p.lists[v] = (const char *const *)p.envs[v].items;
		p.items[v] = (ba_program){
			.argv = has_program(suite, tree) ? (const char *const *)suite->command.items
							 : NULL,
			.env = p.lists[v],
			.dir = tree,
			.driver = driver,
			.scratch = scratch};
	}
	*out = BA_MOVE(p);
	return 0;
}

/* ---- the starts of processes ---- */

int ba_programs_add_caches(ba_programs *p, const char *suite, const char *scratch, ba_error *err)
{
	static const char *const of_workers[] = {"cuda", "launchcfg"};
	p->caches = ba_xcalloc(p->count, sizeof(*p->caches));
	for (size_t v = 0; v < p->count; v++) {
		BA_AUTO_FREE char *folder = ba_box_folder(scratch, v);
		p->caches[v] = ba_xprintf("%s/%s/jit", folder, suite);
		for (size_t i = 0; i < BA_COUNT(of_workers); i++) {
			BA_AUTO_FREE char *dir = ba_path_join(p->caches[v], of_workers[i]);
			BA_TRY(ba_fs_mkdirs(dir, err));
		}
	}
	return 0;
}

static uint64_t bytes_of(const ba_manifest *m, const char *glob)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < m->count; i++)
		if (m->entries[i].kind == BA_MANIFEST_FILE &&
			ba_text_glob(glob, m->entries[i].path))
			sum += m->entries[i].size;
	return sum;
}

int ba_programs_add_sizes(ba_programs *p, const ba_suite_config *suite,
	const ba_manifest *const *manifests, const ba_variant *variants, char *const *failures,
	ba_error *err)
{
	p->sizes = ba_xcalloc(p->count, sizeof(*p->sizes));
	for (size_t v = 0; v < p->count; v++)
		for (size_t i = 0; i < suite->size.count && !failures[v]; i++) {
			const char *glob = suite->size.items[i];
			uint64_t bytes =
				manifests && manifests[v] ? bytes_of(manifests[v], glob) : 0;
			if (!bytes)
				return ba_fail(err, BA_ECONFIG,
					manifests && manifests[v]
						? "suite '%s', 'size': no file of the built tree of %s matches '%s' and has a byte"
						: "suite '%s', 'size': the files of %s are unknown, because it is a directory, so nothing matches '%s'; build it in the cache",
					suite->name, variants[v].label, glob);
			p->sizes[v] += bytes;
		}
	return 0;
}

/* ---- suites of several programs ---- */

/* Appends what matches in the tree and can be executed. False: nothing matches. */
static bool add_matches(ba_strv *out, const char *tree, const char *pattern)
{
	BA_AUTO_FREE char *top = ba_text_glob_of(tree);
	BA_AUTO_FREE char *whole = ba_path_join(top, pattern);
	bool any = false;
	glob_t found = {0};
	glob(whole, GLOB_NOESCAPE, NULL, &found);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *file = found.gl_pathv[i], *below = file + strlen(tree);
		below += strspn(below, "/");
		/* a name without a folder would be searched in PATH */
		BA_AUTO_FREE char *path = ba_xprintf("%s%s", strchr(below, '/') ? "" : "./", below);
		if (ba_fs_is_dir(file) || access(file, X_OK) != 0)
			continue;
		any = true;
		if (!ba_strv_has(out, path))
			ba_strv_push(out, path);
	}
	globfree(&found);
	return any;
}

/* A program that only some variants have is one of theirs. */
static int find_programs(
	ba_strv *out, const ba_suite_config *suite, const ba_result *r, ba_error *err)
{
	for (size_t i = 0; i < suite->programs.count; i++) {
		bool any = false;
		for (size_t v = 0; v < r->run.variant_count; v++) {
			const char *tree = r->run.variants[v].tree_dir;
			any |= tree && add_matches(out, tree, suite->programs.items[i]);
		}
		if (!any)
			return ba_fail(err, BA_ECONFIG,
				"suite '%s': no file that can be executed matches '%s' in the built tree of a variant ('*' does not cross folders); see what the build makes with --keep",
				suite->name, suite->programs.items[i]);
	}
	ba_strv_sort(out);
	return 0;
}

static char *name_of(const char *suite, const char *path)
{
	char *name = ba_xprintf("%s/%s", suite, ba_path_base(path));
	for (char *c = name + strlen(suite) + 1; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("._-+", *c))
			*c = '-';
	return name;
}

static void add_program(ba_job_setup *p, const ba_suite_config *suite, const char *path, char *name)
{
	ba_suite_config *one = ba_xcalloc(1, sizeof(*one));
	*one = *suite;
	one->name = name;
	one->programs = one->command = (ba_strv){0};
	ba_strv_push(&one->programs, path);
	for (size_t i = 0; i < suite->command.count; i++) {
		const char *word = suite->command.items[i];
		ba_strv_push(&one->command, strcmp(word, "{program}") == 0 ? path : word);
	}
	if (!suite->command.count)
		ba_strv_push(&one->command, path);
	*BA_PUSH(p->expanded, p->expanded_count, p->expanded_capacity) = one;
	*BA_PUSH(p->configs.items, p->configs.count, p->configs_capacity) = one;
}

int ba_job_add_programs(ba_job_setup *p, const ba_suite_config *suite, const ba_result *r,
	const ba_strv *filters, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv paths = {0};
	BA_TRY(find_programs(&paths, suite, r, err));
	for (size_t i = 0; i < paths.count; i++) {
		char *name = name_of(suite->name, paths.items[i]);
		for (size_t k = 0; k < p->configs.count; k++)
			if (strcmp(p->configs.items[k]->name, name) == 0) {
				free(name);
				return ba_fail(err, BA_ECONFIG,
					"suite '%s': two of its programs have the same name: '%s' and '%s'; name them in two suites",
					suite->name, p->configs.items[k]->programs.items[0],
					paths.items[i]);
			}
		if (ba_job_may_choose(filters, name))
			add_program(p, suite, paths.items[i], name);
		else
			free(name);
	}
	return 0;
}

void ba_job_drop_programs(ba_job_setup *p)
{
	for (size_t i = 0; i < p->expanded_count; i++) {
		BA_DISPOSE(ba_strv, &p->expanded[i]->programs, &p->expanded[i]->command);
		BA_FREE(p->expanded[i]->name, p->expanded[i]);
	}
	free(p->expanded);
}
