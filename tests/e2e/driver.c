/* A call of the driver that fails: the run says whose call it was, ends by 125 or goes
 * on without it, and is never green with a result missing. */
#include "e2e.h"

#include "base/mem.h"

/* The n-th call of `call` fails; -1: every one. */
static void fail_call(const char *call, int n)
{
	BA_AUTO_FREE char *script =
		n < 0 ? at("fail=%s:1", call) : at("fail=%s@%d:1", call, n);
	e2e_env("BA_FAKE_CUDA", script);
}

/* The launches of a run come by turns from variants and floor, so that every few
 * hundred is the floor's. */
static void a_floor_that_fails_is_nobodys_fault(void **state)
{
	(void)state;
	e2e t = e2e_begin();
	unsigned floors = 0;
	e2e_commit(&t, "good", "cost100");
	e2e_commit(&t, "other", "cost101");
	for (int n = 2100; n < 10000; n += 790) {
		fail_call("cuLaunchKernel", n);
		e2e_against(&t, "good", "other");
		if (!strstr(t.err, "the floor, a bare launch of the tool"))
			continue;
		floors++;
		assert_status(&t, 125);
		assert_has(t.err, "CUDA_ERROR_INVALID_VALUE");
		assert_null(strstr(t.err, "good failed"));
		assert_null(strstr(t.err, "other failed"));
		assert_null(t.doc);
	}
	assert_true(floors > 0);
	e2e_env("BA_FAKE_CUDA", NULL);
	e2e_against(&t, "good", "other");
	assert_status(&t, 0);
	e2e_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_floor_that_fails_is_nobodys_fault),
	};
	e2e_main();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
