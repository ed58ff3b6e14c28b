#include "table.h"

struct lcfg_table_array {
	lcfg_table_array *older;
	size_t mask; /* capacity - 1; the capacity is a power of two */
	_Atomic(lcfg_item *) at[];
};

lcfg_item *lcfg_table_find(
	const lcfg_table *table, uint64_t hash, lcfg_table_equal equal, const void *wanted)
{
	lcfg_table_array *array = atomic_load_explicit(&table->now, memory_order_acquire);
	if (!array)
		return NULL;
	for (size_t i = hash & array->mask;; i = (i + 1) & array->mask) {
		lcfg_item *item = atomic_load_explicit(&array->at[i], memory_order_acquire);
		if (!item)
			return NULL;
		if (item->hash == hash && equal(item, wanted))
			return item;
	}
}

static void put(lcfg_table_array *array, lcfg_item *item)
{
	size_t i = item->hash & array->mask;
	while (atomic_load_explicit(&array->at[i], memory_order_relaxed))
		i = (i + 1) & array->mask;
	atomic_store_explicit(&array->at[i], item, memory_order_release);
}

static lcfg_table_array *grow(lcfg_table_array *old)
{
	size_t capacity = old ? (old->mask + 1) * 2 : 4;
	lcfg_table_array *array = calloc(1, sizeof(*array) + capacity * sizeof(array->at[0]));
	if (!array)
		return NULL;
	array->older = old;
	array->mask = capacity - 1;
	for (size_t i = 0; old && i <= old->mask; i++) {
		lcfg_item *item = atomic_load_explicit(&old->at[i], memory_order_relaxed);
		if (item)
			put(array, item);
	}
	return array;
}

int lcfg_table_add(lcfg_table *table, lcfg_item *item)
{
	lcfg_table_array *array = atomic_load_explicit(&table->now, memory_order_relaxed);
	if (!array || (table->count + 1) * 2 > array->mask + 1) {
		array = grow(array);
		if (!array)
			return -1;
		put(array, item);
		atomic_store_explicit(&table->now, array, memory_order_release);
	} else {
		put(array, item);
	}
	table->count++;
	return 0;
}

void lcfg_table_clear(lcfg_table *table)
{
	lcfg_table_array *array = atomic_load_explicit(&table->now, memory_order_relaxed);
	if (!array)
		return;
	atomic_store_explicit(&table->now, NULL, memory_order_release);
	table->count = 0;
	lcfg_table_array *oldest = array;
	while (oldest->older)
		oldest = oldest->older;
	oldest->older = table->retired;
	table->retired = array;
}

void lcfg_table_dispose(lcfg_table *table)
{
	lcfg_table_clear(table);
	while (table->retired) {
		lcfg_table_array *older = table->retired->older;
		free(table->retired);
		table->retired = older;
	}
}

uint64_t lcfg_hash_words(const uint32_t *words, size_t count)
{
	uint64_t h = 0x9e3779b97f4a7c15u ^ count;
	for (size_t i = 0; i < count; i++) {
		h = (h ^ words[i]) * 0xff51afd7ed558ccdu;
		h ^= h >> 32;
	}
	return h;
}
