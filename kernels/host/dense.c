/* dense.c -- softmax, layer norm, SGEMM: see device/rows.cuh and device/gemm.cuh */
#include <stdlib.h>

#include "benchmarks.h"
#include "case.h"
#include "inputs.h"

enum {
	THREADS = 256,
	GEMM_TILE = 128,
	MOST_COLUMNS = 4096, /* of softmax and layer norm */
	CHECKED_ROWS = 64,
	CHECKED_GEMM_ROWS = 16
};

static const float epsilon = 1e-5f;

typedef struct dense_case {
	ba_suite_case head;
	size_t rows, columns, depth; /* of the result; depth of sgemm */
	uint64_t *out;		     /* [sets] */
} dense_case;

static int begin(
	dense_case **out, ba_suite_case **c, ba_suite_session *session, const ba_suite_setup *setup)
{
	dense_case *d;

	for (uint32_t i = 0; i < setup->value_count; i++)
		if (setup->values[i].integer < 1 || setup->values[i].integer > INT32_MAX)
			return session->host->skip("the size is out of range (1 to 2147483647)");
	d = bench_case_new(sizeof(*d), session, setup, 1);
	if (!d)
		return bench_fail(session, "out of memory");
	*c = &d->head;
	*out = d;
	d->rows = (size_t)setup->values[0].integer;
	d->columns = (size_t)setup->values[1].integer;
	d->out = bench_keep(&d->head, setup->sets * sizeof(*d->out));
	return d->out ? 0 : bench_fail(session, "out of memory");
}

/* softmax and, with gamma and beta, layer norm */
static int setup_rows(ba_suite_case **out, ba_suite_session *session, const ba_suite_setup *setup,
	const char *narrow, const char *wide, int layer_norm)
{
	dense_case *d;
	void *function;
	int rc;

	if (setup->values[1].integer > MOST_COLUMNS || setup->values[1].integer % 4 != 0)
		return session->host->skip("columns must be a multiple of 4 and at most 4096");
	rc = begin(&d, out, session, setup);
	rc = rc ? rc
		: bench_function(
			  &function, session, BENCH_PLAIN, d->columns <= 1024 ? narrow : wide, 0);
	for (unsigned set = 0; !rc && set < setup->sets; set++) {
		const size_t n = d->rows * d->columns;
		uint64_t x = 0, gamma = 0, beta = 0;
		bench_launch *l;

		rc = bench_input(&d->head, &x, n, BENCH_F32, set, 0, "x");
		if (layer_norm) {
			rc = rc ? rc
				: bench_input(
					  &d->head, &gamma, d->columns, BENCH_F32, set, 1, "gamma");
			rc = rc ? rc
				: bench_input(
					  &d->head, &beta, d->columns, BENCH_F32, set, 2, "beta");
		}
		rc = rc ? rc : bench_output(&d->head, &d->out[set], n * 4, "out");
		l = bench_launch_next(&d->head, set, function, d->rows, 1, 1, THREADS, 0);
		bench_pass_address(l, d->out[set]);
		bench_pass_address(l, x);
		if (layer_norm) {
			bench_pass_address(l, gamma);
			bench_pass_address(l, beta);
		}
		bench_pass_int(l, (int)d->columns);
		if (layer_norm)
			bench_pass_float(l, epsilon);
	}
	return rc ? rc : bench_ready(&d->head);
}

static int setup_softmax(
	ba_suite_case **out, ba_suite_session *session, const ba_suite_setup *setup)
{
	const double rows = (double)setup->values[0].integer;
	const double columns = (double)setup->values[1].integer;
	int rc = setup_rows(out, session, setup, "softmax_1024", "softmax_4096", 0);

	if (!rc)
		bench_count(*out, count_softmax_flop(rows, columns), 4 * rows * columns,
			4 * rows * columns, rows * columns);
	return rc;
}

static int setup_layer_norm(
	ba_suite_case **out, ba_suite_session *session, const ba_suite_setup *setup)
{
	const double rows = (double)setup->values[0].integer;
	const double columns = (double)setup->values[1].integer;
	int rc = setup_rows(out, session, setup, "layer_norm_1024", "layer_norm_4096", 1);

	if (!rc)
		bench_count(*out, count_layer_norm_flop(rows, columns), 4 * (rows + 2) * columns,
			4 * rows * columns, rows * columns);
	return rc;
}

/* rows that are picked, each as `of` has it; expected has room for a row, x for the
 * inputs */
static int check_picked(dense_case *d, size_t want, double absolute, double relative, double l2,
	void (*of)(const dense_case *d, double *expected, float *x, size_t row))
{
	const size_t rows = d->rows < want ? d->rows : want;
	const size_t widest = d->columns > d->depth ? d->columns : d->depth;
	double *expected = calloc(d->columns, sizeof(*expected));
	float *x = calloc(3 * widest, sizeof(*x));
	int rc = expected && x ? 0 : bench_fail(d->head.session, "out of memory");

	rc = rc ? rc
		: bench_finite(
			  &d->head, "out", d->out[d->head.set], BENCH_F32, d->rows * d->columns);
	for (size_t i = 0; i < rows && !rc; i++) {
		size_t row = reference_pick(d->head.seed, d->rows, rows, i);

		of(d, expected, x, row);
		rc = bench_compare(&d->head, "out", d->out[d->head.set] + row * d->columns * 4,
			BA_SUITE_F32, expected, d->columns, absolute, relative, l2);
	}
	free(expected);
	free(x);
	return rc;
}

static void inputs(float *x, const dense_case *d, unsigned which, size_t first, size_t n)
{
	const uint64_t seed = bench_seed(&d->head, d->head.set, which);

	for (size_t i = 0; i < n; i++)
		x[i] = inputs_normal(seed, first + i);
}

static void softmax_row(const dense_case *d, double *expected, float *x, size_t row)
{
	inputs(x, d, 0, row * d->columns, d->columns);
	reference_softmax_row(expected, x, d->columns);
}

static void layer_norm_row(const dense_case *d, double *expected, float *x, size_t row)
{
	inputs(x, d, 0, row * d->columns, d->columns);
	inputs(x + d->columns, d, 1, 0, d->columns);
	inputs(x + 2 * d->columns, d, 2, 0, d->columns);
	reference_layer_norm_row(
		expected, x, x + d->columns, x + 2 * d->columns, d->columns, epsilon);
}

static void gemm_row(const dense_case *d, double *expected, float *x, size_t row)
{
	inputs(x, d, 0, row * d->depth, d->depth);
	for (size_t i = 0; i < d->columns; i++)
		expected[i] = 0;
	for (size_t j = 0; j < d->depth; j++) {
		float *b = x + d->depth;

		inputs(b, d, 1, j * d->columns, d->columns);
		for (size_t i = 0; i < d->columns; i++)
			expected[i] += (double)x[j] * b[i];
	}
}

static int check_softmax(ba_suite_case *c)
{
	return check_picked((dense_case *)c, CHECKED_ROWS, 1e-8, 1e-5, reference_l2(REFERENCE_FP32),
		softmax_row);
}

static int check_layer_norm(ba_suite_case *c)
{
	return check_picked((dense_case *)c, CHECKED_ROWS, 1e-5, 1e-5, reference_l2(REFERENCE_FP32),
		layer_norm_row);
}

static int check_sgemm(ba_suite_case *c)
{
	dense_case *d = (dense_case *)c;

	return check_picked(d, CHECKED_GEMM_ROWS, reference_product_absolute((double)d->depth), 0,
		reference_l2(REFERENCE_FP32), gemm_row);
}

static int setup_sgemm(ba_suite_case **out, ba_suite_session *session, const ba_suite_setup *setup)
{
	dense_case *d;
	void *function;
	int rc;

	if (setup->values[1].integer % 4 != 0 || setup->values[2].integer % 4 != 0)
		return session->host->skip("n and k must be multiples of 4");
	rc = begin(&d, out, session, setup);
	rc = rc ? rc : bench_function(&function, session, BENCH_PLAIN, "sgemm", 0);
	if (rc)
		return rc;
	d->depth = (size_t)setup->values[2].integer;
	for (unsigned set = 0; !rc && set < setup->sets; set++) {
		uint64_t a = 0, b = 0;
		bench_launch *l;

		rc = bench_input(&d->head, &a, d->rows * d->depth, BENCH_F32, set, 0, "a");
		rc = rc ? rc
			: bench_input(&d->head, &b, d->depth * d->columns, BENCH_F32, set, 1, "b");
		rc = rc ? rc
			: bench_output(&d->head, &d->out[set], d->rows * d->columns * 4, "out");
		l = bench_launch_next(&d->head, set, function,
			(d->columns + GEMM_TILE - 1) / GEMM_TILE,
			(d->rows + GEMM_TILE - 1) / GEMM_TILE, 1, THREADS, 0);
		bench_pass_address(l, d->out[set]);
		bench_pass_address(l, a);
		bench_pass_address(l, b);
		bench_pass_int(l, (int)d->rows);
		bench_pass_int(l, (int)d->columns);
		bench_pass_int(l, (int)d->depth);
		bench_pass_float(l, 1);
	}
	bench_count(&d->head, count_gemm_flop(d->rows, d->columns, d->depth),
		4.0 * d->depth * (d->rows + d->columns), 4.0 * d->rows * d->columns,
		(double)d->rows * d->columns);
	return rc ? rc : bench_ready(&d->head);
}

static const char *const few[] = {"8192", NULL};
static const char *const widths[] = {"1024", "4096", NULL};
static const char *const sides[] = {"1024", "4096", NULL};
static const ba_suite_axis matrix[] = {
	{"rows", BA_SUITE_INTEGER, few}, {"columns", BA_SUITE_INTEGER, widths}};
static const ba_suite_axis product[] = {{"m", BA_SUITE_INTEGER, sides},
	{"n", BA_SUITE_INTEGER, sides}, {"k", BA_SUITE_INTEGER, sides}};
static const char *const products[] = {"m=1024,n=1024,k=1024", "m=4096,n=4096,k=4096", NULL};

const ba_suite_benchmark bench_softmax = {"softmax", "of each row", matrix, 2, 1, NULL,
	setup_softmax, bench_run, check_softmax, bench_teardown};
const ba_suite_benchmark bench_layer_norm = {"layer_norm", "of each row, gamma and beta", matrix, 2,
	1, NULL, setup_layer_norm, bench_run, check_layer_norm, bench_teardown};
const ba_suite_benchmark bench_sgemm = {"sgemm", "FP32 matrix product, no tensor cores", product, 3,
	1, products, setup_sgemm, bench_run, check_sgemm, bench_teardown};
