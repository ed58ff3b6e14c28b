/* Nsight Systems: what `nsys stats` prints of kernels as CSV (cuda_gpu_kern_sum and, with
 * grids and blocks, cuda_gpu_kern_gb_sum), a row for each kernel with the mean of its
 * launches; and what `nsys export -t sqlite` writes, which has every launch. */

#include <sqlite3.h>

#include "import/table.h"

static const ba_table_metric metrics[] = {{"Avg", "time", 1}, {"Med", "median", 1},
	{"Min", "min", 1}, {"Max", "max", 1}, {"Total Time", "total", 1}, {NULL, NULL, 0}};
static const ba_table table = {.needs = (const char *const[]){"Instances", "Name", NULL},
	.name = "Name",
	.parameters = (const char *const[]){"GridXYZ", "BlockXYZ", NULL},
	.metrics = metrics,
	.level = BA_LEVEL_SUMMARY,
	.whole = true};

static bool is_database(const char *head, size_t size)
{
	static const char magic[] = "SQLite format 3"; /* its NUL is part of it */
	return size >= sizeof(magic) && memcmp(head, magic, sizeof(magic)) == 0;
}

bool ba_is_nsys(const char *line, size_t size)
{
	return is_database(line, size) || ba_table_is(&table, line, size);
}

/* ---- every launch -------------------------------------------------------- */

/* The file is data: it is read only, and no view or trigger of it runs. */
typedef struct database {
	const ba_source *s;
	sqlite3 *db;
	sqlite3_stmt *query;
} database;

BA_OWNS_HERE(database, d, sqlite3_finalize(d->query), sqlite3_close(d->db))

static int fail(const database *d, ba_error *err)
{
	return ba_fail(err, BA_EDATA, "'%s' is not a readable SQLite file: %s", d->s->name,
		d->db ? sqlite3_errmsg(d->db) : "out of memory");
}

/* SQLite owns the copy, and frees it also on errors. */
static int load(sqlite3 *db, const void *data, size_t size)
{
	unsigned char *copy = sqlite3_malloc64(size);
	if (!copy)
		return SQLITE_NOMEM;
	memcpy(copy, data, size);
	return sqlite3_deserialize(db, "main", copy, (sqlite3_int64)size, (sqlite3_int64)size,
		SQLITE_DESERIALIZE_READONLY | SQLITE_DESERIALIZE_FREEONCLOSE);
}

static int open_database(database *d, ba_error *err)
{
	const char *text = d->s->text;
	int rc = sqlite3_open_v2(text ? ":memory:" : d->s->name, &d->db,
		text ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY, NULL);
	if (rc == SQLITE_OK && text)
		rc = load(d->db, text, d->s->size);
	if (rc != SQLITE_OK)
		return fail(d, err);
	sqlite3_db_config(d->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(d->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(d->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(d->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
	return 0;
}

/* Ends the previous query. */
static int ask(database *d, const char *sql, ba_error *err)
{
	sqlite3_finalize(d->query);
	d->query = NULL;
	return sqlite3_prepare_v2(d->db, sql, -1, &d->query, NULL) == SQLITE_OK ? 0 : fail(d, err);
}

/* Returns 1 for a row, 0 at the end, or an error. */
static int next(database *d, ba_error *err)
{
	int rc = sqlite3_step(d->query);
	return rc == SQLITE_ROW ? 1 : rc == SQLITE_DONE ? 0 : fail(d, err);
}

/* the row's text, valid until the next: "" if it is NULL or not UTF-8 */
static const char *text_of(database *d)
{
	const char *text = (const char *)sqlite3_column_text(d->query, 0);
	return text && ba_text_is_utf8(text, strlen(text)) ? text : "";
}

static void read_devices(database *d)
{
	ba_error none = {0}; /* older exports have no such table */
	if (ask(d, "SELECT name FROM TARGET_INFO_GPU", &none))
		return;
	while (next(d, &none) > 0)
		ba_source_field(d->s, "device", text_of(d), true);
}

static int emit(const ba_source *s, const char *id, ba_values *values, ba_error *err)
{
	const ba_record record = {.id = id, .level = BA_LEVEL_BATCH};
	int rc = values->count ? ba_source_time(s, &record, values, &BA_STATISTICS_NONE, err) : 0;
	values->count = 0;
	return rc;
}

static int read_launches(database *d, ba_error *err)
{
	static const char sql[] =
		"SELECT (SELECT value FROM StringIds WHERE id = k.demangledName), k.\"end\" - k.start FROM CUPTI_ACTIVITY_KIND_KERNEL k ORDER BY k.demangledName, k.start";
	BA_AUTO(ba_buf) ba_buf id = BA_BUF_INIT;
	BA_AUTO(ba_values) ba_values values = {0};
	int rc = ask(d, sql, err);
	if (rc)
		return ba_fail_context(err, "no launches of CUDA kernels can be read");
	while (rc == 0 && (rc = next(d, err)) > 0) {
		const char *name = text_of(d);
		double ns = sqlite3_column_double(d->query, 1); /* 0 if it is not a number */
		if (!*name)
			return ba_fail(
				err, BA_EDATA, "%s: a kernel has no name in StringIds", d->s->name);
		if (ns < 0)
			return ba_fail(err, BA_EDATA,
				"%s: a launch of %.100s ends before it starts", d->s->name, name);
		rc = strcmp(name, id.data) != 0 ? emit(d->s, id.data, &values, err) : 0;
		ba_values_add(&values, ns);
		ba_buf_clear(&id);
		ba_buf_puts(&id, name);
	}
	return rc ? rc : emit(d->s, id.data, &values, err);
}

static int read_database(const ba_source *s, ba_error *err)
{
	BA_AUTO(database) database d = {.s = s};
	BA_TRY(open_database(&d, err));
	read_devices(&d);
	return read_launches(&d, err);
}

int ba_read_nsys(const ba_source *s, ba_error *err)
{
	BA_AUTO(ba_lines) ba_lines lines = {0};
	const char *line = "";
	size_t size = 0;
	int rc = ba_lines_open(&lines, s, err);
	rc = rc ? rc : ba_lines_next(&line, &size, &lines, err);
	if (rc < 0)
		return rc;
	return rc && is_database(line, size) ? read_database(s, err)
					     : ba_table_read(&table, s, err);
}
