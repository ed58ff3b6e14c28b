/* Source lines by libdw. Only compilation units whose addresses are asked for are
 * read. */
#include "profile/elf.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

/* limits for one file; further units and ranges are not read */
#define UNITS_MOST 100000u
#define RANGES_MOST 1000000u

typedef struct range {
	uint64_t low, high;
	Dwarf_Off unit; /* offset of its first entry */
} range;

struct ba_elf_lines {
	Dwarf *dwarf;  /* NULL: no debug information */
	range *ranges; /* [count] by low */
	size_t count, room;
};

void ba_elf_lines_free(ba_elf_lines *l)
{
	if (!l)
		return;
	if (l->dwarf)
		dwarf_end(l->dwarf);
	BA_FREE(l->ranges, l);
}

static void add_unit(ba_elf_lines *l, Dwarf_Die *die)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;
	while (l->count < RANGES_MOST && (at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
		if (low >= high)
			continue;
		*BA_PUSH(l->ranges, l->count, l->room) = (range){low, high, dwarf_dieoffset(die)};
	}
}

BA_DEFINE_ORDER(by_low, range, BA_ORDER(a->low, b->low) ?: BA_ORDER(a->unit, b->unit))

static void read_units(ba_elf_lines *l)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	for (unsigned n = 0; n < UNITS_MOST &&
			     dwarf_get_units(l->dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0;
		n++)
		if (dwarf_tag(&die) == DW_TAG_compile_unit)
			add_unit(l, &die);
	BA_SORT(l->ranges, l->count, by_low);
}

static bool open_dwarf(ba_elf_lines *l, Elf *elf)
{
	l->dwarf = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
	if (l->dwarf)
		read_units(l);
	if (l->dwarf && l->count == 0) {
		dwarf_end(l->dwarf);
		l->dwarf = NULL;
	}
	return l->dwarf;
}

static ba_elf_lines *open_lines(ba_elf *e)
{
	ba_elf_lines *l = ba_xcalloc(1, sizeof(*l));
	if (!open_dwarf(l, e->elf))
		open_dwarf(l, ba_elf_separate(e));
	return l;
}

/* the unit that holds the address */
static bool find_unit(ba_elf *e, uint64_t address, Dwarf_Die *die)
{
	if (!e->lines)
		e->lines = open_lines(e);
	const ba_elf_lines *l = e->lines;
	size_t next = BA_FIRST(l->count, i, l->ranges[i].low > address);
	return next > 0 && address < l->ranges[next - 1].high &&
	       dwarf_offdie(l->dwarf, l->ranges[next - 1].unit, die);
}

static bool read_line(Dwarf_Line *from, const char **file, unsigned *line)
{
	int number;
	const char *source = from ? dwarf_linesrc(from, NULL, NULL) : NULL;
	if (!source || dwarf_lineno(from, &number) || number <= 0)
		return false;
	*file = source;
	*line = (unsigned)number;
	return true;
}

bool ba_elf_line(ba_elf *e, uint64_t address, const char **file, unsigned *line)
{
	Dwarf_Die die;
	return find_unit(e, address, &die) &&
	       read_line(dwarf_getsrc_die(&die, address), file, line);
}

typedef struct definition {
	uint64_t address;
	const char *file;
	int line;
} definition;

static int is_definition(Dwarf_Die *function, void *arg)
{
	definition *d = arg;
	Dwarf_Addr low;
	if (dwarf_lowpc(function, &low) || low != d->address)
		return DWARF_CB_OK;
	d->file = dwarf_decl_file(function);
	if (dwarf_decl_line(function, &d->line))
		d->line = 0;
	return DWARF_CB_ABORT;
}

bool ba_elf_definition(ba_elf *e, uint64_t address, const char **file, unsigned *line)
{
	Dwarf_Die die;
	definition d = {.address = address};
	if (!find_unit(e, address, &die))
		return false;
	dwarf_getfuncs(&die, is_definition, &d, 0);
	if (!d.file || d.line <= 0)
		return read_line(dwarf_getsrc_die(&die, address), file, line);
	*file = d.file;
	*line = (unsigned)d.line;
	return true;
}
