/* Pairs the kernels of two builds. */
#include "codediff/codediff.h"

typedef struct keyed {
	char *key;
	const ba_kernel_code *kernel;
	size_t index;
} keyed;

BA_LIST(keyeds, keyed);

BA_OWNS_HERE(keyeds, k, BA_FREE_EACH(one, k->items, k->count, free(one->key)))

/* By key; kernels of one key by their metrics, so that similar ones meet. */
BA_DEFINE_ORDER(order_keyed, keyed,
	strcmp(a->key, b->key)
		?: BA_ORDER(a->kernel->metrics.shared_bytes, b->kernel->metrics.shared_bytes)
		?: BA_ORDER(a->kernel->metrics.instructions, b->kernel->metrics.instructions)
		?: BA_ORDER(a->index, b->index))

/* What must agree for two kernels to be a pair; the passes are in this order. */
typedef struct pass {
	bool file, base_name; /* the file's path, or only its last part */
	bool name, whole;     /* the kernel's name; everything else about it */
	bool stem;	      /* the name without the numbers of lambdas */
} pass;

static const pass passes[] = {
	{.file = true, .name = true, .whole = true},
	{.base_name = true, .name = true, .whole = true},
	{.file = true, .stem = true, .whole = true},
	{.base_name = true, .stem = true, .whole = true},
	{.file = true, .name = true},
	{.name = true, .whole = true},
	{.base_name = true, .name = true},
	{.name = true},
	/* renamed */
	{.file = true, .whole = true},
	{.base_name = true, .whole = true},
};

/* A lambda that is added gives those after it other numbers: "UlfE_" is "UlfE0_" then. */
static char *stem_of(const char *name)
{
	char *out = ba_xstrdup(name), *to = out;
	bool lambda = strstr(name, "Ul") != NULL;
	for (const char *at = name; *at;) {
		size_t digits = lambda && *at == 'E' ? strspn(at + 1, "0123456789") : 0;
		*to++ = *at++;
		at += digits && at[digits] == '_' ? digits : 0;
	}
	*to = '\0';
	return out;
}

static char *key_of(const ba_codediff *d, int of, size_t i, const pass *p)
{
	const ba_code_side *side = &d->sides[of];
	const ba_kernel_code *k = &side->kernels.items[i];
	/* two files that a user names are counterparts, whatever their names */
	bool two = d->sides[0].file_count == 1 && d->sides[1].file_count == 1;
	const char *file = two ? "" : side->files[side->file_of[i]].path;
	BA_AUTO_FREE char *stem = stem_of(k->name);
	return ba_xprintf("%s\n%s %d\n%s\n%s",
		p->file	       ? file
		: p->base_name ? ba_path_base(file)
			       : "",
		k->target, (int)k->is_ptx,
		p->name	  ? k->name
		: p->stem ? stem
			  : "",
		p->whole ? k->whole : "");
}

/* The kernels without a partner, sorted by key. A renamed kernel must be known in full. */
static void collect(keyeds *out, const ba_codediff *d, int of, const bool *taken, const pass *p)
{
	const ba_code_side *side = &d->sides[of];
	out->items = ba_xcalloc(side->kernels.count + 1, sizeof(*out->items));
	for (size_t i = 0; i < side->kernels.count; i++)
		if (!taken[i] && (p->name || p->stem || !side->kernels.items[i].open))
			out->items[out->count++] =
				(keyed){key_of(d, of, i, p), &side->kernels.items[i], i};
	qsort(out->items, out->count, sizeof(*out->items), order_keyed);
}

static void add_pair(ba_codediff *d, size_t base, size_t mine)
{
	ba_code_pair pair = {.base = base, .mine = mine, .verdict = BA_CODE_ADDED};
	static const ba_code_verdict verdicts[] = {[BA_KERNEL_SAME] = BA_CODE_SAME,
		[BA_KERNEL_OTHER_DATA] = BA_CODE_OTHER_DATA,
		[BA_KERNEL_OTHER_LIMITS] = BA_CODE_OTHER_LIMITS,
		[BA_KERNEL_CHANGED] = BA_CODE_CHANGED,
		[BA_KERNEL_OPEN] = BA_CODE_OPEN};
	const ba_kernel_code *a = ba_code_kernel(d, &pair, 0), *b = ba_code_kernel(d, &pair, 1);
	if (a && b) {
		BA_AUTO_FREE char *was = stem_of(a->name), *is = stem_of(b->name);
		const char *why = NULL;
		pair.verdict = verdicts[ba_kernel_compare(a, b, &why)];
		pair.why = why ? ba_xstrdup(why) : NULL;
		if (strcmp(was, is) != 0)
			pair.verdict = BA_CODE_RENAMED;
	} else if (a) {
		pair.verdict = BA_CODE_REMOVED;
	}
	*BA_PUSH(d->found.pairs, d->found.pair_count, d->found.pair_capacity) = pair;
}

static void run_pass(ba_codediff *d, const pass *p, bool *base_taken, bool *mine_taken)
{
	BA_AUTO(keyeds) keyeds base = {0}, mine = {0};
	collect(&base, d, 0, base_taken, p);
	collect(&mine, d, 1, mine_taken, p);
	for (size_t i = 0, k = 0; i < base.count && k < mine.count;) {
		int order = strcmp(base.items[i].key, mine.items[k].key);
		if (order == 0) {
			base_taken[base.items[i].index] = mine_taken[mine.items[k].index] = true;
			add_pair(d, base.items[i].index, mine.items[k].index);
		}
		i += order <= 0;
		k += order >= 0;
	}
}

/* ---- copies ---- */

typedef struct sorting {
	const ba_code_pair *pair;
	const ba_kernel_code *shown, *sides[2];
	unsigned late; /* pairs of both sides come first, and linked ones before others */
	unsigned rank; /* of copies, the one with the lowest rank is reported */
} sorting;

/* Programs and libraries come before archives and objects. */
static unsigned rank_of(const ba_codediff *d, const ba_code_pair *p)
{
	const char *path = ba_code_file_of(d, p, p->mine == SIZE_MAX ? 0 : 1)->path;
	return ba_text_ends(path, ".o") ? 2 : ba_text_ends(path, ".a") ? 1 : 0;
}

static bool is_linked(const sorting *s)
{
	return (!s->sides[0] || s->sides[0]->is_linked) && (!s->sides[1] || s->sides[1]->is_linked);
}

static sorting sorting_of(const ba_codediff *d, const ba_code_pair *p)
{
	sorting s = {.pair = p,
		.shown = ba_code_shown(d, p),
		.sides = {ba_code_kernel(d, p, 0), ba_code_kernel(d, p, 1)},
		.rank = rank_of(d, p)};
	s.late = (s.sides[0] && s.sides[1] ? 0 : 2) + (is_linked(&s) ? 0 : 1);
	return s;
}

static int order_sides(const ba_kernel_code *a, const ba_kernel_code *b)
{
	return strcmp(a ? a->whole : "", b ? b->whole : "");
}

/* 0: they belong to one group */
static int order_groups(const sorting *a, const sorting *b)
{
	return strcmp(a->shown->name, b->shown->name)
		       ?: strcmp(a->shown->target, b->shown->target)
		       ?: a->shown->is_ptx - b->shown->is_ptx;
}

/* Kernels of one name and target together. */
BA_DEFINE_ORDER(order_sorting, sorting,
	order_groups(a, b)
		?: BA_ORDER(a->late, b->late)
		?: order_sides(a->sides[0], b->sides[0])
		?: order_sides(a->sides[1], b->sides[1]) ?: BA_ORDER(a->rank, b->rank))

/* The one of the first `kept` of which it is a copy, or an object's version of a linked one. */
static const sorting *original_of(const sorting *all, size_t kept, const sorting *s)
{
	const sorting *linked = NULL;
	for (const sorting *g = all + kept; g-- > all && order_groups(g, s) == 0;) {
		bool base = !s->sides[0] || (g->sides[0] && !order_sides(g->sides[0], s->sides[0]));
		bool mine = !s->sides[1] || (g->sides[1] && !order_sides(g->sides[1], s->sides[1]));
		if (base && mine)
			return g;
		linked = g->late == 0 && !linked ? g : linked;
	}
	return is_linked(s) ? NULL : linked;
}

/* Keeps one of the pairs that tell the same. */
static void drop_copies(ba_codediff *d)
{
	BA_AUTO_FREE sorting *all = ba_xcalloc(d->found.pair_count + 1, sizeof(*all));
	ba_code_pair *pairs = ba_xcalloc(d->found.pair_count + 1, sizeof(*pairs));
	size_t kept = 0;
	for (size_t i = 0; i < d->found.pair_count; i++)
		all[i] = sorting_of(d, &d->found.pairs[i]);
	qsort(all, d->found.pair_count, sizeof(*all), order_sorting);
	for (size_t i = 0; i < d->found.pair_count; i++) {
		const sorting *original = original_of(all, kept, &all[i]);
		if (original) {
			pairs[original - all].copies++;
			free(all[i].pair->why);
			continue;
		}
		pairs[kept] = *all[i].pair;
		all[kept++] = all[i];
	}
	free(d->found.pairs);
	d->found.pairs = pairs;
	d->found.pair_capacity = d->found.pair_count + 1;
	d->found.pair_count = kept;
}

void ba_code_pair_all(ba_codediff *d)
{
	const ba_code_side *base = &d->sides[0], *mine = &d->sides[1];
	BA_AUTO_FREE bool *base_taken = ba_xcalloc(base->kernels.count + 1, sizeof(bool));
	BA_AUTO_FREE bool *mine_taken = ba_xcalloc(mine->kernels.count + 1, sizeof(bool));
	for (size_t i = 0; i < BA_COUNT(passes); i++)
		run_pass(d, &passes[i], base_taken, mine_taken);
	for (size_t i = 0; i < base->kernels.count; i++)
		if (!base_taken[i])
			add_pair(d, i, SIZE_MAX);
	for (size_t i = 0; i < mine->kernels.count; i++)
		if (!mine_taken[i])
			add_pair(d, SIZE_MAX, i);
	drop_copies(d);
}
