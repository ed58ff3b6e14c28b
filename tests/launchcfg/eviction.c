/* The cache's size limit, and what is cleaned up on the way. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support.h"

#include "cache.h"

struct dirent *__real_readdir(DIR *dir);
struct dirent *__wrap_readdir(DIR *dir);
static int names_read;

struct dirent *__wrap_readdir(DIR *dir)
{
	names_read++;
	return __real_readdir(dir);
}

static lcfg_digest key_number(uint32_t n)
{
	lcfg_sha256 s;
	lcfg_sha256_init(&s);
	lcfg_sha256_field(&s, &n, sizeof(n));
	return lcfg_sha256_end(&s);
}

static char *path_number(world *w, uint32_t n)
{
	lcfg_digest key = key_number(n);
	return lcfg_cache_path(w->cache, "entries", &key);
}

static int store(world *w, uint32_t n, size_t size)
{
	char *image = calloc(1, size + 1);
	char entry[] = "k";
	lcfg_digest key = key_number(n);
	lcfg_binary binary = {image, size, entry, 0};
	int rc = lcfg_cache_store(w->cache, &key, &binary, &w->err);
	free(image);
	return rc;
}

static bool there(world *w, uint32_t n)
{
	char *path = path_number(w, n);
	bool exists = access(path, F_OK) == 0;
	free(path);
	return exists;
}

/* as if it had been used so many seconds ago */
static void age(const char *path, time_t seconds)
{
	struct timespec times[2] = {{.tv_sec = time(NULL) - seconds}, {.tv_nsec = UTIME_OMIT}};
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static struct stat load_and_stat(world *w, uint32_t n)
{
	struct stat st;
	lcfg_binary binary = {0};
	lcfg_digest key = key_number(n);
	char *path = path_number(w, n);
	assert_true(lcfg_cache_load(&binary, w->cache, &key));
	assert_int_equal(stat(path, &st), 0);
	lcfg_binary_dispose(&binary);
	free(path);
	return st;
}

/* The system itself notes the first reading after a change at most (relatime). */
WORLD_TEST(every_use_counts_and_is_no_change)
{
	world *w = *state;
	assert_ok(w, store(w, 1, 100));
	struct stat first = load_and_stat(w, 1);
	nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
	struct stat second = load_and_stat(w, 1);
	assert_true(second.st_atim.tv_sec > first.st_atim.tv_sec ||
		    second.st_atim.tv_nsec > first.st_atim.tv_nsec);
	assert_memory_equal(&second.st_mtim, &first.st_mtim, sizeof(first.st_mtim));
}

WORLD_TEST(the_least_recently_used_entries_go_first)
{
	world *w = *state;
	w->cache->max_bytes = 9500;
	for (uint32_t i = 0; i < 9; i++) {
		assert_ok(w, store(w, i, 900));
		char *path = path_number(w, i);
		age(path, 1000 - (time_t)i);
		free(path);
	}
	/* 0 and 3 are used again; the rest is as old as it was */
	lcfg_binary binary = {0};
	for (uint32_t i = 0; i < 4; i += 3) {
		lcfg_digest key = key_number(i);
		assert_true(lcfg_cache_load(&binary, w->cache, &key));
		lcfg_binary_dispose(&binary);
	}
	assert_ok(w, store(w, 9, 900));
	lcfg_cache_stats stats;
	lcfg_cache_stats_get(&stats, w->cache);
	assert_true(stats.bytes <= 9500);
	assert_true(stats.evicted >= 1);
	assert_true(there(w, 0));
	assert_false(there(w, 1));
	assert_true(there(w, 3));
	assert_true(there(w, 9));
}

WORLD_TEST(the_limit_holds_however_much_is_stored)
{
	world *w = *state;
	w->cache->max_bytes = 20000;
	for (uint32_t i = 0; i < 100; i++) {
		assert_ok(w, store(w, i, 500 + i * 10));
		lcfg_cache_stats stats;
		lcfg_cache_stats_get(&stats, w->cache);
		assert_true(stats.bytes <= 20000);
	}
	assert_true(there(w, 99));
	assert_false(there(w, 0));
}

/* so many entries of so many bytes, all at once, as an older version left them */
static void fill(world *w, uint32_t count, off_t bytes)
{
	assert_ok(w, store(w, 0, 10));
	for (uint32_t i = 1; i < count; i++) {
		char *path = path_number(w, i);
		char *slash = strrchr(path, '/');
		*slash = 0;
		mkdir(path, 0700);
		*slash = '/';
		int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
		assert_true(fd >= 0);
		assert_int_equal(ftruncate(fd, bytes), 0);
		close(fd);
		age(path, 1000 + (time_t)i);
		free(path);
	}
	char sizes[160];
	snprintf(sizes, sizeof(sizes), "%s/cache/v1/sizes", w->dir);
	assert_int_equal(unlink(sizes), 0);
}

/* two directories of 256: the entry's own, and one whose size was not known */
WORLD_TEST(a_store_reads_a_small_part_of_a_large_cache)
{
	world *w = *state;
	enum { MANY = 4000 };
	fill(w, MANY, 100);
	world_restart(w);
	for (uint32_t i = 0; i < 3; i++) {
		names_read = 0;
		assert_ok(w, store(w, MANY + i, 10));
		assert_true(names_read > MANY / 256);
		assert_true(names_read < MANY / 40);
	}
	/* the whole is estimated from what was read */
	lcfg_cache_stats stats;
	lcfg_cache_stats_get(&stats, w->cache);
	assert_true(stats.bytes > MANY * 100 / 2);
	assert_true(stats.bytes < MANY * 100 * 2);
}

WORLD_TEST(above_the_limit_a_store_looks_at_a_sample_and_removes_its_older_half)
{
	world *w = *state;
	enum { MANY = 4000, MAX = MANY * 100 };
	fill(w, MANY, 100);
	world_restart(w);
	w->cache->max_bytes = MAX;
	uint64_t evicted = 0;
	for (uint32_t i = 0; i < 10; i++) {
		lcfg_cache_stats stats;
		names_read = 0;
		assert_ok(w, store(w, MANY + i, 4000));
		assert_true(names_read < MANY / 2);
		lcfg_cache_stats_get(&stats, w->cache);
		evicted = stats.evicted;
		assert_true(there(w, MANY + i));
	}
	/* what came was 400 entries' worth; more went than that, and not everything */
	assert_true(evicted >= 1);
	assert_true(evicted < MANY / 4);
	assert_true(count_files(w, "entries") <= MANY + 10 - evicted);
}

WORLD_TEST(a_damaged_memory_of_sizes_is_made_again)
{
	world *w = *state;
	char sizes[160];
	snprintf(sizes, sizeof(sizes), "%s/cache/v1/sizes", w->dir);
	for (int i = 0; i < 4; i++) {
		static const char *const texts[] = {"", "x", NULL, "LCSASEI1"};
		assert_ok(w, store(w, 1, 100));
		assert_ok(w, store(w, 2, 100));
		lcfg_cache_stats whole;
		lcfg_cache_stats_get(&whole, w->cache);
		unlink(sizes);
		if (texts[i]) {
			FILE *f = fopen(sizes, "w");
			fputs(texts[i], f);
			fclose(f);
		}
		assert_ok(w, store(w, 3, 100));
		char *third = path_number(w, 3);
		assert_int_equal(unlink(third), 0);
		free(third);
		assert_ok(w, store(w, 1, 100));
		lcfg_cache_stats again;
		lcfg_cache_stats_get(&again, w->cache);
		assert_true(again.bytes >= whole.bytes);
		assert_true(again.bytes <= whole.bytes * 2);
	}
}

WORLD_TEST(markers_are_not_evicted)
{
	world *w = *state;
	lcfg_digest source = key_number(7);
	w->cache->max_bytes = 2000;
	assert_int_equal(lcfg_cache_marker_write(w->cache, &source, NULL), 0);
	for (uint32_t i = 0; i < 10; i++)
		assert_ok(w, store(w, i, 900));
	assert_true(lcfg_cache_marker_exists(w->cache, &source));
}

WORLD_TEST(what_killed_writers_left_is_removed_once_it_is_old)
{
	world *w = *state;
	assert_ok(w, store(w, 1, 10));
	char old[160];
	char young[160];
	snprintf(old, sizeof(old), "%s/cache/v1/tmp/1-0-aa", w->dir);
	snprintf(young, sizeof(young), "%s/cache/v1/tmp/1-0-bb", w->dir);
	fclose(fopen(old, "w"));
	fclose(fopen(young, "w"));
	age(old, 3600);
	world_restart(w);
	assert_ok(w, store(w, 2, 10));
	assert_int_equal(access(old, F_OK), -1);
	assert_int_equal(access(young, F_OK), 0);
}

WORLD_TEST(a_lock_held_elsewhere_delays_a_launch_but_does_not_stop_it)
{
	world *w = *state;
	assert_ok(w, store(w, 1, 10));
	char path[160];
	snprintf(path, sizeof(path), "%s/cache/v1/lock", w->dir);
	int fd = open(path, O_RDWR | O_CLOEXEC);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	dispatcher_new(w, generate_plain);
	assert_ok(w, launch_block(w, 32));
	assert_int_equal(count_files(w, "entries"), 1);
	char text[512];
	lcfg_cache_trouble(text, sizeof(text), w->cache);
	assert_has(text, "cannot write");
	close(fd);
}
