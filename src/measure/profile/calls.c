/*
 * Attributes the instructions of other code to the function of the tree that caused
 * them. A call is an entry at a function's first instruction; a return is a step to a
 * function further up the stack.
 */

#include "profile/walk.h"

/* The deepest stack that is tracked: functions that tail-call each other would make it
 * deeper without end. */
#define DEEPEST 4096u

/* The instructions of one function that another function caused. */
typedef struct edge {
	uint32_t function, reason;
	uint64_t counts[BA_SIDES];
} edge;

typedef struct stack {
	ba_walks *w;
	int side;
	uint32_t *items;
	size_t count, room;
	edge *edges;
	size_t edge_count, edge_room;
} stack;

static bool is_own(const ba_walks *w, uint32_t number)
{
	const ba_function *f = &w->functions[number];
	return f->scope == BA_SCOPE_OWN && f->kind != BA_ELF_JUMPS;
}

/* Does only `side` execute it, even under another name? `number` is not renamed. */
static bool is_only(const ba_walks *w, uint32_t number, int side)
{
	const ba_function *f = &w->functions[number];
	return f->counts[!side] == 0 && !f->is_new_name;
}

static void step_to(stack *s, uint32_t function, bool at_start)
{
	size_t found = s->count;
	while (!at_start && found > 0 && s->items[found - 1] != function)
		found--;
	if (!at_start && found > 0) {
		s->count = found;
		return;
	}
	if (s->count == DEEPEST)
		s->count--;
	*BA_PUSH(s->items, s->count, s->room) = function;
}

/* The outermost function of the tree that only this side executes, because the other
 * side has none of its calls; else the innermost function of the tree. */
static uint32_t reason_of(const stack *s)
{
	uint32_t innermost = BA_FUNCTION_NONE;
	for (size_t i = 0; i < s->count; i++) {
		if (!is_own(s->w, s->items[i]))
			continue;
		if (is_only(s->w, s->items[i], s->side))
			return s->items[i];
		innermost = s->items[i];
	}
	return innermost;
}

static void walk_side(stack *s)
{
	const ba_walk *walk = &s->w->side[s->side];
	s->count = 0;
	for (size_t i = 0, end; i < walk->count; i = end) {
		uint32_t number = walk->functions[i];
		for (end = i + 1; end < walk->count && walk->functions[end] == number;)
			end++;
		if (number == BA_FUNCTION_NONE)
			continue;
		const ba_function *f = &s->w->functions[number];
		if (f->kind != BA_ELF_JUMPS && (!s->count || s->items[s->count - 1] != f->same))
			step_to(s, f->same, walk->offsets[i] == 0);
		uint32_t reason = reason_of(s);
		if (f->scope == BA_SCOPE_DRIVER || reason == BA_FUNCTION_NONE || reason == f->same)
			continue;
		edge *added = BA_PUSH(s->edges, s->edge_count, s->edge_room);
		*added = (edge){f->same, reason, {0}};
		added->counts[s->side] = end - i;
	}
}

BA_DEFINE_ORDER(by_ends, edge, BA_ORDER(a->function, b->function) ?: BA_ORDER(a->reason, b->reason))

static int64_t change_of(const uint64_t counts[BA_SIDES])
{
	return (int64_t)(counts[BA_SIDE_CANDIDATE] - counts[BA_SIDE_BASELINE]);
}

/* Joins the edges of each pair; their instructions count for the causing function. */
static void join(stack *s)
{
	size_t used = 0;
	BA_SORT(s->edges, s->edge_count, by_ends);
	BA_EACH (const edge, e, s->edges, s->edge_count) {
		for (int side = 0; side < BA_SIDES; side++)
			s->w->functions[e->reason].calls[side] += e->counts[side];
		if (used && by_ends(&s->edges[used - 1], e) == 0)
			for (int side = 0; side < BA_SIDES; side++)
				s->edges[used - 1].counts[side] += e->counts[side];
		else
			s->edges[used++] = *e;
	}
	s->edge_count = used;
}

/* Chooses the function that caused more than half of a function's difference. */
static void choose(stack *s)
{
	BA_EACH (const edge, e, s->edges, s->edge_count) {
		ba_function *f = &s->w->functions[e->function];
		int64_t whole = f->change, part = change_of(e->counts);
		if (whole > 0 ? 2 * part > whole : whole < 0 && 2 * part < whole)
			f->through = e->reason;
	}
}

void ba_walks_find_reasons(ba_walks *w)
{
	stack s = {.w = w};
	for (size_t i = 0; i < w->count; i++) {
		ba_function *f = &w->functions[i], *shown = &w->functions[f->same];
		f->through = BA_FUNCTION_NONE;
		shown->is_new_name |= shown != f;
		shown->change += change_of(f->counts);
	}
	for (s.side = 0; s.side < BA_SIDES; s.side++)
		walk_side(&s);
	join(&s);
	choose(&s);
	BA_FREE(s.items, s.edges);
}
