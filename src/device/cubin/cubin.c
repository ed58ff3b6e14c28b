/* Constant bank 4 holds addresses of variables and functions, and bank 3 the variables
 * of __constant__. Code refers to both by their offsets, which depend on what else is in
 * the module: so an offset counts as what it leads to. */
#include "cubin/cubin.h"

#include "base/names.h"
#include "base/sort.h"
#include "cubin/name.h"
#include "cubin/sass.h"
#include "cubin/sections.h"

#define TYPE_TEXTURE 10	 /* symbol types specific to CUDA: a texture, a surface, ... */
#define TYPE_VARIABLE 13 /* before linking */
#define OTHER_SHARED 0x40
#define DEBUGGING 0x0f000000u /* e_flags: compiled with line numbers */
#define RESERVED_SHARED 1024u /* by the system, from 9.0 on, in linked cubins */
#define ALIGNED 16u	      /* larger alignments than those of types are asked for */
#define BANK_VARIABLES 3u
#define BANK_SLOTS 4u
#define SLOT_BYTES 8u

typedef struct range {
	size_t section, node;
	uint64_t at, bytes;
} range;

typedef struct slot {
	size_t symbol;
	int64_t addend;
} slot;

typedef struct reader {
	ba_cubin *c;
	ba_role *roles; /* [section_count] */
	range *ranges;	/* of variables, sorted */
	size_t range_count, range_capacity;
	slot *slots; /* [slot_count] of bank 4 */
	size_t slot_count;
	size_t variables; /* section of bank 3, or SIZE_MAX */
	unsigned arch, gpu;
} reader;

static void reader_dispose(reader *r)
{
	BA_FREE(r->roles, r->ranges, r->slots);
}
BA_DEFINE_AUTO(reader, reader_dispose)

/* ---- sections and what they are ---- */

static void find_owners(reader *r)
{
	ba_cubin *c = r->c;
	BA_AUTO(ba_names) ba_names functions = {0};
	BA_AUTO_FREE size_t *nodes = ba_xcalloc(c->f.section_count + 1, sizeof(*nodes));
	for (size_t i = 0; i < c->f.section_count; i++) {
		r->roles[i] = ba_section_role(&c->f, i);
		c->owner_of_section[i] = BA_NO_NODE;
		const char *name = ba_elf_section_name(&c->f, i);
		if (r->roles[i] != BA_ROLE_TEXT ||
			ba_names_find(&functions, name + strlen(".text.")) != BA_NAMES_NONE)
			continue;
		c->owner_of_section[i] = ba_graph_add(&c->g, NULL);
		nodes[ba_names_add(&functions, name + strlen(".text."))] = c->owner_of_section[i];
	}
	for (size_t i = 0; i < c->f.section_count; i++) {
		const char *name = ba_elf_section_name(&c->f, i);
		if (r->roles[i] == BA_ROLE_TEXT || !ba_section_is_owned(&c->f, i))
			continue;
		size_t k = ba_names_find(&functions, name + ba_section_base(name));
		if (k != BA_NAMES_NONE)
			c->owner_of_section[i] = nodes[k];
		else if (r->roles[i] != BA_ROLE_SHARED)
			ba_cubin_open(c, "section", name);
	}
}

/* ---- symbols and the nodes that they lead to ---- */

static int in_order(const void *a, const void *b)
{
	const range *x = a, *y = b;
	return BA_ORDER(x->section, y->section) ?: BA_ORDER(x->at, y->at);
}

/* the last variable that begins at or before that place, if it reaches there; or NULL */
static const range *variable_at(const reader *r, size_t section, uint64_t at)
{
	size_t low = 0, high = r->range_count;
	const range wanted = {.section = section, .at = at};
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (in_order(&r->ranges[middle], &wanted) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	const range *v = low > 0 ? &r->ranges[low - 1] : NULL;
	return v && v->section == section && at - v->at < v->bytes ? v : NULL;
}

/* Functions of the driver, which no object defines. */
static bool is_of_driver(const char *name)
{
	static const char *const names[] = {"vprintf", "malloc", "free", "__assertfail"};
	for (size_t i = 0; i < BA_COUNT(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* A symbol that is not in this cubin: its name is all that is known. */
static size_t add_foreign(reader *r, const Elf64_Sym *s, const char *name)
{
	ba_cubin *c = r->c;
	size_t node = ba_graph_add(&c->g, NULL);
	BA_AUTO_FREE char *canonical = ba_kernel_canonical(name);
	bool given = c->is_linked || ELF64_ST_BIND(s->st_info) == STB_WEAK || is_of_driver(name) ||
		     (s->st_other & OTHER_SHARED);
	ba_sha256_add_string(&c->g.nodes[node].code, canonical);
	ba_cubin_number(&c->g.nodes[node].code, s->st_value);
	if (!given)
		ba_graph_open(
			&c->g, node, "it refers to '%s', which another object defines", canonical);
	return node;
}

static void add_variable(reader *r, const Elf64_Sym *s, const char *name, size_t symbol)
{
	ba_cubin *c = r->c;
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
	r->ranges = BA_GROW(r->ranges, &r->range_capacity, r->range_count + 1);
	r->ranges[r->range_count++] = (range){s->st_shndx, node, s->st_value, s->st_size};
}

static void add_function(reader *r, const Elf64_Sym *s, const char *name, size_t node)
{
	ba_node *n = &r->c->g.nodes[node];
	if (!ba_elf_is_kernel(s))
		return;
	if (n->is_kernel) {
		ba_graph_open(&r->c->g, node, "its section has several kernels");
		return;
	}
	n->is_kernel = true;
	n->mangled = ba_xstrdup(name);
	ba_cubin_number(&n->code, s->st_value);
	ba_cubin_number(&n->code, s->st_size);
	ba_cubin_number(&n->limits, s->st_other);
}

static void find_symbols(reader *r)
{
	ba_cubin *c = r->c;
	for (size_t i = 0; i < c->f.symbol_count; i++) {
		const Elf64_Sym *s = &c->f.symbols[i];
		const char *name = ba_elf_symbol_name(&c->f, i);
		unsigned type = ELF64_ST_TYPE(s->st_info);
		size_t in = s->st_shndx < c->f.section_count ? s->st_shndx : 0;
		c->node_of_symbol[i] = c->owner_of_section[in];
		if (type >= TYPE_TEXTURE && type != TYPE_VARIABLE)
			ba_cubin_open(c, "symbol", name);
		else if (in == 0 && *name)
			c->node_of_symbol[i] = add_foreign(r, s, name);
		else if (r->roles[in] == BA_ROLE_MEMORY && s->st_size > 0)
			add_variable(r, s, name, i);
		else if (r->roles[in] == BA_ROLE_TEXT && type == STT_FUNC &&
			 c->owner_of_section[in] != BA_NO_NODE)
			add_function(r, s, name, c->owner_of_section[in]);
	}
	if (r->range_count)
		qsort(r->ranges, r->range_count, sizeof(*r->ranges), in_order);
}

/* ---- references ---- */

/* Adds where a symbol leads, as seen from `from`; at: what is added to its address. */
static void refer(reader *r, ba_sha256 *sum, size_t from, size_t symbol, int64_t addend)
{
	ba_cubin *c = r->c;
	const Elf64_Sym none = {0};
	const Elf64_Sym *s = symbol < c->f.symbol_count ? &c->f.symbols[symbol] : &none;
	size_t node = symbol < c->f.symbol_count ? c->node_of_symbol[symbol] : BA_NO_NODE;
	uint64_t at = (uint64_t)addend;
	const range *v = NULL;
	if (symbol && node == BA_NO_NODE) /* a section of variables */
		v = variable_at(r, s->st_shndx, s->st_value + at);
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

static void read_slots(reader *r, size_t section)
{
	const Elf64_Shdr *s = &r->c->f.sections[section];
	size_t bank = s->sh_info;
	ba_graph *g = &r->c->g;
	if (!r->slots) {
		r->slot_count = (r->c->f.sections[bank].sh_size + SLOT_BYTES - 1) / SLOT_BYTES;
		r->slots = ba_xcalloc(r->slot_count + 1, sizeof(*r->slots));
	}
	for (size_t i = 0; i < relocation_count(s); i++) {
		Elf64_Rela a = relocation_at(&r->c->f, section, i);
		size_t n = a.r_offset / SLOT_BYTES;
		if (n >= r->slot_count || a.r_offset % SLOT_BYTES)
			continue;
		r->slots[n] = (slot){ELF64_R_SYM(a.r_info), a.r_addend};
		ba_cubin_number(&g->nodes[g->slots].code, a.r_offset);
		refer(r, &g->nodes[g->slots].code, g->slots, ELF64_R_SYM(a.r_info), a.r_addend);
	}
}

/* What code can reach in bank 3 by an address that is not known. */
static void read_variables(reader *r, size_t section)
{
	ba_graph *g = &r->c->g;
	r->variables = section;
	for (size_t i = 0; i < r->range_count; i++)
		if (r->ranges[i].section == section) {
			ba_cubin_number(&g->nodes[g->slots].data, r->ranges[i].at);
			ba_graph_refer(g, g->slots, r->ranges[i].node);
		}
}

static void read_relocations(reader *r, size_t section)
{
	ba_cubin *c = r->c;
	const Elf64_Shdr *s = &c->f.sections[section];
	size_t target = s->sh_info < c->f.section_count ? s->sh_info : 0;
	size_t owner = c->owner_of_section[target];
	for (size_t i = 0; i < relocation_count(s); i++) {
		Elf64_Rela a = relocation_at(&c->f, section, i);
		size_t node = owner;
		uint64_t at = a.r_offset;
		if (r->roles[target] == BA_ROLE_MEMORY) {
			const range *v = variable_at(r, target, at);
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
		refer(r, sum, node, ELF64_R_SYM(a.r_info), a.r_addend);
	}
}

/* ---- machine code ---- */

/* Replaces the offset of a constant by what it leads to. False: it leads to what is not
 * known, and stays. */
static bool replace(reader *r, size_t node, unsigned char *code, const ba_constant *k)
{
	ba_sha256 *sum = &r->c->g.nodes[node].code;
	size_t slot_number = k->offset / SLOT_BYTES;
	if (k->bank == BANK_SLOTS && !k->is_indexed && slot_number < r->slot_count &&
		r->slots[slot_number].symbol) {
		ba_cubin_number(sum, k->at);
		ba_cubin_number(sum, k->offset % SLOT_BYTES);
		refer(r, sum, node, r->slots[slot_number].symbol, r->slots[slot_number].addend);
		ba_sass_clear(code, k);
		return true;
	}
	const range *v = k->bank == BANK_VARIABLES && r->variables != SIZE_MAX
				 ? variable_at(r, r->variables, k->offset)
				 : NULL;
	if (!v)
		return false;
	ba_cubin_number(sum, k->at);
	ba_cubin_number(sum, k->offset - v->at);
	ba_graph_refer(&r->c->g, node, v->node);
	ba_sass_clear(code, k);
	return !k->is_indexed;
}

static void add_code(reader *r, size_t node, const unsigned char *code, size_t bytes)
{
	ba_node *n = &r->c->g.nodes[node];
	BA_AUTO_FREE unsigned char *copy = ba_xmalloc(bytes + 1);
	bool is_decoded = r->arch >= 70;
	bool has_banks = r->slot_count > 0 || r->variables != SIZE_MAX;
	memcpy(copy, code, bytes);
	n->metrics.code_bytes = (uint32_t)bytes;
	if (!is_decoded)
		n->is_indexed = has_banks;
	for (size_t at = 0; is_decoded && at + BA_SASS_BYTES <= bytes; at += BA_SASS_BYTES) {
		ba_constant k;
		bool is_module = ba_sass_constant(&k, code, at) &&
				 ((k.bank == BANK_SLOTS && r->slot_count > 0) ||
					 (k.bank == BANK_VARIABLES && r->variables != SIZE_MAX));
		if (is_module && r->c->is_linked && !replace(r, node, copy, &k))
			n->is_indexed = true;
	}
	if (is_decoded)
		ba_sass_count(&n->metrics, code, bytes);
	ba_sha256_add(&n->code, copy, bytes);
}

/* ---- contents ---- */

static void add_content(reader *r, ba_sha256 *sum, size_t section)
{
	const Elf64_Shdr *s = &r->c->f.sections[section];
	const char *name = ba_elf_section_name(&r->c->f, section);
	const unsigned char *content = ba_elf_content(&r->c->f, section);
	ba_sha256_add(sum, name, ba_section_base(name));
	ba_cubin_number(sum, s->sh_type);
	ba_cubin_number(sum, s->sh_flags);
	ba_cubin_number(sum, s->sh_size);
	ba_cubin_number(sum, s->sh_addralign);
	if (content && r->roles[section] != BA_ROLE_TEXT)
		ba_sha256_add(sum, content, s->sh_size);
}

/* From 9.0 on the section has 1024 bytes more if another kernel of the file has memory
 * whose size is given at the launch, or is missing. */
static void add_shared(reader *r, ba_node *n, const Elf64_Shdr *s)
{
	uint64_t reserved = r->arch >= 90 && r->c->is_linked ? RESERVED_SHARED : 0;
	uint64_t bytes = s->sh_size > reserved ? s->sh_size - reserved : 0;
	n->metrics.shared_bytes = (uint32_t)bytes;
	if (bytes == 0 && s->sh_addralign <= ALIGNED)
		return;
	ba_cubin_number(&n->limits, s->sh_flags);
	ba_cubin_number(&n->limits, bytes);
	ba_cubin_number(&n->limits, s->sh_addralign);
}

/* a section of the function `node` */
static int read_owned(reader *r, size_t i, size_t node, ba_error *err)
{
	ba_cubin *c = r->c;
	const Elf64_Shdr *s = &c->f.sections[i];
	ba_node *n = &c->g.nodes[node];
	switch (r->roles[i]) {
	case BA_ROLE_TEXT:
		if (!ba_elf_content(&c->f, i))
			return ba_elf_damaged(err);
		add_content(r, &n->code, i);
		add_code(r, node, ba_elf_content(&c->f, i), s->sh_size);
		/* older compilers keep their number in the flags */
		n->metrics.barriers += s->sh_flags >> 20 & 0x7f;
		return 0;
	case BA_ROLE_INFO:
		return ba_cubin_info(c, node, i, err);
	case BA_ROLE_SHARED:
		add_shared(r, n, s);
		return 0;
	default:
		add_content(r, r->roles[i] == BA_ROLE_CODE ? &n->code : &n->limits, i);
		if (ba_text_starts(ba_elf_section_name(&c->f, i), ".nv.constant"))
			n->metrics.constant_bytes += (uint32_t)s->sh_size;
		return 0;
	}
}

static int read_section(reader *r, size_t i, ba_error *err)
{
	ba_cubin *c = r->c;
	const Elf64_Shdr *s = &c->f.sections[i];
	ba_role role = r->roles[i];
	bool is_for_slots =
		s->sh_info < c->f.section_count && r->roles[s->sh_info] == BA_ROLE_SLOTS;
	if (c->owner_of_section[i] != BA_NO_NODE)
		return read_owned(r, i, c->owner_of_section[i], err);
	if (role == BA_ROLE_INFO && !ba_section_is_owned(&c->f, i))
		return ba_cubin_info(c, BA_NO_NODE, i, err);
	if (role == BA_ROLE_TEXT)
		return ba_elf_damaged(err);
	if (role == BA_ROLE_RELOCATIONS && !is_for_slots)
		read_relocations(r, i);
	else if (role == BA_ROLE_COMMON || (role == BA_ROLE_MERCURY && r->gpu && r->gpu != r->arch))
		add_content(r, &c->common, i);
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

static int read_all(reader *r, ba_error *err)
{
	ba_cubin *c = r->c;
	r->arch = (unsigned)strtoul(c->g.target + strlen("sm_"), NULL, 10);
	r->variables = SIZE_MAX;
	find_owners(r);
	find_symbols(r);
	c->g.slots = ba_graph_add(&c->g, NULL);
	for (size_t i = 0; i < c->f.section_count; i++) {
		const Elf64_Shdr *s = &c->f.sections[i];
		if (r->roles[i] == BA_ROLE_RELOCATIONS && s->sh_info < c->f.section_count &&
			r->roles[s->sh_info] == BA_ROLE_SLOTS)
			read_slots(r, i);
		if (strcmp(ba_elf_section_name(&c->f, i), ".nv.constant3") == 0)
			read_variables(r, i);
	}
	for (size_t i = 0; i < c->f.section_count; i++)
		BA_TRY(read_section(r, i, err));
	add_common(c);
	return 0;
}

int ba_cubin_read(ba_cubin *out, const void *data, size_t bytes, int gpu, ba_error *err)
{
	BA_AUTO(ba_cubin) ba_cubin c = {0};
	BA_TRY(ba_elf_open(&c.f, data, bytes, err));
	c.is_linked = c.f.header.e_type != ET_REL;
	c.g.is_linked = c.is_linked;
	ba_elf_target(c.g.target, &c.f);
	ba_sha256_init(&c.common);
	c.owner_of_section = ba_xcalloc(c.f.section_count + 1, sizeof(size_t));
	c.node_of_symbol = ba_xcalloc(c.f.symbol_count + 1, sizeof(size_t));
	BA_AUTO(reader)
	reader r = {.c = &c, .gpu = (unsigned)gpu};
	r.roles = ba_xcalloc(c.f.section_count + 1, sizeof(*r.roles));
	BA_TRY(read_all(&r, err));
	*out = BA_MOVE(c);
	return 0;
}

void ba_cubin_open(ba_cubin *c, const char *what, const char *name)
{
	if (!c->open)
		c->open = ba_xprintf("the %s '%s' of its cubin is unknown", what, name);
}

void ba_cubin_dispose(ba_cubin *c)
{
	ba_elf_close(&c->f);
	ba_graph_dispose(&c->g);
	BA_FREE(c->owner_of_section, c->node_of_symbol, c->open);
	*c = (ba_cubin){0};
}
