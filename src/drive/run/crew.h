/*
 * A run on several devices. The coordinator's job resolves, builds, surveys and decides
 * as always; what it measures comes from members (fleet/desk.h), which are the same
 * program.
 *
 *     the coordinator                       a member
 *     ba_job_new ... ba_job_plan            ba_job_member_new: the plan of the desk
 *     ba_job_measure                        ba_job_serve
 */
#ifndef RUN_CREW_H
#define RUN_CREW_H

#include "fleet/muster.h"
#include "run/crew_plan.h"
#include "run/measure.h"

/* ---- the coordinator ---- */

typedef struct ba_job_crew ba_job_crew;

/* Lays the desk in `dir`, which must not exist, and writes the plan. Without a plan it takes
 * up the desk there, whose coordinator is dead and whose members may live; what these have
 * not handed over is measured again. Members that join go into j (may be NULL). All must
 * outlive the crew. */
int ba_job_crew_new(ba_job_crew **out, const char *dir, const ba_crew_plan *plan,
	ba_measure_plan *p, ba_result *r, ba_job_journal *j, ba_error *err);
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

/* ---- a member ---- */

/* Who a member is. */
typedef struct ba_member_spec {
	const char *id;	  /* of the desk: "gpu0" */
	const char *job;  /* of Slurm, or NULL */
	pid_t parent;	  /* the coordinator, which started it; 0: it did not */
	const char *node; /* of a cluster; NULL: the host's name tells it */
	int gpu;	  /* the number that the node has for device 0; negative: 0 */
	/* leave when the coordinator has written no orders for that time; 0: never */
	int64_t patience_ns;
} ba_member_spec;

/* Measures for the coordinator until its orders end. `job` is new, with a request made
 * from plan->argv, and nothing was resolved. */
int ba_job_serve(
	ba_job *job, ba_desk *desk, ba_crew_plan *plan, const ba_member_spec *spec, ba_error *err);

#endif
