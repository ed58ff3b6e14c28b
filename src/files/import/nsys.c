/* Nsight Systems: what `nsys stats` prints of kernels as CSV (cuda_gpu_kern_sum and, with
 * grids and blocks, cuda_gpu_kern_gb_sum), a row for each kernel with the mean of its
 * launches; and what `nsys export -t sqlite` writes, which has every launch. */

#include "import/table.h"
#include "store/sqlite_rows.h"

static const char *const needs[] = {"Instances", "Name", NULL};
static const char *const parameters[] = {"GridXYZ", "BlockXYZ", NULL};
static const ba_table_metric metrics[] = {{"Avg", "time", 1}, {"Med", "median", 1},
	{"Min", "min", 1}, {"Max", "max", 1}, {"Total Time", "total", 1}, {NULL, NULL, 0}};
static const ba_table table = {.needs = needs,
	.name = "Name",
	.parameters = parameters,
	.metrics = metrics,
	.level = BA_LEVEL_SUMMARY,
	.whole = true};

bool ba_is_nsys(const char *line, size_t size)
{
	return ba_sqlite_rows_is(line, size) || ba_table_is(&table, line, size);
}

/* ---- every launch -------------------------------------------------------- */

static void read_devices(const ba_source *s, ba_sqlite_rows *rows)
{
	ba_error none = {0}; /* older exports have no such table */
	if (ba_sqlite_rows_query(rows, "SELECT name FROM TARGET_INFO_GPU", &none))
		return;
	while (ba_sqlite_rows_next(rows, &none) > 0)
		ba_source_field(s, "device", ba_sqlite_rows_text(rows, 0), true);
}

static int emit(const ba_source *s, const char *id, ba_values *values, ba_error *err)
{
	const ba_record record = {.id = id, .level = BA_LEVEL_BATCH};
	int rc = values->count ? ba_source_time(s, &record, values, &BA_STATISTICS_NONE, err) : 0;
	values->count = 0;
	return rc;
}

static int read_launches(const ba_source *s, ba_sqlite_rows *rows, ba_error *err)
{
	static const char sql[] =
		"SELECT (SELECT value FROM StringIds WHERE id = k.demangledName), k.\"end\" - k.start FROM CUPTI_ACTIVITY_KIND_KERNEL k ORDER BY k.demangledName, k.start";
	BA_AUTO(ba_buf) ba_buf id = BA_BUF_INIT;
	BA_AUTO(ba_values) ba_values values = {0};
	int rc = ba_sqlite_rows_query(rows, sql, err);
	if (rc)
		return ba_fail_context(err, "no launches of CUDA kernels can be read");
	while (rc == 0 && (rc = ba_sqlite_rows_next(rows, err)) > 0) {
		const char *name = ba_sqlite_rows_text(rows, 0);
		double ns = ba_sqlite_rows_f64(rows, 1);
		if (!*name)
			return ba_fail(
				err, BA_EDATA, "%s: a kernel has no name in StringIds", s->name);
		if (ns < 0)
			return ba_fail(err, BA_EDATA,
				"%s: a launch of %.100s ends before it starts", s->name, name);
		rc = strcmp(name, id.data) != 0 ? emit(s, id.data, &values, err) : 0;
		ba_values_add(&values, ns);
		ba_buf_clear(&id);
		ba_buf_puts(&id, name);
	}
	return rc ? rc : emit(s, id.data, &values, err);
}

static int read_database(const ba_source *s, ba_error *err)
{
	BA_AUTO_PTR(ba_sqlite_rows) ba_sqlite_rows *rows = NULL;
	BA_TRY(ba_sqlite_rows_open(&rows, s->name, s->text, s->size, err));
	read_devices(s, rows);
	return read_launches(s, rows, err);
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
	return rc && ba_sqlite_rows_is(line, size) ? read_database(s, err)
						   : ba_table_read(&table, s, err);
}
