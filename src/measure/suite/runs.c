#include "suite/runs.h"

#define VALUES_MOST 4096u

BA_OWNS(ba_axis_choices, c,
	BA_FREE_EACH(x, c->items, c->count, free(x->name), ba_strv_dispose(&x->values)))

/* ---- choices ---- */

/* FROM:TO:*FACTOR, FROM:TO:+STEP, FROM:TO:STEP, in whole numbers */
static int add_range(ba_strv *out, const char *text, const char *all, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv parts = {0};
	uint64_t from, to, step;
	ba_strv_split(&parts, text, ':');
	const char *how = parts.count == 3 ? parts.items[2] : "1";
	bool times = how[0] == '*';
	if (parts.count != 3 || ba_parse_u64(&from, parts.items[0], 0, INT64_MAX, "", NULL) ||
		ba_parse_u64(&to, parts.items[1], 0, INT64_MAX, "", NULL) ||
		ba_parse_u64(&step, how + (times || how[0] == '+'), 1, INT64_MAX, "", NULL) ||
		from > to || (times && (step < 2 || from == 0)))
		return ba_fail(err, BA_EINVAL,
			"--axis '%s': '%s' is not a range; write 128:1024:*2 or 0:100:+25", all,
			text);
	for (uint64_t n = from; n <= to;) {
		if (out->count >= VALUES_MOST)
			return ba_fail(err, BA_EINVAL, "--axis '%s': more than %u values", all,
				VALUES_MOST);
		ba_strv_printf(out, "%" PRIu64, n);
		if (times ? n > to / step : step > to - n)
			break;
		n = times ? n * step : n + step;
	}
	return 0;
}

static bool is_value(const char *text)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_._+-^";
	size_t n = strlen(text);
	return n > 0 && n <= 64 && strspn(text, letters) == n;
}

static int read_values(ba_strv *out, const char *list, const char *all, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv words = {0};
	ba_strv_split(&words, list, ',');
	for (size_t i = 0; i < words.count; i++) {
		const char *word = words.items[i];
		int rc = 0;
		if (strchr(word, ':'))
			rc = add_range(out, word, all, err);
		else if (!is_value(word))
			rc = ba_fail(err, BA_EINVAL,
				"--axis '%s': '%s' is not a value: letters, digits and . _ + - ^",
				all, word);
		else
			ba_strv_push(out, word);
		if (rc)
			return rc;
	}
	if (out->count == 0)
		return ba_fail(err, BA_EINVAL, "--axis '%s' names no value", all);
	return 0;
}

int ba_axis_choices_add(ba_axis_choices *c, const char *text, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv values = {0};
	const char *equals = strchr(text, '=');
	BA_AUTO_FREE char *safe = ba_text_safe(text);
	if (!equals || equals == text)
		return ba_fail(
			err, BA_EINVAL, "--axis '%s': write NAME=VALUE,..., as n=1024,4096", safe);
	BA_TRY(read_values(&values, equals + 1, safe, err));
	BA_AUTO_FREE char *name = ba_xstrndup(text, (size_t)(equals - text));
	ba_axis_choice *choice = BA_FIND(c->items, c->count, one, strcmp(one->name, name) == 0);
	if (!choice) {
		choice = BA_APPEND(c->items, c->count);
		*choice = (ba_axis_choice){.name = BA_TAKE(name)};
	}
	ba_strv_dispose(&choice->values);
	choice->values = BA_MOVE(values);
	return 0;
}

static const ba_strv *chosen(const ba_axis_choices *c, const char *axis)
{
	const ba_axis_choice *it =
		c ? BA_FIND(c->items, c->count, one, strcmp(one->name, axis) == 0) : NULL;
	return it ? &it->values : NULL;
}

/* ---- cases ---- */

typedef struct list {
	ba_benchmark *items;
	size_t count, capacity;
	const char *suite;
	ba_suite_kind kind;
	const ba_strv *filters;
	ba_names ids; /* ids of the items, in their order */
} list;

bool ba_runs_choose(const ba_strv *filters, const char *id)
{
	return !filters || filters->count == 0 ||
	       BA_ANY(filters->items, filters->count, one, ba_text_glob(*one, id));
}

/* Is it a number if the axis has numbers, else one of the axis's words? */
static bool fits(const ba_declared_axis *a, const char *value)
{
	double number;
	if (a->kind != BA_AXIS_INTEGER && a->kind != BA_AXIS_REAL)
		return ba_strv_has(&a->values, value);
	if (!ba_parse_f64(&number, value, -1e300, 1e300))
		return false;
	/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): every axis has a value */
	return a->kind == BA_AXIS_REAL || strspn(value, "-0123456789") == strlen(value);
}

/* A set of ba_metric; 0: all of the kind. */
static uint32_t metrics_of(const ba_declared *d)
{
	uint32_t metrics = 0;
	for (size_t i = 0; i < d->modes.count; i++) {
		int metric = ba_metric_from_name(d->modes.items[i]);
		/* metrics of newer workers are ignored, and starts are not for a worker to declare */
		if (metric >= 0 && !ba_metric_get((ba_metric)metric)->starts)
			metrics |= UINT32_C(1) << metric;
	}
	return metrics;
}

static int add_case(list *l, const ba_declared *d, const char *const *values, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf id = BA_BUF_INIT;
	ba_buf_printf(&id, "%s/%s", l->suite, d->name);
	for (size_t i = 0; i < d->axis_count; i++) {
		if (!fits(&d->axes[i], values[i]))
			return 0;
		ba_buf_printf(&id, "%c%s=%s", i ? ',' : '/', d->axes[i].name, values[i]);
	}
	if (!ba_runs_choose(l->filters, id.data) ||
		ba_names_find(&l->ids, id.data) != BA_NAMES_NONE)
		return 0;
	if (l->count >= BA_RUNS_MOST)
		return ba_fail(err, BA_EINVAL,
			"suite '%s' has more than %u cases; choose with --filter or --axis",
			l->suite, BA_RUNS_MOST);
	ba_benchmark *b = BA_PUSH(l->items, l->count, l->capacity);
	*b = (ba_benchmark){.suite = ba_xstrdup(l->suite),
		.kind = l->kind,
		.id = ba_buf_detach(&id),
		.name = ba_xstrdup(d->name),
		.metrics = metrics_of(d),
		.gpu = d->gpu,
		.weighs = d->weighs,
		.rotates = d->rotates || (metrics_of(d) >> BA_METRIC_GPU_ROTATE & 1)};
	ba_names_add(&l->ids, b->id);
	for (size_t i = 0; i < d->axis_count; i++)
		ba_benchmark_add_axis(b, d->axes[i].name, values[i]);
	return 0;
}

/* Makes all combinations of the axes without a set value; the last axis changes
 * fastest. */
static int combine(list *l, const ba_declared *d, const ba_axis_choices *choices,
	const char **values, size_t axis, ba_error *err)
{
	while (axis < d->axis_count && values[axis])
		axis++;
	if (axis == d->axis_count)
		return add_case(l, d, values, err);
	const ba_strv *all = chosen(choices, d->axes[axis].name);
	all = all ? all : &d->axes[axis].values;
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < all->count; i++) {
		values[axis] = all->items[i];
		rc = combine(l, d, choices, values, axis + 1, err);
	}
	values[axis] = NULL;
	return rc;
}

/* ---- points ---- */

/* The value of an axis in "B=32,H=8", or NULL; caller frees. */
static char *in_point(const char *point, const char *axis)
{
	size_t n = strlen(axis);
	for (const char *p = point; p; p = strchr(p, ',')) {
		p += *p == ',';
		if (strncmp(p, axis, n) == 0 && p[n] == '=')
			return ba_xstrndup(p + n + 1, strcspn(p + n + 1, ","));
	}
	return NULL;
}

/* Were all axes of the points chosen explicitly? */
static bool points_are_replaced(const ba_declared *d, const ba_axis_choices *choices)
{
	size_t tied = 0, replaced = 0;
	for (size_t i = 0; i < d->axis_count; i++) {
		BA_AUTO_FREE char *value = in_point(d->points.items[0], d->axes[i].name);
		tied += value != NULL;
		replaced += value && chosen(choices, d->axes[i].name);
	}
	return tied == replaced;
}

static int add_point(list *l, const ba_declared *d, const ba_axis_choices *choices,
	const char *point, ba_error *err)
{
	BA_AUTO_FREE const char **values = ba_xcalloc(d->axis_count + 1, sizeof(*values));
	char **owned = ba_xcalloc(d->axis_count + 1, sizeof(*owned));
	bool picked = true;
	for (size_t i = 0; i < d->axis_count; i++) {
		owned[i] = in_point(point, d->axes[i].name);
		values[i] = owned[i];
		const ba_strv *some = chosen(choices, d->axes[i].name);
		if (owned[i] && some && !ba_strv_has(some, owned[i]))
			picked = false;
	}
	int rc = picked ? combine(l, d, choices, values, 0, err) : 0;
	BA_FREE_EACH(one, owned, d->axis_count, free(*one));
	return rc;
}

static int expand_one(list *l, const ba_declared *d, const ba_axis_choices *choices, ba_error *err)
{
	if (d->points.count && !points_are_replaced(d, choices)) {
		int rc = 0;
		for (size_t i = 0; rc == 0 && i < d->points.count; i++)
			rc = add_point(l, d, choices, d->points.items[i], err);
		return rc;
	}
	BA_AUTO_FREE const char **values = ba_xcalloc(d->axis_count + 1, sizeof(*values));
	return combine(l, d, choices, values, 0, err);
}

/* ---- all ---- */

/* An axis that no variant has, or a word that no axis accepts, is a typing mistake. */
static int check_choice(const ba_axis_choice *c, const ba_declarations *variants,
	size_t variant_count, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv names = {0};
	const char *misfit = NULL;
	bool found = false, good = false;
	for (size_t v = 0; v < variant_count; v++)
		for (size_t i = 0; i < variants[v].count; i++)
			BA_EACH (const ba_declared_axis, a, variants[v].items[i].axes,
				variants[v].items[i].axis_count) {
				if (!ba_strv_has(&names, a->name))
					ba_strv_push(&names, a->name);
				if (strcmp(a->name, c->name) != 0)
					continue;
				const char *bad = NULL;
				for (size_t n = 0; n < c->values.count; n++)
					if (!fits(a, c->values.items[n]))
						bad = c->values.items[n];
				found = true;
				good = good || !bad;
				misfit = bad ? bad : misfit;
			}
	BA_AUTO_FREE char *all = ba_strv_join(&names, ", ");
	if (!found)
		return ba_fail(err, BA_EINVAL, "--axis: no benchmark has an axis '%s'; there %s %s",
			c->name, ba_plural(names.count, "is", "are"), names.count ? all : "none");
	if (!good)
		return ba_fail(err, BA_EINVAL, "--axis: '%s' is not a value of axis '%s'", misfit,
			c->name);
	return 0;
}

int ba_axis_choices_check(const ba_axis_choices *c, const ba_declarations *variants,
	size_t variant_count, ba_error *err)
{
	for (size_t i = 0; i < c->count; i++)
		BA_TRY(check_choice(&c->items[i], variants, variant_count, err));
	return 0;
}

int ba_runs_expand(ba_benchmark **out, size_t *count, const char *suite, ba_suite_kind kind,
	const ba_declarations *variant, const ba_axis_choices *choices, const ba_strv *filters,
	ba_error *err)
{
	list l = {.items = *out,
		.count = *count,
		.capacity = *count,
		.suite = suite,
		.kind = kind,
		.filters = filters};
	int rc = 0;
	for (size_t i = 0; i < l.count; i++)
		ba_names_add(&l.ids, l.items[i].id);
	for (size_t i = 0; rc == 0 && i < variant->count; i++)
		rc = expand_one(&l, &variant->items[i], choices, err);
	*out = l.items;
	*count = l.count;
	ba_names_dispose(&l.ids);
	return rc;
}

/* ---- digest ---- */

static void add_number(ba_sha256 *s, uint64_t n)
{
	unsigned char bytes[8];
	for (int i = 0; i < 8; i++)
		bytes[i] = (unsigned char)(n >> (8 * i));
	ba_sha256_add(s, bytes, sizeof(bytes));
}

static void add(ba_sha256 *s, const ba_benchmark *b)
{
	ba_sha256_add_string(s, b->suite ? b->suite : "");
	ba_sha256_add_string(s, b->id);
	ba_sha256_add_string(s, b->path ? b->path : "");
	add_number(s, b->args);
	add_number(s, b->arg_bytes);
	add_number(s, b->loops);
}

void ba_plan_sha256(char out[65], const ba_benchmark *benchmarks, size_t count, const char *rules)
{
	ba_sha256 s;
	ba_sha256_init(&s);
	ba_sha256_add_string(&s, "bench-against.plan/1");
	ba_sha256_add_string(&s, rules);
	add_number(&s, count);
	for (size_t i = 0; i < count; i++)
		add(&s, &benchmarks[i]);
	ba_sha256_hex(&s, out);
}
