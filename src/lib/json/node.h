/* The values of a document that is held whole. Inside the module only. */
#pragma once

#include <cjson/cJSON.h>

#include "base/jsonlex.h"
#include "json/json.h"

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
