/* plain.cu -- the kernels without tensor cores; entry names are those of the benchmarks
 */
#include "attention_naive.cuh"
#include "fill.cuh"
#include "rows.cuh"
#include "stream.cuh"

#define FILL(NAME, T)                                                           \
	KERNEL(FILL_THREADS, 4) fill_##NAME(T *out, uint64_t seed, long long n) \
	{                                                                       \
		fill(out, seed, n);                                             \
	}
FILL(f32, float)
FILL(fp16, fp16)
FILL(bf16, bf16)
FILL(byte, unsigned char)

KERNEL(STREAM_THREADS, 4) copy(float *out, const float *x, long long n)
{
	stream_map<map_copy>(out, x, nullptr, 0, n);
}

KERNEL(STREAM_THREADS, 4)
saxpy(float *out, const float *x, const float *y, float a, long long n)
{
	stream_map<map_saxpy>(out, x, y, a, n);
}

KERNEL(STREAM_THREADS, 4)
reduction(float *result, float *partial, unsigned *ticket, const float *x, long long n)
{
	stream_sum(result, partial, ticket, x, n);
}

KERNEL(STREAM_THREADS, 4) transpose(float *out, const float *x, int rows, int columns)
{
	stream_transpose(out, x, rows, columns);
}

KERNEL(STREAM_THREADS, 4)
histogram(unsigned *bins, unsigned *partial, unsigned *ticket, const unsigned char *x,
	long long n)
{
	stream_histogram(bins, partial, ticket, x, n);
}

/* softmax_<columns at most>, layer_norm_<columns at most> */
#define ROWS(CHUNKS, COLUMNS)                                                   \
	KERNEL(ROWS_THREADS, 4)                                                 \
	softmax_##COLUMNS(float *out, const float *x, int columns)              \
	{                                                                       \
		rows_softmax<CHUNKS>(out, x, columns);                          \
	}                                                                       \
	KERNEL(ROWS_THREADS, 4)                                                 \
	layer_norm_##COLUMNS(float *out, const float *x, const float *gamma,    \
		const float *beta, int columns, float epsilon)                  \
	{                                                                       \
		rows_layer_norm<CHUNKS>(out, x, gamma, beta, columns, epsilon); \
	}
ROWS(1, 1024)
ROWS(4, 4096)

KERNEL(GEMM_THREADS, 2)
sgemm(float *out, const float *a, const float *b, int m, int n, int k, float alpha)
{
	gemm<float, false>(out, a, b, m, n, k, alpha);
}

#define NAIVE(T)                                                                      \
	KERNEL(GEMM_THREADS, 2)                                                       \
	attention_naive_scores_##T(                                                   \
		T *s, const T *q, const T *k, int rows, int keys, int d, float scale) \
	{                                                                             \
		gemm<T, true>(s, q, k, rows, keys, d, scale);                         \
	}                                                                             \
	KERNEL(GEMM_THREADS, 2)                                                       \
	attention_naive_values_##T(                                                   \
		T *o, const T *p, const T *v, int rows, int d, int keys, float one)   \
	{                                                                             \
		gemm<T, false>(o, p, v, rows, d, keys, one);                          \
	}                                                                             \
	KERNEL(NAIVE_THREADS, 4)                                                      \
	attention_naive_softmax_##T(T *x, int sequence, long long rows)               \
	{                                                                             \
		attention_naive_softmax<T, false>(x, sequence, rows);                 \
	}                                                                             \
	KERNEL(NAIVE_THREADS, 4)                                                      \
	attention_naive_softmax_##T##_causal(T *x, int sequence, long long rows)      \
	{                                                                             \
		attention_naive_softmax<T, true>(x, sequence, rows);                  \
	}
NAIVE(fp16)
NAIVE(bf16)
