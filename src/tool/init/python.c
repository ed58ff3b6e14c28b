/* A Python project: its modules, its benchmarks, and whether importing needs an installation. */

#include "init/scan.h"
#include "init/setup.h"

/* ---- its package ---- */

/* files with the project's name and its build settings */
static const char *const about[] = {"pyproject.toml", "setup.cfg", "setup.py", NULL};

static bool any_about_has(const char *top, const char *text)
{
	return BA_ANY(about, BA_COUNT(about) - 1, x, ba_scan_has(top, *x, text));
}

/* The module name for `name = "more-itertools"` or `name='x'`; "" if unknown. */
static char *project_name(const char *top)
{
	for (size_t i = 0; about[i]; i++) {
		BA_AUTO_FREE char *text = ba_scan_text(top, about[i]);
		for (const char *at = strstr(text, "name"); at; at = strstr(at + 4, "name")) {
			const char *value = at + 4 + strspn(at + 4, " \t");
			if (!ba_scan_is_word(text, at, 4) || *value != '=')
				continue;
			value += 1 + strspn(value + 1, " \t\"'");
			char *name = ba_xstrndup(value, strcspn(value, " \t\n\"',)"));
			for (char *c = name; *c; c++)
				*c = *c == '-' || *c == '.' ? '_' : *c;
			if (*name)
				return name;
			free(name);
		}
	}
	return ba_xstrdup("");
}

static bool is_no_module(const char *name)
{
	static const char *const names[] = {"setup", "conftest", "noxfile", "tasks", "versioneer",
		"tests", "test", "testing", "docs", "doc", "examples", "example", "benchmarks",
		"benchmark", "bench", "scripts", "tools", "conf", "__init__"};
	return ba_text_starts(name, "test_") || ba_text_starts(name, "_") ||
	       BA_ANY(names, BA_COUNT(names), x, strcmp(name, *x) == 0);
}

/* "src/x/__init__.py" and "src/x.py" are the module x; NULL: inside a module */
static char *module_of(const char *path, const char *root)
{
	size_t skip = strcmp(root, ".") == 0 ? 0 : strlen(root) + 1;
	if (skip && !(ba_text_starts(path, root) && path[skip - 1] == '/'))
		return NULL;
	const char *name = path + skip;
	size_t size = strcspn(name, "/");
	if (name[size] && strcmp(name + size, "/__init__.py") != 0)
		return NULL;
	if (!name[size]) {
		if (!ba_text_ends(name, ".py"))
			return NULL;
		size -= 3;
	}
	BA_AUTO_FREE char *module = ba_xstrndup(name, size);
	return is_no_module(module) ? NULL : BA_TAKE(module);
}

/* similarity of the module's name to the project's: markdown_it and markdown_it_py */
static int likeness(const char *module, const char *project)
{
	if (strcasecmp(module, project) == 0)
		return 3;
	if (strncasecmp(module, project, strlen(module)) == 0)
		return 2;
	return ba_text_ends(project, module) ? 1 : 0;
}

static char *package_of(const char *top, const ba_strv *files, const char *root)
{
	BA_AUTO_FREE char *project = project_name(top);
	char *best = NULL;
	for (size_t i = 0; i < files->count; i++) {
		BA_AUTO_FREE char *module = module_of(files->items[i], root);
		if (module && (!best || likeness(module, project) > likeness(best, project)))
			ba_text_own(&best, BA_TAKE(module));
	}
	return best;
}

/* ---- must it be installed? ---- */

static bool is_source_of_extension(const char *path)
{
	return ba_text_ends(path, ".pyx") || ba_text_ends(path, ".c") ||
	       ba_text_ends(path, ".cpp") || ba_text_ends(path, ".rs");
}

/* Must the project be installed before it can be imported? True for compiled parts, for
 * a version written during the build, and for one read from installed metadata. */
static bool needs_install(
	const char *top, const ba_strv *files, const char *root, const char *package)
{
	static const char *const tools[] = {"setuptools_scm", "setuptools-scm", "hatch-vcs",
		"versioningit", "mesonpy", "scikit_build_core", "maturin", "setuptools_rust", NULL};
	static const char *const metadata[] = {"importlib.metadata", "importlib_metadata",
		"import metadata", "pkg_resources", NULL};
	BA_AUTO_FREE char *folder = strcmp(root, ".") == 0 ? ba_xprintf("%s/", package)
							   : ba_xprintf("%s/%s/", root, package);
	bool extensions = any_about_has(top, "ext_modules") || any_about_has(top, "ext-modules") ||
			  any_about_has(top, "cythonize");
	if (BA_ANY(tools, BA_COUNT(tools) - 1, x, any_about_has(top, *x)))
		return true;
	for (size_t i = 0; i < files->count; i++) {
		const char *path = files->items[i];
		if (extensions && is_source_of_extension(path))
			return true;
		if (!ba_text_starts(path, folder) || !ba_text_ends(path, ".py"))
			continue;
		if (BA_ANY(metadata, BA_COUNT(metadata) - 1, x, ba_scan_has(top, path, *x)))
			return true;
	}
	return false;
}

/* Installs into the modules' folder, so that imports find the compiled parts, too: the working
 * directory comes first in sys.path of `python3 -m`. */
static void install(ba_setup *s, const char *root)
{
	ba_setup_build(s, BA_WORDS("python3", "-m", "pip", "install", "--quiet",
				  "--disable-pip-version-check", "--no-deps", "--upgrade",
				  "--target", root, "."));
	ba_setup_words(&s->env, BA_WORDS("CC", "CXX", "CFLAGS", "PIP_INDEX_URL",
					"PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX",
					"PIP_CERT", "HTTPS_PROXY", "https_proxy", "SSL_CERT_FILE"));
}

/* ---- its benchmarks ---- */

/* Is it a conftest.py above the tests? */
static bool is_loaded_with(const char *file, const ba_strv *tests)
{
	BA_AUTO_FREE char *folder = ba_path_dir(file);
	return strcmp(ba_path_base(file), "conftest.py") == 0 &&
	       BA_ANY(tests->items, tests->count, x,
		       strcmp(folder, ".") == 0 || ba_path_is_below(*x, folder));
}

static bool use_fixtures(ba_setup *s, const char *top, const ba_strv *files)
{
	BA_AUTO(ba_strv) ba_strv found = {0};
	ba_scan_fixtures(&found, top, files);
	if (!found.count)
		return false;
	BA_AUTO_FREE char *names = ba_strv_join(&found, ", ");
	BA_AUTO_FREE char *why = ba_xprintf(
		"%.200s: tests with the fixture of pytest-benchmark; pytest has to be installed",
		names);
	ba_setup_measure(s, "pytest", "worker", why,
		BA_WORDS("python3", "-m", "bench_against_worker", "--pytest"));
	for (size_t i = 0; i < found.count; i++) {
		ba_strv_push(&s->suite.command, found.items[i]);
		ba_strv_push(&s->overlay, found.items[i]);
	}
	for (size_t i = 0; i < files->count; i++)
		if (is_loaded_with(files->items[i], &found))
			ba_strv_push(&s->overlay, files->items[i]);
	return true;
}

/* The value of a key of asv.conf.json, which is JSON with comments; or NULL. */
static char *asv_value(const char *text, const char *key)
{
	BA_AUTO_FREE char *quoted = ba_xprintf("\"%s\"", key);
	for (const char *at = strstr(text, quoted); at; at = strstr(at + 1, quoted)) {
		const char *line = at;
		while (line > text && line[-1] != '\n')
			line--;
		const char *value = at + strlen(quoted);
		value += strspn(value, " \t:");
		if (!ba_text_starts(line + strspn(line, " \t"), "//") && *value == '"')
			return ba_xstrndup(value + 1, strcspn(value + 1, "\"\n"));
	}
	return NULL;
}

static bool use_asv(ba_setup *s, const char *top, const ba_strv *files)
{
	for (size_t i = 0; i < files->count; i++) {
		const char *path = files->items[i];
		if (strcmp(ba_path_base(path), "asv.conf.json") != 0)
			continue;
		BA_AUTO_FREE char *text = ba_scan_text(top, path);
		BA_AUTO_FREE char *named = asv_value(text, "benchmark_dir");
		BA_AUTO_FREE char *folder = ba_path_dir(path);
		const char *name = named ? named : "benchmarks";
		while (ba_text_starts(name, "./"))
			name += 2;
		BA_AUTO_FREE char *where =
			strcmp(folder, ".") == 0 ? ba_xstrdup(name) : ba_path_join(folder, name);
		BA_AUTO_FREE char *whole = ba_path_join(top, where);
		if (!ba_path_is_inside(where) || !ba_fs_is_dir(whole))
			continue;
		BA_AUTO_FREE char *why = ba_xprintf("%s: benchmarks of asv", where);
		ba_setup_measure(s, "asv", "worker", why,
			BA_WORDS("python3", "-m", "bench_against_worker", "--asv", where));
		ba_strv_push(&s->overlay, where);
		return true;
	}
	return false;
}

/* A program that runs benchmarks of cuda.bench, NVBench's module. */
static bool use_nvbench(ba_setup *s, const char *top, const ba_strv *files)
{
	for (size_t i = 0; i < files->count; i++) {
		const char *path = files->items[i];
		if (!ba_text_ends(path, ".py") || !ba_scan_has(top, path, "run_all_benchmarks") ||
			!ba_scan_has(top, path, "cuda.bench"))
			continue;
		BA_AUTO_FREE char *why =
			ba_xprintf("%s: benchmarks of cuda.bench, which need a GPU", path);
		ba_setup_measure(s, "gpu", "worker", why,
			BA_WORDS("python3", "-m", "bench_against_worker", "--nvbench", path));
		ba_strv_push(&s->overlay, path);
		return true;
	}
	return false;
}

void ba_setup_python(ba_setup *s, const char *top, const ba_strv *files)
{
	const char *root = ".";
	BA_AUTO_FREE char *src = package_of(top, files, "src");
	s->package = src ? ba_xstrdup(src) : package_of(top, files, ".");
	if (src)
		root = "src";
	if (s->package && needs_install(top, files, root, s->package))
		install(s, root);
	if (s->counted || (!use_fixtures(s, top, files) && !use_asv(s, top, files) &&
				  !use_nvbench(s, top, files))) {
		ba_setup_start(s, top, s->counted ? "counted" : s->package ? "import" : "python");
		BA_AUTO_FREE char *file = ba_path_join(s->folder, "bench.py");
		ba_setup_measure(s, "py", "worker", "written to begin with",
			BA_WORDS("python3", "-m", "bench_against_worker", file));
	}
	ba_strv_push(&s->suite.pythonpath, root);
}
