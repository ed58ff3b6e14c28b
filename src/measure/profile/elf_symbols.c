#include "profile/elf.h"

/* Ranks the names of one function, the best being the name in its source. */
static unsigned char rank_of(const GElf_Sym *s, const char *name)
{
	unsigned char rank = GELF_ST_BIND(s->st_info) == STB_GLOBAL ? 0
			     : GELF_ST_BIND(s->st_info) == STB_WEAK ? 1
								    : 2;
	return (unsigned char)(rank + (*name == '_' ? 4 : 0));
}

static uint64_t section_end(Elf *elf, const GElf_Sym *s)
{
	GElf_Shdr h;
	Elf_Scn *section = elf_getscn(elf, s->st_shndx);
	bool holds = section && gelf_getshdr(section, &h) && s->st_value >= h.sh_addr &&
		     s->st_value - h.sh_addr < h.sh_size;
	return holds ? h.sh_addr + h.sh_size : s->st_value + 1;
}

static void add(ba_elf *e, Elf *elf, const GElf_Sym *s, const char *name)
{
	unsigned char type = GELF_ST_TYPE(s->st_info);
	bool code = type == STT_FUNC || type == STT_GNU_IFUNC;
	if (!code || s->st_shndx == SHN_UNDEF || !name || !*name ||
		s->st_value > UINT64_MAX - s->st_size - 1)
		return;
	ba_elf_symbol *added = BA_PUSH(e->symbols, e->symbol_count, e->symbol_room);
	*added = (ba_elf_symbol){.low = s->st_value,
		.high = s->st_value + s->st_size,
		.name = name,
		.rank = rank_of(s, name)};
	added->end = s->st_size ? added->high : section_end(elf, s);
}

static void read_section(ba_elf *e, Elf *elf, Elf_Scn *section, const GElf_Shdr *h)
{
	Elf_Data *data = elf_getdata(section, NULL);
	if (!data || h->sh_entsize == 0)
		return;
	size_t n = data->d_size / h->sh_entsize;
	for (size_t i = 0; i < n && i < BA_ELF_SYMBOLS_MOST; i++) {
		GElf_Sym s;
		if (gelf_getsym(data, (int)i, &s))
			add(e, elf, &s, elf_strptr(elf, h->sh_link, s.st_name));
	}
}

static void read_kind(ba_elf *e, Elf *elf, unsigned kind)
{
	for (Elf_Scn *s = elf_nextscn(elf, NULL); s; s = elf_nextscn(elf, s)) {
		GElf_Shdr h;
		if (gelf_getshdr(s, &h) && h.sh_type == kind)
			read_section(e, elf, s, &h);
	}
}

/* by address; of equal addresses the best name comes last, where the search starts */
BA_DEFINE_ORDER(by_place, ba_elf_symbol,
	BA_ORDER(a->low, b->low)
		?: BA_ORDER(a->high > a->low, b->high > b->low)
		?: BA_ORDER(b->rank, a->rank) ?: strcmp(b->name, a->name))

/* Hand-written code often has no size: it ends at the next function or at the end of
 * its section. */
static void close_gaps(ba_elf *e)
{
	uint64_t next = 0;
	for (size_t i = e->symbol_count; i > 0; i--) {
		ba_elf_symbol *s = &e->symbols[i - 1];
		if (s->high == s->low)
			s->high = next > s->low && next < s->end ? next : s->end;
		if (i == 1 || e->symbols[i - 2].low != s->low)
			next = s->low;
	}
}

void ba_elf_read_symbols(ba_elf *e)
{
	read_kind(e, e->elf, SHT_SYMTAB);
	if (e->symbol_count == 0 && ba_elf_separate(e))
		read_kind(e, e->separate, SHT_SYMTAB);
	if (e->symbol_count == 0)
		read_kind(e, e->elf, SHT_DYNSYM);
	BA_SORT(e->symbols, e->symbol_count, by_place);
	close_gaps(e);
}
