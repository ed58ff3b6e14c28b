/*
 * Builds several variants side by side: a tree and a recipe become artefacts.
 *
 *     ba_build_job jobs[2] = {{.label = "v1", .dir = ..., .log_path = ..., ...}, ...};
 *     if (ba_build_all(jobs, 2, parallel, &options, err) < 0)
 *             for each job: if (job.failure) print job.failure;   -- several lines
 *     ba_build_job_dispose(&jobs[i]);
 *
 * Commands run in the tree, without a shell, one after the other until one fails. The
 * log has each command, followed by its output. With recipe->sandbox each command has
 * a sandbox of its own, in which it can write the tree and an empty /tmp. A job that
 * fails does not stop the others, so that one run reports everything that is broken.
 */
#pragma once

#include "build/recipe.h"
#include "model/variant.h"

typedef struct ba_build_job {
	/* set by the caller; borrowed */
	const char *label;    /* for messages; safe for a terminal */
	const char *dir;      /* the tree, absolute */
	const char *log_path; /* absolute; its directory is created */
	const ba_build_recipe *recipe;
	const ba_strv *artefacts; /* files that the build must make; may be NULL */
	/* paths in the tree that the build must not change (build/run.c), or NULL */
	const ba_strv *frozen;
	/* commands run in it; NULL: the caller's environment */
	const ba_variant_environment *environment;
	/* Called after a successful build, e.g. to mark the cache slot complete; may be
	 * NULL. Its error becomes the job's. */
	int (*complete)(struct ba_build_job *job, ba_error *err);
	void *data; /* for complete */
	/* results */
	bool built;
	int code;      /* BA_E...; 0 if built */
	char *failure; /* the message for the user, several lines; NULL if built */
	double seconds;
	/* processes that the build left running; they were killed */
	unsigned left_running;
	uint64_t log_dropped; /* bytes of output that exceeded the log's ceiling */
	char sha256[65];      /* of a tree that a node built (cluster/node.h) */
} ba_build_job;

typedef struct ba_build_options {
	unsigned parallel;		   /* jobs that run at the same time; 0: 1 */
	const char *tmp_root;		   /* folder for private TMPDIRs; NULL: /tmp */
	const ba_log *log;		   /* may be NULL */
	const volatile sig_atomic_t *stop; /* as in ba_proc_spec; may be NULL */
	/* called when a job begins and ends, to show progress; may be NULL */
	void (*changed)(void *data, const ba_build_job *job, bool ended);
	void *data;
} ba_build_options;

/* Returns 0 if all jobs were built, else the first failure in the order of `jobs`, in one line.
 * BA_EINTERRUPTED: it killed all running jobs. options may be NULL. */
int ba_build_all(ba_build_job *jobs, size_t n, const ba_build_options *options, ba_error *err);
void ba_build_job_dispose(ba_build_job *job);
/* The default number of trees that are built at the same time. */
unsigned ba_build_usual_parallel(void);

/* ---- the files that a build must leave ---- */

/* Checks that every path (relative to dir) is a regular file, after links are followed.
 * Otherwise returns BA_EBUILD with up to three files of the same name or suffix:
 * "no 'build/libx.so'; there is 'build/lib/libx.so'". */
int ba_build_check_artefacts(const char *dir, const ba_strv *paths, ba_error *err);

/* Checks also that none links to a file outside of dir, such as another variant's. */
int ba_build_check_inside(const char *dir, const ba_strv *paths, ba_error *err);

/* ---- messages about a build that failed (story.c) ---- */

/* Each sets job->code and job->failure: for a command that ended as r says, or another error. */
void ba_story_command(ba_build_job *job, size_t command, const ba_proc_result *r);
void ba_story_sentence(ba_build_job *job, int code, const char *sentence);
/* Warns of processes that a build left running, and of output beyond the log's limit. */
void ba_story_remarks(const ba_build_job *job, const ba_proc_result *r, const ba_log *log);
