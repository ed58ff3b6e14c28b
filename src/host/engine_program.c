/* For variants whose worker is their own program (docs/workers.md). The tool
 * examines the machine and the GPU's clock itself, because such a program does not. */
#include <stdlib.h>

#include "base/mem.h"
#include "host/engine_row.h"
#include "host/program.h"

int ba_watched_begin(ba_engine *e, ba_survey *survey, ba_failure *failure, ba_error *err)
{
	if (e->spec->pci_bus_id && *e->spec->pci_bus_id)
		e->watch = ba_watch_new(e->spec);
	return survey ? ba_survey_for_programs(e->spec, survey, failure, err) : 0;
}

static int start_program(ba_engine *e, ba_seat *s, ba_failure *failure, ba_error *err)
{
	return ba_program_start(&s->link, e->spec, s->variants[0], failure, err);
}

static int open_program(
	ba_engine *e, ba_seat *s, ba_survey *survey, ba_failure *failure, ba_error *err)
{
	return ba_program_open(s->link, e->spec, s->variants[0], survey, failure, err);
}

static int ask_prepare(
	ba_engine *e, ba_seat *s, const ba_prepare *p, ba_failure *failure, ba_error *err)
{
	size_t v = s->variants[0];
	return p->wanted[v] ? ba_program_ask_prepare(s->link, e->spec, v, p, failure, err) : 0;
}

static int prepare(
	ba_engine *e, ba_seat *s, const ba_prepare *p, ba_failure *failure, ba_error *err)
{
	size_t v = s->variants[0];
	return p->wanted[v] ? ba_program_prepared(&p->cases[v], s->link, e->spec, v, failure, err)
			    : 0;
}

static int visit(ba_engine *e, ba_seat *s, const ba_visits *q, size_t index, ba_failure *failure,
	ba_error *err)
{
	ba_samples *out = q->s;
	const ba_program_visit v = {.mode = q->mode,
		.flush = e->spec->flush,
		.batch = out->batch,
		.readings = out->readings,
		.discard = q->discard};
	uint64_t khz = 0;
	int rc = ba_program_measure(out->ns + index * out->readings, &khz, s->link, e->spec,
		s->variants[0], &v, failure, err);
	if (rc || khz == 0)
		return rc;
	if (!out->khz)
		out->khz = ba_xcalloc((size_t)out->blocks * out->positions, sizeof(*out->khz));
	out->khz[index] = khz;
	return 0;
}

int ba_watched_look(ba_engine *e, const ba_visits *q, int64_t block, ba_error *err)
{
	ba_samples *s = q->s;
	ba_watch_report report;
	if (!e->watch || !q->clocks)
		return 0;
	int rc = ba_watch_ask(&report, e->watch, err);
	if (rc || !report.known || block < 0) {
		free(report.unfit);
		return rc;
	}
	if (!s->clock_events)
		s->clock_events = ba_xcalloc(s->blocks, sizeof(*s->clock_events));
	s->clock_events[block] |= report.events;
	q->clocks->unfit[block] |= report.unfit != NULL;
	if (q->clocks->text)
		free(report.unfit);
	else
		q->clocks->text = report.unfit;
	return 0;
}

static int count(
	ba_engine *e, ba_seat *s, const ba_count_request *q, ba_failure *failure, ba_error *err)
{
	return ba_program_count(s->link, e->spec, s->variants[0], q, failure, err);
}

static int counted(
	ba_engine *e, ba_seat *s, ba_count_answer *out, ba_failure *failure, ba_error *err)
{
	return ba_program_counted(out, s->link, e->spec, s->variants[0], failure, err);
}

const ba_engine_row ba_engine_program = {
	.name = "split",
	.prepares_together = true,
	.begin = ba_watched_begin,
	.start = start_program,
	.open = open_program,
	.ask_prepare = ask_prepare,
	.prepare = prepare,
	.measure = ba_engine_alternate,
	.visit = visit,
	.count = count,
	.counted = counted,
	.look = ba_watched_look,
};

const ba_engine_row ba_engine_program_sequential = {
	.name = "sequential",
	.prepares_together = true,
	.begin = ba_watched_begin,
	.start = start_program,
	.open = open_program,
	.ask_prepare = ask_prepare,
	.prepare = prepare,
	.measure = ba_engine_take_turns,
	.visit = visit,
	.look = ba_watched_look,
};

const ba_engine_row ba_engine_program_untrusted = {
	.name = "untrusted",
	.prepares_together = true,
	.begin = ba_watched_begin,
	.start = start_program,
	.open = open_program,
	.ask_prepare = ask_prepare,
	.prepare = prepare,
	.measure = ba_untrusted_measure,
	.visit = ba_untrusted_visit,
	.count = count,
	.counted = counted,
	.look = ba_watched_look,
};
