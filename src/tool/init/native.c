/* A C or C++ project: Google Benchmark's programs that CMake builds, or one program as a whole. */

#include "init/scan.h"
#include "init/setup.h"

#define BUILT "build-bench"

static bool is_file(const char *path, const char *name)
{
	return strcmp(ba_path_base(path), name) == 0;
}

/* ---- CMake ---- */

/* Where CMake puts a folder's programs: the project's setting, or the same folder of the build. */
static char *output_of(const char *top, const ba_strv *files, const char *folder)
{
	for (size_t i = 0; i < files->count; i++) {
		const char *path = files->items[i];
		if (!is_file(path, "CMakeLists.txt"))
			continue;
		BA_AUTO_FREE char *text = ba_scan_text(top, path);
		const char *at = strstr(text, "RUNTIME_OUTPUT_DIRECTORY");
		at = at ? at : strstr(text, "EXECUTABLE_OUTPUT_PATH");
		const char *end = at ? strchr(at, ')') : NULL;
		const char *below = at ? strstr(at, "BINARY_DIR}") : NULL;
		if (!below || !end || below > end)
			continue;
		below += 11 + strspn(below + 11, "/");
		BA_AUTO_FREE char *rest = ba_xstrndup(below, strcspn(below, "\"\n\t )"));
		return *rest ? ba_path_join(BUILT, rest) : ba_xstrdup(BUILT);
	}
	return strcmp(folder, ".") == 0 ? ba_xstrdup(BUILT) : ba_path_join(BUILT, folder);
}

/* Adds the project's options that enable benchmarks. */
static void add_options(ba_strv *out, const char *top)
{
	BA_AUTO(ba_strv) ba_strv calls = {0};
	BA_AUTO_FREE char *text = ba_scan_text(top, "CMakeLists.txt");
	ba_scan_calls(&calls, text, "option");
	for (size_t i = 0; i < calls.count; i++) {
		BA_AUTO_FREE char *name = ba_scan_first_word(text, calls.items[i]);
		if (name && (strstr(name, "BENCH") || strstr(name, "bench")))
			ba_strv_printf(out, "-D%s=ON", name);
	}
}

static void cmake_build(ba_setup *s, const char *top, const char *source, const char *target)
{
	BA_AUTO(ba_strv) ba_strv words = {0};
	ba_setup_words(
		&words, BA_WORDS("cmake", "-S", source, "-B", BUILT, "-DCMAKE_BUILD_TYPE=Release"));
	if (strcmp(source, ".") == 0)
		add_options(&words, top);
	ba_setup_build(s, (const char *const *)words.items);
	ba_setup_build(s, BA_WORDS("cmake", "--build", BUILT, "-j", "--target", target));
	ba_setup_words(&s->env, BA_WORDS("CC", "CXX", "CFLAGS", "CXXFLAGS", "CMAKE_PREFIX_PATH"));
}

/* Libraries of benchmarks, and how programs of CMake name them. */
static const struct library {
	const char *kind, *name, *suite;
	const char *links[3];
} libraries[] = {
	{"google-benchmark", "Google Benchmark", "micro",
		{"benchmark::benchmark", "benchmark_main", " benchmark"}},
	{"nvbench", "NVBench, whose benchmarks need a GPU", "gpu",
		{"nvbench::main", "nvbench::nvbench", "nvbench_main"}},
};

static bool links_benchmark(
	const char *text, const ba_strv *links, const char *name, const struct library *l)
{
	for (size_t k = 0; k < links->count; k++) {
		BA_AUTO_FREE char *of = ba_scan_first_word(text, links->items[k]);
		const char *at = strpbrk(links->items[k], " \t\n");
		if (of && strcmp(of, name) == 0 && at &&
			(strstr(at, l->links[0]) || strstr(at, l->links[1]) ||
				strstr(at, l->links[2])))
			return true;
	}
	return false;
}

/* Appends the programs of that file that link with the library. */
static void benchmark_targets(ba_strv *out, const char *text, const struct library *l)
{
	BA_AUTO(ba_strv) ba_strv programs = {0}, links = {0};
	ba_scan_calls(&programs, text, "add_executable");
	ba_scan_calls(&links, text, "target_link_libraries");
	for (size_t i = 0; i < programs.count; i++) {
		BA_AUTO_FREE char *name = ba_scan_first_word(text, programs.items[i]);
		if (name && links_benchmark(text, &links, name, l))
			ba_strv_push(out, name);
	}
}

/* A file of CMake with programs of the library; and what was found in all of them. */
typedef struct library_use {
	ba_setup *s;
	const char *top;
	const ba_strv *files;
	const struct library *l;
	ba_strv chosen, left; /* "'bench_a' of bench/CMakeLists.txt" */
	bool own;	      /* the project that is built is the folder of benchmarks */
} library_use;

/* One project of CMake can be built: the first one with benchmarks. */
static void use_library(library_use *u, const char *path, const char *text, const ba_strv *targets)
{
	BA_AUTO_FREE char *folder = ba_path_dir(path);
	BA_AUTO(ba_strv) ba_strv projects = {0};
	ba_scan_calls(&projects, text, "project");
	/* a folder of benchmarks that is a separate CMake project */
	bool own = projects.count && strcmp(folder, ".") != 0, first = !u->chosen.count;
	BA_AUTO_FREE char *output = own ? ba_xstrdup(BUILT) : output_of(u->top, u->files, folder);
	ba_setup *s = u->s;
	if (first) {
		cmake_build(s, u->top, own ? folder : ".", targets->items[0]);
		ba_setup_measure(s, u->l->suite, u->l->kind, "", BA_WORDS(NULL));
		u->own = own;
	}
	bool use = first || !(own || u->own);
	for (size_t i = 0; i < targets->count; i++) {
		const char *target = targets->items[i];
		if (use)
			ba_strv_push_take(&s->suite.programs, ba_path_join(output, target));
		if (use && !(first && i == 0))
			ba_strv_push(&s->build[s->build_count - 1], target);
		ba_strv_printf(use ? &u->chosen : &u->left, "'%s' of %s", target, path);
	}
	if (use && strcmp(folder, ".") != 0)
		ba_strv_push(&s->overlay, folder);
}

static bool find_library(
	ba_setup *s, const char *top, const ba_strv *files, const struct library *l)
{
	library_use u = {.s = s, .top = top, .files = files, .l = l};
	for (size_t i = 0; i < files->count; i++) {
		BA_AUTO(ba_strv) ba_strv targets = {0};
		if (!is_file(files->items[i], "CMakeLists.txt"))
			continue;
		BA_AUTO_FREE char *text = ba_scan_text(top, files->items[i]);
		benchmark_targets(&targets, text, l);
		if (targets.count)
			use_library(&u, files->items[i], text, &targets);
	}
	BA_AUTO_FREE char *chosen = ba_strv_join(&u.chosen, ", ");
	BA_AUTO_FREE char *left = ba_strv_join(&u.left, ", ");
	bool any = u.chosen.count > 0;
	if (any)
		ba_text_own(
			&s->suite.found, ba_xprintf("%s, %s of %s%s%s", chosen,
						 ba_plural(u.chosen.count, "a program", "programs"),
						 l->name, *left ? "; not chosen: " : "", left));
	BA_DISPOSE(ba_strv, &u.chosen, &u.left);
	return any;
}

bool ba_setup_benchmarks(ba_setup *s, const char *top, const ba_strv *files)
{
	return BA_ANY(libraries, BA_COUNT(libraries), x, find_library(s, top, files, x));
}

/* ---- programs ---- */

/* Lower is better: programs of the project come before its tests. */
static int rank_of(const char *text)
{
	static const char *const tests[] = {"test", "check", "unit", NULL};
	if (strstr(text, "fuzz"))
		return 3;
	if (BA_ANY(tests, BA_COUNT(tests) - 1, x, strstr(text, *x)))
		return 2;
	return strstr(text, "example") ? 1 : 0;
}

typedef struct best_program {
	char *name; /* NULL: none yet */
	int rank;
} best_program;

/* The worse one of the ranks of name and folder counts. */
static void take_better(best_program *best, char *name, const char *file)
{
	int rank = name ? rank_of(name) : 0, place = rank_of(file);
	rank = place > rank ? place : rank;
	if (name && (!best->name || rank < best->rank)) {
		free(best->name);
		*best = (best_program){name, rank};
		return;
	}
	free(name);
}

/* reads CMakeLists.txt and meson.build */
static char *called_program(
	const char *top, const ba_strv *files, const char *file, const char *function)
{
	best_program best = {0};
	for (size_t i = 0; i < files->count; i++) {
		BA_AUTO(ba_strv) ba_strv calls = {0};
		if (!is_file(files->items[i], file))
			continue;
		BA_AUTO_FREE char *text = ba_scan_text(top, files->items[i]);
		ba_scan_calls(&calls, text, function);
		for (size_t k = 0; k < calls.count; k++)
			take_better(
				&best, ba_scan_first_word(text, calls.items[k]), files->items[i]);
	}
	return best.name;
}

/* "bin_PROGRAMS = a b" of a Makefile.am */
static char *listed_program(const char *top, const ba_strv *files, const char *variable)
{
	best_program best = {0};
	size_t size = strlen(variable);
	for (size_t i = 0; i < files->count; i++) {
		if (!is_file(files->items[i], "Makefile.am"))
			continue;
		BA_AUTO_FREE char *text = ba_scan_text(top, files->items[i]);
		for (const char *at = strstr(text, variable); at;
			at = strstr(at + size, variable)) {
			const char *value = at + size + strspn(at + size, " \t+");
			if (!ba_scan_is_word(text, at, size) || *value != '=')
				continue;
			value += 1 + strspn(value + 1, " \t\\\n");
			take_better(&best, ba_scan_first_word(text, value), files->items[i]);
		}
	}
	return best.name;
}

/* ---- builds ---- */

/* A checkout's timestamps are arbitrary: configure is not made again from its source. */
static void autotools_build(ba_setup *s, const ba_strv *files, bool check)
{
	BA_AUTO(ba_strv) ba_strv make = {0};
	ba_setup_words(&make, BA_WORDS("make", "-j4"));
	if (ba_strv_has(files, "configure"))
		ba_setup_words(&make, BA_WORDS("ACLOCAL=:", "AUTOCONF=:", "AUTOHEADER=:",
					      "AUTOMAKE=:", "MAKEINFO=:"));
	else
		ba_setup_build(s, BA_WORDS("autoreconf", "-fi"));
	ba_setup_build(s, BA_WORDS("./configure", "--disable-shared"));
	ba_setup_build(s, (const char *const *)make.items);
	if (check) {
		ba_setup_words(&make, BA_WORDS("check", "TESTS="));
		ba_setup_build(s, (const char *const *)make.items);
	}
}

/* Each sets the build and returns the program that it makes; NULL: none known. */
static char *with_cmake(ba_setup *s, const char *top, const ba_strv *files)
{
	char *program = called_program(top, files, "CMakeLists.txt", "add_executable");
	if (program)
		cmake_build(s, top, ".", program);
	return program;
}

static char *with_meson(ba_setup *s, const char *top, const ba_strv *files)
{
	char *program = called_program(top, files, "meson.build", "executable");
	if (!program)
		return NULL;
	ba_setup_build(s, BA_WORDS("meson", "setup", BUILT, "--buildtype=release",
				  "--default-library=static"));
	ba_setup_build(s, BA_WORDS("meson", "compile", "-C", BUILT));
	return program;
}

static char *with_autotools(ba_setup *s, const char *top, const ba_strv *files)
{
	static const char *const lists[] = {
		"bin_PROGRAMS", "noinst_PROGRAMS", "check_PROGRAMS", NULL};
	for (int i = 0; lists[i]; i++) {
		char *program = listed_program(top, files, lists[i]);
		if (!program)
			continue;
		autotools_build(s, files, i == 2);
		return program;
	}
	return NULL;
}

/* Only make knows what it builds, so the benchmark searches for the program. */
static char *with_make(ba_setup *s, const char *top, const ba_strv *files)
{
	if (ba_strv_has(files, "configure"))
		ba_setup_build(s, BA_WORDS("./configure"));
	ba_setup_build(s, BA_WORDS("make", "-j4"));
	return ba_xstrdup("");
}

static const struct {
	ba_project_kind kind;
	char *(*setup)(ba_setup *s, const char *top, const ba_strv *files);
	const char *built;
} systems[] = {
	{BA_PROJECT_CMAKE, with_cmake, BUILT},
	{BA_PROJECT_MESON, with_meson, BUILT},
	{BA_PROJECT_AUTOTOOLS, with_autotools, "."},
	{BA_PROJECT_MAKE, with_make, "."},
};

static void time_program(ba_setup *s, const char *top, const char *built)
{
	s->built = ba_xstrdup(built);
	ba_setup_start(s, top, "program");
	BA_AUTO_FREE char *file = ba_path_join(s->folder, "bench.py");
	BA_AUTO_FREE char *found =
		*s->program ? ba_xprintf("the program '%s', from start to end", s->program)
			    : ba_xstrdup("a program that make builds, from start to end");
	ba_setup_measure(s, "program", "worker", found,
		BA_WORDS("python3", "-m", "bench_against_worker", file));
}

bool ba_setup_program(ba_setup *s, const char *top, const ba_strv *files, const ba_project *p)
{
	/* a project with several build systems may build programs with only one of them */
	for (size_t i = 0; i < BA_COUNT(systems); i++) {
		bool there = false;
		for (const char *const *f = ba_project_files[systems[i].kind]; *f; f++)
			there = there || ba_strv_has(files, *f);
		bool asked = p->forced ? systems[i].kind == p->kind : there;
		if (!asked)
			continue;
		s->program = systems[i].setup(s, top, files);
		if (!s->program)
			continue;
		if (systems[i].kind != BA_PROJECT_CMAKE)
			ba_setup_words(&s->env, BA_WORDS("CC", "CXX", "CFLAGS", "CXXFLAGS",
							"CPPFLAGS", "LDFLAGS", "PKG_CONFIG_PATH"));
		time_program(s, top, systems[i].built);
		return true;
	}
	return false;
}
