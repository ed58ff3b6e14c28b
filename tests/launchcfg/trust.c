/* What the cache does not use: directories and files that others can write to, links,
 * and what another compiler made. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support.h"

/* a path below the cache directory; "" is the directory */
static const char *below(const world *w, const char *path)
{
	static char text[256];
	snprintf(text, sizeof(text), "%s/cache%s", w->dir, path);
	return text;
}

/* One launch in a new process's eyes; how often the compiler ran. */
static int launch_anew(world *w)
{
	world_restart(w);
	dispatcher_new(w, generate_by_block);
	assert_ok(w, launch_block(w, 32));
	assert_has(last_launch(w)->image, "BLOCK 32 ");
	return w->nvrtc->compiles;
}

static void assert_trouble(world *w, const char *needle)
{
	char text[512];
	lcfg_cache_trouble(text, sizeof(text), w->cache);
	assert_has(text, needle);
}

/* the directory that holds an entry, and the entry, below the cache */
static void find_entry(const world *w, char dir[64], char file[160])
{
	char *path = any_file(w, "entries");
	assert_non_null(path);
	const char *from = path + strlen(below(w, ""));
	snprintf(file, 160, "%s", from);
	snprintf(dir, 64, "%.*s", (int)(strrchr(from, '/') - from), from);
	free(path);
}

WORLD_TEST(nothing_that_others_can_write_to_is_used)
{
	world *w = *state;
	char dir[64];
	char file[160];
	assert_int_equal(launch_anew(w), 1);
	find_entry(w, dir, file);
	const char *const places[] = {"", "/v1", "/v1/entries", dir, file};
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		struct stat st;
		assert_int_equal(launch_anew(w), 0);
		assert_int_equal(stat(below(w, places[i]), &st), 0);
		for (int bit = 0020; bit; bit = bit == 0020 ? 0002 : 0) {
			assert_int_equal(
				chmod(below(w, places[i]), (st.st_mode | (mode_t)bit) & 07777), 0);
			assert_int_equal(launch_anew(w), 1);
			/* a bad file was replaced, a bad directory was left alone */
			if (strcmp(places[i], file) != 0)
				assert_trouble(w, "not used: others can write to");
		}
		if (strcmp(places[i], file) != 0)
			chmod(below(w, places[i]), st.st_mode & 07777);
	}
}

WORLD_TEST(nothing_of_another_user_is_used)
{
	world *w = *state;
	char dir[64];
	char file[160];
	if (geteuid() != 0)
		skip(); /* needs a second user */
	assert_int_equal(launch_anew(w), 1);
	find_entry(w, dir, file);
	const char *const places[] = {"", "/v1", "/v1/entries", dir};
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		assert_int_equal(chown(below(w, places[i]), 65534, 65534), 0);
		assert_int_equal(launch_anew(w), 1);
		assert_trouble(w, "belongs to user 65534, not to user 0");
		assert_int_equal(chown(below(w, places[i]), 0, 0), 0);
		assert_int_equal(launch_anew(w), 0);
	}
	/* a file is replaced by one's own */
	assert_int_equal(chown(below(w, file), 65534, 65534), 0);
	assert_int_equal(launch_anew(w), 1);
	assert_int_equal(launch_anew(w), 0);
}

WORLD_TEST(links_are_not_followed)
{
	world *w = *state;
	char dir[64];
	char file[160];
	char elsewhere[128];
	char from[256];
	assert_int_equal(launch_anew(w), 1);
	find_entry(w, dir, file);
	snprintf(elsewhere, sizeof(elsewhere), "%s/elsewhere", w->dir);
	const char *const places[] = {"/v1/tmp", "/v1/entries", dir};
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(from, sizeof(from), "%s", below(w, places[i]));
		assert_int_equal(rename(from, elsewhere), 0);
		assert_int_equal(symlink(elsewhere, from), 0);
		/* tmp is for writing: what is there is read */
		int read = strcmp(places[i], "/v1/tmp") == 0;
		assert_int_equal(launch_anew(w), !read);
		if (read)
			assert_ok(w, launch_block(w, 64 + (unsigned)i));
		assert_trouble(w, "Not a directory");
		assert_int_equal(unlink(from), 0);
		assert_int_equal(rename(elsewhere, from), 0);
		assert_int_equal(launch_anew(w), 0);
	}
	/* an entry that is a link is no entry, and a store replaces the link itself */
	snprintf(from, sizeof(from), "%s", below(w, file));
	assert_int_equal(rename(from, elsewhere), 0);
	assert_int_equal(symlink(elsewhere, from), 0);
	assert_int_equal(launch_anew(w), 1);
	struct stat st;
	assert_int_equal(lstat(from, &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_int_equal(launch_anew(w), 0);
}

WORLD_TEST(what_is_made_is_for_the_owner_alone)
{
	world *w = *state;
	mode_t before = umask(0);
	int compiles = launch_anew(w);
	umask(before);
	assert_int_equal(compiles, 1);
	char dir[64];
	char file[160];
	find_entry(w, dir, file);
	const char *const places[] = {
		"", "/v1", "/v1/entries", "/v1/tmp", "/v1/markers", "/v1/nvrtc", dir};
	struct stat st;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		assert_int_equal(stat(below(w, places[i]), &st), 0);
		assert_int_equal(st.st_mode & 07777, 0700);
	}
	assert_int_equal(stat(below(w, file), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
}

/* ---- another compiler ---- */

/* A process of its own finds NVRTC as the loader does. Its status: 1 where the other
 * compiler made the kernel, 2 where it came from disk. */
static int in_process(const char *dir)
{
	char cache_dir[128];
	lcfg_error err = {0};
	lcfg_driver_options options = {.driver_path = FAKE_CUDA};
	lcfg_driver *driver = NULL;
	lcfg_cache *cache = NULL;
	lcfg_dispatcher *d = NULL;
	lcfg_config *config = NULL;
	lcfg_kernel_info info;
	void *args[] = {&driver, &driver};
	lcfg_shape shape = {.grid = {1}, .block = {1}};
	snprintf(cache_dir, sizeof(cache_dir), "%s/cache", dir);
	lcfg_cache_options where = {.dir = cache_dir};
	if (lcfg_driver_open(&driver, &options, &err) || lcfg_cache_open(&cache, &where, &err))
		return 10;
	lcfg_dispatcher_desc desc = {.struct_size = sizeof(desc),
		.driver = driver,
		.cache = cache,
		.name = "k",
		.source = "void k() {}",
		.specialised = 1,
		.signature = float_ptr_int};
	if (lcfg_dispatcher_new(&d, &desc, &err) || lcfg_configure(&config, d, &shape, &err) ||
		lcfg_launch(config, args, &err) || !lcfg_kernel_get(&info, config, float_ptr_int)) {
		fprintf(stderr, "%s\n", err.text);
		return 11;
	}
	/* the fake driver's function begins with its module, which begins with the text
	 */
	const char *image = **(const char ***)info.function;
	int status = (strncmp(image, "OTHER", 5) == 0) + 2 * info.from_disk;
	lcfg_config_free(config);
	lcfg_dispatcher_free(d);
	lcfg_cache_free(cache);
	lcfg_driver_free(driver);
	return status;
}

static int run_process(const world *w, const char *library_path)
{
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		char *const argv[] = {(char *)"test", (char *)w->dir, NULL};
		setenv("LD_LIBRARY_PATH", library_path, 1);
		unsetenv("LAUNCHCFG_NVRTC");
		execv("/proc/self/exe", argv);
		_exit(99);
	}
	int status = 0;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

enum { THIS = 0, OTHER = 1, FROM_DISK = 2 };

/* a file that changed in the last moments is in doubt, and not remembered */
static void let_the_clock_tick(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 60000000}, NULL);
}

WORLD_TEST(a_kernel_of_another_nvrtc_is_never_taken)
{
	world *w = *state;
	char paths[200];
	char a[100];
	char b[100];
	snprintf(a, sizeof(a), "%s/a", w->dir);
	snprintf(b, sizeof(b), "%s/b", w->dir);
	assert_int_equal(mkdir(a, 0700) | mkdir(b, 0700), 0);
	snprintf(paths, sizeof(paths), "%s:%s", b, a);
	strcat(a, "/libnvrtc.so.13");
	strcat(b, "/libnvrtc.so.13");
	copy_file(a, FAKE_NVRTC);
	let_the_clock_tick();
	assert_int_equal(run_process(w, paths), THIS);
	assert_int_equal(count_files(w, "nvrtc"), 1);
	assert_int_equal(run_process(w, paths), THIS | FROM_DISK);
	/* the same environment, and another library before the first */
	copy_file(b, FAKE_NVRTC_OTHER);
	let_the_clock_tick();
	assert_int_equal(run_process(w, paths), OTHER);
	assert_int_equal(run_process(w, paths), OTHER | FROM_DISK);
	assert_int_equal(unlink(b), 0);
	assert_int_equal(run_process(w, paths), THIS | FROM_DISK);
	/* another one in place of the first, and as old */
	struct stat st;
	assert_int_equal(stat(a, &st), 0);
	struct timespec times[2] = {st.st_atim, st.st_mtim};
	copy_file(a, FAKE_NVRTC_OTHER);
	assert_int_equal(utimensat(AT_FDCWD, a, times, 0), 0);
	assert_int_equal(run_process(w, paths), OTHER | FROM_DISK);
	/* where the environment names another directory */
	assert_int_equal(mkdir(below(w, "/../c"), 0700), 0);
	copy_file(below(w, "/../c/libnvrtc.so.13"), FAKE_NVRTC);
	assert_int_equal(run_process(w, below(w, "/../c")), THIS | FROM_DISK);
}

static void flip(const char *path, long at)
{
	FILE *f = fopen(path, "r+");
	assert_non_null(f);
	fseek(f, at, SEEK_SET);
	int c = fgetc(f);
	fseek(f, at, SEEK_SET);
	fputc(c ^ 1, f);
	fclose(f);
}

/* the version in a memo, changed: an entry of that version is not looked for */
WORLD_TEST(a_memo_with_any_bit_changed_is_not_believed)
{
	world *w = *state;
	char dir[100];
	char library[128];
	snprintf(dir, sizeof(dir), "%s/a", w->dir);
	assert_int_equal(mkdir(dir, 0700), 0);
	snprintf(library, sizeof(library), "%s/libnvrtc.so.13", dir);
	copy_file(library, FAKE_NVRTC);
	let_the_clock_tick();
	assert_int_equal(run_process(w, dir), THIS);
	for (long at = 0; at < 150; at += 29) {
		char *memo = any_file(w, "nvrtc");
		assert_non_null(memo);
		flip(memo, at);
		free(memo);
		/* NVRTC is asked, and its kernel found */
		assert_int_equal(run_process(w, dir), THIS | FROM_DISK);
	}
}

int main(int argc, char **argv)
{
	if (argc == 2)
		return in_process(argv[1]);
	return test_run();
}
