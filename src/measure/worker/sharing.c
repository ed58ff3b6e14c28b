/* Can these libraries live in one process? Reads from the dynamic linker how it
 * resolved symbols. */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include "worker/library.h"

typedef struct object {
	char *path; /* links resolved */
	const char *soname, *strings;
	const ElfW(Sym) * symbols;
	size_t symbol_count;
	const ElfW(Dyn) * dynamic;
	int owner; /* index of the variant whose tree holds it, or -1 */
} object;

typedef struct objects {
	object *items;
	size_t count, capacity;
	const ba_library *libs;
	size_t lib_count;
} objects;

/* The GNU hash table is the only place that tells how many symbols there are. */
static size_t symbols_of_gnu_hash(const uint32_t *table)
{
	uint32_t buckets = table[0], first = table[1], bloom = table[2], last = 0;
	const uint32_t *bucket = table + 4 + bloom * (sizeof(ElfW(Addr)) / 4);
	const uint32_t *chain = bucket + buckets;
	for (uint32_t i = 0; i < buckets; i++)
		if (bucket[i] > last)
			last = bucket[i];
	if (last < first)
		return first;
	while (!(chain[last - first] & 1))
		last++;
	return last + 1;
}

static void read_dynamic(object *o, ElfW(Addr) base)
{
	const uint32_t *gnu_hash = NULL, *hash = NULL;
	ElfW(Xword) soname = 0;
	bool has_soname = false;
	for (const ElfW(Dyn) *d = o->dynamic; d->d_tag != DT_NULL; d++) {
		/* glibc has relocated these in place; other systems have not */
		ElfW(Addr) address = d->d_un.d_ptr < base ? base + d->d_un.d_ptr : d->d_un.d_ptr;
		switch (d->d_tag) {
		case DT_STRTAB:
			o->strings = (const char *)address;
			break;
		case DT_SYMTAB:
			o->symbols = (const ElfW(Sym) *)address;
			break;
		case DT_GNU_HASH:
			gnu_hash = (const uint32_t *)address;
			break;
		case DT_HASH:
			hash = (const uint32_t *)address;
			break;
		case DT_SONAME:
			soname = d->d_un.d_val;
			has_soname = true;
			break;
		}
	}
	if (has_soname && o->strings)
		o->soname = o->strings + soname;
	o->symbol_count = gnu_hash ? symbols_of_gnu_hash(gnu_hash) : hash ? hash[1] : 0;
}

static int collect(struct dl_phdr_info *info, size_t size, void *data)
{
	objects *all = data;
	if (!info->dlpi_name || info->dlpi_name[0] != '/')
		return 0;
	object o = {.owner = -1};
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			o.dynamic =
				(const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
	if (!o.dynamic)
		return 0;
	read_dynamic(&o, info->dlpi_addr);
	char resolved[PATH_MAX];
	o.path = ba_xstrdup(realpath(info->dlpi_name, resolved) ? resolved : info->dlpi_name);
	for (size_t i = 0; i < all->lib_count && o.owner < 0; i++)
		if (ba_path_is_below(o.path, all->libs[i].tree))
			o.owner = (int)i;
	*BA_PUSH(all->items, all->count, all->capacity) = o;
	return 0;
}

static objects objects_now(const ba_library *libs, size_t count)
{
	objects all = {.libs = libs, .lib_count = count};
	dl_iterate_phdr(collect, &all);
	return all;
}

BA_OWNS_HERE(objects, all, BA_FREE_EACH(x, all->items, all->count, free(x->path)))

void ba_library_objects(ba_strv *out, const char *tree)
{
	const ba_library one = {.tree = tree};
	BA_AUTO(objects) objects all = objects_now(&one, 1);
	for (size_t i = 0; i < all.count; i++)
		if (all.items[i].owner == 0)
			ba_strv_push(out, all.items[i].path);
}

/* The object that a DT_NEEDED name was bound to: the linker takes the first loaded one
 * with that SONAME, or that file name. */
static const object *provider(const objects *all, const char *needed)
{
	return BA_FIND(all->items, all->count, o,
		strcmp(o->soname ? o->soname : ba_path_base(o->path), needed) == 0);
}

static char *foreign_dependency(const objects *all)
{
	BA_EACH (const object, o, all->items, all->count) {
		if (o->owner < 0)
			continue;
		for (const ElfW(Dyn) *d = o->dynamic; d->d_tag != DT_NULL; d++) {
			if (d->d_tag != DT_NEEDED)
				continue;
			const char *needed = o->strings + d->d_un.d_val;
			const object *p = provider(all, needed);
			if (p && p->owner >= 0 && p->owner != o->owner)
				return ba_xprintf(
					"'%s' of %s needs '%s', which was resolved to the build of %s",
					ba_path_base(o->path), all->libs[o->owner].label, needed,
					all->libs[p->owner].label);
		}
	}
	return NULL;
}

typedef struct exported {
	const char *name;
	int owner;
} exported;

BA_DEFINE_ORDER(by_name, exported, strcmp(a->name, b->name) ?: a->owner - b->owner)

/* Unique symbols (STB_GNU_UNIQUE: C++ inline variables, template statics) are one for
 * the whole process whatever RTLD_LOCAL says. */
static char *shared_unique_symbol(const objects *all)
{
	BA_AUTO_FREE exported *found = NULL;
	size_t count = 0, capacity = 0;
	BA_EACH (const object, o, all->items, all->count) {
		for (size_t k = 0; o->owner >= 0 && k < o->symbol_count; k++) {
			const ElfW(Sym) *s = &o->symbols[k];
			if (ELF64_ST_BIND(s->st_info) != STB_GNU_UNIQUE || s->st_shndx == SHN_UNDEF)
				continue;
			*BA_PUSH(found, count, capacity) =
				(exported){o->strings + s->st_name, o->owner};
		}
	}
	BA_SORT(found, count, by_name);
	char *reason = NULL;
	for (size_t i = 1; i < count && !reason; i++)
		if (found[i].owner != found[i - 1].owner &&
			strcmp(found[i].name, found[i - 1].name) == 0)
			reason = ba_xprintf(
				"%s and %s both define the unique symbol '%s', which a process has only once",
				all->libs[found[i - 1].owner].label,
				all->libs[found[i].owner].label, found[i].name);
	return reason;
}

/* A variant that made its symbols global (RTLD_GLOBAL, LD_PRELOAD) answers for others.
 */
static char *interposed_symbol(const objects *all)
{
	BA_EACH (const object, o, all->items, all->count) {
		for (size_t k = 0; o->owner >= 0 && k < o->symbol_count; k++) {
			const ElfW(Sym) *s = &o->symbols[k];
			const char *name = o->strings + s->st_name;
			Dl_info info;
			char resolved[PATH_MAX];
			if (s->st_shndx == SHN_UNDEF || s->st_name == 0 ||
				ELF64_ST_BIND(s->st_info) == STB_LOCAL)
				continue;
			void *global = dlsym(RTLD_DEFAULT, name);
			if (!global || !dladdr(global, &info) || !info.dli_fname ||
				!realpath(info.dli_fname, resolved))
				continue;
			for (size_t v = 0; v < all->lib_count; v++)
				if ((int)v != o->owner &&
					ba_path_is_below(resolved, all->libs[v].tree))
					return ba_xprintf(
						"the global symbol '%s' of %s replaces that of %s",
						name, all->libs[v].label,
						all->libs[o->owner].label);
		}
	}
	return NULL;
}

bool ba_libraries_can_share(char **reason, const ba_library *libs, size_t count)
{
	BA_AUTO(objects) objects all = objects_now(libs, count);
	char *found = foreign_dependency(&all);
	if (!found)
		found = shared_unique_symbol(&all);
	if (!found)
		found = interposed_symbol(&all);
	*reason = found;
	return found == NULL;
}
