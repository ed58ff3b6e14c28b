/* The device code of a benchmark, with one entry for each variant. */

#include "store/parts.h"

/* limit for instructions of one class in one kernel */
#define CLASS_MOST (UINT64_C(1) << 32)

BA_DEFINE_WORDS(
	static, class_words, BA_CLASS_COUNT, ba_class_key((ba_instruction_class)value), NULL);

static const ba_json_field block_rows[] = {
	BA_FIELD_EACH(ba_block_changes, UNSIGNED, baseline, candidate, same, number),
	BA_FIELD_EACH(ba_block_changes, MAYBE, label, file),
	BA_FIELD(ba_block_changes, line, UNSIGNED),
	BA_FIELD_EACH(ba_block_changes, LIST, baseline_code, candidate_code),
};
const ba_json_fields ba_block_fields = BA_FIELDS_INIT(block_rows);

static const ba_json_field counter_fields[] = {
	BA_FIELD(ba_counter_value, name, TEXT),
	BA_FIELD(ba_counter_value, value, F64),
};

static const ba_json_field kernel_rows[] = {
	BA_FIELD(ba_kernel, name, TEXT),
	BA_FIELD(ba_kernel, sha256, DIGEST),
	BA_FIELD(ba_kernel, launches, U64),
	BA_FIELD_EACH(ba_kernel, UNSIGNED, grid_x, grid_y, grid_z, block_x, block_y, block_z,
		dynamic_shared_bytes),
	BA_FIELD_EACH(ba_kernel, UNSIGNED, registers, shared_bytes, local_bytes, constant_bytes,
		max_threads, binary_version, ptx_version),
	BA_FIELD(ba_kernel, code_bytes, U64),
	BA_FIELD_POINTER("blocks", ba_kernel, blocks, &ba_block_fields),
	BA_FIELD_LIST("counters", ba_kernel, counters, counter_count, BA_FIELDS(counter_fields),
		BA_IF(ba_kernel, counter_count)),
	BA_FIELD_COUNTS("instructions", ba_kernel, classes, class_words, .most = CLASS_MOST,
		BA_IF(ba_kernel, listed)),
};

/* the classes are known if they are there */
static int note_listed(void *base, ba_json_value object, ba_error *err)
{
	ba_kernel *k = base;
	k->listed = ba_json_is(ba_json_find(object, "instructions"));
	return 0;
}

const ba_json_fields ba_kernel_fields = BA_FIELDS_INIT(kernel_rows, .read = note_listed);

static const ba_json_field code_rows[] = {
	BA_FIELD(ba_device_code, reason, MAYBE),
	BA_FIELD_EACH(ba_device_code, DIGEST, code_sha256, work_sha256, memory_sha256),
	BA_FIELD_IF(ba_device_code, listing_reason, MAYBE, listing_reason),
	BA_FIELD_IF(ba_device_code, counters_reason, MAYBE, counters_reason),
	BA_FIELD_LIST("kernels", ba_device_code, kernels, kernel_count, &ba_kernel_fields),
};

const ba_json_fields ba_code_fields = BA_FIELDS_INIT(code_rows);
