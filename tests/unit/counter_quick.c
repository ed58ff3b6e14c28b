/* The processor's counter says whether a call repeats, where it counts as steps do. This one is
 * a stand-in that makes steps and can be wrong. */
#include "test.h"

#include "counter/counter.h"
#include "counter/row.h"

#define MOST 100000

static struct {
	bool absent;
	uint64_t more;	/* than steps count, of each call but an empty one */
	uint64_t calls; /* that it counted */
} lent;

static int open_lent(ba_counter *c, ba_error *err)
{
	if (lent.absent)
		return ba_fail(err, BA_EUNSUPPORTED, "no counter is lent");
	return ba_counter_flag.open(c, err);
}

static void close_lent(ba_counter *c)
{
	ba_counter_flag.close(c);
}

static uint64_t run_lent(ba_counter *c, const ba_counter_call *call)
{
	uint64_t result = ba_counter_flag.run(c, call);
	c->shared->used = ba_counter_normalise(c->addresses, (size_t)c->shared->used);
	c->shared->used += c->shared->used > 10 ? lent.more : 0;
	lent.calls++;
	return result;
}

const ba_counter_row ba_counter_hardware = {
	.name = "hardware", .open = open_lent, .close = close_lent, .run = run_lent};

static int work(volatile int *n)
{
	int left = *n;
	while (left--)
		*n += left & 1;
	return 7;
}

static uint64_t count(ba_counter *c, int n)
{
	ba_counted counted;
	ba_error err;
	const ba_counter_call call = {(void (*)(void))work, {&n}};
	if (ba_counter_run(&counted, c, &call, &err))
		fail_msg("%s", err.text);
	assert_int_equal(counted.result, 7);
	return counted.instructions;
}

static ba_counter *steps(void)
{
	ba_counter *c = NULL;
	ba_error err;
	if (ba_counter_open(&c, BA_COUNTER_FLAG, MOST, &err)) {
		print_message("%s\n", err.text);
		skip();
	}
	return c;
}

TEST(it_counts_what_steps_count)
{
	ba_counter *c = steps(), *quick = ba_counter_quick(c);
	assert_non_null(quick);
	assert_null(ba_counter_quick(quick));
	assert_ptr_equal(ba_counter_quick(c), quick);
	lent.calls = 0;
	assert_int_equal(count(quick, 100), count(c, 100));
	assert_true(count(quick, 101) > count(c, 100));
	assert_int_equal(lent.calls, 2);
	ba_counter_free(c);
}

TEST(one_that_disagrees_is_of_no_use)
{
	ba_error err;
	ba_counter *hardware = NULL;
	lent.more = 1;
	ba_counter *c = steps();
	assert_null(ba_counter_quick(c));
	assert_int_equal(
		ba_counter_open(&hardware, BA_COUNTER_HARDWARE, MOST, &err), BA_EUNSUPPORTED);
	assert_non_null(strstr(err.text, "where single steps count"));
	ba_counter_free(c);
	lent.more = 0;
}

TEST(without_one_there_are_steps)
{
	lent.absent = true;
	ba_counter *c = steps();
	assert_null(ba_counter_quick(c));
	assert_true(count(c, 100) > 100);
	ba_counter_free(c);
	lent.absent = false;
}
