#include "json/reader.h"

/* false: it was there */
static bool put(uint64_t *slots, size_t capacity, uint64_t hash)
{
	size_t i = hash & (capacity - 1);
	while (slots[i] && slots[i] != hash)
		i = (i + 1) & (capacity - 1);
	bool is_new = !slots[i];
	slots[i] = hash;
	return is_new;
}

static void grow(ba_json_keys *k, const uint64_t *from, size_t size)
{
	uint64_t *table = ba_xcalloc(4 * size, sizeof(*table));
	for (size_t i = 0; i < size; i++)
		if (from[i])
			put(table, 4 * size, from[i]);
	free(k->table);
	k->table = table;
	k->capacity = 4 * size;
}

bool ba_json_keys_add(ba_json_keys *k, const char *key, size_t size)
{
	uint64_t hash = 0xcbf29ce484222325, *slots = k->table ? k->table : k->few;
	size_t capacity = k->table ? k->capacity : BA_JSON_KEYS_FEW;
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ (unsigned char)key[i]) * 0x100000001b3;
	if (!put(slots, capacity, hash ? hash : 1))
		return true;
	if (2 * ++k->count > capacity)
		grow(k, slots, capacity);
	return false;
}

void ba_json_keys_clear(ba_json_keys *k)
{
	if (!k->count)
		return;
	free(k->table);
	*k = (ba_json_keys){0};
}
