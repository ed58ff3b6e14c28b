/* The file: opens it, makes its tables, and turns SQLite's errors into sentences. */

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
