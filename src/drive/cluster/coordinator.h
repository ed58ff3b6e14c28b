/*
 * The coordinator of a run on several devices. Its job resolves, builds, surveys and decides
 * as always; what it measures comes from members (cluster/exchange.h), which are the same program
 * (job/member.h).
 */
#ifndef CLUSTER_COORDINATOR_H
#define CLUSTER_COORDINATOR_H

#include "cluster/members.h"
#include "host/crew.h"
#include "cluster/exchange_plan.h"
#include "journal/journal.h"
#include "request/services.h"

typedef struct ba_job_crew ba_job_crew;

/* What a crew works for. All must outlive it. */
typedef struct ba_crew_spec {
	const ba_job_services *services;
	const char *devices; /* as the user named them; may be NULL */
	ba_result *r;
	ba_job_journal *journal; /* gets the members that join; may be NULL */
} ba_crew_spec;

/* Lays the desk in `dir`, which must not exist, and writes the plan. Without a plan it takes
 * up the desk there, whose coordinator is dead and whose members may live; what these have
 * not handed over is measured again. */
int ba_job_crew_new(ba_job_crew **out, const char *dir, const ba_crew_plan *plan,
	const ba_crew_spec *spec, ba_error *err);
/* Ends the members and removes the desk. NULL is fine. */
void ba_job_crew_free(ba_job_crew *c);
BA_DEFINE_AUTO_PTR(ba_job_crew, ba_job_crew_free)
/* From where members come. Copied; what it points to must outlive the crew. */
void ba_job_crew_set_muster(ba_job_crew *c, const ba_muster *m);
/* Waits until the expected members have joined or are gone: so the places are known
 * before the first look. BA_EGPU: none is left. */
int ba_job_crew_assemble(ba_job_crew *c, ba_error *err);
/* For ba_run_spec.crew. */
const ba_crew *ba_job_crew_calls(ba_job_crew *c);

#endif
