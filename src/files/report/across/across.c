#include "report/across/across.h"

#include "report/view.h"

static const char suite_key[] = "suite", name_key[] = "benchmark";

/* The keys of --across, as in "backend=math"; a key without a value has "". */
typedef struct keys {
	ba_strv names, values;
} keys;

BA_OWNS_HERE(keys, k, BA_DISPOSE(ba_strv, &k->names, &k->values))

/* a benchmark with its row and column */
typedef struct place {
	const ba_benchmark *benchmark;
	char *row, *side;
	size_t order; /* in the result */
} place;

BA_LIST(places, place);

BA_OWNS_HERE(places, p, BA_FREE_EACH(x, p->items, p->count, BA_FREE(x->row, x->side)))

static int parse_keys(keys *out, const char *text, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv words = {0};
	if (!*text)
		return ba_fail(err, BA_EINVAL, "--across '' names no axis");
	ba_strv_split(&words, text, ',');
	for (size_t i = 0; i < words.count; i++) {
		const char *word = words.items[i], *equals = strchr(word, '=');
		size_t length = equals ? (size_t)(equals - word) : strlen(word);
		BA_AUTO_FREE char *name = ba_xstrndup(word, length);
		if (!length || (equals && !equals[1]))
			return ba_fail(err, BA_EINVAL,
				"--across '%s' is not a list of axes with commas between them; write it like 'backend' or 'suite,benchmark,backend=math'",
				text);
		if (ba_strv_has(&out->names, name))
			return ba_fail(
				err, BA_EINVAL, "--across '%s': '%s' appears twice", text, name);
		ba_strv_push(&out->names, name);
		ba_strv_push(&out->values, equals ? equals + 1 : "");
	}
	return 0;
}

/* ---- ids in two ---- */

static const char *value_of(const ba_benchmark *b, const char *key)
{
	if (strcmp(key, suite_key) == 0)
		return b->suite;
	return strcmp(key, name_key) == 0 ? b->name : ba_benchmark_axis(b, key);
}

static void put_part(ba_buf *out, const char *separator, const char *text)
{
	if (out->len)
		ba_buf_puts(out, separator);
	ba_buf_puts(out, text);
}

/* The parts of an id, "suite/name/axis=value,...", that the keys name, or all other parts. */
static char *part_of(const ba_benchmark *b, const keys *k, bool among)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	const char *separator = "/";
	if (ba_strv_has(&k->names, suite_key) == among)
		put_part(&out, separator, b->suite);
	if (b->name && ba_strv_has(&k->names, name_key) == among)
		put_part(&out, separator, b->name);
	BA_EACH (const ba_axis, axis, b->axes, b->axis_count) {
		if (ba_strv_has(&k->names, axis->name) != among)
			continue;
		BA_AUTO_FREE char *text = ba_xprintf("%s=%s", axis->name, axis->value);
		put_part(&out, separator, text);
		separator = ",";
	}
	ba_buf_puts(&out, "");
	return ba_buf_detach(&out);
}

static char *row_of(const ba_benchmark *b, const keys *k)
{
	BA_AUTO(ba_strv) ba_strv parts = {0};
	BA_AUTO_FREE char *head =
		part_of(&(ba_benchmark){.suite = b->suite, .name = b->name}, k, false);
	for (size_t i = 0; i < b->axis_count; i++)
		if (!ba_strv_has(&k->names, b->axes[i].name))
			ba_strv_printf(&parts, "%s=%s", b->axes[i].name, b->axes[i].value);
	ba_strv_sort(&parts); /* suites may order their axes differently */
	BA_AUTO_FREE char *axes = ba_strv_join(&parts, ",");
	return ba_xprintf("%s/%s", head, axes);
}

static void take_places(places *out, const ba_result *r, const keys *k, const ba_strv *filters)
{
	out->items = ba_xcalloc(r->run.benchmark_count + 1, sizeof(*out->items));
	for (size_t i = 0; i < r->run.benchmark_count; i++) {
		const ba_benchmark *b = &r->run.benchmarks[i];
		if (ba_benchmark_matches(b, filters))
			out->items[out->count++] = (place){b, row_of(b, k), part_of(b, k, true), i};
	}
}

/* ---- sides ---- */

static bool is_reference(const ba_benchmark *b, const keys *k)
{
	for (size_t i = 0; i < k->names.count; i++) {
		const char *wanted = k->values.items[i];
		const char *value = value_of(b, k->names.items[i]);
		if (*wanted && (!value || strcmp(value, wanted) != 0))
			return false;
	}
	return true;
}

/* the reference, then the others in their order */
static int find_sides(ba_strv *out, const places *p, const keys *k, const char *text, ba_error *err)
{
	const place *first = NULL;
	BA_EACH (const place, at, p->items, p->count) {
		if (!is_reference(at->benchmark, k))
			continue;
		if (first && strcmp(first->side, at->side) != 0) {
			/* without a value the first side is the reference */
			BA_AUTO_FREE char *values = ba_strv_join(&k->values, "");
			if (!*values)
				break;
			return ba_fail(err, BA_EINVAL,
				"--across '%s': the reference could be '%s' or '%s'; give the values of more axes",
				text, first->side, at->side);
		}
		first = first ? first : at;
	}
	if (!first)
		return ba_fail(err, BA_EINVAL,
			"--across '%s': no benchmark has these values, so there is no reference; choose values that a benchmark has, like '%s'",
			text, p->items[0].side);
	ba_strv_push(out, first->side);
	for (size_t i = 0; i < p->count; i++)
		if (!ba_strv_has(out, p->items[i].side)) {
			if (out->count == BA_ACROSS_SIDES_MOST)
				return ba_fail(err, BA_EINVAL,
					"--across '%s': more than %d sides to compare, '%s' among them; choose some with --filter",
					text, BA_ACROSS_SIDES_MOST, p->items[0].side);
			ba_strv_push(out, p->items[i].side);
		}
	return 0;
}

/* ---- rows ---- */

BA_DEFINE_ORDER(by_row, place, strcmp(a->row, b->row) ?: BA_ORDER(a->order, b->order))

/* The benchmark of the row that is first in the result. */
static const ba_benchmark *first_of(const ba_across_row *row, size_t sides)
{
	const ba_benchmark *first = NULL;
	for (size_t i = 0; i < sides; i++)
		if (row->sides[i] && (!first || row->sides[i] < first))
			first = row->sides[i];
	return first;
}

static int by_first(const void *x, const void *y, void *sides)
{
	const ba_benchmark *a = first_of(x, *(const size_t *)sides);
	const ba_benchmark *b = first_of(y, *(const size_t *)sides);
	return BA_ORDER(a, b);
}

/* Removes the sides that no row has. The reference stays. */
static void drop_empty_sides(ba_across *a)
{
	size_t kept = 1;
	for (size_t side = 1; side < a->sides.count; side++) {
		if (!BA_ANY(a->rows, a->count, x, x->sides[side])) {
			free(a->sides.items[side]);
			continue;
		}
		for (size_t i = 0; i < a->count; i++)
			a->rows[i].sides[kept] = a->rows[i].sides[side];
		a->sides.items[kept++] = a->sides.items[side];
	}
	a->sides.items[kept] = NULL;
	a->sides.count = kept;
}

static void make_rows(ba_across *out, places *p)
{
	size_t sides = out->sides.count;
	qsort(p->items, p->count, sizeof(*p->items), by_row);
	out->rows = ba_xcalloc(p->count + 1, sizeof(*out->rows));
	for (size_t i = 0, n; i < p->count; i += n) {
		for (n = 1; i + n < p->count; n++)
			if (strcmp(p->items[i].row, p->items[i + n].row) != 0)
				break;
		if (n < 2) {
			out->alone++;
			continue;
		}
		ba_across_row *row = &out->rows[out->count++];
		row->sides = ba_xcalloc(sides, sizeof(*row->sides));
		for (size_t m = i; m < i + n; m++)
			row->sides[ba_strv_find(&out->sides, p->items[m].side)] =
				p->items[m].benchmark;
	}
	if (!out->count)
		return;
	drop_empty_sides(out);
	sides = out->sides.count;
	qsort_r(out->rows, out->count, sizeof(*out->rows), by_first, &sides);
}

static const ba_benchmark *any_of(const ba_across *a, size_t row)
{
	return first_of(&a->rows[row], a->sides.count);
}

/* Adds the key ("suite" or "benchmark") only if it differs between rows. */
static void add_if_several(ba_across *out, const keys *k, const char *key)
{
	for (size_t i = 1; i < out->count && !ba_strv_has(&k->names, key); i++) {
		const char *a = value_of(any_of(out, 0), key);
		const char *b = value_of(any_of(out, i), key);
		if (strcmp(a ? a : "", b ? b : "") != 0) {
			ba_strv_push(&out->axes, key);
			return;
		}
	}
}

static void find_axes(ba_across *out, const keys *k)
{
	add_if_several(out, k, suite_key);
	add_if_several(out, k, name_key);
	for (size_t i = 0; i < out->count; i++) {
		const ba_benchmark *b = any_of(out, i);
		for (size_t n = 0; n < b->axis_count; n++)
			if (!ba_strv_has(&k->names, b->axes[n].name) &&
				!ba_strv_has(&out->axes, b->axes[n].name))
				ba_strv_push(&out->axes, b->axes[n].name);
	}
}

static void find_series(ba_across *out, const ba_result *r)
{
	out->series =
		ba_xcalloc(r->run.benchmark_count * BA_METRIC_COUNT + 1, sizeof(*out->series));
	BA_EACH (const ba_series, s, r->series, r->series_count)
		out->series[s->benchmark * BA_METRIC_COUNT + s->metric] = s;
	for (size_t row = 0; row < out->count; row++)
		for (size_t side = 0; side < out->sides.count; side++)
			for (size_t m = 0; m < BA_METRIC_COUNT; m++) {
				const ba_benchmark *b = out->rows[row].sides[side];
				if (b && out->series[(size_t)(b - r->run.benchmarks) *
							     BA_METRIC_COUNT +
						     m])
					out->has[m] = true;
			}
}

/* ---- why there is nothing ---- */

/* An axis that only some benchmarks have, so that they differ in it, or NULL. */
static const char *axis_of_some(const places *p, const keys *k)
{
	for (size_t i = 0; i < p->count; i++) {
		const ba_benchmark *b = p->items[i].benchmark;
		for (size_t n = 0; n < b->axis_count; n++) {
			const char *axis = b->axes[n].name;
			if (ba_strv_has(&k->names, axis))
				continue;
			for (size_t m = 0; m < p->count; m++)
				if (!ba_benchmark_axis(p->items[m].benchmark, axis))
					return axis;
		}
	}
	return NULL;
}

static int nothing(const places *p, const keys *k, const char *text, ba_error *err)
{
	const char *axis = p->count <= 10000 ? axis_of_some(p, k) : NULL;
	if (p->count == 0)
		return ba_fail(
			err, BA_EINVAL, "--across: no benchmark of this result matches --filter");
	if (axis)
		return ba_fail(err, BA_EINVAL,
			"--across '%s': no two benchmarks differ only in these axes; only some benchmarks have the axis '%s', so name it, too",
			text, axis);
	return ba_fail(err, BA_EINVAL,
		"--across '%s': no two benchmarks differ only in these axes; one of the benchmarks is '%s'",
		text, p->items[0].benchmark->id);
}

int ba_across_of(
	ba_across *out, const ba_result *r, const char *text, const ba_strv *filters, ba_error *err)
{
	BA_AUTO(keys) keys k = {0};
	BA_AUTO(places) places p = {0};
	BA_AUTO(ba_across) ba_across a = {0};
	BA_TRY(parse_keys(&k, text, err));
	take_places(&p, r, &k, filters);
	BA_TRY(p.count ? find_sides(&a.sides, &p, &k, text, err) : nothing(&p, &k, text, err));
	make_rows(&a, &p);
	if (!a.count)
		return nothing(&p, &k, text, err);
	find_axes(&a, &k);
	find_series(&a, r);
	*out = BA_MOVE(a);
	return 0;
}

BA_OWNS(ba_across, a, BA_FREE_EACH(x, a->rows, a->count, free(x->sides)), free(a->series),
	BA_DISPOSE(ba_strv, &a->sides, &a->axes))

const char *ba_across_value(const ba_across *a, size_t row, const char *axis)
{
	return value_of(any_of(a, row), axis);
}
