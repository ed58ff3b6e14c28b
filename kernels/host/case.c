#include "case.h"

#include <stdlib.h>
#include <string.h>

#include "inputs.h"

enum { FILL_THREADS = 256, FILL_CHUNK = 16 * FILL_THREADS, FINITE_PIECE = 1 << 20 };

/* by bench_type */
static const struct {
	const char *fill;
	size_t bytes;
} types[] = {
	[BENCH_F32] = {"fill_f32", 4},
	[BENCH_FP16] = {"fill_fp16", 2},
	[BENCH_BF16] = {"fill_bf16", 2},
	[BENCH_BYTE] = {"fill_byte", 1},
};

void *bench_case_new(
	size_t size, ba_suite_session *session, const ba_suite_setup *setup, unsigned launches)
{
	ba_suite_case *c = calloc(1, size);

	if (!c)
		return NULL;
	c->session = session;
	c->stream = setup->stream;
	c->seed = setup->seed;
	c->sets = setup->sets;
	c->launches = launches;
	c->launch = calloc((size_t)setup->sets * launches, sizeof(*c->launch));
	if (!c->launch) {
		free(c);
		return NULL;
	}
	return c;
}

void *bench_keep(ba_suite_case *c, size_t size)
{
	for (size_t i = 0; i < sizeof(c->kept) / sizeof(c->kept[0]); i++)
		if (!c->kept[i]) {
			/* whole multiples of 64, for what has to lie at one */
			size = (size + 63) / 64 * 64;
			c->kept[i] = aligned_alloc(64, size);
			return c->kept[i] ? memset(c->kept[i], 0, size) : NULL;
		}
	return NULL;
}

uint64_t bench_seed(const ba_suite_case *c, unsigned set, unsigned which)
{
	return inputs_seed(c->seed, set, which);
}

int bench_input(ba_suite_case *c, uint64_t *address, size_t count, bench_type type, unsigned set,
	unsigned which, const char *name)
{
	ba_suite_session *session = c->session;
	bench_launch fill = {.threads = FILL_THREADS};
	int rc = bench_result(session,
		session->host->alloc(address, count * types[type].bytes, BA_SUITE_INPUT, name),
		name);

	if (!rc)
		rc = bench_function(&fill.function, session, BENCH_PLAIN, types[type].fill, 0);
	if (rc)
		return rc;
	bench_pass_address(&fill, *address);
	bench_pass_address(&fill, bench_seed(c, set, which));
	bench_pass_long(&fill, (long long)count);
	return bench_result(session,
		session->cu.launch(fill.function, (unsigned)((count + FILL_CHUNK - 1) / FILL_CHUNK),
			1, 1, FILL_THREADS, 1, 1, 0, c->stream, fill.args, NULL),
		types[type].fill);
}

int bench_scratch(ba_suite_case *c, uint64_t *address, size_t bytes, const char *name)
{
	return bench_result(
		c->session, c->session->host->alloc(address, bytes, BA_SUITE_INPUT, name), name);
}

int bench_zeros(ba_suite_case *c, uint64_t *address, size_t bytes, const char *name)
{
	int rc = bench_scratch(c, address, bytes, name);

	if (rc)
		return rc;
	return bench_result(
		c->session, c->session->cu.set_bytes(*address, 0, bytes, c->stream), name);
}

int bench_output(ba_suite_case *c, uint64_t *address, size_t bytes, const char *name)
{
	return bench_result(
		c->session, c->session->host->alloc(address, bytes, BA_SUITE_OUTPUT, name), name);
}

bench_launch *bench_launch_next(ba_suite_case *c, unsigned set, void *function, size_t grid_x,
	size_t grid_y, size_t grid_z, unsigned threads, unsigned shared_bytes)
{
	bench_launch *l = c->launch + (size_t)set * c->launches;

	while (l->function)
		l++;
	l->function = function;
	l->grid[0] = (unsigned)grid_x;
	l->grid[1] = (unsigned)grid_y;
	l->grid[2] = (unsigned)grid_z;
	l->threads = threads;
	l->shared_bytes = shared_bytes;
	return l;
}

static void pass(bench_launch *l, const void *value, size_t size)
{
	memcpy(&l->values[l->count], value, size);
	l->args[l->count] = &l->values[l->count];
	l->count++;
}

void bench_pass_address(bench_launch *l, uint64_t address)
{
	pass(l, &address, sizeof(address));
}

void bench_pass_int(bench_launch *l, int value)
{
	pass(l, &value, sizeof(value));
}

void bench_pass_long(bench_launch *l, long long value)
{
	pass(l, &value, sizeof(value));
}

void bench_pass_float(bench_launch *l, float value)
{
	pass(l, &value, sizeof(value));
}

void bench_pass_struct(bench_launch *l, void *value)
{
	l->args[l->count++] = value;
}

int bench_run(ba_suite_case *c, const ba_suite_run *run)
{
	bench_launch *l = c->launch + (size_t)run->set * c->launches;

	c->set = run->set;
	for (unsigned i = 0; i < c->launches; i++, l++) {
		int rc = c->session->cu.launch(l->function, l->grid[0], l->grid[1], l->grid[2],
			l->threads, 1, 1, l->shared_bytes, run->stream, l->args, NULL);

		if (rc)
			return bench_result(c->session, rc, "cuLaunchKernel");
	}
	return 0;
}

void bench_teardown(ba_suite_case *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < sizeof(c->kept) / sizeof(c->kept[0]); i++)
		free(c->kept[i]);
	free(c->launch);
	free(c);
}

int bench_ready(ba_suite_case *c)
{
	return bench_result(c->session, c->session->cu.wait(c->stream), "cuStreamSynchronize");
}

void bench_count(ba_suite_case *c, double flop, double read, double written, double items)
{
	const ba_suite_host *host = c->session->host;

	if (flop > 0)
		host->count(BA_SUITE_FLOP, flop);
	host->count(BA_SUITE_BYTES_READ, read);
	host->count(BA_SUITE_BYTES_WRITTEN, written);
	host->count(BA_SUITE_ITEMS, items);
}

int bench_compare(ba_suite_case *c, const char *name, uint64_t address, uint32_t type,
	const double *expected, size_t count, double absolute, double relative, double l2)
{
	ba_suite_output output = {.abi = BA_SUITE_ABI,
		.struct_size = sizeof(output),
		.name = name,
		.address = address,
		.type = type,
		.expected = expected,
		.count = count,
		.absolute = absolute,
		.relative = relative,
		.l2 = l2};

	c->session->error[0] = 0; /* the tool's sentence is the better one */
	return c->session->host->compare(&output);
}

/* the exponent is not all ones */
static int is_finite(const unsigned char *at, bench_type type)
{
	uint32_t bits = 0;

	memcpy(&bits, at, types[type].bytes);
	switch (type) {
	case BENCH_F32:
		return (bits & 0x7f800000u) != 0x7f800000u;
	case BENCH_FP16:
		return (bits & 0x7c00u) != 0x7c00u;
	case BENCH_BF16:
		return (bits & 0x7f80u) != 0x7f80u;
	default:
		return 1;
	}
}

int bench_finite(
	ba_suite_case *c, const char *name, uint64_t address, bench_type type, size_t count)
{
	const size_t bytes = types[type].bytes;
	unsigned char *piece = malloc(FINITE_PIECE * bytes);
	int rc = piece ? 0 : bench_fail(c->session, "out of memory");

	for (size_t first = 0; first < count && !rc; first += FINITE_PIECE) {
		size_t n = count - first < FINITE_PIECE ? count - first : FINITE_PIECE;

		rc = bench_result(c->session,
			c->session->cu.download(piece, address + first * bytes, n * bytes),
			"cuMemcpyDtoH");
		for (size_t i = 0; i < n && !rc; i++)
			if (!is_finite(piece + i * bytes, type))
				rc = bench_fail(c->session, "%s[%zu] is not a finite number", name,
					first + i);
	}
	free(piece);
	return rc;
}
