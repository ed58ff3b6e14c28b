/* What must hold of kernels that are sensitive to the launch config: a test a row. */
#include <sys/stat.h>
#include <unistd.h>

#include "support.h"

#include "dispatcher.h"

static lcfg_stats stats_at(world *w, unsigned block)
{
	lcfg_key key = {{1, 1, 1}, {block, 1, 1}, 0};
	lcfg_stats stats = {0};
	lcfg_dispatcher_stats_of(&stats, w->dispatcher, float_ptr_int, &key);
	return stats;
}

static unsigned default_block(world *w)
{
	lcfg_key key = {0};
	return lcfg_dispatcher_default_key(&key, w->dispatcher) ? key.block.x : 0;
}

static int count_run(const lcfg_config *config, const lcfg_args *args, void *data, lcfg_error *err)
{
	(void)config;
	(void)args;
	(void)err;
	++*(int *)data;
	return 0;
}

WORLD_TEST(the_first_launch_of_a_marking_kernel_compiles_once_and_sets_the_default)
{
	world *w = *state;
	lcfg_dispatcher *d = dispatcher_new(w, generate_by_block);
	assert_ok(w, launch_block(w, 32));
	assert_int_equal(w->nvrtc->compiles, 1);
	assert_int_equal(count_files(w, "entries"), 1);
	assert_int_equal(count_files(w, "markers"), 1);
	assert_true(lcfg_dispatcher_is_sensitive(d));
	assert_int_equal(default_block(w), 32);
	assert_has(last_launch(w)->image, "BLOCK 32");
	assert_int_equal(last_launch(w)->block.x, 32);
}

WORLD_TEST(the_same_config_again_is_a_memory_hit_and_runs_callbacks)
{
	world *w = *state;
	int runs = 0;
	dispatcher_new(w, generate_by_block);
	lcfg_config *config = config_of(w, 32);
	assert_ok(w, lcfg_callback_add(config, count_run, &runs, &w->err));
	assert_ok(w, launch_block(w, 32));
	assert_ok(w, launch_block(w, 32));
	assert_int_equal(w->nvrtc->compiles, 1);
	assert_int_equal(generated_now.runs, 1);
	assert_null(lcfg_current_config());
	assert_null(lcfg_current_args());
	assert_int_equal(runs, 2);
	assert_int_equal(w->cuda->launches, 2);
	lcfg_config_free(config);
}

WORLD_TEST(a_second_config_gets_a_child_and_a_kernel_of_its_own)
{
	world *w = *state;
	lcfg_dispatcher *d = dispatcher_new(w, generate_by_block);
	assert_ok(w, launch_block(w, 32));
	assert_ok(w, launch_block(w, 64));
	assert_int_equal(lcfg_dispatcher_child_count(d), 1);
	assert_int_equal(generated_now.runs, 2);
	assert_int_equal(count_files(w, "entries"), 2);
	assert_int_equal(count_files(w, "markers"), 1);
	assert_has(last_launch(w)->image, "BLOCK 64");
	assert_ok(w, launch_block(w, 32));
	assert_has(last_launch(w)->image, "BLOCK 32");
	assert_int_equal(w->nvrtc->compiles, 2);
	assert_int_equal(default_block(w), 32);
}

WORLD_TEST(a_new_process_finds_both_on_disk_and_touches_no_file)
{
	world *w = *state;
	dispatcher_new(w, generate_by_block);
	assert_ok(w, launch_block(w, 32));
	assert_ok(w, launch_block(w, 64));
	uint64_t before = cache_fingerprint(w);
	world_restart(w);
	dispatcher_new(w, generate_by_block);
	assert_ok(w, launch_block(w, 32));
	assert_has(last_launch(w)->image, "BLOCK 32");
	assert_ok(w, launch_block(w, 64));
	assert_has(last_launch(w)->image, "BLOCK 64");
	assert_int_equal(w->nvrtc->compiles, 0);
	assert_int_equal(w->nvrtc->openings, 0);
	assert_int_equal(generated_now.runs, 0);
	assert_int_equal(stats_at(w, 32).disk_hits, 1);
	assert_int_equal(stats_at(w, 64).disk_hits, 1);
	assert_int_equal(stats_at(w, 32).disk_misses, 0);
	assert_int_equal(stats_at(w, 64).disk_misses, 0);
	assert_true(cache_fingerprint(w) == before);
}

WORLD_TEST(a_new_process_that_starts_with_the_other_config_sees_the_marker)
{
	world *w = *state;
	dispatcher_new(w, generate_by_block);
	assert_ok(w, launch_block(w, 32));
	world_restart(w);
	lcfg_dispatcher *d = dispatcher_new(w, generate_by_block);
	assert_ok(w, launch_block(w, 64));
	assert_int_equal(w->nvrtc->compiles, 1);
	assert_int_equal(stats_at(w, 64).disk_misses, 1);
	assert_has(last_launch(w)->image, "BLOCK 64");
	assert_int_equal(default_block(w), 64);
	assert_ok(w, launch_block(w, 32));
	assert_has(last_launch(w)->image, "BLOCK 32");
	assert_int_equal(w->nvrtc->compiles, 1);
	assert_int_equal(stats_at(w, 32).disk_hits, 1);
	assert_int_equal(lcfg_dispatcher_child_count(d), 1);
}

WORLD_TEST(a_kernel_that_is_not_sensitive_serves_every_config)
{
	world *w = *state;
	lcfg_dispatcher *d = dispatcher_new(w, generate_plain);
	assert_ok(w, launch_block(w, 32));
	assert_ok(w, launch_block(w, 64));
	assert_int_equal(w->nvrtc->compiles, 1);
	assert_int_equal(count_files(w, "markers"), 0);
	assert_int_equal(count_files(w, "entries"), 1);
	assert_int_equal(lcfg_dispatcher_child_count(d), 0);
	assert_false(lcfg_dispatcher_is_sensitive(d));
	assert_int_equal(w->cuda->loads, 1);
	assert_int_equal(last_launch(w)->block.x, 64);
}

/* Marks the one entry on disk as sensitive, under the key of one that is not. */
static void forge_sensitive_entry(world *w)
{
	char *path = any_file(w, "entries");
	void *data = NULL;
	size_t size = 0;
	assert_non_null(path);
	assert_int_equal(read_file(&data, &size, path), 0);
	lcfg_digest key;
	const char *hex = strrchr(path, '/') + 1;
	for (int i = 0; i < 32; i++) {
		char two[3] = {hex[2 * i], hex[2 * i + 1], 0};
		key.bytes[i] = (uint8_t)strtoul(two, NULL, 16);
	}
	lcfg_binary binary = {0};
	assert_int_equal(lcfg_entry_decode(&binary, &key, data, size), 0);
	assert_false(binary.sensitive);
	binary.sensitive = 1;
	assert_int_equal(lcfg_cache_store(w->cache, &key, &binary, NULL), 0);
	lcfg_binary_dispose(&binary);
	free(data);
	free(path);
}

WORLD_TEST(a_sensitive_entry_without_its_marker_is_not_trusted)
{
	world *w = *state;
	dispatcher_new(w, generate_plain);
	assert_ok(w, launch_block(w, 32));
	forge_sensitive_entry(w);
	world_restart(w);
	lcfg_dispatcher *d = dispatcher_new(w, generate_plain);
	assert_ok(w, launch_block(w, 64));
	assert_int_equal(w->nvrtc->compiles, 1);
	assert_int_equal(count_files(w, "markers"), 1);
	assert_true(lcfg_dispatcher_is_sensitive(d));
	/* the unsafe one is gone, the new one is under its LC key */
	assert_int_equal(count_files(w, "entries"), 1);
	world_restart(w);
	dispatcher_new(w, generate_plain);
	assert_ok(w, launch_block(w, 64));
	assert_int_equal(w->nvrtc->compiles, 0);
}

WORLD_TEST(a_lost_marker_is_written_again)
{
	world *w = *state;
	dispatcher_new(w, generate_by_block);
	assert_ok(w, launch_block(w, 32));
	char *marker = any_file(w, "markers");
	assert_int_equal(unlink(marker), 0);
	free(marker);
	world_restart(w);
	dispatcher_new(w, generate_by_block);
	assert_ok(w, launch_block(w, 64));
	assert_has(last_launch(w)->image, "BLOCK 64");
	assert_int_equal(count_files(w, "markers"), 1);
}

WORLD_TEST(without_its_marker_a_dispatcher_caches_nothing_and_still_launches)
{
	world *w = *state;
	char path[160];
	/* a file where the directory of the markers should be */
	snprintf(path, sizeof(path), "%s/cache", w->dir);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/cache/v1", w->dir);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/cache/v1/markers", w->dir);
	fclose(fopen(path, "w"));
	lcfg_dispatcher *d = dispatcher_new(w, generate_by_block);
	char reason[256] = "";
	assert_true(lcfg_dispatcher_is_caching(d, NULL, 0));
	assert_ok(w, launch_block(w, 32));
	assert_false(lcfg_dispatcher_is_caching(d, reason, sizeof(reason)));
	assert_has(reason, "cannot write the marker");
	assert_ok(w, launch_block(w, 64));
	assert_int_equal(count_files(w, "entries"), 0);
	assert_int_equal(w->cuda->launches, 2);
	assert_has(last_launch(w)->image, "BLOCK 64");
}

WORLD_TEST(compiling_a_sensitive_kernel_ahead_of_time_is_refused)
{
	world *w = *state;
	lcfg_dispatcher *d = dispatcher_new(w, generate_by_block);
	assert_refused(
		w, lcfg_compile(d, float_ptr_int, &w->err), LCFG_ENOCONFIG, "no launch config set");
	/* also when it has been launched */
	assert_ok(w, launch_block(w, 32));
	assert_refused(
		w, lcfg_compile(d, float_ptr_int, &w->err), LCFG_ENOCONFIG, "no launch config set");
	assert_null(lcfg_current_config());
}

static int say_42(const lcfg_config *config, const lcfg_args *args, void *data, lcfg_error *err)
{
	(void)config;
	*(const lcfg_args **)data = args;
	assert_ptr_equal(lcfg_current_args(), args);
	return lcfg_fail(err, 42, "not today");
}

WORLD_TEST(a_callbacks_error_aborts_the_launch_and_restores_the_slots)
{
	world *w = *state;
	const lcfg_args *seen = NULL;
	dispatcher_new(w, generate_by_block);
	lcfg_config *config = config_of(w, 32);
	assert_ok(w, lcfg_callback_add(config, say_42, &seen, &w->err));
	assert_refused(w, launch_block(w, 32), 42, "not today");
	assert_non_null(seen);
	assert_null(lcfg_current_args());
	assert_null(lcfg_current_config());
	assert_int_equal(w->cuda->launches, 0);
	/* compiled all the same: callbacks come after that */
	assert_int_equal(w->nvrtc->compiles, 1);
	assert_ok(w, lcfg_callback_remove(config, say_42, &seen, &w->err));
	assert_ok(w, launch_block(w, 32));
	lcfg_config_free(config);
}

WORLD_TEST(an_edited_source_does_not_inherit_the_marker)
{
	world *w = *state;
	dispatcher_new(w, generate_by_block);
	assert_ok(w, launch_block(w, 32));
	world_restart(w);
	lcfg_dispatcher_desc desc = desc_of(w, generate_plain);
	desc.revision = "2";
	w->dispatcher = dispatcher_of(w, &desc);
	assert_ok(w, launch_block(w, 32));
	assert_ok(w, launch_block(w, 64));
	assert_false(lcfg_dispatcher_is_sensitive(w->dispatcher));
	assert_int_equal(w->nvrtc->compiles, 1);
}
