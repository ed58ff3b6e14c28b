/*
 * Parses a document into a tree of cJSON nodes, in one pass. cJSON's own parser accepts
 * numbers such as 01 and raw control characters, and reports neither place nor reason.
 * Here grammar, UTF-8, nesting and keys are checked while the nodes are made. Each node
 * has its line, from 1, in `valueint`, which cJSON no longer uses. Inside the module
 * only.
 */
#ifndef JSON_TREE_H
#define JSON_TREE_H

#include "base/jsonlex.h"
#include "json/json.h"

#define BA_JSON_CEILING ((size_t)1 << 30)
enum { BA_JSON_DEPTH = 64, BA_JSON_LISTS_MOST = 4 };

/* An array that is a member of the root. Its elements are checked, but only the offsets
 * at which they begin are kept. */
typedef struct ba_json_list {
	const char *key;
	size_t open, close; /* its brackets; close 0: absent, or not an array */
	size_t *at;	    /* [count]; caller frees */
	size_t count, capacity;
} ba_json_list;

/* A document, or an element of a list in a file that is read in parts. */
struct ba_json {
	struct cJSON *root;
	char *name;
	int error_code;
	bool positions;
	/* for an element: the file, which outlives it, and its place there */
	const ba_lex *file;
	const char *list;
	size_t index, at;
};

/* takes root */
ba_json *ba_json_new(struct cJSON *root, const ba_json_options *options);

/* name, error_code, depth and ceiling of `options` must be set: see ba_json_complete.
 * *out is NULL if the document without the lists is larger than the ceiling. */
int ba_json_tree_read(struct cJSON **out, ba_lex *lex, const ba_json_options *options,
	ba_json_list *lists, size_t list_count, ba_error *err);
/* Parses the value that begins here, and leaves what follows it. */
int ba_json_tree_value(
	struct cJSON **out, ba_lex *lex, const ba_json_options *options, ba_error *err);

/* the options with defaults instead of 0, and `name` if they have no name */
ba_json_options ba_json_complete(const ba_json_options *options, const char *name);

/* Fails with "NAME: line 1, column 2: " and the sentence. */
int ba_json_fail_at(ba_error *err, const ba_lex *lex, size_t offset, const ba_json_options *o,
	const char *fmt, ...) __attribute__((format(printf, 5, 6), cold));
/* Fails with "NAME: larger than the limit of 16 bytes". */
int ba_json_fail_size(ba_error *err, const ba_json_options *o);

/* Replaces comments and commas before a closing bracket by spaces, in place. Returns
 * NULL, or a comment that has no end. */
const char *ba_json_relax(char *text, size_t size);

/* ".key", "[\"odd key\"]" */
void ba_json_put_key(ba_buf *out, const char *key);

#endif
