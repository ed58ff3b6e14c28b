/*
 * The size limit. Entries lie in 256 directories by the first byte of their SHA-256, so
 * any of them is a fair sample of the whole. The file `sizes` remembers the bytes in
 * each; a store reads one directory again, its own, and one or more whose size is not
 * known. Nothing ever reads all of a large cache.
 *
 * The file is a memory only: where it is missing, damaged or behind, sizes are unknown,
 * estimated from those that are known, and found again store by store.
 */
#include <dirent.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "cache.h"

enum { SHARDS = 256 };
#define SAMPLE 1024	  /* enough entries to tell old ones from new ones */
#define LEARN 32	  /* entries that a store reads to learn sizes */
#define STALE_SECONDS 600 /* no file takes so long to write */
#define MAGIC 0x315345415353434cu
#define UNKNOWN UINT64_MAX

typedef struct ledger {
	uint64_t magic;
	uint64_t next; /* where the next sample begins */
	uint64_t bytes[SHARDS];
	lcfg_digest sum;
} ledger;

typedef struct file {
	unsigned shard;
	char name[65];
	uint64_t bytes;
	struct timespec used;
} file;

typedef struct listing {
	file *files;
	size_t count, capacity;
} listing;

static lcfg_digest sum_of(const ledger *l)
{
	return lcfg_sha256_of(l, offsetof(ledger, sum));
}

static void read_ledger(ledger *l, int root)
{
	int fd = openat(root, "sizes", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	ssize_t n = fd < 0 ? -1 : read(fd, l, sizeof(*l));
	lcfg_file_close(fd);
	if (n == (ssize_t)sizeof(*l) && l->magic == MAGIC) {
		lcfg_digest sum = sum_of(l);
		if (memcmp(&sum, &l->sum, sizeof(sum)) == 0)
			return;
	}
	*l = (ledger){.magic = MAGIC};
	for (unsigned i = 0; i < SHARDS; i++)
		l->bytes[i] = UNKNOWN;
}

static void write_ledger(ledger *l, int root)
{
	char name[] = "sizes.new"; /* one writer: the caller holds the lock */
	l->next %= SHARDS;
	l->sum = sum_of(l);
	unlinkat(root, name, 0);
	if (lcfg_file_write(root, name, l, sizeof(*l), false) == 0 &&
		renameat(root, name, root, "sizes"))
		unlinkat(root, name, 0);
}

static void list_file(listing *list, unsigned shard, const char *name, struct stat *st)
{
	if (list->count == list->capacity) {
		size_t capacity = list->capacity ? list->capacity * 2 : 64;
		file *files = realloc(list->files, capacity * sizeof(*files));
		if (!files)
			return;
		list->files = files;
		list->capacity = capacity;
	}
	file *f = &list->files[list->count++];
	*f = (file){.shard = shard, .bytes = (uint64_t)st->st_size, .used = st->st_atim};
	memcpy(f->name, name, strlen(name) + 1);
}

/* Opens a directory below root for readdir; NULL with errno. */
static DIR *open_below(int root, const char *path)
{
	int fd = openat(root, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir)
		lcfg_file_close(fd);
	return dir;
}

/* Bytes in a directory of the entries, each added to list (may be NULL). */
static uint64_t read_shard(listing *list, int root, unsigned shard)
{
	char path[16];
	uint64_t bytes = 0;
	snprintf(path, sizeof(path), "entries/%02x", shard);
	DIR *dir = open_below(root, path);
	for (struct dirent *e; dir && (e = readdir(dir));) {
		struct stat st;
		if (e->d_name[0] == '.' || strlen(e->d_name) > 64 ||
			fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
			!S_ISREG(st.st_mode))
			continue;
		bytes += (uint64_t)st.st_size;
		if (list)
			list_file(list, shard, e->d_name, &st);
	}
	if (dir)
		closedir(dir);
	return bytes;
}

/* Finds sizes that are not known: one directory of a large cache, all of a small one. */
static void learn(ledger *l, int root)
{
	listing list = {0};
	for (unsigned i = 0; i < SHARDS && list.count < LEARN; i++) {
		if (l->bytes[i] == UNKNOWN)
			l->bytes[i] = read_shard(&list, root, i);
	}
	free(list.files);
}

static uint64_t total(const ledger *l)
{
	uint64_t sum = 0, known = 0;
	for (unsigned i = 0; i < SHARDS; i++) {
		known += l->bytes[i] != UNKNOWN;
		sum += l->bytes[i] == UNKNOWN ? 0 : l->bytes[i];
	}
	return known == SHARDS || known == 0 ? sum : sum / known * SHARDS;
}

static int older_first(const void *a, const void *b)
{
	const struct timespec *x = &((const file *)a)->used;
	const struct timespec *y = &((const file *)b)->used;
	if (x->tv_sec != y->tv_sec)
		return x->tv_sec < y->tv_sec ? -1 : 1;
	return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

static bool remove_entry(ledger *l, int root, const file *f)
{
	char path[96];
	snprintf(path, sizeof(path), "entries/%02x/%s", f->shard, f->name);
	if (unlinkat(root, path, 0))
		return false;
	uint64_t *bytes = &l->bytes[f->shard];
	*bytes -= *bytes < f->bytes ? *bytes : f->bytes;
	return true;
}

/* Removes at most the older half of a sample, or of all; returns how many. */
static uint64_t evict_sample(ledger *l, int root, uint64_t max_bytes, unsigned *looked_at)
{
	listing list = {0};
	unsigned begin = *looked_at;
	uint64_t evicted = 0;
	while (*looked_at < SHARDS && list.count < SAMPLE) {
		unsigned shard = (unsigned)(l->next++ % SHARDS);
		l->bytes[shard] = read_shard(&list, root, shard);
		++*looked_at;
	}
	bool all = begin == 0 && *looked_at == SHARDS;
	/* down to 7/8, so that not every store evicts */
	uint64_t goal = max_bytes - max_bytes / 8;
	if (list.count)
		qsort(list.files, list.count, sizeof(list.files[0]), older_first);
	size_t most = all ? list.count : (list.count + 1) / 2;
	for (size_t i = 0; i < most && total(l) > goal; i++)
		evicted += remove_entry(l, root, &list.files[i]);
	free(list.files);
	return evicted;
}

/* What killed writers left. */
static void sweep(lcfg_cache *cache, int root)
{
	if (atomic_exchange(&cache->swept, true))
		return;
	DIR *dir = open_below(root, "tmp");
	time_t now = time(NULL);
	for (struct dirent *e; dir && (e = readdir(dir));) {
		struct stat st;
		if (e->d_name[0] != '.' &&
			fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
			now - st.st_atim.tv_sec > STALE_SECONDS)
			unlinkat(dirfd(dir), e->d_name, 0);
	}
	if (dir)
		closedir(dir);
}

void lcfg_cache_make_room(lcfg_cache *cache, int root, unsigned shard)
{
	ledger l;
	uint64_t evicted = 0;
	sweep(cache, root);
	read_ledger(&l, root);
	l.bytes[shard] = read_shard(NULL, root, shard);
	learn(&l, root);
	for (unsigned looked_at = 0; total(&l) > cache->max_bytes && looked_at < SHARDS;)
		evicted += evict_sample(&l, root, cache->max_bytes, &looked_at);
	write_ledger(&l, root);
	LCFG_HOLD(&cache->lock);
	cache->stats.bytes = total(&l);
	cache->stats.evicted += evicted;
}
