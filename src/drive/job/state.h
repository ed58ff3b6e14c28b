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

/* The plan for members. BA_EUNSUPPORTED: the job has no journal. */
int ba_job_describe_for_members(ba_exchange_plan *out, const ba_job *job, ba_error *err);
/* The coordinator for that exchange directory. Without a plan it resumes the exchange. */
int ba_job_coordinate(ba_coordinator **out, const ba_job *job, const char *exchange,
	const ba_exchange_plan *plan, ba_error *err);
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

/* ---- the calibration of this system, and a run (noise.c) ---- */

typedef struct ba_job_noise {
	ba_calibration calibration;
	bool known;		 /* a readable calibration exists */
	ba_plan_digest *digests; /* [benchmark_count] */
} ba_job_noise;

BA_DECLARE_DISPOSE(ba_job_noise)

/* Before the run: can the thresholds be decided at all? Opens the calibration of r's system,
 * if there is one. Thresholds below its floor are BA_EINVAL, or a note with
 * --allow-below-floor. A note also names thresholds that take long. */
int ba_job_noise_foresee(ba_job_noise *b, const ba_job_setup *p, ba_result *r, ba_error *err);

/* After it: has the system changed? Adds notes about what differs from the calibration. */
void ba_job_noise_compare(const ba_job_noise *b, const ba_job_commands *suggest, ba_result *r);
