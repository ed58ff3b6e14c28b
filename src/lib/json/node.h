/* The values of a document that is held whole. Inside the module only. */
#ifndef JSON_NODE_H
#define JSON_NODE_H

#include "base/jsonlex.h"
#include "json/json.h"

typedef struct ba_json_node {
	ba_json_type type;
	unsigned line;
	bool flag;
	double number;
	char *key, *text; /* of a member; of a string; or NULL */
	struct ba_json_node *next, *first, *last;
} ba_json_node;

/* A document, or an element of a list in a file that is read in parts. */
struct ba_json {
	ba_json_node *root;
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

#endif
