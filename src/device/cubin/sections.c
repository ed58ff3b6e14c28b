#include "cubin/cubin.h"

/* Names that begin so, or whole names. Behind a dot at the end follows a function's name. */
static const struct kind {
	const char *name;
	ba_role role;
	bool whole;
} kinds[] = {
	{".nv.info", BA_ROLE_INFO, true},
	{".nv.global", BA_ROLE_MEMORY, true},
	{".nv.global.init", BA_ROLE_MEMORY, true},
	{".nv.constant3", BA_ROLE_MEMORY, true},
	{".nv.constant4", BA_ROLE_SLOTS, true},
	{".nv.compat", BA_ROLE_COMMON, true},
	{".text.", BA_ROLE_TEXT},
	{".nv.info.", BA_ROLE_INFO},
	{".nv.constant0.", BA_ROLE_LIMITS},
	{".nv.constant", BA_ROLE_CODE},
	{".nv.shared.reserved.", BA_ROLE_IGNORED},
	{".nv.shared.", BA_ROLE_SHARED},
	{".nv.local.", BA_ROLE_LIMITS},
	{".nv.merc.", BA_ROLE_MERCURY},
	{".nv.capmerc.", BA_ROLE_MERCURY},
	{".debug_", BA_ROLE_IGNORED},
	{".nv_debug", BA_ROLE_IGNORED},
	{".note.", BA_ROLE_IGNORED},
	{".nv.callgraph", BA_ROLE_IGNORED},
	{".nv.prototype", BA_ROLE_IGNORED},
	{".nv.rel.action", BA_ROLE_IGNORED},
	{".symtab_shndx", BA_ROLE_IGNORED},
};

ba_role ba_section_role(const ba_elf *f, size_t section)
{
	const char *name = ba_elf_section_name(f, section);
	uint32_t type = f->sections[section].sh_type;
	if (type == SHT_NULL || type == SHT_SYMTAB || type == SHT_STRTAB)
		return BA_ROLE_IGNORED;
	if (type == SHT_REL || type == SHT_RELA)
		return BA_ROLE_RELOCATIONS;
	const struct kind *found = BA_FIND(kinds, BA_COUNT(kinds), k,
		k->whole ? strcmp(name, k->name) == 0 : ba_text_starts(name, k->name));
	return found ? found->role : BA_ROLE_UNKNOWN;
}

bool ba_section_is_owned(const ba_elf *f, size_t section)
{
	ba_role r = ba_section_role(f, section);
	return (r == BA_ROLE_TEXT || r == BA_ROLE_INFO || r == BA_ROLE_CODE ||
		       r == BA_ROLE_LIMITS || r == BA_ROLE_SHARED) &&
	       strcmp(ba_elf_section_name(f, section), ".nv.info") != 0;
}

size_t ba_section_base(const char *name)
{
	const char *end = strchr(name + (ba_text_starts(name, ".nv.") ? 4 : 1), '.');
	return end ? (size_t)(end + 1 - name) : strlen(name);
}
