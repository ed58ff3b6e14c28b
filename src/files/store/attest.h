/* An attestation: a statement in the format of in-toto (Statement v1) that says what was
 * compared, with what and where, and the verdict. It is not signed; cosign or GitHub's
 * actions/attest do that.
 *
 * Subjects are the candidates, by commit. The predicate has the fields of
 * docs/security.md#attestation. */
#pragma once

#include "model/result.h"

/* also the `predicateType` */
#define BA_ATTESTATION_TYPE "urn:bench-against:verdict:1"

/* results: the file with the result, whose SHA-256 is stated, or NULL. Replaces the
 * attestation. BA_EINVAL: a candidate has neither a commit nor a digest to be a subject. */
int ba_attestation_write(const char *path, const ba_result *r, const char *results, ba_error *err);
/* Does the statement in the file belong to this result, with the digest of that file?
 * *why is the contradiction, which the caller frees; NULL if they belong together. */
int ba_attestation_check(
	char **why, const char *path, const ba_result *r, const char *results, ba_error *err);
