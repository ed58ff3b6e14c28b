#include "json/reader.h"

static void put(uint64_t *table, size_t capacity, uint64_t hash)
{
	size_t i = hash & (capacity - 1);
	while (table[i])
		i = (i + 1) & (capacity - 1);
	table[i] = hash;
}

static void grow(ba_json_keys *k)
{
	size_t capacity = k->table ? 2 * k->capacity : 128;
	uint64_t *table = ba_xcalloc(capacity, sizeof(*table));
	const uint64_t *from = k->table ? k->table : k->few;
	size_t n = k->table ? k->capacity : k->count;
	for (size_t i = 0; i < n; i++)
		if (from[i])
			put(table, capacity, from[i]);
	free(k->table);
	k->table = table;
	k->capacity = capacity;
}

static bool has(const ba_json_keys *k, uint64_t hash)
{
	for (size_t i = hash & (k->capacity - 1); k->table[i]; i = (i + 1) & (k->capacity - 1))
		if (k->table[i] == hash)
			return true;
	return false;
}

bool ba_json_keys_add(ba_json_keys *k, const char *key, size_t size)
{
	uint64_t hash = 0xcbf29ce484222325;
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ (unsigned char)key[i]) * 0x100000001b3;
	hash = hash ? hash : 1;
	if (!k->table) {
		for (size_t i = 0; i < k->count; i++)
			if (k->few[i] == hash)
				return true;
		if (k->count < BA_JSON_KEYS_FEW) {
			k->few[k->count++] = hash;
			return false;
		}
		grow(k);
	}
	if (has(k, hash))
		return true;
	if (2 * k->count >= k->capacity)
		grow(k);
	put(k->table, k->capacity, hash);
	k->count++;
	return false;
}

void ba_json_keys_clear(ba_json_keys *k)
{
	free(k->table);
	k->table = NULL;
	k->count = k->capacity = 0;
}
