/* The history: the results of every run, in one SQLite file of the user. It shows a
 * benchmark over commits. A run writes to it after giving its answer; if it cannot, the
 * run warns and its exit status stays the same.
 *
 *     BA_AUTO_PTR(ba_history) ba_history *h = NULL;
 *     rc = ba_history_open(&h, path, true, err);
 *     rc = rc ? rc : ba_history_add(h, result, plans, NULL, err);
 *
 * Each run adds its rows in one transaction; runs wait for each other for some
 * seconds. The text in it may come from anywhere: make it safe before you show it.
 * This module owns sqlite3.h. */
#pragma once

#include "model/code_document.h"
#include "model/result.h"

/* version of the tables, stored as user_version of the file */
#define BA_HISTORY_VERSION 1

typedef struct ba_history ba_history;

/* $BENCH_AGAINST_HISTORY, else history.sqlite in $XDG_STATE_HOME/bench-against or
 * ~/.local/state/bench-against; NULL if none of them is set. Caller frees. */
char *ba_history_path(const char *named, const char *state_home, const char *home);

/* `writing` creates the file (and its folder) if there is none. BA_ENOTFOUND: there is
 * none to read. BA_EDATA: damaged, not a history of ours, or of a newer version. */
int ba_history_open(ba_history **out, const char *path, bool writing, ba_error *err);
BA_DECLARE_FREE(ba_history)

/* Adds all variants with a commit or a tree, and all values measured of them; adds
 * nothing on error. plans[benchmark] is a digest of what was measured: values under
 * different digests are never compared. code: instead of the values, a comparison of
 * machine code whose variants are r's: the metrics of each kernel that is not the same, and
 * all sizes, with the target BA_HISTORY_CODE; or NULL. */
#define BA_HISTORY_CODE "code"
int ba_history_add(ba_history *h, const ba_result *r, const char (*plans)[65],
	const ba_code_document *code, ba_error *err);

/* ---- reading ---- */

/* A series: values that may be compared over commits. */
typedef struct ba_history_series {
	char *benchmark, *metric;
	char *target, *device; /* "gpu" and "NVIDIA H200", "host" and the processor */
	char *plan_sha256;
	uint64_t points; /* how many rows it has */
	char *last;	 /* when it was last added to, RFC 3339 */
} ba_history_series;

BA_LIST(ba_history_list, ba_history_series); /* by benchmark, then metric, then latest first */
BA_DECLARE_DISPOSE(ba_history_list)

int ba_history_list_series(ba_history_list *out, ba_history *h, ba_error *err);

/* One variant of one run. Uncommitted work has no points. */
typedef struct ba_history_point {
	char commit[65];
	char *started, *subject, *describe;
	double ns, stdev_ns;
	/* the comparison with the baseline of its run, for candidates; else NaN, NULL */
	double ratio, low, high;
	char *verdict, *baseline; /* verdict, and the commit that it was compared with */
} ba_history_point;

BA_LIST(ba_history_points, ba_history_point); /* in the order in which they were added */
BA_DECLARE_DISPOSE(ba_history_points)

int ba_history_read(
	ba_history_points *out, ba_history *h, const ba_history_series *series, ba_error *err);
