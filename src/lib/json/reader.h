/* The cursor itself: the bytes, the position in the document, and the grammar for both
 * kinds of reading, whole (tree.c) and pulled (pull.h). Inside the module only. */
#pragma once

#include "base/jsonlex.h"
#include "json/json.h"
#include <cjson/cJSON.h>

enum { BA_JSON_KEYS_FEW = 64 };

/* Hashes of keys, in a table with open addressing (0: free): for few keys in place. */
typedef struct ba_json_keys {
	uint64_t few[BA_JSON_KEYS_FEW];
	uint64_t *table;
	size_t count, capacity;
} ba_json_keys;

#define BA_JSON_CEILING ((size_t)1 << 30)
enum {
	BA_JSON_DEPTH = 64,
	BA_JSON_STRING_MOST = 1 << 20, /* of a key, and of a string in foreign files */
	BA_JSON_NUMBER_MOST = 400,
	BA_JSON_KEY_SHOWN = 40
};

typedef struct ba_pull_level {
	bool object;
	bool begun; /* the first element or member was reached, and */
	bool named; /* the current key or index is part of the path */
	size_t index;
	char key[BA_JSON_KEY_SHOWN];
	ba_json_keys keys; /* empty between objects */
} ba_pull_level;

struct ba_pull {
	ba_lex lex;
	int fd; /* -1: from memory */
	char *name;
	ba_json_options o; /* complete */
	bool foreign;	   /* accepts words as numbers, and limits strings */
	ba_buf token;
	size_t depth;
	ba_pull_level *levels; /* [o.depth] */
};

/* A cursor without a text. options may be NULL; `name` is for those without a name. */
struct ba_pull *ba_json_reader(const ba_json_options *options, const char *name);
/* takes fd */
void ba_json_reader_file(struct ba_pull *p, int fd);
/* text must outlive the cursor */
void ba_json_reader_text(struct ba_pull *p, const char *text, size_t size);

/* Takes a string, whose quote is next, into p->token; or checks it only. */
int ba_json_read_text(struct ba_pull *p, bool key, bool keep, ba_error *err);
/* Reads a string (into p->token, if it is kept), or a word, or a number. */
int ba_json_read_scalar(double *number, bool *flag, struct ba_pull *p, bool keep, ba_error *err);
/* Fails with "NAME: line 1, column 2: $.a: " and the sentence; without the column if the
 * text cannot be read again. */
int ba_json_fail_at(ba_error *err, const struct ba_pull *p, size_t offset, const char *fmt, ...)
	__attribute__((format(printf, 4, 5), cold));
/* Fails because the next value is not the expected one, or because reading failed. */
int ba_json_fail_expected(ba_error *err, struct ba_pull *p, const char *what);
/* Fails with "NAME: larger than the limit of 16 bytes". */
int ba_json_fail_size(ba_error *err, const ba_json_options *o);

/* tree.c: reads a document into a tree of cJSON, in one pass. Grammar, UTF-8, nesting and keys
 * are checked while the nodes are made. */

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

/* ---- node.c: the values of a document that is held whole ---- */

/* A document, which is a tree of cJSON, or an element of a list in a file that is read in parts. */
struct ba_json {
	cJSON *root;
	char *name;
	int error_code;
	bool positions;
	/* for an element: the file, which outlives it, and its place there */
	const ba_lex *file;
	const char *list;
	size_t index, at;
};

/* ".key", "[\"odd key\"]" */
void ba_json_put_key(ba_buf *out, const char *key);
