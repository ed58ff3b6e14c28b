#include "test.h"

#include "stats/schedule.h"

TEST(two_participants_toss_a_fair_coin)
{
	unsigned char order[4];
	size_t abba = 0, repeats = 0, last = 0;

	for (uint64_t block = 0; block < 10000; block++) {
		ba_schedule_block(order, 2, 42, "launch/submit", block / 8, block % 8);
		size_t first = order[0];

		assert_true(first <= 1);
		assert_int_equal(order[1], 1 - first);
		assert_int_equal(order[2], 1 - first);
		assert_int_equal(order[3], first);
		abba += first == 0;
		repeats += block > 0 && first == last;
		last = first;
	}
	/* four standard deviations of a fair coin */
	assert_in_range(abba, 4800, 5200);
	assert_in_range(repeats, 4800, 5200);
}

TEST(every_block_is_a_palindrome_of_all)
{
	for (size_t n = 1; n <= BA_PARTICIPANTS_MAX; n++) {
		unsigned char order[2 * BA_PARTICIPANTS_MAX];

		for (uint64_t block = 0; block < 2 * n; block++) {
			bool seen[BA_PARTICIPANTS_MAX] = {false};

			ba_schedule_block(order, n, 7, "x", 3, block);
			for (size_t i = 0; i < n; i++) {
				assert_true(order[i] < n);
				assert_false(seen[order[i]]);
				seen[order[i]] = true;
				assert_int_equal(order[i], order[2 * n - 1 - i]);
			}
		}
	}
}

/* over one period each stands in each place, and follows each other, equally often */
TEST(williams_rows_are_balanced)
{
	for (size_t n = 3; n <= 9; n++) {
		size_t places[9][9] = {0}, follows[9][9] = {0};
		size_t period = ba_schedule_period(n), times = period / n;
		unsigned char order[18];

		for (uint64_t block = 0; block < period; block++) {
			ba_schedule_block(order, n, 1, "b", 0, block);
			for (size_t i = 0; i < n; i++) {
				places[order[i]][i]++;
				if (i > 0)
					follows[order[i - 1]][order[i]]++;
			}
		}
		for (size_t a = 0; a < n; a++) {
			for (size_t b = 0; b < n; b++) {
				assert_int_equal(places[a][b], times);
				assert_int_equal(follows[a][b], a == b ? 0 : times);
			}
		}
	}
}

TEST(schedule_depends_on_every_part_of_its_key)
{
	uint64_t base = ba_schedule_seed(1, "a", 2, 3);

	assert_true(base == ba_schedule_seed(1, "a", 2, 3));
	assert_true(base != ba_schedule_seed(2, "a", 2, 3));
	assert_true(base != ba_schedule_seed(1, "b", 2, 3));
	assert_true(base != ba_schedule_seed(1, "a", 3, 3));
	assert_true(base != ba_schedule_seed(1, "a", 2, 4));
	assert_true(base != ba_schedule_seed(1, "a", 3, 2));
}

/* written down once: results of an old seed must stay repeatable */
TEST(a_known_seed_gives_the_known_schedule)
{
	char coins[17] = {0};
	unsigned char order[4];

	for (uint64_t block = 0; block < 16; block++) {
		ba_schedule_block(order, 2, 42, "launch", 0, block);
		coins[block] = order[0] ? 'B' : 'A';
	}
	assert_string_equal(coins, "BBABBAAAABAAAABA");
}

TEST(shuffle_is_a_permutation_that_differs_by_invocation)
{
	size_t first[50], second[50], same = 0;
	bool seen[50] = {false};

	ba_schedule_shuffle(first, 50, 9, 0);
	ba_schedule_shuffle(second, 50, 9, 1);
	for (size_t i = 0; i < 50; i++) {
		assert_true(first[i] < 50 && !seen[first[i]]);
		seen[first[i]] = true;
		same += first[i] == second[i];
	}
	assert_true(same < 10);
}

TEST(load_order_alternates)
{
	size_t first_reversed = 0;

	for (uint64_t seed = 0; seed < 1000; seed++) {
		bool first = ba_schedule_load_reversed(seed, 0);

		first_reversed += first;
		assert_true(ba_schedule_load_reversed(seed, 1) != first);
		assert_true(ba_schedule_load_reversed(seed, 2) == first);
	}
	assert_in_range(first_reversed, 430, 570);
}
