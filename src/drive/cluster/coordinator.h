/* The coordinator of a run on several devices. Its job resolves, builds, surveys and decides as
 * ever; samples come from members (cluster/exchange.h), the same program (job/member.h). */
#pragma once

#include "cluster/member_source.h"
#include "session/members.h"
#include "cluster/exchange.h"
#include "journal/journal.h"

typedef struct ba_coordinator ba_coordinator;

/* What a coordinator needs. All must outlive it. */
typedef struct ba_coordinator_spec {
	const ba_job_services *services;
	const char *devices; /* as the user named them; may be NULL */
	ba_result *r;
	ba_job_journal *journal; /* records members that join; may be NULL */
} ba_coordinator_spec;

/* Creates the exchange in `dir`, which must not exist, and writes the plan. Without a
 * plan it resumes the exchange there, whose coordinator is dead and whose members may
 * still run; invocations that they have not handed over are measured again. */
int ba_coordinator_new(ba_coordinator **out, const char *dir, const ba_exchange_plan *plan,
	const ba_coordinator_spec *spec, ba_error *err);
/* Ends the members and removes the exchange. NULL is fine. */
BA_DECLARE_FREE(ba_coordinator)
/* Where members come from. Copied; what it points to must outlive the coordinator. */
void ba_coordinator_set_source(ba_coordinator *c, const ba_member_source *m);
/* Waits until the expected members have joined or ended, so that the places are known
 * before the first look. BA_EGPU: none is left. */
int ba_coordinator_assemble(ba_coordinator *c, ba_error *err);
/* For ba_session_spec.members. */
const ba_members *ba_coordinator_calls(ba_coordinator *c);
