/*
 * The journal: what a run has measured so far, one JSON object a line, appended as soon
 * as it exists. A line is one write(2), so that whatever ends the run, at most the last
 * line is torn; the reader leaves that one out and opening the journal again cuts it
 * off.
 *
 *     {"t":"header","schema":"bench-against.journal/1","plan":...,"seed":...,"argv":[...],
 *      "variants":[...]}
 *     {"t":"samples","benchmark":"launch/args=2","metric":"submit","invocation":0,...}
 *     {"t":"failure","benchmark":...,"metric":...,"variant":1,"failure":...,"output":...}
 *     {"t":"end","exit_status":0}
 *
 * Samples are as in the results document (docs/results.md).
 */
#ifndef STORE_JOURNAL_H
#define STORE_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/strv.h"
#include "model/result.h"

#define BA_JOURNAL_SCHEMA "bench-against.journal/1"

typedef struct ba_journal ba_journal;

/* Create path, or open it to go on. Only one process can have it open (flock): another
 * is told so (BA_EIO). `sync` asks for fdatasync after each line: survives a power cut
 * too. */
int ba_journal_open(ba_journal **out, const char *path, bool sync, ba_error *err);
void ba_journal_free(ba_journal *j); /* NULL is fine */
BA_DEFINE_AUTO_PTR(ba_journal, ba_journal_free)

/* An error (a full disk) leaves the journal as it was before the line. */
int ba_journal_header(
	ba_journal *j, const ba_result *r, const ba_strv *argv, ba_error *err);
int ba_journal_samples(ba_journal *j, const char *benchmark, ba_metric metric,
	const ba_samples *samples, ba_error *err);
/* variant: an index; output may be NULL */
int ba_journal_failure(ba_journal *j, const char *benchmark, ba_metric metric,
	size_t variant, const char *failure, const char *output, ba_error *err);
int ba_journal_end(ba_journal *j, int exit_status, ba_error *err);

typedef enum ba_record_kind {
	BA_RECORD_SAMPLES,
	BA_RECORD_FAILURE,
} ba_record_kind;

typedef struct ba_record {
	ba_record_kind kind;
	char *benchmark;
	ba_metric metric;
	ba_samples samples;	/* SAMPLES */
	size_t variant;		/* FAILURE */
	char *failure, *output; /* FAILURE */
} ba_record;

typedef struct ba_journal_content {
	char *tool_version, *started;
	char plan_sha256[65];
	uint64_t seed;
	ba_strv argv;
	ba_variant *variants;
	size_t variant_count;
	ba_record *records; /* in the order of writing */
	size_t record_count, record_capacity;
	bool ended;
	int exit_status; /* where ended */
	bool torn;	 /* the last line was incomplete and is left out */
} ba_journal_content;

void ba_journal_content_dispose(ba_journal_content *c);
BA_DEFINE_AUTO(ba_journal_content, ba_journal_content_dispose)

/* Does not lock: a journal that is being written can be looked at. A line that is whole
 * and wrong is BA_EDATA with file and line; without a header there is nothing to
 * resume. */
int ba_journal_read(ba_journal_content *out, const char *path, ba_error *err);

#endif
