#include "worker/guard.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/base.h"
#include "wire/beacon.h"

/* digested byte by byte up to this size */
#define SMALL_BYTES ((size_t)4 << 20)
/* and of a library of the system, as its constants */
#define CONSTANTS_BYTES ((size_t)256 << 10)
#define TABLE_NAME "its table of functions"
#define PAGES_AT_ONCE 512u
/* of an entry of /proc/self/pagemap */
#define PAGE_PRESENT (UINT64_C(1) << 63)
#define PAGE_SWAPPED (UINT64_C(1) << 62)
#define PAGE_OF_FILE (UINT64_C(1) << 61)
#ifndef __NR_mseal
#define __NR_mseal 462
#endif

typedef uint64_t __attribute__((may_alias, aligned(1))) any_word;

/* Constants of an instrumented object lie between bytes that AddressSanitizer forbids. */
__attribute__((no_sanitize("address", "undefined"))) static uint64_t digest(
	uint64_t h, const unsigned char *p, size_t bytes)
{
	size_t i = 0;
	for (; i + 8 <= bytes; i += 8) {
		h = (h ^ *(const any_word *)(p + i)) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	for (; i < bytes; i++)
		h = (h ^ p[i]) * UINT64_C(0x100000001b3);
	return h ^ h >> 32;
}

static uintptr_t page_bytes(void)
{
	return (uintptr_t)sysconf(_SC_PAGESIZE);
}

/* The part of the range in the page at `address`. */
static uint64_t digest_page(uint64_t h, const ba_guarded *g, uintptr_t address)
{
	uintptr_t first = (uintptr_t)g->start, end = first + g->bytes;
	uintptr_t from = address < first ? first : address;
	uintptr_t to = address + page_bytes() < end ? address + page_bytes() : end;
	uint64_t where[1] = {address - first};
	h = digest(h, (const unsigned char *)where, sizeof(where));
	return digest(h, (const unsigned char *)from, to - from);
}

/* -1: the kernel does not tell */
static int digest_written(uint64_t *out, const ba_guarded *g)
{
	uint64_t entries[PAGES_AT_ONCE];
	uintptr_t page = page_bytes(), end = (uintptr_t)g->start + g->bytes;
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC), rc = fd < 0 ? -1 : 0;
	for (uintptr_t at = (uintptr_t)g->start / page * page; rc == 0 && at < end;) {
		size_t n = (end - at + page - 1) / page;
		n = n < PAGES_AT_ONCE ? n : PAGES_AT_ONCE;
		ssize_t want = (ssize_t)(n * sizeof(entries[0]));
		if (pread(fd, entries, (size_t)want, (off_t)(at / page * sizeof(entries[0]))) !=
			want)
			rc = -1;
		for (size_t i = 0; rc == 0 && i < n; i++, at += page)
			if (entries[i] & (PAGE_PRESENT | PAGE_SWAPPED) &&
				!(entries[i] & PAGE_OF_FILE))
				*out = digest_page(*out, g, at);
	}
	if (fd >= 0)
		close(fd);
	return rc;
}

static uint64_t digest_range(const ba_guarded *g)
{
	uint64_t h = 0;
	if (g->pages && digest_written(&h, g) == 0)
		return h;
	return digest(0, g->start, g->bytes);
}

static ba_guarded *add(ba_guard *g, ba_guarded item)
{
	g->items = BA_GROW(g->items, &g->capacity, g->count + 1);
	item.digest = digest_range(&item);
	g->items[g->count] = item;
	return &g->items[g->count++];
}

/* ---- the loaded objects ---- */

/* what of an object is met */
typedef struct part {
	uintptr_t start;
	size_t bytes;
	bool code, fixed;
} part;

static void add_part(ba_guard *g, const struct dl_phdr_info *info, bool theirs, part p)
{
	const char *name =
		*info->dlpi_name ? ba_path_base(info->dlpi_name) : "bench-against-worker";
	if (p.bytes == 0)
		return;
	add(g, (ba_guarded){.object = (uintptr_t)info->dlpi_phdr,
		       .name = ba_xstrdup(name),
		       .owner = theirs ? g->learner : BA_BEACON_NOBODY,
		       .start = (const unsigned char *)p.start,
		       .bytes = p.bytes,
		       .pages = p.code && (!theirs || p.bytes > SMALL_BYTES),
		       .fixed = p.fixed,
		       .met = true});
}

/* What the loader protects after it has relocated it: whole pages. */
static part constants(const struct dl_phdr_info *info, const ElfW(Phdr) * p)
{
	uintptr_t page = page_bytes(), start = info->dlpi_addr + p->p_vaddr;
	uintptr_t end = (start + p->p_memsz) / page * page;
	return (part){.start = start, .bytes = end > start ? end - start : 0};
}

/* Bound at load, they do not change; they lie among data that does. */
static void add_jump_slots(ba_guard *g, const struct dl_phdr_info *info, const ElfW(Dyn) * d)
{
	uintptr_t slots = 0;
	size_t count = 0;
	for (; d->d_tag != DT_NULL; d++) {
		if (d->d_tag == DT_PLTGOT)
			slots = d->d_un.d_ptr;
		else if (d->d_tag == DT_PLTRELSZ)
			count = d->d_un.d_val / sizeof(ElfW(Rela));
	}
	/* glibc has relocated the address in place; other systems have not */
	if (slots && slots < info->dlpi_addr)
		slots += info->dlpi_addr;
	if (slots && count)
		add_part(g, info, true,
			(part){.start = slots, .bytes = (3 + count) * sizeof(void *)});
}

static void learn_segment(
	ba_guard *g, const struct dl_phdr_info *info, bool theirs, const ElfW(Phdr) * p)
{
	uintptr_t start = info->dlpi_addr + p->p_vaddr;
	part it = {.start = start, .bytes = p->p_memsz, .code = true};
	bool fixed = theirs || g->how == BA_GUARD_OURS;
	if (p->p_type == PT_GNU_RELRO)
		it = constants(info, p);
	it.fixed = fixed;
	if ((p->p_type == PT_LOAD && p->p_flags & PF_X && p->p_flags & PF_R) ||
		(p->p_type == PT_GNU_RELRO && (fixed || it.bytes <= CONSTANTS_BYTES)))
		add_part(g, info, theirs, it);
	else if (p->p_type == PT_DYNAMIC && theirs && g->how == BA_GUARD_BOUND)
		add_jump_slots(g, info, (const ElfW(Dyn) *)start);
}

static int learn_object(struct dl_phdr_info *info, size_t size, void *data)
{
	ba_guard *g = data;
	bool known = false;
	bool theirs = g->tree && *info->dlpi_name && ba_path_is_below(info->dlpi_name, g->tree);
	(void)size;
	for (size_t i = 0; i < g->count; i++)
		if (g->items[i].object == (uintptr_t)info->dlpi_phdr)
			known = g->items[i].met = true;
	for (int i = 0; !known && i < info->dlpi_phnum; i++)
		learn_segment(g, info, theirs, &info->dlpi_phdr[i]);
	return 0;
}

static void drop(ba_guard *g, size_t i)
{
	free(g->items[i].name);
	memmove(&g->items[i], &g->items[i + 1], (--g->count - i) * sizeof(g->items[0]));
}

/* ---- what changed ---- */

static void name_it(ba_buf *text, const ba_library *libs, const ba_guarded *g)
{
	bool table = g->object == 0;
	const char *owner = g->owner < 0 ? NULL : libs[g->owner].label;
	BA_AUTO_FREE char *one = ba_xprintf("the code of %s%s'%s'%s", owner ? owner : "",
		owner ? " (" : "", g->name, owner ? ")" : "");
	BA_AUTO_FREE char *other =
		ba_xprintf("the table of functions of %s", owner ? owner : "the driver");
	const char *name = table ? other : one;
	if (text->len && strstr(text->data, name))
		return;
	ba_buf_printf(text, "%s%s", text->len ? " and " : "", name);
}

void ba_guard_learn(ba_guard *g, int owner, ba_guard_how how)
{
	g->learner = owner;
	g->tree = owner < 0 ? NULL : g->libs[owner].tree;
	g->how = (int)how;
	dl_iterate_phdr(learn_object, g);
}

char *ba_guard_changed(ba_guard *g, int except, int *owner, bool *own)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	size_t known = g->count;
	*own = false;
	if (g->off)
		return NULL;
	for (size_t i = 0; i < g->count; i++)
		g->items[i].met = g->items[i].object == 0;
	ba_guard_learn(g, except, BA_GUARD_FOREIGN);
	for (size_t i = 0; i < known; i++) {
		ba_guarded *item = &g->items[i];
		uint64_t now = item->met ? digest_range(item) : item->digest;
		bool changed =
			now != item->digest || (!item->met && item->owner != BA_BEACON_NOBODY);
		item->digest = now;
		if (changed && item->owner == except)
			*own = *own || item->met;
		else if (changed)
			name_it(&text, g->libs, item);
		if (changed && owner && *owner < 0 && item->owner != except)
			*owner = item->owner;
	}
	for (size_t i = known; i-- > 0;)
		if (!g->items[i].met)
			drop(g, i);
	return text.len ? ba_buf_detach(&text) : NULL;
}

/* ---- protection ---- */

static void seal(uintptr_t start, size_t bytes)
{
	uintptr_t page = page_bytes(), from = start / page * page;
	size_t length = (start + bytes - from + page - 1) / page * page;
	/* since Linux 6.10; elsewhere what was written is noticed later */
	syscall(__NR_mseal, from, length, 0UL);
}

static const void *keep(const void *data, size_t bytes)
{
	void *copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (copy == MAP_FAILED)
		return ba_xmemdup0(data, bytes);
	memcpy(copy, data, bytes);
	mprotect(copy, bytes, PROT_READ);
	seal((uintptr_t)copy, bytes);
	return copy;
}

const void *ba_guard_keep_table(ba_guard *g, int owner, const void *data, size_t bytes)
{
	const void *kept = keep(data, bytes);
	add(g, (ba_guarded){.name = ba_xstrdup(TABLE_NAME),
		       .owner = owner,
		       .start = kept,
		       .bytes = bytes});
	return kept;
}

void ba_guard_seal(const ba_guard *g)
{
	for (size_t i = 0; i < g->count && !g->off; i++)
		if (g->items[i].fixed)
			seal((uintptr_t)g->items[i].start, g->items[i].bytes);
}
