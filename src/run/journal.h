/*
 * The journal of a job: opened, written while it measures, removed when the answer is
 * given; or taken up again (--resume).
 *
 * A journal that cannot be written is said once, and the run goes on without.
 */
#ifndef RUN_JOURNAL_H
#define RUN_JOURNAL_H

#include "base/log.h"
#include "model/result.h"
#include "store/journal.h"

typedef struct ba_measure_plan ba_measure_plan;

typedef struct ba_job_journal {
	const ba_log *log;
	ba_journal *journal; /* NULL: none is kept */
	bool stopped;	     /* it could not be written on */
	char *path;	     /* absolute */
	char *directory;     /* where the process was when the journal was made */
	ba_strv argv;	     /* of the run, as it was started first */
	size_t whole;	     /* invocations that are in it */
	bool resumed;
	ba_journal_content then; /* where resumed */
} ba_job_journal;

/* argv: what starts such a run again; "run" comes first where one variant is measured.
 * Notes the current directory. */
void ba_job_journal_init(ba_job_journal *j, int argc, char **argv);
void ba_job_journal_dispose(ba_job_journal *j);
BA_DEFINE_AUTO(ba_job_journal, ba_job_journal_dispose)

/* Take the journal of a killed run up: read, locked, not changed yet. j->argv is that
 * run's from here on. BA_EINVAL: of another command or another directory. */
int ba_job_journal_resume(ba_job_journal *j, const char *path, ba_error *err);

/* ---- what a job does with it ---- */

/* Where resumed: is it the same run? What differs is named; BA_EINVAL. */
int ba_job_journal_check_trees(
	const ba_job_journal *j, const ba_result *r, ba_error *err);
/* The whole of it; then r->env and what is resumed are that run's, and lines are
 * appended. A new run gets a journal of its own. */
int ba_job_journal_begin(
	ba_job_journal *j, ba_measure_plan *p, ba_result *r, ba_error *err);
/* The answer is given. A run that was stopped keeps its journal, which is said. */
void ba_job_journal_end(ba_job_journal *j, const ba_result *r);

#endif
