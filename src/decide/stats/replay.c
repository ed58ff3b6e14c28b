#include "stats/replay.h"

typedef struct ba_replay_benchmark {
	char *name;
	ba_trace_shape shape;
	uint32_t count, capacity; /* invocations */
	uint32_t least, most;	  /* of their numbers */
	uint32_t *numbers;
	/* [count][candidates] while reading, [candidates][count] after */
	double *y, *z;
} ba_replay_benchmark;

/* a row whose names have become numbers; kept for any_order only */
typedef struct ba_replay_kept {
	uint32_t benchmark, invocation;
	ba_reading reading;
} ba_replay_kept;

struct ba_replay {
	ba_replay_options options;
	ba_replay_benchmark *benchmarks;
	size_t count, capacity;
	ba_names names; /* of the benchmarks, which own them */

	char *variant_names[BA_REPLAY_VARIANTS_MAX];
	ba_trace_variants variants;
	bool variants_known; /* from the first whole invocation on */

	bool open, unordered;
	uint32_t open_benchmark, open_invocation;
	ba_reading *readings;
	size_t reading_count, reading_capacity;
	ba_replay_kept *kept;
	size_t kept_count, kept_capacity;

	ba_decision *decisions;
	size_t family;
};

/* ---- rows: each invocation becomes one number a candidate ---- */

ba_replay *ba_replay_new(const ba_replay_options *options)
{
	ba_replay *r = ba_xcalloc(1, sizeof(*r));
	r->options = *options;
	r->variants.names = (const char *const *)r->variant_names;
	return r;
}

BA_OWNS_HANDLE(ba_replay, r,
	BA_FREE_EACH(b, r->benchmarks, r->count, BA_FREE(b->name, b->numbers, b->y, b->z)),
	BA_EMPTY_EACH(name, r->variant_names, r->variants.count, free(*name)),
	ba_names_dispose(&r->names), BA_FREE(r->readings, r->kept, r->decisions))

/* names go to terminals and documents: what could do harm there is refused */
static int check_name(const char *name, const char *what, ba_error *err)
{
	BA_AUTO_FREE char *safe = ba_text_safe(name);
	if (name[0] == '\0')
		return ba_fail(err, BA_EDATA, "the %s has no name", what);
	if (strcmp(safe, name) != 0)
		return ba_fail(err, BA_EDATA, "%s '%s' has control characters or is not UTF-8",
			what, safe);
	return 0;
}

static int benchmark_index(uint32_t *out, ba_replay *r, const char *name, ba_error *err)
{
	/* rows of a benchmark mostly follow one another */
	bool same = r->open && strcmp(r->benchmarks[r->open_benchmark].name, name) == 0;
	size_t known = same ? r->open_benchmark : ba_names_find(&r->names, name);
	if (known != BA_NAMES_NONE) {
		*out = (uint32_t)known;
		return 0;
	}
	BA_TRY(check_name(name, "benchmark", err));
	if (r->count == UINT32_MAX / 2)
		return ba_fail(err, BA_EDATA, "more than two thousand million benchmarks");
	ba_replay_benchmark *b = BA_PUSH(r->benchmarks, r->count, r->capacity);
	*b = (ba_replay_benchmark){.name = ba_xstrdup(name)};
	*out = (uint32_t)ba_names_add(&r->names, b->name);
	return 0;
}

static int variant_index(unsigned char *out, ba_replay *r, const char *name, ba_error *err)
{
	for (size_t i = 0; i < r->variants.count; i++) {
		if (strcmp(r->variant_names[i], name) == 0) {
			*out = (unsigned char)i;
			return 0;
		}
	}
	BA_TRY(check_name(name, "variant", err));
	if (r->variants_known)
		return ba_fail(err, BA_EDATA,
			"variant '%s' was not among those of the first invocation", name);
	if (r->variants.count == BA_REPLAY_VARIANTS_MAX)
		return ba_fail(err, BA_EDATA, "more than %d variants", BA_REPLAY_VARIANTS_MAX);
	r->variant_names[r->variants.count] = ba_xstrdup(name);
	*out = (unsigned char)r->variants.count++;
	return 0;
}

/* see the header for the rule */
static int choose_baseline(ba_replay *r, ba_error *err)
{
	size_t count = r->variants.count;
	char **names = r->variant_names;
	if (count < 2)
		return ba_fail(err, BA_EDATA, "'%s' is the only variant; a comparison needs two",
			names[0]);
	bool letters = BA_ALL(names, count, x, **x >= 'A' && **x <= 'Z' && !(*x)[1]);
	const char *wanted = r->options.baseline ? r->options.baseline : letters ? "A" : names[0];
	char **baseline = BA_FIND(names, count, x, strcmp(*x, wanted) == 0);
	if (!baseline && r->options.baseline)
		return ba_fail(err, BA_EINVAL,
			"no variant '%s' in the trace; its variants are '%s', '%s'%s",
			r->options.baseline, r->variant_names[0], r->variant_names[1],
			r->variants.count > 2 ? ", ..." : "");
	r->variants.baseline = baseline ? (size_t)(baseline - names) : 0;
	return 0;
}

static bool has_invocation(const ba_replay_benchmark *b, uint32_t number)
{
	if (b->count == 0 || number > b->most || number < b->least)
		return false;
	return BA_ANY(b->numbers, b->count, x, *x == number);
}

static void reserve_invocation(ba_replay_benchmark *b, size_t candidates)
{
	if (b->count < b->capacity)
		return;
	b->capacity = b->capacity ? 2 * b->capacity : 4;
	b->numbers = ba_xreallocarray(b->numbers, b->capacity, sizeof(*b->numbers));
	b->y = ba_xreallocarray(b->y, b->capacity, candidates * sizeof(*b->y));
	b->z = ba_xreallocarray(b->z, b->capacity, candidates * sizeof(*b->z));
}

/* the invocation that was open is complete */
static int close_invocation(ba_replay *r, ba_error *err)
{
	if (!r->open)
		return 0;
	ba_replay_benchmark *b = &r->benchmarks[r->open_benchmark];
	uint32_t number = r->open_invocation;
	int rc = r->variants_known ? 0 : choose_baseline(r, err);

	r->open = false;
	/* what is missing may follow later, in a trace that is in no order */
	r->unordered = rc == BA_EDATA;
	if (rc < 0)
		return rc;
	r->variants_known = true;
	size_t candidates = r->variants.count - 1;

	reserve_invocation(b, candidates);
	rc = ba_trace_invocation(b->y + b->count * candidates, b->z + b->count * candidates,
		&b->shape, r->readings, r->reading_count, &r->variants, r->options.any_blocks, err);
	r->unordered = rc < 0;
	if (rc < 0)
		return ba_fail_context(err, "benchmark '%s', invocation %u", b->name, number);
	b->least = b->count == 0 || number < b->least ? number : b->least;
	b->most = b->count == 0 || number > b->most ? number : b->most;
	b->numbers[b->count++] = number;
	r->reading_count = 0;
	return 0;
}

static int add_reading(
	ba_replay *r, uint32_t index, uint32_t invocation, const ba_reading *reading, ba_error *err)
{
	if (!r->open || index != r->open_benchmark || invocation != r->open_invocation) {
		BA_TRY(close_invocation(r, err));
		if (has_invocation(&r->benchmarks[index], invocation)) {
			r->unordered = true;
			return ba_fail(err, BA_EDATA,
				"rows of invocation %u of benchmark '%s' are not adjacent; sort the trace by benchmark and invocation, or look for rows that occur twice",
				invocation, r->benchmarks[index].name);
		}
		r->open = true;
		r->open_benchmark = index;
		r->open_invocation = invocation;
	}
	*BA_PUSH(r->readings, r->reading_count, r->reading_capacity) = *reading;
	return 0;
}

int ba_replay_row(ba_replay *r, const ba_trace_row *row, ba_error *err)
{
	ba_reading reading = {.block = row->block,
		.position = row->position,
		.sample = row->sample,
		.ns = row->ns,
		.line = row->line};
	uint32_t index = 0;
	BA_TRY(benchmark_index(&index, r, row->benchmark, err));
	/* before the variant: a new name may be one of the next invocation, which first
	 * ends the one that fixes the variants */
	if (!r->options.any_order && r->open &&
		(index != r->open_benchmark || row->invocation != r->open_invocation))
		BA_TRY(close_invocation(r, err));
	BA_TRY(variant_index(&reading.variant, r, row->variant, err));
	if (!r->options.any_order)
		return add_reading(r, index, row->invocation, &reading, err);
	*BA_PUSH(r->kept, r->kept_count, r->kept_capacity) =
		(ba_replay_kept){index, row->invocation, reading};
	return 0;
}

bool ba_replay_is_unordered(const ba_replay *r)
{
	return r->unordered;
}

BA_DEFINE_ORDER(compare_kept, ba_replay_kept,
	BA_ORDER(a->benchmark, b->benchmark) ?: BA_ORDER(a->invocation, b->invocation)
		?: ba_reading_compare(&a->reading, &b->reading))

/* columns instead of rows, in the order of the invocation numbers */
typedef struct numbered {
	uint32_t number, at;
} numbered;

BA_DEFINE_ORDER(compare_numbered, numbered, BA_ORDER(a->number, b->number))

static double *columns_of(double *rows, const numbered *order, size_t count, size_t candidates)
{
	double *columns = ba_xreallocarray(NULL, count, candidates * sizeof(*columns));
	for (size_t i = 0; i < count; i++)
		for (size_t c = 0; c < candidates; c++)
			columns[c * count + i] = rows[order[i].at * candidates + c];
	free(rows);
	return columns;
}

static void order_invocations(ba_replay_benchmark *b, size_t candidates)
{
	BA_AUTO_FREE numbered *order = ba_xreallocarray(NULL, b->count, sizeof(*order));
	for (uint32_t i = 0; i < b->count; i++)
		order[i] = (numbered){b->numbers[i], i};
	qsort(order, b->count, sizeof(*order), compare_numbered);
	b->y = columns_of(b->y, order, b->count, candidates);
	b->z = columns_of(b->z, order, b->count, candidates);
}

int ba_replay_end(ba_replay *r, ba_error *err)
{
	BA_SORT(r->kept, r->kept_count, compare_kept);
	BA_EACH (const ba_replay_kept, k, r->kept, r->kept_count)
		BA_TRY(add_reading(r, k->benchmark, k->invocation, &k->reading, err));
	BA_TRY(close_invocation(r, err));
	BA_EACH (ba_replay_benchmark, b, r->benchmarks, r->count)
		order_invocations(b, r->variants.count - 1);
	return 0;
}

/* ---- the looks over a trace that was read ---- */

size_t ba_replay_count(const ba_replay *r)
{
	return r->count == 0 ? 0 : r->count * (r->variants.count - 1);
}

/* of a comparison: its candidate's columns */
typedef struct values {
	const double *y, *z;
	size_t count;
} values;

static values values_of(const ba_replay *r, size_t comparison)
{
	size_t candidates = r->variants.count - 1;
	const ba_replay_benchmark *b = &r->benchmarks[comparison / candidates];
	size_t at = comparison % candidates * b->count;
	return (values){b->y + at, b->z + at, b->count};
}

static void look_at(ba_replay *r, const ba_replay_rule *rule, const ba_design *design, size_t look,
	size_t comparison)
{
	values v = values_of(r, comparison);
	ba_decision *d = &r->decisions[comparison];
	if (v.count < design->at[look])
		return;
	ba_decision_look(d, &rule->policy, design, look, v.y);
	ba_decision_look_mean(d, &rule->policy, design, look, v.z);
}

int ba_replay_decide(ba_replay *r, const ba_replay_rule *rule, ba_error *err)
{
	size_t n = ba_replay_count(r);
	ba_design design =
		rule->fixed ? ba_design_fixed(rule->fixed) : ba_design_of_rule(rule->policy.rule);
	BA_REQUIRE(!r->decisions);
	r->family = rule->family ? rule->family : n;
	if (r->family < n)
		return ba_fail(err, BA_EINVAL,
			"a family of %zu is smaller than the %zu comparisons of the trace; the error rate would not hold",
			r->family, n);
	r->decisions = ba_xreallocarray(NULL, n, sizeof(*r->decisions));
	for (size_t i = 0; i < n; i++) {
		values v = values_of(r, i);
		ba_decision_init(&r->decisions[i], rule->theta_reg, rule->theta_imp);
		if (ba_design_looks_within(&design, v.count) == 0)
			ba_decision_estimate(&r->decisions[i], &rule->policy, v.y, v.count);
	}
	for (size_t look = 0; look < design.looks; look++) {
		for (size_t i = 0; i < n; i++)
			look_at(r, rule, &design, look, i);
		if (ba_family_decide(r->decisions, n, r->family, &rule->policy,
			    look + 1 == design.looks) == 0)
			break;
	}
	return 0;
}

ba_replay_result ba_replay_at(const ba_replay *r, size_t i)
{
	size_t candidates = r->variants.count - 1, candidate = i % candidates;
	const ba_replay_benchmark *b = &r->benchmarks[i / candidates];
	BA_REQUIRE(r->decisions);
	candidate += candidate >= r->variants.baseline;
	return (ba_replay_result){
		.benchmark = b->name,
		.candidate = r->variant_names[candidate],
		.decision = &r->decisions[i],
		.recorded = b->count,
	};
}

size_t ba_replay_family(const ba_replay *r)
{
	return r->family;
}

const ba_trace_variants *ba_replay_variants(const ba_replay *r)
{
	return &r->variants;
}

size_t ba_replay_gaps(const ba_replay *r, const char **first)
{
	size_t gaps = 0;
	*first = NULL;
	BA_EACH (const ba_replay_benchmark, b, r->benchmarks, r->count) {
		if (b->most - b->least + 1 == b->count)
			continue;
		if (gaps++ == 0)
			*first = b->name;
	}
	return gaps;
}
