#include "engine/ahead.h"

#include "engine/row.h"

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
