/* attention_mma.cu -- entry points: attention_mma_<name>_d<d>_<type>[_causal] */
#include "../attention_shapes.h"
#include "attention_mma.cuh"

#define ENTRY(NAME, D, ROWS, COLS, WARPS, STAGES, BLOCKS, T, CAUSAL, SUFFIX)           \
	KERNEL(32 * WARPS, BLOCKS)                                                     \
	attention_mma_##NAME##_d##D##_##T##SUFFIX(attention_args args)                 \
	{                                                                              \
		attention_mma<                                                         \
			attention_mma_shape<T, D, ROWS, COLS, WARPS, STAGES, CAUSAL>>( \
			args);                                                         \
	}
#define ENTRIES(...)                            \
	ENTRY(__VA_ARGS__, fp16, false, )       \
	ENTRY(__VA_ARGS__, fp16, true, _causal) \
	ENTRY(__VA_ARGS__, bf16, false, )       \
	ENTRY(__VA_ARGS__, bf16, true, _causal)
ATTENTION_MMA_SHAPES(ENTRIES)
#undef ENTRY
#undef ENTRIES
