#include "engine/ahead.h"

#include "engine/row.h"
#include "engine/engine.h"
#include "proc/affinity.h"

void ba_ahead_close(ba_ahead *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < a->count; i++)
		ba_engine_ask_to_end(a->items[i].engine);
	for (size_t i = 0; i < a->count; i++) {
		ba_engine_close(a->items[i].engine);
		ba_engine_free(a->items[i].engine);
	}
	a->count = 0;
}

int ba_ahead_open(ba_ahead *a, const ba_engine_spec *spec, const bool *wanted, unsigned first,
	size_t count, ba_survey *survey, ba_failure *f)
{
	int64_t start = ba_now_ns();
	int rc = 0;
	ba_ahead_close(a);
	for (size_t i = 0; rc == 0 && i < count && i < BA_AHEAD_MOST; i++) {
		struct ba_ahead_engine *x = &a->items[a->count++];
		*x = (struct ba_ahead_engine){.spec = *spec, .number = first + (unsigned)i};
		x->spec.starts_apart = i > 0 && !spec->counts;
		x->spec.starts_from = i * spec->variant_count;
		rc = ba_engine_start(&x->engine, &x->spec, wanted, false, i ? NULL : survey, f);
	}
	for (size_t i = 0; rc == 0 && i < a->count; i++)
		rc = ba_engine_started(a->items[i].engine, i ? NULL : survey, f);
	if (rc)
		ba_ahead_close(a);
	else if (a->count)
		a->start_ns = (double)(ba_now_ns() - start) / (double)a->count;
	return rc;
}

bool ba_ahead_has(const ba_ahead *a, unsigned number)
{
	return BA_ANY(a->items, a->count, x, x->engine && x->number == number);
}

ba_engine *ba_ahead_take(ba_ahead *a, unsigned number, const ba_engine_spec *spec, bool reversed)
{
	struct ba_ahead_engine *open =
		a ? BA_FIND(a->items, a->count, x,
			    x->engine && x->number == number && x->spec.counts == spec->counts)
		  : NULL;
	if (!open)
		return NULL;
	ba_engine *e = BA_TAKE(open->engine);
	e->spec = spec;
	e->row = ba_engine_row_of(spec);
	e->reversed = reversed;
	for (size_t k = 0; k < e->slot_count; k++)
		e->slots[k].spec = spec;
	/* what needed the device's address, which the survey found out */
	if (e->row->begin)
		e->row->begin(e, NULL, NULL);
	return e;
}

ba_engine_spec ba_ahead_counting(const ba_engine_spec *spec)
{
	ba_engine_spec out = *spec;
	out.kind = BA_ENGINE_SPLIT;
	out.counts = true;
	out.times_starts = false;
	out.cpu = -1;
	out.observer = NULL;
	out.pci_bus_id = NULL; /* the GPU's clock does not matter here */
	out.copies = NULL;
	return out;
}

/* a Python process that has imported torch and not opened the GPU */
#define PROCESS_BYTES ((uint64_t)512 << 20)

typedef struct ba_ready_process process;

static void end(process *p)
{
	ba_worker_slot_end(&(ba_worker_slot){.link = BA_TAKE(p->link), .socket = p->socket});
}

void ba_ready_close(ba_ready *r)
{
	if (r)
		BA_EACH (process, p, r->items, BA_COUNT(r->items))
			end(p);
}

static process *find(ba_ready *r, size_t of)
{
	return BA_FIND(r->items, BA_COUNT(r->items), p, p->link && p->of == of);
}

int ba_ready_take(ba_worker_slot *s, size_t of, ba_error *err)
{
	const ba_engine_spec *spec = s->spec;
	process *p = spec->ready ? find(spec->ready, of) : NULL;
	if (!p)
		return 0;
	s->link = BA_TAKE(p->link);
	s->socket = p->socket;
	bool pinned = spec->sandbox && spec->cpu >= 0 && of != BA_READY_CHECKER;
	return pinned ? ba_affinity_pin_process(ba_link_pid(s->link), spec->cpu, err) : 0;
}

void ba_ready_keep(ba_worker_slot *s, size_t of)
{
	ba_ready *r = s->spec->ready;
	process *p = r ? BA_FIND(r->items, BA_COUNT(r->items), one, !one->link) : NULL;
	if (p)
		*p = (process){BA_TAKE(s->link), s->socket, of};
	s->socket = p ? 0 : s->socket;
}

static bool may_start(const ba_engine_spec *spec, size_t variant)
{
	const ba_program *p = &spec->programs[variant];
	const char *path = p->argv ? p->argv[0] : "./";
	return !strchr(path, '/') || (*path == '/' && !ba_path_is_below(path, p->dir));
}

/* At least that many, and while there are fewer than `most`. */
static void start(const ba_engine_spec *spec, const bool *wanted, size_t least, size_t most)
{
	ba_engine e = {.spec = spec, .row = ba_engine_row_of(spec)};
	ba_ready *r = spec->ready;
	size_t n = spec->variant_count, count = 0;
	BA_EACH (process, p, r->items, BA_COUNT(r->items)) {
		if (p->link && p->of != BA_READY_CHECKER && !wanted[p->of])
			end(p); /* of a variant that has failed */
		count += p->link != NULL;
	}
	for (size_t k = 0; (k < least || count < most) && count < BA_COUNT(r->items) - 1; k++) {
		ba_error why;
		BA_AUTO(ba_failure) ba_failure ignored = {.err = &why};
		size_t v = k % n;
		ba_worker_slot s = {
			.engine = &e, .spec = spec, .variants = &v, .count = 1, .copies = 1};
		if (!wanted[v] || !may_start(spec, v))
			continue;
		count++;
		if (ba_program_hail(&s, true, &ignored) == 0)
			ba_ready_keep(&s, v);
		ba_worker_slot_end(&s);
	}
}

static bool lacks_any(const ba_engine_spec *spec, const bool *wanted)
{
	for (size_t v = 0; spec->ready && v < spec->variant_count; v++)
		if (wanted[v] && may_start(spec, v) && !find(spec->ready, v))
			return true;
	return false;
}

void ba_ready_begin(const ba_engine_spec *spec, const bool *wanted)
{
	/* the survey has a process for each variant, and one that examines the machine */
	size_t most = ba_engine_workers_most(-1, PROCESS_BYTES), taken = spec->variant_count + 1;
	if (most > taken && lacks_any(spec, wanted))
		start(spec, wanted, 0, most - taken);
}

void ba_ready_fill(const ba_engine_spec *spec, const bool *wanted)
{
	ba_ready *r = spec->ready;
	if (lacks_any(spec, wanted))
		start(spec, wanted, spec->variant_count, ba_engine_workers_most(-1, PROCESS_BYTES));
	if (r)
		BA_EACH (process, p, r->items, BA_COUNT(r->items))
			if (p->link && ba_link_hear_hello(p->link, NULL))
				end(p);
}
