#include "model/instructions.h"

static const struct {
	const char *key, *title;
} classes[BA_CLASS_COUNT] = {
	[BA_CLASS_GLOBAL_LOAD] = {"global_load", "global loads"},
	[BA_CLASS_GLOBAL_STORE] = {"global_store", "global stores"},
	[BA_CLASS_GENERIC_LOAD] = {"generic_load", "generic loads"},
	[BA_CLASS_GENERIC_STORE] = {"generic_store", "generic stores"},
	[BA_CLASS_LOCAL_LOAD] = {"local_load", "local loads"},
	[BA_CLASS_LOCAL_STORE] = {"local_store", "local stores"},
	[BA_CLASS_SHARED_LOAD] = {"shared_load", "shared loads"},
	[BA_CLASS_SHARED_STORE] = {"shared_store", "shared stores"},
	[BA_CLASS_CONSTANT_LOAD] = {"constant_load", "constant loads"},
	[BA_CLASS_COPY] = {"copy", "asynchronous copies"},
	[BA_CLASS_TEXTURE] = {"texture", "textures and surfaces"},
	[BA_CLASS_ATOMIC] = {"atomic", "atomics"},
	[BA_CLASS_FP32] = {"fp32", "FP32"},
	[BA_CLASS_FP64] = {"fp64", "FP64"},
	[BA_CLASS_FP16] = {"fp16", "FP16 and BF16"},
	[BA_CLASS_SPECIAL] = {"special", "special functions"},
	[BA_CLASS_TENSOR] = {"tensor", "tensor cores"},
	[BA_CLASS_INTEGER] = {"integer", "integer"},
	[BA_CLASS_CONVERSION] = {"conversion", "conversions"},
	[BA_CLASS_MOVE] = {"move", "moves"},
	[BA_CLASS_WARP] = {"warp", "shuffles and votes"},
	[BA_CLASS_BARRIER] = {"barrier", "barriers"},
	[BA_CLASS_CONTROL] = {"control", "control"},
	[BA_CLASS_OTHER] = {"other", "other"},
};

const char *ba_class_key(ba_instruction_class c)
{
	return classes[c].key;
}

const char *ba_class_title(ba_instruction_class c)
{
	return classes[c].title;
}

BA_OWNS_HANDLE(ba_block_changes, b, BA_FREE(b->label, b->file),
	BA_DISPOSE(ba_strv, &b->baseline_code, &b->candidate_code))
