/*
 * What the tests of launchcfg share: a world with the fake driver, the fake compiler
 * and a cache directory of its own.
 */
#ifndef TESTS_LAUNCHCFG_SUPPORT_H
#define TESTS_LAUNCHCFG_SUPPORT_H

#include "test.h"

#include "fake.h"
#include "launchcfg/launchcfg.h"

typedef struct world {
	char dir[64]; /* temporary; the cache is dir/cache */
	lcfg_driver *driver;
	lcfg_cache *cache;
	lcfg_dispatcher *dispatcher;
	lcfg_error err;
	fake_driver *cuda;
	fake_nvrtc *nvrtc;
} world;

/* cmocka's setup and teardown; *state is a world. Teardown checks that every module was
 * unloaded and every program destroyed. */
int world_setup(void **state);
int world_teardown(void **state);

/* A test in a world of its own. */
#define WORLD_TEST(name) TEST_WITH(name, world_setup, world_teardown)

/* Everything the library remembers goes, as in a new process; the directory stays. */
void world_restart(world *w);

/* What the generators below were asked. */
typedef struct generated {
	atomic_int runs;
	lcfg_shape seen; /* the config of the last run; block.x 0: there was none */
} generated;
extern generated generated_now;

/* Writes a kernel 'k' that depends on block.x; reading the config marks it. */
int generate_by_block(lcfg_source *out, const lcfg_generation *what, lcfg_error *err);
/* Writes one that does not look at the config. */
int generate_plain(lcfg_source *out, const lcfg_generation *what, lcfg_error *err);

/* A dispatcher of kernel 'k' by generator, specialised for (float *, int), with the
 * world's cache and revision "1". Freed by restart and teardown. */
lcfg_dispatcher *dispatcher_new(world *w, lcfg_generator generate);
lcfg_dispatcher_desc desc_of(world *w, lcfg_generator generate);
/* from a description; the world does not free it */
lcfg_dispatcher *dispatcher_of(world *w, const lcfg_dispatcher_desc *desc);
/* one block of so many threads */
lcfg_config *config_of(world *w, unsigned block);
/* configure, launch with two arguments, free; returns what launch said */
int launch_block(world *w, unsigned block);

extern const lcfg_signature float_ptr_int;

/* The launch that the driver saw last, in any thread. */
const fake_launch *last_launch(world *w);

/* Files below dir/cache/v1/<kind>, in any depth. */
size_t count_files(const world *w, const char *kind);
/* Sum over names and times of change: equal, if nothing was touched. */
uint64_t cache_fingerprint(const world *w);
/* The path of one file there; the caller frees. NULL: none. */
char *any_file(const world *w, const char *kind);

/* All of a file, malloc'd; 0, or -1. */
int read_file(void **data, size_t *size, const char *path);
/* Makes a copy of a file. */
void copy_file(const char *to, const char *from);

#define assert_ok(w, call) assert_ok_at((call), &(w)->err, __FILE__, __LINE__)
void assert_ok_at(int rc, const lcfg_error *err, const char *file, int line);
/* rc is code, and so is err.code, and the sentence has the needle */
#define assert_refused(w, call, code, needle) \
	assert_refused_at((call), (code), (needle), &(w)->err, __FILE__, __LINE__)
void assert_refused_at(
	int rc, int code, const char *needle, const lcfg_error *err, const char *file, int line);

#endif
