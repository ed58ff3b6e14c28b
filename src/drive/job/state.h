/* The state of a job. Inside the module only. */
#pragma once

#include "cluster/slurm_tasks.h"
#include "cluster/coordinator.h"
#include "job/document.h"
#include "job/setup.h"
#include "model/calibration.h"

typedef struct ba_job {
	const ba_job_request *request;
	const ba_job_services *services;
	ba_job_journal *journal; /* NULL: none */
	ba_result *result;
	ba_variants variants;
	ba_suite_list suites;
	ba_job_setup setup;
	/* start of the survey, minus the time of earlier processes in the journal */
	int64_t start_ns;
} ba_job;

/* Creates the exchange, and starts a process of this host for each device. */
int ba_job_start_members(
	ba_coordinator **coordinator, ba_local_members **local, ba_job *job, ba_error *err);

/* The exchange directory, named after the journal, so that --resume finds it; caller frees. */
char *ba_job_exchange_dir(const ba_job *job);
/* Creates the exchange, and submits its members' job array. *tasks must outlive *coordinator. */
int ba_job_start_tasks(
	ba_coordinator **coordinator, ba_slurm_tasks **tasks, ba_job *job, ba_error *err);

/* For a member, instead of resolving and building: takes the plan's variants and rules. */
int ba_job_adopt(ba_job *job, ba_exchange_plan *plan, ba_error *err);
