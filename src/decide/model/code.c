#include "model/code.h"

BA_OWNS(ba_device_code, c,
	BA_FREE_EACH(k, c->kernels, c->kernel_count,
		BA_FREE_EACH(x, k->counters, k->counter_count, free(x->name)),
		ba_block_changes_free(k->blocks), free(k->name)),
	BA_FREE(c->reason, c->listing_reason, c->counters_reason))

ba_kernel *ba_device_code_add(ba_device_code *c)
{
	ba_kernel *k = BA_APPEND(c->kernels, c->kernel_count);
	*k = (ba_kernel){0};
	return k;
}

/* The first code in b that is not taken, and if not NULL called `name`. */
static size_t take(const ba_device_code *b, bool *taken, const char *name)
{
	for (size_t i = 0; i < b->kernel_count; i++) {
		if (taken[i] || (name && strcmp(b->kernels[i].name, name) != 0))
			continue;
		taken[i] = true;
		return i;
	}
	return SIZE_MAX;
}

ba_kernel_pair *ba_kernel_pairs(
	size_t *count, const ba_device_code *base, const ba_device_code *mine)
{
	size_t n = base->kernel_count, i;
	BA_AUTO_FREE bool *taken = ba_xcalloc(mine->kernel_count + 1, sizeof(*taken));
	ba_kernel_pair *pairs = ba_xcalloc(n + mine->kernel_count + 1, sizeof(*pairs));
	for (i = 0; i < n; i++)
		pairs[i] = (ba_kernel_pair){i, take(mine, taken, base->kernels[i].name)};
	for (i = 0; i < n; i++)
		if (pairs[i].mine == SIZE_MAX)
			pairs[i].mine = take(mine, taken, NULL);
	for (size_t k; (k = take(mine, taken, NULL)) != SIZE_MAX;)
		pairs[n++] = (ba_kernel_pair){SIZE_MAX, k};
	*count = n;
	return pairs;
}

uint64_t ba_kernel_instructions(const ba_kernel *k)
{
	uint64_t sum = 0;
	for (int c = 0; k->listed && c < BA_CLASS_COUNT; c++)
		sum += k->classes[c];
	return sum;
}

static bool is_equal(const char *a, const char *b)
{
	return *a && strcmp(a, b) == 0;
}

bool ba_device_code_is_same(const ba_device_code *a, const ba_device_code *b)
{
	return is_equal(a->code_sha256, b->code_sha256) &&
	       is_equal(a->work_sha256, b->work_sha256) &&
	       is_equal(a->memory_sha256, b->memory_sha256);
}
