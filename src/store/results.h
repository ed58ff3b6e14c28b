/*
 * The results document, `bench-against.results/1`: everything a finished run knows,
 * every raw sample included, so that a verdict can be recomputed from the file alone.
 * docs/results.md describes it, share/schema/results.schema.json states it.
 */
#ifndef STORE_RESULTS_H
#define STORE_RESULTS_H

#include <stdio.h>

#include "base/buf.h"
#include "base/error.h"
#include "model/result.h"

#define BA_RESULTS_SCHEMA "bench-against.results/1"
/* What a document of that schema always has, schema_revision in it; 0 is absent.
 *   1: iqr_ns, max_ns and sm_mhz of a summary with readings
 *   2: document_sha256, the digest of the document (json/digest.h)
 *   3: tree_sha256 and used_sha256 of a variant; controls (host/identity.h)
 *   4: z and mean_... of a comparison (BA_REVISION_MEANS); trimmed_ns goes with ratio
 */
#define BA_RESULTS_REVISION 4
#define BA_RESULTS_REVISION_DIGEST 2

/* append the document, with a newline at its end */
void ba_results_format(ba_buf *out, const ba_result *r);
/* the same, of which no more is held than a piece */
int ba_results_put(FILE *out, const ba_result *r, ba_error *err);

/* The old or the new file, never half of one. */
int ba_results_write(const char *path, const ba_result *r, ba_error *err);

/* A document from anywhere is untrusted: depth and parts have ceilings, counts are
 * checked against what is there, indices against their arrays. BA_EDATA with file, line
 * and path. Texts are never NULL afterwards (but those that say so in model/), numbers
 * that were not known (null) are NaN. The caller disposes of *out.
 *
 * r->document says whether the text is as it was written. Damage and edits are no error
 * here: `verify` names them, and who shows or compares such a document says so.
 *
 * The text is never held whole: memory is that of *out and of the largest series. */
int ba_results_read(ba_result *out, const char *path, ba_error *err);
int ba_results_parse(
	ba_result *out, const char *text, size_t size, const char *name, ba_error *err);

/* The same, but readings beyond that many bytes are checked and left in the file, which
 * stays open: ba_series_whole (model/result.h) reads them again for who needs them. A
 * pipe, or a text, is held meanwhile. */
#define BA_RESULTS_READINGS_HELD ((size_t)64 << 20) /* by those who draw a few */
int ba_results_read_some(
	ba_result *out, const char *path, size_t readings_most, ba_error *err);
int ba_results_parse_some(ba_result *out, const char *text, size_t size,
	const char *name, size_t readings_most, ba_error *err);

#endif
