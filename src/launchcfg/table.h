/*
 * A hash table that is read without a lock while it grows: open addressing over an
 * array of pointers. The array is replaced when it is half full. Readers may still use
 * the old one, so it is kept until dispose; all old ones together are no larger than
 * the new one. Items are never removed one by one.
 *
 * One writer at a time (the caller's lock), any number of readers.
 */
#pragma once

#include "common.h"

/* the first member of everything that is stored */
typedef struct lcfg_item {
	uint64_t hash;
} lcfg_item;

typedef struct lcfg_table_array lcfg_table_array;

typedef struct lcfg_table {
	_Atomic(lcfg_table_array *) now; /* NULL: empty */
	lcfg_table_array *retired;	 /* arrays replaced by clear */
	size_t count;
} lcfg_table;

typedef bool (*lcfg_table_equal)(const lcfg_item *item, const void *wanted);

lcfg_item *lcfg_table_find(
	const lcfg_table *table, uint64_t hash, lcfg_table_equal equal, const void *wanted);
int lcfg_table_add(lcfg_table *table, lcfg_item *item); /* 0, or -1: out of memory */
/* Later look-ups find an empty table; those in progress may still use the old one. */
void lcfg_table_clear(lcfg_table *table);
void lcfg_table_dispose(lcfg_table *table);

uint64_t lcfg_hash_words(const uint32_t *words, size_t count);
