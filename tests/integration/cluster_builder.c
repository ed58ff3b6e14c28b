/* What a node answers to orders of a run that builds there. No cluster is needed. */
#include "test.h"

#include <unistd.h>

#include "base/manifest.h"
#include "base/mem.h"
#include "base/base.h"
#include "cluster/node.h"

typedef struct place {
	char dir[64];
	char *tree, *log;
	ba_buf answer;
} place;

static int setup(void **state)
{
	place *p = ba_xcalloc(1, sizeof(*p));
	p->answer = (ba_buf)BA_BUF_INIT;
	strcpy(p->dir, "/tmp/ba-node-XXXXXX");
	if (!mkdtemp(p->dir))
		return -1;
	p->tree = ba_path_join(p->dir, "tree");
	p->log = ba_path_join(p->dir, "logs/tree.log");
	*state = p;
	return ba_fs_mkdirs(p->tree, NULL);
}

static int teardown(void **state)
{
	place *p = *state;
	ba_fs_remove_tree(p->dir, NULL);
	ba_buf_dispose(&p->answer);
	free(p->tree);
	free(p->log);
	free(p);
	return 0;
}

static void serve(place *p, const char *order)
{
	ba_buf_truncate(&p->answer, 0);
	ba_node_serve_build(&p->answer, order, strlen(order));
}

/* the shell command in the tree */
static void build(place *p, const char *tree, const char *command)
{
	BA_AUTO_FREE char *order = ba_xprintf(
		"{\"recipe\": {\"commands\": [{\"argv\": [\"sh\", \"-c\", \"%s\"]}], \"base\": [\"PATH=/usr/bin:/bin\"], \"passed\": [\"WORD=passed\"]}, \"parallel\": 1, \"tmp_root\": \"%s\", \"artefacts\": [\"made\"], \"jobs\": [{\"label\": \"v1\", \"dir\": \"%s\", \"log_path\": \"%s\", \"kept\": true}]}",
		command, p->dir, tree, p->log);
	serve(p, order);
}

TEST_WITH(a_damaged_order_is_an_error_in_the_answer, setup, teardown)
{
	place *p = *state;
	static const char *const orders[] = {"", "{", "[]", "{}", "{\"recipe\": {}}",
		"{\"recipe\": {\"commands\": 3}}", "{\"recipe\": {\"commands\": [{}]}}",
		"{\"recipe\": {\"commands\": [{\"argv\": []}]}}",
		"{\"recipe\": {\"commands\": [{\"argv\": [1]}]}}",
		"{\"recipe\": {\"commands\": []}, \"jobs\": [1]}",
		"{\"recipe\": {\"commands\": []}, \"jobs\": 1}",
		"{\"recipe\": {\"commands\": []}, \"parallel\": -1}"};
	for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++) {
		serve(p, orders[i]);
		assert_has(p->answer.data, "{\"error\":");
		assert_has(p->answer.data, "\"code\":");
	}
}

TEST_WITH(the_toolchain_is_that_of_the_node, setup, teardown)
{
	place *p = *state;
	BA_AUTO_FREE char *tool = ba_path_join(p->dir, "nodecc");
	BA_AUTO_FREE char *order = ba_xprintf(
		"{\"recipe\": {\"commands\": [{\"argv\": [\"nodecc\"]}], \"base\": [\"PATH=%s\"]}}",
		p->dir);
	assert_int_equal(ba_fs_write(tool, "one", 3, 0700, NULL), 0);
	serve(p, order);
	assert_has(p->answer.data, "\"toolchain\":");
	BA_AUTO_FREE char *first = ba_xstrdup(p->answer.data);
	assert_int_equal(ba_fs_write(tool, "two", 3, 0700, NULL), 0);
	serve(p, order);
	assert_has(p->answer.data, "\"toolchain\":");
	assert_string_not_equal(p->answer.data, first);
}

TEST_WITH(a_tree_is_built_with_the_environment_of_the_order, setup, teardown)
{
	place *p = *state;
	BA_AUTO(ba_manifest) ba_manifest m = {0};
	BA_AUTO(ba_buf) ba_buf made = BA_BUF_INIT;
	BA_AUTO_FREE char *file = ba_path_join(p->tree, "made");
	char sha256[65];
	build(p, p->tree, "echo $WORD >made");
	assert_has(p->answer.data, "\"built\":true");
	assert_int_equal(ba_manifest_scan(&m, p->tree, NULL, NULL, NULL), 0);
	ba_manifest_digest(sha256, &m, NULL, NULL);
	assert_has(p->answer.data, sha256);
	assert_int_equal(ba_fs_read(&made, file, 100, NULL), 0);
	assert_string_equal(made.data, "passed\n");
}

TEST_WITH(a_build_that_fails_says_what_it_printed, setup, teardown)
{
	place *p = *state;
	build(p, p->tree, "echo no such header; exit 3");
	assert_has(p->answer.data, "\"built\":false");
	assert_has(p->answer.data, "exited with status 3");
	assert_has(p->answer.data, "no such header");
	assert_has(p->answer.data, p->log);
	build(p, p->tree, "true");
	assert_has(p->answer.data, "\"built\":false");
	assert_has(p->answer.data, "made");
}

TEST_WITH(a_node_that_does_not_see_the_tree_says_so, setup, teardown)
{
	place *p = *state;
	build(p, "/tmp/ba-not-there/tree", "true");
	assert_has(p->answer.data, "\"error\":");
	assert_has(p->answer.data,
		"does not see '/tmp/ba-not-there/tree': choose a --cache-dir that all nodes see");
}
