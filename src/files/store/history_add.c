/* Adds a run in one transaction. */
#include <math.h>

#include "store/history_internal.h"

/* a value of a row: text if it is not NULL, else number */
typedef struct cell {
	const char *text;
	double real;
	int64_t integer;
	enum { TEXT, REAL, INTEGER } kind;
} cell;

/* clang-format off */
#define T(s) ((cell){.text = (s) ? (s) : "", .kind = TEXT})
#define R(x) ((cell){.real = (x), .kind = REAL})
#define I(n) ((cell){.integer = (int64_t)(n), .kind = INTEGER})
/* clang-format on */

static void bind_value(sqlite3_stmt *s, int i, const cell *v)
{
	if (v->kind == TEXT)
		sqlite3_bind_text(s, i, v->text, -1, SQLITE_STATIC);
	else if (v->kind == INTEGER)
		sqlite3_bind_int64(s, i, v->integer);
	else if (isfinite(v->real))
		sqlite3_bind_double(s, i, v->real);
	else
		sqlite3_bind_null(s, i);
}

static int insert(ba_history *h, sqlite3_stmt *s, const cell *values, size_t count, ba_error *err)
{
	for (size_t i = 0; i < count; i++)
		bind_value(s, (int)i + 1, &values[i]);
	int rc = sqlite3_step(s);
	sqlite3_reset(s);
	return rc == SQLITE_DONE ? 0 : ba_history_fail(h, rc, err);
}

typedef struct statements {
	sqlite3_stmt *run, *variant, *point;
} statements;

static void statements_dispose(statements *s)
{
	sqlite3_finalize(s->run);
	sqlite3_finalize(s->variant);
	sqlite3_finalize(s->point);
}
BA_DEFINE_AUTO(statements, statements_dispose)

static int prepare(statements *out, ba_history *h, ba_error *err)
{
	const struct {
		sqlite3_stmt **statement;
		const char *sql;
	} rows[] = {
		{&out->run,
			"INSERT INTO run (started, tool_version, repository, target, device, device_uuid, driver, host, suite_sha256, engine, verdict, exit_status) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)"},
		{&out->variant,
			"INSERT INTO variant (run, position, label, commit_id, tree_id, dirty, describe, subject) VALUES (?,?,?,?,?,?,?,?)"},
		{&out->point,
			"INSERT INTO point (variant, benchmark, metric, plan_sha256, ns, stdev_ns, invocations, ratio, low, high, verdict) VALUES (?,?,?,?,?,?,?,?,?,?,nullif(?,''))"},
	};
	for (size_t i = 0; i < BA_COUNT(rows); i++) {
		int rc = sqlite3_prepare_v2(h->db, rows[i].sql, -1, rows[i].statement, NULL);
		if (rc != SQLITE_OK)
			return ba_history_fail(h, rc, err);
	}
	return 0;
}

static int add_run(ba_history *h, statements *s, const ba_result *r, ba_error *err)
{
	/* on the host target, times depend on the processor */
	bool host = ba_environment_is_host(&r->run.env);
	const cell values[] = {T(r->run.started), T(r->run.tool_version), T(r->run.repository),
		T(r->run.env.target), T(host ? r->run.env.cpu_model : r->run.env.device_name),
		T(r->run.env.device_uuid), T(r->run.env.driver_version), T(r->run.env.host_name),
		T(r->run.suite_sha256), T(r->run.engine), T(ba_verdict_name(r->decided.verdict)),
		I(r->decided.exit_status)};
	return insert(h, s->run, values, BA_COUNT(values), err);
}

static int add_points(ba_history *h, statements *s, const ba_result *r, size_t v, int64_t variant,
	const char (*plans)[65], ba_error *err)
{
	BA_EACH (const ba_series, x, r->series, r->series_count) {
		const ba_summary *sum = &x->variants[v];
		if (!sum->launches || sum->failure || !isfinite(sum->trimmed) ||
			!(sum->trimmed > 0))
			continue;
		const ba_comparison *c = v ? &x->comparisons[v - 1] : NULL;
		bool decided = c && x->role == BA_ROLE_VERDICT;
		const cell values[] = {I(variant), T(r->run.benchmarks[x->benchmark].id),
			T(ba_metric_get(x->metric)->name), T(plans[x->benchmark]), R(sum->trimmed),
			R(sum->stdev), I(x->sample_count), R(decided ? c->ratio : NAN),
			R(decided ? c->low : NAN), R(decided ? c->high : NAN),
			T(decided ? ba_verdict_name(c->verdict) : "")};
		BA_TRY(insert(h, s->point, values, BA_COUNT(values), err));
	}
	return 0;
}

static int add_all(
	ba_history *h, statements *s, const ba_result *r, const char (*plans)[65], ba_error *err)
{
	int rc = add_run(h, s, r, err);
	int64_t run = sqlite3_last_insert_rowid(h->db);
	for (size_t v = 0; rc == 0 && v < r->run.variant_count; v++) {
		const ba_variant *x = &r->run.variants[v];
		const cell values[] = {I(run), I(v), T(x->label), T(x->commit), T(x->tree_id),
			I(x->dirty), T(x->describe), T(x->subject)};
		rc = insert(h, s->variant, values, BA_COUNT(values), err);
		rc = rc ? rc : add_points(h, s, r, v, sqlite3_last_insert_rowid(h->db), plans, err);
	}
	return rc;
}

int ba_history_add(ba_history *h, const ba_result *r, const char (*plans)[65], ba_error *err)
{
	BA_AUTO(statements) statements s = {0};
	BA_TRY(prepare(&s, h, err));
	BA_TRY(ba_history_exec(h, "BEGIN IMMEDIATE", err));
	int rc = add_all(h, &s, r, plans, err);
	rc = rc ? rc : ba_history_exec(h, "COMMIT", err);
	if (rc)
		sqlite3_exec(h->db, "ROLLBACK", NULL, NULL, NULL);
	return rc;
}
