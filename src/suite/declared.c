#include "suite/declared.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

/* the value that a point gives to an axis, or NULL */
static char *value_in(const char *point, const char *axis)
{
	BA_AUTO(ba_strv) ba_strv parts = {0};
	size_t size = strlen(axis);
	ba_strv_split(&parts, point, ',');
	for (size_t i = 0; i < parts.count; i++)
		if (ba_text_starts(parts.items[i], axis) && parts.items[i][size] == '=')
			return ba_xstrdup(parts.items[i] + size + 1);
	return NULL;
}

static char *id_of(const char *suite, const ba_declared *d, const ba_strv *values)
{
	BA_AUTO(ba_buf) ba_buf id = BA_BUF_INIT;
	ba_buf_printf(&id, "%s/%s", suite, d->name);
	for (size_t i = 0; i < d->axis_count; i++)
		ba_buf_printf(&id, "%s%s=%s", i ? "," : "/", d->axes[i].name,
			values->items[i]);
	return ba_buf_detach(&id);
}

static uint32_t metrics_of(const ba_declared *d)
{
	uint32_t metrics = 0;
	for (size_t i = 0; i < d->modes.count; i++) {
		int metric = ba_metric_from_name(d->modes.items[i]);
		/* what newer workers can do is none of ours */
		if (metric >= 0)
			metrics |= UINT32_C(1) << metric;
	}
	return metrics;
}

static bool is_selected(const char *id, const ba_strv *filters)
{
	bool any = !filters || filters->count == 0;
	for (size_t i = 0; !any && i < filters->count; i++)
		any = ba_text_glob(filters->items[i], id);
	return any;
}

typedef struct list {
	ba_benchmark *items;
	size_t count, capacity;
} list;

static void add(list *l, const char *suite, ba_suite_kind kind, const ba_declared *d,
	const ba_strv *values, const ba_strv *filters)
{
	BA_AUTO_FREE char *id = id_of(suite, d, values);
	if (!is_selected(id, filters))
		return;
	l->items = BA_GROW(l->items, &l->capacity, l->count + 1);
	ba_benchmark *b = &l->items[l->count++];
	*b = (ba_benchmark){.suite = ba_xstrdup(suite),
		.kind = kind,
		.id = BA_TAKE(id),
		.name = ba_xstrdup(d->name),
		.metrics = metrics_of(d)};
	for (size_t i = 0; i < d->axis_count; i++)
		ba_benchmark_add_axis(b, d->axes[i].name, values->items[i]);
}

/* The n-th combination: the last axis that is free runs fastest. */
static void combine(ba_strv *values, const ba_declared *d, const char *point, size_t n)
{
	const char **chosen = ba_xcalloc(d->axis_count + 1, sizeof(*chosen));
	char **tied = ba_xcalloc(d->axis_count + 1, sizeof(*tied));
	for (size_t i = d->axis_count; i-- > 0;) {
		const ba_declared_axis *axis = &d->axes[i];
		tied[i] = point ? value_in(point, axis->name) : NULL;
		chosen[i] = tied[i];
		if (tied[i])
			continue;
		chosen[i] = axis->values.items[n % axis->values.count];
		n /= axis->values.count;
	}
	for (size_t i = 0; i < d->axis_count; i++) {
		ba_strv_push(values, chosen[i]);
		free(tied[i]);
	}
	free(chosen);
	free(tied);
}

void ba_declared_expand(ba_benchmark **out, size_t *count, const char *suite,
	ba_suite_kind kind, const ba_declared *d, const ba_strv *filters)
{
	list l = {.items = *out, .count = *count, .capacity = *count};
	size_t points = d->points.count ? d->points.count : 1;
	size_t each = ba_declared_case_count(d) / points;
	for (size_t p = 0; p < points; p++)
		for (size_t n = 0; n < each; n++) {
			BA_AUTO(ba_strv) ba_strv values = {0};
			combine(&values, d, d->points.count ? d->points.items[p] : NULL,
				n);
			add(&l, suite, kind, d, &values, filters);
		}
	*out = l.items;
	*count = l.count;
}
