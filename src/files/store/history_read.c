/* Rows to structs. Nothing is trusted: NULL or another type is an empty text or NaN. */

#include "store/history_internal.h"

extern const char ba_history_series_sql[], ba_history_points_sql[];
BA_EMBED(ba_history_series_sql, BA_SQL_DIR "/history_series.sql");
BA_EMBED(ba_history_points_sql, BA_SQL_DIR "/history_points.sql");

BA_OWNS(ba_history_list, l,
	BA_FREE_EACH(s, l->items, l->count,
		BA_FREE(s->benchmark, s->metric, s->target, s->device, s->plan_sha256, s->last)))

BA_OWNS(ba_history_points, p,
	BA_FREE_EACH(x, p->items, p->count,
		BA_FREE(x->started, x->subject, x->describe, x->verdict, x->baseline)))

static char *text(sqlite3_stmt *s, int column)
{
	const char *found = (const char *)sqlite3_column_text(s, column);
	return ba_xstrdup(found ? found : "");
}

static double real(sqlite3_stmt *s, int column)
{
	int type = sqlite3_column_type(s, column);
	return type == SQLITE_FLOAT || type == SQLITE_INTEGER ? sqlite3_column_double(s, column)
							      : NAN;
}

/* calls row() for each */
static int each(ba_history *h, const char *sql, const ba_history_series *of,
	void (*row)(void *data, sqlite3_stmt *s), void *data, ba_error *err)
{
	sqlite3_stmt *s = NULL;
	int rc = sqlite3_prepare_v2(h->db, sql, -1, &s, NULL);
	if (rc == SQLITE_OK && of) {
		const char *const texts[] = {
			of->benchmark, of->metric, of->plan_sha256, of->target, of->device};
		for (int i = 0; i < 5; i++)
			sqlite3_bind_text(s, i + 1, texts[i], -1, SQLITE_STATIC);
	}
	while (rc == SQLITE_OK || rc == SQLITE_ROW) {
		rc = sqlite3_step(s);
		if (rc == SQLITE_ROW)
			row(data, s);
	}
	sqlite3_finalize(s);
	return rc == SQLITE_DONE ? 0 : ba_history_fail(h, rc, err);
}

static void take_series(void *data, sqlite3_stmt *s)
{
	ba_history_list *l = data;
	*BA_PUSH(l->items, l->count, l->capacity) = (ba_history_series){.benchmark = text(s, 0),
		.metric = text(s, 1),
		.target = text(s, 2),
		.device = text(s, 3),
		.plan_sha256 = text(s, 4),
		.points = (uint64_t)sqlite3_column_int64(s, 5),
		.last = text(s, 6)};
}

int ba_history_list_series(ba_history_list *out, ba_history *h, ba_error *err)
{
	BA_AUTO(ba_history_list) ba_history_list list = {0};
	BA_TRY(each(h, ba_history_series_sql, NULL, take_series, &list, err));
	*out = BA_MOVE(list);
	return 0;
}

static void take_point(void *data, sqlite3_stmt *s)
{
	ba_history_points *p = data;
	ba_history_point x = {.ns = real(s, 1),
		.stdev_ns = real(s, 2),
		.ratio = real(s, 3),
		.low = real(s, 4),
		.high = real(s, 5)};
	const char *commit = (const char *)sqlite3_column_text(s, 0);
	/* not written by this tool */
	if (!(x.ns >= 0) || !isfinite(x.ns) || !commit || strlen(commit) >= sizeof(x.commit))
		return;
	memcpy(x.commit, commit, strlen(commit) + 1);
	x.started = text(s, 6);
	x.describe = text(s, 7);
	x.subject = text(s, 8);
	x.verdict = sqlite3_column_type(s, 9) == SQLITE_NULL ? NULL : text(s, 9);
	x.baseline = x.verdict ? text(s, 10) : NULL;
	*BA_PUSH(p->items, p->count, p->capacity) = x;
}

int ba_history_read(
	ba_history_points *out, ba_history *h, const ba_history_series *series, ba_error *err)
{
	BA_AUTO(ba_history_points) ba_history_points points = {0};
	BA_TRY(each(h, ba_history_points_sql, series, take_point, &points, err));
	*out = BA_MOVE(points);
	return 0;
}
