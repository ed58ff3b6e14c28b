/* Times launches: the visits of a request, in its order. */
#include "base/mem.h"
#include "worker/measurement.h"
#include "worker/worker.h"

static int measure(ba_worker *w, ba_measurement *q, ba_error *err)
{
	ba_sampler s = {.driver = &w->driver,
		.context = w->context,
		.config = {{1, 1, 1}, {1, 1, 1}, 0, w->stream},
		.args = w->now.args,
		.clock = w->clock,
		.beacon = w->beacon};
	int64_t start = ba_sampler_now(&s);
	w->beacon->phase = BA_PHASE_MEASURE;
	for (uint64_t b = 0; b < q->blocks; b++) {
		q->at[b] = (uint64_t)(ba_sampler_now(&s) - start);
		for (uint64_t k = 0; k < q->positions; k++) {
			size_t visit = b * q->positions + k;
			ba_participant *p = &w->now.participants[q->order[visit]];
			ba_fault fault;
			if (ba_sampler_visit(q->ns + visit * q->readings, &s, p,
				    (ba_mode)q->mode, (unsigned)q->batch,
				    (unsigned)q->readings, (unsigned)q->discard,
				    &fault) == 0)
				continue;
			ba_kernels_fault(w, p, &fault, err);
			p->absent = true;
			ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
			ba_worker_failed(w, p->variant, err);
			return 1;
		}
	}
	ba_worker_enter(w, BA_BEACON_NOBODY, BA_PHASE_START);
	return 0;
}

int ba_kernels_measure(ba_worker *w, const ba_message *m, ba_error *err)
{
	static const char *const modes[] = {[BA_MODE_SUBMIT] = "submit",
		[BA_MODE_SUSTAINED] = "sustained",
		[BA_MODE_ROUNDTRIP] = "roundtrip",
		NULL};
	BA_AUTO(ba_measurement) ba_measurement q = {0};
	if (!w->now.participants)
		return ba_fail(err, BA_EPROTOCOL, "message 'measure' before 'prepare'");
	BA_AUTO_FREE bool *there = ba_xcalloc(w->lib_count + 1, sizeof(*there));
	for (size_t i = 0; i <= w->lib_count; i++)
		there[i] = !w->now.participants[i].absent;
	int rc = ba_measurement_read(&q, m, modes, there, w->lib_count + 1, err);
	if (rc)
		return rc;
	bool failed = measure(w, &q, err) != 0;
	BA_AUTO(ba_buf) ba_buf reply = BA_BUF_INIT;
	ba_measurement_put(&reply, &q, failed, false);
	ba_worker_send(w, &reply);
	return 0;
}
