/* The results document, `bench-against.results/1`: everything that a finished run
 * knows, with every raw sample, so that a verdict can be recomputed from the file
 * alone. docs/results.md describes it; share/schema/results.schema.json is its schema. */
#pragma once

#include "model/result.h"

#define BA_RESULTS_SCHEMA "bench-against.results/1"
/* What a document of each schema_revision always has; an absent number means 0.
 *
 *   1: iqr_ns, max_ns and sm_mhz of a summary with readings
 *   2: document_sha256, the digest of the document (json/digest.h)
 *   3: tree_sha256 and used_sha256 of a variant; controls (verdict/identity.h)
 *   4: z and mean_... of a comparison (BA_REVISION_MEANS); trimmed_ns agrees with ratio
 *   5: no new member; a control without a look is not `identical` (verdict/identity.h)
 *   6: within_threshold of a comparison (BA_REVISION_SHIFT), threshold_given...; answer, reason and hint in
 *      other words
 *   7: no new member; launches leave marks (wire/witness.h), so that the kernels are others, and
 *      suite_sha256 (BA_REVISION_MARKS)
 *   8: origins, the origin of samples, merged runs of the decision: only where there are some
 *      (BA_REVISION_ORIGINS)
 *   9: the rule of the decision (BA_REVISION_RULE); the answer in other words
 *      (BA_REVISION_WORDS); each value that a program of a command suite prints is a
 *      reading (BA_REVISION_REPLICATES)
 *  10: controls of the decision, executes of a suite or benchmark: only with --only-changed
 *  11: the environment of a variant, loads of a suite, effects of a series: only in runs with
 *      environments
 */
#define BA_RESULTS_REVISION 11
#define BA_RESULTS_REVISION_DIGEST 2

/* Appends the document, with a newline at its end. */
void ba_results_format(ba_buf *out, const ba_result *r);
/* Writes the same to a file, keeping only a piece of it in memory. */
int ba_results_put(FILE *out, const ba_result *r, ba_error *err);

/* Replaces the file atomically: it is the old or the new one, never half of one. */
int ba_results_write(const char *path, const ba_result *r, ba_error *err);

/* A document from anywhere is untrusted: depth and parts have ceilings, counts are
 * compared with the content, indices with their arrays. BA_EDATA with file, line and
 * path. Afterwards texts are never NULL (except where model/ says so), and unknown
 * numbers (null) are NaN. The caller disposes of *out.
 *
 * r->document.state says whether the text is unchanged since it was written. Damage and edits
 * are not errors here: `verify` names them, and whatever shows or compares the document
 * reports them.
 *
 * The text is never held whole: memory is needed for *out and
 * for the largest series. */
int ba_results_read(ba_result *out, const char *path, ba_error *err);
int ba_results_parse(
	ba_result *out, const char *text, size_t size, const char *name, ba_error *err);

/* The same, but readings beyond `readings_most` bytes are checked and left in the file, which
 * stays open for ba_series_whole (model/result.h). A pipe or a text is kept in memory. */
/* for callers that need few readings */
#define BA_RESULTS_READINGS_HELD ((size_t)64 << 20)
int ba_results_read_some(ba_result *out, const char *path, size_t readings_most, ba_error *err);
int ba_results_parse_some(ba_result *out, const char *text, size_t size, const char *name,
	size_t readings_most, ba_error *err);
