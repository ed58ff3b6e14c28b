#include "attention_plan.h"

#include <string.h>

#include "attention_shapes.h"

#define MMA(NAME, D, ROWS, COLS, WARPS, STAGES, BLOCKS)                           \
	{ATTENTION_MMA, "mma_" #NAME, D, ROWS, COLS, 32 * (WARPS), BLOCKS, false, \
		((ROWS) + (STAGES)*2 * (COLS)) * (D)*2},
/* and behind the tiles a barrier for Q and four for each stage, of eight bytes */
#define WGMMA(NAME, D, GROUPS, COLS, STAGES, WAY, BLOCKS)                               \
	{ATTENTION_WGMMA, "wgmma_" #NAME, D, 64 * (GROUPS), COLS,                       \
		ATTENTION_WGMMA_THREADS(GROUPS, WAY), BLOCKS, (WAY) == ATTENTION_TURNS, \
		(64 * (GROUPS) + (STAGES)*2 * (COLS)) * (D)*2 + 8 * (1 + 4 * (STAGES))},

static const attention_kernel kernels[] = {ATTENTION_MMA_SHAPES(MMA) ATTENTION_WGMMA_SHAPES(WGMMA)};

enum { KERNELS = sizeof(kernels) / sizeof(kernels[0]) };

/*
 * The first row that fits is taken: of this d and mask, fit for the GPU, with at least
 * so many queries, and at least so many blocks for each four multiprocessors. Large
 * tiles read K and V less often, which pays once every multiprocessor has one; before,
 * small ones keep more multiprocessors busy. Warpgroups that take turns pay where the
 * keys are many. Tables of `tests/gpu/kernels.sh tune` say what is right: the rows of
 * wgmma are measured on an NVIDIA H200, those of mma for other GPUs are not yet.
 */
typedef enum mask { ANY, FULL, CAUSAL } mask;

static const struct rule {
	int d;
	const char *name;
	mask mask;
	int sequence;
	size_t blocks_of_four;
} rules[] = {
	{64, "wgmma_128x128", FULL, 256, 4},
	{64, "wgmma_128x128", CAUSAL, 512, 4},
	{64, "wgmma_128x64", ANY, 0, 4},
	{64, "wgmma_64x64", ANY, 256, 0},
	{64, "mma_128x64w4", ANY, 256, 8},
	{64, "mma_128x64w8", ANY, 0, 4},
	{64, "mma_64x64w4", ANY, 0, 4},
	{64, "mma_32x64w2", ANY, 0, 0},
	{128, "wgmma_192x80t", FULL, 1536, 4},
	{128, "wgmma_128x128t", CAUSAL, 2048, 4},
	{128, "wgmma_128x64", ANY, 0, 4},
	{128, "wgmma_128x64", ANY, 256, 0},
	{128, "mma_128x64w8", ANY, 0, 4},
	{128, "mma_64x64w4", ANY, 0, 0},
};

size_t attention_kernel_count(void)
{
	return KERNELS;
}

const attention_kernel *attention_kernel_at(size_t number)
{
	return number >= 1 && number <= KERNELS ? &kernels[number - 1] : NULL;
}

const char *attention_kernel_unfit(const attention_kernel *kernel, int d, int sm_arch)
{
	if (kernel->d != d)
		return "this kernel is for another d";
	if (kernel->family == ATTENTION_WGMMA && sm_arch != 90)
		return "needs compute capability 9.0";
	if (sm_arch < 80)
		return "needs compute capability 8.0";
	return NULL;
}

static const attention_kernel *find(const char *name, int d)
{
	for (size_t i = 0; i < KERNELS; i++)
		if (kernels[i].d == d && strcmp(kernels[i].name, name) == 0)
			return &kernels[i];
	return NULL;
}

const attention_kernel *attention_choose(
	size_t heads, int sequence, int d, bool causal, int sm_arch, int multiprocessors)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		const struct rule *rule = &rules[i];
		const attention_kernel *kernel = find(rule->name, rule->d);
		size_t tiles;

		if (!kernel || attention_kernel_unfit(kernel, d, sm_arch) ||
			rule->mask == (causal ? FULL : CAUSAL))
			continue;
		tiles = (size_t)(sequence + kernel->rows - 1) / (size_t)kernel->rows;
		if (sequence >= rule->sequence &&
			heads * tiles * 4 >= rule->blocks_of_four * (size_t)multiprocessors)
			return kernel;
	}
	return NULL;
}

/* ---- rows of blocks ---- */

/* When blocks that take 1 each, and after them others that take `cost`, are done, each
 * as soon as one of `places` is free. */
static double span(size_t whole, size_t rest, double cost, size_t places)
{
	const size_t late = whole % places; /* places that have a whole one more */
	double early_free = (double)(whole / places), late_free = early_free + 1;
	double end = late ? late_free : early_free;

	while (rest > 0) {
		const bool early = !late || early_free <= late_free;
		const size_t free_places = early ? places - late : late;

		if (early)
			early_free += cost;
		else
			late_free += cost;
		if ((early ? early_free : late_free) > end)
			end = early ? early_free : late_free;
		rest -= rest < free_places ? rest : free_places;
	}
	return end;
}

/* What must be gained for more blocks to pay: each reads all keys. On an H200, 128
 * heads and 3072 rows, of which 0.6 % were expected, took 4 % longer. */
#define WORTH 0.98

/* A block of fewer warpgroups takes longer than its share: estimated, not measured. */
static double cost_of(int groups, int all)
{
	return (0.66 + groups) / (0.66 + all);
}

void attention_split_rows(attention_split *out, const attention_kernel *kernel, size_t heads,
	int sequence, bool causal, int multiprocessors)
{
	const int groups = kernel->rows / 64, full = sequence / kernel->rows;
	const size_t places = (size_t)multiprocessors * (size_t)kernel->blocks;
	double best = 0;

	*out = (attention_split){(sequence + kernel->rows - 1) / kernel->rows, full, groups};
	if (!kernel->splits || causal)
		return;
	for (int whole = full; whole >= 0 && whole >= full - 2; whole--)
		for (int rest = groups; rest >= 1; rest--) {
			const int rows = sequence - whole * kernel->rows;
			const int blocks = (rows + 64 * rest - 1) / (64 * rest);
			const int most = (rows + 63) / 64 < rest ? (rows + 63) / 64 : rest;
			const double end = span(heads * (size_t)whole, heads * (size_t)blocks,
				cost_of(most, groups), places);

			if (best == 0 || end < best * WORTH) {
				best = end;
				*out = (attention_split){whole + blocks, whole, rest};
			}
		}
}
