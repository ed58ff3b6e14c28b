#include "test.h"

#include "base/mem.h"
#include "base/strv.h"

TEST(a_name_has_the_number_in_which_it_came)
{
	BA_AUTO(ba_names) ba_names n = {0};
	assert_true(ba_names_find(&n, "a") == BA_NAMES_NONE);
	assert_int_equal(ba_names_add(&n, "a"), 0);
	assert_int_equal(ba_names_add(&n, ""), 1);
	assert_int_equal(ba_names_add(&n, "ab"), 2);
	assert_int_equal(ba_names_find(&n, "ab"), 2);
	assert_int_equal(ba_names_find(&n, ""), 1);
	assert_int_equal(ba_names_find(&n, "a"), 0);
	assert_true(ba_names_find(&n, "b") == BA_NAMES_NONE);
}

/* Twice as many names are twice as much work, whatever the machine's speed. */
TEST(what_finding_costs_does_not_grow_with_their_number)
{
	enum { MOST = 20000 };
	static char names[MOST][32];
	double each[2];
	for (int k = 0; k < 2; k++) {
		size_t count = k ? MOST : MOST / 2;
		BA_AUTO(ba_names) ba_names n = {0};
		for (size_t i = 0; i < count; i++) {
			snprintf(names[i], sizeof(names[i]), "n=%zu", i);
			assert_true(ba_names_find(&n, names[i]) == BA_NAMES_NONE);
			assert_int_equal(ba_names_add(&n, names[i]), i);
		}
		for (size_t i = 0; i < count; i++)
			assert_int_equal(ba_names_find(&n, names[count - 1 - i]), count - 1 - i);
		each[k] = (double)n.compared / (double)count;
	}
	assert_true(each[0] < 4);
	assert_true(each[1] < 4);
}
