/*
 * A digest in a document, against damage: SHA-256 of its text without the white space
 * between tokens and without the digest itself, which is the last member of the root.
 * So another indentation leaves the digest as it is, and any other change shows. It
 * does not protect against a person, who can compute a new digest after an edit.
 *
 *     ba_json_digest d;
 *     ba_json_digest_init(&d);
 *     ba_json_digest_add(&d, text, size);      -- in pieces of any size
 *     ba_json_digest_end(found, said, &d);     -- said: "" where there is none
 *
 * What jq -c 'del(.document_sha256)' writes has that SHA-256, as long as jq writes the
 * numbers as they were.
 */
#ifndef JSON_DIGEST_H
#define JSON_DIGEST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/hash.h"

#define BA_JSON_DIGEST_KEY "document_sha256"

typedef struct ba_json_digest {
	ba_sha256 sha;
	ba_buf held; /* compact text that is not yet in it: it may be the last member */
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
/* Of a document that is whole; both have room for 65 bytes. Frees. */
ba_digest_state ba_json_digest_end(char found[65], char said[65], ba_json_digest *d);
/* Of an object that is still open and has members: what the digest is once it has been
 * closed behind its last member, the digest. Frees. */
void ba_json_digest_close(char found[65], ba_json_digest *d);

/* From an open file's start, to its end; the file's place stays where it is. */
int ba_json_digest_fd(ba_digest_state *out, char found[65], char said[65], int fd,
	const char *name, ba_error *err);

#endif
