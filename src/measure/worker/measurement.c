#include "worker/measurement.h"

#include "core/interleave.h"

#define READINGS_MAX 1024u
#define BLOCKS_MAX 100000u
#define BATCH_MAX 100000000u

BA_OWNS(ba_measurement, q,
	BA_FREE(q->order, q->ns, q->at, q->khz, q->clock_events, q->unfit, q->unfit_text))

static bool is_in_range(const ba_measurement *q)
{
	return q->batch && q->batch <= BATCH_MAX && q->readings && q->readings <= READINGS_MAX &&
	       q->blocks && q->blocks <= BLOCKS_MAX && q->positions && q->positions <= 1024 &&
	       q->discard <= BATCH_MAX;
}

int ba_measurement_read(ba_measurement *q, const ba_message *m, const char *const *modes,
	const bool *there, size_t participants, ba_error *err)
{
	const char *mode = ba_message_text(m, "mode");
	while (modes[q->mode] && strcmp(modes[q->mode], mode) != 0)
		q->mode++;
	BA_TRY(ba_message_u64(&q->batch, m, "batch", err));
	BA_TRY(ba_message_u64(&q->readings, m, "readings", err));
	BA_TRY(ba_message_u64(&q->blocks, m, "blocks", err));
	BA_TRY(ba_message_u64(&q->positions, m, "positions", err));
	BA_TRY(ba_message_u64(&q->discard, m, "discard", err));
	if (!modes[q->mode] || !is_in_range(q))
		return ba_fail(err, BA_EPROTOCOL, "message 'measure': out of range");
	size_t visits = q->blocks * q->positions;
	q->order = ba_xcalloc(visits, sizeof(*q->order));
	int rc = ba_message_u64s(q->order, visits, m, "order", err);
	for (size_t i = 0; rc == 0 && i < visits; i++)
		if (q->order[i] >= participants || !there[q->order[i]])
			rc = ba_fail(err, BA_EPROTOCOL,
				"message 'measure': there is no participant %" PRIu64, q->order[i]);
	if (rc)
		return rc;
	q->ns = ba_xcalloc(visits * q->readings, sizeof(*q->ns));
	q->at = ba_xcalloc(q->blocks, sizeof(*q->at));
	q->khz = ba_xcalloc(visits, sizeof(*q->khz));
	q->clock_events = ba_xcalloc(q->blocks, sizeof(*q->clock_events));
	q->unfit = ba_xcalloc(q->blocks, sizeof(*q->unfit));
	/* touch the pages before the clock runs */
	memset(q->ns, 1, visits * q->readings * sizeof(*q->ns));
	return 0;
}

static void begin_block(void *data, uint64_t block)
{
	ba_measuring *m = data;
	m->q->at[block] = (uint64_t)(ba_worker_now(m->w) - m->start);
}

int ba_measurement_run(ba_measuring *m, int (*visit)(void *measuring, uint64_t index),
	void (*end)(void *measuring, uint64_t block))
{
	m->start = ba_worker_now(m->w);
	return ba_interleave_run(&(ba_interleave){.blocks = m->q->blocks,
		.positions = m->q->positions,
		.data = m,
		.visit = visit,
		.begin = begin_block,
		.end = end});
}

void ba_measurement_answer(ba_worker *w, const ba_measurement *q, bool failed, bool clocks)
{
	BA_AUTO(ba_buf) ba_buf reply = BA_BUF_INIT;
	size_t blocks = failed ? 0 : q->blocks, visits = blocks * q->positions;
	BA_MESSAGE(&reply, "measured", BA_SAY_U64S("at", q->at, blocks),
		BA_SAY_U64S("ns", q->ns, visits * q->readings));
	if (clocks)
		BA_MESSAGE_ADD(&reply, BA_SAY_U64S("khz", q->khz, visits),
			BA_SAY_U64S("clock_events", q->clock_events, blocks),
			BA_SAY_U64S("unfit", q->unfit, blocks),
			BA_SAY_TEXT("unfit_text", q->unfit_text));
	ba_worker_send(w, &reply);
}
