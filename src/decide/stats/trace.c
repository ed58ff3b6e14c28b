#include "stats/logratio.h"
#include "stats/trace.h"

/* The visits of an invocation, in order. `first`: the first reading of each. */
typedef struct visits {
	size_t count, capacity;
	double *v;
	unsigned char *variant;
	const ba_reading **first;
} visits;

BA_OWNS_HERE(visits, s, BA_FREE(s->v, s->variant, s->first))

int ba_reading_compare(const ba_reading *a, const ba_reading *b)
{
	return BA_ORDER(a->block, b->block) ?: BA_ORDER(a->position, b->position)
		?: BA_ORDER(a->sample, b->sample) ?: BA_ORDER(a->line, b->line);
}

BA_DEFINE_ORDER(compare_untyped, ba_reading, ba_reading_compare(a, b))

static int check_neighbours(
	const ba_reading *a, const ba_reading *b, const ba_trace_variants *variants, ba_error *err)
{
	if (a->sample == b->sample)
		return ba_fail(err, BA_EDATA,
			"line %" PRIu64 " repeats line %" PRIu64
			": block %u, position %u, sample %u",
			b->line, a->line, b->block, b->position, b->sample);
	if (a->variant != b->variant)
		return ba_fail(err, BA_EDATA,
			"line %" PRIu64
			": block %u, position %u belongs to '%s' here and to '%s' in line %" PRIu64,
			b->line, b->block, b->position, variants->names[b->variant],
			variants->names[a->variant], a->line);
	return 0;
}

/* Groups sorted readings into visits. */
static int visits_of(visits *out, const ba_reading *r, size_t n, const ba_trace_variants *variants,
	ba_error *err)
{
	BA_AUTO_FREE double *ns = ba_xreallocarray(NULL, n, sizeof(*ns));
	out->v = ba_xreallocarray(NULL, n, sizeof(*out->v));
	out->variant = ba_xreallocarray(NULL, n, sizeof(*out->variant));
	out->first = ba_xreallocarray(NULL, n, sizeof(*out->first));
	for (size_t i = 0, end; i < n; i = end) {
		ns[0] = r[i].ns;
		for (end = i + 1;
			end < n && r[end].block == r[i].block && r[end].position == r[i].position;
			end++) {
			BA_TRY(check_neighbours(&r[end - 1], &r[end], variants, err));
			ns[end - i] = r[end].ns;
		}
		out->v[out->count] = ba_visit_value(ns, end - i);
		out->variant[out->count] = r[i].variant;
		out->first[out->count++] = &r[i];
	}
	return 0;
}

/* Finds the end of the block that begins at visit `start`; positions have no gap. */
static int block_end(size_t *out, const visits *s, size_t start, ba_error *err)
{
	const ba_reading *first = s->first[start];
	size_t end = start + 1;
	if (first->position > 1)
		return ba_fail(err, BA_EDATA,
			"line %" PRIu64 ": position 0 of block %u is missing (its first is %u)",
			first->line, first->block, first->position);
	for (; end < s->count && s->first[end]->block == first->block; end++) {
		uint32_t expected = first->position + (uint32_t)(end - start);
		if (s->first[end]->position != expected)
			return ba_fail(err, BA_EDATA,
				"line %" PRIu64 ": position %u of block %u is missing before this",
				s->first[end]->line, expected, first->block);
	}
	*out = end;
	return 0;
}

/* Every variant must have equally many visits. */
static int check_visits(
	const visits *s, size_t start, size_t end, const ba_trace_variants *variants, ba_error *err)
{
	size_t times[256] = {0};
	const ba_reading *first = s->first[start];
	for (size_t i = start; i < end; i++)
		times[s->variant[i]]++;
	for (size_t i = 0; i < variants->count; i++) {
		if (times[i] == 0)
			return ba_fail(err, BA_EDATA,
				"line %" PRIu64 ": variant '%s' is absent from block %u",
				first->line, variants->names[i], first->block);
		if (times[i] != times[0])
			return ba_fail(err, BA_EDATA,
				"line %" PRIu64
				": block %u has %zu visits of '%s' and %zu of '%s'; a position is missing or mislabelled",
				first->line, first->block, times[0], variants->names[0], times[i],
				variants->names[i]);
	}
	return 0;
}

static int check_blocks(
	ba_trace_shape *found, const visits *s, const ba_trace_variants *variants, ba_error *err)
{
	uint32_t first_block = s->first[0]->block;
	if (first_block > 1)
		return ba_fail(err, BA_EDATA,
			"line %" PRIu64 ": block 0 is missing (the first is %u)", s->first[0]->line,
			first_block);
	for (size_t start = 0, end = 0; start < s->count; start = end) {
		const ba_reading *first = s->first[start];
		uint32_t expected = first_block + (uint32_t)found->blocks;
		BA_TRY(block_end(&end, s, start, err));
		if (first->block != expected)
			return ba_fail(err, BA_EDATA,
				"line %" PRIu64 ": block %u is missing before this", first->line,
				expected);
		if (found->positions == 0)
			found->positions = end - start;
		if (found->positions != end - start)
			return ba_fail(err, BA_EDATA,
				"line %" PRIu64
				": block %u has %zu positions where others have %zu",
				first->line, first->block, end - start, found->positions);
		BA_TRY(check_visits(s, start, end, variants, err));
		found->blocks++;
	}
	return 0;
}

static int check_shape(const ba_trace_shape *expected, const ba_trace_shape *found, uint64_t line,
	bool any_blocks, ba_error *err)
{
	if (expected->positions && expected->positions != found->positions)
		return ba_fail(err, BA_EDATA,
			"line %" PRIu64
			": blocks of %zu positions where earlier invocations have %zu",
			line, found->positions, expected->positions);
	if (expected->blocks && expected->blocks != found->blocks && !any_blocks)
		return ba_fail(err, BA_EDATA,
			"line %" PRIu64
			": %zu blocks where earlier invocations have %zu; the trace is incomplete, or allow it with --unequal-blocks",
			line, found->blocks, expected->blocks);
	return 0;
}

static size_t readings_of(double *out, const ba_reading *r, size_t n, unsigned char variant)
{
	size_t used = 0;
	for (size_t i = 0; i < n; i++)
		if (r[i].variant == variant)
			out[used++] = r[i].ns;
	return used;
}

int ba_trace_invocation(double *y, double *z, ba_trace_shape *shape, ba_reading *readings, size_t n,
	const ba_trace_variants *variants, bool any_blocks, ba_error *err)
{
	BA_AUTO(visits) visits s = {0};
	ba_trace_shape found = {0};
	size_t used = 0;
	/* most traces are in order */
	if (n && BA_ANY(readings, n - 1, x, ba_reading_compare(x, x + 1) > 0))
		qsort(readings, n, sizeof(*readings), compare_untyped);
	BA_TRY(visits_of(&s, readings, n, variants, err));
	BA_TRY(check_blocks(&found, &s, variants, err));
	BA_TRY(check_shape(shape, &found, readings[0].line, any_blocks, err));
	BA_AUTO_FREE double *x = ba_xreallocarray(NULL, n, sizeof(*x));
	unsigned char baseline = (unsigned char)variants->baseline;
	size_t base_count = readings_of(x, readings, n, baseline);
	const ba_readings r = {
		.blocks = found.blocks, .positions = found.positions, .order = s.variant};
	for (size_t i = 0; i < variants->count; i++) {
		if (i == variants->baseline)
			continue;
		y[used] = ba_logratio_of_visits(s.v, &r, baseline, (unsigned)i).y;
		size_t mine = readings_of(x + base_count, readings, n, (unsigned char)i);
		z[used++] = ba_mean_logratio_of(x, base_count, base_count + mine, BA_MEAN_CUT);
	}
	*shape = found;
	return 0;
}
