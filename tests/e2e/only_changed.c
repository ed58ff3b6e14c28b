/* --only-changed: benchmarks whose variants execute the same code are measured only as
 * drawn controls, and a control that moves brings all of them back. */
#include "devices.h"

#include <signal.h>

/* Eight benchmarks; a built library that has other bytes in each commit, and executes
 * the same. */
static e2e begin_eight(const char *library)
{
	e2e t = e2e_begin();
	e2e_configure(&t, "\"commands\": [[\"sh\", \"-c\", \"cat variant.so table >launcher.so\"]]",
		"[0, 1, 2, 3, 4, 5, 6, 7]");
	put(t.repo, "table", "100\n");
	e2e_commit(&t, "old", library);
	e2e_env("BA_FAKE_CUDA", SCRIPT);
	return t;
}

static void commit(e2e *t, const char *name, const char *library, const char *table)
{
	put(t->repo, "table", table);
	e2e_commit(t, name, library);
}

#define only_changed(t, ...) e2e_against((t), "--only-changed", "--controls", "4", __VA_ARGS__)

/* How many benchmarks were measured, and how many have that verdict. */
static size_t measured(const e2e *t, const char *verdict, size_t *count)
{
	size_t n = 0;
	*count = 0;
	assert_int_equal(e2e_count(t, "series"), 8);
	for (size_t i = 0; i < 8; i++) {
		BA_AUTO_FREE char *samples = at("series.%zu.samples", i);
		BA_AUTO_FREE char *is = at("series.%zu.comparisons.0.verdict", i);
		n += e2e_count(t, samples) > 0;
		*count += strcmp(e2e_text(t, is), verdict) == 0;
	}
	return n;
}

/* a bit for each benchmark that was measured */
static unsigned drawn(const e2e *t)
{
	unsigned bits = 0;
	for (size_t i = 0; i < 8; i++) {
		BA_AUTO_FREE char *samples = at("series.%zu.samples", i);
		bits |= (unsigned)(e2e_count(t, samples) > 0) << i;
	}
	return bits;
}

static void check_spared(e2e *t)
{
	size_t identical;
	assert_status(t, 0);
	assert_int_equal(measured(t, "identical", &identical), 2);
	assert_int_equal(identical, 8);
	assert_has(t->out, "not measured, except 2 as a control (0.00 %)");
	assert_has(t->out, "built the same host code and kernels");
	assert_int_equal(e2e_number(t, "decision.controls"), 4);
	assert_string_equal(e2e_text(t, "suites.0.executes.0"), e2e_text(t, "suites.0.executes.1"));
	assert_string_not_equal(e2e_text(t, "variants.0.artefacts.0.sha256"),
		e2e_text(t, "variants.1.artefacts.0.sha256"));
	e2e_check_verifies(t);
}

/* Which ones are measured depends on the seed. */
TEST(of_equal_code_only_controls_are_measured)
{
	e2e t = begin_eight("cost100");
	commit(&t, "new", "cost100", "other bytes\n");
	only_changed(&t, "--seed", "5", "old", "new");
	unsigned first = drawn(&t), other = first;
	check_spared(&t);
	for (unsigned seed = 6; other == first && seed < 26; seed++) {
		BA_AUTO_FREE char *text = at("%u", seed);
		only_changed(&t, "--seed", text, "old", "new");
		other = drawn(&t);
	}
	assert_int_not_equal(other, first);
	end(&t);
}

TEST(other_code_is_measured)
{
	size_t regressed;
	e2e t = begin_eight("cost100");
	commit(&t, "new", "cost110", "100\n");
	only_changed(&t, "old", "new");
	assert_status(&t, 1);
	assert_int_equal(measured(&t, "regressed", &regressed), 8);
	assert_int_equal(regressed, 8);
	e2e_check_verifies(&t);
	end(&t);
}

/* the library is the same, and reads its cost from a file of the commit */
static void check_all(e2e *t)
{
	size_t regressed;
	assert_status(t, 1);
	assert_int_equal(measured(t, "regressed", &regressed), 8);
	assert_int_equal(regressed, 8);
	assert_has(
		t->out, "The comparison of code missed something, so every benchmark is measured");
	e2e_check_verifies(t);
}

TEST(a_control_that_moves_brings_all_back)
{
	e2e t = begin_eight("cost_from_tree");
	commit(&t, "new", "cost_from_tree", "150\n");
	only_changed(&t, "old", "new");
	check_all(&t);
	/* members hear of it */
	only_changed(&t, "--device", "0,1", "old", "new");
	check_all(&t);
	end(&t);
}

/* A part of the invocations is in the journal: the controls' alone, or everybody's. */
TEST(a_resumed_run_knows_its_controls)
{
	e2e t = begin_eight("cost100");
	commit(&t, "new", "cost100", "other bytes\n");
	e2e_stop_at(2, SIGKILL);
	e2e_start_against(&t, "--only-changed", "--controls", "4", "old", "new");
	BA_AUTO_FREE char *journal = e2e_stopped(&t, SIGKILL);
	e2e_tool(&t, "--resume", journal);
	check_spared(&t);
	end(&t);

	t = begin_eight("cost_from_tree");
	commit(&t, "new", "cost_from_tree", "150\n");
	e2e_stop_at(6, SIGKILL);
	e2e_start_against(&t, "--only-changed", "--fixed", "8", "old", "new");
	BA_AUTO_FREE char *other = e2e_stopped(&t, SIGKILL);
	e2e_tool(&t, "--resume", other);
	check_all(&t);
	end(&t);
}

/* A machine without a GPU names the benchmarks, and another one measures just these. */
TEST(a_list_of_code_is_what_a_run_measures)
{
	size_t regressed;
	e2e t = begin_eight("cost100");
	commit(&t, "same", "cost100", "other bytes\n");
	commit(&t, "new", "cost110", "100\n");
	BA_AUTO_FREE char *list = at("%s/list", t.dir);
	e2e_tool(&t, "code", "old", "same", "--format", "list");
	assert_status(&t, 0);
	assert_string_equal(t.out, "");
	put(t.dir, "list", t.out);
	e2e_tool(&t, "old", "same", "--filter-from", list);
	assert_status(&t, 0);
	assert_has(t.out, "nothing to measure");
	e2e_tool(&t, "code", "old", "new", "--format", "list");
	assert_status(&t, 0);
	assert_string_equal(t.out, "launch/*\n");
	put(t.dir, "list", t.out);
	e2e_against(&t, "--filter-from", list, "old", "new");
	assert_status(&t, 1);
	assert_int_equal(measured(&t, "regressed", &regressed), 8);
	end(&t);
}

TEST(what_contradicts_it_is_refused)
{
	e2e t = begin_eight("cost100");
	e2e_tool(&t, "--only-changed", "--measure-identical", "old", "old");
	assert_status(&t, 129);
	assert_has(t.err, "believes a comparison of code");
	e2e_tool(&t, "--controls", "4", "old", "old");
	assert_status(&t, 129);
	assert_has(t.err, "add --only-changed");
	end(&t);
}
