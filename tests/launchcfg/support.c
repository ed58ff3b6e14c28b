#include "support.h"

#include <dirent.h>
#include <dlfcn.h>
#include <ftw.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

generated generated_now;

static const lcfg_type float_ptr_int_types[] = {LCFG_PTR_F32, LCFG_I32};
const lcfg_signature float_ptr_int = {float_ptr_int_types, 2};

static fake_launch last;

static void remember(const fake_launch *launch)
{
	/* Several threads launch in some tests, and read after they have ended. No
	 * mutex: hot.c counts those that a launch takes. */
	static atomic_flag busy = ATOMIC_FLAG_INIT;
	while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
		sched_yield();
	last = *launch;
	atomic_flag_clear_explicit(&busy, memory_order_release);
}

const fake_launch *last_launch(world *w)
{
	(void)w;
	return &last;
}

void assert_ok_at(int rc, const lcfg_error *err, const char *file, int line)
{
	if (rc == 0)
		return;
	fprintf(stderr, "%s:%d: %d: %s\n", file, line, rc, err->text);
	_fail(file, line);
}

void assert_refused_at(
	int rc, int code, const char *needle, const lcfg_error *err, const char *file, int line)
{
	if (rc != code)
		fprintf(stderr, "%s:%d: %d instead of %d (%s)\n", file, line, rc, code,
			rc ? err->text : "no error");
	_assert_int_equal((LargestIntegralType)rc, (LargestIntegralType)code, file, line);
	_assert_int_equal((LargestIntegralType)err->code, (LargestIntegralType)code, file, line);
	assert_has_at(err->text, needle, file, line);
}

static void *control(const char *library, const char *name)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	assert_non_null(handle);
	void *address = dlsym(handle, name);
	assert_non_null(address);
	return address;
}

static void open_library(world *w)
{
	lcfg_driver_options options = {.driver_path = FAKE_CUDA, .nvrtc_path = FAKE_NVRTC};
	assert_ok(w, lcfg_driver_open(&w->driver, &options, &w->err));
	char dir[128];
	snprintf(dir, sizeof(dir), "%s/cache", w->dir);
	lcfg_cache_options cache = {.dir = dir};
	assert_ok(w, lcfg_cache_open(&w->cache, &cache, &w->err));
}

static void close_library(world *w)
{
	lcfg_dispatcher_free(w->dispatcher);
	lcfg_cache_free(w->cache);
	lcfg_driver_free(w->driver);
	w->dispatcher = NULL;
	w->cache = NULL;
	w->driver = NULL;
}

int world_setup(void **state)
{
	world *w = calloc(1, sizeof(*w));
	strcpy(w->dir, "/tmp/launchcfg-test-XXXXXX");
	assert_non_null(mkdtemp(w->dir));
	w->cuda = control(FAKE_CUDA, "fake_driver_control");
	w->nvrtc = control(FAKE_NVRTC, "fake_nvrtc_control");
	memset(w->cuda, 0, sizeof(*w->cuda));
	memset(w->nvrtc, 0, sizeof(*w->nvrtc));
	w->cuda->arch = 90;
	w->cuda->on_launch = remember;
	w->nvrtc->major = 12;
	w->nvrtc->minor = 4;
	memset(&generated_now, 0, sizeof(generated_now));
	memset(&last, 0, sizeof(last));
	open_library(w);
	*state = w;
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

int world_teardown(void **state)
{
	world *w = *state;
	close_library(w);
	int leaked = w->cuda->loads - w->cuda->unloads;
	int programs = w->nvrtc->programs;
	nftw(w->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(w);
	if (leaked || programs)
		fprintf(stderr, "%d modules and %d programs leaked\n", leaked, programs);
	return leaked || programs;
}

void world_restart(world *w)
{
	close_library(w);
	open_library(w);
	memset(&generated_now, 0, sizeof(generated_now));
	w->nvrtc->compiles = 0;
	w->nvrtc->openings = 0;
}

int generate_by_block(lcfg_source *out, const lcfg_generation *what, lcfg_error *err)
{
	const lcfg_config *config = NULL;
	(void)what;
	atomic_fetch_add(&generated_now.runs, 1);
	generated_now.seen = (lcfg_shape){0};
	int rc = lcfg_ensure_current_config(&config, err);
	if (rc)
		return rc;
	generated_now.seen = *lcfg_config_shape(config);
	return lcfg_emit(out, "__global__ void k(float *x, int n) { /* BLOCK %u */ }\n",
		generated_now.seen.block.x);
}

int generate_plain(lcfg_source *out, const lcfg_generation *what, lcfg_error *err)
{
	(void)what;
	(void)err;
	atomic_fetch_add(&generated_now.runs, 1);
	return lcfg_emit(out, "__global__ void k(float *x, int n) {}\n");
}

lcfg_dispatcher_desc desc_of(world *w, lcfg_generator generate)
{
	return (lcfg_dispatcher_desc){.struct_size = sizeof(lcfg_dispatcher_desc),
		.driver = w->driver,
		.name = "k",
		.generate = generate,
		.revision = "1",
		.specialised = 1,
		.signature = float_ptr_int,
		.cache = w->cache};
}

lcfg_dispatcher *dispatcher_of(world *w, const lcfg_dispatcher_desc *desc)
{
	lcfg_dispatcher *d = NULL;
	assert_ok(w, lcfg_dispatcher_new(&d, desc, &w->err));
	return d;
}

lcfg_dispatcher *dispatcher_new(world *w, lcfg_generator generate)
{
	lcfg_dispatcher_desc desc = desc_of(w, generate);
	lcfg_dispatcher_free(w->dispatcher);
	w->dispatcher = dispatcher_of(w, &desc);
	return w->dispatcher;
}

lcfg_config *config_of(world *w, unsigned block)
{
	lcfg_shape shape = {.grid = {1, 1, 1}, .block = {block, 1, 1}};
	lcfg_config *config = NULL;
	assert_ok(w, lcfg_configure(&config, w->dispatcher, &shape, &w->err));
	return config;
}

int launch_block(world *w, unsigned block)
{
	void *pointer = NULL;
	int n = 3;
	void *args[] = {&pointer, &n};
	lcfg_config *config = config_of(w, block);
	int rc = lcfg_launch(config, args, &w->err);
	lcfg_config_free(config);
	return rc;
}

/* nftw takes no argument of ours */
static size_t walk_count;
static uint64_t walk_sum;
static char *walk_path;

static int visit(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)ftw;
	if (type != FTW_F)
		return 0;
	walk_count++;
	if (!walk_path)
		walk_path = strdup(path);
	uint64_t h = (uint64_t)st->st_mtim.tv_sec * 1000000007u + (uint64_t)st->st_mtim.tv_nsec +
		     (uint64_t)st->st_size * 31u;
	for (const char *p = path; *p; p++)
		h = (h ^ (unsigned char)*p) * 1099511628211u;
	walk_sum += h;
	return 0;
}

static void walk(const world *w, const char *kind)
{
	char dir[160];
	snprintf(dir, sizeof(dir), "%s/cache/v1/%s", w->dir, kind);
	walk_count = 0;
	walk_sum = 0;
	walk_path = NULL;
	nftw(dir, visit, 16, FTW_PHYS);
}

size_t count_files(const world *w, const char *kind)
{
	walk(w, kind);
	free(walk_path);
	return walk_count;
}

uint64_t cache_fingerprint(const world *w)
{
	walk(w, "");
	free(walk_path);
	return walk_sum;
}

char *any_file(const world *w, const char *kind)
{
	walk(w, kind);
	return walk_path;
}

int read_file(void **data, size_t *size, const char *path)
{
	FILE *f = fopen(path, "r");
	if (!f || fseek(f, 0, SEEK_END))
		return -1;
	*size = (size_t)ftell(f);
	*data = malloc(*size + 1);
	rewind(f);
	size_t n = fread(*data, 1, *size, f);
	fclose(f);
	return n == *size ? 0 : -1;
}

void copy_file(const char *to, const char *from)
{
	void *data = NULL;
	size_t size = 0;
	assert_int_equal(read_file(&data, &size, from), 0);
	unlink(to);
	FILE *f = fopen(to, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(data, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
	free(data);
}
