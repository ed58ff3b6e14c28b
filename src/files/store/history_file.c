/* The file: opens it, makes its tables, turns SQLite's errors into sentences, and rows into
 * structs. Nothing is trusted: NULL or another type is an empty text or NaN. */

#include "store/history_internal.h"

#define APPLICATION_ID 0x42416831 /* "BAh1", for file(1) */
#define PATIENCE_MS 5000	  /* how long to wait for another run that is writing */

extern const char ba_history_tables[];
BA_EMBED(ba_history_tables, BA_SQL_DIR "/history.sql");

char *ba_history_path(const char *named, const char *state_home, const char *home)
{
	if (named && *named)
		return ba_path_absolute(named);
	if (state_home && state_home[0] == '/')
		return ba_path_join(state_home, "bench-against/history.sqlite");
	if (home && home[0] == '/')
		return ba_path_join(home, ".local/state/bench-against/history.sqlite");
	return NULL;
}

int ba_history_fail(ba_history *h, int rc, ba_error *err)
{
	static const struct {
		int rc, code;
		const char *what;
	} rows[] = {
		{SQLITE_NOTADB, BA_EDATA,
			"is not a history: it is not an SQLite file; move it away, and the next run begins a new one"},
		{SQLITE_CORRUPT, BA_EDATA,
			"is damaged; move it away, and the next run begins a new one (sqlite3 FILE .recover may save what is in it)"},
		{SQLITE_FULL, BA_EIO, "the disk is full"},
		{SQLITE_BUSY, BA_EIO, "another process has been writing to it for seconds"},
		{SQLITE_READONLY, BA_EIO, "may not be written"},
		{SQLITE_CANTOPEN, BA_EIO, "cannot be opened"},
	};
	for (size_t i = 0; i < BA_COUNT(rows); i++)
		if (rows[i].rc == (rc & 0xff))
			return ba_fail(
				err, rows[i].code, "the history '%s' %s", h->path, rows[i].what);
	return ba_fail(err, BA_EIO, "the history '%s': %s", h->path,
		h->db ? sqlite3_errmsg(h->db) : sqlite3_errstr(rc));
}

int ba_history_exec(ba_history *h, const char *sql, ba_error *err)
{
	int rc = sqlite3_exec(h->db, sql, NULL, NULL, NULL);
	return rc == SQLITE_OK ? 0 : ba_history_fail(h, rc, err);
}

static int number(int64_t *out, ba_history *h, const char *sql, ba_error *err)
{
	sqlite3_stmt *statement = NULL;
	int rc = sqlite3_prepare_v2(h->db, sql, -1, &statement, NULL);
	if (rc == SQLITE_OK && (rc = sqlite3_step(statement)) == SQLITE_ROW) {
		*out = sqlite3_column_int64(statement, 0);
		rc = SQLITE_OK;
	}
	sqlite3_finalize(statement);
	return rc == SQLITE_OK ? 0 : ba_history_fail(h, rc, err);
}

/* Does the file have our tables in this version? If two runs both find an empty file,
 * the second waits in BEGIN IMMEDIATE and then finds the tables. */
static int check_tables(ba_history *h, bool writing, ba_error *err)
{
	int64_t version = 0, application = 0, objects = 0;
	BA_TRY(number(&version, h, "PRAGMA user_version", err));
	BA_TRY(number(&application, h, "PRAGMA application_id", err));
	BA_TRY(number(&objects, h, "SELECT count(*) FROM sqlite_schema", err));
	if (objects == 0 && version == 0 && writing)
		return ba_history_exec(h, ba_history_tables, err);
	if (objects == 0 && version == 0)
		return ba_fail(err, BA_ENOTFOUND, "the history '%s' is empty", h->path);
	if (application != APPLICATION_ID)
		return ba_fail(err, BA_EDATA,
			"'%s' is an SQLite file of another program: name another file with BENCH_AGAINST_HISTORY",
			h->path);
	if (version != BA_HISTORY_VERSION)
		return ba_fail(err, BA_EDATA,
			"the history '%s' is of version %lld, and this program knows version %d: use a newer bench-against, or name another file with BENCH_AGAINST_HISTORY",
			h->path, (long long)version, BA_HISTORY_VERSION);
	return 0;
}

static int prepare(ba_history *h, bool writing, ba_error *err)
{
	sqlite3_busy_timeout(h->db, PATIENCE_MS);
	/* Treat the file as data: its schema must not run any code. */
	sqlite3_db_config(h->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(h->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(h->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(h->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	if (!writing)
		return check_tables(h, false, err);
	BA_TRY(ba_history_exec(h, "BEGIN IMMEDIATE", err));
	BA_TRY(check_tables(h, true, err));
	return ba_history_exec(h, "COMMIT", err);
}

int ba_history_open(ba_history **out, const char *path, bool writing, ba_error *err)
{
	if (!writing && !ba_fs_exists(path))
		return ba_fail(err, BA_ENOTFOUND,
			"there is no history yet at '%s': each run adds to it", path);
	if (writing) {
		BA_AUTO_FREE char *dir = ba_path_dir(path);
		BA_TRY(ba_fs_mkdirs(dir, err));
	}
	BA_AUTO_PTR(ba_history) ba_history *h = ba_xcalloc(1, sizeof(*h));
	h->path = ba_xstrdup(path);
	int rc = sqlite3_open_v2(path, &h->db,
		writing ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY, NULL);
	if (rc != SQLITE_OK)
		return ba_history_fail(h, rc, err);
	BA_TRY(prepare(h, writing, err));
	*out = BA_TAKE(h);
	return 0;
}

/* Closing without a commit rolls back. */
BA_OWNS_HANDLE(ba_history, h, sqlite3_close(h->db), free(h->path))

/* ---- reading ---- */

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
