/* The demo repository: right branches, right differences, and it builds. */
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

#include "base/base.h"
#include "bench_against/launcher.h"
#include "demo/demo.h"

static char root[] = "/tmp/launchcfg-demo-XXXXXX";

static int setup(void **state)
{
	return mkdtemp(root) ? 0 : -1;
}

static int teardown(void **state)
{
	return ba_fs_remove_tree(root, NULL);
}
TEST_GROUP(setup, teardown);

static char *at(const char *name)
{
	return ba_path_join(root, name);
}

__attribute__((format(printf, 1, 2))) static int shell(const char *fmt, ...)
{
	char command[4096];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(command, sizeof(command), fmt, ap);
	va_end(ap);
	return system(command);
}

TEST(it_has_three_branches_that_differ_in_one_file)
{
	ba_error err = {0};
	BA_AUTO_FREE char *dir = at("new");
	assert_int_equal(ba_demo_create(dir, &err), 0);
	assert_int_equal(shell("test \"$(git -C %s branch --format='%%(refname:short)' | "
			       "tr '\\n' ' ')\" = 'baseline contextvar v2 '",
				 dir),
		0);
	assert_int_equal(shell("test \"$(git -C %s symbolic-ref --short HEAD)\" = v2", dir), 0);
	assert_int_equal(shell("test -z \"$(git -C %s status --porcelain)\"", dir), 0);
	for (int i = 1; i < 3; i++) {
		assert_int_equal(shell("test \"$(git -C %s diff --name-only baseline %s)\" = "
				       "src/launchcfg/state.c",
					 dir, ba_demo_branches[i]),
			0);
		assert_int_equal(shell("test \"$(git -C %s rev-parse %s~)\" = "
				       "\"$(git -C %s rev-parse baseline)\"",
					 dir, ba_demo_branches[i], dir),
			0);
	}
	assert_int_equal(shell("git -C %s fsck --strict >/dev/null 2>&1", dir), 0);
}

TEST(the_same_demo_has_the_same_commits)
{
	BA_AUTO_FREE char *a = at("same-a");
	BA_AUTO_FREE char *b = at("same-b");
	assert_int_equal(ba_demo_create(a, NULL), 0);
	assert_int_equal(mkdir(b, 0700), 0);
	assert_int_equal(ba_demo_create(b, NULL), 0);
	assert_int_equal(shell("test \"$(git -C %s rev-parse v2 contextvar)\" = "
			       "\"$(git -C %s rev-parse v2 contextvar)\"",
				 a, b),
		0);
}

TEST(a_directory_with_something_in_it_is_refused_and_left_alone)
{
	ba_error err = {0};
	BA_AUTO_FREE char *file = at("full/.hidden");
	BA_AUTO_FREE char *dir = at("full");
	assert_int_equal(mkdir(dir, 0700), 0);
	assert_int_equal(ba_fs_write(file, "x", 1, 0600, NULL), 0);
	assert_int_equal(ba_demo_create(dir, &err), BA_EINVAL);
	assert_has(err.text, "is not empty");
	BA_AUTO_FREE char *git = at("full/.git");
	assert_false(ba_fs_exists(git));
	assert_int_equal(ba_demo_create(file, &err), BA_EINVAL);
	assert_has(err.text, "cannot be put in");
}

TEST(every_branch_builds_an_adapter_of_its_own)
{
	BA_AUTO_FREE char *dir = at("build");
	assert_int_equal(ba_demo_create(dir, NULL), 0);
	for (int i = 0; ba_demo_branches[i]; i++) {
		const char *branch = ba_demo_branches[i];
		/* in one folder: what the branches share is compiled once, without optimisation */
		assert_int_equal(shell("cd %s && git checkout -q %s && rm -f build/*.so && "
				       "cmake -S . -B build -DCMAKE_BUILD_TYPE=None "
				       "$(! command -v ninja >&2 || echo -GNinja) >/dev/null && "
				       "cmake --build build -j2 >/dev/null",
					 dir, branch),
			0);
		char path[512];
		snprintf(path, sizeof(path), "%s/build/liblaunchcfg_bench.so", dir);
		void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		assert_non_null(library);
		const ba_launcher *(*entry)(uint32_t) =
			(const ba_launcher *(*)(uint32_t))dlsym(library, BA_LAUNCHER_ENTRY);
		assert_has(entry(BA_LAUNCHER_ABI)->name, branch);
		dlclose(library);
	}
	assert_int_equal(shell("test -z \"$(git -C %s status --porcelain "
			       "--untracked-files=no)\"",
				 dir),
		0);
}
