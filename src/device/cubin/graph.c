#include "cubin/graph.h"

#define UNSEEN SIZE_MAX

BA_OWNS(ba_graph, g, BA_FREE_EACH(n, g->nodes, g->count, BA_FREE(n->mangled, n->refs, n->open)),
	BA_FREE(g->order, g->number), BA_EMPTY_EACH(x, g->bank_open, BA_BANKS, free(*x)))

size_t ba_graph_add(ba_graph *g, const char *mangled)
{
	ba_node *n = BA_PUSH(g->nodes, g->count, g->capacity);
	*n = (ba_node){.mangled = ba_xstrdup(mangled)};
	ba_sha256_init(&n->code);
	ba_sha256_init(&n->data);
	ba_sha256_init(&n->limits);
	return g->count - 1;
}

void ba_graph_refer(ba_graph *g, size_t from, size_t to)
{
	ba_node *n = &g->nodes[from];
	*BA_PUSH(n->refs, n->ref_count, n->ref_capacity) = to;
}

void ba_graph_open(ba_graph *g, size_t node, const char *format, ...)
{
	va_list ap;
	if (g->nodes[node].open)
		return;
	va_start(ap, format);
	g->nodes[node].open = ba_xvprintf(format, ap);
	va_end(ap);
}

/* Is it a table or text of the compiler, which no program can name? */
static bool is_compilers(const char *name)
{
	static const char *const starts[] = {"$", "__unnamed_", "__cudart_"};
	return BA_ANY(starts, BA_COUNT(starts), start, ba_text_starts(name, *start));
}

bool ba_graph_is_of_driver(const char *name)
{
	static const char *const names[] = {"vprintf", "malloc", "free", "__assertfail"};
	return BA_ANY(names, BA_COUNT(names), one, strcmp(name, *one) == 0);
}

/* ---- a walk ---- */

/* Fills g->order with what `start` reaches, itself first, and g->number with the places
 * in it; returns how many. */
static size_t walk(ba_graph *g, size_t start)
{
	size_t count = 1;
	if (!g->order) {
		g->order = ba_xcalloc(g->count, sizeof(*g->order));
		g->number = ba_xcalloc(g->count, sizeof(*g->number));
		memset(g->number, 0xff, g->count * sizeof(*g->number));
	}
	g->order[0] = start;
	g->number[start] = 0;
	for (size_t i = 0; i < count; i++) {
		const ba_node *n = &g->nodes[g->order[i]];
		for (size_t r = 0; r < n->ref_count; r++)
			if (g->number[n->refs[r]] == UNSEEN) {
				g->number[n->refs[r]] = count;
				g->order[count++] = n->refs[r];
			}
	}
	return count;
}

static void end_walk(ba_graph *g, size_t count)
{
	for (size_t i = 0; i < count; i++)
		g->number[g->order[i]] = UNSEEN;
}

static void add_part(ba_sha256 *sum, const ba_sha256 *part)
{
	char digest[65];
	ba_sha256 copy = *part;
	ba_sha256_hex(&copy, digest);
	ba_sha256_add_string(sum, digest);
}

static void add_name(ba_sha256 *sum, const ba_node *n)
{
	BA_AUTO_FREE char *name = NULL;
	if (n->is_variable && n->mangled && !is_compilers(n->mangled))
		name = ba_kernel_canonical(n->mangled);
	ba_sha256_add_string(sum, name ? name : "");
}

static void add_metrics(ba_kernel_metrics *m, const ba_kernel_metrics *of)
{
	m->code_bytes += of->code_bytes;
	m->instructions += of->instructions;
	m->local_loads += of->local_loads;
	m->local_load_bytes += of->local_load_bytes;
	m->local_stores += of->local_stores;
	m->local_store_bytes += of->local_store_bytes;
}

static void close_digests(ba_kernel_code *k, ba_sha256 sums[4])
{
	ba_sha256 whole;
	char *const parts[] = {k->code, k->data, k->names, k->limits};
	ba_sha256_init(&whole);
	for (size_t i = 0; i < BA_COUNT(parts); i++) {
		ba_sha256_hex(&sums[i], parts[i]);
		ba_sha256_add_string(&whole, parts[i]);
	}
	ba_sha256_add_string(&whole, k->slots);
	ba_sha256_hex(&whole, k->whole);
}

/* Adds all that is in banks of which a kernel reads an unknown part. */
static void add_banks(ba_kernel_code *k, const ba_graph *g, unsigned unknown)
{
	ba_sha256 sum;
	ba_sha256_init(&sum);
	for (unsigned i = 0; i < BA_BANKS; i++) {
		if (!(unknown >> i & 1))
			continue;
		ba_sha256_add_string(&sum, g->bank_sha256[i]);
		if (!k->open)
			k->open = ba_xstrdup(g->bank_open[i]);
	}
	ba_sha256_hex(&sum, k->slots);
}

/* The digests and sums over all that the node reaches. */
static void describe(ba_kernel_code *k, ba_graph *g, size_t node)
{
	ba_sha256 sums[4];
	size_t count = walk(g, node);
	unsigned unknown = 0;
	for (size_t i = 0; i < BA_COUNT(sums); i++)
		ba_sha256_init(&sums[i]);
	k->metrics = g->nodes[node].metrics;
	for (size_t i = 0; i < count; i++) {
		const ba_node *n = &g->nodes[g->order[i]];
		add_part(&sums[0], &n->code);
		for (size_t r = 0; r < n->ref_count; r++)
			ba_sha256_add(&sums[0], &g->number[n->refs[r]], sizeof(size_t));
		add_part(&sums[1], &n->data);
		add_name(&sums[2], n);
		add_part(&sums[3], &n->limits);
		if (i > 0)
			add_metrics(&k->metrics, &n->metrics);
		unknown |= n->unknown;
		if (n->open && !k->open)
			k->open = ba_xstrdup(n->open);
	}
	end_walk(g, count);
	if (g->nodes[node].is_kernel && unknown)
		add_banks(k, g, unknown);
	close_digests(k, sums);
}

/* ---- results ---- */

void ba_graph_kernel(ba_kernel_code *out, ba_graph *g, size_t node)
{
	for (size_t i = 0; i < BA_BANKS && !*g->bank_sha256[i]; i++) {
		ba_kernel_code all = {0};
		describe(&all, g, g->banks[i]);
		memcpy(g->bank_sha256[i], all.whole, sizeof(all.whole));
		g->bank_open[i] = all.open;
	}
	*out = (ba_kernel_code){.mangled = ba_xstrdup(g->nodes[node].mangled),
		.name = ba_kernel_canonical(g->nodes[node].mangled),
		.symbol = g->nodes[node].symbol,
		.is_ptx = g->is_ptx,
		.is_linked = g->is_linked};
	memcpy(out->target, g->target, sizeof(out->target));
	describe(out, g, node);
}

void ba_graph_kernels(ba_kernel_codes *out, ba_graph *g)
{
	for (size_t i = 0; i < g->count; i++)
		if (g->nodes[i].is_kernel)
			ba_graph_kernel(BA_PUSH(out->items, out->count, out->capacity), g, i);
}

void ba_graph_add_variables(ba_sha256 *sum, const ba_graph *g)
{
	BA_EACH (const ba_node, n, g->nodes, g->count) {
		if (!n->is_variable || !n->mangled || is_compilers(n->mangled))
			continue;
		add_name(sum, n);
		add_part(sum, &n->data);
	}
}

size_t ba_graph_find(const ba_graph *g, const char *kernel)
{
	const ba_node *found =
		BA_FIND(g->nodes, g->count, n, n->is_kernel && strcmp(n->mangled, kernel) == 0);
	return found ? (size_t)(found - g->nodes) : SIZE_MAX;
}

void ba_graph_variables(ba_strv *out, const ba_graph *g)
{
	BA_EACH (const ba_node, n, g->nodes, g->count)
		if (n->is_variable && n->mangled && !is_compilers(n->mangled))
			ba_strv_push(out, n->mangled);
}
