#include "init/init.h"

#include "init/scan.h"
#include "init/setup.h"

/* What `init` writes is part of the program: ordinary files in share/bench-against/init. */
typedef struct init_file {
	/* path in the project; `init` fills the marks in path and text */
	const char *path;
	/* "config", "launcher", "python", "import", "counted", "program", "github", "gitlab", "hook" */
	const char *group, *text;
} init_file;

#define SHARE BA_SHARE_DIR "/share/bench-against/init"

/* clang-format off */
#define FILES(X)                                                                          \
	X(config, "config", ".bench-against.json", SHARE "/config/bench-against.json")          \
	X(launcher_lists, "launcher", "@BENCH@/CMakeLists.txt", SHARE "/launcher/CMakeLists.txt") \
	X(launcher, "launcher", "@BENCH@/launcher.c", BA_SHARE_DIR "/examples/launcher/launcher.c") \
	X(python, "python", "@BENCH@/bench.py", SHARE "/python/bench.py")                   \
	X(import, "import", "@BENCH@/bench.py", SHARE "/python/import.py")                  \
	X(counted, "counted", "@BENCH@/bench.py", SHARE "/python/counted.py")                \
	X(program, "program", "@BENCH@/bench.py", SHARE "/program/bench.py")                \
	X(github_measure, "github", ".github/workflows/bench-against.yml",                  \
		SHARE "/github/bench-against.yml")                                          \
	X(github_comment, "github", ".github/workflows/bench-against-comment.yml",          \
		SHARE "/github/bench-against-comment.yml")                                  \
	X(gitlab, "gitlab", ".gitlab/bench-against.yml", SHARE "/gitlab/bench-against.yml") \
	X(hook, "hook", "pre-push", SHARE "/hook/pre-push")

#define DECLARE(symbol, group, path, source) extern const char ba_init_text_##symbol[];
#define EMBED(symbol, group, path, source) BA_EMBED(ba_init_text_##symbol, source);
#define ROW(symbol, group, path, source) {path, group, ba_init_text_##symbol},

FILES(DECLARE)
FILES(EMBED)

static const init_file init_files[] = {FILES(ROW)};
/* clang-format on */

BA_OWNS(ba_init_result, s, BA_DISPOSE(ba_strv, &s->written, &s->kept), BA_FREE(s->found, s->edit))

/* like mkdir -p, with normal permissions, because the folders belong to the project */
static int make_folders(const char *dir, ba_error *err)
{
	mode_t mask = umask(0);
	umask(mask);
	bool there = ba_fs_is_dir(dir);
	int rc = there ? 0 : ba_fs_mkdirs(dir, err);
	return rc || there || chmod(dir, 0777 & ~mask) == 0
		       ? rc
		       : ba_fail_errno(err, BA_EIO, "'%s'", dir);
}

/* Writes a temporary file, then links it to its name if that is free: rename() would replace. */
static int write_new(
	bool *written, const char *path, const ba_buf *text, mode_t mode, ba_error *err)
{
	BA_AUTO_FREE char *dir = ba_path_dir(path);
	BA_AUTO_FREE char *draft =
		ba_xprintf("%s.bench-against-%016" PRIx64, path, ba_rng_entropy());
	struct stat st;
	*written = false;
	if (lstat(path, &st) == 0) /* a dangling link belongs to the user, too */
		return 0;
	int rc = make_folders(dir, err);
	rc = rc ? rc : ba_fs_write(draft, text->data, text->len, mode, err);
	if (rc == 0 && link(draft, path) != 0 && errno != EEXIST)
		rc = ba_fail_errno(err, BA_EIO, "'%s' cannot be written", path);
	else if (rc == 0)
		*written = true;
	if (unlink(draft) && errno != ENOENT && rc == 0)
		rc = ba_fail_errno(err, BA_EIO, "cannot remove '%s'", draft);
	return rc;
}

/* `shown`: the path for messages; NULL: the path in the project */
static int write_file(ba_init_result *out, const char *top, const init_file *f,
	const ba_setup *setup, const char *shown, mode_t mode, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT, name = BA_BUF_INIT;
	bool written;
	ba_setup_fill(&text, f->text, setup);
	ba_setup_fill(&name, f->path, setup);
	BA_AUTO_FREE char *path = ba_path_join(top, name.data);
	BA_TRY(write_new(&written, path, &text, mode, err));
	ba_strv_push(written ? &out->written : &out->kept, shown ? shown : name.data);
	return 0;
}

static int write_group(ba_init_result *out, const char *top, const char *group,
	const ba_setup *setup, ba_error *err)
{
	BA_EACH (const init_file, f, init_files, BA_COUNT(init_files))
		if (group && strcmp(f->group, group) == 0)
			BA_TRY(write_file(out, top, f, setup, NULL, 0666, err));
	return 0;
}

/* Projects that launch kernels get a launch suite, unless they have benchmarks. */
static int choose(ba_setup *s, const char *top, const ba_project *p, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv files = {0};
	s->counted = p->without_gpu;
	ba_scan_files(&files, top);
	if (p->kind == BA_PROJECT_PYTHON) {
		ba_setup_python(s, top, &files);
		return 0;
	}
	if (p->without_gpu) {
		ba_setup_launcher(s, top);
		return 0;
	}
	bool cmake = p->kind == BA_PROJECT_CMAKE;
	if (cmake && ba_setup_benchmarks(s, top, &files))
		return 0;
	bool cuda = BA_ANY(files.items, files.count, x,
			    ba_text_ends(*x, ".cu") || ba_text_ends(*x, ".cuh")) ||
		    ba_scan_has(top, "CMakeLists.txt", "CUDA");
	if (!(cmake && cuda) && ba_setup_program(s, top, &files, p))
		return 0;
	if (!cmake)
		return ba_fail(err, BA_EINVAL,
			"no program was found that '%s' builds, so there is nothing to time; write a suite by hand: docs/configuration.md, 'suites'",
			top);
	ba_setup_launcher(s, top);
	return 0;
}

int ba_init_write(ba_init_result *out, const char *top, const ba_project *p, ba_error *err)
{
	static const char *const cis[] = {NULL, "github", "gitlab"};
	BA_AUTO(ba_setup) ba_setup setup = {0};
	BA_TRY(choose(&setup, top, p, err));
	out->found = ba_xstrdup(setup.suite.found);
	if (setup.files)
		out->edit =
			ba_path_join(setup.folder, setup.suite.library ? "launcher.c" : "bench.py");
	BA_TRY(write_group(out, top, "config", &setup, err));
	BA_TRY(write_group(out, top, setup.files, &setup, err));
	return write_group(out, top, cis[p->ci], &setup, err);
}

int ba_init_write_hook(ba_init_result *out, const char *hooks_dir, ba_error *err)
{
	const init_file *f =
		BA_FIND(init_files, BA_COUNT(init_files), x, strcmp(x->group, "hook") == 0);
	BA_AUTO_FREE char *path = ba_path_join(hooks_dir, f->path);
	const ba_setup nothing = {0};
	return write_file(out, hooks_dir, f, &nothing, path, 0777, err);
}
