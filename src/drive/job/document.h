/* What a result records of its run besides measurements: tool, time, and sampling rules. */
#pragma once

#include "model/result.h"

typedef char ba_plan_digest[65];

/* Fills version, time and command line, but neither repository nor configuration. */
void ba_job_describe(ba_result *r, const char *command_line);
/* The `rules` of ba_plan_sha256; the result must have its environment. */
const char *ba_job_sample_rules(const ba_result *r);
/* The same of documents from before all arguments were checked; NULL for others. */
const char *ba_job_earlier_rules(const ba_result *r);
/* The digest of each benchmark's plan; caller frees. */
ba_plan_digest *ba_job_digests(const ba_result *r);
