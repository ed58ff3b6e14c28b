/* Calls the services of a job, whose functions may be NULL. */
#ifndef RUN_SERVICES_H
#define RUN_SERVICES_H

#include "run/run.h"

/* Was the run asked to stop? */
bool ba_job_is_stopped(const ba_job_services *s);
bool ba_job_stopped(void *services); /* the same, as a callback */
void ba_job_phase(const ba_job_services *s, const char *text);
void ba_job_progress(const ba_job_services *s, double done, const char *text);
void ba_job_quiet(const ba_job_services *s);
/* a variable of the given environment; NULL: not set */
const char *ba_job_variable(const ba_job_services *s, const char *name);

#endif
