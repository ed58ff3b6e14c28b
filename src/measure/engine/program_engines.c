/* For variants whose worker is their own program (docs/workers.md). The tool
 * examines the machine and the GPU's clock itself, because such a program does not. */
#include <stdlib.h>

#include "base/mem.h"
#include "engine/row.h"

int ba_watched_begin(ba_engine *e, ba_survey *survey, ba_failure *failure, ba_error *err)
{
	if (e->spec->pci_bus_id && *e->spec->pci_bus_id)
		e->watch = ba_gpu_watch_new(e->spec);
	return survey ? ba_survey_for_programs(e->spec, survey, failure, err) : 0;
}

int ba_watched_look(ba_engine *e, const ba_visits *q, int64_t block, ba_error *err)
{
	ba_samples *s = q->s;
	ba_gpu_watch_report report;
	if (!e->watch || !q->clocks)
		return 0;
	int rc = ba_gpu_watch_ask(&report, e->watch, err);
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

#define PROGRAM                                                                                  \
	.prepares_together = true, .begin = ba_watched_begin, .start = ba_program_start,         \
	.open = ba_program_open, .ask_prepare = ba_program_ask_prepare,                          \
	.prepare = ba_program_prepare, .count = ba_program_count, .counted = ba_program_counted, \
	.look = ba_watched_look

const ba_engine_row ba_engine_program = {
	.name = "split", .measure = ba_engine_alternate, .visit = ba_program_visit, PROGRAM};

const ba_engine_row ba_engine_program_sequential = {
	.name = "sequential", .measure = ba_engine_take_turns, .visit = ba_program_visit, PROGRAM};

const ba_engine_row ba_engine_program_untrusted = {
	.name = "untrusted", .measure = ba_untrusted_measure, .visit = ba_untrusted_visit, PROGRAM};
