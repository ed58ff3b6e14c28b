/*
 * Is this candidate faster than the champion? One try of a session (docs/judge.md).
 *
 *     ba_judge j = {.job = &q, .services = &s, .task = "task/", .candidate = &files, ...};
 *     rc = ba_judge_run(&j, err);
 *     ba_brief b = ba_judge_brief(&j);      borrows from j
 *     ba_judge_dispose(&j);
 *
 * A try has two rungs. The first has few invocations, and ends it unless the candidate may be
 * faster. The second measures anew, and only it can accept. So a level (stats/multiple.h) is
 * spent where the second begins: the first decides from other samples which hypotheses are
 * tested, and never in a candidate's favour.
 *
 * The task is the run's baseline, so it owns inputs and checks; candidate and champion are
 * compared with each other (ba_champion_decide).
 *
 * A session's folder has `lock`, held while a candidate is judged, so that several processes
 * may use it; `session.json`; and `code`, a repository of the task's and all tries' files.
 */
#pragma once

#include "report/brief.h"
#include "request/request.h"

/* ---- what a session keeps: one file, which is replaced as a whole (judge.c) ---- */

typedef struct ba_judge_try {
	char digest[65]; /* of its files, or of its tree */
	char *spec;	 /* a revision in the session's directory */
	char *answer;
	ba_brief_word word;
	double level; /* at which it could be accepted; NaN: it was not tested */
} ba_judge_try;

typedef struct ba_judge_session {
	char *directory; /* of the repository with all revisions, absolute */
	char *base;	 /* the task's own code, a revision; NULL: the session is new */
	double alpha;
	bool strict;
	size_t tested, accepted;
	size_t best; /* number of the champion's try, from 1 on; 0: the task's own code */
	ba_judge_try *tries;
	size_t count, capacity;
} ba_judge_session;

void ba_judge_try_dispose(ba_judge_try *t);
void ba_judge_session_dispose(ba_judge_session *s);

/* ---- tasks and candidates as revisions (candidate.c) ---- */

/* Folders and files become commits of a repository of ours: the task, and the task with a
 * candidate's files in place of its own. Sets digest and spec of *out. directory: of the
 * repository; if the task is a folder, it is made there. candidate: [PLACE=]FILE ..., or
 * folders; or a revision, if the task is one; NULL: the task itself. BA_EINVAL says what is
 * not a task, or not a candidate. */
int ba_judge_commit(ba_judge_try *out, const char *directory, const char *task,
	const ba_strv *candidate, ba_error *err);

/* ---- a try ---- */

typedef struct ba_judge {
	/* borrowed; the request's fields that the judge decides itself are ignored */
	const ba_job_request *job;
	const ba_job_services *services;
	const char *task;	  /* a folder with a configuration, or a revision */
	const ba_strv *candidate; /* of ba_judge_commit; none: measure the champion anew */
	const char *dir;	  /* the session's folder; NULL: a single try */
	const char *output;	  /* a file for the results document, or NULL */
	bool strict;
	/* found */
	ba_judge_session session;
	ba_judge_try now;
	size_t number; /* of the try; of an equal one if it was answered from the record */
	bool recorded;
	char *next; /* NULL: what follows from the result */
	ba_result r;
} ba_judge;

int ba_judge_run(ba_judge *j, ba_error *err);
/* 0 if the candidate is the new champion (or the champion faster than the task's own code),
 * 125 for BA_BRIEF_UNDECIDED, else 1. Borrows from *j. */
ba_brief ba_judge_brief(const ba_judge *j);
BA_DECLARE_DISPOSE(ba_judge)
