#include "engine/foreign_code.h"

enum { REPORT_MOST = 64 << 20, PYTHONS_MOST = 200, GENERATIONS_MOST = 8 };

/* "x12 /bin/sh", "o12 /lib/libc.so.6", "p12", "m12 numpy /.../numpy/__init__.py" */
typedef struct record {
	char kind;
	const char *pid, *path;
	char name[NAME_MAX + 1]; /* of a module */
	size_t pid_size;
} record;

typedef struct rules {
	const ba_strv *pythonpath;		 /* or NULL */
	char *tree, *checkout, *start, *scratch; /* resolved; NULL: none */
	char **others;				 /* [count] trees of other variants */
	const char **labels;			 /* [count] */
	size_t count;
	char *driver;	/* the only libcuda.so that may be loaded; NULL: any */
	char *observer; /* it and this one, which forwards to it; or NULL */
} rules;

static char *resolved(const char *path)
{
	return path && *path ? realpath(path, NULL) : NULL;
}

static bool is_inside(const char *path, const char *folder)
{
	return folder && *folder && ba_path_is_below(path, folder);
}

static rules rules_of(const ba_code_origin *origin, const ba_engine_spec *engine, size_t variant)
{
	rules r = {.pythonpath = origin->pythonpath,
		.tree = resolved(engine->variants[variant].tree_dir),
		.checkout = resolved(origin->checkout),
		.start = resolved(origin->start_dir),
		.scratch = resolved(origin->scratch),
		.others = ba_xcalloc(engine->variant_count, sizeof(*r.others)),
		.labels = ba_xcalloc(engine->variant_count, sizeof(*r.labels))};
	for (size_t v = 0; v < engine->variant_count; v++) {
		char *other = resolved(engine->variants[v].tree_dir);
		if (!other || !r.tree || strcmp(other, r.tree) == 0) {
			free(other);
			continue;
		}
		r.labels[r.count] = engine->variants[v].label;
		r.others[r.count++] = other;
	}
	return r;
}

BA_OWNS_HERE(rules, r, BA_FREE_EACH(x, r->others, r->count, free(*x)),
	BA_FREE(r->labels, r->tree, r->checkout, r->start, r->scratch, r->driver, r->observer))

/* ---- where a file belongs ---- */

/* A virtual environment may be inside the checkout; its files do not belong to the
 * project. */
static bool is_in_environment(const rules *r, const char *path)
{
	BA_AUTO_FREE char *dir = ba_path_dir(path);
	while (is_inside(dir, r->checkout)) {
		BA_AUTO_FREE char *venv = ba_path_join(dir, "pyvenv.cfg");
		BA_AUTO_FREE char *conda = ba_path_join(dir, "conda-meta");
		if (ba_fs_exists(venv) || ba_fs_exists(conda))
			return true;
		ba_text_own(&dir, ba_path_dir(dir));
	}
	return false;
}

static bool is_own(const rules *r, const char *path)
{
	return is_inside(path, r->tree) || is_inside(path, r->start) || is_inside(path, r->scratch);
}

/* "your checkout", "another variant, 'v2'"; NULL if it belongs to none of
 * these. Caller frees. */
static char *owner_of(const rules *r, const char *path)
{
	if (is_own(r, path))
		return NULL;
	for (size_t i = 0; i < r->count; i++)
		if (is_inside(path, r->others[i]))
			return ba_xprintf("another variant, '%s'", r->labels[i]);
	if (is_inside(path, r->checkout) && !is_in_environment(r, path))
		return ba_xstrdup("your checkout");
	return NULL;
}

static bool has_module(const rules *r, const char *folder, const char *name)
{
	BA_AUTO_FREE char *package = ba_xprintf("%s/%s/%s/__init__.py", r->tree, folder, name);
	BA_AUTO_FREE char *file = ba_xprintf("%s/%s/%s.py", r->tree, folder, name);
	return ba_fs_exists(package) || ba_fs_exists(file);
}

/* The folder in which the tree has a module of that name, "." for its top; or NULL. */
static const char *folder_of(const rules *r, const char *name)
{
	static const char *const usual[] = {".", "src", "lib", "python"};
	const ba_strv *named = r->pythonpath;
	/* every Python program has a module of this name */
	/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): each module has a name */
	if (strcmp(name, "__main__") == 0)
		return NULL;
	for (size_t i = 0; r->tree && named && i < named->count; i++)
		if (has_module(r, named->items[i], name))
			return named->items[i];
	for (size_t i = 0; r->tree && i < BA_COUNT(usual); i++)
		if (has_module(r, usual[i], name))
			return usual[i];
	return NULL;
}

/* Does the configuration put that folder into PYTHONPATH? */
static bool is_on_path(const rules *r, const char *folder)
{
	const ba_strv *named = r->pythonpath;
	if (!named || named->count == 0)
		return strcmp(folder, ".") == 0;
	return ba_strv_has(named, folder);
}

/* ---- sentences ---- */

static char *module_remedy(const rules *r, const char *name)
{
	const char *folder = folder_of(r, name);
	if (folder && !is_on_path(r, folder))
		return ba_xprintf(
			"set \"pythonpath\": [\"%s\"] in the suite's configuration ('pythonpath': folders of the tree)",
			folder);
	if (folder)
		return ba_xprintf(
			"an installed package comes before PYTHONPATH: run 'pip uninstall %s', or measure in an environment without it",
			name);
	return ba_xprintf(
		"add the tree's folder that contains '%s' to the suite's 'pythonpath'", name);
}

static char *about_module(const rules *r, const record *m, const char *path)
{
	BA_AUTO_FREE char *owner = owner_of(r, path);
	const char *folder = owner || is_own(r, path) ? NULL : folder_of(r, m->name);
	if (!owner && !folder)
		return NULL;
	BA_AUTO_FREE char *remedy = module_remedy(r, m->name);
	if (owner)
		return ba_xprintf("'%s' was loaded from %s, not from the measured tree: %s", path,
			owner, remedy);
	return ba_xprintf("'%s' was loaded, although this tree has a '%s' of its own: %s", path,
		m->name, remedy);
}

static char *about_object(const rules *r, const record *o, const char *path)
{
	BA_AUTO_FREE char *owner = owner_of(r, path);
	if (!owner)
		return NULL;
	if (o->kind == 'x')
		return ba_xprintf(
			"'%s' was run from %s, not from the measured tree: name programs by their path in the tree, and keep tools outside of the repository",
			path, owner);
	return ba_xprintf(
		"'%s' was loaded from %s, not from the measured tree: link with a path that begins with $ORIGIN (-Wl,-rpath,'$ORIGIN'), and check LD_LIBRARY_PATH",
		path, owner);
}

/* ---- the report ---- */

static bool next_record(record *out, const char **at, const char *end)
{
	const char *text = *at, *stop = memchr(text, '\0', (size_t)(end - text));
	if (!stop)
		return false;
	*at = stop + 1;
	*out = (record){.kind = *text, .pid = *text ? text + 1 : text};
	out->pid_size = strspn(out->pid, "0123456789");
	out->path = out->pid + out->pid_size;
	out->path += *out->path == ' ';
	if (out->kind == 'm') {
		size_t n = strcspn(out->path, " ");
		snprintf(out->name, sizeof(out->name), "%.*s", (int)n, out->path);
		out->path += n + (out->path[n] == ' ');
	}
	return true;
}

typedef char *about_fn(const rules *r, const record *rec, const char *path);

static char *first_about(const rules *r, const ba_buf *report, const char *kinds, about_fn *about)
{
	const char *at = report->data, *end = at + report->len;
	record rec;
	char *sentence = NULL;
	while (!sentence && next_record(&rec, &at, end)) {
		BA_AUTO_FREE char *path =
			rec.kind && strchr(kinds, rec.kind) ? resolved(rec.path) : NULL;
		if (path)
			sentence = about(r, &rec, path);
	}
	return sentence;
}

static bool has_told(const ba_buf *report, const record *process)
{
	const char *at = report->data, *end = at + report->len;
	record rec;
	while (next_record(&rec, &at, end))
		if (rec.kind == 'p' && rec.pid_size == process->pid_size &&
			memcmp(rec.pid, process->pid, rec.pid_size) == 0)
			return true;
	return false;
}

static bool has_silent_python(const ba_buf *report)
{
	const char *at = report->data, *end = at + report->len;
	record rec;
	unsigned count = 0;
	while (count < PYTHONS_MOST && next_record(&rec, &at, end)) {
		if (rec.kind != 'x' || !ba_text_starts(ba_path_base(rec.path), "python"))
			continue;
		count++;
		if (!has_told(report, &rec))
			return true;
	}
	return false;
}

char *ba_foreign_code_reported(bool *silent, const char *report, const ba_code_origin *origin,
	const ba_engine_spec *engine, size_t variant)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO_FREE char *dir = ba_path_dir(report);
	*silent = false;
	/* a pipe would be waited for without end */
	if (!ba_fs_is_file_below(report, dir) || ba_fs_read(&text, report, REPORT_MOST, NULL) ||
		!text.len)
		return NULL;
	BA_AUTO(rules) rules r = rules_of(origin, engine, variant);
	BA_AUTO_FREE char *sentence = first_about(&r, &text, "m", about_module);
	if (!sentence)
		sentence = first_about(&r, &text, "xo", about_object);
	*silent = has_silent_python(&text);
	return sentence ? ba_text_safe(sentence) : NULL;
}

/* ---- a process that waits ---- */

/* The path of a line of /proc/PID/maps if it is code of a file, else NULL. */
static char *code_of(char *line)
{
	char mode[8];
	int at = 0;
	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%*s %7s %*s %*s %*s %n", mode, &at) != 1 || !at || strlen(mode) < 3 ||
		mode[2] != 'x' || line[at] != '/')
		return NULL;
	return resolved(line + at);
}

static char *about_driver(const rules *r, const char *path)
{
	if (!r->driver || !ba_text_starts(ba_path_base(path), "libcuda.so") ||
		strcmp(path, r->driver) == 0 || (r->observer && strcmp(path, r->observer) == 0))
		return NULL;
	return ba_xprintf(
		"'%s' was loaded: with --target host a program must use the driver of bench-against, which it finds as libcuda.so.1 in LD_LIBRARY_PATH",
		path);
}

static char *about_process(const rules *r, long pid)
{
	BA_AUTO_FREE char *maps = ba_xprintf("/proc/%ld/maps", pid);
	BA_AUTO_FREE char *link = ba_xprintf("/proc/%ld/exe", pid);
	BA_AUTO_FREE char *program = resolved(link), *line = NULL;
	size_t capacity = 0;
	char *sentence = NULL;
	FILE *file = fopen(maps, "re");
	while (file && !sentence && getline(&line, &capacity, file) > 0) {
		BA_AUTO_FREE char *path = code_of(line);
		bool is_program = path && program && strcmp(path, program) == 0;
		const record code = {.kind = is_program ? 'x' : 'o'};
		if (path)
			sentence = about_driver(r, path);
		if (path && !sentence)
			sentence = about_object(r, &code, path);
	}
	if (file)
		fclose(file);
	return sentence;
}

static char *about_family(const rules *r, long pid, unsigned generation)
{
	BA_AUTO_FREE char *path = ba_xprintf("/proc/%ld/task/%ld/children", pid, pid);
	char *sentence = about_process(r, pid);
	FILE *file = generation < GENERATIONS_MOST ? fopen(path, "re") : NULL;
	long child;
	while (file && !sentence && fscanf(file, "%ld", &child) == 1)
		sentence = about_family(r, child, generation + 1);
	if (file)
		fclose(file);
	return sentence;
}

char *ba_foreign_code_mapped(long pid, const ba_engine_spec *engine, size_t variant)
{
	const ba_code_origin origin = {
		.checkout = engine->checkout, .scratch = engine->programs[variant].scratch};
	BA_AUTO(rules) rules r = rules_of(&origin, engine, variant);
	r.driver = resolved(engine->programs[variant].driver);
	r.observer = resolved(engine->observer);
	BA_AUTO_FREE char *sentence = about_family(&r, pid, 0);
	return sentence ? ba_text_safe(sentence) : NULL;
}
