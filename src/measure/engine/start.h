/*
 * What the start of a worker's process takes: its metrics are the rows of model/metric.c that
 * have `starts`. The host takes the times by its own clock, so that no program needs to report
 * them; only the first call is timed by the worker. Each process has one value of each metric.
 *
 * The values are right in engines with a worker for each variant, whose specification has
 * `times_starts`: workers then start one after another, on any processor. Only for the files
 * of the engines.
 */
#pragma once

#include "engine/row.h"

/* Before the process starts. With `times_starts`: empties the variant's caches of compiled code,
 * unless `keeps_caches`. */
int ba_start_begin(ba_worker_slot *s, ba_error *err);
/* The environment of the tool's own worker, with these caches; empty: ours. */
void ba_start_environment(ba_strv *out, const ba_worker_slot *s);
/* It has answered hello, and now loads the suite. */
void ba_start_ready(ba_worker_slot *s);
/* It loads the suite only now. */
void ba_start_asks(ba_worker_slot *s);
/* It has loaded the suite. */
void ba_start_loaded(ba_worker_slot *s);
/* It has prepared a benchmark, and reported the first call. */
void ba_start_called(ba_worker_slot *s, const ba_case_facts *c);

/* Fills all visits with the participants' values. BA_EVARIANT: one is unknown. */
int ba_start_measure(ba_engine *e, const ba_visits *q, ba_metric metric, ba_failure *f);
