#include "profile/walk.h"

/* ---- which instructions of a call count, and in which scope ---- */

static bool leaves_out(const ba_profile_side *side, const char *path)
{
	for (size_t i = 0; side->exclude && side->exclude[i]; i++)
		if (strcmp(side->exclude[i], path) == 0)
			return true;
	return false;
}

static ba_scope scope_of_path(const ba_profile_side *side, const char *path)
{
	const char *base = ba_path_base(path);
	if (ba_text_starts(base, "libcuda.so") || ba_text_starts(base, "libnvidia"))
		return BA_SCOPE_DRIVER;
	return side->tree && ba_path_is_below(path, side->tree) ? BA_SCOPE_OWN : BA_SCOPE_RUNTIME;
}

int ba_profile_check(const ba_profile_side *side, ba_error *err)
{
	if (side->call >= side->trace->calls || !side->trace->address_count)
		return ba_fail(
			err, BA_EDATA, "the trace has no addresses of call %zu", side->call + 1);
	return 0;
}

int ba_profile_scopes(uint64_t scopes[BA_SCOPE_COUNT], const ba_profile_side *side, ba_error *err)
{
	if (ba_profile_check(side, err))
		return BA_EDATA;
	const ba_trace *t = side->trace;
	const uint64_t *addresses = ba_trace_call(t, side->call);
	/* for each object; the last is for addresses outside all objects */
	uint64_t *counts = ba_xcalloc(t->object_count + 1, sizeof(*counts));
	const ba_trace_object *at = NULL;
	for (uint64_t i = 0; i < t->counts[side->call]; i++) {
		if (!at || addresses[i] < at->low || addresses[i] >= at->high)
			at = ba_trace_find(t, addresses[i]);
		counts[at ? (size_t)(at - t->objects) : t->object_count]++;
	}
	uint64_t sums[BA_SCOPE_COUNT] = {0};
	sums[BA_SCOPE_RUNTIME] = counts[t->object_count];
	for (size_t i = 0; i < t->object_count; i++)
		if (!leaves_out(side, t->objects[i].path))
			sums[scope_of_path(side, t->objects[i].path)] += counts[i];
	free(counts);
	memcpy(scopes, sums, sizeof(sums));
	return 0;
}

/* ---- functions ---- */

/* "f.constprop.0", "f.cold" and "f@@GLIBC_2.14" are f. */
static char *plain_name(const char *name)
{
	size_t n = 1 + strcspn(name + 1, ".@");
	return ba_xstrndup(name, n);
}

/* the path within the variant's tree; NULL: outside */
static const char *in_tree(const ba_walk *w, const char *path)
{
	const char *tree = w->side->tree;
	if (!tree || !ba_path_is_below(path, tree))
		return NULL;
	path += strlen(tree);
	return path + strspn(path, "/");
}

static char *object_of(const ba_walk *w, const char *path)
{
	const char *inside = in_tree(w, path);
	return ba_text_safe(inside ? inside : ba_path_base(path));
}

static uint32_t add_function(ba_walks *w, ba_function f)
{
	size_t number = ba_names_find(&w->keys, f.key);
	if (number != BA_NAMES_NONE) {
		BA_FREE(f.key, f.name, f.object);
		return (uint32_t)number;
	}
	w->functions = BA_GROW(w->functions, &w->room, w->count + 1);
	f.same = (uint32_t)w->count;
	w->functions[w->count++] = f;
	return (uint32_t)ba_names_add(&w->keys, f.key);
}

/* the baseline's file with this name, if it executes code in it */
static const ba_elf *baseline_of(const ba_walks *w, const char *object)
{
	const ba_walk *b = &w->side[BA_SIDE_BASELINE];
	const ba_trace *t = b->side->trace;
	for (size_t i = 0; i < t->object_count; i++) {
		if (!b->objects[i].elf)
			continue;
		BA_AUTO_FREE char *name = object_of(b, t->objects[i].path);
		if (strcmp(name, object) == 0)
			return b->objects[i].elf;
	}
	return NULL;
}

/* Do addresses in this object mean the same for both? Needed for functions without
 * names. */
static bool is_shared(ba_walks *w, int side, ba_walk_object *o, const char *object)
{
	if (side == BA_SIDE_BASELINE)
		return true;
	if (!o->shared) {
		const ba_elf *other = baseline_of(w, object);
		o->shared = !other || ba_elf_is_same(other, o->elf) ? 1 : -1;
	}
	return o->shared > 0;
}

static char *unnamed(const ba_elf_place *at)
{
	return at->kind == BA_ELF_JUMPS	    ? ba_xstrdup("jumps to other objects")
	       : at->kind == BA_ELF_UNNAMED ? ba_xprintf("+0x%llx", (unsigned long long)at->low)
					    : ba_xstrdup("without symbols");
}

static uint32_t function_of(ba_walks *w, int side, size_t object, const ba_elf_place *at)
{
	ba_walk *walk = &w->side[side];
	ba_walk_object *o = &walk->objects[object];
	const char *path = walk->side->trace->objects[object].path;
	ba_function f = {.scope = scope_of_path(walk->side, path),
		.kind = at->kind,
		.object = object_of(walk, path)};
	f.name = at->kind == BA_ELF_FUNCTION ? plain_name(at->name) : unnamed(at);
	bool shared = at->kind != BA_ELF_UNNAMED || is_shared(w, side, o, f.object);
	f.key = ba_xprintf(
		"%d %s\n%s%s", (int)f.scope, f.object, f.name, shared ? "" : "\ncandidate");
	uint32_t number = add_function(w, f);
	ba_function *found = &w->functions[number];
	if (!found->elf[side]) {
		found->elf[side] = o->elf;
		found->start[side] = at->low;
	} else if (at->kind == BA_ELF_FUNCTION && !strchr(at->name, '.')) {
		/* the start of the function, rather than of a piece of it */
		found->start[side] = at->low;
	}
	return number;
}

static uint32_t made_at_run_time(ba_walks *w, const char *name)
{
	return add_function(w, (ba_function){.key = ba_xprintf("\n%s", name),
				       .name = ba_xstrdup(name),
				       .object = ba_xstrdup(""),
				       .scope = BA_SCOPE_RUNTIME});
}

/* ---- addresses ---- */

/* The function at an address of a file, with its range in the process's memory. */
static ba_place place_in_file(ba_walks *w, int side, size_t object, uint64_t address)
{
	ba_walk *walk = &w->side[side];
	const ba_trace_object *o = &walk->side->trace->objects[object];
	ba_walk_object *mine = &walk->objects[object];
	uint64_t there;
	ba_elf_place at = {BA_ELF_UNKNOWN, NULL, 0, UINT64_MAX};
	if (!ba_elf_address(mine->elf, address - o->base, &there))
		there = address - o->base;
	else
		at = ba_elf_find(mine->elf, there);
	uint64_t before = there - at.low, after = at.high - there;
	ba_place place = {.low = before < address - o->low ? address - before : o->low,
		.high = after && after < o->high - address ? address + after : o->high,
		.start = address - before,
		.function = function_of(w, side, object, &at)};
	return place;
}

/* A file that both processes use is opened once. */
static void open_object(ba_walks *w, int side, ba_walk_object *mine, const char *path)
{
	const ba_walk *b = &w->side[BA_SIDE_BASELINE];
	const ba_trace *t = b->side->trace;
	for (size_t i = 0; side != BA_SIDE_BASELINE && i < t->object_count; i++)
		if (b->objects[i].elf && strcmp(t->objects[i].path, path) == 0) {
			mine->elf = b->objects[i].elf;
			mine->borrowed = true;
			return;
		}
	mine->elf = ba_elf_load(path);
}

static ba_place place_of(ba_walks *w, int side, size_t object, uint64_t address)
{
	const ba_profile_side *s = w->side[side].side;
	ba_place place = {address, address + 1, address, BA_FUNCTION_NONE};
	if (object == s->trace->object_count) {
		place.function = made_at_run_time(w, "code made at run time");
		return place;
	}
	const ba_trace_object *o = &s->trace->objects[object];
	ba_walk_object *mine = &w->side[side].objects[object];
	place = (ba_place){o->low, o->high, o->low, BA_FUNCTION_NONE};
	if (leaves_out(s, o->path))
		return place;
	if (*o->path != '/') {
		place.function = made_at_run_time(w, *o->path ? o->path : "code made at run time");
		return place;
	}
	if (!mine->elf)
		open_object(w, side, mine, o->path);
	return place_in_file(w, side, object, address);
}

static ba_place find_place(ba_walks *w, int side, uint64_t address)
{
	ba_walk *walk = &w->side[side];
	const ba_trace *t = walk->side->trace;
	const ba_trace_object *found = ba_trace_find(t, address);
	size_t object = found ? (size_t)(found - t->objects) : t->object_count;
	ba_walk_object *o = &walk->objects[object];
	/* the first range that ends after the address */
	size_t at = BA_FIRST(o->count, i, o->places[i].high > address);
	if (at < o->count && o->places[at].low <= address)
		return o->places[at];
	ba_place place = place_of(w, side, object, address);
	/* symbols may overlap: earlier ranges are kept */
	if (at > 0 && place.low < o->places[at - 1].high)
		place.low = o->places[at - 1].high;
	if (at < o->count && place.high > o->places[at].low)
		place.high = o->places[at].low;
	o->places = BA_GROW(o->places, &o->room, o->count + 1);
	memmove(&o->places[at + 1], &o->places[at], (o->count - at) * sizeof(*o->places));
	o->places[at] = place;
	o->count++;
	return place;
}

static void open_side(ba_walk *walk, const ba_profile_side *side)
{
	const ba_trace *t = side->trace;
	*walk = (ba_walk){.side = side,
		.addresses = ba_trace_call(t, side->call),
		.count = (size_t)t->counts[side->call]};
	walk->functions = ba_xcalloc(walk->count, sizeof(*walk->functions));
	walk->offsets = ba_xcalloc(walk->count, sizeof(*walk->offsets));
	walk->objects = ba_xcalloc(t->object_count + 1, sizeof(*walk->objects));
}

static void walk_side(ba_walks *w, int side)
{
	ba_walk *walk = &w->side[side];
	ba_place at = {0};
	for (size_t i = 0; i < walk->count; i++) {
		uint64_t address = walk->addresses[i];
		if (address < at.low || address >= at.high)
			at = find_place(w, side, address);
		walk->functions[i] = at.function;
		walk->offsets[i] = (uint32_t)(address - at.start);
		if (at.function != BA_FUNCTION_NONE)
			w->functions[at.function].counts[side]++;
	}
}

void ba_walks_begin(ba_walks *out, const ba_profile_side *baseline)
{
	*out = (ba_walks){0};
	open_side(&out->side[BA_SIDE_BASELINE], baseline);
	walk_side(out, BA_SIDE_BASELINE);
	out->own = out->count;
}

static void close_side(ba_walk *walk)
{
	size_t n = walk->side ? walk->side->trace->object_count + 1 : 0;
	for (size_t i = 0; i < n; i++) {
		if (!walk->objects[i].borrowed)
			ba_elf_free(walk->objects[i].elf);
		free(walk->objects[i].places);
	}
	BA_FREE(walk->objects, walk->functions, walk->offsets);
	*walk = (ba_walk){0};
}

static void free_functions(ba_walks *w, size_t from)
{
	for (size_t i = from; i < w->count; i++)
		BA_FREE(w->functions[i].key, w->functions[i].name, w->functions[i].object);
	w->count = from;
}

/* Restores the state after ba_walks_begin(). */
static void forget_candidate(ba_walks *w)
{
	close_side(&w->side[BA_SIDE_CANDIDATE]);
	ba_names_dispose(&w->keys);
	free_functions(w, w->own);
	for (size_t i = 0; i < w->own; i++) {
		ba_function *f = &w->functions[i];
		*f = (ba_function){.key = f->key,
			.name = f->name,
			.object = f->object,
			.scope = f->scope,
			.kind = f->kind,
			.counts = {f->counts[BA_SIDE_BASELINE]},
			.elf = {f->elf[BA_SIDE_BASELINE]},
			.start = {f->start[BA_SIDE_BASELINE]},
			.same = (uint32_t)i};
		ba_names_add(&w->keys, f->key);
	}
}

void ba_walks_compare(ba_walks *w, const ba_profile_side *candidate)
{
	forget_candidate(w);
	open_side(&w->side[BA_SIDE_CANDIDATE], candidate);
	walk_side(w, BA_SIDE_CANDIDATE);
}

bool ba_walk_line(ba_walk *w, uint64_t address, const char **file, unsigned *line)
{
	const ba_trace *t = w->side->trace;
	const ba_trace_object *o = ba_trace_find(t, address);
	ba_elf *elf = o ? w->objects[o - t->objects].elf : NULL;
	uint64_t there;
	return elf && ba_elf_address(elf, address - o->base, &there) &&
	       ba_elf_line(elf, there, file, line);
}

char *ba_walk_source(const ba_walk *w, const char *file)
{
	const char *inside = in_tree(w, file);
	file = inside ? inside : file;
	while (ba_text_starts(file, "./"))
		file += 2;
	return ba_text_safe(file);
}

void ba_profile_place(char **name, char **file, unsigned *line, const char *object,
	uint64_t address, const char *tree)
{
	BA_AUTO_PTR(ba_elf) ba_elf *elf = ba_elf_load(object);
	const ba_profile_side side = {.tree = tree};
	const ba_walk walk = {.side = &side};
	const char *source;
	ba_elf_place place = ba_elf_find(elf, address);
	BA_AUTO_FREE char *plain = plain_name(place.kind == BA_ELF_FUNCTION ? place.name : "?");
	*name = ba_demangle(plain);
	*line = 0;
	*file = ba_elf_line(elf, address, &source, line) ? ba_walk_source(&walk, source)
							 : object_of(&walk, object);
}

void ba_walks_dispose(ba_walks *w)
{
	for (int s = 0; s < BA_SIDES; s++)
		close_side(&w->side[s]);
	free_functions(w, 0);
	free(w->functions);
	ba_names_dispose(&w->keys);
	*w = (ba_walks){0};
}

char *ba_function_name(const ba_function *f)
{
	if (f->kind == BA_ELF_FUNCTION)
		return ba_demangle(f->name);
	if (f->kind == BA_ELF_UNNAMED)
		return ba_xprintf("%s%s", ba_path_base(f->object), f->name);
	return ba_xstrdup(f->name);
}
