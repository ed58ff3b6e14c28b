/*
 * Tasks and candidates as revisions. Folders and files become commits of a repository of
 * ours: the task, and the task with a candidate's files in place of its own.
 */
#pragma once

#include "judge/session.h"

/* Sets digest and spec of *out. directory: of the repository; if the task is a folder, it is
 * made there. candidate: [PLACE=]FILE ..., or folders; or a revision, if the task is one;
 * NULL: the task itself. BA_EINVAL says what is not a task, or not a candidate. */
int ba_judge_commit(ba_judge_try *out, const char *directory, const char *task,
	const ba_strv *candidate, ba_error *err);
