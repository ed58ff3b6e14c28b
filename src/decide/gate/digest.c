#include "gate/policy.h"

#include "gate/tally.h"

/* Keeps the largest of many items, in a heap. Its first is the next to go. */
typedef struct item {
	double key;
	size_t row;
} item;

BA_LIST(top, item);

enum { TOPS = 2 * BA_FATE_COUNT };

struct ba_digest {
	size_t candidates, most;
	ba_tally *tallies; /* [candidates] */
	top *tops;	   /* [candidates * TOPS] by rank, then by size */
	/* the first series of each metric, because the answer may name the metric */
	top metrics[BA_METRIC_COUNT];
	ba_left_out all; /* the counts, as if no series were kept */
};

ba_digest *ba_digest_new(size_t candidates, size_t most)
{
	ba_digest *d = ba_xcalloc(1, sizeof(*d));
	d->candidates = candidates;
	d->most = most;
	d->tallies = ba_xcalloc(candidates, sizeof(*d->tallies));
	d->tops = ba_xcalloc(candidates * TOPS, sizeof(*d->tops));
	for (size_t i = 0; i < candidates; i++)
		d->tallies[i] = ba_tally_empty(i + 1);
	return d;
}

BA_OWNS_HANDLE(ba_digest, d, BA_FREE_EACH(t, d->tops, d->candidates *TOPS, free(t->items)),
	BA_EMPTY_EACH(m, d->metrics, BA_METRIC_COUNT, free(m->items)), free(d->tallies))

/* ---- the largest --------------------------------------------------------- */

/* of equal items, the last one is dropped first */
static bool leaves_before(item a, item b)
{
	return a.key < b.key || (a.key == b.key && a.row > b.row);
}

static void sink(top *t, size_t i)
{
	for (size_t next; (next = 2 * i + 1) < t->count; i = next) {
		next += next + 1 < t->count && leaves_before(t->items[next + 1], t->items[next]);
		if (!leaves_before(t->items[next], t->items[i]))
			return;
		item moved = t->items[i];
		t->items[i] = t->items[next];
		t->items[next] = moved;
	}
}

static void keep(top *t, size_t most, item new)
{
	if (t->count < most) {
		*BA_PUSH(t->items, t->count, t->capacity) = new;
		/* the heap is built when it is full: none is dropped before */
		for (size_t i = t->count / 2; t->count == most && i-- > 0;)
			sink(t, i);
	} else if (leaves_before(t->items[0], new)) {
		t->items[0] = new;
		sink(t, 0);
	}
}

/* ---- series -------------------------------------------------------------- */

static size_t *count_like(ba_left_out *l, const ba_result *r, const ba_series *s)
{
	bool calm = true, doubt = true;
	for (size_t i = 0; i + 1 < r->run.variant_count; i++) {
		ba_verdict v = s->comparisons[i].verdict;
		calm = calm && v == BA_VERDICT_UNCHANGED;
		doubt = doubt && (v == BA_VERDICT_UNCHANGED || v == BA_VERDICT_INCONCLUSIVE);
	}
	return calm ? &l->calm : doubt ? &l->doubts : &l->others;
}

void ba_digest_add(ba_digest *d, const ba_result *r, const ba_series *s, size_t row)
{
	BA_REQUIRE(r->run.variant_count <= d->candidates + 1);
	keep(&d->metrics[s->metric], 1, (item){0, row});
	++*count_like(&d->all, r, s);
	for (size_t i = 0; i + 1 < r->run.variant_count; i++) {
		double ratio = s->comparisons[i].ratio;
		ba_fate fate = ba_tally_count(&d->tallies[i], s);
		size_t most = fate == BA_FATE_UNCHANGED ? 1 + d->most / 10 : d->most;
		top *t = &d->tops[i * TOPS + fate];
		keep(t, most, (item){ba_fate_rank(s, i + 1, fate), row});
		keep(t + BA_FATE_COUNT, most, (item){ratio > 0 ? fabs(log(ratio)) : 0, row});
	}
}

static void mark(bool *stays, const top *t)
{
	for (size_t i = 0; i < t->count; i++)
		stays[t->items[i].row] = true;
}

void ba_digest_choose(const ba_digest *d, bool *stays)
{
	for (size_t i = 0; i < d->candidates * TOPS; i++)
		mark(stays, &d->tops[i]);
	for (size_t i = 0; i < BA_METRIC_COUNT; i++)
		mark(stays, &d->metrics[i]);
}

ba_left_out ba_digest_left_out(const ba_digest *d, const ba_result *r)
{
	ba_left_out left = d->all;
	for (size_t i = 0; i < r->series_count; i++)
		--*count_like(&left, r, &r->series[i]);
	return left;
}

const ba_tally *ba_digest_tally(const ba_digest *d, size_t candidate)
{
	return &d->tallies[candidate - 1];
}
