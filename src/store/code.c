/* The device code of a benchmark, one entry a variant. */
#include <stdlib.h>

#include "base/count.h"
#include "base/mem.h"
#include "store/fields.h"
#include "store/parts.h"

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

void ba_kernel_write(ba_json_writer *w, const ba_kernel *k)
{
	ba_fields_write(w, kernel_fields, BA_COUNT(kernel_fields), k);
}

void ba_codes_write(
	ba_json_writer *w, const char *key, const ba_device_code *codes, size_t count)
{
	ba_json_open_array(w, key);
	for (size_t i = 0; i < count; i++) {
		const ba_device_code *c = &codes[i];
		ba_json_open_object(w, NULL);
		ba_fields_write(w, code_fields, BA_COUNT(code_fields), c);
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

static int read_kernels(ba_device_code *out, ba_json_value object, ba_error *err)
{
	ba_json_value array = {0}, one;
	int rc = ba_json_opt_array(&array, object, "kernels", err);
	for (ba_json_value v = ba_json_first(array); rc == 0 && ba_json_is(v);
		v = ba_json_next(v)) {
		rc = ba_json_as_object(&one, v, err);
		if (rc == 0)
			rc = ba_fields_read(ba_device_code_add(out), kernel_fields,
				BA_COUNT(kernel_fields), one, err);
	}
	return rc;
}

int ba_codes_read(ba_device_code **out, size_t *count, ba_json_value object,
	const char *key, ba_error *err)
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
		if (rc == 0)
			rc = ba_fields_read(
				c, code_fields, BA_COUNT(code_fields), one, err);
		rc = rc ? rc : read_kernels(c, one, err);
	}
	return rc;
}
