#include "report/figure/figure.h"

enum { WORDS_MOST = 8 };
#define LARGEST 1e15 /* number on an axis */

/* one series, with its value on one of its axes */
typedef struct member {
	char *key; /* metric, suite and axes, without the value of this axis */
	const ba_series *series;
	const ba_axis *axis;
	size_t axis_index;
} member;

BA_LIST(members, member);

BA_OWNS_HERE(members, m, BA_FREE_EACH(x, m->items, m->count, free(x->key)))

static char *key_of(const ba_series *s, const ba_benchmark *b, size_t axis)
{
	ba_buf key = BA_BUF_INIT;
	ba_buf_printf(&key, "%d\037%s", (int)s->metric, b->suite);
	for (size_t i = 0; i < b->axis_count; i++)
		ba_buf_printf(
			&key, "\037%s=%s", b->axes[i].name, i == axis ? "\037" : b->axes[i].value);
	return ba_buf_detach(&key);
}

static void gather(members *out, const ba_result *r)
{
	size_t capacity = 0;
	for (size_t i = 0; i < r->series_count; i++) {
		const ba_benchmark *b = &r->run.benchmarks[r->series[i].benchmark];
		for (size_t a = 0; a < b->axis_count; a++) {
			*BA_PUSH(out->items, out->count, capacity) =
				(member){.key = key_of(&r->series[i], b, a),
					.series = &r->series[i],
					.axis = &b->axes[a],
					.axis_index = a};
		}
	}
}

BA_DEFINE_ORDER(by_key, member, strcmp(a->key, b->key) ?: BA_ORDER(a->series, b->series))
BA_DEFINE_ORDER(by_x, ba_sweep_point, BA_ORDER(a->x, b->x) ?: BA_ORDER(a->series, b->series))
/* by order of their series, then of the axes */
BA_DEFINE_ORDER(
	by_first, ba_sweep, BA_ORDER(a->first, b->first) ?: BA_ORDER(a->axis_index, b->axis_index))

/* Keeps one point for each value: the first. */
static void unique(ba_sweep *s)
{
	size_t kept = s->count > 0;
	for (size_t i = 1; i < s->count; i++)
		if (s->points[i].x != s->points[kept - 1].x)
			s->points[kept++] = s->points[i];
	s->count = kept;
}

/* A sweep of members with one key; false, with nothing kept, if they form none. */
static bool sweep_of(ba_sweep *out, const member *m, size_t count)
{
	double x = 0;
	bool numeric = true;
	for (size_t i = 0; i < count && numeric; i++)
		numeric = ba_parse_f64(&x, m[i].axis->value, -LARGEST, LARGEST);
	if (count < 2 || (!numeric && count > WORDS_MOST))
		return false;
	*out = (ba_sweep){.metric = m->series->metric,
		.axis = m->axis->name,
		.axis_index = m->axis_index,
		.first = m->series,
		.numeric = numeric,
		.points = ba_xcalloc(count, sizeof(ba_sweep_point))};
	for (size_t i = 0; i < count; i++) {
		const ba_sweep_point *same =
			BA_FIND(out->points, out->count, p, strcmp(p->text, m[i].axis->value) == 0);
		x = same ? same->x : (double)out->count;
		if (numeric)
			ba_parse_f64(&x, m[i].axis->value, -LARGEST, LARGEST);
		out->points[out->count++] = (ba_sweep_point){x, m[i].axis->value, m[i].series};
	}
	qsort(out->points, count, sizeof(ba_sweep_point), by_x);
	unique(out);
	if (out->count >= 2)
		return true;
	free(out->points);
	return false;
}

void ba_sweeps_of(ba_sweeps *out, const ba_result *r)
{
	BA_AUTO(members) members m = {0};
	*out = (ba_sweeps){0};
	gather(&m, r);
	if (!m.count)
		return;
	qsort(m.items, m.count, sizeof(member), by_key);
	out->items = ba_xcalloc(m.count, sizeof(*out->items));
	for (size_t i = 0, n = 0; i < m.count; i += n) {
		n = 1;
		while (i + n < m.count && strcmp(m.items[i].key, m.items[i + n].key) == 0)
			n++;
		out->count += sweep_of(&out->items[out->count], &m.items[i], n);
	}
	if (out->count)
		qsort(out->items, out->count, sizeof(ba_sweep), by_first);
}

BA_OWNS(ba_sweeps, s, BA_FREE_EACH(x, s->items, s->count, free(x->points)))

void ba_sweep_text(ba_buf *out, const ba_result *r, const ba_sweep *s)
{
	const ba_benchmark *b = &r->run.benchmarks[s->points[0].series->benchmark];
	ba_buf_puts(out, b->suite);
	for (size_t i = 0; i < b->axis_count; i++)
		if (strcmp(b->axes[i].name, s->axis) != 0)
			ba_buf_printf(out, ", %s=%s", b->axes[i].name, b->axes[i].value);
}
