/* Occupancy: figures that NVIDIA's own tools give, and agreement with cuda_occupancy.h
 * where a toolkit is installed. */
#include "test.h"

#include "model/occupancy.h"

#if __has_include(<cuda_occupancy.h>)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <cuda_occupancy.h>
#pragma GCC diagnostic pop
#define HAS_CALCULATOR 1
#else
#define HAS_CALCULATOR 0
#endif

static ba_kernel kernel_of(unsigned threads, unsigned registers, unsigned shared)
{
	return (ba_kernel){.block_x = threads,
		.block_y = 1,
		.block_z = 1,
		.registers = registers,
		.shared_bytes = shared};
}

TEST(what_is_used_up_first_is_the_limit)
{
	static const struct {
		const char *capability;
		unsigned threads, registers, shared, blocks, warps, most;
		const char *limit;
	} rows[] = {
		{"8.0", 256, 32, 0, 8, 64, 64, "threads"},
		{"8.0", 256, 64, 0, 4, 32, 64, "registers"},
		{"8.6", 32, 16, 0, 16, 16, 48, "blocks"},
		{"8.9", 32, 16, 0, 24, 24, 48, "blocks"},
		{"9.0", 128, 32, 100 << 10, 2, 8, 64, "shared memory"},
		{"9.0", 384, 168, 0, 1, 12, 64, "registers"},
		{"10.0", 1024, 32, 0, 2, 64, 64, "threads"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ba_occupancy o;
		ba_kernel k = kernel_of(rows[i].threads, rows[i].registers, rows[i].shared);
		assert_true(ba_occupancy_of(&o, &k, rows[i].capability));
		assert_int_equal(o.blocks, rows[i].blocks);
		assert_int_equal(o.warps, rows[i].warps);
		assert_int_equal(o.warps_most, rows[i].most);
		assert_string_equal(o.limit, rows[i].limit);
	}
}

TEST(memory_that_a_launch_asks_for_counts_too)
{
	ba_occupancy o;
	ba_kernel k = kernel_of(128, 32, 50 << 10);
	k.dynamic_shared_bytes = 50 << 10;
	assert_true(ba_occupancy_of(&o, &k, "9.0"));
	assert_int_equal(o.blocks, 2);
}

TEST(what_cannot_run_or_is_not_known_has_none)
{
	ba_occupancy o;
	ba_kernel rows[] = {kernel_of(0, 32, 0), kernel_of(1025, 32, 0), kernel_of(1024, 65, 0),
		kernel_of(128, 256, 0), kernel_of(128, 0, 0), kernel_of(128, 32, 228 << 10),
		kernel_of(128, 32, 0), kernel_of(~0u, 32, ~0u)};
	rows[6].block_y = rows[6].block_z = ~0u;
	rows[7].dynamic_shared_bytes = ~0u;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_false(ba_occupancy_of(&o, &rows[i], "9.0"));
	ba_kernel k = kernel_of(128, 32, 0);
	assert_true(ba_occupancy_of(&o, &k, "9.0"));
	assert_false(ba_occupancy_of(&o, &k, "3.5"));
	assert_false(ba_occupancy_of(&o, &k, ""));
}

#if HAS_CALCULATOR

static int theirs(const ba_kernel *k, int major, int minor, unsigned threads, size_t shared)
{
	const cudaOccDeviceProp device = {.computeMajor = major,
		.computeMinor = minor,
		.maxThreadsPerBlock = 1024,
		.maxThreadsPerMultiprocessor = (int)threads,
		.regsPerBlock = 65536,
		.regsPerMultiprocessor = 65536,
		.warpSize = 32,
		.sharedMemPerBlock = 48 << 10,
		.sharedMemPerMultiprocessor = shared,
		.numSms = 1,
		.sharedMemPerBlockOptin = shared,
		.reservedSharedMemPerBlock = 1024};
	const cudaOccFuncAttributes function = {.maxThreadsPerBlock = 1024,
		.numRegs = (int)k->registers,
		.sharedSizeBytes = k->shared_bytes,
		.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
		.maxDynamicSharedSizeBytes = shared};
	const cudaOccDeviceState state = {.cacheConfig = CACHE_PREFER_SHARED,
		.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED};
	cudaOccResult r;
	assert_int_equal(cudaOccMaxActiveBlocksPerMultiprocessor(&r, &device, &function, &state,
				 (int)k->block_x, k->dynamic_shared_bytes),
		CUDA_OCC_SUCCESS);
	return r.activeBlocksPerMultiprocessor;
}

#endif

TEST(the_toolkits_calculator_agrees)
{
#if HAS_CALCULATOR
	static const struct {
		const char *name;
		int major, minor;
		unsigned threads;
		size_t shared_kib;
	} devices[] = {{"8.0", 8, 0, 2048, 164}, {"8.6", 8, 6, 1536, 100}, {"8.7", 8, 7, 1536, 164},
		{"8.9", 8, 9, 1536, 100}, {"9.0", 9, 0, 2048, 228}, {"10.0", 10, 0, 2048, 228},
		{"10.3", 10, 3, 2048, 228}, {"12.0", 12, 0, 1536, 100}};
	for (size_t d = 0; d < sizeof(devices) / sizeof(devices[0]); d++)
		for (unsigned threads = 1; threads <= 1024; threads += 31)
			for (unsigned regs = 5; regs <= 255; regs += 5)
				for (unsigned kib = 0; kib < 240; kib += 13) {
					ba_occupancy o = {0};
					ba_kernel k = kernel_of(threads, regs, kib * 9);
					k.dynamic_shared_bytes = kib * 1000;
					bool fits = ba_occupancy_of(&o, &k, devices[d].name);
					int blocks = theirs(&k, devices[d].major, devices[d].minor,
						devices[d].threads, devices[d].shared_kib << 10);
					if ((fits ? (int)o.blocks : 0) != blocks)
						fail_msg(
							"%s, %u threads, %u registers, %u KiB: %u blocks, NVIDIA says %d",
							devices[d].name, threads, regs, kib,
							fits ? o.blocks : 0, blocks);
				}
#else
	print_message("           no cuda_occupancy.h of a CUDA toolkit here\n");
	skip();
#endif
}
