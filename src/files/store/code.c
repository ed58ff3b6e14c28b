/* The device code of a benchmark, one entry a variant. */

#include "base/base.h"
#include "json/fields.h"
#include "store/parts.h"

/* of one class in one kernel */
#define CLASS_MOST (UINT64_C(1) << 32)

static const ba_json_field code_fields[] = {
	BA_FIELD(ba_device_code, reason, MAYBE),
	BA_FIELD(ba_device_code, code_sha256, DIGEST),
	BA_FIELD(ba_device_code, work_sha256, DIGEST),
	BA_FIELD(ba_device_code, memory_sha256, DIGEST),
};

static const ba_json_field kernel_fields[] = {
	BA_FIELD(ba_kernel, name, TEXT),
	BA_FIELD(ba_kernel, sha256, DIGEST),
	BA_FIELD(ba_kernel, launches, U64),
	BA_FIELD(ba_kernel, grid_x, UNSIGNED),
	BA_FIELD(ba_kernel, grid_y, UNSIGNED),
	BA_FIELD(ba_kernel, grid_z, UNSIGNED),
	BA_FIELD(ba_kernel, block_x, UNSIGNED),
	BA_FIELD(ba_kernel, block_y, UNSIGNED),
	BA_FIELD(ba_kernel, block_z, UNSIGNED),
	BA_FIELD(ba_kernel, dynamic_shared_bytes, UNSIGNED),
	BA_FIELD(ba_kernel, registers, UNSIGNED),
	BA_FIELD(ba_kernel, shared_bytes, UNSIGNED),
	BA_FIELD(ba_kernel, local_bytes, UNSIGNED),
	BA_FIELD(ba_kernel, constant_bytes, UNSIGNED),
	BA_FIELD(ba_kernel, max_threads, UNSIGNED),
	BA_FIELD(ba_kernel, binary_version, UNSIGNED),
	BA_FIELD(ba_kernel, ptx_version, UNSIGNED),
	BA_FIELD(ba_kernel, code_bytes, U64),
};

static const ba_json_field block_fields[] = {
	BA_FIELD(ba_block_changes, baseline, UNSIGNED),
	BA_FIELD(ba_block_changes, candidate, UNSIGNED),
	BA_FIELD(ba_block_changes, same, UNSIGNED),
	BA_FIELD(ba_block_changes, number, UNSIGNED),
	BA_FIELD(ba_block_changes, label, MAYBE),
	BA_FIELD(ba_block_changes, file, MAYBE),
	BA_FIELD(ba_block_changes, line, UNSIGNED),
	BA_FIELD(ba_block_changes, baseline_code, LIST),
	BA_FIELD(ba_block_changes, candidate_code, LIST),
};

static const ba_json_field counter_fields[] = {
	BA_FIELD(ba_counter_value, name, TEXT),
	BA_FIELD(ba_counter_value, value, F64),
};

static const ba_json_list counters = {
	BA_ITEMS(ba_kernel, counters, counter_count), .fields = BA_FIELDS(counter_fields)};

/* what was not looked at is left out */
void ba_kernel_write(ba_json_writer *w, const ba_kernel *k)
{
	ba_fields_write(w, BA_FIELDS(kernel_fields), k);
	if (k->listed) {
		ba_json_open_object(w, "instructions");
		for (int c = 0; c < BA_CLASS_COUNT; c++)
			if (k->classes[c])
				ba_json_write_u64(
					w, ba_class_key((ba_instruction_class)c), k->classes[c]);
		ba_json_close(w);
	}
	if (k->blocks)
		ba_fields_write_object(w, "blocks", BA_FIELDS(block_fields), k->blocks);
	if (k->counter_count)
		ba_list_write(w, "counters", &counters, k);
}

void ba_codes_write(ba_json_writer *w, const char *key, const ba_device_code *codes, size_t count)
{
	ba_json_open_array(w, key);
	for (size_t i = 0; i < count; i++) {
		const ba_device_code *c = &codes[i];
		ba_json_open_object(w, NULL);
		ba_fields_write(w, BA_FIELDS(code_fields), c);
		if (c->listing_reason)
			ba_json_write_string(w, "listing_reason", c->listing_reason);
		if (c->counters_reason)
			ba_json_write_string(w, "counters_reason", c->counters_reason);
		ba_json_open_array(w, "kernels");
		for (size_t k = 0; k < c->kernel_count; k++) {
			ba_json_open_object(w, NULL);
			ba_kernel_write(w, &c->kernels[k]);
			ba_json_close(w);
		}
		ba_json_close(w);
		ba_json_close(w);
	}
	ba_json_close(w);
}

static int read_classes(ba_kernel *k, ba_json_value object, ba_error *err)
{
	ba_json_value classes;
	if (!ba_json_is(ba_json_find(object, "instructions")))
		return 0;
	int rc = ba_json_as_object(&classes, ba_json_find(object, "instructions"), err);
	k->listed = true;
	for (int c = 0; rc == 0 && c < BA_CLASS_COUNT; c++)
		rc = ba_json_opt_u64(&k->classes[c], classes, ba_class_key((ba_instruction_class)c),
			0, CLASS_MOST, err);
	return rc;
}

static int read_blocks(ba_kernel *k, ba_json_value object, ba_error *err)
{
	if (!ba_json_is(ba_json_find(object, "blocks")))
		return 0;
	k->blocks = ba_xcalloc(1, sizeof(*k->blocks));
	return ba_fields_read_object(k->blocks, BA_FIELDS(block_fields), object, "blocks", err);
}

static int read_kernel(ba_kernel *k, ba_json_value object, ba_error *err)
{
	int rc = ba_fields_read(k, BA_FIELDS(kernel_fields), object, err);
	rc = rc ? rc : read_classes(k, object, err);
	rc = rc ? rc : read_blocks(k, object, err);
	return rc ? rc : ba_list_read(k, "counters", &counters, object, err);
}

static int read_reasons(ba_device_code *c, ba_json_value object, ba_error *err)
{
	static const ba_json_field fields[] = {
		BA_FIELD(ba_device_code, listing_reason, MAYBE),
		BA_FIELD(ba_device_code, counters_reason, MAYBE),
	};
	return ba_fields_read(c, BA_FIELDS(fields), object, err);
}

static int read_kernels(ba_device_code *out, ba_json_value object, ba_error *err)
{
	ba_json_value array = {0}, one;
	int rc = ba_json_opt_array(&array, object, "kernels", err);
	for (ba_json_value v = ba_json_first(array); rc == 0 && ba_json_is(v);
		v = ba_json_next(v)) {
		rc = ba_json_as_object(&one, v, err);
		rc = rc ? rc : read_kernel(ba_device_code_add(out), one, err);
	}
	return rc;
}

int ba_codes_read(
	ba_device_code **out, size_t *count, ba_json_value object, const char *key, ba_error *err)
{
	ba_json_value array = {0}, one;
	int rc = ba_json_opt_array(&array, object, key, err);
	if (rc || !ba_json_is(array))
		return rc;
	*out = ba_xcalloc(ba_json_count(array) + 1, sizeof(**out));
	for (ba_json_value v = ba_json_first(array); rc == 0 && ba_json_is(v);
		v = ba_json_next(v)) {
		ba_device_code *c = &(*out)[(*count)++];
		rc = ba_json_as_object(&one, v, err);
		rc = rc ? rc : ba_fields_read(c, BA_FIELDS(code_fields), one, err);
		rc = rc ? rc : read_reasons(c, one, err);
		rc = rc ? rc : read_kernels(c, one, err);
	}
	return rc;
}
