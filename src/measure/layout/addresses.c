/* The absolute addresses of a library: dynamic entries, symbols, relocations, and the
 * words that these add to. */

#include "layout/shift.h"

#ifndef DT_RELR
#define DT_RELRSZ 35
#define DT_RELR 36
#define DT_RELRENT 37
#endif
#define WORD sizeof(uint64_t)

static uint64_t word_of(const unsigned char *p)
{
	uint64_t x;
	memcpy(&x, p, sizeof(x));
	return x;
}

static void move_word(const ba_moving *e, unsigned char *p)
{
	uint64_t x = word_of(p) + e->offset;
	memcpy(p, &x, sizeof(x));
}

/* ---- dynamic entries ---- */

enum meaning { VALUE = 1, ADDRESS };

/* clang-format off */
static const struct { int64_t tag; enum meaning is; } tags[] = {
	{DT_NEEDED, VALUE}, {DT_PLTRELSZ, VALUE}, {DT_PLTGOT, ADDRESS}, {DT_HASH, ADDRESS},
	{DT_STRTAB, ADDRESS}, {DT_SYMTAB, ADDRESS}, {DT_RELA, ADDRESS}, {DT_RELASZ, VALUE},
	{DT_RELAENT, VALUE}, {DT_STRSZ, VALUE}, {DT_SYMENT, VALUE}, {DT_INIT, ADDRESS},
	{DT_FINI, ADDRESS}, {DT_SONAME, VALUE}, {DT_RPATH, VALUE}, {DT_SYMBOLIC, VALUE},
	{DT_PLTREL, VALUE}, {DT_DEBUG, VALUE}, {DT_JMPREL, ADDRESS}, {DT_BIND_NOW, VALUE},
	{DT_INIT_ARRAY, ADDRESS}, {DT_FINI_ARRAY, ADDRESS}, {DT_INIT_ARRAYSZ, VALUE},
	{DT_FINI_ARRAYSZ, VALUE}, {DT_RUNPATH, VALUE}, {DT_FLAGS, VALUE}, {DT_RELRSZ, VALUE},
	{DT_RELR, ADDRESS}, {DT_RELRENT, VALUE}, {DT_GNU_HASH, ADDRESS},
	{DT_TLSDESC_PLT, ADDRESS}, {DT_TLSDESC_GOT, ADDRESS}, {DT_RELACOUNT, VALUE},
	{DT_FLAGS_1, VALUE}, {DT_VERSYM, ADDRESS}, {DT_VERDEF, ADDRESS}, {DT_VERDEFNUM, VALUE},
	{DT_VERNEED, ADDRESS}, {DT_VERNEEDNUM, VALUE}, {DT_AUXILIARY, VALUE}, {DT_FILTER, VALUE},
	/* of x86-64: where lazy calls go, and two sizes */
	{0x70000000, ADDRESS}, {0x70000001, VALUE}, {0x70000003, VALUE},
};
/* clang-format on */

static enum meaning meaning_of(int64_t tag)
{
	for (size_t i = 0; i < BA_COUNT(tags); i++)
		if (tags[i].tag == tag)
			return tags[i].is;
	return 0;
}

/* The original values of the dynamic entries. */
typedef struct dynamic {
	uint64_t at, symbols, got, rela, rela_size, plt, plt_size, relr, relr_size;
} dynamic;

static void note_entry(dynamic *d, const Elf64_Dyn *x)
{
	const struct {
		int64_t tag;
		uint64_t *to;
	} wanted[] = {{DT_SYMTAB, &d->symbols}, {DT_PLTGOT, &d->got}, {DT_RELA, &d->rela},
		{DT_RELASZ, &d->rela_size}, {DT_JMPREL, &d->plt}, {DT_PLTRELSZ, &d->plt_size},
		{DT_RELR, &d->relr}, {DT_RELRSZ, &d->relr_size}};
	for (size_t i = 0; i < BA_COUNT(wanted); i++)
		if (wanted[i].tag == x->d_tag)
			*wanted[i].to = x->d_un.d_val;
}

static int check_entry(const Elf64_Dyn *x, ba_error *err)
{
	if (x->d_tag == DT_TEXTREL || (x->d_tag == DT_FLAGS && (x->d_un.d_val & DF_TEXTREL)))
		return ba_fail(err, BA_ELIBRARY,
			"it has relocations in its code (DT_TEXTREL): build it with -fPIC");
	if (x->d_tag == DT_PLTREL && x->d_un.d_val != DT_RELA)
		return ba_fail(err, BA_ELIBRARY, "its relocations have no addends (DT_REL)");
	if (!meaning_of(x->d_tag))
		return ba_fail(err, BA_ELIBRARY,
			"its dynamic entry 0x%llx is unknown, and may be an address",
			(unsigned long long)x->d_tag);
	return 0;
}

static int move_dynamic(ba_moving *e, dynamic *d, ba_error *err)
{
	const Elf64_Phdr *p =
		BA_FIND(e->segments, e->header.e_phnum, one, one->p_type == PT_DYNAMIC);
	unsigned char *table = p ? ba_moving_at(e, p->p_vaddr, p->p_filesz) : NULL;
	if (!table)
		return ba_fail(err, BA_ELIBRARY, "it has no dynamic section");
	*d = (dynamic){.at = p->p_vaddr};
	for (size_t i = 0; i < p->p_filesz / sizeof(Elf64_Dyn); i++) {
		Elf64_Dyn x;
		memcpy(&x, table + i * sizeof(x), sizeof(x));
		if (x.d_tag == DT_NULL)
			return 0;
		BA_TRY(check_entry(&x, err));
		note_entry(d, &x);
		if (meaning_of(x.d_tag) == ADDRESS)
			x.d_un.d_ptr += e->offset;
		memcpy(table + i * sizeof(x), &x, sizeof(x));
	}
	return ba_fail(err, BA_ELIBRARY, "its dynamic section has no end");
}

/* ---- symbols ---- */

static int move_symbols(ba_moving *e, const dynamic *d, ba_error *err)
{
	uint64_t count = e->symbol_count;
	unsigned char *table = ba_moving_at(e, d->symbols, count * sizeof(Elf64_Sym));
	if (!table || d->symbols != e->symbols)
		return ba_fail(err, BA_ELIBRARY, "its dynamic symbols make no sense");
	for (uint64_t i = 0; i < count; i++) {
		Elf64_Sym s;
		memcpy(&s, table + i * sizeof(s), sizeof(s));
		if (s.st_shndx == SHN_UNDEF || s.st_shndx == SHN_ABS ||
			ELF64_ST_TYPE(s.st_info) == STT_TLS)
			continue;
		s.st_value += e->offset;
		memcpy(table + i * sizeof(s), &s, sizeof(s));
	}
	return 0;
}

/* ---- relocations ---- */

/* Moves the addend, if it is an address. */
static int move_addend(const ba_moving *e, Elf64_Rela *r, ba_error *err)
{
	switch (ELF64_R_TYPE(r->r_info)) {
	case R_X86_64_RELATIVE:
	case R_X86_64_IRELATIVE:
		r->r_addend = (int64_t)((uint64_t)r->r_addend + e->offset);
		return 0;
	case R_X86_64_64:
	case R_X86_64_GLOB_DAT:
	case R_X86_64_JUMP_SLOT:
		/* without a symbol, the value is relative to the library's address */
		if (ELF64_R_SYM(r->r_info))
			return 0;
		break;
	case R_X86_64_NONE:
	case R_X86_64_DTPMOD64:
	case R_X86_64_DTPOFF64:
	case R_X86_64_TPOFF64:
	case R_X86_64_TLSDESC:
		return 0;
	}
	return ba_fail(err, BA_ELIBRARY, "it has a relocation of type %u, which cannot be moved",
		(unsigned)ELF64_R_TYPE(r->r_info));
}

/* Before its first call, a lazy slot has the address of the code that binds it. */
static void move_slot(const ba_moving *e, const Elf64_Rela *r)
{
	unsigned char *slot = ba_moving_at(e, r->r_offset, WORD);
	if (ELF64_R_TYPE(r->r_info) == R_X86_64_JUMP_SLOT && slot && word_of(slot))
		move_word(e, slot);
}

static int move_relocations(ba_moving *e, uint64_t at, uint64_t size, ba_error *err)
{
	unsigned char *table = ba_moving_at(e, at, size);
	int rc = 0;
	if (size == 0)
		return 0;
	if (!table)
		return ba_fail(err, BA_ELIBRARY, "its relocations make no sense");
	for (uint64_t i = 0; rc == 0 && i < size / sizeof(Elf64_Rela); i++) {
		Elf64_Rela r;
		memcpy(&r, table + i * sizeof(r), sizeof(r));
		rc = move_addend(e, &r, err);
		move_slot(e, &r);
		r.r_offset += e->offset;
		memcpy(table + i * sizeof(r), &r, sizeof(r));
	}
	return rc;
}

/* DT_RELR: an even entry is an address, whose word is relative; an odd one is a mask of
 * the 63 words behind it. */
static int move_relr(ba_moving *e, const dynamic *d, ba_error *err)
{
	unsigned char *table = ba_moving_at(e, d->relr, d->relr_size);
	uint64_t next = 0;
	if (d->relr_size && !table)
		return ba_fail(err, BA_ELIBRARY, "its relocations make no sense");
	for (uint64_t i = 0; i < d->relr_size / WORD; i++) {
		uint64_t entry = word_of(table + i * WORD);
		uint64_t bits = entry & 1 ? entry >> 1 : 1;
		if (!(entry & 1)) {
			next = entry;
			move_word(e, table + i * WORD);
		}
		for (uint64_t k = 0; bits >> k; k++) {
			if (!(bits >> k & 1))
				continue;
			unsigned char *word = ba_moving_at(e, next + k * WORD, WORD);
			if (!word)
				return ba_fail(
					err, BA_ELIBRARY, "a relocation is outside of its data");
			move_word(e, word);
		}
		next += (entry & 1 ? 63 : 1) * WORD;
	}
	return 0;
}

int ba_moving_set_addresses(ba_moving *e, ba_error *err)
{
	dynamic d = {0};
	int rc = move_dynamic(e, &d, err);
	rc = rc ? rc : move_symbols(e, &d, err);
	rc = rc ? rc : move_relocations(e, d.rela, d.rela_size, err);
	/* some linkers list the relocations of calls among the others */
	if (rc == 0 && (d.plt < d.rela || d.plt - d.rela >= d.rela_size))
		rc = move_relocations(e, d.plt, d.plt_size, err);
	rc = rc ? rc : move_relr(e, &d, err);
	/* the first word of the table of addresses is that of the dynamic section */
	unsigned char *got = d.got ? ba_moving_at(e, d.got, WORD) : NULL;
	if (rc == 0 && got && word_of(got) == d.at)
		move_word(e, got);
	return rc;
}
