/* What a process maps of an executable or library of the host, hashed so that equal code at other
 * addresses is equal: an address counts by its place in a section. */
#include "cubin/cubin.h"
#include "cubin/kernels.h"
#include "cubin/x86.h"

typedef struct host {
	ba_elf f;
	ba_sha256 *sum;
	Elf64_Rela *relocations; /* of all sections, by address */
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

/* Sections whose content follows from the others, and from relocations. */
static bool is_derived(const Elf64_Shdr *s, const char *name)
{
	return s->sh_type == SHT_RELA || s->sh_type == SHT_DYNAMIC ||
	       ba_text_starts(name, ".eh_frame") || ba_text_starts(name, ".got");
}

/* Names of anonymous namespaces and of static functions have a hash of the file. */
static void clear_hashes(char *data, size_t bytes)
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
		/* a thread's variables have addresses of their own */
		if (!(s->sh_flags & SHF_ALLOC) || s->sh_flags & SHF_TLS || address < s->sh_addr)
			continue;
		if (address - s->sh_addr < s->sh_size)
			return i;
		ends = address - s->sh_addr == s->sh_size ? i : ends;
	}
	return ends;
}

/* What it is of a section with device code does not matter: kernels have names. */
static void add_address(const host *h, uint64_t address)
{
	size_t i = section_at(h, address);
	ba_cubin_number(h->sum, i);
	if (i == SIZE_MAX)
		ba_cubin_number(h->sum, address);
	else if (!is_left_out(ba_elf_section_name(&h->f, i)))
		ba_cubin_number(h->sum, address - h->f.sections[i].sh_addr);
}

static void add_relocation(host *h, const Elf64_Rela *r)
{
	uint64_t type = ELF64_R_TYPE(r->r_info);
	ba_cubin_number(h->sum, r->r_info);
	add_address(h, r->r_offset);
	if (type == R_X86_64_RELATIVE || type == R_X86_64_IRELATIVE)
		add_address(h, (uint64_t)r->r_addend);
	else
		ba_cubin_number(h->sum, (uint64_t)r->r_addend);
	/* of four bytes, in code */
	h->exact |= type == R_X86_64_PC32 || type == R_X86_64_32 || type == R_X86_64_32S;
}

static int in_order(const void *a, const void *b)
{
	const Elf64_Rela *x = a, *y = b;
	return BA_ORDER(x->r_offset, y->r_offset);
}

static bool is_relocated(const host *h, uint64_t address)
{
	size_t next = BA_FIRST(h->count, i, h->relocations[i].r_offset >= address);
	return next < h->count && h->relocations[next].r_offset == address;
}

static void read_tables(host *h)
{
	for (size_t i = 0; i < h->f.section_count; i++) {
		const Elf64_Shdr *s = &h->f.sections[i];
		const unsigned char *content = ba_elf_content(&h->f, i);
		h->exact |= s->sh_flags & SHF_ALLOC &&
			    (s->sh_type == SHT_REL || s->sh_type == SHT_RELR);
		if (strcmp(ba_elf_section_name(&h->f, i), ".text") == 0)
			h->text = s->sh_addr;
		if (!(s->sh_flags & SHF_ALLOC) || s->sh_type != SHT_RELA || !content)
			continue;
		for (size_t k = 0; k < s->sh_size / sizeof(Elf64_Rela); k++)
			memcpy(BA_PUSH(h->relocations, h->count, h->capacity),
				content + k * sizeof(Elf64_Rela), sizeof(Elf64_Rela));
	}
	BA_SORT(h->relocations, h->count, in_order);
}

/* What the loader writes is in the relocations. */
static void clear_relocated(const host *h, char *data, const Elf64_Shdr *s)
{
	BA_EACH (const Elf64_Rela, r, h->relocations, h->count)
		if (r->r_offset >= s->sh_addr && s->sh_size >= sizeof(uint64_t) &&
			r->r_offset - s->sh_addr <= s->sh_size - sizeof(uint64_t))
			memset(data + (r->r_offset - s->sh_addr), 0, sizeof(uint64_t));
}

/* ---- sections ---- */

static void add_text(host *h, char *data, const Elf64_Shdr *s)
{
	size_t at = 0, relative, length;
	int32_t distance;
	for (; at < s->sh_size; at += length) {
		length =
			ba_x86_length(&relative, (const unsigned char *)data + at, s->sh_size - at);
		if (!length)
			break;
		if (!relative)
			continue;
		memcpy(&distance, data + at + relative, sizeof(distance));
		memset(data + at + relative, 0, sizeof(distance));
		add_address(h, s->sh_addr + at + length + (uint64_t)(int64_t)distance);
	}
	h->exact |= at < s->sh_size;
	ba_sha256_add(h->sum, data, s->sh_size);
}

static void add_symbols(const host *h, const char *data, size_t bytes)
{
	Elf64_Sym symbol;
	for (size_t at = 0; at + sizeof(symbol) <= bytes; at += sizeof(symbol)) {
		memcpy(&symbol, data + at, sizeof(symbol));
		if (symbol.st_shndx != SHN_UNDEF && symbol.st_shndx < SHN_LORESERVE &&
			ELF64_ST_TYPE(symbol.st_info) != STT_TLS) {
			add_address(h, symbol.st_value);
			symbol.st_value = 0;
		}
		ba_sha256_add(h->sum, &symbol, sizeof(symbol));
	}
}

/* Exceptions that are caught: their types are at the end of distances to pointers. */
static void add_caught(const host *h, const char *data, const Elf64_Shdr *s)
{
	int32_t word;
	size_t at = 0;
	for (; at + sizeof(word) <= s->sh_size; at += sizeof(word)) {
		memcpy(&word, data + at, sizeof(word));
		uint64_t to = s->sh_addr + at + (uint64_t)(int64_t)word;
		if (is_relocated(h, to))
			add_address(h, to);
		else
			ba_sha256_add(h->sum, &word, sizeof(word));
	}
	ba_sha256_add(h->sum, data + at, s->sh_size - at);
}

static void add_section(host *h, size_t section)
{
	const Elf64_Shdr *s = &h->f.sections[section];
	const char *name = ba_elf_section_name(&h->f, section);
	const unsigned char *content = ba_elf_content(&h->f, section);
	if (!(s->sh_flags & SHF_ALLOC))
		return;
	ba_sha256_add_string(h->sum, name);
	ba_cubin_number(h->sum, s->sh_flags);
	if (is_left_out(name))
		return;
	ba_cubin_number(h->sum, s->sh_size);
	if (!content || (is_derived(s, name) && !h->exact))
		return;
	BA_AUTO_FREE char *copy = ba_xmemdup0(content, s->sh_size);
	clear_hashes(copy, s->sh_size);
	clear_relocated(h, copy, s);
	if (s->sh_flags & SHF_EXECINSTR)
		add_text(h, copy, s);
	else if (s->sh_type == SHT_DYNSYM)
		add_symbols(h, copy, s->sh_size);
	else if (ba_text_starts(name, ".gcc_except_table"))
		add_caught(h, copy, s);
	else
		ba_sha256_add(h->sum, copy, s->sh_size);
	/* distances in it, as of switches, lead to the code */
	if (ba_text_starts(name, ".rodata"))
		ba_cubin_number(h->sum, s->sh_addr - h->text);
}

static void add_all(host *h)
{
	const Elf64_Ehdr *e = &h->f.header;
	/* a program that stays where it was linked has addresses among its constants */
	h->exact = e->e_machine != EM_X86_64 || e->e_type == ET_EXEC;
	ba_cubin_number(h->sum, e->e_machine);
	read_tables(h);
	add_address(h, e->e_entry);
	BA_EACH (const Elf64_Rela, r, h->relocations, h->count)
		add_relocation(h, r);
	for (size_t i = 0; i < h->f.section_count; i++)
		add_section(h, i);
	for (size_t i = 0; i < h->f.section_count && h->exact; i++)
		ba_cubin_number(h->sum, h->f.sections[i].sh_addr);
}

/* Code that is still to be compiled has no kernels to compare. */
static int refuse_other(void *context, const ba_image *image, ba_error *err)
{
	return image->kind == BA_IMAGE_OTHER
		       ? ba_fail(err, BA_EUNSUPPORTED, "code that a device linker compiles")
		       : 0;
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
	if (e->e_machine != BA_ELF_CUDA && (e->e_type == ET_DYN || e->e_type == ET_EXEC) &&
		ba_images_find(data, bytes, refuse_other, NULL, &ignored) == 0) {
		ba_sha256_init(&sum);
		add_all(&h);
		ba_sha256_hex(&sum, out);
	}
	free(h.relocations);
	ba_elf_close(&h.f);
	return *out;
}
