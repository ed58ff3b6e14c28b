#include "compare/ledger.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/require.h"
#include "base/rng.h"

void ba_ledger_init(ba_ledger *l, size_t variants, bool several_files)
{
	*l = (ba_ledger){.variants = variants,
		.several_files = several_files,
		.slot_count = 1024,
		.seed = ba_rng_entropy()};
	l->slots = ba_xcalloc(l->slot_count, sizeof(*l->slots));
}

void ba_ledger_dispose(ba_ledger *l)
{
	for (size_t i = 0; i < l->count; i++)
		free(l->rows[i].id);
	for (size_t i = 0; i < l->count * l->variants; i++)
		free(l->entries[i].failure);
	free(l->rows);
	free(l->entries);
	free(l->files);
	free(l->slots);
	ba_strv_dispose(&l->metrics);
	*l = (ba_ledger){0};
}

/* eight bytes at a time, each through a product whose halves are folded (wyhash) */
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

int ba_ledger_check(
	const ba_ledger *l, const char *metric, const char *path, ba_error *err)
{
	if (l->metrics.count >= BA_LEDGER_METRICS_MOST &&
		!ba_strv_has(&l->metrics, metric))
		return ba_fail(err, BA_EDATA,
			"'%s': more than %d metrics; choose one with --metric", path,
			BA_LEDGER_METRICS_MOST);
	if (l->count >= UINT32_MAX - 1)
		return ba_fail(err, BA_EDATA, "'%s': more than 2^32 benchmarks", path);
	return 0;
}

static uint16_t metric_index(ba_ledger *l, const char *metric)
{
	size_t i = 0;
	while (i < l->metrics.count && strcmp(l->metrics.items[i], metric) != 0)
		i++;
	if (i == l->metrics.count) {
		BA_REQUIRE(i < BA_LEDGER_METRICS_MOST);
		ba_strv_push(&l->metrics, metric);
	}
	return (uint16_t)i;
}

static void put_slot(ba_ledger *l, size_t row)
{
	size_t i = l->rows[row].hash & (l->slot_count - 1);
	while (l->slots[i])
		i = (i + 1) & (l->slot_count - 1);
	l->slots[i] = (uint32_t)row + 1;
}

static void grow_slots(ba_ledger *l)
{
	free(l->slots);
	l->slot_count *= 2;
	l->slots = ba_xcalloc(l->slot_count, sizeof(*l->slots));
	for (size_t i = 0; i < l->count; i++)
		put_slot(l, i);
}

/* Room for a row, zeroed row by row: a large list that grows then touches no page that it
 * does not use yet. */
static void grow_rows(ba_ledger *l)
{
	size_t before = l->capacity, n = l->variants;
	l->rows = BA_GROW(l->rows, &l->capacity, l->count + 1);
	if (l->capacity != before) {
		size_t count = l->capacity * n;
		l->entries = ba_xreallocarray(l->entries, count, sizeof(ba_entry));
		if (l->several_files)
			l->files =
				ba_xreallocarray(l->files, count, sizeof(ba_moments));
	}
	memset(l->entries + l->count * n, 0, n * sizeof(ba_entry));
	if (l->several_files)
		memset(l->files + l->count * n, 0, n * sizeof(ba_moments));
}

static bool is_row(const ba_row *row, const char *id, uint16_t metric)
{
	return row->metric == metric && strcmp(row->id, id) == 0;
}

size_t ba_ledger_row(ba_ledger *l, const char *id, const char *metric)
{
	uint16_t index = metric_index(l, metric);
	/* the same again, or the one after it, as in the file before */
	for (size_t k = l->last; k < l->count && k <= l->last + 1; k++)
		if (is_row(&l->rows[k], id, index))
			return l->last = k;
	size_t size = strlen(id);
	uint64_t hash = hash_of(l->seed, id, size, index);
	for (size_t i = hash & (l->slot_count - 1); l->slots[i];
		i = (i + 1) & (l->slot_count - 1)) {
		size_t row = l->slots[i] - 1;
		if (l->rows[row].hash == hash && is_row(&l->rows[row], id, index))
			return l->last = row;
	}
	grow_rows(l);
	l->rows[l->count] =
		(ba_row){.hash = hash, .id = ba_xstrndup(id, size), .metric = index};
	l->last = l->count++;
	if (4 * l->count > 3 * l->slot_count)
		grow_slots(l);
	else
		put_slot(l, l->last);
	return l->last;
}

ba_entry *ba_ledger_entry(ba_ledger *l, size_t row, size_t variant)
{
	return &l->entries[row * l->variants + variant];
}

ba_moments *ba_ledger_files(ba_ledger *l, size_t row, size_t variant)
{
	return &l->files[row * l->variants + variant];
}
