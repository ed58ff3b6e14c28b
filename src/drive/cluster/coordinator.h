/* The coordinator of a run on several devices. Its job resolves, builds, surveys and decides as
 * ever; samples come from members (cluster/exchange.h), the same program (job/member.c). */
#pragma once

#include "session/members.h"
#include "cluster/exchange.h"
#include "journal/journal.h"

/* Where members come from: processes of this host (local.c), or tasks of a cluster. The
 * module that starts them fills one of these for the coordinator. */
typedef struct ba_member_source {
	void *self;
	/* measuring begins when so many have joined or ended; 0: with any member */
	size_t expected;
	/* Waits at most that time. If another member has ended: its id, and how it ended, to
	 * free; else both stay NULL. BA_EINTERRUPTED; other errors: no more can join. */
	int (*wait)(void *self, int64_t timeout_ns, char **id, char **how, ba_error *err);
	/* Ends all members, and waits for that. */
	void (*end)(void *self);
} ba_member_source;

/* ---- processes of this host: one for each device ---- */

typedef struct ba_local_members ba_local_members;

/* No members yet; stop (may be NULL) must outlive them. */
ba_local_members *ba_local_members_new(const volatile sig_atomic_t *stop);
/* Ends those that still run, with SIGKILL. NULL is fine. */
BA_DECLARE_FREE(ba_local_members)

/* Starts a member with this process's environment; keeps its output to say how it ended. */
int ba_local_members_start(ba_local_members *c, const char *id, const ba_strv *argv, ba_error *err);
/* Borrows c. */
ba_member_source ba_local_members_source(ba_local_members *c);

/* ---- the coordinator ---- */

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
