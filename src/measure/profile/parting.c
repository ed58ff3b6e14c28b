/*
 * Finds the place where two calls diverge. Addresses differ between builds, so the
 * sequences of functions are compared: each call of another function, and each return.
 */

#include "profile/walk.h"

/* Consecutive instructions of one function. Jumps between objects, excluded code and
 * the inside of the driver are not steps. */
typedef struct step {
	uint32_t function; /* BA_FUNCTION_NONE: the call is over */
	bool entered;	   /* begins at its first instruction */
	size_t first, last, length;
} step;

typedef struct cursor {
	ba_walks *w;
	int side;
	size_t next;
} cursor;

static uint32_t function_at(const cursor *c, size_t i)
{
	uint32_t number = c->w->side[c->side].functions[i];
	if (number == BA_FUNCTION_NONE || c->w->functions[number].kind == BA_ELF_JUMPS)
		return BA_FUNCTION_NONE;
	return c->w->functions[number].same;
}

static bool is_driver(const cursor *c, uint32_t function)
{
	return c->w->functions[function].scope == BA_SCOPE_DRIVER;
}

static step next_step(cursor *c)
{
	const ba_walk *walk = &c->w->side[c->side];
	step s = {.function = BA_FUNCTION_NONE};
	for (; c->next < walk->count; c->next++) {
		uint32_t f = function_at(c, c->next);
		if (f == BA_FUNCTION_NONE)
			continue;
		if (s.function == BA_FUNCTION_NONE)
			s = (step){f, walk->offsets[c->next] == 0, c->next, 0, 0};
		else if (f != s.function && !(is_driver(c, f) && is_driver(c, s.function)))
			break;
		s.last = c->next;
		s.length++;
	}
	return s;
}

static void put_name(ba_buf *out, const ba_walks *w, uint32_t function)
{
	const ba_function *f = &w->functions[function];
	BA_AUTO_FREE char *name = ba_function_name(f);
	if (f->kind != BA_ELF_FUNCTION && f->kind != BA_ELF_UNNAMED && *f->object)
		ba_buf_printf(out, "%s ", ba_path_base(f->object));
	ba_buf_puts(out, name);
	if (f->kind == BA_ELF_FUNCTION && !strchr(name, '('))
		ba_buf_puts(out, "()");
}

static void put_line(ba_buf *out, ba_walk *walk, size_t instruction)
{
	const char *file;
	unsigned line;
	if (!ba_walk_line(walk, walk->addresses[instruction], &file, &line))
		return;
	BA_AUTO_FREE char *source = ba_walk_source(walk, file);
	ba_buf_printf(out, " (%s:%u)", ba_path_base(source), line);
}

/* "calls context_get()", "returns to launch()", "ends" */
static void put_step(ba_buf *out, const ba_walks *w, const step *s)
{
	if (s->function == BA_FUNCTION_NONE) {
		ba_buf_puts(out, "ends");
		return;
	}
	ba_buf_puts(out, s->entered ? "calls " : "returns to ");
	put_name(out, w, s->function);
}

static char *part_at_step(ba_walks *w, const step *before, const step *b, const step *c)
{
	ba_buf out = BA_BUF_INIT;
	if (before->function != BA_FUNCTION_NONE) {
		ba_buf_puts(&out, "after ");
		put_name(&out, w, before->function);
		put_line(&out, &w->side[BA_SIDE_CANDIDATE], before->last);
		ba_buf_puts(&out, ": ");
	}
	ba_buf_puts(&out, "the baseline ");
	put_step(&out, w, b);
	ba_buf_puts(&out, ", the candidate ");
	put_step(&out, w, c);
	return ba_buf_detach(&out);
}

static char *part_in_step(ba_walks *w, const step *b, const step *c)
{
	ba_buf out = BA_BUF_INIT;
	ba_buf_puts(&out, "in ");
	put_name(&out, w, c->function);
	put_line(&out, &w->side[BA_SIDE_CANDIDATE], c->first);
	ba_buf_printf(&out, ": the baseline executes %zu instruction%s in a row, the candidate %zu",
		b->length, b->length == 1 ? "" : "s", c->length);
	return ba_buf_detach(&out);
}

/* The index of the next compared instruction; SIZE_MAX at the end. */
static size_t next_compared(cursor *c)
{
	const ba_walk *walk = &c->w->side[c->side];
	while (c->next < walk->count) {
		size_t at = c->next++;
		uint32_t f = function_at(c, at);
		if (f != BA_FUNCTION_NONE && !is_driver(c, f))
			return at;
	}
	return SIZE_MAX;
}

static unsigned opcode_at(const cursor *c, size_t i)
{
	const ba_walk *walk = &c->w->side[c->side];
	const ba_trace *t = walk->side->trace;
	const ba_trace_object *o = ba_trace_find(t, walk->addresses[i]);
	const ba_elf *elf = o ? walk->objects[o - t->objects].elf : NULL;
	return elf ? ba_elf_opcode(elf, walk->addresses[i] - o->base) : 0;
}

/* For steps of equal length: are the operations equal, too? */
static char *part_by_opcode(ba_walks *w)
{
	cursor baseline = {w, BA_SIDE_BASELINE, 0};
	cursor candidate = {w, BA_SIDE_CANDIDATE, 0};
	size_t i, k;
	do {
		i = next_compared(&baseline);
		k = next_compared(&candidate);
		if (i == SIZE_MAX || k == SIZE_MAX)
			return NULL;
	} while (opcode_at(&baseline, i) == opcode_at(&candidate, k));
	ba_buf out = BA_BUF_INIT;
	ba_buf_puts(&out, "in ");
	put_name(&out, w, function_at(&candidate, k));
	put_line(&out, &w->side[BA_SIDE_CANDIDATE], k);
	ba_buf_puts(&out, ": the two execute different instructions");
	return ba_buf_detach(&out);
}

char *ba_walks_parting(ba_walks *w, bool *same_path)
{
	cursor baseline = {w, BA_SIDE_BASELINE, 0};
	cursor candidate = {w, BA_SIDE_CANDIDATE, 0};
	step before = {.function = BA_FUNCTION_NONE}, unequal[BA_SIDES];
	bool differs = false;
	*same_path = false;
	for (;;) {
		step b = next_step(&baseline), c = next_step(&candidate);
		if (b.function != c.function || b.entered != c.entered)
			return part_at_step(w, &before, &b, &c);
		if (b.function == BA_FUNCTION_NONE)
			break;
		if (!differs && b.length != c.length && !is_driver(&baseline, b.function)) {
			differs = true;
			unequal[BA_SIDE_BASELINE] = b;
			unequal[BA_SIDE_CANDIDATE] = c;
		}
		before = c;
	}
	char *parting = differs ? part_in_step(w, &unequal[0], &unequal[1]) : part_by_opcode(w);
	*same_path = parting == NULL;
	return parting;
}
