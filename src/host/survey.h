/* What the worker says about the machine and the variants, put into a ba_survey. */
#ifndef HOST_SURVEY_H
#define HOST_SURVEY_H

#include "host/engine.h"

/* A message that is no answer: "environment", "finding", "variant". variants maps the
 * worker's indices to the run's. */
void ba_survey_hear(
	ba_survey *s, const ba_message *m, const size_t *variants, size_t count);

/* what was heard of a machine that then turned out to be none */
void ba_survey_forget_machine(ba_survey *s);
/* The answer to "timing": what metrics on the GPU stand on. */
void ba_survey_hear_timing(ba_survey *s, const ba_message *m);
/* From one survey's environment into another. */
void ba_environment_take_timing(ba_environment *out, const ba_environment *from);

#endif
