#include "compare/ledger.h"

void ba_ledger_init(ba_ledger *l, size_t variants, bool several_files)
{
	*l = (ba_ledger){.variants = variants,
		.several_files = several_files,
		.row_size = sizeof(ba_row) + variants * sizeof(ba_entry),
		.rows = ba_pile_new(),
		.texts = ba_pile_new(),
		.slot_count = 1024,
		.seed = ba_rng_entropy()};
	if (several_files)
		l->row_size += variants * sizeof(ba_moments);
	BA_REQUIRE(l->row_size <= BA_PILE_CHUNK / 2);
	l->per_chunk = BA_PILE_CHUNK / l->row_size;
	l->inverse = UINT64_MAX / l->per_chunk + 1;
	l->slots = ba_xcalloc(l->slot_count, sizeof(*l->slots));
	(void)ba_pile_add(l->texts, 1); /* place 0 means no text */
}

void ba_ledger_close(ba_ledger *l)
{
	free(l->slots);
	l->slots = NULL;
	l->slot_count = 0;
}

BA_OWNS(ba_ledger, l, ba_ledger_close(l), ba_pile_free(l->rows), ba_pile_free(l->texts),
	ba_strv_dispose(&l->metrics))

/* Hashes eight bytes at a time, each by a product whose halves are folded (wyhash). */
static uint64_t mix(uint64_t a, uint64_t b)
{
	__extension__ unsigned __int128 product = (unsigned __int128)a * b;
	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t hash_of(uint64_t seed, const char *id, size_t size, uint64_t metric)
{
	uint64_t h = seed ^ mix(metric + 1, UINT64_C(0x9e3779b97f4a7c15)), word;
	size_t i = 0;
	for (; i + 8 <= size; i += 8) {
		memcpy(&word, id + i, 8);
		h = mix(h ^ word, seed ^ UINT64_C(0xa0761d6478bd642f));
	}
	word = 0;
	memcpy(&word, id + i, size - i);
	h = mix(h ^ word, seed ^ UINT64_C(0xe7037ed1a0b428db));
	return mix(h ^ size, UINT64_C(0x8ebc6af09c88c6e3));
}

int ba_ledger_check(const ba_ledger *l, const char *metric, const char *path, ba_error *err)
{
	if (l->metrics.count >= BA_LEDGER_METRICS_MOST && !ba_strv_has(&l->metrics, metric))
		return ba_fail(err, BA_EDATA,
			"'%s': more than %d metrics; choose one with --metric", path,
			BA_LEDGER_METRICS_MOST);
	if (l->count >= UINT32_MAX / 2)
		return ba_fail(err, BA_EDATA, "'%s': more than 2^31 benchmarks", path);
	return 0;
}

static uint16_t metric_index(ba_ledger *l, const char *metric)
{
	size_t i = ba_strv_find(&l->metrics, metric);
	if (i == l->metrics.count) {
		BA_REQUIRE(i < BA_LEDGER_METRICS_MOST);
		ba_strv_push(&l->metrics, metric);
	}
	return (uint16_t)i;
}

static void put_slot(ba_ledger *l, ba_slot slot)
{
	size_t i = slot.hash & (l->slot_count - 1);
	while (l->slots[i].row)
		i = (i + 1) & (l->slot_count - 1);
	l->slots[i] = slot;
}

static void grow_slots(ba_ledger *l)
{
	BA_AUTO_FREE ba_slot *before = l->slots;
	size_t count = l->slot_count;
	l->slot_count *= 2;
	l->slots = ba_xcalloc(l->slot_count, sizeof(*l->slots));
	for (size_t i = 0; i < count; i++)
		if (before[i].row)
			put_slot(l, before[i]);
}

size_t ba_ledger_add_text(ba_ledger *l, const char *text)
{
	size_t size = strlen(text) + 1, place = ba_pile_add(l->texts, size);
	memcpy(ba_pile_at(l->texts, place), text, size);
	return place;
}

static bool is_row(const ba_ledger *l, size_t row, const char *id, uint16_t metric)
{
	return ba_ledger_at(l, row)->metric == metric && strcmp(ba_ledger_id(l, row), id) == 0;
}

static void add_row(ba_ledger *l, const char *id, uint16_t metric)
{
	size_t row = l->count++;
	/* rows are allocated a chunk at a time */
	if (row % l->per_chunk == 0)
		(void)ba_pile_add(l->rows, BA_PILE_CHUNK);
	*ba_ledger_at(l, row) = (ba_row){.id = ba_ledger_add_text(l, id), .metric = metric};
}

/* SIZE_MAX: there is none */
static size_t find_row(const ba_ledger *l, const char *id, uint16_t index, uint32_t hash)
{
	for (size_t i = hash & (l->slot_count - 1); l->slots[i].row;
		i = (i + 1) & (l->slot_count - 1)) {
		size_t row = l->slots[i].row - 1;
		if (l->slots[i].hash == hash && is_row(l, row, id, index))
			return row;
	}
	return SIZE_MAX;
}

bool ba_ledger_has(const ba_ledger *l, const char *id, const char *metric)
{
	size_t i = ba_strv_find(&l->metrics, metric);
	uint32_t hash = (uint32_t)hash_of(l->seed, id, strlen(id), (uint16_t)i);
	return i < l->metrics.count && find_row(l, id, (uint16_t)i, hash) != SIZE_MAX;
}

size_t ba_ledger_row(ba_ledger *l, const char *id, const char *metric)
{
	uint16_t index = metric_index(l, metric);
	/* the same row as last time or the next: files often have one order */
	for (size_t k = l->last; k < l->count && k <= l->last + 1; k++)
		if (is_row(l, k, id, index))
			return l->last = k;
	uint32_t hash = (uint32_t)hash_of(l->seed, id, strlen(id), index);
	size_t known = find_row(l, id, index, hash);
	if (known != SIZE_MAX)
		return l->last = known;
	l->last = l->count;
	add_row(l, id, index);
	if (4 * l->count > 3 * l->slot_count)
		grow_slots(l);
	put_slot(l, (ba_slot){hash, (uint32_t)l->count});
	return l->last;
}

ba_moments *ba_ledger_files(const ba_ledger *l, size_t row, size_t variant)
{
	if (!l->several_files)
		return NULL;
	ba_entry *end = ba_ledger_entry(l, row, l->variants);
	return (ba_moments *)(void *)end + variant;
}
