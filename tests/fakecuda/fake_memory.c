/* The fake driver's device memory, which is the host's: what is written can be read,
 * and there is as much as the script says. Untouched pages cost nothing. And its L2
 * cache: what was read lately is read faster. */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "fake.h"

#define L2_BYTES (UINT64_C(50) << 20)
#define MISS_BYTES_PER_NS 3000
#define HIT_BYTES_PER_NS 9000
#define LEAST_NS 500
#define RANGES_MOST 256
#define BLOCKS_MOST 4096

typedef struct range {
	uint64_t from, bytes;
	bool dirty;
} range;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static range blocks[BLOCKS_MOST];
static size_t count;
static uint64_t used;

static size_t padded(size_t bytes)
{
	return (bytes + 4095) & ~(size_t)4095;
}

cu_result fake_alloc(cu_deviceptr *address, size_t bytes)
{
	size_t size = padded(bytes);
	cu_result r = BA_CU_OUT_OF_MEMORY;
	pthread_mutex_lock(&lock);
	void *p = size <= fake_memory_bytes() - used && count < BLOCKS_MOST
			  ? mmap(NULL, size, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
			  : MAP_FAILED;
	if (p != MAP_FAILED) {
		blocks[count++] = (range){(uintptr_t)p, size, false};
		used += size;
		*address = (uintptr_t)p;
		r = 0;
	}
	pthread_mutex_unlock(&lock);
	return r;
}

void fake_free(cu_deviceptr address)
{
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < count; i++)
		if (blocks[i].from == address) {
			munmap((void *)(uintptr_t)address, blocks[i].bytes);
			used -= blocks[i].bytes;
			blocks[i] = blocks[--count];
			break;
		}
	pthread_mutex_unlock(&lock);
}

int fake_adopt(cu_deviceptr address, size_t bytes)
{
	pthread_mutex_lock(&lock);
	int room = count < BLOCKS_MOST;
	if (room)
		blocks[count++] = (range){address, bytes, false};
	pthread_mutex_unlock(&lock);
	return room;
}

void fake_forget(cu_deviceptr address)
{
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < count; i++)
		if (blocks[i].from == address) {
			blocks[i] = blocks[--count];
			break;
		}
	pthread_mutex_unlock(&lock);
}

int fake_find_block(cu_deviceptr *base, size_t *bytes, cu_deviceptr address)
{
	int found = 0;
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < count && !found; i++) {
		found = address >= blocks[i].from && address - blocks[i].from < blocks[i].bytes;
		*base = blocks[i].from;
		*bytes = (size_t)blocks[i].bytes;
	}
	pthread_mutex_unlock(&lock);
	return found;
}

size_t fake_memory_free(void)
{
	pthread_mutex_lock(&lock);
	size_t bytes = fake_memory_bytes() - used;
	pthread_mutex_unlock(&lock);
	return bytes;
}

static bool is_ours(cu_deviceptr address, size_t bytes)
{
	bool found = false;
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < count && !found; i++)
		found = address >= blocks[i].from && address - blocks[i].from <= blocks[i].bytes &&
			bytes <= blocks[i].bytes - (address - blocks[i].from);
	pthread_mutex_unlock(&lock);
	return found;
}

void fake_write(cu_deviceptr to, const void *from, size_t bytes)
{
	if (is_ours(to, bytes))
		memcpy((void *)(uintptr_t)to, from, bytes);
}

void fake_fill(cu_deviceptr to, unsigned char value, size_t bytes)
{
	if (is_ours(to, bytes))
		memset((void *)(uintptr_t)to, value, bytes);
}

int fake_can_read(cu_deviceptr from, size_t bytes)
{
	return is_ours(from, bytes);
}

/* ---- the cache ---- */

static range cached[RANGES_MOST];
static size_t cached_count;

static void drop(size_t i)
{
	memmove(cached + i, cached + i + 1, (--cached_count - i) * sizeof(cached[0]));
}

/* Room for `wanted` bytes, the oldest go first; the dirty ones among them are written
 * to memory: how many. */
static uint64_t make_room(uint64_t held, uint64_t wanted)
{
	uint64_t written = 0;
	while (cached_count && held + wanted > L2_BYTES) {
		range *oldest = &cached[0];
		uint64_t over = held + wanted - L2_BYTES;
		uint64_t gone = over < oldest->bytes ? over : oldest->bytes;
		written += oldest->dirty ? gone : 0;
		oldest->bytes -= gone;
		held -= gone;
		if (oldest->bytes == 0)
			drop(0);
	}
	if (cached_count == RANGES_MOST)
		drop(0);
	return written;
}

/* `sticky`: nothing is driven out, and a flush is none */
static int64_t touch(uint64_t from, uint64_t bytes, bool dirty, bool sticky)
{
	bool hit = false;
	uint64_t held = 0;
	for (size_t i = 0; i < cached_count;) {
		hit = hit || (cached[i].from == from && cached[i].bytes == bytes);
		if (cached[i].from == from) {
			drop(i);
			continue;
		}
		held += cached[i++].bytes;
	}
	uint64_t kept = bytes < L2_BYTES ? bytes : L2_BYTES;
	uint64_t written = make_room(sticky ? 0 : held, sticky ? 0 : kept);
	cached[cached_count++] = (range){from, kept, dirty};
	int64_t ns = (int64_t)(bytes / (hit ? HIT_BYTES_PER_NS : MISS_BYTES_PER_NS) +
			       written / MISS_BYTES_PER_NS);
	return ns > LEAST_NS ? ns : LEAST_NS;
}

int64_t fake_read_ns(uint64_t from, uint64_t bytes, int sticky)
{
	return touch(from, bytes, false, sticky);
}

int64_t fake_write_ns(uint64_t to, uint64_t bytes, int sticky)
{
	return touch(to, bytes, true, sticky);
}
