#include "profile/walk.h"

/* Shorter functions (getters, stubs) may be equal by coincidence. */
#define SHORTEST 8u
#define FNV_START UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

static bool only(const ba_function *f, int side)
{
	return f->counts[side] >= SHORTEST && f->counts[!side] == 0 &&
	       (f->kind == BA_ELF_FUNCTION || f->kind == BA_ELF_UNNAMED);
}

/* Hashes the sequence of offsets that each function executes, for one side. */
static uint64_t *hashes_of(const ba_walks *w, int side)
{
	const ba_walk *walk = &w->side[side];
	uint64_t *hashes = ba_xcalloc(w->count ? w->count : 1, sizeof(*hashes));
	for (size_t i = 0; i < w->count; i++)
		hashes[i] = FNV_START;
	for (size_t i = 0; i < walk->count; i++) {
		uint32_t f = walk->functions[i];
		if (f != BA_FUNCTION_NONE)
			hashes[f] = (hashes[f] ^ walk->offsets[i]) * FNV_PRIME;
	}
	return hashes;
}

static size_t next_of(const ba_walk *w, size_t at, uint32_t function)
{
	while (at < w->count && w->functions[at] != function)
		at++;
	return at;
}

static bool is_same_sequence(const ba_walks *w, uint32_t gone, uint32_t new)
{
	const ba_walk *b = &w->side[BA_SIDE_BASELINE];
	const ba_walk *c = &w->side[BA_SIDE_CANDIDATE];
	size_t i = next_of(b, 0, gone), k = next_of(c, 0, new);
	while (i < b->count && k < c->count) {
		if (b->offsets[i] != c->offsets[k])
			return false;
		i = next_of(b, i + 1, gone);
		k = next_of(c, k + 1, new);
	}
	return i == b->count && k == c->count;
}

typedef struct search {
	ba_walks *w;
	uint64_t *hashes[BA_SIDES];
} search;

static bool may_be(const search *s, uint32_t gone, uint32_t new)
{
	const ba_function *g = &s->w->functions[gone], *n = &s->w->functions[new];
	return g->scope == n->scope && g->kind == n->kind &&
	       g->counts[BA_SIDE_BASELINE] == n->counts[BA_SIDE_CANDIDATE] &&
	       s->hashes[BA_SIDE_BASELINE][gone] == s->hashes[BA_SIDE_CANDIDATE][new];
}

/* The only function of `side` that can match `number` of the other side, or NONE. */
static uint32_t only_match(const search *s, uint32_t number, int side)
{
	uint32_t found = BA_FUNCTION_NONE;
	for (uint32_t i = 0; i < s->w->count; i++) {
		bool matches = only(&s->w->functions[i], side) &&
			       (side ? may_be(s, number, i) : may_be(s, i, number));
		if (matches && found != BA_FUNCTION_NONE)
			return BA_FUNCTION_NONE;
		if (matches)
			found = i;
	}
	return found;
}

void ba_walks_find_renamed(ba_walks *w)
{
	search s = {w, {hashes_of(w, 0), hashes_of(w, 1)}};
	for (uint32_t i = 0; i < w->count; i++) {
		if (!only(&w->functions[i], BA_SIDE_BASELINE))
			continue;
		uint32_t new = only_match(&s, i, BA_SIDE_CANDIDATE);
		if (new != BA_FUNCTION_NONE &&
			only_match(&s, new, BA_SIDE_BASELINE) == i &&is_same_sequence(w, i, new))
			w->functions[i].same = new;
	}
	BA_FREE(s.hashes[0], s.hashes[1]);
}
