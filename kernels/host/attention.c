/* attention.c -- attention, tiled and naive: see device/attention_*.cuh */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attention_plan.h"
#include "benchmarks.h"
#include "case.h"
#include "half.h"
#include "inputs.h"

enum {
	NAIVE_THREADS = 256,
	GEMM_TILE = 128,
	SLICES = 8,	   /* heads that are checked */
	SLICE_ROWS = 32,   /* rows of each */
	WHOLE_SLICE = 256, /* sequences up to this are checked row by row */
	TENSOR_RANK = 4
};

/* the axes, in their order */
enum axis { B, H, S, D, DTYPE, CAUSAL, KERNEL };

typedef struct attention_case {
	ba_suite_case head;
	size_t heads; /* of the batch, all together */
	int sequence, d, causal;
	bench_type type;
	uint64_t *out; /* [sets] */
} attention_case;

/* device/attention.cuh */
typedef struct attention_args {
	uint64_t o, q, k, v;
	int32_t sequence;
	float scale_log2;
} attention_args;

/* device/attention_wgmma.cuh; a tensor is a CUtensorMap */
typedef struct attention_wgmma_args {
	_Alignas(64) uint64_t q[16];
	uint64_t k[16], v[16], o;
	int32_t sequence;
	float scale_log2;
	int32_t whole, rest;
	uint64_t unused[5]; /* the struct is a multiple of 64 */
} attention_wgmma_args;

_Static_assert(sizeof(attention_args) == 40 && sizeof(attention_wgmma_args) == 448,
	"as the device has them");

static const char *type_name(const attention_case *a)
{
	return a->type == BENCH_BF16 ? "bf16" : "fp16";
}

static int begin(attention_case **out, ba_suite_case **c, ba_suite_session *session,
	const ba_suite_setup *setup, unsigned launches)
{
	const ba_suite_value *v = setup->values;
	attention_case *a;

	if (v[D].integer != 64 && v[D].integer != 128)
		return session->host->skip("d must be 64 or 128");
	if (v[B].integer < 1 || v[H].integer < 1 || v[S].integer < 1 || v[B].integer > 65535 ||
		v[H].integer > 65535 || v[B].integer * v[H].integer > 65535)
		return session->host->skip("B * H must be 1 to 65535, and S at least 1");
	if (v[S].integer > 1 << 20)
		return session->host->skip("S must be at most 1048576");
	a = bench_case_new(sizeof(*a), session, setup, launches);
	if (!a)
		return bench_fail(session, "out of memory");
	*c = &a->head;
	*out = a;
	a->heads = (size_t)(v[B].integer * v[H].integer);
	a->sequence = (int)v[S].integer;
	a->d = (int)v[D].integer;
	a->causal = strcmp(v[CAUSAL].text, "yes") == 0;
	a->type = strcmp(v[DTYPE].text, "bf16") == 0 ? BENCH_BF16 : BENCH_FP16;
	a->out = bench_keep(&a->head, setup->sets * sizeof(*a->out));
	return a->out ? 0 : bench_fail(session, "out of memory");
}

static void count(attention_case *a)
{
	const double heads = (double)a->heads, s = a->sequence, d = a->d;

	bench_count(&a->head, count_attention_flop(heads, s, d, a->causal),
		count_attention_read(heads, s, d), count_attention_written(heads, s, d), heads * s);
}

/* qkv[3] and the output of a set */
static int tensors(attention_case *a, uint64_t *qkv, unsigned set)
{
	static const char *const names[] = {"q", "k", "v"};
	const size_t n = a->heads * (size_t)a->sequence * (size_t)a->d;
	int rc = 0;

	for (unsigned i = 0; i < 3 && !rc; i++)
		rc = bench_input(&a->head, &qkv[i], n, a->type, set, i, names[i]);
	return rc ? rc : bench_output(&a->head, &a->out[set], n * 2, "o");
}

/* ---- tiled ---- */

/* columns of 64, rows, panels, heads: what attention_wgmma.cuh says of its maps */
static int encode(attention_case *a, void *map, uint64_t address, int box_rows)
{
	enum { FLOAT16 = 6, BFLOAT16 = 9, NO_INTERLEAVE = 0, SWIZZLE_128B = 3, L2_256B = 3 };
	const uint64_t row_bytes = (uint64_t)a->d * 2;
	const uint64_t dimensions[TENSOR_RANK] = {
		64, (uint64_t)a->sequence, (uint64_t)a->d / 64, a->heads};
	const uint64_t strides[TENSOR_RANK - 1] = {
		row_bytes, 128, row_bytes * (uint64_t)a->sequence};
	const uint32_t box[TENSOR_RANK] = {64, (uint32_t)box_rows, (uint32_t)a->d / 64, 1};
	const uint32_t ones[TENSOR_RANK] = {1, 1, 1, 1};
	bench_driver *cu = &a->head.session->cu;

	return bench_result(a->head.session,
		cu->encode_tensor(map, a->type == BENCH_BF16 ? BFLOAT16 : FLOAT16, TENSOR_RANK,
			(void *)(uintptr_t)address, dimensions, strides, box, ones, NO_INTERLEAVE,
			SWIZZLE_128B, L2_256B, 0),
		"cuTensorMapEncodeTiled");
}

static int pass_tiled(attention_case *a, bench_launch *l, const attention_kernel *kernel,
	const attention_split *split, const uint64_t *qkv, unsigned set, void *args)
{
	const float scale_log2 = (float)(1.4426950408889634 / sqrt(a->d));
	attention_args *plain = (attention_args *)args + set;
	attention_wgmma_args *maps = (attention_wgmma_args *)args + set;
	int rc;

	if (kernel->family == ATTENTION_MMA) {
		*plain = (attention_args){
			a->out[set], qkv[0], qkv[1], qkv[2], a->sequence, scale_log2};
		bench_pass_struct(l, plain);
		return 0;
	}
	maps->o = a->out[set];
	maps->sequence = a->sequence;
	maps->scale_log2 = scale_log2;
	maps->whole = split->whole;
	maps->rest = split->rest;
	rc = encode(a, maps->q, qkv[0], kernel->rows);
	rc = rc ? rc : encode(a, maps->k, qkv[1], kernel->cols);
	rc = rc ? rc : encode(a, maps->v, qkv[2], kernel->cols);
	bench_pass_struct(l, maps);
	return rc;
}

/* by the axis `kernel`: 0 chooses */
static int pick_kernel(
	const attention_kernel **out, ba_suite_session *session, const ba_suite_setup *setup)
{
	const ba_suite_value *v = setup->values;
	const ba_suite_host *host = session->host;
	const char *unfit;

	if (v[KERNEL].integer == 0)
		*out = attention_choose((size_t)(v[B].integer * v[H].integer), (int)v[S].integer,
			(int)v[D].integer, strcmp(v[CAUSAL].text, "yes") == 0, host->sm_arch,
			session->multiprocessors);
	else
		*out = attention_kernel_at((size_t)v[KERNEL].integer);
	if (!*out)
		return host->skip(v[KERNEL].integer ? "no kernel has this number"
						    : "needs compute capability 8.0");
	unfit = attention_kernel_unfit(*out, (int)v[D].integer, host->sm_arch);
	if (!unfit && (*out)->family == ATTENTION_WGMMA && !session->cu.encode_tensor)
		unfit = "needs a driver for CUDA 12";
	return unfit ? host->skip(unfit) : 0;
}

static int setup_tiled(ba_suite_case **out, ba_suite_session *session, const ba_suite_setup *setup)
{
	const attention_kernel *kernel = NULL;
	attention_split split;
	attention_case *a;
	char name[96];
	void *function, *args = NULL;
	int rc = begin(&a, out, session, setup, 1);

	rc = rc ? rc : pick_kernel(&kernel, session, setup);
	if (rc)
		return rc;
	snprintf(name, sizeof(name), "attention_%s_d%d_%s%s", kernel->name, kernel->d, type_name(a),
		a->causal ? "_causal" : "");
	rc = bench_function(&function, session,
		kernel->family == ATTENTION_MMA ? BENCH_MMA : BENCH_WGMMA, name,
		kernel->shared_bytes);
	if (!rc) {
		args = bench_keep(&a->head, setup->sets * sizeof(attention_wgmma_args));
		rc = args ? 0 : bench_fail(session, "out of memory");
	}
	if (!rc)
		attention_split_rows(
			&split, kernel, a->heads, a->sequence, a->causal, session->multiprocessors);
	for (unsigned set = 0; !rc && set < setup->sets; set++) {
		uint64_t qkv[3] = {0, 0, 0};
		bench_launch *l = bench_launch_next(&a->head, set, function, (size_t)split.blocks,
			a->heads, 1, (unsigned)kernel->threads, kernel->shared_bytes);

		rc = tensors(a, qkv, set);
		rc = rc ? rc : pass_tiled(a, l, kernel, &split, qkv, set, args);
	}
	if (!rc)
		count(a);
	return rc ? rc : bench_ready(&a->head);
}

/* ---- naive ---- */

typedef struct naive_functions {
	void *scores, *softmax, *values;
} naive_functions;

static int find_naive(naive_functions *out, attention_case *a)
{
	char name[96];
	int rc;

	snprintf(name, sizeof(name), "attention_naive_scores_%s", type_name(a));
	rc = bench_function(&out->scores, a->head.session, BENCH_PLAIN, name, 0);
	snprintf(name, sizeof(name), "attention_naive_softmax_%s%s", type_name(a),
		a->causal ? "_causal" : "");
	rc = rc ? rc : bench_function(&out->softmax, a->head.session, BENCH_PLAIN, name, 0);
	snprintf(name, sizeof(name), "attention_naive_values_%s", type_name(a));
	return rc ? rc : bench_function(&out->values, a->head.session, BENCH_PLAIN, name, 0);
}

static void pass_product(bench_launch *l, uint64_t out, uint64_t left, uint64_t right, int rows,
	int columns, int depth, float factor)
{
	bench_pass_address(l, out);
	bench_pass_address(l, left);
	bench_pass_address(l, right);
	bench_pass_int(l, rows);
	bench_pass_int(l, columns);
	bench_pass_int(l, depth);
	bench_pass_float(l, factor);
}

static void pass_naive(attention_case *a, unsigned set, const naive_functions *f,
	const uint64_t *qkv, uint64_t scores)
{
	const size_t rows = a->heads * (size_t)a->sequence;
	const size_t tiles = ((size_t)a->sequence + GEMM_TILE - 1) / GEMM_TILE;
	bench_launch *l = bench_launch_next(
		&a->head, set, f->scores, tiles, tiles, a->heads, NAIVE_THREADS, 0);

	pass_product(
		l, scores, qkv[0], qkv[1], a->sequence, a->sequence, a->d, (float)(1 / sqrt(a->d)));
	l = bench_launch_next(&a->head, set, f->softmax,
		(rows + NAIVE_THREADS / 32 - 1) / (NAIVE_THREADS / 32), 1, 1, NAIVE_THREADS, 0);
	bench_pass_address(l, scores);
	bench_pass_int(l, a->sequence);
	bench_pass_long(l, (long long)rows);
	l = bench_launch_next(&a->head, set, f->values, 1, tiles, a->heads, NAIVE_THREADS, 0);
	pass_product(l, a->out[set], scores, qkv[2], a->sequence, a->d, a->sequence, 1.0f);
}

static int setup_naive(ba_suite_case **out, ba_suite_session *session, const ba_suite_setup *setup)
{
	naive_functions functions;
	attention_case *a;
	int rc;

	if (session->host->sm_arch < 80)
		return session->host->skip("needs compute capability 8.0");
	if (setup->values[S].integer % 4 != 0)
		return session->host->skip("S must be a multiple of 4");
	rc = begin(&a, out, session, setup, 3);
	rc = rc ? rc : find_naive(&functions, a);
	for (unsigned set = 0; !rc && set < setup->sets; set++) {
		const size_t square = (size_t)a->sequence * (size_t)a->sequence;
		uint64_t qkv[3] = {0, 0, 0}, scores = 0;

		rc = tensors(a, qkv, set);
		rc = rc ? rc : bench_scratch(&a->head, &scores, a->heads * square * 2, "scores");
		pass_naive(a, set, &functions, qkv, scores);
	}
	if (!rc)
		count(a);
	return rc ? rc : bench_ready(&a->head);
}

/* ---- check ---- */

/* inputs of one head as the kernel reads them, rounded to their type */
static void slice(float *x, const attention_case *a, unsigned which, size_t head)
{
	const size_t n = (size_t)a->sequence * (size_t)a->d;
	const uint64_t seed = bench_seed(&a->head, a->head.set, which);
	const reference_type type = a->type == BENCH_BF16 ? REFERENCE_BF16 : REFERENCE_FP16;

	for (size_t i = 0; i < n; i++)
		x[i] = reference_round(type, inputs_normal(seed, head * n + i));
}

/* expected rows of a head, each after the other in `expected`; returns the largest
 * error of the naive computation in 16-bit numbers */
static double expect(const attention_case *a, double *expected, const float *q, const float *k,
	const float *v, const size_t *rows, size_t count)
{
	const reference_type type = a->type == BENCH_BF16 ? REFERENCE_BF16 : REFERENCE_FP16;
	const size_t d = (size_t)a->d;
	float naive[128];
	double worst = 0;

	for (size_t i = 0; i < count; i++) {
		reference_attention_row(expected + i * d, naive, q + rows[i] * d, k, v,
			a->causal ? (int)rows[i] + 1 : a->sequence, a->d, type);
		for (size_t j = 0; j < d; j++)
			worst = fmax(worst, fabs(naive[j] - expected[i * d + j]));
	}
	return worst;
}

static int check_slice(attention_case *a, size_t head, float *qkv, double *expected)
{
	const size_t d = (size_t)a->d, s = (size_t)a->sequence;
	const size_t count = s <= WHOLE_SLICE ? s : SLICE_ROWS;
	const reference_type type = a->type == BENCH_BF16 ? REFERENCE_BF16 : REFERENCE_FP16;
	size_t rows[WHOLE_SLICE];
	double absolute;
	int rc = 0;

	for (size_t i = 0; i < count; i++)
		rows[i] = reference_pick(a->head.seed + head, s, count, i);
	for (unsigned i = 0; i < 3; i++)
		slice(qkv + i * s * d, a, i, head);
	absolute = reference_attention_absolute(
		expect(a, expected, qkv, qkv + s * d, qkv + 2 * s * d, rows, count));
	for (size_t i = 0; i < count && !rc; i++)
		rc = bench_compare(&a->head, "o",
			a->out[a->head.set] + (head * s + rows[i]) * d * 2,
			a->type == BENCH_BF16 ? BA_SUITE_BF16 : BA_SUITE_F16, expected + i * d, d,
			absolute, 0, reference_l2(type));
	return rc;
}

static int check(ba_suite_case *c)
{
	attention_case *a = (attention_case *)c;
	const size_t n = (size_t)a->sequence * (size_t)a->d;
	const size_t slices = a->heads < SLICES ? a->heads : SLICES;
	float *qkv = malloc(3 * n * sizeof(*qkv));
	double *expected = malloc(WHOLE_SLICE * (size_t)a->d * sizeof(*expected));
	int rc = qkv && expected ? 0 : bench_fail(c->session, "out of memory");

	rc = rc ? rc : bench_finite(c, "o", a->out[c->set], a->type, a->heads * n);
	for (size_t i = 0; i < slices && !rc; i++)
		rc = check_slice(a, reference_pick(c->seed, a->heads, slices, i), qkv, expected);
	free(expected);
	free(qkv);
	return rc;
}

static const char *const one[] = {"1", NULL};
static const char *const head_dims[] = {"64", "128", NULL};
static const char *const types[] = {"f16", "bf16", NULL};
static const char *const answers[] = {"no", "yes", NULL};
static const char *const chosen[] = {"0", NULL};
static const ba_suite_axis axes[] = {
	[B] = {"B", BA_SUITE_INTEGER, one},
	[H] = {"H", BA_SUITE_INTEGER, one},
	[S] = {"S", BA_SUITE_INTEGER, one},
	[D] = {"d", BA_SUITE_INTEGER, head_dims},
	[DTYPE] = {"dtype", BA_SUITE_TYPE, types},
	[CAUSAL] = {"causal", BA_SUITE_TEXT, answers},
	[KERNEL] = {"kernel", BA_SUITE_INTEGER, chosen},
};
static const char *const shapes[] = {"B=1,H=1,S=128,d=64", "B=8,H=4,S=128,d=64",
	"B=32,H=8,S=128,d=64", "B=32,H=8,S=256,d=64", "B=32,H=8,S=256,d=128",
	"B=32,H=16,S=512,d=64", "B=16,H=16,S=1024,d=64", "B=16,H=16,S=1024,d=128",
	"B=8,H=16,S=2048,d=128", "B=4,H=16,S=4096,d=64", "B=4,H=16,S=4096,d=128", NULL};

const ba_suite_benchmark bench_attention = {"attention",
	"softmax(Q K^T / sqrt(d)) V, tiled, on tensor cores", axes, sizeof(axes) / sizeof(axes[0]),
	1, shapes, setup_tiled, bench_run, check, bench_teardown};
/* the same without the choice of a kernel */
const ba_suite_benchmark bench_attention_naive = {"attention_naive",
	"the same as three kernels, scores in memory", axes, KERNEL, 1, shapes, setup_naive,
	bench_run, check, bench_teardown};
