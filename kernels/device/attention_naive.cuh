/*
 * attention_naive.cuh -- attention as three kernels, the way it is written down: scores
 * into memory, their softmax, the weighted sum of values. The products are gemm.cuh's;
 * this is the one between them. Scores and weights are 16-bit numbers, like inputs and
 * outputs.
 */
#ifndef KERNELS_ATTENTION_NAIVE_CUH
#define KERNELS_ATTENTION_NAIVE_CUH

#include "block.cuh"
#include "gemm.cuh"

enum { NAIVE_THREADS = 256 };

/* x: rows of `sequence` scores become weights; a warp a row; sequence is a multiple of
 * 4 */
template <typename T, bool CAUSAL>
KERNEL_INLINE void attention_naive_softmax(T *x, int sequence, long long rows)
{
	const float log2_e = 1.44269504088896341f;
	const long long row =
		(long long)blockIdx.x * (NAIVE_THREADS / 32) + threadIdx.x / 32;
	const int lane = threadIdx.x % 32;
	float top = -INFINITY, sum = 0;

	if (row >= rows)
		return;
	const int end = CAUSAL ? (int)(row % sequence) + 1 : sequence;

	x += row * sequence;
	for (int at = lane * 4; at < end; at += 128) {
		float4 v = load4(x + at);

		top = fmaxf(top, v.x);
		top = at + 1 < end ? fmaxf(top, v.y) : top;
		top = at + 2 < end ? fmaxf(top, v.z) : top;
		top = at + 3 < end ? fmaxf(top, v.w) : top;
	}
	top = warp_all<take_max>(top);
	for (int at = lane * 4; at < end; at += 128) {
		float4 v = load4(x + at);

		sum += exp2_fast((v.x - top) * log2_e);
		sum += at + 1 < end ? exp2_fast((v.y - top) * log2_e) : 0;
		sum += at + 2 < end ? exp2_fast((v.z - top) * log2_e) : 0;
		sum += at + 3 < end ? exp2_fast((v.w - top) * log2_e) : 0;
	}
	sum = 1 / warp_all<take_sum>(sum);
	for (int at = lane * 4; at < sequence; at += 128) {
		float4 v = load4(x + at);

		store4(x + at, at < end ? exp2_fast((v.x - top) * log2_e) * sum : 0,
			at + 1 < end ? exp2_fast((v.y - top) * log2_e) * sum : 0,
			at + 2 < end ? exp2_fast((v.z - top) * log2_e) * sum : 0,
			at + 3 < end ? exp2_fast((v.w - top) * log2_e) * sum : 0);
	}
}

#endif
