/*
 * A digest in a document, which reveals damage. It does not protect against people, who
 * can compute a new digest after an edit.
 *
 * It is a SHA-256 of the document's text, less the white space between tokens and less
 * the digest itself, the last member of the root. So a change of indentation keeps the
 * digest, and every other change shows.
 *
 *     ba_json_digest d;
 *     ba_json_digest_init(&d);
 *     ba_json_digest_add(&d, text, size);      -- in pieces of any size
 *     ba_json_digest_end(found, said, &d);     -- said: "" if the document has none
 *
 * `jq -c 'del(.document_sha256)'` writes text with this SHA-256, if jq writes the
 * numbers as they were.
 */
#pragma once

#include "base/base.h"

#define BA_JSON_DIGEST_KEY "document_sha256"

typedef struct ba_json_digest {
	ba_sha256 sha;
	ba_buf held; /* compact text not yet added: it may be the last member */
	bool in_string, escaped, begun;
} ba_json_digest;

/* What a reader found. */
typedef enum ba_digest_state {
	BA_DIGEST_ABSENT, /* the document has none */
	BA_DIGEST_AGREES,
	BA_DIGEST_DIFFERS, /* damaged, or changed on purpose */
} ba_digest_state;

void ba_json_digest_init(ba_json_digest *d);
void ba_json_digest_add(ba_json_digest *d, const char *text, size_t size);
/* After a whole document: the digest computed and the one that the document says. Both
 * have room for 65 bytes. Frees d. */
ba_digest_state ba_json_digest_end(char found[65], char said[65], ba_json_digest *d);
/* After an object that is still open and has members: the digest that belongs into it
 * as its last member. Frees d. */
void ba_json_digest_close(char found[65], ba_json_digest *d);

/* The digest of a whole text, and the one that it says. */
ba_digest_state ba_json_digest_of(char found[65], char said[65], const char *text, size_t size);
/* The digest of a whole open file; the file offset stays. */
int ba_json_digest_fd(ba_digest_state *out, char found[65], char said[65], int fd, const char *name,
	ba_error *err);
