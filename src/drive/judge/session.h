/* What a session of `judge` keeps: one file, which is replaced as a whole. */
#pragma once

#include "report/brief.h"

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

/* Reads `dir`/session.json, if there is one. BA_EDATA for what no session wrote. */
int ba_judge_load(ba_judge_session *s, const char *dir, ba_error *err);
int ba_judge_save(const ba_judge_session *s, const char *dir, ba_error *err);
/* The latest try with this digest, from 1 on; 0: none. */
size_t ba_judge_find(const ba_judge_session *s, const char *digest);
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
