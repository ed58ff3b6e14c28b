#include "base/base.h"

#define SLOTS_AT_FIRST 64u

BA_OWNS(ba_names, n, BA_FREE(n->items, n->slots))

static size_t slot_of(const ba_names *n, const char *name)
{
	uint64_t h = (ba_fnv1a(name) ^ n->seed) * UINT64_C(0x9e3779b97f4a7c15);
	return (size_t)(h >> 32) & (n->slot_count - 1);
}

static void put(ba_names *n, size_t number)
{
	size_t i = slot_of(n, n->items[number]);
	while (n->slots[i])
		i = (i + 1) & (n->slot_count - 1);
	n->slots[i] = number + 1;
}

static void grow(ba_names *n)
{
	if (!n->slot_count)
		n->seed = ba_rng_entropy();
	n->slot_count = n->slot_count ? 2 * n->slot_count : SLOTS_AT_FIRST;
	free(n->slots);
	n->slots = ba_xcalloc(n->slot_count, sizeof(*n->slots));
	for (size_t i = 0; i < n->count; i++)
		put(n, i);
}

size_t ba_names_find(ba_names *n, const char *name)
{
	if (!n->slot_count)
		return BA_NAMES_NONE;
	for (size_t i = slot_of(n, name); n->slots[i]; i = (i + 1) & (n->slot_count - 1)) {
		n->compared++;
		if (strcmp(n->items[n->slots[i] - 1], name) == 0)
			return n->slots[i] - 1;
	}
	return BA_NAMES_NONE;
}

size_t ba_names_add(ba_names *n, const char *name)
{
	/* half of the slots stay free */
	if (2 * (n->count + 1) > n->slot_count)
		grow(n);
	*BA_PUSH(n->items, n->count, n->capacity) = name;
	put(n, n->count - 1);
	return n->count - 1;
}
