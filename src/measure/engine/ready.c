#include "engine/ready.h"

#include "engine/engine.h"
#include "engine/row.h"
#include "proc/affinity.h"

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
