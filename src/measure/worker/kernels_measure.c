/* Times launches: the visits of a request, in its order. */
#include "worker/process_check.h"
#include "worker/launches.h"
#include "worker/measurement.h"

/* One visit, and what its launches left. *variant: whose fault it is if it fails. */
static int visit(int *variant, ba_worker *w, const ba_sampler *s, ba_measurement *q, uint64_t i,
	ba_error *err)
{
	ba_participant it = w->now.participants[q->order[i]];
	const ba_participant *p = &it;
	if (it.kernel) /* from where nobody can change it */
		it.launch = w->libs[it.variant].launcher->launch;
	ba_fault fault;
	ba_launches launches;
	*variant = w->last_launched;
	BA_TRY(ba_launches_begin(&launches, w, ba_witness_visit(q->witness, i), q->discard,
		q->batch * q->readings, err));
	*variant = p->variant;
	if (ba_sampler_visit(q->ns + i * q->readings, s, p, (ba_mode)q->mode, (unsigned)q->batch,
		    (unsigned)q->readings, (unsigned)q->discard, &fault))
		return ba_kernels_fault(w, p, &fault, err);
	ba_launches_expect(&launches, w, q->discard);
	ba_launches_expect(&launches, w, q->batch * q->readings);
	int rc = ba_launches_check(&launches, w, err);
	/* the floor's own launches arrive: others came between */
	if (!p->kernel)
		*variant = w->last_launched;
	else
		w->last_launched = p->variant;
	return rc;
}

typedef struct measuring {
	ba_measuring common; /* first: what next_visit is called with */
	ba_sampler sampler;
	int variant;
} measuring;

static int next_visit(void *data, uint64_t index)
{
	measuring *m = data;
	const ba_measuring *c = data;
	return visit(&m->variant, c->w, &m->sampler, c->q, index, c->err);
}

static int measure(ba_worker *w, ba_measurement *q, ba_error *err)
{
	measuring m = {.common = {w, q, err, 0},
		.sampler = ba_kernels_sampler(w),
		.variant = BA_BEACON_NOBODY};
	ba_process_check process;
	ba_process_check_begin_measuring(&process);
	w->beacon->phase = BA_PHASE_MEASURE;
	int rc = ba_measurement_run(&m.common, next_visit, NULL);
	int variant = m.variant;
	/* one visit at a time: nobody else is in the process */
	if (rc == 0 && q->blocks * q->positions > 1)
		rc = ba_process_check_measured(&process, &variant, w, err);
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
	if (rc == 0)
		return 0;
	ba_launches_ignore(w);
	if (variant != BA_BEACON_NOBODY)
		w->now.participants[variant].absent = true;
	ba_worker_failed(w, variant, err);
	return rc;
}

int ba_kernels_measure(ba_worker *w, const ba_message *m, ba_error *err)
{
	BA_AUTO(ba_measurement) ba_measurement q = {0};
	if (!w->now.participants)
		return ba_fail(err, BA_EPROTOCOL, "message 'measure' before 'prepare'");
	BA_AUTO_FREE bool *there = ba_xcalloc(w->lib_count + 1, sizeof(*there));
	for (size_t i = 0; i <= w->lib_count; i++)
		there[i] = !w->now.participants[i].absent;
	BA_TRY(ba_measurement_read(&q, m, ba_mode_names, there, w->lib_count + 1, err));
	BA_TRY(ba_message_u64(&q.witness, m, "witness", err));
	ba_measurement_answer(w, &q, measure(w, &q, err) != 0, false);
	return 0;
}
