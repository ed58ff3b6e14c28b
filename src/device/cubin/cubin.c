/* Reads a cubin: an ELF file of machine EM_CUDA whose sections have the name of their
 * kernel as a suffix: .text.K, .nv.info.K, .nv.constant0.K, .nv.shared.K, ... */
#include <elf.h>

#include "base/base.h"
#include "cubin/image.h"

#define MACHINE_CUDA 190
#define OTHER_ENTRY 0x10      /* st_other: a kernel, rather than a device function */
#define TYPE_TEXTURE 10	      /* symbol types specific to CUDA: a texture, a surface, ... */
#define INFO_TYPE 0x70000000u /* SHT_LOPROC: .nv.info, .nv.info.K */
#define INFO_SIZED 4	      /* a record with a size and a value */
#define INFO_PARAM_BANK 0x0a  /* begins with the number of a symbol */

typedef struct file {
	const unsigned char *data;
	size_t bytes;
	const Elf64_Shdr *sections;
	size_t section_count;
	const char *names;
	size_t names_bytes;
	const Elf64_Sym *symbols;
	size_t symbol_count;
	const char *strings;
	size_t strings_bytes;
} file;

static int damaged(ba_error *err)
{
	return ba_fail(err, BA_EINVAL, "its cubin is damaged or has an unknown format");
}

/* ---- the tables, within their bounds ---- */

static bool fits(const file *f, uint64_t at, uint64_t bytes)
{
	return at <= f->bytes && bytes <= f->bytes - at;
}

static const char *string_at(const char *strings, size_t bytes, uint32_t at)
{
	return at < bytes && memchr(strings + at, '\0', bytes - at) ? strings + at : NULL;
}

static const char *section_name(const file *f, size_t i)
{
	const char *name = i < f->section_count
				   ? string_at(f->names, f->names_bytes, f->sections[i].sh_name)
				   : NULL;
	return name ? name : "";
}

static const char *symbol_name(const file *f, const Elf64_Sym *s)
{
	const char *name = string_at(f->strings, f->strings_bytes, s->st_name);
	return name ? name : "";
}

static int find_symbols(file *f, ba_error *err)
{
	for (size_t i = 0; i < f->section_count; i++) {
		const Elf64_Shdr *s = &f->sections[i];
		if (s->sh_type != SHT_SYMTAB)
			continue;
		if (s->sh_link >= f->section_count || s->sh_offset % 8 ||
			f->sections[s->sh_link].sh_type != SHT_STRTAB)
			return damaged(err);
		const Elf64_Shdr *strings = &f->sections[s->sh_link];
		f->symbols = (const void *)(f->data + s->sh_offset);
		f->symbol_count = s->sh_size / sizeof(Elf64_Sym);
		f->strings = (const char *)f->data + strings->sh_offset;
		f->strings_bytes = strings->sh_size;
		return 0;
	}
	return damaged(err);
}

/* `data` is aligned to 8 */
static int open_file(file *f, const unsigned char *data, size_t bytes, ba_error *err)
{
	const Elf64_Ehdr *h = (const void *)data;
	*f = (file){.data = data, .bytes = bytes};
	if (bytes < sizeof(*h) || memcmp(data, ELFMAG, SELFMAG) != 0 ||
		h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB ||
		h->e_machine != MACHINE_CUDA || h->e_shentsize != sizeof(Elf64_Shdr) ||
		h->e_shoff % 8 || !fits(f, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr)) ||
		h->e_shstrndx >= h->e_shnum)
		return damaged(err);
	f->sections = (const void *)(data + h->e_shoff);
	f->section_count = h->e_shnum;
	for (size_t i = 0; i < f->section_count; i++)
		if (f->sections[i].sh_type != SHT_NOBITS && f->sections[i].sh_type != SHT_NULL &&
			!fits(f, f->sections[i].sh_offset, f->sections[i].sh_size))
			return damaged(err);
	if (f->sections[h->e_shstrndx].sh_type != SHT_STRTAB)
		return damaged(err);
	f->names = (const char *)data + f->sections[h->e_shstrndx].sh_offset;
	f->names_bytes = f->sections[h->e_shstrndx].sh_size;
	return find_symbols(f, err);
}

/* ---- whose is a section? ---- */

static bool is_kernel(const Elf64_Sym *s)
{
	return ELF64_ST_TYPE(s->st_info) == STT_FUNC && (s->st_other & OTHER_ENTRY);
}

static bool belongs_to(const char *section, const char *kernel)
{
	size_t n = strlen(section), k = strlen(kernel);
	return n > k + 1 && section[n - k - 1] == '.' && strcmp(section + n - k, kernel) == 0;
}

static bool is_of_another(const file *f, const char *section, const char *kernel)
{
	if (belongs_to(section, kernel))
		return false;
	for (size_t i = 0; i < f->symbol_count; i++) {
		const char *name = symbol_name(f, &f->symbols[i]);
		if (*name && is_kernel(&f->symbols[i]) && belongs_to(section, name))
			return true;
	}
	return false;
}

/* Sections without effect on execution, or common to all kernels and known otherwise:
 * the driver reports a kernel's registers and stack. */
static bool is_left_out(const Elf64_Shdr *s, const char *name)
{
	static const char *const starts[] = {".debug", ".rel.debug", ".rela.debug", ".nv_debug",
		".rel.nv_debug", ".rela.nv_debug", ".note", ".nv.callgraph", ".nv.prototype"};
	if (s->sh_type == SHT_NULL || s->sh_type == SHT_SYMTAB || s->sh_type == SHT_STRTAB ||
		strcmp(name, ".nv.info") == 0 || strcmp(name, ".symtab_shndx") == 0)
		return true;
	for (size_t i = 0; i < BA_COUNT(starts); i++)
		if (ba_text_starts(name, starts[i]))
			return true;
	return false;
}

/* ---- what goes in ---- */

static void add_number(ba_sha256 *sum, uint64_t n)
{
	ba_sha256_add(sum, &n, sizeof(n));
}

/* Identifies a symbol by name and place, because the numbers of symbols and sections
 * depend on other kernels. */
static void add_symbol(ba_sha256 *sum, const file *f, uint64_t index)
{
	const Elf64_Sym none = {0};
	const Elf64_Sym *s = index < f->symbol_count ? &f->symbols[index] : &none;
	ba_sha256_add_string(sum, symbol_name(f, s));
	ba_sha256_add_string(sum, section_name(f, s->st_shndx));
	add_number(sum, s->st_value);
}

static void add_relocations(ba_sha256 *sum, const file *f, const Elf64_Shdr *s)
{
	bool addends = s->sh_type == SHT_RELA;
	size_t each = addends ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
	for (size_t at = 0; at + each <= s->sh_size; at += each) {
		Elf64_Rela r = {0};
		memcpy(&r, f->data + s->sh_offset + at, each);
		add_number(sum, r.r_offset);
		add_number(sum, ELF64_R_TYPE(r.r_info));
		add_number(sum, (uint64_t)r.r_addend);
		add_symbol(sum, f, ELF64_R_SYM(r.r_info));
	}
}

/* Records of (format, attribute, size or value); one of them names a symbol by number.
 */
static int add_info(ba_sha256 *sum, const file *f, const Elf64_Shdr *s, ba_error *err)
{
	const unsigned char *p = f->data + s->sh_offset;
	size_t left = s->sh_size;
	while (left >= 4) {
		uint16_t value;
		memcpy(&value, p + 2, sizeof(value));
		size_t bytes = 4 + (p[0] == INFO_SIZED ? (size_t)value : 0);
		bytes = (bytes + 3) & ~(size_t)3;
		if (bytes > left)
			return damaged(err);
		bool names = p[0] == INFO_SIZED && p[1] == INFO_PARAM_BANK && bytes > 8;
		ba_sha256_add(sum, p, 4);
		if (names)
			ba_sha256_add(sum, p + 8, bytes - 8);
		else
			ba_sha256_add(sum, p + 4, bytes - 4);
		p += bytes;
		left -= bytes;
	}
	return left ? damaged(err) : 0;
}

static int add_section(ba_sha256 *sum, const file *f, size_t index, ba_error *err)
{
	const Elf64_Shdr *s = &f->sections[index];
	ba_sha256_add_string(sum, section_name(f, index));
	add_number(sum, s->sh_type);
	add_number(sum, s->sh_flags);
	add_number(sum, s->sh_size);
	add_number(sum, s->sh_addralign);
	if (s->sh_type == SHT_REL || s->sh_type == SHT_RELA)
		add_relocations(sum, f, s);
	else if (s->sh_type == INFO_TYPE)
		return add_info(sum, f, s, err);
	else if (s->sh_type != SHT_NOBITS)
		ba_sha256_add(sum, f->data + s->sh_offset, s->sh_size);
	return 0;
}

/* ---- variables ---- */

static int add_variables(ba_code *out, const file *f, ba_error *err)
{
	for (size_t i = 0; i < f->symbol_count; i++) {
		const Elf64_Sym *s = &f->symbols[i];
		unsigned type = ELF64_ST_TYPE(s->st_info);
		const char *section = section_name(f, s->st_shndx);
		if (type >= TYPE_TEXTURE)
			return ba_fail(err, BA_EINVAL,
				"it uses textures, surfaces or samplers of the module");
		bool is_variable = type == STT_OBJECT && s->st_size > 0 &&
				   (ba_text_starts(section, ".nv.global") ||
					   ba_text_starts(section, ".nv.constant3"));
		const char *name = symbol_name(f, s);
		if (is_variable && !ba_text_starts(name, BA_COMPILERS_TABLES))
			ba_strv_push(&out->variables, name);
	}
	return 0;
}

static const Elf64_Sym *find_kernel(const file *f, const char *kernel)
{
	for (size_t i = 0; i < f->symbol_count; i++)
		if (is_kernel(&f->symbols[i]) &&
			strcmp(symbol_name(f, &f->symbols[i]), kernel) == 0)
			return &f->symbols[i];
	return NULL;
}

int ba_cubin_names(ba_strv *out, const unsigned char *elf, size_t bytes, ba_error *err)
{
	file f;
	BA_AUTO_FREE unsigned char *copy = ba_xmalloc(bytes + 1);
	memcpy(copy, elf, bytes);
	BA_TRY(open_file(&f, copy, bytes, err));
	for (size_t i = 0; i < f.symbol_count; i++)
		if (is_kernel(&f.symbols[i]))
			ba_strv_push(out, symbol_name(&f, &f.symbols[i]));
	return 0;
}

int ba_cubin_add(bool *found, ba_code *out, ba_sha256 *sum, const unsigned char *elf, size_t bytes,
	const char *kernel, ba_error *err)
{
	file f;
	/* entries of a fatbin may be unaligned, but tables are read in place */
	BA_AUTO_FREE unsigned char *copy = ba_xmalloc(bytes + 1);
	memcpy(copy, elf, bytes);
	int rc = open_file(&f, copy, bytes, err);
	const Elf64_Sym *symbol = rc ? NULL : find_kernel(&f, kernel);
	if (!symbol)
		return rc;
	*found = true;
	out->symbol = (uint64_t)(symbol - f.symbols);
	if (symbol->st_shndx < f.section_count)
		out->code_bytes = (size_t)f.sections[symbol->st_shndx].sh_size;
	ba_sha256_add_string(sum, "cubin");
	add_number(sum, ((const Elf64_Ehdr *)(const void *)copy)->e_flags);
	add_number(sum, symbol->st_value);
	add_number(sum, symbol->st_size);
	for (size_t i = 0; rc == 0 && i < f.section_count; i++) {
		const char *name = section_name(&f, i);
		if (!is_left_out(&f.sections[i], name) && !is_of_another(&f, name, kernel))
			rc = add_section(sum, &f, i, err);
	}
	rc = rc ? rc : add_variables(out, &f, err);
	if (rc == 0) {
		out->cubin = BA_TAKE(copy);
		out->cubin_bytes = bytes;
	}
	return rc;
}
