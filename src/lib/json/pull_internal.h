/* What is inside the cursor: the bytes and their position in the document. Inside the
 * module only. */
#ifndef JSON_PULL_INTERNAL_H
#define JSON_PULL_INTERNAL_H

#include <stdint.h>

#include "base/jsonlex.h"
#include "json/keys.h"
#include "json/pull.h"

enum {
	BA_PULL_DEPTH = 64,
	BA_PULL_STRING_MOST = 1 << 20,
	BA_PULL_WORD_MOST = 400,
	BA_PULL_KEY_SHOWN = 40
};

typedef struct ba_pull_level {
	bool object, begun;
	size_t index;
	char key[BA_PULL_KEY_SHOWN];
	ba_json_keys keys; /* empty between objects */
} ba_pull_level;

struct ba_pull {
	ba_lex lex;
	int fd; /* -1: from memory */
	char *name;
	ba_buf token;
	size_t depth;
	ba_pull_level levels[BA_PULL_DEPTH];
};

/* Fails: c (from ba_lex_token) stands where `wanted` should. */
int ba_pull_unexpected(ba_error *err, const ba_pull *p, int c, const char *wanted);
/* into p->token; the cursor stands at the quote */
int ba_pull_read_string(ba_pull *p, ba_error *err);

#endif
