/*
 * The journal of a job: opened, written while the job measures, and removed when the
 * answer is given; or resumed (--resume).
 *
 * If a journal cannot be written, there is one warning, and the run
 * continues without it. But two runs never share one: the second is refused.
 */
#pragma once

#include "request/request.h"
#include "store/journal.h"

typedef struct ba_job_journal {
	const ba_log *log;
	ba_journal *journal; /* NULL: none is kept */
	bool stopped;	     /* writing failed, so nothing more is written */
	char *path;	     /* absolute */
	char *directory;     /* where the process was when the journal was made */
	ba_strv argv;	     /* command line of the run's first start */
	size_t whole;	     /* number of complete invocations in it */
	bool resumed;
	ba_journal_content then; /* valid if resumed */
} ba_job_journal;

/* argv starts the same run again ("run": one variant). Remembers the current directory. */
void ba_job_journal_init(ba_job_journal *j, int argc, char **argv);
BA_DECLARE_DISPOSE(ba_job_journal)

/* Opens the journal of a killed run: reads and locks it, but does not change it yet.
 * j->argv is then that run's. BA_EINVAL: it belongs to another command or directory. */
int ba_job_journal_resume(ba_job_journal *j, const char *path, ba_error *err);

/* ---- what a job does with it ---- */

/* If resumed: is it the same run by `now` (`all`: complete)? BA_EINVAL names the differences. */
int ba_job_journal_check(
	const ba_job_journal *j, const ba_fingerprint *now, bool all, ba_error *err);
/* If resumed: checks all, takes r->env and origins, and appends to the journal; j->then.resumed
 * has its measurements. Else a new one: `named`, or NULL for a free name in the cache. */
int ba_job_journal_begin(ba_job_journal *j, const ba_job_services *services, const char *named,
	const ba_fingerprint *now, ba_result *r, ba_error *err);
/* The callbacks of a run (session/spec.h); data is the journal. */
void ba_job_journal_samples(
	void *data, const ba_result *r, const ba_series *series, const ba_samples *samples);
void ba_job_journal_invocation(void *data, unsigned invocation, const ba_checkpoint *c);
void ba_job_journal_restart(void *data);
/* Records that a member has joined; its samples follow. */
void ba_job_journal_origin(ba_job_journal *j, const ba_origin *origin);
/* Call when the answer is given. A stopped run keeps its journal, and says so. */
void ba_job_journal_end(ba_job_journal *j, const ba_result *r);
/* Before anything was measured: removes the journal, unless it is an earlier run's. */
void ba_job_journal_discard(ba_job_journal *j);

/* Files in the cache besides trees: build logs, journals of killed runs, killed searches' steps. */

/* Removes those last written before that time, but no kept tree's log or running run's journal. */
void ba_leftovers_remove(const char *cache_root, time_t before);
