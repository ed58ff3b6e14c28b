#include "report/timeline/timeline.h"

#include "stats/quantile.h"

BA_OWNS(ba_timelines, t, BA_FREE_EACH(x, t->items, t->count, BA_FREE(x->rows, x->changes)),
	BA_FREE_ARRAY(ba_history_points_dispose, t->points, t->point_count),
	ba_history_list_dispose(&t->series))

/* ---- commits to places on the line ---- */

typedef struct place {
	const char *commit;
	size_t index; /* 0: the oldest */
} place;

BA_LIST(places, place); /* by commit */

BA_DEFINE_ORDER(by_commit, place, strcmp(a->commit, b->commit))

static places places_of(const ba_strv *line)
{
	places p = {.count = line ? line->count : 0};
	p.items = ba_xcalloc(p.count + 1, sizeof(*p.items));
	for (size_t i = 0; i < p.count; i++)
		p.items[i] = (place){line->items[i], p.count - 1 - i};
	qsort(p.items, p.count, sizeof(*p.items), by_commit);
	return p;
}

BA_OWNS_HERE(places, p, free(p->items))

/* ---- points to rows: those of one commit side by side ---- */

typedef struct spot {
	const ba_history_point *point;
	size_t place, order; /* order: the order of measurement */
} spot;

BA_DEFINE_ORDER(by_place, spot, BA_ORDER(a->place, b->place) ?: BA_ORDER(a->order, b->order))

static size_t first_of_commit(const ba_history_points *points, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (strcmp(points->items[i].commit, points->items[index].commit) == 0)
			return i;
	return index;
}

/* spots[count of points]; *elsewhere counts commits that are not on the line */
static size_t choose_spots(spot *spots, size_t *elsewhere, const ba_history_points *points,
	const places *line, bool by_date)
{
	size_t n = 0;
	*elsewhere = 0;
	for (size_t i = 0; i < points->count; i++) {
		const place key = {.commit = points->items[i].commit};
		const place *found =
			by_date ? NULL
				: bsearch(&key, line->items, line->count, sizeof(key), by_commit);
		size_t first = found ? 0 : first_of_commit(points, i);
		if (!found && !by_date) {
			*elsewhere += first == i;
			continue;
		}
		spots[n++] = (spot){&points->items[i], found ? found->index : first, i};
	}
	qsort(spots, n, sizeof(*spots), by_place);
	return n;
}

static double median_of(const spot *spots, size_t n, bool spread)
{
	BA_AUTO_FREE double *values = ba_xcalloc(n, sizeof(*values));
	size_t count = 0;
	for (size_t i = 0; i < n; i++) {
		double x = spread ? spots[i].point->stdev_ns : spots[i].point->ns;
		if (isfinite(x))
			values[count++] = x;
	}
	return count ? ba_median(values, count) : NAN;
}

static ba_timeline_row row_of(const spot *spots, size_t n)
{
	const ba_history_point *last = spots[n - 1].point;
	ba_timeline_row row = {.commit = last->commit,
		.date = last->started,
		.subject = last->subject,
		.runs = (unsigned)n,
		.ns = median_of(spots, n, false),
		.stdev_ns = median_of(spots, n, true),
		.ratio = NAN,
		.low = NAN,
		.high = NAN};
	row.least_ns = row.most_ns = row.ns;
	for (size_t i = 0; i < n; i++) {
		const ba_history_point *p = spots[i].point;
		ba_widen(&row.least_ns, &row.most_ns, p->ns, p->ns);
		if (!p->verdict)
			continue;
		row.verdict = p->verdict;
		row.baseline = p->baseline;
		row.ratio = p->ratio;
		row.low = p->low;
		row.high = p->high;
	}
	return row;
}

static void fill_rows(ba_timeline *t, const spot *spots, size_t n, size_t last)
{
	t->rows = ba_xcalloc(n + 1, sizeof(*t->rows));
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && spots[end].place == spots[i].place; end++)
			;
		t->rows[t->count++] = row_of(&spots[i], end - i);
	}
	if (t->count > last) {
		memmove(t->rows, t->rows + t->count - last, last * sizeof(*t->rows));
		t->count = last;
	}
}

#define NEARLY_0 1e-3 /* counts are 0 or larger than that */

/* in logarithms: a change is a ratio */
static void find_changes(ba_timeline *t, const ba_change_rule *rule)
{
	BA_AUTO_FREE double *x = ba_xcalloc(t->count + 1, sizeof(*x));
	t->changes = ba_xcalloc(t->count + 1, sizeof(*t->changes));
	t->alpha = 100 * rule->alpha;
	t->least = rule->least;
	for (size_t i = 0; i < t->count; i++)
		x[i] = log(fmax(t->rows[i].ns, NEARLY_0));
	t->change_count = ba_change_points(t->changes, x, t->count, rule);
	for (size_t i = 0; i < t->change_count; i++) {
		double *levels[] = {&t->changes[i].before, &t->changes[i].after};
		for (size_t k = 0; k < BA_COUNT(levels); k++) {
			double level = exp(*levels[k]);
			*levels[k] = level > 1.01 * NEARLY_0 ? level : 0;
		}
	}
}

/* ---- series ---- */

static bool matches(const ba_history_series *s, const ba_timeline_query *q)
{
	return (!q->benchmark || ba_text_glob(q->benchmark, s->benchmark)) &&
	       (!q->metric || strcmp(q->metric, s->metric) == 0) &&
	       /* times of the fake driver are shown only on request */
	       (q->target ? strcmp(q->target, s->target) == 0 : strcmp(s->target, "fake") != 0) &&
	       (!q->device || ba_text_glob(q->device, s->device));
}

static int add(ba_timelines *out, size_t *off_line, ba_history *h, const ba_history_series *s,
	const places *line, const ba_timeline_query *q, ba_error *err)
{
	BA_AUTO(ba_history_points) ba_history_points points = {0};
	BA_TRY(ba_history_read(&points, h, s, err));
	ba_timeline t = {.benchmark = s->benchmark,
		.metric = s->metric,
		.target = s->target,
		.device = s->device,
		.directory = q->directory,
		.by_date = q->line == NULL};
	BA_AUTO_FREE spot *spots = ba_xcalloc(points.count + 1, sizeof(*spots));
	size_t n = choose_spots(spots, &t.elsewhere, &points, line, t.by_date);
	if (n == 0) {
		++*off_line;
		return 0;
	}
	fill_rows(&t, spots, n, q->last);
	find_changes(&t, &q->rule);
	*BA_PUSH(out->points, out->point_count, out->point_capacity) = BA_MOVE(points);
	*BA_PUSH(out->items, out->count, out->capacity) = t;
	return 0;
}

int ba_timelines_build(ba_timelines *out, size_t *off_line, ba_history *h,
	const ba_timeline_query *query, ba_error *err)
{
	BA_AUTO(ba_timelines) ba_timelines all = {0};
	BA_AUTO(places) places line = places_of(query->line);
	size_t off = 0;
	int rc = ba_history_list_series(&all.series, h, err);
	const ba_history_series *shown = NULL;
	for (size_t i = 0; rc == 0 && i < all.series.count; i++) {
		const ba_history_series *s = &all.series.items[i];
		if (!matches(s, query))
			continue;
		/* shows the series measured last; the benchmark's others are counted */
		if (shown && strcmp(shown->benchmark, s->benchmark) == 0 &&
			strcmp(shown->metric, s->metric) == 0) {
			if (all.count && all.items[all.count - 1].benchmark == shown->benchmark)
				all.items[all.count - 1].others++;
			continue;
		}
		shown = s;
		rc = add(&all, &off, h, s, &line, query, err);
	}
	if (rc)
		return rc;
	*out = BA_MOVE(all);
	*off_line = off;
	return 0;
}
