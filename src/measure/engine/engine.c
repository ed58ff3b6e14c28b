#include "engine/engine.h"

#include "engine/row.h"
#include "proc/affinity.h"
#include "proc/usage.h"

const char *ba_engine_name(ba_engine_kind kind)
{
	return ba_engine_row_of(&(ba_engine_spec){.kind = kind})->name;
}

size_t ba_engine_workers_most(int cpu, uint64_t peak_bytes)
{
	uint64_t free_now = ba_memory_available();
	ba_cpus allowed;
	bool known = ba_affinity_allowed(&allowed, NULL) == 0;
	/* nothing is timed during the start, so the processor reserved for timing may
	 * be used, too */
	if (known && cpu >= 0)
		ba_cpus_add(&allowed, (unsigned)cpu);
	size_t most = known ? ba_cpus_count(&allowed) : 1;
	double quota = ba_affinity_quota();
	if (quota > 0 && quota < (double)most)
		most = (size_t)ceil(quota);
	if (free_now && peak_bytes && free_now / peak_bytes < most)
		most = (size_t)(free_now / peak_bytes);
	return most ? most : 1;
}

bool ba_engine_shares(const ba_engine_spec *spec)
{
	return ba_engine_row_of(spec)->shares;
}

bool ba_engine_needs_baseline(const ba_engine_spec *spec)
{
	return ba_engine_row_of(spec)->needs_baseline;
}

/* ---- slots ---- */

/* if a worker measures copies of a library, each copy is handled like a variant */
static void fill_copies(ba_engine *e)
{
	BA_EACH (ba_worker_slot, s, e->slots, e->slot_count) {
		size_t variants = s->count;
		s->count *= s->copies;
		s->variants = ba_xreallocarray(s->variants, s->count, sizeof(*s->variants));
		for (size_t k = variants; k < s->count; k++)
			s->variants[k] = s->variants[k - variants];
	}
}

/* Assigns variants to workers: all to one, or one to each. */
static void fill_slots(ba_engine *e, const bool *wanted, size_t copies)
{
	size_t n = e->spec->variant_count;
	e->slots = ba_xcalloc(n, sizeof(*e->slots));
	for (size_t v = 0; v < n; v++) {
		if (!wanted[v])
			continue;
		if (e->slot_count == 0 || !e->row->shares)
			e->slot_count++;
		ba_worker_slot *s = &e->slots[e->slot_count - 1];
		if (!s->variants)
			s->variants = ba_xcalloc(n, sizeof(*s->variants));
		s->variants[s->count++] = v;
		s->copies = copies;
		s->spec = e->spec;
		s->engine = e;
	}
	fill_copies(e);
}

/* The first worker gets different memory, so the direction of the list alternates
 * between invocations. */
static ba_worker_slot *slot_in_turn(const ba_engine *e, size_t i)
{
	return &e->slots[e->reversed ? e->slot_count - 1 - i : i];
}

uint64_t ba_engine_local_index(const ba_worker_slot *s, unsigned participant, size_t copy)
{
	size_t variants = s->count / s->copies;
	if (participant == s->spec->variant_count)
		return s->count;
	for (size_t k = 0; k < variants; k++)
		if (s->variants[k] == participant)
			return copy * variants + k;
	return UINT64_MAX;
}

ba_worker_slot *ba_engine_slot_of(const ba_engine *e, unsigned participant)
{
	ba_worker_slot *slot = BA_FIND(
		e->slots, e->slot_count, s, ba_engine_local_index(s, participant, 0) != UINT64_MAX);
	return slot ? slot : &e->slots[0];
}

/* ---- the calls ---- */

static int start(ba_worker_slot *s, ba_failure *f)
{
	ba_engine *e = s->engine;
	return e->row->start ? e->row->start(s, f) : 0;
}

static int ask_prepare(ba_worker_slot *s, const ba_prepare *p, ba_failure *f)
{
	ba_engine *e = s->engine;
	return e->row->ask_prepare ? e->row->ask_prepare(s, p, f) : 0;
}

/* Up to which slot workers may be busy while the host waits for slot i. */
static size_t ahead(const ba_engine *e, size_t i)
{
	size_t most = e->spec->times_starts ? 1 : e->spec->at_once;
	most = most ? most : e->slot_count;
	return most < e->slot_count - i ? i + most : e->slot_count;
}

/* starts enough workers that slot i can be waited for */
static int start_until(ba_engine *e, size_t i, ba_failure *f)
{
	int rc = 0;
	for (; rc == 0 && e->started < ahead(e, i); e->started++)
		rc = start(slot_in_turn(e, e->started), f);
	return rc;
}

int ba_engine_start(ba_engine **out, const ba_engine_spec *spec, const bool *wanted, bool reversed,
	ba_survey *survey, ba_failure *f)
{
	BA_AUTO_PTR(ba_engine) ba_engine *e = ba_xcalloc(1, sizeof(*e));
	e->spec = spec;
	e->evidence = spec->evidence ? spec->evidence : &e->unwanted;
	e->fresh.inputs = -1;
	e->row = ba_engine_row_of(spec);
	e->reversed = reversed;
	/* surveys and counts use the libraries themselves */
	e->copied = spec->copies && !survey;
	fill_slots(e, wanted, e->copied ? spec->layouts : 1);
	int rc = e->row->begin ? e->row->begin(e, survey, f) : 0;
	/* a worker in a sandbox cannot examine the machine */
	if (rc == 0 && spec->sandbox && survey && !e->row->begin)
		rc = ba_survey_for_programs(spec, survey, f);
	if (rc == 0 && e->slot_count)
		rc = start_until(e, 0, f);
	if (rc == 0)
		*out = BA_TAKE(e);
	return rc;
}

int ba_engine_started(ba_engine *e, ba_survey *survey, ba_failure *f)
{
	for (size_t i = 0; i < e->slot_count; i++) {
		BA_TRY(start_until(e, i, f));
		if (e->row->open)
			BA_TRY(e->row->open(slot_in_turn(e, i), survey, f));
	}
	return 0;
}

int ba_engine_open(ba_engine **out, const ba_engine_spec *spec, const bool *wanted, bool reversed,
	ba_survey *survey, ba_failure *f)
{
	BA_AUTO_PTR(ba_engine) ba_engine *e = NULL;
	BA_TRY(ba_engine_start(&e, spec, wanted, reversed, survey, f));
	BA_TRY(ba_engine_started(e, survey, f));
	*out = BA_TAKE(e);
	return 0;
}

bool ba_engine_answers(const ba_engine *e, const bool *wanted)
{
	return BA_ALL(e->slots, e->slot_count, s,
		!s->link || !wanted[s->variants[0]] || ba_link_has_message(s->link));
}

BA_OWNS_HANDLE(ba_engine, e,
	BA_FREE_EACH(s, e->slots, e->slot_count, ba_worker_slot_end(s), free(s->variants)),
	ba_gpu_watch_free(e->watch))

void ba_engine_ask_to_end(ba_engine *e)
{
	for (size_t i = 0; e && i < e->slot_count; i++)
		ba_link_ask_to_end(e->slots[i].link);
}

void ba_engine_close(ba_engine *e)
{
	ba_engine_ask_to_end(e);
	for (size_t i = 0; e && i < e->slot_count; i++)
		ba_link_close(e->slots[i].link);
}

uint64_t ba_engine_peak_bytes(const ba_engine *e)
{
	uint64_t most = 0;
	for (size_t i = 0; i < e->slot_count; i++) {
		uint64_t mine =
			e->slots[i].link ? ba_memory_peak(ba_link_pid(e->slots[i].link)) : 0;
		most = mine > most ? mine : most;
	}
	return most;
}

/* After a failure: workers that were asked must finish, so that their answers are not
 * taken for answers to the next request. Other failures among them will appear again. */
static void drain(ba_engine *e, const ba_prepare *p, size_t from, size_t asked, ba_failure *f)
{
	for (size_t i = from; i < asked; i++) {
		ba_error ignored;
		BA_AUTO(ba_failure) ba_failure other = {.err = &ignored};
		e->row->prepare(slot_in_turn(e, i), p, &other);
		f->gone = f->gone || other.gone;
	}
}

/* asks enough workers that slot i can be waited for */
static int ask_until(ba_engine *e, size_t i, const ba_prepare *p, ba_failure *f)
{
	bool together = e->spec->counts || e->row->prepares_together;
	size_t until = together ? ahead(e, i) : i + 1;
	int rc = 0;
	for (; rc == 0 && e->asked < until; e->asked += rc == 0)
		rc = ask_prepare(slot_in_turn(e, e->asked), p, f);
	return rc;
}

int ba_engine_ask_prepare(ba_engine *e, const ba_prepare *p, ba_failure *f)
{
	return e->slot_count && !p->benchmark->process ? ask_until(e, 0, p, f) : 0;
}

int ba_engine_prepare(ba_engine *e, const ba_prepare *p, ba_failure *f)
{
	int rc = 0;
	if (p->benchmark->process)
		return 0;
	e->used = true;
	e->turn.benchmark = NULL;
	for (size_t i = 0; rc == 0 && i < e->slot_count; i++) {
		rc = ask_until(e, i, p, f);
		if (rc == 0)
			rc = e->row->prepare(slot_in_turn(e, i), p, f);
		if (rc == BA_EVARIANT && !f->gone)
			drain(e, p, i + 1, e->asked, f);
	}
	e->asked = 0;
	return rc;
}

bool ba_engine_is_used(const ba_engine *e)
{
	return e->used;
}

void ba_engine_prepare_in_turns(ba_engine *e, const ba_prepare *p)
{
	e->turn = *p;
}

int ba_engine_release(ba_engine *e, ba_failure *f)
{
	for (size_t i = 0; i < e->slot_count; i++)
		if (e->slots[i].link)
			BA_TRY(ba_worker_slot_ask(&e->slots[i], "release", "released", NULL, f));
	return 0;
}

int ba_engine_look_at_clock(ba_engine *e, const ba_visits *q, int64_t block, ba_error *err)
{
	return e->row->look ? e->row->look(e, q, block, err) : 0;
}

void ba_engine_rehearse(ba_engine *e, bool on)
{
	e->rehearses = on;
}

bool ba_engine_times_visits(const ba_engine *e)
{
	return e->spec->kind == BA_ENGINE_UNTRUSTED && !e->rehearses;
}

unsigned ba_engine_runs_most(const ba_engine *e)
{
	return e->fresh.most;
}

unsigned ba_engine_bursts(const ba_engine *e, const char *mode, unsigned batch)
{
	unsigned most = e->spec->burst_most;
	if (!most || e->spec->programs || strcmp(mode, "submit") != 0)
		return 1;
	return (batch - 1) / most + 1;
}

int ba_engine_measure(ba_engine *e, ba_samples *s, const char *mode, unsigned discard,
	ba_clock_report *clocks, ba_failure *f)
{
	const ba_visits q = {.s = s, .mode = mode, .discard = discard, .clocks = clocks};
	int64_t start = ba_now_ns();
	int metric = ba_metric_from_name(mode);
	if (metric >= 0 && ba_metric_get((ba_metric)metric)->starts)
		return ba_start_measure(e, &q, (ba_metric)metric, f);
	bool alone = e->slot_count == 1 && e->row->measure_alone;
	int rc = alone		     ? e->row->measure_alone(e, &q, f)
		 : e->turn.benchmark ? ba_engine_take_turns(e, &q, f)
				     : e->row->measure(e, &q, f);
	s->wall_ns = ba_now_ns() - start;
	return rc;
}
