/* stream.c -- copy, saxpy, reduction, transpose, histogram: see device/stream.cuh */
#include <stdlib.h>

#include "benchmarks.h"
#include "case.h"
#include "inputs.h"

enum {
	THREADS = 256,
	CHUNK = 16 * THREADS,	   /* numbers of a block */
	BYTE_CHUNK = 64 * THREADS, /* bytes of a block's round of histogram */
	TILE = 32,		   /* of transpose */
	BLOCKS_EACH = 4,	   /* of kernels whose blocks go round: a multiprocessor */
	PIECE = 1 << 20,	   /* numbers that are checked at once */
	BINS = 256
};

static const float factor = 1.5f;

typedef struct stream_case {
	ba_suite_case head;
	size_t n;
	size_t rows, columns; /* of transpose */
	uint64_t *out;	      /* [sets] */
} stream_case;

static size_t blocks_for(size_t n, size_t each)
{
	return (n + each - 1) / each;
}

/* a case with n and room for the outputs' addresses */
static int begin(stream_case **out, ba_suite_case **c, ba_suite_session *session,
	const ba_suite_setup *setup)
{
	stream_case *s;

	if (setup->values[0].integer < 1 || setup->values[0].integer > INT32_MAX)
		return session->host->skip("the size is out of range (1 to 2147483647)");
	s = bench_case_new(sizeof(*s), session, setup, 1);
	if (!s)
		return bench_fail(session, "out of memory");
	*c = &s->head;
	*out = s;
	s->n = (size_t)setup->values[0].integer;
	s->out = bench_keep(&s->head, setup->sets * sizeof(*s->out));
	return s->out ? 0 : bench_fail(session, "out of memory");
}

/* out = x, out = a x + y: `name` with `inputs` arrays to read */
static int setup_map(ba_suite_case **out, ba_suite_session *session, const ba_suite_setup *setup,
	const char *name, unsigned inputs)
{
	stream_case *s;
	void *function;
	int rc = begin(&s, out, session, setup);

	if (!rc)
		rc = bench_function(&function, session, BENCH_PLAIN, name, 0);
	if (rc)
		return rc;
	for (unsigned set = 0; set < setup->sets && !rc; set++) {
		uint64_t x[2] = {0, 0};
		bench_launch *l;

		for (unsigned i = 0; i < inputs && !rc; i++)
			rc = bench_input(&s->head, &x[i], s->n, BENCH_F32, set, i, i ? "y" : "x");
		rc = rc ? rc : bench_output(&s->head, &s->out[set], s->n * 4, "out");
		l = bench_launch_next(
			&s->head, set, function, blocks_for(s->n, CHUNK), 1, 1, THREADS, 0);
		bench_pass_address(l, s->out[set]);
		for (unsigned i = 0; i < inputs; i++)
			bench_pass_address(l, x[i]);
		if (inputs == 2)
			bench_pass_float(l, factor);
		bench_pass_long(l, (long long)s->n);
	}
	bench_count(&s->head, inputs == 2 ? 2.0 * s->n : 0, 4.0 * inputs * s->n, 4.0 * s->n, s->n);
	return rc ? rc : bench_ready(&s->head);
}

static int setup_copy(ba_suite_case **out, ba_suite_session *session, const ba_suite_setup *setup)
{
	return setup_map(out, session, setup, "copy", 1);
}

static int setup_saxpy(ba_suite_case **out, ba_suite_session *session, const ba_suite_setup *setup)
{
	return setup_map(out, session, setup, "saxpy", 2);
}

/* out[i] must be of(x, y at i); pieces, since a result may be as large as the memory */
static int check_all(stream_case *s, double absolute,
	double (*of)(const stream_case *s, uint64_t x, uint64_t y, size_t i))
{
	const uint64_t x = bench_seed(&s->head, s->head.set, 0);
	const uint64_t y = bench_seed(&s->head, s->head.set, 1);
	double *expected = malloc(PIECE * sizeof(*expected));
	int rc = expected ? 0 : bench_fail(s->head.session, "out of memory");

	for (size_t first = 0; first < s->n && !rc; first += PIECE) {
		size_t count = s->n - first < PIECE ? s->n - first : PIECE;

		for (size_t i = 0; i < count; i++)
			expected[i] = of(s, x, y, first + i);
		rc = bench_compare(&s->head, "out", s->out[s->head.set] + first * 4, BA_SUITE_F32,
			expected, count, absolute, 0, 0);
	}
	free(expected);
	return rc;
}

static double same(const stream_case *s, uint64_t x, uint64_t y, size_t i)
{
	(void)s, (void)y;
	return inputs_normal(x, i);
}

static double scaled(const stream_case *s, uint64_t x, uint64_t y, size_t i)
{
	(void)s;
	return (double)factor * inputs_normal(x, i) + inputs_normal(y, i);
}

static double turned(const stream_case *s, uint64_t x, uint64_t y, size_t i)
{
	(void)y;
	return inputs_normal(x, i % s->rows * s->columns + i / s->rows);
}

static int check_copy(ba_suite_case *c)
{
	return check_all((stream_case *)c, 0, same);
}

/* one rounding of a number below 9 */
static int check_saxpy(ba_suite_case *c)
{
	return check_all((stream_case *)c, 1e-6, scaled);
}

static int check_transpose(ba_suite_case *c)
{
	return check_all((stream_case *)c, 0, turned);
}

/* reduction and histogram: blocks that go round, and a last one that sums up */
static int setup_sum(ba_suite_case **out, ba_suite_session *session, const ba_suite_setup *setup,
	const char *name, bench_type type, size_t results)
{
	stream_case *s;
	void *function;
	size_t blocks, most = (size_t)session->multiprocessors * BLOCKS_EACH;
	int rc = begin(&s, out, session, setup);

	if (!rc)
		rc = bench_function(&function, session, BENCH_PLAIN, name, 0);
	if (rc)
		return rc;
	blocks = blocks_for(s->n, type == BENCH_BYTE ? BYTE_CHUNK : CHUNK);
	blocks = blocks < most ? blocks : most;
	for (unsigned set = 0; set < setup->sets && !rc; set++) {
		uint64_t x = 0, partial = 0, ticket = 0;
		bench_launch *l;

		rc = bench_input(&s->head, &x, s->n, type, set, 0, "x");
		rc = rc ? rc : bench_scratch(&s->head, &partial, blocks * results * 4, "partial");
		rc = rc ? rc : bench_zeros(&s->head, &ticket, 4, "ticket");
		rc = rc ? rc : bench_output(&s->head, &s->out[set], results * 4, "result");
		l = bench_launch_next(&s->head, set, function, blocks, 1, 1, THREADS, 0);
		bench_pass_address(l, s->out[set]);
		bench_pass_address(l, partial);
		bench_pass_address(l, ticket);
		bench_pass_address(l, x);
		bench_pass_long(l, (long long)s->n);
	}
	bench_count(&s->head, type == BENCH_F32 ? s->n : 0, (type == BENCH_F32 ? 4.0 : 1.0) * s->n,
		4.0 * results, s->n);
	return rc ? rc : bench_ready(&s->head);
}

static int setup_reduction(
	ba_suite_case **out, ba_suite_session *session, const ba_suite_setup *setup)
{
	return setup_sum(out, session, setup, "reduction", BENCH_F32, 1);
}

static int setup_histogram(
	ba_suite_case **out, ba_suite_session *session, const ba_suite_setup *setup)
{
	return setup_sum(out, session, setup, "histogram", BENCH_BYTE, BINS);
}

static int check_reduction(ba_suite_case *c)
{
	stream_case *s = (stream_case *)c;
	const uint64_t x = bench_seed(c, c->set, 0);
	double sum = 0;

	for (size_t i = 0; i < s->n; i++)
		sum += inputs_normal(x, i);
	return bench_compare(c, "sum", s->out[c->set], BA_SUITE_F32, &sum, 1,
		reference_sum_absolute((double)s->n), 0, 0);
}

static int check_histogram(ba_suite_case *c)
{
	stream_case *s = (stream_case *)c;
	const uint64_t x = bench_seed(c, c->set, 0);
	double bins[BINS] = {0};

	for (size_t i = 0; i < s->n; i++)
		bins[inputs_byte(x, i)]++;
	return bench_compare(c, "bins", s->out[c->set], BA_SUITE_U32, bins, BINS, 0, 0, 0);
}

static int setup_transpose(
	ba_suite_case **out, ba_suite_session *session, const ba_suite_setup *setup)
{
	stream_case *s;
	void *function;
	int rc = begin(&s, out, session, setup);

	if (!rc)
		rc = bench_function(&function, session, BENCH_PLAIN, "transpose", 0);
	if (rc)
		return rc;
	s->rows = s->n;
	s->columns = s->n;
	s->n = s->rows * s->columns;
	for (unsigned set = 0; set < setup->sets && !rc; set++) {
		uint64_t x = 0;
		bench_launch *l;

		rc = bench_input(&s->head, &x, s->n, BENCH_F32, set, 0, "x");
		rc = rc ? rc : bench_output(&s->head, &s->out[set], s->n * 4, "out");
		l = bench_launch_next(&s->head, set, function, blocks_for(s->columns, TILE),
			blocks_for(s->rows, TILE), 1, THREADS, 0);
		bench_pass_address(l, s->out[set]);
		bench_pass_address(l, x);
		bench_pass_int(l, (int)s->rows);
		bench_pass_int(l, (int)s->columns);
	}
	bench_count(&s->head, 0, 4.0 * s->n, 4.0 * s->n, s->n);
	return rc ? rc : bench_ready(&s->head);
}

/* one size that the L2 cache holds, one that it does not */
static const char *const sizes[] = {"1048576", "33554432", NULL};
static const char *const byte_sizes[] = {"4194304", "134217728", NULL};
static const char *const widths[] = {"1024", "5120", NULL};
static const ba_suite_axis numbers[] = {{"n", BA_SUITE_INTEGER, sizes}};
static const ba_suite_axis bytes[] = {{"n", BA_SUITE_INTEGER, byte_sizes}};
static const ba_suite_axis squares[] = {{"n", BA_SUITE_INTEGER, widths}};

const ba_suite_benchmark bench_copy = {"copy", "n numbers from here to there", numbers, 1, 1, NULL,
	setup_copy, bench_run, check_copy, bench_teardown};
const ba_suite_benchmark bench_saxpy = {"saxpy", "out = a x + y, n numbers", numbers, 1, 1, NULL,
	setup_saxpy, bench_run, check_saxpy, bench_teardown};
const ba_suite_benchmark bench_reduction = {"reduction", "the sum of n numbers", numbers, 1, 1,
	NULL, setup_reduction, bench_run, check_reduction, bench_teardown};
const ba_suite_benchmark bench_transpose = {"transpose", "of an n x n matrix", squares, 1, 1, NULL,
	setup_transpose, bench_run, check_transpose, bench_teardown};
const ba_suite_benchmark bench_histogram = {"histogram", "256 bins of n bytes", bytes, 1, 1, NULL,
	setup_histogram, bench_run, check_histogram, bench_teardown};
