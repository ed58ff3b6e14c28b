/* The keys that an object had so far, as hashes. Each takes constant time, however many
 * there are. Inside the module only. */
#ifndef JSON_KEYS_H
#define JSON_KEYS_H

#include "base/base.h"

enum { BA_JSON_KEYS_FEW = 24 };

/* the first few in an array, more in a hash table with open addressing (0: free) */
typedef struct ba_json_keys {
	uint64_t few[BA_JSON_KEYS_FEW];
	uint64_t *table;
	size_t count, capacity;
} ba_json_keys;

/* Adds a key. Was it there before? */
bool ba_json_keys_add(ba_json_keys *k, const char *key, size_t size);
/* back to no keys; frees the table */
void ba_json_keys_clear(ba_json_keys *k);

#endif
