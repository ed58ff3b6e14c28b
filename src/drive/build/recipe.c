#include "build/recipe.h"

#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

/* variables with which git, and builds that call it, would see another repository */
static bool redirects_git(const char *name)
{
	static const char *const names[] = {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE",
		"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR",
		"GIT_NAMESPACE", "GIT_PREFIX", "GIT_CEILING_DIRECTORIES"};
	return BA_ANY(names, BA_COUNT(names), one, !strcmp(name, *one));
}

static void allow(
	ba_build_recipe *r, const char *name, const char *const *environment, const ba_log *log)
{
	const char *value = ba_env_find(environment, name);
	if (redirects_git(name)) {
		ba_log_printf(log, BA_LOG_WARNING,
			"'%s' is not passed to builds: it would point git at another repository; take it out of build.env",
			name);
		return;
	}
	/* ba_build_environment sets these, whether allowed or not */
	if (!strcmp(name, "TMPDIR") || !strcmp(name, "PATH") || !strcmp(name, "HOME"))
		return;
	if (value)
		ba_strv_printf(&r->passed, "%s=%s", name, value);
	else
		ba_strv_push(&r->unset, name);
}

void ba_build_recipe_init(ba_build_recipe *r, const ba_strv *commands, size_t count,
	const ba_strv *allowed, const char *const *environment, const ba_log *log)
{
	static const ba_strv none;
	const char *path = ba_env_find(environment, "PATH");
	const char *home = ba_env_find(environment, "HOME");
	*r = (ba_build_recipe){.commands = commands, .command_count = count};
	ba_strv_printf(&r->base, "PATH=%s", path && *path ? path : DEFAULT_PATH);
	if (home)
		ba_strv_printf(&r->base, "HOME=%s", home);
	allowed = allowed ? allowed : &none;
	for (size_t i = 0; i < allowed->count; i++)
		allow(r, allowed->items[i], environment, log);
	if (!ba_build_recipe_get(r, "LANG"))
		ba_strv_push(&r->base, "LANG=C");
	ba_strv_sort(&r->passed);
	ba_strv_sort(&r->unset);
}

void ba_build_recipe_names(ba_strv *out, const ba_build_recipe *r)
{
	for (size_t i = 0; i < r->passed.count; i++) {
		const char *entry = r->passed.items[i];
		ba_strv_push_take(out, ba_xstrndup(entry, strcspn(entry, "=")));
	}
}

void ba_build_recipe_confine(ba_build_recipe *r, const ba_sandbox *sandbox, const ba_log *log)
{
	BA_AUTO(ba_strv) ba_strv names = {0}, outside = {0}, inside = {0};
	ba_sandbox box = *sandbox;
	ba_strv passed = {0};
	ba_build_recipe_names(&names, r);
	box.env = (const char *const *)names.items;
	ba_build_environment(&outside, r, "/", "/tmp");
	ba_sandbox_environment(&inside, (const char *const *)outside.items, &box);
	for (size_t i = 0; i < r->passed.count; i++)
		if (ba_strv_has(&inside, r->passed.items[i]))
			ba_strv_push(&passed, r->passed.items[i]);
		else
			ba_log_printf(log, BA_LOG_WARNING,
				"'%s' is not passed to builds in a sandbox: its name is that of a secret; take it out of build.env",
				names.items[i]);
	ba_strv_dispose(&r->passed);
	r->passed = passed;
	free(r->base.items[0]); /* PATH comes first */
	r->base.items[0] =
		ba_xprintf("PATH=%s", ba_env_find((const char *const *)inside.items, "PATH"));
	r->sandbox = sandbox;
}

BA_OWNS(ba_build_recipe, r, BA_DISPOSE(ba_strv, &r->base, &r->passed, &r->unset))

const char *ba_build_recipe_path(const ba_build_recipe *r)
{
	return ba_env_find((const char *const *)r->base.items, "PATH");
}

const char *ba_build_recipe_get(const ba_build_recipe *r, const char *name)
{
	return ba_env_find((const char *const *)r->passed.items, name);
}

void ba_build_environment(
	ba_strv *out, const ba_build_recipe *r, const char *dir, const char *tmp_dir)
{
	BA_AUTO_FREE char *above = ba_path_dir(dir);
	ba_strv_copy(out, &r->base);
	ba_strv_copy(out, &r->passed);
	ba_strv_printf(out, "TMPDIR=%s", tmp_dir);
	ba_strv_printf(out, "GIT_CEILING_DIRECTORIES=%s", above);
}

BA_DEFINE_ORDER(input_order, ba_build_input, strcmp(a->path, b->path))

static void add_list(ba_sha256 *s, const char *what, const ba_strv *list)
{
	char count[32];
	ba_sha256_add_string(s, what);
	snprintf(count, sizeof(count), "%zu", list->count);
	ba_sha256_add_string(s, count);
	for (size_t i = 0; i < list->count; i++)
		ba_sha256_add_string(s, list->items[i]);
}

static void add_paths(ba_sha256 *s, const char *what, const char *const *paths)
{
	ba_strv list = {.items = (char **)(uintptr_t)paths};
	while (paths && paths[list.count])
		list.count++;
	add_list(s, what, &list);
}

/* The files visible in the sandbox affect the build. */
static void add_sandbox(ba_sha256 *s, const ba_sandbox *box)
{
	ba_sha256_add_string(s, box->network ? "sandbox with network" : "sandbox without network");
	add_paths(s, "readable", box->readable);
	add_paths(s, "writable", box->writable);
}

void ba_build_key(char out[65], const ba_build_recipe *r, const ba_build_input *inputs,
	size_t count, const char *toolchain_sha256)
{
	BA_AUTO_FREE ba_build_input *sorted = ba_xreallocarray(NULL, count + 1, sizeof(*sorted));
	char number[32];
	ba_sha256 s;
	memcpy(sorted, inputs, count * sizeof(*inputs));
	qsort(sorted, count, sizeof(*sorted), input_order);
	ba_sha256_init(&s);
	snprintf(number, sizeof(number), "build %d, inputs %zu", BA_BUILD_FORMAT, count);
	ba_sha256_add_string(&s, number);
	for (size_t i = 0; i < count; i++) {
		ba_sha256_add_string(&s, sorted[i].path);
		ba_sha256_add_string(&s, sorted[i].id);
	}
	for (size_t i = 0; i < r->command_count; i++)
		add_list(&s, "command", &r->commands[i]);
	add_list(&s, "set", &r->passed);
	add_list(&s, "unset", &r->unset);
	if (r->sandbox)
		add_sandbox(&s, r->sandbox);
	ba_sha256_add_string(&s, "toolchain");
	ba_sha256_add_string(&s, toolchain_sha256);
	ba_sha256_hex(&s, out);
}
