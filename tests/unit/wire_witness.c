/* What the launches of a visit must leave: both ends compute it. */
#include "test.h"

#include "base/rng.h"
#include "wire/witness.h"

/* as a driver or a kernel does it, launch by launch */
static void arrive(ba_witness *w, uint64_t value)
{
	w->sum += value * (2 * w->launches + 1);
	w->launches++;
}

/* of two arguments */
static uint64_t sum_of(uint64_t seed, unsigned vector, unsigned bytes)
{
	uint64_t sum = 0;
	unsigned word = 0;
	for (unsigned i = 0; i < 2; i++)
		for (unsigned at = 0; at < bytes; at += 8)
			sum += ba_witness_value(seed, vector, word++, bytes - at);
	return sum;
}

TEST(the_sum_is_that_of_the_launches_one_by_one)
{
	const struct {
		uint64_t before, launches;
		unsigned ring, bytes;
	} rows[] = {{0, 1, 1, 8}, {0, 0, 16, 8}, {5, 3, 16, 8}, {7, 2048, 16, 8}, {0, 100, 8, 8},
		{UINT64_MAX - 3, 33, 4, 8}, {9, 77, 2, 3}, {2, 31, 1, 1}, {1, 40, 4, 77},
		{4, 50, 16, 0}};
	for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
		ba_witness seen = {rows[r].before, 41}, want = seen;
		uint64_t seed = ba_witness_visit(1234, r);
		for (uint64_t i = 0; i < rows[r].launches; i++)
			arrive(&seen, sum_of(seed, (unsigned)(i % rows[r].ring), rows[r].bytes));
		ba_witness_add(&want, &(ba_witness_burst){seed, rows[r].ring, 2, rows[r].bytes,
					      rows[r].launches, UINT64_MAX});
		assert_true(want.whole == 0);
		assert_true(want.launches == seen.launches);
		assert_true(want.sum == seen.sum);
	}
}

TEST(bursts_add_up)
{
	ba_witness once = {10, 0}, twice = once;
	ba_witness_burst b = {7, 8, 1, 8, 64, 41};
	ba_witness_add(&once, &b);
	b.launches = 24;
	ba_witness_add(&twice, &b);
	b.launches = 40;
	b.moment -= 24;
	ba_witness_add(&twice, &b);
	assert_true(once.launches == twice.launches && once.sum == twice.sum);
	assert_true(once.whole == twice.whole && once.whole != 0);
}

TEST(another_count_is_named_with_both_numbers)
{
	const ba_witness before = {100, 1}, want = {2148, 5};
	ba_error err;
	assert_int_equal(ba_witness_check(&before, &want, &want, &err), 0);
	assert_int_equal(
		ba_witness_check(&before, &want, &(ba_witness){1124, 5, 0}, &err), BA_EVARIANT);
	assert_string_equal(err.text, "launched 2048 times, 1024 arrived");
	assert_int_equal(
		ba_witness_check(&before, &want, &(ba_witness){2149, 5}, &err), BA_EVARIANT);
	assert_string_equal(err.text, "launched 2048 times, 2049 arrived");
}

TEST(other_values_are_named)
{
	const ba_witness before = {100, 1}, want = {2148, 5};
	ba_error err;
	assert_int_equal(
		ba_witness_check(&before, &want, &(ba_witness){2148, 6}, &err), BA_EVARIANT);
	assert_string_equal(err.text, "2048 launches arrived, but with other "
				      "arguments than were given");
}

TEST(a_launch_that_was_otherwise_whole_is_named)
{
	const ba_witness before = {100, 1, 7}, want = {2148, 5, 8};
	ba_error err;
	assert_int_equal(
		ba_witness_check(&before, &want, &(ba_witness){2148, 5, 7}, &err), BA_EVARIANT);
	assert_has(err.text, "the one that was looked at had another grid");
}

/* The digest tells arguments apart that change places; their sum is the same. */
TEST(the_digest_is_of_one_vector_in_its_order)
{
	uint64_t digest = 0;
	ba_witness w = {0};
	for (int i = 0; i < 7; i++)
		digest = BA_FOLD(digest, i < 6);
	for (unsigned k = 0; k < 4; k++)
		digest = BA_FOLD(digest, ba_witness_value(3, 5, k, k % 2 ? 4 : 12));
	ba_witness_add(&w, &(ba_witness_burst){3, 8, 2, 12, 30, 8 + 5});
	assert_true(w.whole == digest);
	assert_true(BA_FOLD(BA_FOLD(0, 1), 2) != BA_FOLD(BA_FOLD(0, 2), 1));
}

TEST(a_moment_is_one_of_the_launches)
{
	bool seen[5] = {0};
	for (uint64_t seed = 0; seed < 1000; seed++) {
		assert_true(ba_witness_moment(seed, 5) < 5);
		seen[ba_witness_moment(seed, 5)] = true;
	}
	assert_true(seen[0] && seen[1] && seen[2] && seen[3] && seen[4]);
}

TEST(another_order_leaves_another_sum)
{
	uint64_t a = ba_witness_value(5, 0, 0, 8), b = ba_witness_value(5, 1, 0, 8);
	ba_witness x = {0, 0}, y = {0, 0};
	arrive(&x, a);
	arrive(&x, b);
	arrive(&y, b);
	arrive(&y, a);
	assert_true(x.sum != y.sum);
}

TEST(values_differ_by_seed_vector_and_argument)
{
	uint64_t v = ba_witness_value(5, 0, 0, 8);
	assert_true(v != ba_witness_value(6, 0, 0, 8));
	assert_true(v != ba_witness_value(5, 1, 0, 8));
	assert_true(v != ba_witness_value(5, 0, 1, 8));
	assert_true(ba_witness_value(5, 0, 0, 3) >> 24 == 0);
	assert_true(v % 16 == 0 && v >> 47 == 0);
	assert_true(ba_witness_visit(5, 0) != ba_witness_visit(5, 1));
}

TEST(the_seed_of_a_message_is_a_number_of_json)
{
	uint64_t seed = ba_witness_seed(99, "submit", 0);
	assert_true(seed >> 53 == 0);
	assert_true(seed == ba_witness_seed(99, "submit", 0));
	assert_true(seed != ba_witness_seed(98, "submit", 0));
	assert_true(seed != ba_witness_seed(99, "sustained", 0));
	assert_true(seed != ba_witness_seed(99, "submit", 1));
}

TEST(a_ring_is_a_power_of_two_and_small)
{
	assert_int_equal(ba_witness_ring(16), BA_WITNESS_RING_MOST);
	assert_int_equal(ba_witness_ring(256), 16);
	assert_int_equal(ba_witness_ring(257), 8);
	assert_int_equal(ba_witness_ring(4096), 1);
	assert_int_equal(ba_witness_ring(32764), 1);
}
