/* Constant bank 4 holds addresses of variables and functions, and bank 3 the variables
 * of __constant__. Code refers to both by their offsets, which depend on what else is in
 * the module: so an offset counts as what it leads to. */
#include "cubin/cubin.h"

#define DEBUGGING 0x0f000000u /* e_flags: compiled with line numbers */
#define RESERVED_SHARED 1024u /* by the system, from 9.0 on, in linked cubins */
#define ALIGNED 16u	      /* larger alignments than those of types are asked for */
#define BANK_VARIABLES 3u
#define BANK_SLOTS 4u
#define SLOT_BYTES 8u

/* ---- references ---- */

/* Adds where a symbol leads, as seen from `from`; at: what is added to its address. */
static void refer(ba_cubin *c, ba_sha256 *sum, size_t from, size_t symbol, int64_t addend)
{
	const Elf64_Sym none = {0};
	const Elf64_Sym *s = symbol < c->f.symbol_count ? &c->f.symbols[symbol] : &none;
	size_t node = symbol < c->f.symbol_count ? c->node_of_symbol[symbol] : BA_NO_NODE;
	uint64_t at = (uint64_t)addend;
	const ba_range *v = NULL;
	if (symbol && node == BA_NO_NODE) /* a section of variables */
		v = ba_cubin_variable_at(c, s->st_shndx, s->st_value + at);
	if (v) {
		node = v->node;
		at += s->st_value - v->at;
	} else if (symbol && node == BA_NO_NODE) {
		ba_graph_open(&c->g, from, "it refers to an unknown place in '%s'",
			ba_elf_section_name(&c->f, s->st_shndx));
	} else if (node != BA_NO_NODE && !c->g.nodes[node].is_variable) {
		const char *section = ba_elf_section_name(&c->f, s->st_shndx);
		ba_sha256_add(sum, section, ba_section_base(section));
		ba_cubin_number(sum, s->st_value);
	}
	ba_cubin_number(sum, at);
	ba_cubin_number(sum, node == from);
	if (node != from && node != BA_NO_NODE)
		ba_graph_refer(&c->g, from, node);
}

static Elf64_Rela relocation_at(const ba_elf *f, size_t section, size_t i)
{
	const Elf64_Shdr *s = &f->sections[section];
	size_t bytes = s->sh_type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
	Elf64_Rela r = {0};
	memcpy(&r, f->data + s->sh_offset + i * bytes, bytes);
	return r;
}

static size_t relocation_count(const Elf64_Shdr *s)
{
	return s->sh_size / (s->sh_type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel));
}

static void read_slots(ba_cubin *c, size_t section)
{
	const Elf64_Shdr *s = &c->f.sections[section];
	size_t bank = s->sh_info;
	ba_graph *g = &c->g;
	size_t node = g->banks[BA_BANK_SLOTS];
	if (!c->slots) {
		c->slot_count = (c->f.sections[bank].sh_size + SLOT_BYTES - 1) / SLOT_BYTES;
		c->slots = ba_xcalloc(c->slot_count + 1, sizeof(*c->slots));
	}
	for (size_t i = 0; i < relocation_count(s); i++) {
		Elf64_Rela a = relocation_at(&c->f, section, i);
		size_t n = a.r_offset / SLOT_BYTES;
		if (n >= c->slot_count || a.r_offset % SLOT_BYTES)
			continue;
		c->slots[n] = (ba_slot){ELF64_R_SYM(a.r_info), a.r_addend};
		ba_cubin_number(&g->nodes[node].code, a.r_offset);
		refer(c, &g->nodes[node].code, node, ELF64_R_SYM(a.r_info), a.r_addend);
	}
}

/* What code can reach in bank 3 by an address that is not known. */
static void read_variables(ba_cubin *c, size_t section)
{
	ba_graph *g = &c->g;
	size_t node = g->banks[BA_BANK_VARIABLES];
	c->variables = section;
	for (size_t i = 0; i < c->range_count; i++)
		if (c->ranges[i].section == section) {
			ba_cubin_number(&g->nodes[node].data, c->ranges[i].at);
			ba_graph_refer(g, node, c->ranges[i].node);
		}
}

static void read_relocations(ba_cubin *c, size_t section)
{
	const Elf64_Shdr *s = &c->f.sections[section];
	size_t target = s->sh_info < c->f.section_count ? s->sh_info : 0;
	size_t owner = c->owner_of_section[target];
	for (size_t i = 0; i < relocation_count(s); i++) {
		Elf64_Rela a = relocation_at(&c->f, section, i);
		size_t node = owner;
		uint64_t at = a.r_offset;
		if (c->roles[target] == BA_ROLE_MEMORY) {
			const ba_range *v = ba_cubin_variable_at(c, target, at);
			if (!v)
				continue;
			node = v->node;
			at -= v->at;
		}
		if (node == BA_NO_NODE)
			continue;
		ba_sha256 *sum = c->g.nodes[node].is_variable ? &c->g.nodes[node].data
							      : &c->g.nodes[node].code;
		ba_cubin_number(sum, at);
		ba_cubin_number(sum, ELF64_R_TYPE(a.r_info));
		refer(c, sum, node, ELF64_R_SYM(a.r_info), a.r_addend);
	}
}

/* ---- machine code ---- */

/* Replaces the offset of a constant by what it leads to. False: it leads to what is not
 * known, and stays. */
static bool replace(ba_cubin *c, size_t node, unsigned char *code, const ba_constant *k)
{
	ba_sha256 *sum = &c->g.nodes[node].code;
	size_t slot_number = k->offset / SLOT_BYTES;
	if (k->bank == BANK_SLOTS && !k->is_indexed && slot_number < c->slot_count &&
		c->slots[slot_number].symbol) {
		ba_cubin_number(sum, k->at);
		ba_cubin_number(sum, k->offset % SLOT_BYTES);
		refer(c, sum, node, c->slots[slot_number].symbol, c->slots[slot_number].addend);
		ba_sass_clear(code, k);
		return true;
	}
	const ba_range *v = k->bank == BANK_VARIABLES && c->variables != SIZE_MAX
				    ? ba_cubin_variable_at(c, c->variables, k->offset)
				    : NULL;
	if (!v)
		return false;
	ba_cubin_number(sum, k->at);
	ba_cubin_number(sum, k->offset - v->at);
	ba_graph_refer(&c->g, node, v->node);
	ba_sass_clear(code, k);
	return !k->is_indexed;
}

static void add_code(ba_cubin *c, size_t node, const unsigned char *code, size_t bytes)
{
	ba_node *n = &c->g.nodes[node];
	BA_AUTO_FREE unsigned char *copy = ba_xmalloc(bytes + 1);
	bool is_decoded = c->arch >= 70;
	const unsigned banks = (c->variables != SIZE_MAX ? 1u << BA_BANK_VARIABLES : 0) |
			       (c->slot_count > 0 ? 1u << BA_BANK_SLOTS : 0);
	memcpy(copy, code, bytes);
	n->metrics.code_bytes = (uint32_t)bytes;
	if (!is_decoded)
		n->unknown = banks;
	for (size_t at = 0; is_decoded && at + BA_SASS_BYTES <= bytes; at += BA_SASS_BYTES) {
		ba_constant k;
		if (!c->is_linked || !ba_sass_constant(&k, code, at))
			continue;
		unsigned bank = k.bank == BANK_VARIABLES ? 1u << BA_BANK_VARIABLES
				: k.bank == BANK_SLOTS	 ? 1u << BA_BANK_SLOTS
				: k.bank == BA_BANK_ANY	 ? banks
							 : 0;
		if ((bank & banks) && !replace(c, node, copy, &k))
			n->unknown |= bank & banks;
	}
	if (is_decoded)
		ba_sass_count(&n->metrics, code, bytes);
	ba_sha256_add(&n->code, copy, bytes);
}

/* ---- contents ---- */

static void add_content(ba_cubin *c, ba_sha256 *sum, size_t section)
{
	const Elf64_Shdr *s = &c->f.sections[section];
	const char *name = ba_elf_section_name(&c->f, section);
	const unsigned char *content = ba_elf_content(&c->f, section);
	ba_sha256_add(sum, name, ba_section_base(name));
	ba_cubin_number(sum, s->sh_type);
	ba_cubin_number(sum, s->sh_flags);
	ba_cubin_number(sum, s->sh_size);
	ba_cubin_number(sum, s->sh_addralign);
	if (content && c->roles[section] != BA_ROLE_TEXT)
		ba_sha256_add(sum, content, s->sh_size);
}

/* From 9.0 on the section has 1024 bytes more if another kernel of the file has memory
 * whose size is given at the launch, or is missing. */
static void add_shared(ba_cubin *c, ba_node *n, const Elf64_Shdr *s)
{
	uint64_t reserved = c->arch >= 90 && c->is_linked ? RESERVED_SHARED : 0;
	uint64_t bytes = s->sh_size > reserved ? s->sh_size - reserved : 0;
	n->metrics.shared_bytes = (uint32_t)bytes;
	if (bytes == 0 && s->sh_addralign <= ALIGNED)
		return;
	ba_cubin_number(&n->limits, s->sh_flags);
	ba_cubin_number(&n->limits, bytes);
	ba_cubin_number(&n->limits, s->sh_addralign);
}

/* a section of the function `node` */
static int read_owned(ba_cubin *c, size_t i, size_t node, ba_error *err)
{
	const Elf64_Shdr *s = &c->f.sections[i];
	ba_node *n = &c->g.nodes[node];
	switch (c->roles[i]) {
	case BA_ROLE_TEXT:
		if (!ba_elf_content(&c->f, i))
			return ba_cubin_damaged(err);
		add_content(c, &n->code, i);
		add_code(c, node, ba_elf_content(&c->f, i), s->sh_size);
		/* older compilers keep their number in the flags */
		n->metrics.barriers += s->sh_flags >> 20 & 0x7f;
		return 0;
	case BA_ROLE_INFO:
		return ba_cubin_info(c, node, i, err);
	case BA_ROLE_SHARED:
		add_shared(c, n, s);
		return 0;
	default:
		add_content(c, c->roles[i] == BA_ROLE_CODE ? &n->code : &n->limits, i);
		if (ba_text_starts(ba_elf_section_name(&c->f, i), ".nv.constant"))
			n->metrics.constant_bytes += (uint32_t)s->sh_size;
		return 0;
	}
}

/* relocations of constant bank 4 */
static bool is_for_slots(const ba_cubin *c, size_t i)
{
	uint32_t target = c->f.sections[i].sh_info;
	return c->roles[i] == BA_ROLE_RELOCATIONS && target < c->f.section_count &&
	       c->roles[target] == BA_ROLE_SLOTS;
}

static int read_section(ba_cubin *c, size_t i, ba_error *err)
{
	ba_role role = c->roles[i];
	if (c->owner_of_section[i] != BA_NO_NODE)
		return read_owned(c, i, c->owner_of_section[i], err);
	if (role == BA_ROLE_INFO && !ba_section_is_owned(&c->f, i))
		return ba_cubin_info(c, BA_NO_NODE, i, err);
	if (role == BA_ROLE_TEXT)
		return ba_cubin_damaged(err);
	if (role == BA_ROLE_RELOCATIONS && !is_for_slots(c, i))
		read_relocations(c, i);
	else if (role == BA_ROLE_COMMON || (role == BA_ROLE_MERCURY && c->gpu && c->gpu != c->arch))
		add_content(c, &c->common, i);
	else if (role == BA_ROLE_UNKNOWN)
		ba_cubin_open(c, "section", ba_elf_section_name(&c->f, i));
	return 0;
}

/* Adds to each kernel what all have in common. */
static void add_common(ba_cubin *c)
{
	char common[65];
	ba_cubin_number(&c->common, c->f.header.e_flags & ~DEBUGGING);
	ba_cubin_number(&c->common, c->f.header.e_ident[EI_OSABI]);
	ba_cubin_number(&c->common, c->f.header.e_ident[EI_ABIVERSION]);
	ba_sha256_hex(&c->common, common);
	for (size_t i = 0; i < c->g.count; i++) {
		if (!c->g.nodes[i].is_kernel)
			continue;
		ba_sha256_add_string(&c->g.nodes[i].limits, common);
		if (c->open)
			ba_graph_open(&c->g, i, "%s", c->open);
	}
}

/* ---- the whole ---- */

/* .nv.compat has records as .nv.info has them; 9 says for which GPUs the code is. */
static const char *suffix(const ba_elf *f)
{
	for (size_t i = 0; i < f->section_count; i++) {
		const unsigned char *p = ba_elf_content(f, i);
		if (p && f->sections[i].sh_size >= 4 && p[0] == 2 && p[1] == 9 &&
			strcmp(ba_elf_section_name(f, i), ".nv.compat") == 0)
			return p[2] ? "a" : "";
	}
	return "";
}

static int open_tables(ba_cubin *c, const void *data, size_t bytes, ba_error *err)
{
	size_t table = 0;
	if (ba_elf_open(&c->f, data, bytes, NULL) || c->f.header.e_machine != BA_ELF_CUDA)
		return ba_cubin_damaged(err);
	while (table < c->f.section_count && c->f.sections[table].sh_type != SHT_SYMTAB)
		table++;
	if (table == c->f.section_count || !ba_elf_symbols(&c->f, table))
		return ba_cubin_damaged(err);
	bool is_new = c->f.header.e_ident[EI_ABIVERSION] >= 8;
	c->arch = (is_new ? c->f.header.e_flags >> 8 : c->f.header.e_flags) & 0xff;
	snprintf(c->g.target, sizeof(c->g.target), "sm_%u%s", c->arch, suffix(&c->f));
	c->is_linked = c->g.is_linked = c->f.header.e_type != ET_REL;
	return 0;
}

static int read_all(ba_cubin *c, ba_error *err)
{
	c->variables = SIZE_MAX;
	ba_sha256_init(&c->common);
	ba_cubin_symbols(c);
	for (size_t i = 0; i < BA_BANKS; i++)
		c->g.banks[i] = ba_graph_add(&c->g, NULL);
	for (size_t i = 0; i < c->f.section_count; i++) {
		if (is_for_slots(c, i))
			read_slots(c, i);
		if (strcmp(ba_elf_section_name(&c->f, i), ".nv.constant3") == 0)
			read_variables(c, i);
	}
	for (size_t i = 0; i < c->f.section_count; i++)
		BA_TRY(read_section(c, i, err));
	add_common(c);
	return 0;
}

BA_OWNS_HERE(ba_cubin, c, ba_elf_close(&c->f), ba_graph_dispose(&c->g),
	BA_FREE(c->roles, c->owner_of_section, c->node_of_symbol, c->ranges, c->slots, c->open))

int ba_cubin_read(ba_graph *out, const void *data, size_t bytes, int gpu, ba_error *err)
{
	BA_AUTO(ba_cubin) ba_cubin c = {.gpu = (unsigned)gpu};
	BA_TRY(open_tables(&c, data, bytes, err));
	BA_TRY(read_all(&c, err));
	*out = BA_MOVE(c.g);
	return 0;
}

int ba_cubin_damaged(ba_error *err)
{
	return ba_fail(err, BA_EINVAL, "its cubin is damaged or has an unknown format");
}

void ba_cubin_open(ba_cubin *c, const char *what, const char *name)
{
	if (!c->open)
		c->open = ba_xprintf("the %s '%s' of its cubin is unknown", what, name);
}
