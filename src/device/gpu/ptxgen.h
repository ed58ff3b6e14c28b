/*
 * Generates the PTX text of the launch-overhead kernels, for any parameter list,
 * without a toolkit.
 *
 * One module has two kernels with the same parameters:
 *
 *   ba_null   leaves a mark of its launch, which is timed: the witness of wire/witness.h.
 *             It is for launches of one thread, one after the other
 *   ba_check  records how it was launched. It is launched once, outside of all timing, to
 *             prove that a variant passes grid, block, shared memory and all parameters
 *
 * Both write to a ba_ptx_record in device memory. The text contains the address of the
 * record, because one more parameter would change what is measured. With address 0
 * ba_null is empty, and ba_check not to be launched. If there is a mirror, ba_null also
 * writes there what the marks are after its launch: memory of the host, which need not
 * ask the process that launches.
 *
 * How to use it: clear the record (memset 0), launch ba_check, synchronise, copy back
 * ba_ptx_record_bytes() bytes, and compare with ba_ptx_expect().
 *
 * PTX ISA 7.0, sm_70; with more than 4096 bytes of parameters ISA 8.1 (driver 530 or
 * newer).
 */
#pragma once

#include "base/base.h"

/* increase it when the text of ba_null changes */
#define BA_PTX_TEXT_VERSION "3"
#define BA_PTX_ENTRY_NULL "ba_null"
#define BA_PTX_ENTRY_CHECK "ba_check"
#define BA_PTX_PARAMS_MAX 1024
#define BA_PTX_BYTES_OLD 4096 /* every driver accepts this many */
#define BA_PTX_BYTES_MAX 32764
/* for larger parameters: the least CUDA version of the driver */
#define BA_PTX_DRIVER_FOR_LARGE 12010

typedef struct ba_ptx_param {
	bool pointer;	/* .u64 */
	uint32_t bytes; /* 8 for a pointer; else a by-value array, 8-byte aligned */
} ba_ptx_param;

/* The record that the kernels write to device memory; each parameter follows, at
 * ba_ptx_offset(). */
typedef struct ba_ptx_record {
	uint64_t launches; /* += 1 for each launch */
	uint64_t threads;  /* += 1 for each thread */
	uint32_t grid[3];
	uint32_t block[3];
	uint32_t shared_bytes; /* dynamic */
	/* total size of the parameters, which identifies the generated text */
	uint32_t param_bytes;
	/* written by ba_null, which only adds: see wire/witness.h */
	uint64_t witness[3];
	uint64_t moment; /* value of witness[0] before the launch that gets a digest */
} ba_ptx_record;

/* The offset of parameter `index`; with index == count, the end of the last one. */
size_t ba_ptx_offset(const ba_ptx_param *params, size_t count, size_t index);

/* sizeof(ba_ptx_record) + the parameters, padded to 8 */
size_t ba_ptx_record_bytes(const ba_ptx_param *params, size_t count);

/* Appends the text. A NUL follows it, as always in a ba_buf: the image has len + 1
 * bytes. BA_EINVAL: too many parameters, a zero size, or too many bytes in total. */
int ba_ptx_generate(ba_buf *out, const ba_ptx_param *params, size_t count, uint64_t record_address,
	uint64_t mirror_address, ba_error *err);

typedef struct ba_ptx_launch {
	uint32_t grid[3];
	uint32_t block[3];
	uint32_t shared_bytes;
	uint64_t launches;
} ba_ptx_launch;

/* Checks a record that was copied back from the device: does it match these launches
 * with these arguments? args[i] points to the value of parameter i. BA_EVARIANT, with a
 * sentence about the first difference. */
int ba_ptx_expect(const void *record, const ba_ptx_param *params, size_t count, void *const *args,
	const ba_ptx_launch *launch, ba_error *err);
