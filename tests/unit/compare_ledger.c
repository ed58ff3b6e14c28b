#include "test.h"

#include "base/mem.h"
#include "compare/ledger.h"

TEST(a_name_is_the_same_row_each_time)
{
	BA_AUTO(ba_ledger) ba_ledger l;
	ba_ledger_init(&l, 2, true);
	for (int round = 0; round < 3; round++)
		for (int i = 0; i < 20000; i++) {
			/* the second and third time in another order */
			int k = round ? (i * 7919) % 20000 : i;
			BA_AUTO_FREE char *id = ba_xprintf("suite/case/n=%d", k);
			assert_int_equal(ba_ledger_row(&l, id, "time"), k);
		}
	assert_int_equal(l.count, 20000);
	assert_string_equal(ba_ledger_id(&l, 4711), "suite/case/n=4711");
}

static void fill(ba_ledger *l, size_t rows)
{
	for (size_t i = 0; i < rows; i++) {
		BA_AUTO_FREE char *id = ba_xprintf("%zu", i);
		assert_int_equal(ba_ledger_row(l, id, "time"), i);
		for (size_t v = 0; v < l->variants; v++)
			ba_ledger_entry(l, i, v)->samples = (uint32_t)(i * 32 + v);
	}
}

/* as many rows to a chunk as fit, whatever their size */
TEST(rows_of_every_size_lie_apart)
{
	for (size_t variants = 1; variants <= 32; variants++) {
		BA_AUTO(ba_ledger) ba_ledger l;
		ba_ledger_init(&l, variants, variants % 2);
		size_t fit = BA_PILE_CHUNK / l.row_size, rows = 3 * fit + 2;
		fill(&l, rows);
		for (size_t i = 0; i < rows * variants; i++) {
			const ba_entry *e = ba_ledger_entry(&l, i / variants, i % variants);
			assert_int_equal(e->samples, i / variants * 32 + i % variants);
		}
		for (size_t i = 0; i < 3; i++) {
			const char *first = (const char *)ba_ledger_at(&l, i * fit);
			const char *last = (const char *)ba_ledger_at(&l, (i + 1) * fit - 1);
			assert_int_equal(last - first, (fit - 1) * l.row_size);
		}
	}
}

TEST(metrics_are_rows_of_their_own)
{
	BA_AUTO(ba_ledger) ba_ledger l;
	ba_ledger_init(&l, 1, false);
	size_t time = ba_ledger_row(&l, "a", "time");
	size_t cpu = ba_ledger_row(&l, "a", "cpu_time");
	assert_int_not_equal(time, cpu);
	assert_int_equal(ba_ledger_row(&l, "a", "time"), time);
	assert_int_equal(l.metrics.count, 2);
}

TEST(entries_begin_empty_also_after_growing)
{
	BA_AUTO(ba_ledger) ba_ledger l;
	ba_ledger_init(&l, 3, true);
	for (int i = 0; i < 5000; i++) {
		BA_AUTO_FREE char *id = ba_xprintf("%d", i);
		size_t row = ba_ledger_row(&l, id, "time");
		for (size_t v = 0; v < 3; v++) {
			assert_int_equal(ba_ledger_entry(&l, row, v)->values.n, 0);
			assert_int_equal(ba_ledger_files(&l, row, v)->n, 0);
			ba_moments_add(&ba_ledger_entry(&l, row, v)->values, 1);
			ba_moments_add(ba_ledger_files(&l, row, v), 1);
		}
	}
}

TEST(names_that_hash_alike_elsewhere_are_no_trouble)
{
	BA_AUTO(ba_ledger) ba_ledger a, b;
	ba_ledger_init(&a, 1, false);
	ba_ledger_init(&b, 1, false);
	ba_ledger_row(&a, "x", "time");
	ba_ledger_row(&b, "x", "time");
	/* the seed is another each time: nobody can choose names that collide */
	assert_true(a.seed != b.seed);
	assert_int_equal(ba_ledger_row(&a, "", "time"), 1);
	assert_int_equal(ba_ledger_row(&a, "", "time"), 1);
}
