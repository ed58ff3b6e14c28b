#include "base/pile.h"

#include <sys/mman.h>

#include "base/base.h"

enum {
	/* first chunk that may be in the file */
	FIRST = BA_PILE_MEMORY >> BA_PILE_SHIFT,
	WINDOW = BA_PILE_WINDOW >> BA_PILE_SHIFT, /* chunks */
	/* number of chunks of the file that are mapped together, because mappings are
	 * limited */
	STEP = 64,
	HUGE = (2 << 20) >> BA_PILE_SHIFT, /* number of chunks in a huge page */
	ROUNDS = 64
};

/* since Linux 5.14; older kernels allocate pages on first use */
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

typedef enum state { IN_MEMORY, IN_FILE, IN_WINDOW } state;

typedef struct ba_pile_rest {
	unsigned char *states; /* [mapped] state */
	size_t mapped, capacity;
	size_t count, used; /* number of used chunks; bytes used in the last one */
	/* the chunks in the window; 0, which is always in memory: none */
	size_t window[WINDOW];
	/* the oldest entry of the window; number of chunks that left it */
	size_t oldest, left;
	int fd;
	bool no_file;
} rest;

ba_pile *ba_pile_new(void)
{
	ba_pile *p = ba_xcalloc(1, sizeof(*p));
	p->rest = ba_xcalloc(1, sizeof(*p->rest));
	p->rest->fd = -1;
	return p;
}

static void leave_file(rest *r)
{
	ba_auto_close(&r->fd);
	r->fd = -1;
	r->no_file = true;
}

void ba_pile_free(ba_pile *p)
{
	if (!p)
		return;
	for (size_t i = 0, n; i < p->rest->mapped; i += n) {
		/* unmaps neighbouring chunks together, so that no huge page is split */
		for (n = 1; i + n < p->rest->mapped; n++)
			if (p->chunks[i + n] != p->chunks[i] + n * BA_PILE_CHUNK)
				break;
		munmap(p->chunks[i], n * BA_PILE_CHUNK);
	}
	leave_file(p->rest);
	BA_FREE(p->chunks, p->rest->states, p->rest, p);
}

/* ---- room ---------------------------------------------------------------- */

static char *map(size_t size, int flags, int fd, size_t offset)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, fd, (off_t)offset);
	return at == MAP_FAILED ? NULL : at;
}

/* Larger mappings use huge pages if the system has them: one page fault instead of 512. */
static char *map_memory(size_t size)
{
	char *at = map(size, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at && size >= HUGE * BA_PILE_CHUNK)
		madvise(at, size, MADV_HUGEPAGE);
	if (at)
		madvise(at, size, MADV_POPULATE_WRITE);
	return at;
}

/* maps the next bytes of the file, or returns NULL */
static char *map_file(rest *r, size_t offset, size_t size)
{
	if (r->fd < 0 && !r->no_file)
		r->no_file = ba_fs_open_unnamed(&r->fd, NULL) != 0;
	/* without room on the disk, the first write to the mapping would end the
	 * process */
	if (r->no_file || posix_fallocate(r->fd, (off_t)offset, (off_t)size) != 0)
		return NULL;
	return map(size, MAP_SHARED, r->fd, offset);
}

static void grow(ba_pile *p, size_t chunks)
{
	rest *r = p->rest;
	size_t count = chunks > STEP ? chunks : STEP, before = r->mapped;
	char *at = NULL;
	if (before >= FIRST)
		at = map_file(r, before << BA_PILE_SHIFT, count << BA_PILE_SHIFT);
	state kind = at ? IN_FILE : IN_MEMORY;
	if (!at) {
		if (before >= FIRST)
			leave_file(r);
		count = before < HUGE || chunks > HUGE ? chunks : HUGE;
		at = map_memory(count << BA_PILE_SHIFT);
	}
	if (!at)
		ba_out_of_memory(count << BA_PILE_SHIFT);
	r->mapped += count;
	if (r->mapped > r->capacity) {
		p->chunks = BA_GROW(p->chunks, &r->capacity, r->mapped);
		r->states = ba_xrealloc(r->states, r->capacity);
	}
	for (size_t i = before; i < r->mapped; i++, at += BA_PILE_CHUNK) {
		p->chunks[i] = at;
		r->states[i] = (unsigned char)kind;
	}
}

size_t ba_pile_add(ba_pile *p, size_t size)
{
	rest *r = p->rest;
	size_t chunks = (size + BA_PILE_CHUNK - 1) >> BA_PILE_SHIFT;
	if (!r->count || size > BA_PILE_CHUNK - r->used) {
		if (r->count + chunks > r->mapped) {
			r->count = r->mapped;
			grow(p, chunks);
		}
		r->count += chunks;
		r->used = size - ((chunks - 1) << BA_PILE_SHIFT);
		return (r->count - chunks) << BA_PILE_SHIFT;
	}
	size_t place = ((r->count - 1) << BA_PILE_SHIFT) + r->used;
	r->used += size;
	return place;
}

/* ---- the window ---------------------------------------------------------- */

void ba_pile_use_(ba_pile *p, size_t chunk)
{
	rest *r = p->rest;
	p->last = chunk;
	if (r->states[chunk] != IN_FILE || r->left / ROUNDS >= r->mapped)
		return;
	size_t leaves = r->window[r->oldest];
	if (leaves) {
		r->left++;
		/* the written content is in the file */
		madvise(p->chunks[leaves], BA_PILE_CHUNK, MADV_DONTNEED);
		r->states[leaves] = IN_FILE;
	}
	r->states[chunk] = IN_WINDOW;
	r->window[r->oldest] = chunk;
	r->oldest = (r->oldest + 1) % WINDOW;
}
