/* attention_wgmma.cu -- entry points, for sm_90a:
 * attention_wgmma_<name>_d<d>_<type>[_causal] */
#include "../attention_shapes.h"
#include "attention_wgmma.cuh"

#define ENTRY(NAME, D, GROUPS, COLS, STAGES, WAY, BLOCKS, T, CAUSAL, SUFFIX)           \
	KERNEL(ATTENTION_WGMMA_THREADS(GROUPS, WAY), BLOCKS)                           \
	attention_wgmma_##NAME##_d##D##_##T##SUFFIX(                                   \
		const __grid_constant__ attention_wgmma_args args)                     \
	{                                                                              \
		attention_wgmma<attention_wgmma_shape<T, D, GROUPS, COLS, STAGES, WAY, \
			CAUSAL>>(args);                                                \
	}
#define ENTRIES(...)                            \
	ENTRY(__VA_ARGS__, fp16, false, )       \
	ENTRY(__VA_ARGS__, fp16, true, _causal) \
	ENTRY(__VA_ARGS__, bf16, false, )       \
	ENTRY(__VA_ARGS__, bf16, true, _causal)
ATTENTION_WGMMA_SHAPES(ENTRIES)
#undef ENTRY
#undef ENTRIES
