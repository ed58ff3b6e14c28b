#include "engine/ready.h"

#include "engine/engine.h"
#include "engine/row.h"
#include "proc/affinity.h"

#define READY_MOST 16u
/* with torch, before it opens the GPU */
#define PROCESS_BYTES ((uint64_t)512 << 20)

struct ba_ready {
	ba_worker_slot checker, items[READY_MOST]; /* without a link: none */
	size_t variants[READY_MOST];
};

ba_ready *ba_ready_new(void)
{
	return ba_xcalloc(1, sizeof(ba_ready));
}

void ba_ready_close(ba_ready *r)
{
	if (!r)
		return;
	ba_worker_slot_end(&r->checker);
	BA_EACH (ba_worker_slot, s, r->items, READY_MOST)
		ba_worker_slot_end(s);
}

void ba_ready_free(ba_ready *r)
{
	ba_ready_close(r);
	free(r);
}

static ba_worker_slot *find(ba_ready *r, size_t variant)
{
	return BA_FIND(r->items, READY_MOST, s, s->link && r->variants[s - r->items] == variant);
}

/* Only an interpreter from elsewhere has nothing of the tree. */
static bool may_start(const ba_engine_spec *spec, size_t variant)
{
	const ba_program *p = &spec->programs[variant];
	bool by_path = p->argv && strchr(p->argv[0], '/');
	return p->argv &&
	       (!by_path || (*p->argv[0] == '/' && !ba_path_is_below(p->argv[0], p->dir)));
}

static int start(ba_engine *e, size_t variant, ba_failure *f)
{
	ba_ready *r = e->spec->ready;
	ba_worker_slot *s = BA_FIND(r->items, READY_MOST, one, !one->link);
	if (!s)
		return 0;
	size_t *mine = &r->variants[s - r->items];
	*mine = variant;
	*s = (ba_worker_slot){
		.engine = e, .spec = e->spec, .variants = mine, .count = 1, .copies = 1};
	return ba_program_hail(s, true, f);
}

int ba_ready_fill(ba_engine *e, const bool *wanted, ba_failure *f)
{
	const ba_engine_spec *spec = e->spec;
	ba_ready *r = spec->ready;
	size_t n = spec->variant_count, most = ba_engine_workers_most(-1, PROCESS_BYTES);
	bool lacks = false;
	for (size_t v = 0; r && v < n; v++)
		lacks = lacks || (wanted[v] && may_start(spec, v) && !find(r, v));
	if (!lacks)
		return 0;
	int rc = 0;
	size_t count = 0;
	BA_EACH (ba_worker_slot, s, r->items, READY_MOST) {
		if (!wanted[r->variants[s - r->items]])
			ba_worker_slot_end(s); /* of a variant that has failed */
		count += s->link != NULL;
	}
	for (size_t k = 0; rc == 0 && (k < n || count < most) && count < READY_MOST; k++)
		if (wanted[k % n] && may_start(spec, k % n) && ++count)
			rc = start(e, k % n, f);
	for (size_t i = 0; rc == 0 && i < READY_MOST; i++)
		if (r->items[i].link)
			rc = ba_worker_slot_fail(
				&r->items[i], ba_link_hear_hello(r->items[i].link, f->err), f);
	return rc;
}

int ba_ready_take(ba_worker_slot *s, ba_error *err)
{
	const ba_engine_spec *spec = s->spec;
	ba_worker_slot *found = spec->ready ? find(spec->ready, s->variants[0]) : NULL;
	if (!found)
		return 0;
	s->link = BA_TAKE(found->link);
	s->socket = found->socket;
	found->socket = 0;
	return spec->sandbox && spec->cpu >= 0
		       ? ba_affinity_pin_process(ba_link_pid(s->link), spec->cpu, err)
		       : 0;
}

void ba_ready_swap_checker(ba_worker_slot *checker)
{
	ba_ready *r = checker->spec->ready;
	if (!r)
		return;
	ba_worker_slot kept = r->checker;
	r->checker = (ba_worker_slot){.link = checker->link, .socket = checker->socket};
	checker->link = kept.link;
	checker->socket = kept.socket;
}
