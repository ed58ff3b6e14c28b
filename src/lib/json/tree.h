/*
 * Reads a document into a tree of cJSON, in one pass. Grammar, UTF-8, nesting and keys
 * are checked while the nodes are made. Inside the module only.
 */
#pragma once

#include "json/node.h"
#include "json/reader.h"

enum { BA_JSON_LISTS_MOST = 4 };

/* An array that is a member of the root. Its elements are checked, but only the offsets
 * at which they begin are kept. */
typedef struct ba_json_list {
	const char *key;
	size_t open, close; /* its brackets; close 0: absent, or not an array */
	size_t *at;	    /* [count]; caller frees */
	size_t count, capacity;
} ba_json_list;

/* *out is NULL if the document without the lists is larger than the ceiling. */
int ba_json_tree_read(
	ba_json **out, struct ba_pull *p, ba_json_list *lists, size_t list_count, ba_error *err);
/* Parses the value that begins here, and leaves what follows it. */
int ba_json_tree_value(ba_json **out, struct ba_pull *p, ba_error *err);
