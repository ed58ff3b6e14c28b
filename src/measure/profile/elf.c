#include "profile/elf.h"

#include <elfutils/libdwelf.h>

/* ---- symbols ---- */

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

static void read_symbols(ba_elf *e)
{
	read_kind(e, e->elf, SHT_SYMTAB);
	if (e->symbol_count == 0 && ba_elf_separate(e))
		read_kind(e, e->separate, SHT_SYMTAB);
	if (e->symbol_count == 0)
		read_kind(e, e->elf, SHT_DYNSYM);
	BA_SORT(e->symbols, e->symbol_count, by_place);
	close_gaps(e);
}

/* ---- the file ---- */

/* .eh_frame_hdr as linkers write it; other encodings are not read */
#define UNWIND_VERSION 1
#define UNWIND_COUNT_UDATA4 0x03
#define UNWIND_TABLE_DATAREL_SDATA4 0x3b
#define UNWIND_HEAD 12u /* the header, with a pointer of 4 bytes and a count of 4 bytes */
#define UNWIND_ROW 8u

static uint32_t get32(const unsigned char *p)
{
	uint32_t value;
	memcpy(&value, p, sizeof(value));
	return value;
}

static void read_unwind(ba_elf *e, const GElf_Phdr *p)
{
	if (p->p_offset > e->size || p->p_filesz > e->size - p->p_offset ||
		p->p_filesz < UNWIND_HEAD)
		return;
	const unsigned char *head = e->image + p->p_offset;
	if (head[0] != UNWIND_VERSION || head[2] != UNWIND_COUNT_UDATA4 ||
		head[3] != UNWIND_TABLE_DATAREL_SDATA4 || (head[1] & 0x0f) != 0x0b)
		return;
	size_t count = get32(head + 8);
	if (count > (p->p_filesz - UNWIND_HEAD) / UNWIND_ROW)
		return;
	e->unwind = head + UNWIND_HEAD;
	e->unwind_count = count;
	e->unwind_base = p->p_vaddr;
}

/* The next segment from *i on; false: there is none. */
static bool next_segment(GElf_Phdr *p, const ba_elf *e, size_t *i)
{
	size_t n;
	return e->elf && !elf_getphdrnum(e->elf, &n) && *i < n && *i < INT16_MAX &&
	       gelf_getphdr(e->elf, (int)(*i)++, p);
}

static void read_segments(ba_elf *e)
{
	GElf_Phdr p;
	for (size_t i = 0; next_segment(&p, e, &i);)
		if (p.p_type == PT_GNU_EH_FRAME)
			read_unwind(e, &p);
}

static void read_elf(ba_elf *e)
{
	if (!e->elf || elf_kind(e->elf) != ELF_K_ELF)
		return;
	e->image = (const unsigned char *)elf_rawfile(e->elf, &e->size);
	if (!e->image)
		e->size = 0;
	read_segments(e);
	read_symbols(e);
}

/* The debug file in the distribution's folder: /usr/lib/debug/.build-id/ab/cdef.debug */
Elf *ba_elf_separate(ba_elf *e)
{
	const void *id;
	char path[200] = "/usr/lib/debug/.build-id/";
	size_t at = strlen(path);
	if (e->separate_asked || !e->elf)
		return e->separate;
	e->separate_asked = true;
	ssize_t n = dwelf_elf_gnu_build_id(e->elf, &id);
	if (n < 2 || n > 64)
		return NULL;
	for (ssize_t i = 0; i < n; i++)
		at += (size_t)snprintf(path + at, sizeof(path) - at, "%02x%s",
			((const unsigned char *)id)[i], i == 0 ? "/" : "");
	snprintf(path + at, sizeof(path) - at, ".debug");
	e->separate_fd = open(path, O_RDONLY | O_CLOEXEC);
	if (e->separate_fd >= 0)
		e->separate = elf_begin(e->separate_fd, ELF_C_READ_MMAP, NULL);
	return e->separate;
}

ba_elf *ba_elf_load(const char *path)
{
	ba_elf *e = ba_xcalloc(1, sizeof(*e));
	struct stat st;
	e->path = ba_xstrdup(path);
	e->separate_fd = -1;
	e->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (e->fd < 0 || fstat(e->fd, &st) || !S_ISREG(st.st_mode))
		return e;
	elf_version(EV_CURRENT);
	e->elf = elf_begin(e->fd, ELF_C_READ_MMAP, NULL);
	read_elf(e);
	return e;
}

ba_elf *ba_elf_of_memory(void *data, size_t size)
{
	ba_elf *e = ba_xcalloc(1, sizeof(*e));
	e->path = ba_xstrdup("");
	e->fd = e->separate_fd = -1;
	elf_version(EV_CURRENT);
	e->elf = elf_memory(data, size);
	read_elf(e);
	return e;
}

void ba_elf_free(ba_elf *e)
{
	if (!e)
		return;
	ba_elf_lines_free(e->lines);
	free(e->symbols);
	if (e->separate)
		elf_end(e->separate);
	ba_auto_close(&e->separate_fd);
	if (e->elf)
		elf_end(e->elf);
	ba_auto_close(&e->fd);
	BA_FREE(e->path, e);
}

bool ba_elf_address(const ba_elf *e, uint64_t offset, uint64_t *address)
{
	GElf_Phdr p;
	for (size_t i = 0; next_segment(&p, e, &i);) {
		if (p.p_type != PT_LOAD || !(p.p_flags & PF_X) || offset < p.p_offset ||
			offset - p.p_offset >= p.p_filesz)
			continue;
		*address = offset - p.p_offset + p.p_vaddr;
		return true;
	}
	return false;
}

/* The last symbol at or before the address that contains it; a few others may lie
 * between. */
static const ba_elf_symbol *find_symbol(const ba_elf *e, uint64_t address)
{
	enum { BACK = 8 };
	size_t next = BA_FIRST(e->symbol_count, i, e->symbols[i].low > address);
	for (size_t i = next; i > 0 && i + BACK > next; i--)
		if (address < e->symbols[i - 1].high)
			return &e->symbols[i - 1];
	return NULL;
}

static uint64_t unwind_start(const ba_elf *e, size_t i)
{
	int32_t offset = (int32_t)get32(e->unwind + i * UNWIND_ROW);
	return e->unwind_base + (uint64_t)(int64_t)offset;
}

/* from the start of a function to the start of the next one */
static bool find_unwind(const ba_elf *e, uint64_t address, ba_elf_place *out)
{
	size_t next = BA_FIRST(e->unwind_count, i, unwind_start(e, i) > address);
	if (next == 0)
		return false;
	uint64_t start = unwind_start(e, next - 1);
	uint64_t end = next < e->unwind_count ? unwind_start(e, next) : UINT64_MAX;
	if (start > address || end <= address) /* not sorted */
		return false;
	*out = (ba_elf_place){BA_ELF_UNNAMED, NULL, start, end};
	return true;
}

static bool find_section(const ba_elf *e, uint64_t address, ba_elf_place *out)
{
	size_t names;
	if (!e->elf || elf_getshdrstrndx(e->elf, &names))
		return false;
	for (Elf_Scn *s = elf_nextscn(e->elf, NULL); s; s = elf_nextscn(e->elf, s)) {
		GElf_Shdr h;
		if (!gelf_getshdr(s, &h) || !(h.sh_flags & SHF_EXECINSTR) || address < h.sh_addr ||
			address - h.sh_addr >= h.sh_size)
			continue;
		const char *name = elf_strptr(e->elf, names, h.sh_name);
		bool jumps = name && ba_text_starts(name, ".plt");
		*out = (ba_elf_place){jumps ? BA_ELF_JUMPS : BA_ELF_UNKNOWN, NULL, h.sh_addr,
			h.sh_addr + h.sh_size};
		return out->low < out->high;
	}
	return false;
}

ba_elf_place ba_elf_find(const ba_elf *e, uint64_t address)
{
	ba_elf_place place, section;
	const ba_elf_symbol *symbol = find_symbol(e, address);
	if (symbol)
		return (ba_elf_place){BA_ELF_FUNCTION, symbol->name, symbol->low, symbol->high};
	bool known = find_section(e, address, &section);
	if (known && section.kind == BA_ELF_JUMPS)
		return section;
	if (!find_unwind(e, address, &place))
		place = known ? section : (ba_elf_place){BA_ELF_UNKNOWN, NULL, 0, UINT64_MAX};
	/* the symbols before and after belong to other functions */
	BA_EACH (const ba_elf_symbol, s, e->symbols, e->symbol_count) {
		if (s->low > address && s->low < place.high)
			place.high = s->low;
		if (s->high <= address && s->high > place.low)
			place.low = s->high;
	}
	return place;
}

bool ba_elf_is_same(const ba_elf *a, const ba_elf *b)
{
	return a->size && a->size == b->size && memcmp(a->image, b->image, a->size) == 0;
}
