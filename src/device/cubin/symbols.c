/* The nodes of a cubin's graph, found by the names of sections and by symbols. */
#include "cubin/cubin.h"

#define TYPE_TEXTURE 10	 /* symbol types specific to CUDA: a texture, a surface, ... */
#define TYPE_VARIABLE 13 /* before linking */
#define OTHER_ENTRY 0x10 /* a kernel, rather than a device function */
#define OTHER_SHARED 0x40
#define ALIGNED 16u /* larger alignments than those of types are asked for */

static void find_owners(ba_cubin *c)
{
	BA_AUTO(ba_names) ba_names functions = {0};
	BA_AUTO_FREE size_t *nodes = ba_xcalloc(c->f.section_count + 1, sizeof(*nodes));
	c->owner_of_section = ba_xcalloc(c->f.section_count + 1, sizeof(*c->owner_of_section));
	c->roles = ba_xcalloc(c->f.section_count + 1, sizeof(*c->roles));
	for (size_t i = 0; i < c->f.section_count; i++) {
		c->roles[i] = ba_section_role(&c->f, i);
		c->owner_of_section[i] = BA_NO_NODE;
		const char *name = ba_elf_section_name(&c->f, i);
		if (c->roles[i] != BA_ROLE_TEXT ||
			ba_names_find(&functions, name + strlen(".text.")) != BA_NAMES_NONE)
			continue;
		c->owner_of_section[i] = ba_graph_add(&c->g, NULL);
		nodes[ba_names_add(&functions, name + strlen(".text."))] = c->owner_of_section[i];
	}
	for (size_t i = 0; i < c->f.section_count; i++) {
		const char *name = ba_elf_section_name(&c->f, i);
		if (c->roles[i] == BA_ROLE_TEXT || !ba_section_is_owned(&c->f, i))
			continue;
		size_t k = ba_names_find(&functions, name + ba_section_base(name));
		if (k != BA_NAMES_NONE)
			c->owner_of_section[i] = nodes[k];
		else if (c->roles[i] != BA_ROLE_SHARED)
			ba_cubin_open(c, "section", name);
	}
}

/* ---- symbols and the nodes that they lead to ---- */

BA_DEFINE_ORDER(in_order, ba_range, BA_ORDER(a->section, b->section) ?: BA_ORDER(a->at, b->at))

/* the last variable that begins at or before that place, if it reaches there; or NULL */
const ba_range *ba_cubin_variable_at(const ba_cubin *c, size_t section, uint64_t at)
{
	const ba_range wanted = {.section = section, .at = at};
	size_t next = BA_FIRST(c->range_count, i, in_order(&c->ranges[i], &wanted) > 0);
	const ba_range *v = next > 0 ? &c->ranges[next - 1] : NULL;
	return v && v->section == section && at - v->at < v->bytes ? v : NULL;
}

/* A symbol that is not in this cubin: its name is all that is known. */
static size_t add_foreign(ba_cubin *c, const Elf64_Sym *s, const char *name)
{
	size_t node = ba_graph_add(&c->g, NULL);
	BA_AUTO_FREE char *canonical = ba_kernel_canonical(name);
	bool given = c->is_linked || ELF64_ST_BIND(s->st_info) == STB_WEAK ||
		     ba_graph_is_of_driver(name) || (s->st_other & OTHER_SHARED);
	ba_sha256_add_string(&c->g.nodes[node].code, canonical);
	ba_cubin_number(&c->g.nodes[node].code, s->st_value);
	if (!given)
		ba_graph_open(
			&c->g, node, "it refers to '%s', which another object defines", canonical);
	return node;
}

static void add_variable(ba_cubin *c, const Elf64_Sym *s, const char *name, size_t symbol)
{
	const Elf64_Shdr *in = &c->f.sections[s->st_shndx];
	const unsigned char *content = ba_elf_content(&c->f, s->st_shndx);
	size_t node = ba_graph_add(&c->g, name);
	ba_sha256 *data = &c->g.nodes[node].data;
	uint64_t place = s->st_value | in->sh_addralign, align = place & (~place + 1);
	c->node_of_symbol[symbol] = node;
	c->g.nodes[node].is_variable = true;
	ba_sha256_add_string(data, ba_elf_section_name(&c->f, s->st_shndx));
	ba_cubin_number(data, in->sh_type);
	ba_cubin_number(data, in->sh_flags);
	ba_cubin_number(data, s->st_size);
	ba_cubin_number(data, s->st_other);
	ba_cubin_number(data, align > ALIGNED ? align : 0);
	if (s->st_value > in->sh_size || s->st_size > in->sh_size - s->st_value)
		ba_graph_open(&c->g, node, "its variable '%s' is not within its section", name);
	else if (content)
		ba_sha256_add(data, content + s->st_value, s->st_size);
	*BA_PUSH(c->ranges, c->range_count, c->range_capacity) =
		(ba_range){s->st_shndx, node, s->st_value, s->st_size};
}

static void add_function(ba_cubin *c, size_t symbol, const char *name, size_t node)
{
	ba_node *n = &c->g.nodes[node];
	const Elf64_Sym *s = &c->f.symbols[symbol];
	if (!(s->st_other & OTHER_ENTRY))
		return;
	if (n->is_kernel) {
		ba_graph_open(&c->g, node, "its section has several kernels");
		return;
	}
	n->is_kernel = true;
	n->symbol = symbol;
	n->mangled = ba_xstrdup(name);
	ba_cubin_number(&n->code, s->st_value);
	ba_cubin_number(&n->code, s->st_size);
	ba_cubin_number(&n->limits, s->st_other);
}

void ba_cubin_symbols(ba_cubin *c)
{
	find_owners(c);
	c->node_of_symbol = ba_xcalloc(c->f.symbol_count + 1, sizeof(*c->node_of_symbol));
	for (size_t i = 0; i < c->f.symbol_count; i++) {
		const Elf64_Sym *s = &c->f.symbols[i];
		const char *name = ba_elf_symbol_name(&c->f, i);
		unsigned type = ELF64_ST_TYPE(s->st_info);
		size_t in = s->st_shndx < c->f.section_count ? s->st_shndx : 0;
		c->node_of_symbol[i] = c->owner_of_section[in];
		if (type >= TYPE_TEXTURE && type != TYPE_VARIABLE)
			ba_cubin_open(c, "symbol", name);
		else if (in == 0 && *name)
			c->node_of_symbol[i] = add_foreign(c, s, name);
		else if (c->roles[in] == BA_ROLE_MEMORY && s->st_size > 0)
			add_variable(c, s, name, i);
		else if (c->roles[in] == BA_ROLE_TEXT && type == STT_FUNC &&
			 c->owner_of_section[in] != BA_NO_NODE)
			add_function(c, i, name, c->owner_of_section[in]);
	}
	BA_SORT(c->ranges, c->range_count, in_order);
}
