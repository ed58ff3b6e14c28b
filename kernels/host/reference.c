#include <math.h>
#include <stdlib.h>

#include "half.h"
#include "inputs.h"
#include "reference.h"

float reference_round(reference_type type, float x)
{
	switch (type) {
	case REFERENCE_FP16:
		return fp16_to_float(fp16_from_float(x));
	case REFERENCE_BF16:
		return bf16_to_float(bf16_from_float(x));
	default:
		return x;
	}
}

/* four sums side by side: a processor adds faster than it waits; d is a multiple of 4
 */
static double exact_product(const float *a, const float *b, int d)
{
	double sums[4] = {0, 0, 0, 0};

	for (int i = 0; i < d; i += 4)
		for (int j = 0; j < 4; j++)
			sums[j] += (double)a[i + j] * b[i + j];
	return sums[0] + sums[1] + (sums[2] + sums[3]);
}

static float naive_product(const float *a, const float *b, int d)
{
	float sums[4] = {0, 0, 0, 0};

	for (int i = 0; i < d; i += 4)
		for (int j = 0; j < 4; j++)
			sums[j] += a[i + j] * b[i + j];
	return sums[0] + sums[1] + (sums[2] + sums[3]);
}

/* weights[keys] and their sum, from scores that are kept in the type or not rounded at
 * all */
static void naive_weights(
	float *weights, const float *q, const float *k, int keys, int d, reference_type type)
{
	float top = -INFINITY, sum = 0;

	for (int key = 0; key < keys; key++) {
		float score = naive_product(q, k + (size_t)key * d, d);

		weights[key] = reference_round(type, score / sqrtf((float)d));
		top = fmaxf(top, weights[key]);
	}
	for (int key = 0; key < keys; key++) {
		weights[key] = expf(weights[key] - top);
		sum += weights[key];
	}
	for (int key = 0; key < keys; key++)
		weights[key] = reference_round(type, weights[key] / sum);
}

static void exact_weights(double *weights, const float *q, const float *k, int keys, int d)
{
	double top = -INFINITY, sum = 0;

	for (int key = 0; key < keys; key++) {
		weights[key] = exact_product(q, k + (size_t)key * d, d) / sqrt(d);
		top = fmax(top, weights[key]);
	}
	for (int key = 0; key < keys; key++) {
		weights[key] = exp(weights[key] - top);
		sum += weights[key];
	}
	for (int key = 0; key < keys; key++)
		weights[key] /= sum;
}

void reference_attention_row(double *out, float *naive, const float *q, const float *k,
	const float *v, int keys, int d, reference_type type)
{
	double *exact = calloc((size_t)keys, sizeof(*exact));
	float *rounded = calloc((size_t)keys, sizeof(*rounded));

	if (!exact || !rounded)
		abort();
	exact_weights(exact, q, k, keys, d);
	naive_weights(rounded, q, k, keys, d, type);
	for (int i = 0; i < d; i++)
		out[i] = naive[i] = 0;
	for (int key = 0; key < keys; key++)
		for (int i = 0; i < d; i++) {
			out[i] += exact[key] * v[(size_t)key * d + i];
			naive[i] += rounded[key] * v[(size_t)key * d + i];
		}
	for (int i = 0; i < d; i++)
		naive[i] = reference_round(type, naive[i]);
	free(exact);
	free(rounded);
}

double reference_attention_absolute(double naive_error)
{
	return 2 * naive_error + 1e-5;
}

double reference_l2(reference_type type)
{
	static const double limits[] = {
		[REFERENCE_FP16] = 2e-3, [REFERENCE_BF16] = 1.5e-2, [REFERENCE_FP32] = 1e-5};

	return limits[type];
}

void reference_softmax_row(double *out, const float *x, size_t columns)
{
	double top = -INFINITY, sum = 0;

	for (size_t i = 0; i < columns; i++)
		top = fmax(top, x[i]);
	for (size_t i = 0; i < columns; i++) {
		out[i] = exp(x[i] - top);
		sum += out[i];
	}
	for (size_t i = 0; i < columns; i++)
		out[i] /= sum;
}

void reference_layer_norm_row(double *out, const float *x, const float *gamma, const float *beta,
	size_t columns, double epsilon)
{
	double mean = 0, variance = 0;

	for (size_t i = 0; i < columns; i++)
		mean += x[i] / (double)columns;
	for (size_t i = 0; i < columns; i++)
		variance += (x[i] - mean) * (x[i] - mean) / (double)columns;
	for (size_t i = 0; i < columns; i++)
		out[i] = (x[i] - mean) / sqrt(variance + epsilon) * gamma[i] + beta[i];
}

/* sums have a size of sqrt(n); a lost or doubled number is about 1 */
double reference_sum_absolute(double n)
{
	return 1e-5 * sqrt(n);
}

double reference_product_absolute(double k)
{
	return 1e-6 * k;
}

size_t reference_pick(uint64_t seed, size_t count, size_t want, size_t i)
{
	if (count <= want || i == 0)
		return i < count ? i : count - 1;
	return i == 1 ? count - 1 : (size_t)(inputs_bits(seed, i) % count);
}

double count_attention_flop(double heads, double sequence, double d, int causal)
{
	return (causal ? 2 : 4) * heads * sequence * sequence * d;
}

double count_attention_read(double heads, double sequence, double d)
{
	return 3 * 2 * heads * sequence * d;
}

double count_attention_written(double heads, double sequence, double d)
{
	return 2 * heads * sequence * d;
}

double count_gemm_flop(double m, double n, double k)
{
	return 2 * m * n * k;
}

double count_softmax_flop(double rows, double columns)
{
	return 5 * rows * columns;
}

double count_layer_norm_flop(double rows, double columns)
{
	return 7 * rows * columns;
}
