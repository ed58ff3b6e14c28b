/*
 * An engine measures all variants in one invocation.
 *
 *     duet        one worker holds every variant and alternates the visits
 *     split       each variant has a worker, all pinned to one core; the host alternates
 *                 the visits
 *     sequential  each variant has a worker; first all visits of one, then all of the
 *                 next. Most tools do this; it is here to show the difference
 *     untrusted   as split, for code that may lie: the host's clock times the visits, and
 *                 nothing that a worker says of itself makes its variant faster. GPU
 *                 benchmarks (kind plugin) as sequential, on inputs of the host's choice
 *
 * Each engine is a row of functions (row.h) behind the calls below. A further row
 * is for variants whose workers are programs of their own.
 */
#pragma once

#include "engine/request.h"
#include "engine/survey.h"
#include "model/sample.h"

const char *ba_engine_name(ba_engine_kind kind);

/* The number of workers for which there are processors and memory now, while nothing is
 * timed. cpu: the processor for timing; peak_bytes: of the largest worker so far, 0:
 * unknown. */
size_t ba_engine_workers_most(int cpu, uint64_t peak_bytes);
/* Do all variants share a process in that engine? */
bool ba_engine_shares(const ba_engine_spec *spec);
/* Does that engine need the baseline's library for every benchmark, so that only
 * benchmarks that it has can be measured? */
bool ba_engine_needs_baseline(const ba_engine_spec *spec);

/* For `doctor`: a worker examines the machine and reports everything in
 * survey->findings. *refusals: how many of the findings prevent measuring on the GPU. */
int ba_engine_examine(
	ba_survey *survey, unsigned *refusals, const ba_engine_spec *spec, ba_error *err);

/* Only the machine: survey->env and findings, from a worker that opens the device
 * and loads nothing. */
int ba_engine_look(ba_survey *survey, const ba_engine_spec *spec, ba_error *err);

/* A worker without libraries measures the highest rates of the GPU (environment.h). */
int ba_engine_ceilings(ba_environment *env, const ba_engine_spec *spec, ba_error *err);

/* Starts the worker or workers, opens the device, loads the variants for which
 * wanted[v] is set, and brings the clocks up. Workers of their own start side by side. reversed: loads them, and later sets
 * benchmarks up, in reverse order. With survey != NULL it also examines the machine
 * and hashes the artefacts. BA_EVARIANT: *failure names the variant. Other codes: the
 * run cannot continue. */
int ba_engine_open(ba_engine **out, const ba_engine_spec *spec, const bool *wanted, bool reversed,
	ba_survey *survey, ba_failure *f);
/* Its halves let several engines work at the same time: the first asks, the second hears
 * the answers. */
int ba_engine_start(ba_engine **out, const ba_engine_spec *spec, const bool *wanted, bool reversed,
	ba_survey *survey, ba_failure *f);
int ba_engine_started(ba_engine *e, ba_survey *survey, ba_failure *f);
/* Has each wanted variant's worker sent something that was not received yet, or ended? */
bool ba_engine_answers(const ba_engine *e, const bool *wanted);
BA_DECLARE_FREE(ba_engine) /* kills; NULL is fine, also for these: */
void ba_engine_ask_to_end(ba_engine *e);
void ba_engine_close(ba_engine *e); /* Ends its workers in order. Then free it. */
/* The most memory that one of its workers has had; 0: unknown. */
uint64_t ba_engine_peak_bytes(const ba_engine *e);

int ba_engine_prepare(ba_engine *e, const ba_prepare *p, ba_failure *f);
/* Did its processes prepare a benchmark? The first call in them was made. */
bool ba_engine_is_used(const ba_engine *e);
/* Instead: each variant prepares just before its visits, which follow one another, and releases
 * after them. Until the next call of ba_engine_prepare. */
void ba_engine_prepare_in_turns(ba_engine *e, const ba_prepare *p);
/* Only sends the request, which ba_engine_prepare does otherwise; that then receives
 * the answers. */
int ba_engine_ask_prepare(ba_engine *e, const ba_prepare *p, ba_failure *f);

/* The device code of the prepared case of the only variant; the engine must have an
 * observer. If it cannot be found out, *out has a reason, and that is not an error.
 * folder: where the worker keeps each kernel's cubin, as DIGEST.cubin. */
int ba_engine_inspect(ba_engine *e, const char *folder, ba_device_code *out, ba_failure *f);

/* Releases what was prepared. BA_EVARIANT as above. */
int ba_engine_release(ba_engine *e, ba_failure *f);

/* Empties a variant's folder of caches (spec->caches). Engines do that themselves (start.c). */
int ba_engine_empty_caches(const char *top, ba_error *err);

/* Counts the instructions of the prepared benchmark, in all variants at the same time.
 * Each must have a worker of its own. answers: [variant_count], zeroed. */
int ba_engine_ask_count(ba_engine *e, const ba_count_request *q, ba_failure *f);
int ba_engine_counted(
	ba_engine *e, const ba_count_request *q, ba_count_answer *answers, ba_failure *f);

/* From here on sizes are tried out. Even an untrusted engine uses the workers' own
 * times, because visits are too short for the host's clock. Never decide from these
 * times. */
void ba_engine_rehearse(ba_engine *e, bool on);
/* True if the host times each visit as a whole, so that a visit has one reading. */
bool ba_engine_times_visits(const ba_engine *e);
/* The most runs that such a visit can have, if known; 0: any number. */
unsigned ba_engine_runs_most(const ba_engine *e);
/* The number of bursts in which such a visit makes its launches; the batch must be a
 * multiple. */
unsigned ba_engine_bursts(const ba_engine *e, const char *mode, unsigned batch);
/* s must have its counts, order and arrays. Fills ns and block_at_ns, and khz and
 * clock_events if the worker reports them. clocks may be NULL. */
int ba_engine_measure(ba_engine *e, ba_samples *s, const char *mode, unsigned discard,
	ba_clock_report *clocks, ba_failure *f);
