#include "init/project.h"

#include "init/scan.h"

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
