#include "request/services.h"

bool ba_job_is_stopped(const ba_job_services *s)
{
	return s->stop && *s->stop;
}

bool ba_job_stopped(void *services)
{
	return ba_job_is_stopped(services);
}

void ba_job_phase(const ba_job_services *s, const char *text)
{
	if (s->phase)
		s->phase(s->data, text);
}

void ba_job_progress(const ba_job_services *s, double done, const char *text)
{
	if (s->progress)
		s->progress(s->data, done, text);
}

void ba_job_quiet(const ba_job_services *s)
{
	if (s->quiet)
		s->quiet(s->data);
}

const char *ba_job_variable(const ba_job_services *s, const char *name)
{
	return ba_env_find(s->env, name);
}
