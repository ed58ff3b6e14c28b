#include "test.h"

#include <unistd.h>

#include "base/pile.h"

typedef struct item {
	size_t number, square;
} item;

enum { ITEMS = 3 << 20 }; /* 48 MiB, more than twice what stays in memory */

static size_t add_item(ba_pile *p, size_t number)
{
	size_t place = ba_pile_add(p, sizeof(item));
	item *it = ba_pile_at(p, place);
	assert_int_equal(it->number, 0);
	assert_int_equal(it->square, 0);
	*it = (item){number, number * number};
	return place;
}

static void check_item(ba_pile *p, size_t number)
{
	/* sizeof(item) divides a chunk: there are no gaps */
	const item *it = ba_pile_at(p, number * sizeof(item));
	assert_int_equal(it->number, number);
	assert_int_equal(it->square, number * number);
}

static size_t resident_bytes(void)
{
	unsigned long all = 0, resident = 0;
	FILE *file = fopen("/proc/self/statm", "r");
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%lu %lu", &all, &resident), 2);
	fclose(file);
	return resident * (size_t)sysconf(_SC_PAGESIZE);
}

TEST(what_was_added_is_found_in_any_order)
{
	BA_AUTO_PTR(ba_pile) ba_pile *p = ba_pile_new();
	for (size_t i = 0; i < ITEMS; i++)
		assert_int_equal(add_item(p, i), i * sizeof(item));
	for (size_t i = 0; i < ITEMS; i++)
		check_item(p, i);
	/* long enough that the window is given up */
	for (size_t i = 0; i < 200000; i++)
		check_item(p, i * 7919 % ITEMS);
	for (size_t i = ITEMS; i-- > 0;)
		check_item(p, i);
}

TEST(what_is_used_in_order_takes_little_memory)
{
	BA_AUTO_PTR(ba_pile) ba_pile *p = ba_pile_new();
	size_t before = resident_bytes(), slack = 8 << 20;
	for (size_t i = 0; i < ITEMS; i++)
		add_item(p, i);
	for (int round = 0; round < 3; round++)
		for (size_t i = 0; i < ITEMS; i++)
			check_item(p, i);
	assert_true(resident_bytes() - before < BA_PILE_MEMORY + BA_PILE_WINDOW + slack);
}

TEST(without_a_file_it_stays_in_memory)
{
	const char *dir = getenv("TMPDIR");
	char *kept = dir ? strdup(dir) : NULL;
	setenv("TMPDIR", "/dev/null", 1);
	BA_AUTO_PTR(ba_pile) ba_pile *p = ba_pile_new();
	for (size_t i = 0; i < ITEMS; i++)
		add_item(p, i);
	for (size_t i = 0; i < ITEMS; i += 7)
		check_item(p, i);
	if (kept)
		setenv("TMPDIR", kept, 1);
	else
		unsetenv("TMPDIR");
	free(kept);
}

TEST(what_is_longer_than_a_chunk_is_consecutive)
{
	BA_AUTO_PTR(ba_pile) ba_pile *p = ba_pile_new();
	size_t places[40], size = 3 * BA_PILE_CHUNK - 5;
	for (size_t i = 0; i < 40; i++) {
		add_item(p, i + 1);
		places[i] = ba_pile_add(p, size);
		memset(ba_pile_at(p, places[i]), (int)i, size);
	}
	for (size_t i = 0; i < 40; i++) {
		const unsigned char *at = ba_pile_at(p, places[i]);
		assert_int_equal(at[0], i);
		assert_int_equal(at[size - 1], i);
	}
}

TEST(what_does_not_fit_begins_a_chunk)
{
	BA_AUTO_PTR(ba_pile) ba_pile *p = ba_pile_new();
	assert_int_equal(ba_pile_add(p, 1), 0);
	assert_int_equal(ba_pile_add(p, BA_PILE_CHUNK - 1), 1);
	assert_int_equal(ba_pile_add(p, 1), BA_PILE_CHUNK);
	assert_int_equal(ba_pile_add(p, BA_PILE_CHUNK), 2 * BA_PILE_CHUNK);
	assert_int_equal(ba_pile_add(p, 1), 3 * BA_PILE_CHUNK);
}
