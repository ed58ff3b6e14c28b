/* Puts what the worker reports about the machine and the variants into a ba_survey. */
#ifndef HOST_SURVEY_H
#define HOST_SURVEY_H

#include "host/engine.h"

/* For a message that is not an answer: "environment", "finding", "variant". variants
 * maps the worker's indices to the run's. */
void ba_survey_hear(ba_survey *s, const ba_message *m, const size_t *variants, size_t count);

/* Forgets what was reported of a machine that then turned out not to be a real GPU. */
void ba_survey_forget_machine(ba_survey *s);
/* The answer to "timing": the basis of metrics on the GPU. */
void ba_survey_hear_timing(ba_survey *s, const ba_message *m);
/* Copies it from one survey's environment into another. */
void ba_environment_take_timing(ba_environment *out, const ba_environment *from);

#endif
