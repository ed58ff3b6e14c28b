/* The exchange: what a coordinator and members write is what the others read. */
#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "example_result.h"
#include "cluster/exchange.h"

typedef struct fixture {
	char dir[64], *path;
	ba_result r;
	ba_error err;
} fixture;

static int setup(void **state)
{
	fixture *f = ba_xcalloc(1, sizeof(*f));
	strcpy(f->dir, "/tmp/ba-desk-XXXXXX");
	if (!mkdtemp(f->dir))
		return -1;
	f->path = ba_path_join(f->dir, "desk");
	const double ratios[] = {1.0};
	const ba_verdict verdicts[] = {BA_VERDICT_UNCHANGED};
	example_begin(&f->r, 2);
	example_launch_suite(&f->r, ratios, verdicts);
	*state = f;
	return ba_exchange_create(f->path, &f->err);
}

static int teardown(void **state)
{
	fixture *f = *state;
	ba_fs_remove_tree(f->dir, NULL);
	free(f->path);
	ba_result_dispose(&f->r);
	free(f);
	return 0;
}

#define OK(call)                                     \
	do {                                         \
		if (call)                            \
			fail_msg("%s", f->err.text); \
	} while (0)

/* ---- the directory ---- */

static void refuses(fixture *f, const char *path, const char *why)
{
	assert_int_equal(ba_exchange_check(path, &f->err), BA_EIO);
	assert_non_null(strstr(f->err.text, why));
}

TEST_WITH(a_desk_of_others_is_refused, setup, teardown)
{
	fixture *f = *state;
	BA_AUTO_FREE char *link = ba_path_join(f->dir, "link");
	OK(ba_exchange_check(f->path, &f->err));
	assert_int_equal(symlink(f->path, link), 0);
	refuses(f, link, "is not a directory");
	assert_int_equal(chmod(f->path, 0770), 0);
	refuses(f, f->path, "other users can write");
	assert_int_equal(chmod(f->path, 0700), 0);
	if (geteuid() == 0) {
		assert_int_equal(chown(f->path, 12345, (gid_t)-1), 0);
		refuses(f, f->path, "belongs to user 12345");
	}
}

/* ---- orders ---- */

TEST_WITH(orders_are_read_as_they_were_written, setup, teardown)
{
	fixture *f = *state;
	uint64_t numbers[] = {4, 7};
	ba_order members[] = {{.member = (char *)"gpu0", .numbers = numbers, .count = 2},
		{.member = (char *)"gpu1", .end = true}};
	ba_orders o = {.epoch = 1,
		.looks = 2,
		.open = (char *)"101",
		.members = members,
		.member_count = 2};
	ba_strv_push(&o.split, "launch");
	ba_strv_push(&o.busy, "node1 3");
	BA_AUTO(ba_orders) ba_orders back = {0};
	assert_int_equal(ba_exchange_read_orders(&back, f->path, &f->err), BA_ENOTFOUND);
	assert_int_equal(ba_exchange_orders_version(f->path), 0);
	OK(ba_exchange_write_orders(f->path, &o, &f->err));
	assert_true(ba_exchange_orders_version(f->path) > 0);
	OK(ba_exchange_read_orders(&back, f->path, &f->err));
	assert_false(back.end);
	assert_int_equal(back.epoch, 1);
	assert_int_equal(back.looks, 2);
	assert_string_equal(back.open, "101");
	assert_string_equal(back.split.items[0], "launch");
	assert_string_equal(back.busy.items[0], "node1 3");
	const ba_order *first = ba_orders_of(&back, "gpu0");
	assert_int_equal(first->count, 2);
	assert_int_equal(first->numbers[1], 7);
	assert_true(ba_orders_of(&back, "gpu1")->end);
	assert_null(ba_orders_of(&back, "gpu2"));
	ba_strv_dispose(&o.split);
	ba_strv_dispose(&o.busy);
}

/* ---- members ---- */

TEST_WITH(members_say_who_they_are_and_why_they_left, setup, teardown)
{
	fixture *f = *state;
	BA_AUTO(ba_member)
	ba_member m = {.id = ba_xstrdup("gpu1"), .cpu = -1, .beat = 9};
	BA_AUTO(ba_member_list) ba_member_list none = {0}, list = {0}, gone = {0};
	ba_origin_init(&m.origin, "GPU 1", &f->r.run.env, 5);
	OK(ba_exchange_read_members(&none, f->path, &f->err));
	assert_int_equal(none.count, 0);
	OK(ba_exchange_write_member(f->path, &m, &f->err));
	OK(ba_exchange_read_members(&list, f->path, &f->err));
	assert_int_equal(list.count, 1);
	assert_string_equal(list.items[0].origin.name, "GPU 1");
	assert_string_equal(list.items[0].origin.device_uuid, f->r.run.env.device_uuid);
	assert_int_equal(list.items[0].origin.seed, 5);
	assert_int_equal(list.items[0].beat, 9);
	assert_int_equal(list.items[0].cpu, -1);
	assert_null(list.items[0].origin.left);
	m.origin.left = ba_xstrdup("its clock is held down");
	OK(ba_exchange_write_member(f->path, &m, &f->err));
	OK(ba_exchange_read_members(&gone, f->path, &f->err));
	assert_string_equal(gone.items[0].origin.left, "its clock is held down");
}

/* One file is not the end of a run. */
TEST_WITH(a_damaged_file_is_a_member_that_left, setup, teardown)
{
	fixture *f = *state;
	static const char *const texts[] = {"", "{\"id\": \"gpu7\"}", "[]"};
	BA_AUTO(ba_member) ba_member m = {.id = ba_xstrdup("gpu8"), .cpu = -1};
	BA_AUTO_FREE char *path = ba_path_join(f->path, "members/gpu7.json");
	ba_origin_init(&m.origin, "GPU 8", &f->r.run.env, 5);
	OK(ba_exchange_write_member(f->path, &m, &f->err));
	for (size_t i = 0; i < BA_COUNT(texts); i++) {
		BA_AUTO(ba_member_list) ba_member_list list = {0};
		OK(ba_fs_write(path, texts[i], strlen(texts[i]), 0600, &f->err));
		OK(ba_exchange_read_members(&list, f->path, &f->err));
		assert_int_equal(list.count, 2);
		assert_true(list.items[0].damaged);
		assert_string_equal(list.items[0].id, "gpu7");
		assert_string_equal(list.items[0].origin.name, "gpu7");
		assert_has(list.items[0].origin.left, "members/gpu7.json");
		assert_false(list.items[1].damaged);
		assert_string_equal(list.items[1].origin.name, "GPU 8");
	}
}

TEST_WITH(an_id_that_leads_elsewhere_is_refused, setup, teardown)
{
	fixture *f = *state;
	static const char *const ids[] = {"../gpu0", "a/b", "", ".hidden", "a b"};
	for (size_t i = 0; i < BA_COUNT(ids); i++) {
		ba_member m = {.id = (char *)ids[i]};
		assert_int_equal(ba_exchange_write_member(f->path, &m, &f->err), BA_EINVAL);
	}
}

/* ---- invocations ---- */

static void measure(fixture *f, const char *member, unsigned number, bool whole)
{
	BA_AUTO(ba_fingerprint) ba_fingerprint terms = {0};
	BA_AUTO(ba_strv) ba_strv argv = {0};
	BA_AUTO_PTR(ba_journal) ba_journal *j = NULL;
	BA_AUTO_FREE char *path = ba_exchange_work_path(f->path, member);
	ba_samples *samples = f->r.series[0].samples;
	unsigned was = samples->invocation;
	ba_checkpoint c = {.samples = 1};
	ba_strv_push(&argv, "bench-against");
	ba_fingerprint_add(&terms, "the member", ba_xstrdup(member));
	OK(ba_journal_create(&j, NULL, path, &f->err));
	OK(ba_journal_header(j, &f->r, &argv, "/", &terms, &f->err));
	samples->invocation = number;
	OK(ba_journal_samples(j, "launch/a", BA_METRIC_SUBMIT, samples, &f->err));
	samples->invocation = was;
	if (whole)
		OK(ba_journal_invocation(j, number, &c, &f->err));
}

TEST_WITH(an_invocation_is_taken_with_its_number, setup, teardown)
{
	fixture *f = *state;
	bool taken = true;
	BA_AUTO(ba_journal_content) ba_journal_content c = {0};
	assert_int_equal(ba_exchange_take(&c, f->path, 0, 5, &f->err), BA_ENOTFOUND);
	measure(f, "gpu0", 5, true);
	assert_false(ba_exchange_has(f->path, 0, 5));
	OK(ba_exchange_publish(f->path, "gpu0", 0, 5, &taken, &f->err));
	assert_false(taken);
	assert_true(ba_exchange_has(f->path, 0, 5));
	assert_false(ba_exchange_has(f->path, 1, 5));
	OK(ba_exchange_take(&c, f->path, 0, 5, &f->err));
	assert_int_equal(c.resumed.count, 1);
	assert_int_equal(c.resumed.first, 5);
	assert_int_equal(c.resumed.sample_count, 1);
	assert_int_equal(c.resumed.samples[0].samples.invocation, 5);
	assert_string_equal(c.fingerprint.values.items[0], "gpu0");
	OK(ba_exchange_drop(f->path, 0, 5, &f->err));
	assert_false(ba_exchange_has(f->path, 0, 5));
}

TEST_WITH(the_first_of_two_members_wins, setup, teardown)
{
	fixture *f = *state;
	bool taken = false;
	BA_AUTO(ba_journal_content) ba_journal_content c = {0};
	measure(f, "gpu0", 3, true);
	measure(f, "gpu1", 3, true);
	OK(ba_exchange_publish(f->path, "gpu1", 0, 3, &taken, &f->err));
	assert_false(taken);
	OK(ba_exchange_publish(f->path, "gpu0", 0, 3, &taken, &f->err));
	assert_true(taken);
	OK(ba_exchange_take(&c, f->path, 0, 3, &f->err));
	assert_string_equal(c.fingerprint.values.items[0], "gpu1");
}

TEST_WITH(half_an_invocation_or_another_one_does_not_count, setup, teardown)
{
	fixture *f = *state;
	BA_AUTO(ba_journal_content) ba_journal_content c = {0};
	measure(f, "gpu0", 2, false);
	OK(ba_exchange_publish(f->path, "gpu0", 0, 2, NULL, &f->err));
	assert_int_equal(ba_exchange_take(&c, f->path, 0, 2, &f->err), BA_EDATA);
	measure(f, "gpu0", 8, true);
	OK(ba_exchange_publish(f->path, "gpu0", 0, 9, NULL, &f->err));
	assert_int_equal(ba_exchange_take(&c, f->path, 0, 9, &f->err), BA_EDATA);
}

/* ---- the directory ---- */

TEST_WITH(a_desk_that_was_removed_is_not_opened, setup, teardown)
{
	fixture *f = *state;
	assert_int_equal(ba_exchange_create(f->path, &f->err), BA_EIO);
	OK(ba_exchange_check(f->path, &f->err));
	OK(ba_fs_remove_tree(f->path, &f->err));
	assert_int_equal(ba_exchange_check(f->path, &f->err), BA_ENOTFOUND);
}

TEST_WITH(the_plan_is_read_as_it_was_written, setup, teardown)
{
	fixture *f = *state;
	BA_AUTO(ba_exchange_plan)
	ba_exchange_plan plan = {.directory = ba_xstrdup("/here"),
		.seed = 7,
		.variants = ba_xcalloc(1, sizeof(ba_planned_variant)),
		.variant_count = 1};
	BA_AUTO(ba_exchange_plan) ba_exchange_plan back = {0};
	plan.variants[0] = (ba_planned_variant){.failure = ba_xstrdup("no compiler")};
	plan.variants[0].variant.label = ba_xstrdup("v1");
	plan.variants[0].variant.kind = BA_VARIANT_WORKTREE;
	ba_strv_push(&plan.argv, "bench-against");
	ba_fingerprint_add(&plan.terms, "--alpha", ba_xstrdup("0.05"));
	OK(ba_exchange_plan_write(f->path, &plan, &f->err));
	OK(ba_exchange_plan_read(&back, f->path, &f->err));
	assert_string_equal(back.directory, "/here");
	assert_int_equal(back.seed, 7);
	assert_string_equal(back.argv.items[0], "bench-against");
	assert_string_equal(back.terms.values.items[0], "0.05");
	assert_int_equal(back.variant_count, 1);
	assert_string_equal(back.variants[0].variant.label, "v1");
	assert_int_equal(back.variants[0].variant.kind, BA_VARIANT_WORKTREE);
	assert_string_equal(back.variants[0].failure, "no compiler");
}
