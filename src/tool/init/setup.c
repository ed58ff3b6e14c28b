/* The decisions of `init`, as values and as the text of a configuration. */

#include "init/setup.h"

#include "init/scan.h"
#include "json/writer.h"

BA_OWNS(ba_setup, s, BA_FREE_ARRAY(ba_strv_dispose, s->build, s->build_count),
	ba_strv_dispose(&s->env),
	BA_FREE(s->suite.name, s->suite.kind, s->suite.found, s->suite.library),
	BA_DISPOSE(
		ba_strv, &s->suite.command, &s->suite.programs, &s->suite.pythonpath, &s->overlay),
	BA_FREE(s->folder, s->package, s->program, s->built))

void ba_setup_words(ba_strv *out, const char *const *words)
{
	for (; *words; words++)
		ba_strv_push(out, *words);
}

void ba_setup_build(ba_setup *s, const char *const *words)
{
	s->build = ba_xreallocarray(s->build, s->build_count + 1, sizeof(*s->build));
	s->build[s->build_count] = (ba_strv){0};
	ba_setup_words(&s->build[s->build_count++], words);
}

void ba_setup_measure(ba_setup *s, const char *name, const char *kind, const char *found,
	const char *const *command)
{
	s->suite.name = ba_xstrdup(name);
	s->suite.kind = ba_xstrdup(kind);
	s->suite.found = ba_xstrdup(found);
	ba_setup_words(&s->suite.command, command);
}

/* May `init` write into the folder? Yes if it does not exist, or if its first file
 * shows that `init` wrote it. A launcher.c without a CMakeLists.txt gets one. */
static bool may_use(const char *top, const char *folder, const char *group)
{
	const char *first = strcmp(group, "launcher") == 0 ? "CMakeLists.txt" : "bench.py";
	BA_AUTO_FREE char *dir = ba_path_join(top, folder);
	BA_AUTO_FREE char *path = ba_path_join(dir, first);
	BA_AUTO_FREE char *relative = ba_path_join(folder, first);
	if (!ba_fs_exists(dir) || ba_scan_has(top, ".bench-against.json", relative))
		return true;
	if (!ba_fs_exists(path))
		return strcmp(group, "launcher") == 0;
	return ba_scan_has(top, relative, "bench_against");
}

void ba_setup_start(ba_setup *s, const char *top, const char *group)
{
	s->files = group;
	s->folder = ba_xstrdup(may_use(top, "bench", group) ? "bench" : "bench-against");
	/* a launcher contains the measured code */
	if (strcmp(group, "launcher") != 0)
		ba_strv_push(&s->overlay, s->folder);
}

void ba_setup_launcher(ba_setup *s, const char *top)
{
	ba_setup_start(s, top, "launcher");
	ba_setup_build(s, BA_WORDS("cmake", "-S", s->folder, "-B", "build-bench",
				  "-DCMAKE_BUILD_TYPE=Release"));
	ba_setup_build(s, BA_WORDS("cmake", "--build", "build-bench", "-j"));
	ba_setup_words(&s->env, BA_WORDS("CC", "CXX", "CUDACXX", "CMAKE_PREFIX_PATH"));
	BA_AUTO_FREE char *found = ba_xprintf("the launch code in %s/launcher.c", s->folder);
	ba_setup_measure(s, "launch", "launcher", found, (const char *const[]){NULL});
	s->suite.library = ba_xstrdup("build-bench/liblauncher.so");
}

/* ---- as text ---- */

/* Words as a list in JSON; NULL: there are none. Caller frees. */
static char *list_of(const ba_strv *words)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	for (size_t i = 0; i < words->count; i++) {
		ba_buf_puts(&out, i ? ", " : "[");
		ba_json_put_text(&out, words->items[i]);
	}
	ba_buf_puts(&out, words->count ? "]" : "");
	return words->count ? ba_buf_detach(&out) : NULL;
}

static char *commands_of(const ba_setup *s)
{
	BA_AUTO(ba_strv) ba_strv commands = {0};
	for (size_t i = 0; i < s->build_count; i++)
		ba_strv_push_take(&commands, list_of(&s->build[i]));
	return ba_strv_join(&commands, ",\n      ");
}

typedef struct mark {
	const char *name, *text;
} mark;

static void fill(ba_buf *out, const char *text, const mark *marks, size_t count)
{
	size_t line = out->len; /* where it begins */
	bool leaves = false;
	while (*text) {
		const mark *m = BA_FIND(marks, count, x, ba_text_starts(text, x->name));
		if (m) {
			ba_buf_puts(out, m->text ? m->text : "");
			leaves = leaves || !m->text;
			text += strlen(m->name);
			continue;
		}
		ba_buf_putc(out, *text);
		if (*text++ != '\n')
			continue;
		ba_buf_truncate(out, leaves ? line : out->len);
		line = out->len;
		leaves = false;
	}
}

void ba_setup_fill(ba_buf *out, const char *text, const ba_setup *s)
{
	const ba_setup_suite *suite = &s->suite;
	const char *package = s->package ? s->package : "my_package";
	/* a comment, which a path with a line break would end */
	BA_AUTO_FREE char *found = ba_text_safe(suite->found ? suite->found : "");
	bool host = !s->counted && !suite->library && !strstr(found, "need a GPU");
	BA_AUTO_FREE char *commands = commands_of(s), *env = list_of(&s->env);
	BA_AUTO_FREE char *paths = list_of(&s->overlay), *python = list_of(&suite->pythonpath);
	BA_AUTO_FREE char *command = list_of(&suite->command),
			  *programs = list_of(&suite->programs);
	bool several = suite->programs.count > 1;
	const mark marks[] = {{"@BENCH@", s->folder}, {"@PACKAGE@", package},
		{"@PROGRAM@", s->program ? s->program : ""}, {"@BUILT@", s->built ? s->built : ""},
		{"@COUNTED@", s->counted ? "" : NULL}, {"@HOST@", host ? "" : NULL},
		{"@TREE@", s->build_count ? NULL : ""}, {"@BUILD@", s->build_count ? "" : NULL},
		{"@COMMANDS@", s->build_count ? commands : NULL}, {"@ENV@", env ? env : "[]"},
		{"@FOUND@", found}, {"@NAME@", suite->name}, {"@KIND@", suite->kind},
		{"@LIBRARY@", suite->library}, {"@PYTHON@", python ? "" : NULL},
		{"@PYTHONPATH@", python}, {"@PROGRAMS@", several ? programs : NULL},
		{"@COMMAND@", !programs ? command
			      : several ? NULL
					: programs},
		{"@OVERLAY@", paths ? "" : NULL}, {"@PATHS@", paths}};
	fill(out, text, marks, BA_COUNT(marks));
}

/* ---- the project ---- */

const char *const ba_project_files[BA_PROJECT_KINDS][5] = {
	[BA_PROJECT_UNKNOWN] = {NULL},
	[BA_PROJECT_CMAKE] = {"CMakeLists.txt"},
	[BA_PROJECT_PYTHON] = {"pyproject.toml", "setup.py", "setup.cfg", "requirements.txt"},
	[BA_PROJECT_MESON] = {"meson.build"},
	[BA_PROJECT_AUTOTOOLS] = {"configure.ac", "configure.in"},
	[BA_PROJECT_MAKE] = {"Makefile", "makefile", "GNUmakefile"},
};

/* *out: the first existing file; NULL: none exists. If a file cannot be examined, that
 * is an error, because the kind of the project would be wrong. */
static int first_there(const char **out, const char *top, const char *const *names, ba_error *err)
{
	struct stat st;
	*out = NULL;
	for (; !*out && *names; names++) {
		BA_AUTO_FREE char *path = ba_path_join(top, *names);
		if (lstat(path, &st) == 0)
			*out = *names;
		else if (errno != ENOENT && errno != ENOTDIR)
			return ba_fail_errno(err, BA_EIO, "cannot look at '%s'", path);
	}
	return 0;
}

static int look_at_kind(ba_project *p, const char *top, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv files = {0}, tests = {0};
	for (int kind = BA_PROJECT_CMAKE; kind < BA_PROJECT_KINDS; kind++) {
		const char *why;
		BA_TRY(first_there(&why, top, ba_project_files[kind], err));
		if (why && kind == BA_PROJECT_PYTHON && p->kind)
			p->both = true;
		if (why && !p->kind) {
			p->kind = (ba_project_kind)kind;
			p->kind_why = why;
		}
	}
	if (p->kind)
		return 0;
	ba_scan_files(&files, top);
	ba_scan_fixtures(&tests, top, &files);
	if (tests.count) {
		p->kind = BA_PROJECT_PYTHON;
		p->kind_why = "def test_...(benchmark)";
	}
	return 0;
}

int ba_project_look(ba_project *out, const char *top, ba_error *err)
{
	static const char *const gitlab[] = {".gitlab-ci.yml", ".gitlab", NULL};
	static const char *const github[] = {".github", NULL};
	const char *is_gitlab, *is_github;
	ba_project p = {0};
	BA_TRY(look_at_kind(&p, top, err));
	BA_TRY(first_there(&is_gitlab, top, gitlab, err));
	BA_TRY(first_there(&is_github, top, github, err));
	if (is_github || is_gitlab) {
		p.ci = is_github ? BA_PROJECT_CI_GITHUB : BA_PROJECT_CI_GITLAB;
		p.ci_why = is_github ? is_github : is_gitlab;
	}
	*out = p;
	return 0;
}
