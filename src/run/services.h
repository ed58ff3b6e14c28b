/* What a job's services do, also where the caller left a function out. */
#ifndef RUN_SERVICES_H
#define RUN_SERVICES_H

#include "run/run.h"

/* Was the run asked to stop? */
bool ba_job_is_stopped(const ba_job_services *s);
bool ba_job_stopped(void *services); /* the same, as a callback */
void ba_job_phase(const ba_job_services *s, const char *text);
void ba_job_progress(const ba_job_services *s, double done, const char *text);
void ba_job_quiet(const ba_job_services *s);
/* of the environment that was given; NULL: none */
const char *ba_job_variable(const ba_job_services *s, const char *name);

#endif
