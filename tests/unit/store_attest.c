/* Attestations: everything that decides the exit status is in the statement. */
#include "test.h"

#include <unistd.h>

#include "base/base.h"
#include "example_result.h"
#include "store/attest.h"

typedef struct files {
	char results[32], statement[32];
} files;

static void open_files(files *f)
{
	*f = (files){"/tmp/attest-r.XXXXXX", "/tmp/attest-s.XXXXXX"};
	close(mkstemp(f->results));
	close(mkstemp(f->statement));
}

static void close_files(files *f)
{
	unlink(f->results);
	unlink(f->statement);
}

static void fill(ba_result *r)
{
	const double ratios[] = {1.041};
	const ba_verdict verdicts[] = {BA_VERDICT_REGRESSED};
	example_begin(r, 2);
	example_launch_suite(r, ratios, verdicts);
}

TEST(the_policy_of_the_gate_is_attested)
{
	static const struct {
		size_t offset;
		const char *member;
	} flags[] = {{offsetof(ba_result, decided.gate_strict), "\"strict_gate\""},
		{offsetof(ba_result, decided.undecided_fails), "\"undecided_fails\""},
		{offsetof(ba_result, decided.likely_fails), "\"likely_fails\""}};
	files f;
	open_files(&f);
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		BA_AUTO(ba_result) ba_result r;
		BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
		BA_AUTO_FREE char *why = NULL, *none = NULL;
		BA_AUTO_FREE char *said = ba_xprintf("%s: true", flags[i].member);
		ba_error err = {0};
		fill(&r);
		bool *flag = (bool *)((char *)&r + flags[i].offset);
		*flag = true;
		assert_int_equal(ba_attestation_write(f.statement, &r, f.results, &err), 0);
		assert_int_equal(ba_fs_read(&text, f.statement, 1 << 20, &err), 0);
		assert_has(text.data, said);
		assert_int_equal(ba_attestation_check(&none, f.statement, &r, f.results, &err), 0);
		assert_null(none);
		/* a file that says otherwise has another gate */
		*flag = false;
		assert_int_equal(ba_attestation_check(&why, f.statement, &r, f.results, &err), 0);
		assert_non_null(why);
		assert_has(why, "says something else than the file does");
	}
	close_files(&f);
}
