#include "store/sqlite_rows.h"

#include <sqlite3.h>

struct ba_sqlite_rows {
	sqlite3 *db;
	sqlite3_stmt *query;
	char *name;
};

bool ba_sqlite_rows_is(const char *head, size_t size)
{
	static const char magic[] = "SQLite format 3"; /* its NUL is part of it */
	return size >= sizeof(magic) && memcmp(head, magic, sizeof(magic)) == 0;
}

static int fail(const ba_sqlite_rows *r, ba_error *err)
{
	return ba_fail(err, BA_EDATA, "'%s' is not a readable SQLite file: %s", r->name,
		r->db ? sqlite3_errmsg(r->db) : "out of memory");
}

/* SQLite owns the copy, and frees it also on errors. */
static int load(ba_sqlite_rows *r, const void *data, size_t size)
{
	unsigned char *copy = sqlite3_malloc64(size);
	if (!copy)
		return SQLITE_NOMEM;
	memcpy(copy, data, size);
	return sqlite3_deserialize(r->db, "main", copy, (sqlite3_int64)size, (sqlite3_int64)size,
		SQLITE_DESERIALIZE_READONLY | SQLITE_DESERIALIZE_FREEONCLOSE);
}

int ba_sqlite_rows_open(
	ba_sqlite_rows **out, const char *name, const void *data, size_t size, ba_error *err)
{
	BA_AUTO_PTR(ba_sqlite_rows) ba_sqlite_rows *r = ba_xcalloc(1, sizeof(*r));
	r->name = ba_xstrdup(name);
	int rc = sqlite3_open_v2(data ? ":memory:" : name, &r->db,
		data ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY, NULL);
	if (rc == SQLITE_OK && data)
		rc = load(r, data, size);
	if (rc != SQLITE_OK)
		return fail(r, err);
	sqlite3_db_config(r->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(r->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(r->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(r->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	*out = BA_TAKE(r);
	return 0;
}

void ba_sqlite_rows_free(ba_sqlite_rows *r)
{
	if (!r)
		return;
	sqlite3_finalize(r->query);
	sqlite3_close(r->db);
	BA_FREE(r->name, r);
}

int ba_sqlite_rows_query(ba_sqlite_rows *r, const char *sql, ba_error *err)
{
	sqlite3_finalize(r->query);
	r->query = NULL;
	return sqlite3_prepare_v2(r->db, sql, -1, &r->query, NULL) == SQLITE_OK ? 0 : fail(r, err);
}

int ba_sqlite_rows_next(ba_sqlite_rows *r, ba_error *err)
{
	switch (sqlite3_step(r->query)) {
	case SQLITE_ROW:
		return 1;
	case SQLITE_DONE:
		return 0;
	default:
		return fail(r, err);
	}
}

const char *ba_sqlite_rows_text(ba_sqlite_rows *r, int column)
{
	const char *text = (const char *)sqlite3_column_text(r->query, column);
	return text && ba_text_is_utf8(text, strlen(text)) ? text : "";
}

double ba_sqlite_rows_f64(ba_sqlite_rows *r, int column)
{
	return sqlite3_column_double(r->query, column);
}
