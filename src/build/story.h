/* What is reported about a build that failed. Inside the module only. */
#ifndef BUILD_STORY_H
#define BUILD_STORY_H

#include "build/build.h"
#include "proc/proc.h"

/* each sets job->code and job->failure */
void ba_story_command(ba_build_job *job, size_t command, const ba_proc_result *r);
void ba_story_sentence(ba_build_job *job, int code, const char *sentence);
/* warnings about a build that ended: processes it left running, text that the log
 * lacks */
void ba_story_remarks(
	const ba_build_job *job, const ba_proc_result *r, const ba_log *log);

#endif
