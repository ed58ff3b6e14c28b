/* Checks that the stated values of differing kernels are consistent. */

#include "verify/verify.h"

#define INSTRUCTION_BYTES 16u /* since compute capability 7.0 */

/* The size of the code must fit its number of instructions. */
static void check_classes(ba_verification *v, const char *where, const ba_kernel *k)
{
	uint64_t n = ba_kernel_instructions(k);
	if (!k->listed || !k->code_bytes || k->binary_version < 70)
		return;
	v->compared++;
	if (n == 0 || n > k->code_bytes / INSTRUCTION_BYTES)
		ba_verify_say(v, where,
			"device_code: %llu instructions in %llu bytes of machine code",
			(unsigned long long)n, (unsigned long long)k->code_bytes);
}

static void check_blocks(
	ba_verification *v, const char *where, const ba_kernel *base, const ba_kernel *mine)
{
	const ba_block_changes *b = mine->blocks;
	if (!b)
		return;
	bool all = b->same == b->baseline && b->same == b->candidate;
	v->compared++;
	if (!base || b->same > b->baseline || b->same > b->candidate || all != (b->number == 0) ||
		b->number > (b->baseline > b->candidate ? b->baseline : b->candidate))
		ba_verify_say(v, where,
			"device_code: %u of %u and %u basic blocks cannot be the same if block %u differs",
			b->same, b->baseline, b->candidate, b->number);
}

static void check_counters(ba_verification *v, const char *where, const ba_kernel *k)
{
	for (size_t i = 0; i < k->counter_count; i++) {
		v->compared++;
		if (!isfinite(k->counters[i].value) || k->counters[i].value < 0)
			ba_verify_say(v, where, "device_code: counter %s is %g",
				k->counters[i].name, k->counters[i].value);
	}
}

static void check_pairs(
	ba_verification *v, const char *where, const ba_benchmark *b, size_t candidate)
{
	const ba_device_code *base = &b->codes[0], *mine = &b->codes[candidate];
	size_t n;
	BA_AUTO_FREE ba_kernel_pair *pairs = ba_kernel_pairs(&n, base, mine);
	for (size_t i = 0; i < n; i++)
		if (pairs[i].mine != SIZE_MAX)
			check_blocks(v, where,
				pairs[i].base == SIZE_MAX ? NULL : &base->kernels[pairs[i].base],
				&mine->kernels[pairs[i].mine]);
}

void ba_verify_code(ba_verification *v, const ba_benchmark *b)
{
	for (size_t c = 0; c < b->code_count; c++) {
		for (size_t k = 0; k < b->codes[c].kernel_count; k++) {
			check_classes(v, b->id, &b->codes[c].kernels[k]);
			check_counters(v, b->id, &b->codes[c].kernels[k]);
		}
		if (c)
			check_pairs(v, b->id, b, c);
	}
}
