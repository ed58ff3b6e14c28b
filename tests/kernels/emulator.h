/*
 * emulator.h -- one GPU block in one process: what kernels/device/port.cuh means in
 * C++.
 *
 * Each thread of a block is a coroutine; blocks run one after the other. It is strict
 * where a GPU is merely unlucky:
 *  - what a warp does together, all of its 32 lanes must do, the same instruction;
 *  - shared memory is NaN at the start of a block, and every access to it is checked;
 *  - an asynchronous copy makes its target NaN when it is issued and fills it no sooner
 *    than something waits for it, so that what is read too early, or overwritten too
 *    early, is NaN;
 *  - the order in which threads run changes with emulate()'s seed;
 *  - a block in which nothing moves any more is a deadlock.
 * What breaks a rule ends the process with a sentence. Bank conflicts are counted.
 */
#ifndef EMULATOR_H
#define EMULATOR_H

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <type_traits>
#include "host/half.h"

struct emulator_dim {
	unsigned x, y, z;
};
struct float4 {
	float x, y, z, w;
};
struct uint4 {
	uint32_t x, y, z, w;
};
struct uint2 {
	uint32_t x, y;
};

extern emulator_dim threadIdx, blockIdx, blockDim, gridDim;

#define KERNEL_INLINE inline
#define KERNEL(threads, blocks) static void
#define __shared__ static
#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))

static_assert(sizeof(uint4) == 16 && sizeof(float4) == 16, "as on the GPU");

/* what is counted while kernels run */
struct emulator_counts {
	uint64_t collectives;	 /* of warps */
	uint64_t bank_conflicts; /* accesses that a second pass would be needed for */
};
extern emulator_counts emulator_seen;

void emulate(emulator_dim grid, unsigned threads, size_t shared_bytes, unsigned seed,
	const std::function<void()> &kernel);

/* ---- for the instructions ---- */

[[noreturn]] void emulator_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *emulator_shared(uint32_t address, size_t bytes, size_t alignment);
uint32_t emulator_shared_address(const void *pointer);
/* the caller's lane waits until ready() */
void emulator_await(const char *what, const std::function<bool()> &ready);
/* all lanes of the warp meet; one of them does the work with everybody's arguments */
void emulator_together(const char *what, void *argument, const std::function<void(void **)> &work);
void emulator_copy(uint32_t target, const void *source, bool valid);
void emulator_copy_commit();
void emulator_copy_wait(size_t pending);
/* addresses of one access by `lanes` lanes, `bytes` each: counts what collides */
void emulator_banks(const uint32_t *addresses, int lanes, int bytes);

void __syncthreads();
void __syncwarp();
static inline void __threadfence() {}
char *shared_memory();

static inline uint32_t shared_address(const void *pointer)
{
	return emulator_shared_address(pointer);
}

static inline float to_float(float value)
{
	return value;
}
static inline float to_float(fp16 value)
{
	return fp16_to_float(value.bits);
}
static inline float to_float(bf16 value)
{
	return bf16_to_float(value.bits);
}

template <typename T> static inline uint16_t to_bits(float value)
{
	return std::is_same<T, bf16>::value ? bf16_from_float(value) : fp16_from_float(value);
}

template <typename T> static inline float from_bits(uint16_t bits)
{
	return std::is_same<T, bf16>::value ? bf16_to_float(bits) : fp16_to_float(bits);
}

template <typename T> static inline uint32_t pack2(float low, float high)
{
	return to_bits<T>(low) | (uint32_t)to_bits<T>(high) << 16;
}

static inline float exp2_fast(float x)
{
	return exp2f(x);
}

static inline int min(int a, int b)
{
	return a < b ? a : b;
}

template <typename V> static inline V emulator_shuffle(V value, int mask)
{
	struct lane {
		V value, other;
	} mine = {value, value};

	emulator_together("shuffle", &mine, [mask](void **lanes) {
		for (int i = 0; i < 32; i++)
			((lane *)lanes[i])->other = ((lane *)lanes[i ^ mask])->value;
	});
	return mine.other;
}

static inline float shuffle_xor(float value, int mask)
{
	return emulator_shuffle(value, mask);
}

static inline uint32_t shuffle_xor(uint32_t value, int mask)
{
	return emulator_shuffle(value, mask);
}

static inline int warp_uniform(int value)
{
	for (int mask = 1; mask < 32; mask *= 2)
		if (emulator_shuffle(value, mask) != value)
			emulator_fail("a warp's lanes differ in what they should share");
	return value;
}

template <typename V> static inline V atomicAdd(V *target, V value)
{
	V old = *target;

	*target = old + value;
	return old;
}

struct emulator_store_lane {
	uint32_t address, value[4];
};

static inline void store_shared(uint32_t address, uint32_t value)
{
	emulator_store_lane mine = {address, {value, 0, 0, 0}};

	emulator_together("st.shared", &mine, [](void **lanes) {
		uint32_t addresses[32];

		for (int i = 0; i < 32; i++) {
			emulator_store_lane *lane = (emulator_store_lane *)lanes[i];

			addresses[i] = lane->address;
			memcpy(emulator_shared(lane->address, 4, 4), lane->value, 4);
		}
		emulator_banks(addresses, 32, 4);
	});
}

static inline uint4 load_shared(uint32_t address)
{
	emulator_store_lane mine = {address, {0, 0, 0, 0}};

	emulator_together("ld.shared.v4", &mine, [](void **lanes) {
		uint32_t addresses[32];

		for (int i = 0; i < 32; i++) {
			emulator_store_lane *lane = (emulator_store_lane *)lanes[i];

			addresses[i] = lane->address;
			memcpy(lane->value, emulator_shared(lane->address, 16, 16), 16);
		}
		for (int i = 0; i < 32; i += 8) /* eight lanes a pass */
			emulator_banks(addresses + i, 8, 16);
	});
	return uint4{mine.value[0], mine.value[1], mine.value[2], mine.value[3]};
}

struct emulator_matrix_lane {
	uint32_t *r, address;
};

/* PTX ISA, "ldmatrix": lane i gets elements 2 (i % 4) and one more of row i / 4, or
 * with .trans of column i / 4 */
static inline void emulator_matrices(uint32_t (&r)[4], uint32_t address, bool transposed)
{
	emulator_matrix_lane mine = {r, address};

	emulator_together(
		transposed ? "ldmatrix.trans" : "ldmatrix", &mine, [transposed](void **lanes) {
			for (int m = 0; m < 4; m++) {
				uint16_t matrix[8][8];
				uint32_t rows[8];

				for (int i = 0; i < 8; i++) {
					rows[i] =
						((emulator_matrix_lane *)lanes[m * 8 + i])->address;
					memcpy(matrix[i], emulator_shared(rows[i], 16, 16), 16);
				}
				emulator_banks(rows, 8, 16);
				for (int i = 0; i < 32; i++) {
					int row = i / 4, column = i % 4 * 2;
					uint16_t low = transposed ? matrix[column][row]
								  : matrix[row][column];
					uint16_t high = transposed ? matrix[column + 1][row]
								   : matrix[row][column + 1];

					((emulator_matrix_lane *)lanes[i])->r[m] =
						low | (uint32_t)high << 16;
				}
			}
		});
}

static inline void load_matrices(uint32_t (&r)[4], uint32_t address)
{
	emulator_matrices(r, address, false);
}

static inline void load_matrices_transposed(uint32_t (&r)[4], uint32_t address)
{
	emulator_matrices(r, address, true);
}

struct emulator_mma_lane {
	float *c;
	uint32_t a[4], b[2];
};

static inline uint16_t emulator_half(uint32_t pair, int high)
{
	return (uint16_t)(high ? pair >> 16 : pair);
}

/* PTX ISA, "Matrix fragments for mma.m16n8k16 with floating point type" */
template <typename T>
static inline void multiply_add(float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1)
{
	emulator_mma_lane mine = {c, {a[0], a[1], a[2], a[3]}, {b0, b1}};

	emulator_together("mma.sync", &mine, [](void **lanes) {
		float a[16][16], b[16][8];

		for (int i = 0; i < 32; i++) {
			emulator_mma_lane *lane = (emulator_mma_lane *)lanes[i];
			int group = i / 4, in_group = i % 4;

			for (int e = 0; e < 8; e++) {
				int row = group + (e / 2 % 2) * 8;
				int column = in_group * 2 + e % 2 + e / 4 * 8;

				a[row][column] = from_bits<T>(emulator_half(lane->a[e / 2], e % 2));
			}
			for (int e = 0; e < 4; e++)
				b[in_group * 2 + e % 2 + e / 2 * 8][group] =
					from_bits<T>(emulator_half(lane->b[e / 2], e % 2));
		}
		for (int i = 0; i < 32; i++)
			for (int e = 0; e < 4; e++) {
				int row = i / 4 + e / 2 * 8;
				int column = i % 4 * 2 + e % 2;
				float sum = ((emulator_mma_lane *)lanes[i])->c[e];

				for (int k = 0; k < 16; k++)
					sum += a[row][k] * b[k][column];
				((emulator_mma_lane *)lanes[i])->c[e] = sum;
			}
	});
}

static inline void copy_async(uint32_t target, const void *source, bool valid)
{
	emulator_copy(target, source, valid);
}

static inline void copy_commit()
{
	emulator_copy_commit();
}

template <int PENDING> static inline void copy_wait()
{
	emulator_copy_wait(PENDING);
}

#endif
