/* Workers in sandboxes: each sees its own variant, and is where the host wants it. */
#include "test.h"

#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/base.h"
#include "engine/box.h"
#include "engine/engine.h"
#include "engine/row.h"
#include "proc/affinity.h"

#define ROOT BA_BINARY_DIR "/tests/box-XXXXXX"
#define LIBRARY BA_BINARY_DIR "/tests/suites/cost100.so"
#define WORKER BA_BINARY_DIR "/libexec/bench-against/bench-against-worker"
#define DRIVER BA_BINARY_DIR "/lib/bench-against/host/libcuda.so.1"

typedef struct pair {
	char *root, *scratch;
	ba_variant variants[2];
	char *libraries[2];
	ba_sandbox sandbox;
	ba_engine_spec spec;
} pair;

static int set_up(void **state)
{
	ba_error err;
	if (ba_sandbox_available(&err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(strstr(err.text, "not installed") ? 1 : 77);
	}
	pair *p = ba_xcalloc(1, sizeof(*p));
	p->root = ba_xstrdup(ROOT);
	if (!mkdtemp(p->root))
		return -1;
	p->scratch = ba_path_join(p->root, "run");
	for (size_t v = 0; v < 2; v++) {
		char *dir = ba_xprintf("%s/trees/%zu", p->root, v);
		p->variants[v] =
			(ba_variant){.label = (char *)(v ? "new" : "old"), .tree_dir = dir};
		p->libraries[v] = ba_path_join(dir, "launcher.so");
		if (ba_fs_mkdirs(dir, NULL) || ba_fs_copy(p->libraries[v], LIBRARY, NULL))
			return -1;
	}
	p->spec = (ba_engine_spec){.kind = BA_ENGINE_SPLIT,
		.target = "host",
		.worker = WORKER,
		.driver = DRIVER,
		.cpu = -1,
		.idle_limit_ns = 60 * BA_SECOND,
		.suite = BA_SUITE_LAUNCHER,
		.variant_count = 2,
		.variants = p->variants,
		.libraries = (const char *const *)p->libraries,
		.scratch = p->scratch,
		.sandbox = &p->sandbox};
	*state = p;
	return 0;
}

static int tear_down(void **state)
{
	pair *p = *state;
	ba_fs_remove_tree(p->root, NULL);
	for (size_t v = 0; v < 2; v++) {
		free(p->variants[v].tree_dir);
		free(p->libraries[v]);
	}
	free(p->scratch);
	free(p->root);
	free(p);
	return 0;
}
TEST_GROUP(set_up, tear_down);

static ba_engine *open_all(const pair *p, ba_survey *survey)
{
	static const bool all[] = {true, true};
	ba_error err;
	BA_AUTO(ba_failure) ba_failure failure = {.err = &err};
	ba_engine *e = NULL;
	if (ba_engine_open(&e, &p->spec, all, false, survey, &failure))
		fail_msg("%s", err.text);
	return e;
}

/* Does the slot's worker see the path? */
static bool sees(const ba_engine *e, size_t slot, const char *path)
{
	BA_AUTO_FREE char *inside =
		ba_xprintf("/proc/%ld/root%s", ba_link_pid(e->slots[slot].link), path);
	return access(inside, F_OK) == 0;
}

/* the value of a line of /proc/PID/status; caller frees */
static char *status_of(const ba_engine *e, size_t slot, const char *key)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO_FREE char *path = ba_xprintf("/proc/%ld/status", ba_link_pid(e->slots[slot].link));
	assert_int_equal(ba_fs_read(&text, path, 1 << 16, NULL), 0);
	const char *line = strstr(text.data, key);
	assert_non_null(line);
	line += strlen(key) + 1 + strspn(line + strlen(key) + 1, "\t ");
	return ba_xstrndup(line, strcspn(line, "\n"));
}

TEST(each_worker_sees_its_own_variant)
{
	const pair *p = *state;
	BA_AUTO_FREE char *cache = ba_path_join(p->root, "secret");
	assert_int_equal(ba_fs_write(cache, "x", 1, 0644, NULL), 0);
	BA_AUTO_PTR(ba_engine) ba_engine *e = open_all(p, NULL);
	assert_int_equal(e->slot_count, 2);
	for (size_t i = 0; i < 2; i++) {
		BA_AUTO_FREE char *mine = ba_box_folder(p->scratch, i);
		BA_AUTO_FREE char *other = ba_box_folder(p->scratch, !i);
		assert_true(sees(e, i, p->libraries[i]));
		assert_false(sees(e, i, p->libraries[!i]));
		assert_false(sees(e, i, cache));
		assert_true(sees(e, i, mine));
		assert_false(sees(e, i, other));
		BA_AUTO_FREE char *seccomp = status_of(e, i, "Seccomp");
		BA_AUTO_FREE char *capabilities = status_of(e, i, "CapEff");
		assert_string_equal(seccomp, "2");
		assert_string_equal(capabilities, "0000000000000000");
	}
	ba_engine_close(e);
}

TEST(shared_worker_sees_all_of_its_variants)
{
	pair *p = *state;
	p->spec.kind = BA_ENGINE_DUET;
	BA_AUTO_PTR(ba_engine) ba_engine *e = open_all(p, NULL);
	assert_int_equal(e->slot_count, 1);
	assert_true(sees(e, 0, p->libraries[0]) && sees(e, 0, p->libraries[1]));
	ba_engine_close(e);
	p->spec.kind = BA_ENGINE_SPLIT;
}

TEST(host_chooses_the_processor)
{
	pair *p = *state;
	p->spec.cpu = ba_affinity_nth(0, -1);
	BA_AUTO_FREE char *expected = ba_xprintf("%d", p->spec.cpu);
	BA_AUTO_PTR(ba_engine) ba_engine *e = open_all(p, NULL);
	for (size_t i = 0; i < 2; i++) {
		BA_AUTO_FREE char *list = status_of(e, i, "Cpus_allowed_list");
		assert_string_equal(list, expected);
	}
	ba_engine_close(e);
	p->spec.cpu = -1;
}

TEST(machine_is_examined_from_outside)
{
	const pair *p = *state;
	BA_AUTO(ba_survey) ba_survey s = {.variant_count = 2};
	s.variants = ba_xcalloc(2, sizeof(*s.variants));
	BA_AUTO_PTR(ba_engine) ba_engine *e = open_all(p, &s);
	char name[256] = "";
	gethostname(name, sizeof(name) - 1);
	assert_string_equal(s.env.host_name, name);
	assert_int_equal(s.variants[0].paths.count, s.variants[1].paths.count);
	assert_true(s.variants[0].paths.count > 0);
	ba_engine_close(e);
}

TEST(programs_that_look_into_workers_are_refused)
{
	pair *p = *state;
	static const char *const wrapper[] = {"ncu", NULL};
	static const bool all[] = {true, true};
	ba_error err;
	BA_AUTO(ba_failure) ba_failure failure = {.err = &err};
	ba_engine *e = NULL;
	p->spec.wrapper = wrapper;
	assert_int_equal(ba_engine_open(&e, &p->spec, all, false, NULL, &failure), BA_EUNSUPPORTED);
	assert_string_equal(err.text, "'ncu' cannot look into a sandbox");
	p->spec.wrapper = NULL;
}
