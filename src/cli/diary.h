/*
 * The journal of a run as the run's command sees it: opened, written while it measures,
 * removed when the document is there; or taken up again (--resume).
 *
 * A journal that cannot be written is said once, and the run goes on without.
 */
#ifndef CLI_DIARY_H
#define CLI_DIARY_H

#include "cli/context.h"
#include "cli/measure.h"
#include "store/journal.h"

typedef struct ba_diary {
	ba_context *context;
	ba_journal *journal; /* NULL: none is kept */
	bool stopped;	     /* it could not be written on */
	char *path;	     /* absolute */
	char *directory;     /* where the tool was started, before -C */
	ba_strv argv;	     /* of the run, as it was started first */
	size_t whole;	     /* invocations that are in it */
	bool resumed;
	ba_journal_content then; /* where resumed */
} ba_diary;

/* `started`: argv of this process, from the command's name on */
void ba_diary_init(ba_diary *d, int argc, char **argv);
void ba_diary_dispose(ba_diary *d);
BA_DEFINE_AUTO(ba_diary, ba_diary_dispose)

/* Take the journal of a killed run up: read, locked, not changed yet. d->argv is that
 * run's from here on. */
int ba_diary_resume(ba_diary *d, const char *path, ba_error *err);

/* Where resumed: is it the same run? What differs is named; BA_EINVAL. */
int ba_diary_check_trees(const ba_diary *d, const ba_result *r, ba_error *err);
/* The whole of it; then r->env and what is resumed are that run's, and lines are appended. A
 * new run gets a journal of its own. */
int ba_diary_begin(
	ba_diary *d, ba_measure_plan *p, ba_result *r, ba_context *c, ba_error *err);

/* The answer is given. A run that was stopped keeps its journal, which is said. */
void ba_diary_finish(ba_diary *d, const ba_result *r);

#endif
