/* The messages about a build that failed. Inside the module only. */
#pragma once

#include "build/build.h"

/* Each sets job->code and job->failure: for a command that ended as r says, or another error. */
void ba_story_command(ba_build_job *job, size_t command, const ba_proc_result *r);
void ba_story_sentence(ba_build_job *job, int code, const char *sentence);
/* Warns of processes that a build left running, and of output beyond the log's limit. */
void ba_story_remarks(const ba_build_job *job, const ba_proc_result *r, const ba_log *log);
