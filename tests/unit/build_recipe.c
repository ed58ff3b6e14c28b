#include "test.h"

#include "base/mem.h"
#include "build/build.h"
#include "build/recipe.h"

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

static ba_strv list(const char *const *items)
{
	ba_strv v = {0};
	for (; *items; items++)
		ba_strv_push(&v, *items);
	return v;
}

TEST(the_environment_is_made_and_not_inherited)
{
	BA_AUTO(ba_strv) ba_strv allowed = list(LIST("CXX", "CC", "ABSENT", "HOME"));
	BA_AUTO(ba_build_recipe) ba_build_recipe r;
	BA_AUTO(ba_strv) ba_strv env = {0};
	ba_build_recipe_init(&r, NULL, 0, &allowed,
		LIST("SECRET=1", "PATH=/p", "CC=gcc -m64", "HOME=/h", "CXX=g++", "LANG=de_DE",
			"LD_PRELOAD=/x"),
		NULL);
	ba_build_environment(&env, &r, "/cache/trees/ab-a", "/tmp/t");
	BA_AUTO_FREE char *text = ba_strv_join(&env, "\n");
	assert_string_equal(text, "PATH=/p\nHOME=/h\nLANG=C\nCC=gcc -m64\nCXX=g++\n"
				  "TMPDIR=/tmp/t\nGIT_CEILING_DIRECTORIES=/cache/trees");
	assert_string_equal(ba_build_recipe_get(&r, "CC"), "gcc -m64");
	assert_null(ba_build_recipe_get(&r, "C"));
	assert_null(ba_build_recipe_get(&r, "SECRET"));
}

TEST(an_allowed_language_replaces_ours)
{
	BA_AUTO(ba_strv) ba_strv allowed = list(LIST("LANG"));
	BA_AUTO(ba_build_recipe) ba_build_recipe r;
	BA_AUTO(ba_strv) ba_strv env = {0};
	ba_build_recipe_init(&r, NULL, 0, &allowed, LIST("LANG=de_DE"), NULL);
	ba_build_environment(&env, &r, "/t/a", "/tmp");
	assert_true(ba_strv_has(&env, "LANG=de_DE"));
	assert_false(ba_strv_has(&env, "LANG=C"));
	/* without a PATH there is still one */
	assert_string_equal(ba_build_recipe_path(&r), "/usr/local/bin:/usr/bin:/bin");
}

static void keep_line(void *data, ba_log_level level, const char *text)
{
	if (level == BA_LOG_WARNING)
		ba_strv_push(data, text);
}

TEST(git_is_not_pointed_elsewhere)
{
	BA_AUTO(ba_strv)
	ba_strv allowed = list(LIST("GIT_DIR", "GIT_WORK_TREE", "GIT_AUTHOR_NAME"));
	BA_AUTO(ba_strv) ba_strv lines = {0};
	BA_AUTO(ba_build_recipe) ba_build_recipe r;
	ba_log log = {keep_line, &lines};
	ba_build_recipe_init(&r, NULL, 0, &allowed,
		LIST("GIT_DIR=/x", "GIT_WORK_TREE=/y", "GIT_AUTHOR_NAME=me"), &log);
	assert_null(ba_build_recipe_get(&r, "GIT_DIR"));
	assert_null(ba_build_recipe_get(&r, "GIT_WORK_TREE"));
	assert_string_equal(ba_build_recipe_get(&r, "GIT_AUTHOR_NAME"), "me");
	assert_int_equal(lines.count, 2);
	assert_has(lines.items[0], "'GIT_DIR' is not passed to builds");
}

TEST(sandbox_takes_secrets_and_folders_that_it_does_not_have)
{
	BA_AUTO(ba_strv) ba_strv allowed = list(LIST("MY_FLAGS", "GITHUB_TOKEN"));
	BA_AUTO(ba_strv) ba_strv lines = {0};
	BA_AUTO(ba_build_recipe) ba_build_recipe r;
	const ba_sandbox box = {.readable = LIST("/home/me/cuda")};
	ba_log log = {keep_line, &lines};
	ba_build_recipe_init(&r, NULL, 0, &allowed,
		LIST("PATH=/root/bin:/usr/bin:/home/me/cuda/bin", "MY_FLAGS=-O3", "GITHUB_TOKEN=1"),
		&log);
	ba_build_recipe_confine(&r, &box, &log);
	assert_string_equal(ba_build_recipe_path(&r), "/usr/bin:/home/me/cuda/bin");
	assert_string_equal(ba_build_recipe_get(&r, "MY_FLAGS"), "-O3");
	assert_null(ba_build_recipe_get(&r, "GITHUB_TOKEN"));
	assert_int_equal(lines.count, 1);
	assert_has(lines.items[0], "'GITHUB_TOKEN' is not passed to builds in a sandbox");
}

TEST(what_a_build_can_reach_decides_the_key)
{
	const ba_sandbox boxes[] = {{0}, {.network = true}, {.readable = LIST("/a", "/b")},
		{.readable = LIST("/a")}, {.writable = LIST("/a")}};
	const ba_build_input all = {"", "11"};
	enum { N = sizeof(boxes) / sizeof(*boxes) };
	char keys[N + 1][65];
	BA_AUTO(ba_build_recipe) ba_build_recipe r;
	ba_build_recipe_init(&r, NULL, 0, NULL, LIST("PATH=/usr/bin"), NULL);
	for (size_t i = 0; i <= N; i++) {
		if (i)
			ba_build_recipe_confine(&r, &boxes[i - 1], NULL);
		ba_build_key(keys[i], &r, &all, 1, "tt");
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(keys[i], keys[k]);
	}
}

/* one way to build, from which each row below departs in one point */
typedef struct way {
	const char *commands[2][4];
	const char *env;
	const char *inputs[2][2];
	const char *toolchain;
} way;

static const way usual = {
	.commands = {{"cmake", "-S", "."}, {"make"}},
	.env = "CC=gcc",
	.inputs = {{"a", "11"}, {"b", "22"}},
	.toolchain = "tt",
};

static void key_of(char out[65], const way *w)
{
	ba_strv commands[2] = {list(w->commands[0]), list(w->commands[1])};
	BA_AUTO(ba_strv) ba_strv allowed = list(LIST("CC", "CFLAGS"));
	BA_AUTO(ba_build_recipe) ba_build_recipe r;
	size_t count = commands[1].count ? 2 : 1;
	ba_build_input inputs[2];
	for (size_t i = 0; i < 2; i++)
		inputs[i] = (ba_build_input){w->inputs[i][0], w->inputs[i][1]};
	ba_build_recipe_init(
		&r, commands, count, &allowed, LIST("PATH=/bin", w->env, "OTHER=1"), NULL);
	ba_build_key(out, &r, inputs, 2, w->toolchain);
	ba_strv_dispose(&commands[0]);
	ba_strv_dispose(&commands[1]);
}

TEST(the_key_changes_with_whatever_decides_the_build)
{
	way ways[] = {usual, usual, usual, usual, usual, usual, usual, usual, usual, usual};
	ways[1].commands[0][2] = "src";
	ways[2].commands[1][1] = "-j";
	ways[3].commands[1][0] = NULL;
	ways[4].commands[0][1] = "-S.";
	ways[4].commands[0][2] = NULL;
	ways[5].env = "CC=clang";
	ways[6].env = "CC=";
	ways[7].env = "CFLAGS=gcc";
	ways[8].inputs[1][1] = "23";
	ways[9].toolchain = "uu";
	enum { N = sizeof(ways) / sizeof(*ways) };
	char keys[N][65];
	for (size_t i = 0; i < N; i++) {
		key_of(keys[i], &ways[i]);
		assert_int_equal(strlen(keys[i]), 64);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(keys[i], keys[k]);
	}
}

TEST(the_key_does_not_change_with_what_decides_nothing)
{
	way other = usual;
	char a[65], b[65];
	key_of(a, &usual);
	key_of(b, &usual);
	assert_string_equal(a, b);
	/* the order in which the inputs were named */
	memcpy(other.inputs[0], usual.inputs[1], sizeof(other.inputs[0]));
	memcpy(other.inputs[1], usual.inputs[0], sizeof(other.inputs[1]));
	key_of(b, &other);
	assert_string_equal(a, b);
}

TEST(words_do_not_run_together_in_the_key)
{
	way one = usual, two = usual;
	char a[65], b[65];
	one.commands[0][1] = "ab";
	one.commands[0][2] = "c";
	two.commands[0][1] = "a";
	two.commands[0][2] = "bc";
	key_of(a, &one);
	key_of(b, &two);
	assert_string_not_equal(a, b);
}
