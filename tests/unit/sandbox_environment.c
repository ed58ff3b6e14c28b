#include "test.h"

#include "sandbox/inside.h"

static const char *value_in(const ba_strv *env, const char *name)
{
	return ba_env_find((const char *const *)env->items, name);
}

TEST(what_programs_need_passes)
{
	static const char *const env[] = {"LANG=C", "LC_ALL=C.UTF-8", "CC=clang",
		"CFLAGS=-O3 -DX=1", "CUDA_HOME=/usr/local/cuda", "OMP_NUM_THREADS=4", "MY_OWN=1",
		"EDITOR=vi", "LD_PRELOAD=/x.so", "CCX=1", "PYTHONSTARTUP=/x", "broken", NULL};
	const ba_sandbox box = {0};
	BA_AUTO(ba_strv) ba_strv out = {0};
	ba_sandbox_environment(&out, env, &box);
	assert_string_equal(value_in(&out, "LANG"), "C");
	assert_string_equal(value_in(&out, "LC_ALL"), "C.UTF-8");
	assert_string_equal(value_in(&out, "CC"), "clang");
	assert_string_equal(value_in(&out, "CFLAGS"), "-O3 -DX=1");
	assert_string_equal(value_in(&out, "CUDA_HOME"), "/usr/local/cuda");
	assert_string_equal(value_in(&out, "OMP_NUM_THREADS"), "4");
	assert_null(value_in(&out, "MY_OWN"));
	assert_null(value_in(&out, "EDITOR"));
	assert_null(value_in(&out, "LD_PRELOAD"));
	assert_null(value_in(&out, "CCX"));
	assert_null(value_in(&out, "PYTHONSTARTUP"));
}

TEST(named_ones_pass_but_never_a_secret)
{
	static const char *const secrets[] = {"GITHUB_TOKEN=1", "GITHUB_ENV=/x",
		"ACTIONS_RUNTIME_URL=1", "SSH_AUTH_SOCK=/x", "AWS_REGION=1", "TORCH_HUB_TOKEN=1",
		"cmake_password=1", "CMAKE_API_KEY=1", "CUDA_SECRET=1",
		"GOOGLE_APPLICATION_CREDENTIALS=/x", NULL};
	static const char *const names[] = {"MY_OWN", "GITHUB_TOKEN", "GITHUB_ENV",
		"ACTIONS_RUNTIME_URL", "SSH_AUTH_SOCK", "AWS_REGION", "cmake_password",
		"GOOGLE_APPLICATION_CREDENTIALS", NULL};
	static const char *const own[] = {"MY_OWN=1", NULL};
	const ba_sandbox box = {.env = names};
	BA_AUTO(ba_strv) ba_strv out = {0};
	BA_AUTO(ba_strv) ba_strv none = {0};
	ba_sandbox_environment(&out, own, &box);
	assert_string_equal(value_in(&out, "MY_OWN"), "1");
	ba_sandbox_environment(&none, secrets, &box);
	assert_int_equal(none.count, 4); /* PATH, HOME, TMPDIR, LSAN_OPTIONS */
}

TEST(path_has_what_can_be_seen)
{
	static const char *const env[] = {
		"PATH=/root/bin:/usr/bin::bin:/opt/x/bin:/tree/bin:/treebin:/usrx",
		"LSAN_OPTIONS=suppressions=/x", NULL};
	static const char *const tree[] = {"/tree", NULL};
	const ba_sandbox box = {.readable = tree};
	BA_AUTO(ba_strv) ba_strv out = {0};
	ba_sandbox_environment(&out, env, &box);
	assert_string_equal(value_in(&out, "PATH"), "/usr/bin:/opt/x/bin:/tree/bin");
	assert_string_equal(value_in(&out, "LSAN_OPTIONS"), "suppressions=/x:detect_leaks=0");
	assert_string_equal(value_in(&out, "TMPDIR"), "/tmp");
}

TEST(home_keeps_its_place_where_that_is_no_part_of_the_system)
{
	static const struct {
		const char *home, *expected;
	} cases[] = {{"/home/me", "/home/me"}, {"/root", "/root"}, {NULL, "/home"}, {"/", "/home"},
		{"", "/home"}, {"/usr", "/home"}, {"me", "/home"}, {"/usr/me", "/home"},
		{"/proc/1", "/home"}, {"/x/../usr", "/home"}};
	const ba_sandbox box = {0};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		BA_AUTO_FREE char *home = ba_sandbox_home(&box, cases[i].home);
		assert_string_equal(home, cases[i].expected);
	}
}

/* the place of an option and its operands in the arguments; -1: not there */
static int find(const ba_strv *args, const char *option, const char *first)
{
	for (size_t i = 0; i + 1 < args->count; i++)
		if (strcmp(args->items[i], option) == 0 && strcmp(args->items[i + 1], first) == 0)
			return (int)i;
	return -1;
}

TEST(folders_come_before_what_is_in_them)
{
	/* these exist everywhere */
	static const char *const readable[] = {"/usr/bin", "/etc", "/nowhere", NULL};
	static const char *const writable[] = {"/usr", "/etc", NULL};
	static const char *const hidden[] = {"/usr/lib", NULL};
	static const char *const env[] = {"HOME=/home/me", "A=b=c", NULL};
	const ba_sandbox box = {.readable = readable, .writable = writable, .hidden = hidden};
	BA_AUTO(ba_strv) ba_strv args = {0};
	ba_sandbox_arguments(&args, &box, env, "/usr/bin");
	int home = find(&args, "--tmpfs", "/home/me"), usr = find(&args, "--bind", "/usr"),
	    lib = find(&args, "--tmpfs", "/usr/lib"), root = find(&args, "--remount-ro", "/"),
	    etc_read = -1, etc_write = find(&args, "--bind", "/etc");
	for (size_t i = (size_t)home; i + 1 < args.count; i++)
		if (strcmp(args.items[i], "--ro-bind") == 0 &&
			strcmp(args.items[i + 1], "/etc") == 0)
			etc_read = (int)i;
	assert_true(0 < home && home < etc_read && etc_read < etc_write);
	assert_true(etc_write < usr && usr < lib && lib < root);
	assert_true(find(&args, "--ro-bind", "/usr/bin") > usr);
	assert_int_equal(find(&args, "--ro-bind", "/nowhere"), -1);
	assert_true(find(&args, "--setenv", "A") > 0);
	assert_string_equal(args.items[find(&args, "--setenv", "A") + 2], "b=c");
	assert_true(find(&args, "--chdir", "/usr/bin") > root);
}

TEST(least_is_the_default)
{
	static const char *const env[] = {NULL};
	const ba_sandbox least = {0}, more = {.network = true, .tmp = "/usr"};
	BA_AUTO(ba_strv) ba_strv a = {0};
	BA_AUTO(ba_strv) ba_strv b = {0};
	ba_sandbox_arguments(&a, &least, env, NULL);
	ba_sandbox_arguments(&b, &more, env, NULL);
	assert_true(ba_strv_has(&a, "--unshare-net"));
	assert_false(ba_strv_has(&b, "--unshare-net"));
	assert_true(find(&a, "--tmpfs", "/tmp") > 0);
	assert_true(find(&b, "--bind", "/usr") > 0 && find(&b, "--tmpfs", "/tmp") < 0);
	static const char *const always[] = {"--unshare-user", "--unshare-pid", "--unshare-ipc",
		"--die-with-parent", "--new-session", "--seccomp"};
	for (size_t i = 0; i < sizeof(always) / sizeof(*always); i++)
		assert_true(ba_strv_has(&a, always[i]) && ba_strv_has(&b, always[i]));
	assert_true(find(&a, "--cap-drop", "ALL") > 0);
	/* not by --clearenv, which bubblewrap has from version 0.5 on */
	assert_true(find(&a, "--unsetenv", "PATH") > 0);
	assert_true(find(&a, "--unsetenv", "BENCH_AGAINST_CHILD") > 0);
	assert_false(ba_strv_has(&a, "--clearenv"));
}
