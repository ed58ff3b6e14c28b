/* What a process maps of an executable or library of the host, hashed so that equal code at other
 * addresses is equal: an address counts by its place in a section. */
#include "cubin/cubin.h"

typedef struct host {
	ba_elf f;
	ba_sha256 *sum;
	uint64_t *relocated; /* addresses of words that the loader writes, ascending */
	size_t count, capacity;
	uint64_t text; /* its address */
	bool exact;    /* not all that moves with an address is known */
} host;

/* Sections that are mapped, but only name the build or hold device code. */
static bool is_left_out(const char *name)
{
	static const char *const names[] = {
		".note.gnu.build-id", ".nv_fatbin", "__nv_relfatbin", ".gnu_debuglink"};
	return BA_ANY(names, BA_COUNT(names), one, strcmp(name, *one) == 0);
}

void ba_host_clear_hashes(char *data, size_t bytes)
{
	static const char *const marks[] = {"_GLOBAL__N__", "_INTERNAL_", "__nv_static_"};
	enum { DIGITS = 8 };
	for (size_t i = 0; i < BA_COUNT(marks); i++) {
		char *at = data, *end = data + bytes;
		while ((at = memmem(at, (size_t)(end - at), marks[i], strlen(marks[i])))) {
			at += strlen(marks[i]);
			/* a length precedes the hash of a static function */
			char *hash = at + strspn(at, "0123456789");
			hash = hash > at && hash[0] == '_' && hash[1] == '_' ? hash + 2 : at;
			if (hash + DIGITS < end && strspn(hash, "0123456789abcdef") >= DIGITS)
				memset(hash, '0', DIGITS);
		}
	}
}

/* ---- addresses ---- */

/* The section that has the address, else one that ends there; or SIZE_MAX. */
static size_t section_at(const host *h, uint64_t address)
{
	size_t ends = SIZE_MAX;
	for (size_t i = 0; i < h->f.section_count; i++) {
		const Elf64_Shdr *s = &h->f.sections[i];
		bool is_template = s->sh_flags & SHF_TLS && s->sh_type == SHT_NOBITS;
		if (!(s->sh_flags & SHF_ALLOC) || is_template || address < s->sh_addr)
			continue;
		if (address - s->sh_addr < s->sh_size)
			return i;
		ends = address - s->sh_addr == s->sh_size ? i : ends;
	}
	return ends;
}

/* Of device code, whose size does not matter: which of its fatbins, and where in that. */
static void add_place(const host *h, size_t section, uint64_t place)
{
	const unsigned char *content = ba_elf_content(&h->f, section);
	size_t number = 0, start = 0, bytes = 0,
	       most = content ? h->f.sections[section].sh_size : 0;
	for (size_t at = 0; at < most && at <= place; at += bytes ? bytes : sizeof(uint64_t)) {
		bytes = ba_fatbin_bytes(content + at, most - at);
		start = bytes ? at : start;
		number += bytes > 0;
	}
	ba_cubin_number(h->sum, number);
	ba_cubin_number(h->sum, place - start);
}

static void add_address(const host *h, uint64_t address)
{
	size_t i = section_at(h, address);
	ba_cubin_number(h->sum, i);
	if (i == SIZE_MAX)
		ba_cubin_number(h->sum, address);
	else if (is_left_out(ba_elf_section_name(&h->f, i)))
		add_place(h, i, address - h->f.sections[i].sh_addr);
	else
		ba_cubin_number(h->sum, address - h->f.sections[i].sh_addr);
}

/* The distance of 4 bytes in the section, from `from` of it, counts as an address. */
static void add_distance(
	const host *h, char *data, const Elf64_Shdr *s, uint64_t place, uint64_t from)
{
	int32_t distance;
	memcpy(&distance, data + place, sizeof(distance));
	memset(data + place, 0, sizeof(distance));
	add_address(h, s->sh_addr + from + (uint64_t)(int64_t)distance);
}

static void add_word(host *h, char *data, size_t at)
{
	uint64_t address;
	memcpy(&address, data + at, sizeof(address));
	memset(data + at, 0, sizeof(address));
	add_address(h, address);
}

BA_DEFINE_ORDER(in_order, uint64_t, BA_ORDER(*a, *b))

static bool is_relocated(const host *h, uint64_t address)
{
	size_t next = BA_FIRST(h->count, i, h->relocated[i] >= address);
	return next < h->count && h->relocated[next] == address;
}

static void read_tables(host *h)
{
	for (size_t i = 0; i < h->f.section_count; i++) {
		const Elf64_Shdr *s = &h->f.sections[i];
		const unsigned char *content = ba_elf_content(&h->f, i);
		if (!(s->sh_flags & SHF_ALLOC))
			continue;
		h->exact |= s->sh_type == SHT_REL || s->sh_type == SHT_RELR;
		if (strcmp(ba_elf_section_name(&h->f, i), ".text") == 0)
			h->text = s->sh_addr;
		for (size_t k = 0;
			s->sh_type == SHT_RELA && content && k < s->sh_size / sizeof(Elf64_Rela);
			k++)
			memcpy(BA_PUSH(h->relocated, h->count, h->capacity),
				content + k * sizeof(Elf64_Rela), sizeof(*h->relocated));
	}
	BA_SORT(h->relocated, h->count, in_order);
}

/* What the loader writes is in the relocations. */
static void clear_relocated(const host *h, char *data, const Elf64_Shdr *s)
{
	size_t i = BA_FIRST(h->count, k, h->relocated[k] >= s->sh_addr);
	for (; i < h->count && h->relocated[i] - s->sh_addr < s->sh_size; i++)
		if (s->sh_size - (h->relocated[i] - s->sh_addr) >= sizeof(uint64_t))
			memset(data + (h->relocated[i] - s->sh_addr), 0, sizeof(uint64_t));
}

/* ---- addresses in sections ---- */

static void add_text(host *h, char *data, const Elf64_Shdr *s)
{
	size_t at = 0, relative, length;
	for (; at < s->sh_size; at += length) {
		length =
			ba_x86_length(&relative, (const unsigned char *)data + at, s->sh_size - at);
		if (!length)
			break;
		if (relative)
			add_distance(h, data, s, at + relative, at + length);
	}
	h->exact |= at < s->sh_size;
}

static void add_relocations(host *h, char *data, const Elf64_Shdr *s)
{
	/* others may be of four bytes, in code */
	static const uint64_t words[] = {R_X86_64_64, R_X86_64_COPY, R_X86_64_GLOB_DAT,
		R_X86_64_JUMP_SLOT, R_X86_64_RELATIVE, R_X86_64_DTPMOD64, R_X86_64_DTPOFF64,
		R_X86_64_TPOFF64, R_X86_64_TLSDESC, R_X86_64_IRELATIVE};
	Elf64_Rela r;
	for (size_t at = 0; at + sizeof(r) <= s->sh_size; at += sizeof(r)) {
		memcpy(&r, data + at, sizeof(r));
		uint64_t type = ELF64_R_TYPE(r.r_info);
		add_word(h, data, at + offsetof(Elf64_Rela, r_offset));
		if (type == R_X86_64_RELATIVE || type == R_X86_64_IRELATIVE)
			add_word(h, data, at + offsetof(Elf64_Rela, r_addend));
		h->exact |= !BA_ANY(words, BA_COUNT(words), one, *one == type);
	}
}

static void add_symbols(host *h, char *data, const Elf64_Shdr *s)
{
	Elf64_Sym symbol;
	for (size_t at = 0; at + sizeof(symbol) <= s->sh_size; at += sizeof(symbol)) {
		memcpy(&symbol, data + at, sizeof(symbol));
		if (symbol.st_shndx != SHN_UNDEF && symbol.st_shndx < SHN_LORESERVE &&
			ELF64_ST_TYPE(symbol.st_info) != STT_TLS)
			add_word(h, data, at + offsetof(Elf64_Sym, st_value));
	}
}

/* Numbers among them, which are lower than addresses that move, count as they are. */
static void add_words(host *h, char *data, const Elf64_Shdr *s)
{
	for (size_t at = 0; at + sizeof(uint64_t) <= s->sh_size; at += sizeof(uint64_t))
		add_word(h, data, at);
}

static bool leads_to_code(const host *h, uint64_t address)
{
	size_t i = section_at(h, address);
	return i != SIZE_MAX && h->f.sections[i].sh_flags & SHF_EXECINSTR;
}

/* What is done about exceptions: distances to functions and to what handles exceptions of C++, in
 * .eh_frame; and of the types that are caught, to pointers. */
static void add_caught(host *h, char *data, const Elf64_Shdr *s)
{
	static const char handles[] = "zPLR\0\1\x78\x10\7\x9b";
	const char *at = data, *end = data + s->sh_size;
	const char *name = ba_elf_section_name(&h->f, (size_t)(s - h->f.sections));
	bool of_types = strcmp(name, ".eh_frame") != 0;
	int32_t word;
	for (size_t i = 0; i + sizeof(word) <= s->sh_size; i += sizeof(word)) {
		memcpy(&word, data + i, sizeof(word));
		uint64_t to = s->sh_addr + i + (uint64_t)(int64_t)word;
		if (of_types ? is_relocated(h, to) : word < 0 && leads_to_code(h, to))
			add_distance(h, data, s, i, i);
	}
	for (; (at = memmem(at, (size_t)(end - at), handles, sizeof(handles) - 1)); at++)
		if (end - at >= (ptrdiff_t)(sizeof(handles) - 1 + sizeof(word)))
			add_distance(h, data, s, (size_t)(at - data) + sizeof(handles) - 1,
				(size_t)(at - data) + sizeof(handles) - 1);
}

/* ---- sections ---- */

/* How to find the addresses in a section, which has a copy in `data`: they are added to the digest, and
 * cleared. NULL: all of it counts as it is. */
typedef void add_fn(host *h, char *data, const Elf64_Shdr *s);

static add_fn *addresses_of(const Elf64_Shdr *s, const char *name)
{
	return s->sh_flags & SHF_EXECINSTR		   ? add_text
	       : s->sh_type == SHT_RELA			   ? add_relocations
	       : s->sh_type == SHT_DYNSYM		   ? add_symbols
	       : s->sh_type == SHT_DYNAMIC		   ? add_words
	       : ba_text_starts(name, ".got")		   ? add_words
	       : strcmp(name, ".eh_frame") == 0		   ? add_caught
	       : ba_text_starts(name, ".gcc_except_table") ? add_caught
							   : NULL;
}

static void add_section(host *h, size_t section)
{
	const Elf64_Shdr *s = &h->f.sections[section];
	const char *name = ba_elf_section_name(&h->f, section);
	const unsigned char *content = ba_elf_content(&h->f, section);
	add_fn *add = addresses_of(s, name);
	if (!(s->sh_flags & SHF_ALLOC))
		return;
	ba_sha256_add_string(h->sum, name);
	ba_cubin_number(h->sum, s->sh_flags);
	if (is_left_out(name))
		return;
	ba_cubin_number(h->sum, s->sh_size);
	ba_cubin_number(h->sum, s->sh_addralign);
	/* the index follows from that which it is of */
	if (!content || strcmp(name, ".eh_frame_hdr") == 0)
		return;
	BA_AUTO_FREE char *copy = ba_xmemdup0(content, s->sh_size);
	ba_host_clear_hashes(copy, s->sh_size);
	clear_relocated(h, copy, s);
	if (add)
		add(h, copy, s);
	ba_sha256_add(h->sum, copy, s->sh_size);
	/* distances in it, as of switches, lead to the code */
	if (ba_text_starts(name, ".rodata"))
		ba_cubin_number(h->sum, s->sh_addr - h->text);
}

/* What a process maps, how it may use it, and on which boundary. */
static void add_segments(const host *h)
{
	const Elf64_Ehdr *e = &h->f.header;
	size_t fit = e->e_phoff < h->f.bytes ? (h->f.bytes - e->e_phoff) / sizeof(Elf64_Phdr) : 0;
	for (size_t i = 0; i < e->e_phnum && i < fit; i++) {
		Elf64_Phdr p;
		memcpy(&p, h->f.data + e->e_phoff + i * sizeof(p), sizeof(p));
		ba_cubin_number(h->sum, p.p_type);
		ba_cubin_number(h->sum, p.p_flags);
		ba_cubin_number(h->sum, p.p_align);
	}
}

static void add_all(host *h)
{
	const Elf64_Ehdr *e = &h->f.header;
	/* a program that stays where it was linked has addresses among its constants */
	h->exact = e->e_machine != EM_X86_64 || e->e_type == ET_EXEC;
	ba_cubin_number(h->sum, e->e_machine);
	read_tables(h);
	add_address(h, e->e_entry);
	add_segments(h);
	for (size_t i = 0; i < h->f.section_count; i++)
		add_section(h, i);
	for (size_t i = 0; i < h->f.section_count && h->exact; i++)
		ba_cubin_number(h->sum, h->f.sections[i].sh_addr);
}

/* The host can read variables of device code. Code that is still to be compiled has no kernels to
 * compare. */
static int add_variables(void *context, const ba_image *image, ba_error *err)
{
	const host *h = context;
	BA_AUTO(ba_graph) ba_graph g = {0};
	if (image->kind == BA_IMAGE_OTHER)
		return ba_fail(err, BA_EUNSUPPORTED, "code that a device linker compiles");
	BA_TRY(ba_graph_read(&g, image, 0, err));
	ba_graph_add_variables(h->sum, &g);
	return 0;
}

bool ba_host_digest(char out[65], const void *data, size_t bytes)
{
	ba_sha256 sum;
	ba_error ignored;
	host h = {.sum = &sum};
	const Elf64_Ehdr *e = &h.f.header;
	*out = '\0';
	if (ba_elf_open(&h.f, data, bytes, NULL))
		return false;
	ba_sha256_init(&sum);
	if (e->e_machine != BA_ELF_CUDA && (e->e_type == ET_DYN || e->e_type == ET_EXEC) &&
		ba_images_find(data, bytes, 0, add_variables, &h, &ignored) == 0) {
		add_all(&h);
		ba_sha256_hex(&sum, out);
	}
	free(h.relocated);
	ba_elf_close(&h.f);
	return *out;
}
