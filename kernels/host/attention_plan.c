#include "attention_plan.h"

#include <string.h>

#include "attention_shapes.h"

#define MMA(NAME, D, ROWS, COLS, WARPS, STAGES, BLOCKS)                    \
	{ATTENTION_MMA, "mma_" #NAME, D, ROWS, COLS, 32 * (WARPS), BLOCKS, \
		((ROWS) + (STAGES)*2 * (COLS)) * (D)*2},
/* and behind the tiles a barrier for Q and four for each stage, of eight bytes */
#define WGMMA(NAME, D, GROUPS, COLS, STAGES, WAY, BLOCKS)         \
	{ATTENTION_WGMMA, "wgmma_" #NAME, D, 64 * (GROUPS), COLS, \
		ATTENTION_WGMMA_THREADS(GROUPS, WAY), BLOCKS,     \
		(64 * (GROUPS) + (STAGES)*2 * (COLS)) * (D)*2 +   \
			8 * (1 + 4 * (STAGES))},

static const attention_kernel kernels[] = {
	ATTENTION_MMA_SHAPES(MMA) ATTENTION_WGMMA_SHAPES(WGMMA)};

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
	{128, "wgmma_192x80t", FULL, 2048, 4},
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

const attention_kernel *attention_choose(size_t heads, int sequence, int d, bool causal,
	int sm_arch, int multiprocessors)
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
			heads * tiles * 4 >=
				rule->blocks_of_four * (size_t)multiprocessors)
			return kernel;
	}
	return NULL;
}
