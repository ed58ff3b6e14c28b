/* The identity of a toolchain, on programs made for the purpose. */
#include "test.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/base.h"
#include "build/toolchain.h"

typedef struct bench {
	char *root, *bin, *cache;
	ba_strv environment, allowed, warnings;
} bench;

/* realpath() of the file of that name fails with EIO the n-th time; and every other read()
 * is interrupted */
static const char *lost;
static unsigned lost_at;
static bool interrupts;
static unsigned interrupted;
char *__real_realpath(const char *path, char *out);
char *__wrap_realpath(const char *path, char *out);
ssize_t __real_read(int fd, void *data, size_t size);
ssize_t __wrap_read(int fd, void *data, size_t size);

char *__wrap_realpath(const char *path, char *out)
{
	if (!lost || strcmp(ba_path_base(path), lost) != 0 || --lost_at > 0)
		return __real_realpath(path, out);
	lost = NULL;
	errno = EIO;
	return NULL;
}

ssize_t __wrap_read(int fd, void *data, size_t size)
{
	static bool odd;
	odd = !odd;
	if (!interrupts || !odd)
		return __real_read(fd, data, size);
	interrupted++;
	errno = EINTR;
	return -1;
}

static void put(const char *dir, const char *name, const char *text)
{
	BA_AUTO_FREE char *path = ba_path_join(dir, name);
	assert_false(ba_fs_write(path, text, strlen(text), 0755, NULL));
}

static int set_up(void **state)
{
	bench *b = ba_xcalloc(1, sizeof(*b));
	b->root = ba_xstrdup("/tmp/ba-tools-XXXXXX");
	if (!mkdtemp(b->root))
		return -1;
	b->bin = ba_path_join(b->root, "bin");
	b->cache = ba_path_join(b->root, "toolchain.json");
	ba_fs_mkdirs(b->bin, NULL);
	BA_AUTO_FREE char *nvvm = ba_path_join(b->root, "cuda/nvvm/bin");
	BA_AUTO_FREE char *cuda = ba_path_join(b->root, "cuda/bin");
	BA_AUTO_FREE char *nvcc = ba_path_join(b->bin, "nvcc");
	BA_AUTO_FREE char *real_nvcc = ba_path_join(cuda, "nvcc");
	BA_AUTO_FREE char *answer =
		ba_xprintf("#!/bin/sh\n[ $1 = -print-search-dirs ] && [ $LC_ALL = C ] &&\n"
			   "echo install: / && echo programs: =%s/none:%s/inner/ && echo "
			   "libraries: =/\n",
			b->root, b->root);
	BA_AUTO_FREE char *inner = ba_path_join(b->root, "inner");
	ba_fs_mkdirs(nvvm, NULL);
	ba_fs_mkdirs(cuda, NULL);
	ba_fs_mkdirs(inner, NULL);
	put(b->bin, "cc", answer);
	put(b->bin, "ld", "linker");
	put(inner, "cc1", "compiler proper");
	put(cuda, "nvcc", "nvcc");
	put(cuda, "ptxas", "ptxas");
	put(nvvm, "cicc", "cicc");
	if (symlink(real_nvcc, nvcc))
		return -1;
	ba_strv_push_take(&b->environment, ba_xprintf("PATH=%s", b->bin));
	*state = b;
	return 0;
}

static int tear_down(void **state)
{
	bench *b = *state;
	ba_fs_remove_tree(b->root, NULL);
	ba_strv_dispose(&b->environment);
	ba_strv_dispose(&b->allowed);
	ba_strv_dispose(&b->warnings);
	free(b->root);
	free(b->bin);
	free(b->cache);
	free(b);
	return 0;
}

static void keep_line(void *data, ba_log_level level, const char *text)
{
	if (level == BA_LOG_WARNING)
		ba_strv_push(data, text);
}

static void identify_for(
	bench *b, ba_toolchain *out, const ba_strv *commands, size_t count, const char *cache)
{
	BA_AUTO(ba_build_recipe) ba_build_recipe r;
	ba_log log = {keep_line, &b->warnings};
	ba_error err = {0};
	ba_build_recipe_init(
		&r, commands, count, &b->allowed, (const char *const *)b->environment.items, NULL);
	ba_toolchain_dispose(out);
	if (ba_toolchain_identify(out, &r, cache, &log, &err))
		fail_msg("%s", err.text);
}

static void identify(bench *b, ba_toolchain *out)
{
	identify_for(b, out, NULL, 0, b->cache);
}

static const ba_tool *tool(const ba_toolchain *t, const char *name)
{
	for (size_t i = 0; i < t->count; i++)
		if (!strcmp(t->tools[i].name, name))
			return &t->tools[i];
	return NULL;
}

TEST_WITH(what_compilers_call_is_found, set_up, tear_down)
{
	bench *b = *state;
	BA_AUTO(ba_toolchain) ba_toolchain t = {0};
	identify(b, &t);
	static const struct {
		const char *name, *path;
	} rows[] = {{"cc", "bin/cc"}, {"cc1", "inner/cc1"}, {"ld", "bin/ld"},
		{"nvcc", "cuda/bin/nvcc"}, {"ptxas", "cuda/bin/ptxas"},
		{"cicc", "cuda/nvvm/bin/cicc"}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		BA_AUTO_FREE char *path = ba_path_join(b->root, rows[i].path);
		const ba_tool *found = tool(&t, rows[i].name);
		assert_non_null(found);
		assert_string_equal(found->path, path);
	}
	assert_int_equal(strlen(t.sha256), 64);
}

TEST_WITH(any_changed_tool_changes_the_identity, set_up, tear_down)
{
	bench *b = *state;
	static const char *const files[] = {
		"inner/cc1", "bin/ld", "cuda/bin/ptxas", "cuda/nvvm/bin/cicc", "cuda/bin/nvcc"};
	BA_AUTO(ba_toolchain) ba_toolchain t = {0};
	char before[65];
	identify(b, &t);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		memcpy(before, t.sha256, 65);
		/* of the same size */
		BA_AUTO_FREE char *path = ba_path_join(b->root, files[i]);
		FILE *file = fopen(path, "r+");
		assert_non_null(file);
		fputc('X', file);
		fclose(file);
		identify(b, &t);
		assert_string_not_equal(before, t.sha256);
	}
	memcpy(before, t.sha256, 65);
	identify(b, &t);
	assert_string_equal(before, t.sha256);
}

TEST_WITH(remembered_hashes_give_the_same_identity, set_up, tear_down)
{
	bench *b = *state;
	BA_AUTO(ba_toolchain) ba_toolchain t = {0};
	char cold[65];
	identify_for(b, &t, NULL, 0, NULL);
	memcpy(cold, t.sha256, 65);
	identify(b, &t); /* writes the memory */
	assert_true(ba_fs_exists(b->cache));
	identify(b, &t); /* uses it */
	assert_string_equal(cold, t.sha256);
	assert_int_equal(b->warnings.count, 0);
}

TEST_WITH(the_memory_is_used_where_nothing_changed, set_up, tear_down)
{
	bench *b = *state;
	BA_AUTO(ba_toolchain) ba_toolchain t = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	identify(b, &t);
	char *real = ba_xstrdup(tool(&t, "cicc")->sha256);
	/* a planted hash for cicc must be what the next run believes */
	assert_false(ba_fs_read(&text, b->cache, 1 << 20, NULL));
	char *at = strstr(text.data, real);
	assert_non_null(at);
	memset(at, '0', 64);
	assert_false(ba_fs_write(b->cache, text.data, text.len, 0600, NULL));
	identify(b, &t);
	assert_int_equal(strspn(tool(&t, "cicc")->sha256, "0"), 64);
	free(real);
}

TEST_WITH(a_damaged_memory_is_made_anew, set_up, tear_down)
{
	bench *b = *state;
	static const char *const rows[] = {"", "{", "[]", "{\"format\":\"other/1\"}",
		"{\"format\":\"bench-against.toolchain/1\",\"files\":[{\"path\":1}]}"};
	BA_AUTO(ba_toolchain) ba_toolchain t = {0};
	char good[65];
	identify_for(b, &t, NULL, 0, NULL);
	memcpy(good, t.sha256, 65);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_false(ba_fs_write(b->cache, rows[i], strlen(rows[i]), 0600, NULL));
		identify(b, &t);
		assert_string_equal(good, t.sha256);
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		assert_false(ba_fs_read(&text, b->cache, 1 << 20, NULL));
		assert_has(text.data, "inner/cc1");
	}
}

TEST_WITH(a_memory_that_cannot_be_written_costs_a_warning, set_up, tear_down)
{
	bench *b = *state;
	BA_AUTO(ba_toolchain) ba_toolchain t = {0};
	identify_for(b, &t, NULL, 0, "/proc/no/toolchain.json");
	assert_int_equal(b->warnings.count, 1);
	assert_has(b->warnings.items[0], "the compilers must be hashed again next time");
	assert_has(b->warnings.items[0], "/proc/no/toolchain.json");
}

TEST_WITH(allowed_variables_and_commands_name_tools_too, set_up, tear_down)
{
	bench *b = *state;
	BA_AUTO(ba_toolchain) ba_toolchain t = {0};
	ba_strv command = {0};
	put(b->bin, "my-gcc", "#!/bin/sh\nexit 1\n");
	put(b->bin, "wrap", "#!/bin/sh\nexit 1\n");
	put(b->bin, "my-make", "make");
	ba_strv_push(&b->environment, "CC=wrap my-gcc -O2 no-such-program");
	ba_strv_push(&command, "my-make");
	identify(b, &t);
	assert_null(tool(&t, "my-gcc")); /* not allowed: the build does not see it */
	ba_strv_push(&b->allowed, "CC");
	identify_for(b, &t, &command, 1, b->cache);
	assert_non_null(tool(&t, "my-gcc"));
	assert_non_null(tool(&t, "wrap"));
	assert_non_null(tool(&t, "my-make"));
	assert_null(tool(&t, "no-such-program"));
	ba_strv_dispose(&command);
}

TEST_WITH(a_tool_that_cannot_be_read_is_an_error, set_up, tear_down)
{
	bench *b = *state;
	ba_toolchain t = {0};
	BA_AUTO(ba_build_recipe) ba_build_recipe r;
	BA_AUTO_FREE char *ptxas = ba_path_join(b->root, "cuda/bin/ptxas");
	ba_error err = {0};
	unlink(ptxas);
	assert_false(mkdir(ptxas, 0755)); /* even for root */
	ba_build_recipe_init(&r, NULL, 0, NULL, (const char *const *)b->environment.items, NULL);
	assert_int_equal(ba_toolchain_identify(&t, &r, NULL, NULL, &err), BA_EIO);
	assert_has(err.text, "cannot identify 'ptxas': ");
	assert_null(t.tools);
}

/* Two descriptors are enough to read a file and too few to start a program. */
TEST_WITH(a_compiler_that_cannot_be_asked_is_an_error, set_up, tear_down)
{
	bench *b = *state;
	ba_toolchain t = {0};
	BA_AUTO(ba_build_recipe) ba_build_recipe r;
	ba_error err = {0};
	struct rlimit before, few;
	int next = dup(0);
	assert_true(next >= 0);
	close(next);
	assert_false(getrlimit(RLIMIT_NOFILE, &before));
	few = (struct rlimit){(rlim_t)next + 2, before.rlim_max};
	ba_build_recipe_init(&r, NULL, 0, NULL, (const char *const *)b->environment.items, NULL);
	assert_false(setrlimit(RLIMIT_NOFILE, &few));
	int rc = ba_toolchain_identify(&t, &r, NULL, NULL, &err);
	setrlimit(RLIMIT_NOFILE, &before);
	assert_int_equal(rc, BA_EIO);
	assert_has(err.text, "cannot identify '");
	assert_null(t.tools);
}

TEST_WITH(a_path_that_cannot_be_resolved_is_an_error, set_up, tear_down)
{
	bench *b = *state;
	/* nvcc is asked twice: for itself, and for what is beside it */
	static const struct {
		const char *name;
		unsigned at;
	} rows[] = {{"ld", 1}, {"nvcc", 1}, {"nvcc", 2}, {"cicc", 1}, {"cc1", 1}};
	BA_AUTO(ba_build_recipe) ba_build_recipe r;
	ba_build_recipe_init(&r, NULL, 0, NULL, (const char *const *)b->environment.items, NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		ba_toolchain t = {0};
		ba_error err = {0};
		lost = rows[i].name;
		lost_at = rows[i].at;
		int rc = ba_toolchain_identify(&t, &r, NULL, NULL, &err);
		assert_null(lost);
		assert_int_equal(rc, BA_EIO);
		assert_has(err.text, rows[i].name);
		assert_has(err.text, "Input/output error");
		assert_null(t.tools);
	}
}

TEST_WITH(a_signal_while_compilers_are_hashed_changes_nothing, set_up, tear_down)
{
	bench *b = *state;
	BA_AUTO(ba_toolchain) ba_toolchain calm = {0}, disturbed = {0};
	identify_for(b, &calm, NULL, 0, NULL);
	interrupted = 0;
	interrupts = true;
	identify_for(b, &disturbed, NULL, 0, NULL);
	interrupts = false;
	assert_true(interrupted >= calm.count);
	assert_string_equal(disturbed.sha256, calm.sha256);
}
