/*
 * Several processes and one cache directory: filling it at once, and dying at any
 * moment. LAUNCHCFG_TEST_KILLS=N kills more often than the default.
 */
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support.h"

#include "cache.h"

enum { CONFIGS = 60, KILLS = 40, KEYS = 4, BIG = 128 * 1024 };

static pid_t start(void (*body)(world *, unsigned), world *w, unsigned argument)
{
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		body(w, argument);
		_exit(0);
	}
	return child;
}

static int finish(pid_t child)
{
	int status = 0;
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

/* a child's assertion would jump into the parent's test: leave with a status instead */
static void fill(world *w, unsigned seed)
{
	world_restart(w);
	dispatcher_new(w, generate_by_block);
	for (unsigned i = 0; i < CONFIGS; i++) {
		unsigned block = 1 + (i * 7 + seed * 31) % CONFIGS;
		char wanted[32];
		snprintf(wanted, sizeof(wanted), "BLOCK %u ", block);
		if (launch_block(w, block) || !strstr(last_launch(w)->image, wanted))
			_exit(1);
	}
	lcfg_cache_stats stats;
	lcfg_cache_stats_get(&stats, w->cache);
	_exit(stats.corrupt ? 2 : stats.errors ? 3 : 0);
}

WORLD_TEST(two_processes_fill_the_cache_at_once_and_every_entry_is_good)
{
	world *w = *state;
	for (unsigned round = 0; round < 3; round++) {
		pid_t a = start(fill, w, 1 + round);
		pid_t b = start(fill, w, 5 + round);
		assert_int_equal(finish(a), 0);
		assert_int_equal(finish(b), 0);
	}
	assert_int_equal(count_files(w, "entries"), CONFIGS);
	assert_int_equal(count_files(w, "tmp"), 0);
	world_restart(w);
	dispatcher_new(w, generate_by_block);
	for (unsigned b = 1; b <= CONFIGS; b++)
		assert_ok(w, launch_block(w, b));
	assert_int_equal(w->nvrtc->compiles, 0);
}

static lcfg_digest key_number(uint32_t n)
{
	lcfg_sha256 s;
	lcfg_sha256_init(&s);
	lcfg_sha256_field(&s, &n, sizeof(n));
	return lcfg_sha256_end(&s);
}

/* one image a key, made before the children */
static unsigned char images[KEYS][BIG];

static void make_images(void)
{
	for (uint32_t n = 0; n < KEYS; n++) {
		for (size_t i = 0; i < BIG; i++)
			images[n][i] = (unsigned char)(n * 131 + i * 7 + (i >> 8));
	}
}

/* shared with the children: how many entries the living one has stored */
static atomic_uint *stored;

static void share_counter(void)
{
	stored = mmap(
		NULL, sizeof(*stored), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(stored != MAP_FAILED);
}

static void wait_for_stores(unsigned count)
{
	while (*stored < count)
		nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
}

/* Stores until it is killed; markers before sensitive entries. The bytes are made
 * before, so that nearly all the time goes into the directory: that is where to die. */
static void store_for_ever(world *w, unsigned seed)
{
	char entry[] = "k";
	void *bytes[KEYS];
	size_t sizes[KEYS];
	for (uint32_t n = 0; n < KEYS; n++) {
		lcfg_digest key = key_number(n);
		lcfg_binary binary = {images[n], BIG, entry, n % 2 != 0};
		bytes[n] = lcfg_entry_encode(&sizes[n], &key, &binary);
	}
	for (uint32_t i = seed;; i++) {
		uint32_t n = i % KEYS;
		lcfg_digest key = key_number(n);
		if (n % 2)
			lcfg_cache_marker_write(w->cache, &key, NULL);
		lcfg_cache_publish(w->cache, "entries", &key, bytes[n], sizes[n]);
		++*stored;
	}
}

/* Every read is the whole entry or a miss; counts the hits. */
static unsigned check(world *w, uint32_t from, uint32_t to)
{
	unsigned hits = 0;
	for (uint32_t n = from; n < to; n++) {
		lcfg_binary binary = {0};
		lcfg_digest key = key_number(n);
		if (!lcfg_cache_load(&binary, w->cache, &key))
			continue;
		hits++;
		assert_int_equal(binary.size, BIG);
		assert_int_equal(binary.sensitive, n % 2);
		assert_memory_equal(binary.image, images[n], BIG);
		/* no sensitive entry without its marker */
		if (binary.sensitive)
			assert_true(lcfg_cache_marker_exists(w->cache, &key));
		lcfg_binary_dispose(&binary);
	}
	return hits;
}

WORLD_TEST(a_writer_killed_at_any_moment_leaves_whole_entries_or_none)
{
	world *w = *state;
	const char *more = getenv("LAUNCHCFG_TEST_KILLS");
	int kills = more ? atoi(more) : KILLS;
	unsigned random = 12345;
	unsigned hits = 0;
	share_counter();
	make_images();
	for (int i = 0; i < kills; i++) {
		*stored = 0;
		pid_t child = start(store_for_ever, w, (unsigned)i);
		random = random * 1103515245 + 12345;
		/* it is at work by then; a few stores later, at a random point of one
		 */
		wait_for_stores(1);
		long delay_ns = (long)(random >> 8) % 10000000;
		nanosleep(&(struct timespec){.tv_nsec = delay_ns}, NULL);
		kill(child, SIGKILL);
		int status = finish(child);
		assert_true(WIFSIGNALED(status));
		uint32_t one = (uint32_t)i % KEYS;
		hits += check(w, one, one + 1);
	}
	hits += check(w, 0, KEYS);
	lcfg_cache_stats stats;
	lcfg_cache_stats_get(&stats, w->cache);
	print_message("%d kills, %u whole entries read, %u damaged, %zu files left in tmp\n", kills,
		hits, (unsigned)stats.corrupt, count_files(w, "tmp"));
	assert_int_equal(stats.corrupt, 0);
	assert_true(hits > 0);
	/* the dead hold no lock */
	lcfg_digest key = key_number(99);
	char entry[] = "k";
	char image[] = "x";
	lcfg_binary binary = {image, 1, entry, 0};
	assert_ok(w, lcfg_cache_store(w->cache, &key, &binary, &w->err));
}

/* a reader beside two writers that overwrite the same entries */
WORLD_TEST(a_reader_beside_writers_never_sees_half_an_entry)
{
	world *w = *state;
	share_counter();
	make_images();
	pid_t a = start(store_for_ever, w, 0);
	pid_t b = start(store_for_ever, w, 8);
	unsigned hits = 0;
	wait_for_stores(2);
	for (int i = 0; i < 40; i++)
		hits += check(w, 0, KEYS);
	kill(a, SIGKILL);
	kill(b, SIGKILL);
	finish(a);
	finish(b);
	lcfg_cache_stats stats;
	lcfg_cache_stats_get(&stats, w->cache);
	assert_int_equal(stats.corrupt, 0);
	assert_true(hits > 0);
}
