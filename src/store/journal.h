/*
 * The journal: what a run has measured so far, one JSON object a line, appended as soon
 * as it exists, so that a run that was killed can be gone on with. A line is one
 * write(2): whatever ends the run, at most the last line is torn.
 *
 *     {"t":"header","schema":"bench-against.journal/3","terms":{...},"argv":[...],...}
 *     {"t":"samples","benchmark":"launch/args=2","metric":"submit","invocation":0,...}
 *     {"t":"invocation","invocation":0,"samples":3,"benchmarks":[...],...}
 *     {"t":"restart"}       what is above does not count: the engine was changed
 *
 * Each line ends with "sum", the first 16 digits of a SHA-256 over the sum of the line
 * before and the line itself: a line that was damaged, left out or moved is found.
 *
 * Samples are as in the results document (docs/results.md). An invocation is whole when
 * its line is there; what follows the last such line is dropped by the reader and cut
 * off before the next is appended.
 */
#ifndef STORE_JOURNAL_H
#define STORE_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/strv.h"
#include "model/resumed.h"
#include "model/result.h"

#define BA_JOURNAL_SCHEMA "bench-against.journal/3"

/* What has to be equal for samples of two processes to be of one run: a name for
 * people, and its value as text. */
typedef struct ba_terms {
	ba_strv names, values;
} ba_terms;

void ba_terms_dispose(ba_terms *t);
BA_DEFINE_AUTO(ba_terms, ba_terms_dispose)
void ba_terms_add(ba_terms *t, const char *name, char *value); /* takes value */
/* A clause for each that is in both and differs, "--alpha was 0.05 and is 0.01 now";
 * where `all`, also for what only one of them has. */
void ba_terms_differences(
	ba_strv *out, const ba_terms *then, const ba_terms *now, bool all);

typedef struct ba_journal_content {
	char *tool_version, *started;
	char *directory; /* where the tool was started, for the paths in argv */
	ba_strv argv;
	uint64_t seed;
	ba_terms terms;
	ba_environment env;
	size_t variant_count;
	ba_resumed resumed; /* whole invocations alone */
	/* the first line that is not as it was written, 0: none; of it and of what
	 * follows it nothing is in here */
	size_t damaged_line;
} ba_journal_content;

void ba_journal_content_dispose(ba_journal_content *c);
BA_DEFINE_AUTO(ba_journal_content, ba_journal_content_dispose)

typedef struct ba_journal ba_journal;

/* An empty one; what the file had is gone, unless another process has it open (flock),
 * which is BA_EIO. *replaced: it had something (may be NULL). A link is not followed.
 */
int ba_journal_create(
	ba_journal **out, bool *replaced, const char *path, ba_error *err);

/* One that is there, locked and read. The file is as it was until ba_journal_go_on.
 * What is before a damaged line is kept, if that is a header at least (damaged_line). A
 * line that is as it was written and wrong is BA_EDATA with file and line. */
int ba_journal_open(
	ba_journal **out, ba_journal_content *content, const char *path, ba_error *err);

/* What follows the last whole invocation is cut off; lines are appended from there. */
int ba_journal_go_on(ba_journal *j, ba_error *err);

/* The run has ended and has a result: the file goes, before its lock does. One that was
 * put in its place meanwhile stays. */
void ba_journal_remove(ba_journal *j);
void ba_journal_free(ba_journal *j); /* the file stays; NULL is fine */
BA_DEFINE_AUTO_PTR(ba_journal, ba_journal_free)

/* An error (a full disk) leaves the journal as it was before the line. */
int ba_journal_header(ba_journal *j, const ba_result *r, const ba_strv *argv,
	const char *directory, const ba_terms *terms, ba_error *err);
int ba_journal_samples(ba_journal *j, const char *benchmark, ba_metric metric,
	const ba_samples *samples, ba_error *err);
/* and fdatasync: it survives a power cut, too */
int ba_journal_invocation(
	ba_journal *j, unsigned invocation, const ba_checkpoint *c, ba_error *err);
int ba_journal_restart(ba_journal *j, ba_error *err);

#endif
