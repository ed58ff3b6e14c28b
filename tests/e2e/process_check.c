/* What a variant does to the process that all share: it is noticed and named, and what
 * harms others does not decide. */
#include "e2e.h"

TEST_GROUP(e2e_set_up, NULL);

/* The candidate fails with that sentence, and the gate is not passed. */
static void check_fails(const char *library, const char *sentence)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "good", "cost100");
	e2e_commit(&t, "bad", library);
	e2e_against(&t, "good", "bad");
	assert_status(&t, 125);
	assert_string_equal(e2e_verdict(&t, 1), "failed");
	assert_has(e2e_failure(&t, 1), sentence);
	assert_string_equal(e2e_failure(&t, 0), "");
	e2e_against(&t, "--gate=strict", "good", "bad");
	assert_status(&t, 1);
	e2e_end(&t);
}

/* It is measured in a process of its own, where it harms nobody; the cost is the same. */
static void check_apart(const char *library, const char *sentence)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "good", "cost100");
	e2e_commit(&t, "bad", library);
	e2e_against(&t, "good", "bad");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	assert_string_equal(e2e_text(&t, "engine"), "split");
	assert_has(e2e_text(&t, "engine_reason"), "works alone but not beside");
	assert_has(e2e_text(&t, "engine_reason"), sentence);
	e2e_end(&t);
}

/* Nothing is wrong; a line on the screen may say what it did. */
static void check_allowed(const char *library, const char *sentence)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "good", "cost100");
	e2e_commit(&t, "bad", library);
	e2e_against(&t, "good", "bad");
	assert_status(&t, 0);
	assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	assert_string_equal(e2e_text(&t, "engine"), "duet");
	assert_int_equal(e2e_occurrences(t.err, sentence), 1);
	e2e_end(&t);
}

TEST(who_writes_into_the_code_of_another_fails)
{
	check_fails("patch_other", "changed the code of good ('launcher.so') in prepare()");
}

TEST(who_writes_into_the_code_of_the_tool_fails_alone_too)
{
	static const char sentence[] = "changed the code of 'bench-against-worker' in prepare()";
	check_fails("patch_tool", sentence);
	e2e t = e2e_begin();
	e2e_commit(&t, "good", "cost100");
	e2e_commit(&t, "bad", "patch_tool");
	e2e_against(&t, "--engine", "split", "good", "bad");
	assert_status(&t, 125);
	assert_has(e2e_failure(&t, 1), sentence);
	/* a debugger does the same */
	e2e_env("BENCH_AGAINST_DEBUGGER", "1");
	e2e_against(&t, "good", "bad");
	assert_status(&t, 0);
	e2e_env("BENCH_AGAINST_DEBUGGER", NULL);
	e2e_end(&t);
}

/* Alone it has nothing to patch: the true cost shows. */
TEST(code_that_changes_while_it_is_measured_decides_nothing)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "good", "cost100");
	e2e_commit(&t, "bad", "patch_other_later");
	e2e_against(&t, "good", "bad");
	assert_string_equal(e2e_text(&t, "engine"), "split");
	assert_has(e2e_text(&t, "engine_reason"), "the code of good ('launcher.so') was "
						  "changed while launches were "
						  "measured");
	e2e_end(&t);
}

/* Where the kernel can seal memory the page stays as it is, and there is no harm to be
 * told of. Elsewhere it is as above. */
TEST(a_page_that_is_made_writable_is_noticed_or_cannot_be)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "good", "cost100");
	e2e_commit(&t, "bad", "patch_by_rights");
	e2e_against(&t, "good", "bad");
	if (t.status == 0) {
		assert_string_equal(e2e_verdict(&t, 1), "unchanged");
	} else {
		assert_status(&t, 125);
		assert_has(e2e_failure(&t, 1), "changed the code of good");
	}
	e2e_end(&t);
}

TEST(who_changes_how_it_is_scheduled_fails)
{
	check_fails("change_affinity", "changed the processors that it may run on in open()");
	check_fails("change_priority", "changed its priority in open()");
}

/* also where it is alone: it would gain by it */
TEST(so_it_does_with_a_process_of_its_own)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "good", "cost100");
	e2e_commit(&t, "bad", "change_priority");
	e2e_against(&t, "--engine", "split", "good", "bad");
	assert_status(&t, 125);
	assert_has(e2e_failure(&t, 1), "changed its priority in open()");
	e2e_end(&t);
}

TEST(what_harms_others_alone_is_measured_apart)
{
	check_apart("take_sigsegv", "changed what happens at SIGSEGV in open()");
	check_apart("start_timer", "started a timer of the process in open()");
}

TEST(what_harms_nobody_is_told_once)
{
	check_allowed("leave_waiting", "bad left 1 thread running in open()");
	check_allowed("patch_itself", "bad changed code of its own in prepare()");
}

TEST(a_thread_that_spins_is_measured_apart)
{
	e2e t = e2e_begin();
	e2e_commit(&t, "good", "cost100");
	e2e_commit(&t, "bad", "leave_spinning");
	e2e_against(&t, "--blocks", "400", "good", "bad");
	assert_string_equal(e2e_text(&t, "engine"), "split");
	assert_has(e2e_text(&t, "engine_reason"), "threads that were not the tool's");
	e2e_end(&t);
}
