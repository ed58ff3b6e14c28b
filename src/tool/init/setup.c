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

static void put_list(ba_buf *out, const ba_strv *words)
{
	ba_buf_putc(out, '[');
	for (size_t i = 0; i < words->count; i++) {
		ba_buf_puts(out, i ? ", " : "");
		ba_json_put_text(out, words->items[i]);
	}
	ba_buf_putc(out, ']');
}

static void put_build(ba_buf *out, const ba_setup *s)
{
	if (!s->build_count) {
		ba_buf_puts(out,
			"  // nothing is built: a variant is its tree. A project with compiled parts names its build, e.g.\n"
			"  //   \"build\": { \"command\": [\"python3\", \"setup.py\", \"build_ext\", \"--inplace\"], \"timeout\": \"20m\" },\n");
		return;
	}
	ba_buf_puts(out,
		"  // how a variant is built, in a tree of its own; no shell reads the commands\n"
		"  \"build\": {\n    \"commands\": [\n");
	for (size_t i = 0; i < s->build_count; i++) {
		ba_buf_puts(out, "      ");
		put_list(out, &s->build[i]);
		ba_buf_puts(out, i + 1 < s->build_count ? ",\n" : "\n");
	}
	ba_buf_puts(out,
		"    ],\n    \"timeout\": \"20m\",\n    // variables of yours that the build sees\n    \"env\": ");
	put_list(out, &s->env);
	ba_buf_puts(out, "\n  },\n");
}

/* The comment contains a path, which might end it. */
static void put_comment(ba_buf *out, const char *text)
{
	ba_buf_puts(out, "  // what is measured: ");
	for (; *text; text++)
		ba_buf_putc(out, (unsigned char)*text < ' ' ? ' ' : *text);
	ba_buf_putc(out, '\n');
}

static void put_suite(ba_buf *out, const ba_setup_suite *suite)
{
	put_comment(out, suite->found);
	ba_buf_puts(out, "  \"suites\": {\n    ");
	ba_json_put_text(out, suite->name);
	ba_buf_puts(out, ": {\n      \"kind\": ");
	ba_json_put_text(out, suite->kind);
	if (suite->library) {
		ba_buf_puts(out, ",\n      \"library\": ");
		ba_json_put_text(out, suite->library);
	}
	if (suite->command.count || suite->programs.count) {
		bool several = suite->programs.count > 1;
		ba_buf_printf(out, ",\n      \"%s\": ", several ? "programs" : "command");
		put_list(out, suite->programs.count ? &suite->programs : &suite->command);
	}
	if (suite->pythonpath.count) {
		ba_buf_puts(out,
			",\n      // folders of the tree in which its modules are found\n      \"pythonpath\": ");
		put_list(out, &suite->pythonpath);
	}
	ba_buf_puts(out, "\n    }\n  },\n");
}

void ba_setup_put(ba_buf *out, const ba_setup *s)
{
	ba_buf_puts(out, "{\n");
	if (s->counted)
		ba_buf_puts(out,
			"  // no machine needs a GPU: the host target's driver executes nothing\n"
			"  \"target\": \"host\",\n"
			"  // the number of executed instructions decides; the time is reported beside it\n"
			"  \"verdict_on\": \"instructions\",\n");
	else if (!s->suite.library && !strstr(s->suite.found, "need a GPU"))
		ba_buf_puts(out,
			"  // these benchmarks need no GPU; without this line, --target says where they run\n"
			"  \"target\": \"host\",\n");
	put_build(out, s);
	put_suite(out, &s->suite);
	if (s->overlay.count) {
		ba_buf_puts(out,
			"  // old commits are measured with these benchmarks, too; in a gate with those of the baseline\n"
			"  \"overlay\": { \"from\": \"worktree\", \"paths\": ");
		put_list(out, &s->overlay);
		ba_buf_puts(out, " }\n");
	}
	ba_buf_puts(out,
		"  // what must be measured in a gate; write the file with\n"
		"  //   bench-against list --expected > .bench-against.expected\n"
		"  // and then add:  \"gate\": { \"expected\": \".bench-against.expected\" }\n"
		"}\n");
}
