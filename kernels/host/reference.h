/*
 * reference.h -- what the kernels should compute, in FP64, and how far off they may be.
 */
#ifndef KERNELS_REFERENCE_H
#define KERNELS_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum reference_type { REFERENCE_FP16, REFERENCE_BF16, REFERENCE_FP32 } reference_type;

/* x as the type holds it */
float reference_round(reference_type type, float x);

/*
 * One row of softmax(Q K^T / sqrt(d)) V over the first `keys` rows of k and v, which
 * have d columns: out in FP64, and naive as a plain implementation in 16-bit numbers
 * has it, with scores, weights and output rounded to the type and sums in FP32.
 */
void reference_attention_row(double *out, float *naive, const float *q, const float *k,
	const float *v, int keys, int d, reference_type type);

/* FlashAttention's rule: twice the error that the naive computation has, and 1e-5 */
double reference_attention_absolute(double naive_error);
/* relative error of a whole result: 2e-3 of FP16, 1.5e-2 of BF16, 1e-5 of FP32 */
double reference_l2(reference_type type);

/* rows of one matrix */
void reference_softmax_row(double *out, const float *x, size_t columns);
void reference_layer_norm_row(double *out, const float *x, const float *gamma, const float *beta,
	size_t columns, double epsilon);

/* how far a sum of n normal numbers, a product of k of them, may be off in FP32 */
double reference_sum_absolute(double n);
double reference_product_absolute(double k);

/* The i-th of `want` places among `count`: the first, the last, others at random. */
size_t reference_pick(uint64_t seed, size_t count, size_t want, size_t i);

/* ---- what one run is worth ---- */

/* 4 heads sequence^2 d: two products of 2 heads sequence^2 d; half of it if causal */
double count_attention_flop(double heads, double sequence, double d, int causal);
/* Q, K, V, two bytes an element; O is a third of it */
double count_attention_read(double heads, double sequence, double d);
double count_attention_written(double heads, double sequence, double d);
/* 2 m n k */
double count_gemm_flop(double m, double n, double k);
/* of an element: maximum, difference, power, sum, product */
double count_softmax_flop(double rows, double columns);
/* of an element: sum, difference, square and its sum, two products, sum */
double count_layer_norm_flop(double rows, double columns);

#ifdef __cplusplus
}
#endif

#endif
