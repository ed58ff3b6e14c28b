/* What a run needs from its caller: files, the cache, the environment, a log, callbacks. */
#pragma once

#include "base/base.h"

/* The tool's files, absolute. NULL: missing, and a suite that needs it is an error. */
typedef struct ba_job_parts {
	char *worker;	    /* the worker's executable; never NULL */
	char *host_driver;  /* libcuda.so.1 of the host target */
	char *observer;	    /* the libcuda.so.1 that observes calls to the driver */
	char *python;	    /* the folder of the Python module, for PYTHONPATH */
	char *python_start; /* the folder of its sitecustomize.py */
	char *loads;	    /* the library that reports which files a program maps */
	char *hook;	    /* the library that measures programs of benchmark libraries */
} ba_job_parts;

/* The caller's; it must outlive the job. stop and the functions may be NULL. */
typedef struct ba_job_services {
	const ba_job_parts *parts;
	const char *cache_root;		   /* where built trees are kept */
	const char *const *env;		   /* environment of builds and programs; ends with NULL */
	const ba_log *log;		   /* warnings and remarks */
	const volatile sig_atomic_t *stop; /* 0, or the signal that requested a stop */
	/* called when a phase begins: "building 2 variants" */
	void (*phase)(void *data, const char *text);
	/* progress of the phase (0 .. 1, negative: unknown), and its current item */
	void (*progress)(void *data, double done, const char *text);
	/* called when a phase ends and the next is unknown */
	void (*quiet)(void *data);
	void *data; /* of these three */
} ba_job_services;

/* ---- the callbacks, each of which may be NULL ---- */

/* Was the run asked to stop? */
bool ba_job_is_stopped(const ba_job_services *s);
bool ba_job_stopped(void *services); /* the same, as a callback */
void ba_job_phase(const ba_job_services *s, const char *text);
void ba_job_progress(const ba_job_services *s, double done, const char *text);
void ba_job_quiet(const ba_job_services *s);
/* a variable of the given environment; NULL: not set */
const char *ba_job_variable(const ba_job_services *s, const char *name);
