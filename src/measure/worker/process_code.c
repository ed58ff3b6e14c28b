#include "worker/process_code.h"

#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "wire/beacon.h"

/* Code of a variant is digested byte by byte up to this size. */
#define SMALL_BYTES ((size_t)4 << 20)
/* Constants of a library of the system are digested up to this size. */
#define CONSTANTS_BYTES ((size_t)256 << 10)
#define TABLE_NAME "its table of functions"
#define PAGES_AT_ONCE 512u
/* bits of an entry of /proc/self/pagemap */
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
static uint64_t digest_page(uint64_t h, const ba_process_code_range *r, uintptr_t address)
{
	uintptr_t first = (uintptr_t)r->start, end = first + r->bytes;
	uintptr_t from = address < first ? first : address;
	uintptr_t to = address + page_bytes() < end ? address + page_bytes() : end;
	uint64_t where[1] = {address - first};
	h = digest(h, (const unsigned char *)where, sizeof(where));
	return digest(h, (const unsigned char *)from, to - from);
}

/* Digests the pages that are no longer the file's. -1: the kernel does not report them. */
static int digest_written(uint64_t *out, const ba_process_code_range *r)
{
	uint64_t entries[PAGES_AT_ONCE];
	uintptr_t page = page_bytes(), end = (uintptr_t)r->start + r->bytes;
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC), rc = fd < 0 ? -1 : 0;
	for (uintptr_t at = (uintptr_t)r->start / page * page; rc == 0 && at < end;) {
		size_t n = (end - at + page - 1) / page;
		n = n < PAGES_AT_ONCE ? n : PAGES_AT_ONCE;
		ssize_t want = (ssize_t)(n * sizeof(entries[0]));
		if (pread(fd, entries, (size_t)want, (off_t)(at / page * sizeof(entries[0]))) !=
			want)
			rc = -1;
		for (size_t i = 0; rc == 0 && i < n; i++, at += page)
			if (entries[i] & (PAGE_PRESENT | PAGE_SWAPPED) &&
				!(entries[i] & PAGE_OF_FILE))
				*out = digest_page(*out, r, at);
	}
	if (fd >= 0)
		close(fd);
	return rc;
}

static uint64_t digest_range(const ba_process_code_range *r)
{
	uint64_t h = 0;
	if (r->pages && digest_written(&h, r) == 0)
		return h;
	return digest(0, r->start, r->bytes);
}

static void add(ba_process_code *c, ba_process_code_range item)
{
	item.digest = digest_range(&item);
	*BA_PUSH(c->items, c->count, c->capacity) = item;
}

/* ---- the loaded objects ---- */

/* bytes of a loaded object that must not change */
typedef struct part {
	uintptr_t start;
	size_t bytes;
	bool code, fixed;
} part;

static void add_part(ba_process_code *c, const struct dl_phdr_info *info, bool theirs, part p)
{
	const char *name =
		*info->dlpi_name ? ba_path_base(info->dlpi_name) : "bench-against-worker";
	if (p.bytes == 0)
		return;
	add(c, (ba_process_code_range){.object = (uintptr_t)info->dlpi_phdr,
		       .name = ba_xstrdup(name),
		       .owner = theirs ? c->learner : BA_BEACON_NOBODY,
		       .start = (const unsigned char *)p.start,
		       .bytes = p.bytes,
		       .pages = p.code && (!theirs || p.bytes > SMALL_BYTES),
		       .fixed = p.fixed,
		       .met = true});
}

/* The whole pages that the loader makes read-only after relocation. */
static part constants(const struct dl_phdr_info *info, const ElfW(Phdr) * p)
{
	uintptr_t page = page_bytes(), start = info->dlpi_addr + p->p_vaddr;
	uintptr_t end = (start + p->p_memsz) / page * page;
	return (part){.start = start, .bytes = end > start ? end - start : 0};
}

/* Bound at load, jump slots do not change, but they lie among data that does. */
static void add_jump_slots(ba_process_code *c, const struct dl_phdr_info *info, const ElfW(Dyn) * d)
{
	uintptr_t slots = 0;
	size_t count = 0;
	for (; d->d_tag != DT_NULL; d++) {
		if (d->d_tag == DT_PLTGOT)
			slots = d->d_un.d_ptr;
		else if (d->d_tag == DT_PLTRELSZ)
			count = d->d_un.d_val / sizeof(ElfW(Rela));
	}
	/* glibc relocates this address in place; other C libraries do not */
	if (slots && slots < info->dlpi_addr)
		slots += info->dlpi_addr;
	if (slots && count)
		add_part(c, info, true,
			(part){.start = slots, .bytes = (3 + count) * sizeof(void *)});
}

static void learn_segment(
	ba_process_code *c, const struct dl_phdr_info *info, bool theirs, const ElfW(Phdr) * p)
{
	uintptr_t start = info->dlpi_addr + p->p_vaddr;
	part it = {.start = start, .bytes = p->p_memsz, .code = true};
	bool fixed = theirs || c->origin == BA_PROCESS_CODE_OURS;
	if (p->p_type == PT_GNU_RELRO)
		it = constants(info, p);
	it.fixed = fixed;
	if ((p->p_type == PT_LOAD && p->p_flags & PF_X && p->p_flags & PF_R) ||
		(p->p_type == PT_GNU_RELRO && (fixed || it.bytes <= CONSTANTS_BYTES)))
		add_part(c, info, theirs, it);
	else if (p->p_type == PT_DYNAMIC && theirs && c->origin == BA_PROCESS_CODE_BOUND)
		add_jump_slots(c, info, (const ElfW(Dyn) *)start);
}

static int learn_object(struct dl_phdr_info *info, size_t size, void *data)
{
	ba_process_code *c = data;
	bool known = false;
	bool theirs = c->tree && *info->dlpi_name && ba_path_is_below(info->dlpi_name, c->tree);
	for (size_t i = 0; i < c->count; i++)
		if (c->items[i].object == (uintptr_t)info->dlpi_phdr)
			known = c->items[i].met = true;
	for (int i = 0; !known && i < info->dlpi_phnum; i++)
		learn_segment(c, info, theirs, &info->dlpi_phdr[i]);
	return 0;
}

/* ---- what changed ---- */

static void name_it(ba_buf *text, const ba_library *libs, const ba_process_code_range *r)
{
	bool table = r->object == 0;
	const char *owner = r->owner < 0 ? NULL : libs[r->owner].label;
	BA_AUTO_FREE char *one = ba_xprintf("the code of %s%s'%s'%s", owner ? owner : "",
		owner ? " (" : "", r->name, owner ? ")" : "");
	BA_AUTO_FREE char *other =
		ba_xprintf("the table of functions of %s", owner ? owner : "the driver");
	const char *name = table ? other : one;
	if (text->len && strstr(text->data, name))
		return;
	ba_buf_printf(text, "%s%s", text->len ? " and " : "", name);
}

void ba_process_code_learn(ba_process_code *c, int owner, ba_process_code_origin origin)
{
	c->learner = owner;
	c->tree = owner < 0 ? NULL : c->libs[owner].tree;
	c->origin = origin;
	dl_iterate_phdr(learn_object, c);
}

char *ba_process_code_changed(ba_process_code *c, int except, int *owner, bool *own)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	size_t known = c->count;
	*own = false;
	if (c->off)
		return NULL;
	for (size_t i = 0; i < c->count; i++)
		c->items[i].met = c->items[i].object == 0;
	ba_process_code_learn(c, except, BA_PROCESS_CODE_FOREIGN);
	BA_EACH (ba_process_code_range, item, c->items, known) {
		uint64_t now = item->met ? digest_range(item) : item->digest;
		bool changed =
			now != item->digest || (!item->met && item->owner != BA_BEACON_NOBODY);
		item->digest = now;
		if (changed && item->owner == except)
			*own = *own || item->met;
		else if (changed)
			name_it(&text, c->libs, item);
		if (changed && owner && *owner < 0 && item->owner != except)
			*owner = item->owner;
	}
	for (size_t i = known; i-- > 0;)
		if (!c->items[i].met) {
			free(c->items[i].name);
			memmove(&c->items[i], &c->items[i + 1],
				(--c->count - i) * sizeof(c->items[0]));
		}
	return text.len ? ba_buf_detach(&text) : NULL;
}

/* ---- protection ---- */

static void seal(uintptr_t start, size_t bytes)
{
	uintptr_t page = page_bytes(), from = start / page * page;
	size_t length = (start + bytes - from + page - 1) / page * page;
	/* needs Linux 6.10; without it, ba_process_code_changed() still detects a write */
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

const void *ba_process_code_keep_table(
	ba_process_code *c, int owner, const void *data, size_t bytes)
{
	const void *kept = keep(data, bytes);
	add(c, (ba_process_code_range){.name = ba_xstrdup(TABLE_NAME),
		       .owner = owner,
		       .start = kept,
		       .bytes = bytes});
	return kept;
}

void ba_process_code_seal(const ba_process_code *c)
{
	for (size_t i = 0; i < c->count && !c->off; i++)
		if (c->items[i].fixed)
			seal((uintptr_t)c->items[i].start, c->items[i].bytes);
}
