#include "run/node.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/text.h"
#include "run/cluster.h"
#include "run/services.h"
#include "run/ship.h"
#include "slurm/crew.h"

#define WAIT_NS (200 * BA_MS)
/* It is cancelled; this is for a run that was killed. */
#define TASK "exec sleep 600"

struct ba_node {
	ba_measure_plan *p;
	ba_slurm_crew *tasks; /* NULL: the node of a task that is not ours to end */
	char *job, *script;
	const char *wrapper[5];
};

/* srun carries only the three standard channels. So requests and replies of the worker go
 * through those, and the page that it shares with its host is one that nobody reads. */
static char *script(const char *job)
{
	return ba_xprintf(
		"exec srun --jobid=%s --overlap --quiet --ntasks=1 --chdir=/ --kill-on-bad-exit=1 sh -c 'page=$(mktemp) && head -c 65536 /dev/zero >\"$page\" && exec 5<>\"$page\" && rm -f \"$page\" && exec \"$@\" 3<&0 4>&1 </dev/null >&2' sh \"$@\" <&3 >&4",
		job);
}

static void set_wrapper(ba_measure_plan *p, const char *const *wrapper)
{
	for (size_t i = 0; i < p->spec.suite_count; i++)
		p->spec.suites[i].engine.wrapper = wrapper;
}

/* Is there a running task? Then workers start beside it. */
static bool use_task(ba_node *n, const ba_slurm_array *a)
{
	const ba_slurm_task *t = NULL;
	for (size_t i = 0; i < a->count && !t; i++)
		if (a->tasks[i].state == BA_TASK_RUNNING)
			t = &a->tasks[i];
	if (!t)
		return false;
	n->job = ba_xstrdup(t->job);
	n->script = script(t->job);
	n->wrapper[0] = "/bin/sh";
	n->wrapper[1] = "-c";
	n->wrapper[2] = n->script;
	n->wrapper[3] = "sh";
	set_wrapper(n->p, n->wrapper);
	return true;
}

/* A run that was killed: its own tasks may hold all GPUs that there are. */
static bool use_array(ba_node *n, const char *desk)
{
	BA_AUTO(ba_slurm_array) ba_slurm_array a = {0};
	return desk && ba_cluster_recall(&a, desk) &&
	       ba_slurm_poll(&a, -1, NULL) == 0 && use_task(n, &a);
}

/* One that Slurm requeues comes again. */
static int wait_for_task(ba_node *n, ba_error *err)
{
	const ba_muster m = ba_slurm_crew_muster(n->tasks);
	BA_AUTO_FREE char *last = NULL;
	int rc = 0;
	while (rc == 0 && !use_task(n, ba_slurm_crew_array(n->tasks))) {
		BA_AUTO_FREE char *id = NULL;
		BA_AUTO_FREE char *how = NULL;
		rc = m.wait(m.self, WAIT_NS, &id, &how, err);
		if (how)
			ba_text_replace(&last, how);
	}
	if (rc && last)
		ba_fail_context(err, "before a node was examined, %s", last);
	return rc;
}

static int submit(ba_node *n, ba_error *err)
{
	const ba_measure_plan *p = n->p;
	BA_AUTO(ba_slurm_spec) ba_slurm_spec spec = {0};
	BA_AUTO(ba_slurm_array) ba_slurm_array array = {0};
	int rc = ba_slurm_spec_parse(&spec, p->request->on, err);
	if (rc)
		return rc;
	spec.tasks = 1;
	spec.at_once = 0;
	ba_job_phase(p->services, "waiting for a node");
	rc = ba_slurm_submit(&array, &spec, &(ba_slurm_job){.command = TASK}, err);
	if (rc)
		return rc;
	n->tasks = ba_slurm_crew_new(&array,
		&(ba_slurm_crew_spec){.start_within_ns = p->request->start_within_ns,
			.log = p->services->log,
			.stop = p->services->stop});
	return wait_for_task(n, err);
}

int ba_node_borrow(ba_node **out, ba_measure_plan *p, const ba_result *r, ba_error *err)
{
	BA_AUTO_PTR(ba_node) ba_node *n = ba_xcalloc(1, sizeof(*n));
	n->p = p;
	BA_AUTO_FREE char *tar = ba_path_join(p->scratch, "ship.tar");
	int rc = use_array(n, p->desk) ? 0 : submit(n, err);
	rc = rc || !p->request->ship ? rc : ba_ship_pack(tar, p, r, err);
	rc = rc || !p->request->ship ? rc : ba_ship_unpack(tar, n->job, err);
	if (rc == 0)
		*out = BA_TAKE(n);
	return rc;
}

void ba_node_free(ba_node *n)
{
	if (!n)
		return;
	if (n->tasks) {
		const ba_muster m = ba_slurm_crew_muster(n->tasks);
		m.end(m.self);
	}
	set_wrapper(n->p, NULL);
	ba_slurm_crew_free(n->tasks);
	free(n->job);
	free(n->script);
	free(n);
}
