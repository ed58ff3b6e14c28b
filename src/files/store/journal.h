/* The journal: what a run has measured so far, one JSON object a line, so that a killed
 * run can be resumed. Each line is appended with one write(2) as soon as its content is
 * known. However the run ends, at most the last line is incomplete.
 *
 *     {"t":"header","schema":"bench-against.journal/4","terms":{...},"argv":[...],...}
 *     {"t":"samples","benchmark":"launch/args=2","metric":"submit","invocation":0,...}
 *     {"t":"invocation","invocation":0,"samples":3,"benchmarks":[...],...}
 *     {"t":"origin","origin":{"name":"GPU 1",...}}   the next origin (model/environment.h); its samples follow
 *     {"t":"restart"}       lines above do not count: the engine was changed
 *
 * Each line ends with "sum", the first 16 digits of a SHA-256 over the sum of
 * the previous line and the line itself. So a line that was damaged, left out
 * or moved is found.
 *
 * Samples are as in the results document (docs/results.md). An invocation is complete
 * if its line is there. The reader drops what follows the last such line, and it is cut
 * off before the next line is appended. */
#pragma once

#include "model/resumed.h"

#define BA_JOURNAL_SCHEMA "bench-against.journal/4"

/* What must be equal for two processes' samples to be of one run: names, and values as text. */
typedef struct ba_fingerprint {
	ba_strv names, values;
} ba_fingerprint;

BA_DECLARE_DISPOSE(ba_fingerprint)
/* takes value */
void ba_fingerprint_add(ba_fingerprint *f, const char *name, char *value);
/* the name is printed; a value that is NULL is "" */
void ba_fingerprint_text(ba_fingerprint *f, const char *value, const char *name, ...)
	__attribute__((format(printf, 3, 4)));
void ba_fingerprint_flag(ba_fingerprint *f, bool value, const char *name);
void ba_fingerprint_number(ba_fingerprint *f, double value, const char *name);
/* NULL: it has none. Fingerprints have one order, mostly: looks at `near` first. */
const char *ba_fingerprint_value(const ba_fingerprint *f, const char *name, size_t near);
/* Appends a clause for each value that both have and that differs: "--alpha was 0.05 and
 * is 0.01 now". With `all`, also for values that only one of them has. */
void ba_fingerprint_differences(
	ba_strv *out, const ba_fingerprint *then, const ba_fingerprint *now, bool all);

typedef struct ba_journal_content {
	char *tool_version, *started;
	char *directory; /* where the tool was started, for the paths in argv */
	ba_strv argv;
	uint64_t seed;
	ba_fingerprint fingerprint;
	ba_environment env;
	size_t variant_count;
	ba_resumed resumed; /* only complete invocations */
	/* the first line changed after it was written, which ends the content; 0: none */
	size_t damaged_line;
} ba_journal_content;

BA_DECLARE_DISPOSE(ba_journal_content)

typedef struct ba_journal ba_journal;

/* Creates an empty journal and discards earlier content. *replaced (may be NULL): there
 * was some. BA_EINVAL if another run writes to it (flock). Does not follow a link. */
int ba_journal_create(ba_journal **out, bool *replaced, const char *path, ba_error *err);
/* BA_EINVAL if another run writes to it now. */
int ba_journal_check_free(const char *path, ba_error *err);

/* Opens, locks and reads an existing one; the file stays unchanged until
 * ba_journal_go_on. If a line is damaged, the lines before it are kept, provided that
 * they include the header (damaged_line). A line that is undamaged but wrong is
 * BA_EDATA, with file and line. BA_EINVAL: it is not a file of this user
 * alone (ba_fs_check_own). */
int ba_journal_open(ba_journal **out, ba_journal_content *content, const char *path, ba_error *err);

/* A file of exactly one invocation, with that number, complete and undamaged; no lock. *out is
 * zeroed. BA_ENOTFOUND: no such file. BA_EDATA: it has anything else. */
int ba_journal_read_invocation(
	ba_journal_content *out, const char *path, size_t number, ba_error *err);

/* Cuts off everything after the last complete invocation, and appends from there. */
int ba_journal_go_on(ba_journal *j, ba_error *err);

/* When the run has a result: removes the file, then its lock; not a file that has replaced it. */
void ba_journal_remove(ba_journal *j);
BA_DECLARE_FREE(ba_journal) /* the file stays; NULL is fine */

/* These append a line. After an error (a full disk) the journal is unchanged. */
int ba_journal_header(ba_journal *j, const ba_result *r, const ba_strv *argv, const char *directory,
	const ba_fingerprint *fingerprint, ba_error *err);
/* The number of an origin is the number of its line: 0, 1, ... */
int ba_journal_origin(ba_journal *j, const ba_origin *origin, ba_error *err);
int ba_journal_samples(ba_journal *j, const char *benchmark, ba_metric metric,
	const ba_samples *samples, ba_error *err);
/* Calls fdatasync, too, so that the invocation survives a power cut. */
int ba_journal_invocation(
	ba_journal *j, unsigned invocation, const ba_checkpoint *c, ba_error *err);
int ba_journal_restart(ba_journal *j, ba_error *err);
