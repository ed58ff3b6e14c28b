/* What a job is made of. Inside the module only. */
#ifndef JOB_STATE_H
#define JOB_STATE_H

#include "cluster/local.h"
#include "cluster/coordinator.h"
#include "job/setup.h"
#include "variants/variants.h"

struct ba_job {
	const ba_job_request *request;
	const ba_job_services *services;
	ba_job_journal *journal; /* NULL: none */
	ba_result *result;
	ba_trees trees;
	ba_suite_list suites;
	ba_measure_plan plan;
	int64_t start_ns; /* of the survey, and of what the journal has before it */
};

/* What members must know. BA_EUNSUPPORTED: the job has no journal. */
int ba_job_describe_plan(ba_crew_plan *out, const ba_job *job, ba_error *err);
/* The desk, and a process of this host for each device. */
int ba_job_muster(ba_job_crew **crew, ba_local_crew **local, ba_job *job, ba_error *err);

/* For a member, instead of ba_job_resolve and ba_job_build: takes the variants and the
 * configuration of the plan. */
int ba_job_adopt(ba_job *job, ba_crew_plan *plan, ba_error *err);

#endif
