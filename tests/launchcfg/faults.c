/*
 * The n-th call fails, for every n: of the driver, of the compiler, of memory and of
 * files. The linker sends the library's calls through here (--wrap). The scenario is
 * two processes' lives: the first compiles, stores and launches, the second finds it
 * all on disk. Whatever fails: no crash, an error code with a sentence or none at all,
 * no file that is half written, nothing leaked, and the next run does its job.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support.h"

#include "cache.h"

static bool counting;	    /* only while the library runs */
static int calls;	    /* of the kind that fails */
static int fail_at;	    /* 0: none */
static const char *failing; /* name of the function; NULL: all */

static bool fails(const char *name)
{
	if (!counting || (failing && strcmp(failing, name) != 0))
		return false;
	if (++calls != fail_at)
		return false;
	static const int numbers[] = {EIO, ENOSPC, EACCES, ENOMEM, EINTR};
	errno = numbers[calls % 5];
	return true;
}

/* clang-format off */
/* result, name, parameters, arguments, what failure is */
#define WRAPPED(X)                                                                       \
	X(void *, malloc, (size_t a), (a), NULL)                                         \
	X(void *, calloc, (size_t a, size_t b), (a, b), NULL)                            \
	X(void *, realloc, (void *a, size_t b), (a, b), NULL)                            \
	X(char *, strdup, (const char *a), (a), NULL)                                    \
	X(char *, strndup, (const char *a, size_t b), (a, b), NULL)                      \
	X(char *, realpath, (const char *a, char *b), (a, b), NULL)                      \
	X(ssize_t, read, (int a, void *b, size_t c), (a, b, c), -1)                      \
	X(ssize_t, write, (int a, const void *b, size_t c), (a, b, c), -1)               \
	X(int, flock, (int a, int b), (a, b), -1)                                        \
	X(int, fstat, (int a, struct stat *b), (a, b), -1)                               \
	X(int, stat, (const char *a, struct stat *b), (a, b), -1)                        \
	X(int, fstatat, (int a, const char *b, struct stat *c, int d), (a, b, c, d), -1) \
	X(int, futimens, (int a, const struct timespec *b), (a, b), -1)                  \
	X(int, faccessat, (int a, const char *b, int c, int d), (a, b, c, d), -1)        \
	X(int, renameat, (int a, const char *b, int c, const char *d), (a, b, c, d), -1) \
	X(int, unlinkat, (int a, const char *b, int c), (a, b, c), -1)                   \
	X(int, mkdir, (const char *a, mode_t b), (a, b), -1)                             \
	X(int, mkdirat, (int a, const char *b, mode_t c), (a, b, c), -1)                 \
	X(DIR *, fdopendir, (int a), (a), NULL)                                          \
	X(struct dirent *, readdir, (DIR *a), (a), NULL)
/* clang-format on */

#define WRAP(result, name, params, args, failure)                     \
	result __real_##name params;                                  \
	result __wrap_##name params;                                  \
	result __wrap_##name params                                   \
	{                                                             \
		return fails(#name) ? (failure) : __real_##name args; \
	}
WRAPPED(WRAP)

/* a mode that is not needed does no harm */
int __real_open(const char *path, int flags, mode_t mode);
int __wrap_open(const char *path, int flags, mode_t mode);
int __wrap_open(const char *path, int flags, mode_t mode)
{
	return fails("open") ? -1 : __real_open(path, flags, mode);
}

int __real_openat(int dir, const char *path, int flags, mode_t mode);
int __wrap_openat(int dir, const char *path, int flags, mode_t mode);
int __wrap_openat(int dir, const char *path, int flags, mode_t mode)
{
	return fails("openat") ? -1 : __real_openat(dir, path, flags, mode);
}

/* nothing here outlives the machine */
int __wrap_fsync(int fd);
int __wrap_fsync(int fd)
{
	(void)fd;
	return fails("fsync") ? -1 : 0;
}

int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
	/* as the system does: the descriptor is gone in any case */
	int rc = __real_close(fd);
	return fails("close") ? -1 : rc;
}

int __wrap_asprintf(char **out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int __wrap_asprintf(char **out, const char *fmt, ...)
{
	if (fails("asprintf"))
		return -1;
	va_list ap;
	va_start(ap, fmt);
	int n = vasprintf(out, fmt, ap);
	va_end(ap);
	return n;
}

static const char *const file_functions[] = {"open", "openat", "close", "read", "write", "fsync",
	"flock", "fstat", "stat", "fstatat", "futimens", "faccessat", "renameat", "unlinkat",
	"mkdir", "mkdirat", "fdopendir", "readdir", "realpath"};
static const char *const memory_functions[] = {
	"malloc", "calloc", "realloc", "strdup", "strndup", "asprintf"};

/* ---- the scenario ---- */

static int launch(lcfg_dispatcher *d, unsigned block, lcfg_error *err)
{
	void *pointer = NULL;
	int n = 3;
	void *args[] = {&pointer, &n};
	lcfg_config *config = NULL;
	/* more shared memory than is given without asking */
	lcfg_shape shape = {.grid = {1}, .block = {block}, .shared_bytes = 64 * 1024};
	int rc = lcfg_configure(&config, d, &shape, err);
	if (rc == 0)
		rc = lcfg_launch(config, args, err);
	lcfg_config_free(config);
	return rc;
}

static int with_handles(lcfg_driver *driver, lcfg_cache *cache, lcfg_error *err)
{
	lcfg_dispatcher *d = NULL;
	lcfg_dispatcher_desc desc = {.struct_size = sizeof(desc),
		.driver = driver,
		.cache = cache,
		.name = "k",
		.generate = generate_by_block,
		.revision = "1",
		.specialised = 1,
		.signature = float_ptr_int};
	int rc = lcfg_dispatcher_new(&d, &desc, err);
	if (rc == 0)
		rc = launch(d, 32, err);
	if (rc == 0)
		rc = launch(d, 64, err);
	lcfg_dispatcher_free(d);
	return rc;
}

static int life(const char *dir, lcfg_error *err)
{
	lcfg_driver *driver = NULL;
	lcfg_cache *cache = NULL;
	lcfg_driver_options options = {.driver_path = FAKE_CUDA, .nvrtc_path = FAKE_NVRTC};
	lcfg_cache_options where = {.dir = dir};
	int rc = lcfg_driver_open(&driver, &options, err);
	if (rc == 0)
		rc = lcfg_cache_open(&cache, &where, err);
	if (rc == 0)
		rc = with_handles(driver, cache, err);
	lcfg_cache_free(cache);
	lcfg_driver_free(driver);
	return rc;
}

/* One life in the world's cache; the error has a sentence. */
static int live(world *w)
{
	char dir[128];
	snprintf(dir, sizeof(dir), "%s/cache", w->dir);
	w->err = (lcfg_error){0};
	counting = true;
	int rc = life(dir, &w->err);
	counting = false;
	if (rc) {
		assert_true(rc < 0);
		assert_int_equal(w->err.code, rc);
		assert_true(strlen(w->err.text) > 8);
	}
	return rc;
}

static int check_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	lcfg_digest key;
	lcfg_binary binary = {0};
	void *data = NULL;
	size_t size = 0;
	(void)st;
	(void)ftw;
	if (type != FTW_F)
		return 0;
	for (int i = 0; i < 32; i++)
		sscanf(strrchr(path, '/') + 1 + 2 * i, "%2hhx", &key.bytes[i]);
	assert_int_equal(read_file(&data, &size, path), 0);
	assert_int_equal(lcfg_entry_decode(&binary, &key, data, size), 0);
	lcfg_binary_dispose(&binary);
	free(data);
	return 0;
}

/* Every file that a reader would believe is whole; nothing was left in tmp. */
static void check_files(world *w)
{
	char path[128];
	snprintf(path, sizeof(path), "%s/cache/v1/entries", w->dir);
	nftw(path, check_entry, 16, FTW_PHYS);
	if (!failing || strcmp(failing, "unlinkat") != 0)
		assert_int_equal(count_files(w, "tmp"), 0);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void forget_cache(world *w)
{
	char path[128];
	snprintf(path, sizeof(path), "%s/cache", w->dir);
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static int open_files(void)
{
	int count = 0;
	DIR *dir = opendir("/proc/self/fd");
	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

/* how often a run failed, and how often not although a call did */
static int failed, survived;

/* Sets what fails in the first life, or in the second; 0 where so many calls are never
 * made. */
static int run_with(world *w, atomic_int *foreign, atomic_int *foreign_calls, int n, bool second)
{
	fail_at = 0;
	forget_cache(w);
	if (second)
		assert_int_equal(live(w), 0);
	calls = 0;
	if (foreign) {
		*foreign_calls = 0;
		*foreign = n;
	} else {
		fail_at = n;
	}
	int files = open_files();
	int rc = live(w);
	assert_int_equal(open_files(), files);
	int made = foreign ? *foreign_calls : calls;
	fail_at = 0;
	if (foreign)
		*foreign = 0;
	if (made >= n)
		*(rc ? &failed : &survived) += 1;
	/* a module or a program that stays is a leak, unless letting go of it failed */
	assert_int_equal(w->nvrtc->programs, 0);
	assert_int_equal(w->cuda->loads, w->cuda->unloads);
	check_files(w);
	/* and the next one works, twice, the second time from disk */
	assert_ok(w, live(w));
	assert_int_equal(last_launch(w)->block.x, 64);
	int before = w->nvrtc->compiles;
	assert_ok(w, live(w));
	assert_int_equal(w->nvrtc->compiles, before);
	return made >= n;
}

static void every(world *w, const char *kind, atomic_int *foreign, atomic_int *count)
{
	int total = 0;
	failed = survived = 0;
	for (int second = 0; second < 2; second++) {
		int n = 1;
		while (run_with(w, foreign, count, n, second))
			n++;
		total += n - 1;
	}
	print_message("%s: %d calls failed, %d runs with an error, %d without\n", kind, total,
		failed, survived);
	assert_int_equal(failed + survived, total);
}

WORLD_TEST(any_call_of_the_driver)
{
	world *w = *state;
	every(w, "driver", &w->cuda->fail, &w->cuda->calls);
	assert_true(failed > 10);
}

WORLD_TEST(any_call_of_the_compiler)
{
	world *w = *state;
	every(w, "compiler", &w->nvrtc->fail, &w->nvrtc->calls);
	assert_true(failed > 5);
}

WORLD_TEST(any_call_for_memory)
{
	size_t count = sizeof(memory_functions) / sizeof(memory_functions[0]);
	for (size_t i = 0; i < count; i++) {
		failing = memory_functions[i];
		every(*state, failing, NULL, NULL);
		/* the wrapping works, or nothing was tried */
		assert_true(failed + survived > 0);
	}
	failing = NULL;
}

/* no launch fails for what the disk does: the cache goes without */
WORLD_TEST(any_call_of_a_file)
{
	size_t count = sizeof(file_functions) / sizeof(file_functions[0]);
	for (size_t i = 0; i < count; i++) {
		failing = file_functions[i];
		every(*state, failing, NULL, NULL);
		assert_int_equal(failed, 0);
		assert_true(survived > 0);
	}
	failing = NULL;
}
