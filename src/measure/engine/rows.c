/* The rows of engines: their functions, and the order of their visits. */
#include "engine/row.h"

/* ---- the order of visits ---- */

/* Block by block, in the order of each block. */
static int alternate(ba_engine *e, const ba_visits *q, ba_failure *f)
{
	ba_samples *s = q->s;
	int64_t start = ba_now_ns();
	int rc = ba_engine_look_at_clock(e, q, -1, f->err);
	for (unsigned b = 0; rc == 0 && b < s->blocks; b++) {
		s->block_at_ns[b] = ba_now_ns() - start;
		for (unsigned k = 0; rc == 0 && k < s->positions; k++) {
			size_t visit = (size_t)b * s->positions + k;
			ba_worker_slot *mine = ba_engine_slot_of(e, s->order[visit]);
			rc = e->row->visit(mine, q, visit, f);
		}
		rc = rc ? rc : ba_engine_look_at_clock(e, q, b, f->err);
	}
	return rc;
}

static int prepare_turn(ba_worker_slot *s, ba_failure *f)
{
	const ba_engine *e = s->engine;
	size_t n = e->spec->variant_count, mine = s->variants[0];
	BA_AUTO_FREE bool *only = ba_xcalloc(n, sizeof(*only));
	BA_AUTO_FREE ba_case_facts *cases = ba_xcalloc(n, sizeof(*cases));
	ba_prepare p = e->turn;
	only[mine] = true;
	p.wanted = only;
	p.cases = cases;
	BA_TRY(e->row->ask_prepare(s, &p, f));
	int rc = e->row->prepare(s, &p, f);
	ba_case_facts_dispose(&cases[mine]);
	return rc;
}

/* So the blocks overlap in time. */
int ba_engine_take_turns(ba_engine *e, const ba_visits *q, ba_failure *f)
{
	const ba_samples *s = q->s;
	size_t visits = (size_t)s->blocks * s->positions;
	int rc = ba_engine_look_at_clock(e, q, -1, f->err);
	for (unsigned p = 0; rc == 0 && p <= e->spec->variant_count; p++) {
		ba_worker_slot *mine = ba_engine_slot_of(e, p);
		bool turn = e->turn.benchmark && memchr(s->order, (int)p, visits);
		rc = turn ? prepare_turn(mine, f) : 0;
		for (size_t i = 0; rc == 0 && i < visits; i++) {
			if (s->order[i] != p)
				continue;
			int64_t block = (int64_t)(i / s->positions);
			rc = e->row->visit(mine, q, i, f);
			rc = rc ? rc : ba_engine_look_at_clock(e, q, block, f->err);
		}
		if (rc == 0 && turn)
			rc = ba_worker_slot_ask(mine, "release", "released", NULL, f);
	}
	return rc;
}

/* ---- the GPU's clock, where the workers' word about it does not count ---- */

static int watched_begin(ba_engine *e, ba_survey *survey, ba_failure *f)
{
	if (!e->watch && e->spec->pci_bus_id && *e->spec->pci_bus_id)
		e->watch = ba_gpu_watch_new(e->spec);
	return survey ? ba_survey_for_programs(e->spec, survey, f) : 0;
}

static int watched_look(ba_engine *e, const ba_visits *q, int64_t block, ba_error *err)
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

/* ---- the rows ---- */

#define LIBRARY                                                                                    \
	.start = ba_library_start, .open = ba_library_open, .ask_prepare = ba_library_ask_prepare, \
	.prepare = ba_library_prepare
#define SHARED_LIBRARY LIBRARY, .visit = ba_library_visit, .measure_alone = ba_library_measure
#define PROGRAM                                                                       \
	.prepares_together = true, .begin = watched_begin, .start = ba_program_start, \
	.open = ba_program_open, .ask_prepare = ba_program_ask_prepare,               \
	.prepare = ba_program_prepare, .look = watched_look
#define UNTRUSTED .name = "untrusted", .measure = ba_untrusted_measure, .visit = ba_untrusted_visit

static const ba_engine_row duet = {
	.name = "duet", .shares = true, .measure = alternate, SHARED_LIBRARY};
static const ba_engine_row split = {.name = "split", .measure = alternate, SHARED_LIBRARY};
static const ba_engine_row sequential = {
	.name = "sequential", .measure = ba_engine_take_turns, SHARED_LIBRARY};
static const ba_engine_row untrusted = {UNTRUSTED, LIBRARY, .in_order = alternate,
	.run = ba_library_visit, .time = ba_untrusted_time_bursts, .warm = ba_library_visit};
static const ba_engine_row program = {
	.name = "split", .measure = alternate, .visit = ba_program_visit, PROGRAM};
static const ba_engine_row program_sequential = {
	.name = "sequential", .measure = ba_engine_take_turns, .visit = ba_program_visit, PROGRAM};
static const ba_engine_row program_untrusted = {UNTRUSTED, PROGRAM, .in_order = alternate,
	.run = ba_program_visit, .time = ba_program_visit, .warm = ba_program_visit};
#define FRESH                                                                             \
	UNTRUSTED, .hands_over = true, .needs_baseline = true, .begin = watched_begin,    \
		   .prepare = ba_fresh_prepare, .in_order = ba_fresh_take_turns,          \
		   .run = ba_fresh_run, .time = ba_fresh_run, .warm = ba_fresh_run_again, \
		   .look = watched_look
static const ba_engine_row fresh = {FRESH, .on_gpu = true};
static const ba_engine_row fresh_on_host = {FRESH};

const ba_engine_row *ba_engine_row_of(const ba_engine_spec *spec)
{
	/* programs never share a process, so `duet` gives each its own */
	static const ba_engine_row *const rows[][2] = {
		[BA_ENGINE_DUET] = {&duet, &program},
		[BA_ENGINE_SPLIT] = {&split, &program},
		[BA_ENGINE_SEQUENTIAL] = {&sequential, &program_sequential},
		[BA_ENGINE_UNTRUSTED] = {&untrusted, &program_untrusted},
	};
	if (spec->kind == BA_ENGINE_UNTRUSTED && spec->tasks && strcmp(spec->target, "host") == 0)
		return &fresh_on_host;
	if (spec->kind == BA_ENGINE_UNTRUSTED && (spec->tasks || spec->suite == BA_SUITE_PLUGIN))
		return &fresh;
	return rows[spec->kind][spec->programs != NULL];
}
