#include "layout/shift.h"

/* ---- headers ---- */

static bool is_inside(const ba_moving *e, uint64_t at, uint64_t bytes)
{
	return bytes <= e->size && at <= e->size - bytes;
}

static int check_kind(const Elf64_Ehdr *h, ba_error *err)
{
	if (memcmp(h->e_ident, ELFMAG, SELFMAG) != 0)
		return ba_fail(err, BA_ELIBRARY, "it is not an ELF file");
	if (h->e_ident[EI_CLASS] == ELFCLASS64 && h->e_machine == EM_AARCH64)
		return ba_fail(err, BA_ELIBRARY,
			"code for AArch64 addresses data by pages, so it cannot be moved by less than a page");
	if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB ||
		h->e_machine != EM_X86_64)
		return ba_fail(err, BA_ELIBRARY, "it is not a library for x86-64");
	if (h->e_type != ET_DYN)
		return ba_fail(err, BA_ELIBRARY, "it is not a shared library");
	return 0;
}

/* Loaded segments ascend without overlap; the system's loader rejects others. */
static int take_load(ba_moving *e, const Elf64_Phdr *p, ba_error *err)
{
	const Elf64_Phdr *before = e->load_count ? &e->loads[e->load_count - 1] : NULL;
	bool fine = is_inside(e, p->p_offset, p->p_filesz) && p->p_filesz <= p->p_memsz &&
		    p->p_vaddr < UINT64_C(1) << 46 && p->p_memsz < UINT64_C(1) << 46;
	if (!fine || (before && p->p_vaddr < before->p_vaddr + before->p_memsz))
		return ba_fail(err, BA_ELIBRARY, "its segments make no sense");
	e->loads[e->load_count++] = *p;
	if (e->loaded < p->p_offset + p->p_filesz)
		e->loaded = p->p_offset + p->p_filesz;
	return 0;
}

unsigned char *ba_moving_at(const ba_moving *e, uint64_t address, uint64_t bytes)
{
	BA_EACH (const Elf64_Phdr, p, e->loads, e->load_count)
		if (address >= p->p_vaddr && bytes <= p->p_filesz &&
			address - p->p_vaddr <= p->p_filesz - bytes)
			return e->bytes + e->offset + p->p_offset + (address - p->p_vaddr);
	return NULL;
}

/* ---- sections ---- */

static int take_sections(ba_moving *e, ba_error *err)
{
	const Elf64_Ehdr *h = &e->header;
	if (h->e_shnum == 0 || h->e_shentsize != sizeof(Elf64_Shdr) ||
		!is_inside(e, h->e_shoff, h->e_shnum * sizeof(Elf64_Shdr)))
		return ba_fail(err, BA_ELIBRARY,
			"it has no table of sections, so nobody knows how its data is aligned");
	for (size_t i = 0; i < h->e_shnum; i++) {
		Elf64_Shdr s;
		memcpy(&s, e->bytes + h->e_shoff + i * sizeof(s), sizeof(s));
		uint64_t *most = s.sh_flags & SHF_EXECINSTR ? &e->code_aligned : &e->data_aligned;
		if ((s.sh_flags & SHF_ALLOC) && s.sh_size && s.sh_addralign > *most)
			*most = s.sh_addralign;
		if (s.sh_type == SHT_DYNSYM) {
			e->symbols = s.sh_addr;
			e->symbol_count = s.sh_size / sizeof(Elf64_Sym);
		}
	}
	for (size_t i = 0; i < h->e_phnum; i++)
		if (e->segments[i].p_type == PT_TLS && e->segments[i].p_align > e->data_aligned)
			e->data_aligned = e->segments[i].p_align;
	if ((e->data_aligned & (e->data_aligned - 1)) || (e->code_aligned & (e->code_aligned - 1)))
		return ba_fail(err, BA_ELIBRARY, "its alignment makes no sense");
	return 0;
}

static int take_segments(ba_moving *e, ba_error *err)
{
	const Elf64_Ehdr *h = &e->header;
	if (h->e_phnum == 0 || h->e_phnum > BA_SEGMENTS_MOST ||
		h->e_phentsize != sizeof(Elf64_Phdr) ||
		!is_inside(e, h->e_phoff, h->e_phnum * sizeof(Elf64_Phdr)))
		return ba_fail(err, BA_ELIBRARY, "its segments make no sense");
	memcpy(e->segments, e->bytes + h->e_phoff, h->e_phnum * sizeof(Elf64_Phdr));
	for (size_t i = 0; i < h->e_phnum; i++)
		if (e->segments[i].p_type == PT_LOAD)
			BA_TRY(take_load(e, &e->segments[i], err));
	/* the program headers are loaded, too, because unwinding uses them */
	if (e->loaded < sizeof(*h) || e->loaded < h->e_phoff + h->e_phnum * sizeof(Elf64_Phdr))
		return ba_fail(err, BA_ELIBRARY, "its headers are not loaded");
	return 0;
}

/* Reads the headers of a file that is not moved yet. */
static int open_moving(ba_moving *out, unsigned char *bytes, size_t size, ba_error *err)
{
	*out = (ba_moving){.bytes = bytes, .size = size};
	if (size < sizeof(out->header))
		return ba_fail(err, BA_ELIBRARY, "it is not an ELF file");
	memcpy(&out->header, bytes, sizeof(out->header));
	BA_TRY(check_kind(&out->header, err));
	BA_TRY(take_segments(out, err));
	return take_sections(out, err);
}

/* ---- alignment ---- */

/* Does a move of 32 or 64 bytes begin here that faults if its memory is not aligned?
 * p[0..6]. After the prefix (VEX of two or three bytes, EVEX of four) come the opcode and
 * a byte that says whether one operand is memory. */
static bool is_wide_move(const unsigned char *p)
{
	static const unsigned char opcodes[] = {0x28, 0x29, 0x2a, 0x2b, 0x6f, 0x7f, 0xe7};
	size_t prefix = p[0] == 0xc5 ? 2 : p[0] == 0xc4 ? 3 : p[0] == 0x62 ? 4 : 0;
	if (!prefix)
		return false;
	bool wide = prefix == 4 ? p[3] & 0x60 : p[prefix - 1] & 4;
	return wide && (p[prefix + 1] & 0xc0) != 0xc0 &&
	       memchr(opcodes, p[prefix], sizeof(opcodes));
}

static bool has_wide_move(const ba_moving *e)
{
	BA_EACH (const Elf64_Phdr, p, e->loads, e->load_count) {
		const unsigned char *code = e->bytes + p->p_offset;
		for (uint64_t k = 0; (p->p_flags & PF_X) && k + 6 <= p->p_filesz; k++)
			if (is_wide_move(code + k))
				return true;
	}
	return false;
}

/* The step of possible offsets. A linker could place code and data at any multiple of
 * their alignments; they move together. Data aligned to 32 bytes may move by 16 if no
 * instruction needs more. */
static uint64_t least_step(const ba_moving *e)
{
	uint64_t data = e->data_aligned;
	/* compilers align every object of 32 bytes, whether or not it needs it */
	if (data == 32 && !has_wide_move(e))
		data = 16;
	return data > e->code_aligned ? data : e->code_aligned;
}

/* ---- segments ---- */

static uint64_t first_page(const Elf64_Phdr *p, uint64_t offset, uint64_t page)
{
	return (p->p_vaddr + offset) / page;
}

/* the first page after the segment */
static uint64_t end_page(const Elf64_Phdr *p, uint64_t offset, uint64_t page)
{
	return (p->p_vaddr + p->p_memsz + offset + page - 1) / page;
}

/* A page that two segments share is mapped twice: the content must be right for both,
 * and the first must not need zeros there. */
static bool can_share(const Elf64_Phdr *a, const Elf64_Phdr *b, uint32_t flags)
{
	return b->p_offset - a->p_offset == b->p_vaddr - a->p_vaddr && a->p_memsz == a->p_filesz &&
	       !((flags & PF_W) && (flags & PF_X));
}

/* Does no page become both writable and executable if the segments move? */
static bool fits_at(const ba_moving *e, uint64_t offset, uint64_t page)
{
	const Elf64_Phdr *first = &e->loads[0], *last = &e->loads[e->load_count - 1];
	uint32_t flags = first->p_flags;
	for (size_t i = 1; i < e->load_count; i++) {
		const Elf64_Phdr *a = &e->loads[i - 1], *b = &e->loads[i];
		bool share = first_page(b, offset, page) < end_page(a, offset, page);
		flags = share ? flags | b->p_flags : b->p_flags;
		if (share && !can_share(a, b, flags))
			return false;
	}
	/* the gap between segments is unmapped, so it must not be negative */
	return e->load_count == 1 ||
	       end_page(first, offset, page) <= first_page(last, offset, page);
}

/* Writes headers and segments. */
static void set_headers(ba_moving *e, uint64_t page)
{
	Elf64_Ehdr h = e->header;
	unsigned char *table = e->bytes + e->offset + h.e_phoff;
	const Elf64_Phdr *before = NULL;
	uint32_t flags = 0;
	for (size_t i = 0; i < h.e_phnum; i++) {
		Elf64_Phdr p = e->segments[i];
		if (p.p_type == PT_LOAD) {
			bool share = before && first_page(&p, e->offset, page) <
						       end_page(before, e->offset, page);
			before = &e->segments[i];
			flags = share ? flags | p.p_flags : p.p_flags;
			p.p_flags = flags;
		}
		/* a segment that only has flags has no address */
		if (p.p_type != PT_NULL && p.p_type != PT_GNU_STACK) {
			p.p_offset += e->offset;
			p.p_vaddr += e->offset;
			p.p_paddr += e->offset;
		}
		memcpy(table + i * sizeof(p), &p, sizeof(p));
	}
	h.e_phoff += e->offset;
	h.e_entry += h.e_entry ? e->offset : 0;
	h.e_shoff = 0;
	h.e_shnum = h.e_shstrndx = 0;
	memcpy(e->bytes, &h, sizeof(h));
}

/* ---- a library at another address ---- */

BA_OWNS(ba_movable, m, BA_FREE(m->file, m->fits))

static int move(ba_buf *out, const ba_movable *m, size_t offset, ba_error *err)
{
	ba_moving e;
	BA_TRY(open_moving(&e, m->file, m->size, err));
	size_t size = offset + e.loaded;
	BA_AUTO_FREE unsigned char *bytes = ba_xcalloc(1, size);
	memcpy(bytes + offset, m->file, e.loaded);
	e.bytes = bytes;
	e.offset = offset;
	BA_TRY(ba_moving_set_addresses(&e, err));
	set_headers(&e, m->page);
	ba_buf_put(out, bytes, size);
	return 0;
}

static int find_offsets(ba_movable *m, const ba_moving *e, ba_error *err)
{
	size_t slots = m->page / BA_SHIFT_STEP, first = 0;
	size_t step = (size_t)least_step(e);
	m->step = step < BA_SHIFT_STEP ? BA_SHIFT_STEP : step;
	if (m->step >= m->page)
		return ba_fail(err, BA_ELIBRARY,
			"a section is aligned to %zu bytes: it cannot be moved by less than a page",
			m->step);
	m->fits = ba_xcalloc(slots, sizeof(*m->fits));
	for (size_t offset = m->page - m->step; offset; offset -= m->step)
		if (fits_at(e, offset, m->page)) {
			m->fits[offset / BA_SHIFT_STEP] = true;
			first = offset;
		}
	if (!first)
		return ba_fail(err, BA_ELIBRARY,
			"its segments lie so close together that code would become writable");
	/* an error with one offset occurs with all */
	BA_AUTO(ba_buf) ba_buf trial = BA_BUF_INIT;
	return move(&trial, m, first, err);
}

int ba_movable_of(ba_movable *out, const void *file, size_t size, size_t page, ba_error *err)
{
	ba_moving e;
	BA_AUTO(ba_movable) ba_movable m = {.size = size, .page = page};
	BA_REQUIRE(page >= 4096 && page <= 65536 && (page & (page - 1)) == 0);
	m.file = ba_xcalloc(1, size + 1);
	memcpy(m.file, file, size);
	BA_TRY(open_moving(&e, m.file, size, err));
	BA_TRY(find_offsets(&m, &e, err));
	*out = BA_MOVE(m);
	return 0;
}

bool ba_movable_fits(const ba_movable *m, size_t offset)
{
	return offset < m->page && offset % BA_SHIFT_STEP == 0 && m->fits[offset / BA_SHIFT_STEP];
}

void ba_movable_shift(ba_buf *out, const ba_movable *m, size_t offset)
{
	BA_REQUIRE(ba_movable_fits(m, offset));
	int rc = move(out, m, offset, NULL);
	BA_REQUIRE(rc == 0);
}
