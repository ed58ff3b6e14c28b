/*
 * The grammar, checked before cJSON sees the text. cJSON accepts numbers such as 01 and
 * raw control characters, knows no positions and reports no reason. The scanner makes
 * one pass over bytes that need not be in memory, and notes on the way what the caller
 * asked for. Inside the module only.
 */
#ifndef JSON_SCAN_H
#define JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "json/bytes.h"

/* An array that is a member of the root. The scan notes where its elements begin. */
typedef struct ba_json_list {
	const char *key;
	size_t open, close; /* its brackets; close 0: absent, or not an array */
	size_t *at;	    /* [count] where each element begins */
	size_t count, capacity;
} ba_json_list;

typedef struct ba_json_scan {
	ba_json_bytes bytes;
	unsigned depth_max;
	bool unique_keys;
	ba_json_list *lists; /* [list_count]; caller frees their contents */
	size_t list_count;
	/* Values are counted, parents first: where does number `wanted` (from 1)
	 * begin? */
	size_t count, wanted, wanted_at;
	/* the first key that its object had before: where its value is, and its path,
	 * which the caller disposes of */
	size_t twice_at; /* 0: none */
	ba_buf twice;
	/* where and why the text is not JSON */
	size_t error_at;
	char error[96];
} ba_json_scan;

/* false: see error_at and error, and bytes.io_errno */
bool ba_json_scan_run(ba_json_scan *s);
/* Replaces comments and commas before a closing bracket by spaces, in place; false: as
 * above. */
bool ba_json_scan_relax(ba_json_scan *s, char *text, size_t size);
/* sets error_at and error; returns false */
bool ba_json_scan_refuse(ba_json_scan *s, size_t at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), cold));

#endif
