/*
 * Builds: a tree and a recipe to artefacts, several variants side by side.
 *
 *     ba_build_job jobs[2] = {{.label = "v1", .dir = ..., .log_path = ..., ...}, ...};
 *     if (ba_build_all(jobs, 2, parallel, &options, err) < 0)
 *             for each job: if (job.failure) print job.failure;   -- several lines
 *     ba_build_job_dispose(&jobs[i]);
 *
 * Commands run in the tree, without a shell, one after the other until one fails. What
 * they print goes to the log, each command before its output. Every job is tried,
 * whatever becomes of the others, so that one run tells all that is broken.
 */
#ifndef BUILD_BUILD_H
#define BUILD_BUILD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/log.h"
#include "base/strv.h"
#include "build/recipe.h"

typedef struct ba_build_job {
	/* given; borrowed */
	const char *label;    /* safe for a terminal */
	const char *dir;      /* the tree, absolute */
	const char *log_path; /* absolute; its directory is made */
	const ba_build_recipe *recipe;
	const ba_strv *artefacts; /* files that must be there afterwards; may be NULL */
	/* Called once it is built, e.g. to mark the cache slot complete; may be NULL.
	 * An error is the job's. */
	int (*complete)(struct ba_build_job *job, ba_error *err);
	void *data; /* for complete */
	/* found */
	bool built;
	int code;      /* BA_E...; 0 where built */
	char *failure; /* the whole story for a person, several lines; NULL where built
			*/
	double seconds;
	unsigned left_running; /* processes it left behind, stopped by us */
	uint64_t log_dropped;  /* bytes that the log's ceiling cost */
} ba_build_job;

typedef struct ba_build_options {
	unsigned parallel;    /* at most so many at a time; 0: 1 */
	const char *tmp_root; /* where private TMPDIRs are made; NULL: /tmp */
	const ba_log *log;    /* may be NULL */
	const volatile sig_atomic_t *stop; /* as in ba_proc_spec; may be NULL */
	/* a job began or ended, for progress; may be NULL */
	void (*changed)(void *data, const ba_build_job *job, bool ended);
	void *data;
} ba_build_options;

/* 0: all were built. BA_EBUILD and others: the first failure in the order of jobs, in
 * one line. BA_EINTERRUPTED: all running ones were killed. options may be NULL. */
int ba_build_all(
	ba_build_job *jobs, size_t n, const ba_build_options *options, ba_error *err);
void ba_build_job_dispose(ba_build_job *job);

/* argv as a person would type it: words with odd characters in quotes */
char *ba_build_command_text(const ba_strv *argv); /* caller frees */

#endif
