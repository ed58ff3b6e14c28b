/* The disk cache seen through dispatchers: what is in the key, and trouble of all
 * kinds. */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support.h"

#include "cache.h"

static const lcfg_type double_types[] = {LCFG_PTR_F64, LCFG_I32};

static int compile_one(world *w, const lcfg_dispatcher_desc *desc)
{
	int before = w->nvrtc->compiles;
	lcfg_dispatcher *d = dispatcher_of(w, desc);
	assert_ok(w, lcfg_compile(d, desc->signature, &w->err));
	lcfg_dispatcher_free(d);
	return w->nvrtc->compiles - before;
}

WORLD_TEST(whatever_the_code_depends_on_is_in_the_key)
{
	world *w = *state;
	const char *options[] = {"-DX=1"};
	lcfg_header header = {"a.h", "1"};
	lcfg_header other = {"a.h", "2"};
	lcfg_dispatcher_desc base = {.struct_size = sizeof(base),
		.driver = w->driver,
		.name = "k",
		.source = "void k() {}",
		.specialised = 1,
		.signature = float_ptr_int,
		.cache = w->cache};
	lcfg_dispatcher_desc d[9];
	for (int i = 0; i < 9; i++)
		d[i] = base;
	d[1].source = "void k() { }";
	d[2].options = options;
	d[2].option_count = 1;
	d[3].headers = &header;
	d[3].header_count = 1;
	d[4].headers = &other;
	d[4].header_count = 1;
	d[5].signature.types = double_types;
	d[6].name = "k<1>";
	d[7].source = NULL;
	d[7].generate = generate_plain;
	d[7].revision = "1";
	d[8] = d[7];
	d[8].revision = "2";
	for (int i = 0; i < 9; i++)
		assert_int_equal(compile_one(w, &d[i]), 1);
	for (int i = 0; i < 9; i++)
		assert_int_equal(compile_one(w, &d[i]), 0);
	w->cuda->arch = 100;
	assert_int_equal(compile_one(w, &base), 1);
	/* another compiler, and nothing remembered of the old one */
	w->nvrtc->minor = 9;
	char *note = any_file(w, "nvrtc");
	assert_int_equal(unlink(note), 0);
	free(note);
	world_restart(w);
	base.driver = w->driver;
	base.cache = w->cache;
	assert_int_equal(compile_one(w, &base), 1);
	assert_int_equal(compile_one(w, &base), 0);
	assert_int_equal(count_files(w, "entries"), 11);
}

WORLD_TEST(a_compiler_that_is_not_the_remembered_one_is_remembered_from_now_on)
{
	world *w = *state;
	dispatcher_new(w, generate_plain);
	assert_ok(w, launch_block(w, 32));
	/* a new version behind the cache's back: the note is believed, until something
	 * is compiled */
	w->nvrtc->minor = 7;
	world_restart(w);
	dispatcher_new(w, generate_plain);
	assert_ok(w, launch_block(w, 32));
	assert_int_equal(w->nvrtc->openings, 0);
	for (int process = 0; process < 2; process++) {
		lcfg_dispatcher_desc desc = desc_of(w, generate_plain);
		desc.revision = "2";
		lcfg_dispatcher_free(w->dispatcher);
		w->dispatcher = dispatcher_of(w, &desc);
		assert_ok(w, launch_block(w, 32));
		assert_int_equal(w->nvrtc->openings, process == 0);
		assert_int_equal(w->nvrtc->compiles, process == 0);
		world_restart(w);
	}
}

/* a memo of a file that changed in the last moments is not written */
static void let_the_clock_tick(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 60000000}, NULL);
}

static int remembered(world *w, const char *library, lcfg_nvrtc_id *id)
{
	char *file = NULL;
	int known = lcfg_nvrtc_memo_read(id, &file, w->cache, library);
	if (known)
		assert_string_equal(file, library);
	free(file);
	return known;
}

WORLD_TEST(what_is_remembered_of_a_compiler_ends_with_its_file)
{
	world *w = *state;
	char copy[128];
	lcfg_nvrtc_id id = {0};
	lcfg_nvrtc *nvrtc = NULL;
	snprintf(copy, sizeof(copy), "%s/libnvrtc.so", w->dir);
	copy_file(copy, FAKE_NVRTC);
	let_the_clock_tick();
	assert_false(remembered(w, copy, &id));
	assert_ok(w, lcfg_nvrtc_open(&nvrtc, copy, &w->err));
	lcfg_nvrtc_memo_write(w->cache, copy, nvrtc);
	/* it is loaded, and its file younger than the process: no telling */
	assert_false(remembered(w, copy, &id));
	lcfg_nvrtc_free(nvrtc);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		/* a new process, which has not loaded it */
		char *const argv[] = {(char *)"test", copy, w->dir, NULL};
		execv("/proc/self/exe", argv);
		_exit(99);
	}
	int status = 0;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* In that process: the memo is believed while its file is the same. */
static int look_at_memo(const char *copy, const char *dir)
{
	char text[256];
	lcfg_nvrtc_id id = {0};
	char *file = NULL;
	lcfg_cache *cache = NULL;
	snprintf(text, sizeof(text), "%s/cache", dir);
	lcfg_cache_options options = {.dir = text};
	if (lcfg_cache_open(&cache, &options, NULL))
		return 1;
	if (!lcfg_nvrtc_memo_read(&id, &file, cache, copy) || strcmp(file, copy) ||
		id.major != 12 || id.minor != 4)
		return 2;
	free(file);
	/* asked for by another name, it may be another one */
	if (lcfg_nvrtc_memo_read(&id, &file, cache, FAKE_NVRTC))
		return 3;
	/* as large, with the time that it had: the inode's own time tells */
	struct stat st;
	if (stat(copy, &st))
		return 4;
	struct timespec times[2] = {st.st_atim, st.st_mtim};
	FILE *f = fopen(copy, "r+");
	if (!f || fseek(f, -1, SEEK_END) || fputc('x', f) == EOF || fclose(f) ||
		utimensat(AT_FDCWD, copy, times, 0))
		return 5;
	if (lcfg_nvrtc_memo_read(&id, &file, cache, copy))
		return 6;
	if (unlink(copy) || lcfg_nvrtc_memo_read(&id, &file, cache, copy))
		return 7;
	lcfg_cache_free(cache);
	return 0;
}

WORLD_TEST(a_damaged_note_of_the_compilers_version_is_made_again)
{
	world *w = *state;
	static const char *const texts[] = {
		"", "x", "12 4", "12 4 1 2 3 4 /nowhere\n", "99999999999999 1 1 1 1 1 /\n"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		dispatcher_new(w, generate_plain);
		assert_ok(w, launch_block(w, 32));
		char *path = any_file(w, "nvrtc");
		FILE *f = fopen(path, "w");
		fputs(texts[i], f);
		fclose(f);
		free(path);
		world_restart(w);
		dispatcher_new(w, generate_plain);
		assert_ok(w, launch_block(w, 32));
		assert_int_equal(w->nvrtc->openings, 1);
		assert_int_equal(w->nvrtc->compiles, 0);
		world_restart(w);
	}
}

WORLD_TEST(a_generator_without_a_revision_is_not_kept)
{
	world *w = *state;
	lcfg_dispatcher_desc desc = desc_of(w, generate_by_block);
	desc.revision = NULL;
	w->dispatcher = dispatcher_of(w, &desc);
	assert_false(lcfg_dispatcher_is_caching(w->dispatcher, NULL, 0));
	assert_ok(w, launch_block(w, 32));
	assert_int_equal(count_files(w, ""), 0);
}

static void overwrite(const char *path, off_t size, const char *text)
{
	int fd = open(path, O_WRONLY);
	assert_true(fd >= 0);
	if (text)
		assert_int_equal(pwrite(fd, text, strlen(text), size), strlen(text));
	else
		assert_int_equal(ftruncate(fd, size), 0);
	close(fd);
}

WORLD_TEST(damaged_entries_are_recompiled_and_replaced)
{
	world *w = *state;
	static const struct {
		off_t at;
		const char *text; /* NULL: cut off there */
	} damage[] = {{0, NULL}, {20, NULL}, {100, NULL}, {0, "x"}, {90, "x"}};
	for (size_t i = 0; i < sizeof(damage) / sizeof(damage[0]); i++) {
		dispatcher_new(w, generate_by_block);
		assert_ok(w, launch_block(w, 32));
		char *path = any_file(w, "entries");
		overwrite(path, damage[i].at, damage[i].text);
		free(path);
		world_restart(w);
		dispatcher_new(w, generate_by_block);
		assert_ok(w, launch_block(w, 32));
		assert_has(last_launch(w)->image, "BLOCK 32");
		assert_int_equal(w->nvrtc->compiles, 1);
		lcfg_cache_stats stats;
		lcfg_cache_stats_get(&stats, w->cache);
		assert_int_equal(stats.corrupt, 1);
		assert_int_equal(stats.stores, 1);
		world_restart(w);
		dispatcher_new(w, generate_by_block);
		assert_ok(w, launch_block(w, 32));
		assert_int_equal(w->nvrtc->compiles, 0);
		world_restart(w);
	}
}

WORLD_TEST(an_entry_the_driver_refuses_is_recompiled)
{
	world *w = *state;
	dispatcher_new(w, generate_plain);
	assert_ok(w, launch_block(w, 32));
	char *path = any_file(w, "entries");
	lcfg_digest key;
	for (int i = 0; i < 32; i++)
		sscanf(strrchr(path, '/') + 1 + 2 * i, "%2hhx", &key.bytes[i]);
	char image[] = "entry k\nreject\n";
	char entry[] = "k";
	lcfg_binary binary = {image, sizeof(image), entry, 0};
	assert_int_equal(lcfg_cache_store(w->cache, &key, &binary, NULL), 0);
	free(path);
	world_restart(w);
	dispatcher_new(w, generate_plain);
	assert_ok(w, launch_block(w, 32));
	assert_int_equal(w->nvrtc->compiles, 1);
}

WORLD_TEST(something_else_in_the_place_of_an_entry_is_a_miss)
{
	world *w = *state;
	dispatcher_new(w, generate_plain);
	assert_ok(w, launch_block(w, 32));
	char *path = any_file(w, "entries");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	world_restart(w);
	dispatcher_new(w, generate_plain);
	assert_ok(w, launch_block(w, 32));
	assert_int_equal(w->nvrtc->compiles, 1);
	free(path);
}

WORLD_TEST(a_directory_that_cannot_be_made_fails_no_launch)
{
	world *w = *state;
	char path[128];
	snprintf(path, sizeof(path), "%s/cache", w->dir);
	fclose(fopen(path, "w"));
	dispatcher_new(w, generate_plain);
	assert_ok(w, launch_block(w, 32));
	dispatcher_new(w, generate_by_block);
	assert_ok(w, launch_block(w, 32));
	assert_ok(w, launch_block(w, 64));
	assert_has(last_launch(w)->image, "BLOCK 64");
	char text[512];
	lcfg_cache_trouble(text, sizeof(text), w->cache);
	assert_has(text, "cannot write");
	assert_has(text, "Not a directory");
}

WORLD_TEST(a_disk_that_fills_up_while_writing_fails_no_launch)
{
	world *w = *state;
	struct rlimit before;
	getrlimit(RLIMIT_FSIZE, &before);
	signal(SIGXFSZ, SIG_IGN);
	dispatcher_new(w, generate_plain);
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){40, before.rlim_max});
	int rc = launch_block(w, 32);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_ok(w, rc);
	assert_int_equal(count_files(w, "entries"), 0);
	assert_int_equal(count_files(w, "tmp"), 0);
	lcfg_cache_stats stats;
	lcfg_cache_stats_get(&stats, w->cache);
	/* the entry, and the note of the compiler */
	assert_int_equal(stats.errors, 2);
	/* and with room again it is stored */
	world_restart(w);
	dispatcher_new(w, generate_plain);
	assert_ok(w, launch_block(w, 32));
	assert_int_equal(count_files(w, "entries"), 1);
}

static void open_to_all(world *w, const char *kind)
{
	char *path = any_file(w, kind);
	chmod(path, 0644);
	for (char *p; (p = strrchr(path, '/')) && p - path > (int)strlen("/tmp");) {
		*p = 0;
		chmod(path, 0755);
	}
	free(path);
}

WORLD_TEST(a_read_only_cache_is_read_and_fails_no_launch)
{
	world *w = *state;
	if (geteuid() != 0)
		skip(); /* needs a second user */
	dispatcher_new(w, generate_by_block);
	assert_ok(w, launch_block(w, 32));
	open_to_all(w, "entries");
	open_to_all(w, "markers");
	world_restart(w);
	assert_int_equal(seteuid(65534), 0);
	dispatcher_new(w, generate_by_block);
	int hit = launch_block(w, 32);
	int compiles = w->nvrtc->compiles;
	int miss = launch_block(w, 64);
	assert_int_equal(seteuid(0), 0);
	assert_ok(w, hit);
	assert_int_equal(compiles, 0);
	assert_ok(w, miss);
	assert_has(last_launch(w)->image, "BLOCK 64");
	assert_int_equal(count_files(w, "entries"), 1);
}

static const char *dir_with(world *w, const char *name, const char *value)
{
	static char dir[256];
	const char *names[] = {"LAUNCHCFG_CACHE_DIR", "XDG_CACHE_HOME", "HOME"};
	for (int i = 0; i < 3; i++)
		unsetenv(names[i]);
	if (name)
		setenv(name, value, 1);
	lcfg_cache *cache = NULL;
	*dir = 0;
	if (lcfg_cache_open(&cache, NULL, &w->err) == 0)
		snprintf(dir, sizeof(dir), "%s", lcfg_cache_dir(cache));
	lcfg_cache_free(cache);
	return dir;
}

WORLD_TEST(the_directory_comes_from_the_environment)
{
	world *w = *state;
	assert_string_equal(dir_with(w, "LAUNCHCFG_CACHE_DIR", "/a/b"), "/a/b");
	assert_string_equal(dir_with(w, "XDG_CACHE_HOME", "/x"), "/x/launchcfg");
	assert_string_equal(dir_with(w, "HOME", "/h"), "/h/.cache/launchcfg");
	assert_string_equal(dir_with(w, NULL, NULL), "");
	assert_int_equal(w->err.code, LCFG_EINVAL);
	assert_has(w->err.text, "set LAUNCHCFG_CACHE_DIR");
}

WORLD_TEST(a_limit_that_is_no_size_is_refused)
{
	world *w = *state;
	lcfg_cache_options options = {.dir = "/tmp"};
	static const char *const bad[] = {"x", "12X", "-1", "1.5G", "99999999999999999999"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		lcfg_cache *cache = NULL;
		setenv("LAUNCHCFG_CACHE_LIMIT", bad[i], 1);
		assert_refused(w, lcfg_cache_open(&cache, &options, &w->err), LCFG_EINVAL,
			"LAUNCHCFG_CACHE_LIMIT");
	}
	lcfg_cache *cache = NULL;
	setenv("LAUNCHCFG_CACHE_LIMIT", "512M", 1);
	assert_ok(w, lcfg_cache_open(&cache, &options, &w->err));
	assert_true(cache->max_bytes == 512u << 20);
	lcfg_cache_free(cache);
	unsetenv("LAUNCHCFG_CACHE_LIMIT");
}

int main(int argc, char **argv)
{
	if (argc == 3)
		return look_at_memo(argv[1], argv[2]);
	return test_run();
}
