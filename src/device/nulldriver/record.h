/*
 * Controls recording in our own drivers (the host target's and the tests' fake).
 *
 * The host target's libcuda.so.1 executes nothing. A run on it still proves that a
 * variant passes the right arguments to the driver: the worker switches recording on
 * for a few launches, off the clock, and compares. While recording is off, it costs a
 * launch one predictable branch.
 *
 *     uint32_t sizes[] = {8, 64};
 *     struct ba_host_record rec = BA_HOST_RECORD_INIT;
 *     rec.param_sizes = sizes, rec.param_count = 2;
 *     rec.data = buffer, rec.data_capacity = sizeof(buffer);
 *     ba_host_driver_record(&rec);
 *     ...one launch by the variant...
 *     ba_host_driver_record(NULL);
 *     expect(rec.launches == 1 && !memcmp(rec.data, expected, rec.data_bytes));
 *
 * While recording, a launch is also checked as a real driver would: the function must
 * be a live handle, grid and block must be legal, parameters must be there. Otherwise
 * the launch returns an error and `rejected` counts it. Only one recorder at a time, in
 * one thread.
 */
#pragma once

#include "base/base.h"

#define BA_HOST_RECORD_ABI 1u

enum ba_host_record_api {
	BA_HOST_LAUNCH_NONE = 0,
	BA_HOST_LAUNCH_KERNEL = 1,     /* cuLaunchKernel */
	BA_HOST_LAUNCH_KERNEL_EX = 2,  /* cuLaunchKernelEx */
	BA_HOST_LAUNCH_COOPERATIVE = 3 /* cuLaunchCooperativeKernel */
};

typedef struct ba_host_record {
	/* set by the recorder */
	uint32_t abi;
	uint32_t struct_size;
	const uint32_t *param_sizes; /* bytes of each parameter of the kernel */
	uint32_t param_count;
	unsigned char *data; /* receives the parameter bytes; may be NULL */
	size_t data_capacity;
	/* filled by the driver */
	uint64_t launches; /* accepted since recording began */
	uint64_t rejected; /* rejected with an error since then */
	/* of the last accepted launch */
	uint32_t api; /* enum ba_host_record_api */
	uint32_t grid[3];
	uint32_t block[3];
	uint32_t shared_bytes;
	uint32_t attribute_count; /* cuLaunchKernelEx */
	uint32_t packed;	  /* 1: parameters came in `extra`, in one buffer */
	void *stream;
	void *context;	   /* the context current on the calling thread */
	void *function;	   /* handle as it was passed */
	char entry[256];   /* name of the kernel in its module, cut if longer */
	size_t data_bytes; /* all parameters, each padded to 8; <= data_capacity */
} ba_host_record;

#define BA_HOST_RECORD_INIT                                                             \
	{                                                                               \
		.abi = BA_HOST_RECORD_ABI, .struct_size = sizeof(struct ba_host_record) \
	}

/* The exported function; find it with dlsym by the name below. NULL stops recording.
 * Returns 0, or -1 if the struct has another abi. */
typedef int ba_host_driver_record_fn(struct ba_host_record *record);
#define BA_HOST_DRIVER_RECORD "ba_host_driver_record"

/* The exported function that counts launches (wire/witness.h says what for). From then
 * on each launch that is accepted adds 1 to page[0]. what NULL: only counts, and reads
 * no arguments. Else it adds to page[1] the sum of its arguments, in words of 8 bytes,
 * times 2 * page[0] + 1, page[0] taken before; and the launch before which page[0] is
 * `moment` adds its digest to page[2]. page NULL: stop. Not atomic: launches of several
 * threads at once may be lost. */
typedef struct ba_host_witness {
	uint32_t params, bytes; /* number of arguments, and bytes of each */
	uint64_t moment;
} ba_host_witness;
typedef void ba_host_driver_witness_fn(uint64_t *page, const ba_host_witness *what);
#define BA_HOST_DRIVER_WITNESS "ba_host_driver_witness"

/* The exported function that reports a requested feature that is not supported: a
 * sentence for the user, or NULL. Found as above. */
typedef const char *ba_host_driver_refused_fn(void);
#define BA_HOST_DRIVER_REFUSED "ba_host_driver_refused"
