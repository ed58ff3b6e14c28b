/* Adds a run in one transaction. */

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

BA_OWNS_HERE(statements, s, sqlite3_finalize(s->run), sqlite3_finalize(s->variant),
	sqlite3_finalize(s->point))

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

static int add_run(ba_history *h, statements *s, const ba_result *r, const ba_code_document *code,
	ba_error *err)
{
	/* on the host target, times depend on the processor */
	bool host = ba_environment_is_host(&r->run.env);
	const cell values[] = {T(r->run.started), T(r->run.tool_version), T(r->run.repository),
		T(code ? BA_HISTORY_CODE : r->run.env.target),
		T(host ? r->run.env.cpu_model : r->run.env.device_name), T(r->run.env.device_uuid),
		T(r->run.env.driver_version), T(r->run.env.host_name), T(r->run.suite_sha256),
		T(r->run.engine), T(code ? code->answer : ba_verdict_name(r->decided.verdict)),
		I(code ? (int64_t)code->exit_status : r->decided.exit_status)};
	return insert(h, s->run, values, BA_COUNT(values), err);
}

static int add_points(ba_history *h, statements *s, const ba_result *r, size_t v, int64_t variant,
	const char (*plans)[65], ba_error *err)
{
	BA_AUTO_FREE char *environment = ba_variant_environment_name(&r->run.variants[v]);
	const char *resolved = r->run.variants[v].environment.resolved_sha256;
	BA_EACH (const ba_series, x, r->series, r->series_count) {
		const ba_summary *sum = &x->variants[v];
		bool any = sum->trimmed > 0 || (x->info->census && sum->trimmed == 0);
		if (!sum->launches || sum->failure || !isfinite(sum->trimmed) || !any)
			continue;
		const ba_comparison *c = v ? &x->comparisons[v - 1] : NULL;
		bool decided = c && x->role == BA_ROLE_VERDICT;
		/* values of different environments are never compared, either */
		BA_AUTO_FREE char *plan = ba_xprintf("%s%s%s%s%.8s", plans[x->benchmark],
			*environment ? " in " : "", environment, *resolved ? " " : "", resolved);
		const cell values[] = {I(variant), T(r->run.benchmarks[x->benchmark].id),
			T(ba_metric_get(x->metric)->name), T(plan), R(sum->trimmed), R(sum->stdev),
			I(x->sample_count), R(decided ? c->ratio : NAN), R(decided ? c->low : NAN),
			R(decided ? c->high : NAN), T(decided ? ba_verdict_name(c->verdict) : "")};
		BA_TRY(insert(h, s->point, values, BA_COUNT(values), err));
	}
	return 0;
}

static int add_value(ba_history *h, statements *s, int64_t variant, size_t v, const char *name,
	ba_code_metric metric, const double both[2], const char *verdict, ba_error *err)
{
	/* a metric that grew from 0 has no ratio */
	double ratio = v && both[0] > 0 ? both[1] / both[0] : NAN;
	const cell values[] = {I(variant), T(name), T(ba_code_metric_get(metric)->name), T(""),
		R(both[v]), R(0), I(1), R(ratio), R(ratio), R(ratio), T(v ? verdict : "")};
	return both[v] >= 0 ? insert(h, s->point, values, BA_COUNT(values), err) : 0;
}

static int add_code(ba_history *h, statements *s, const ba_code_document *code, size_t v,
	int64_t variant, ba_error *err)
{
	BA_EACH (const ba_code_pair, p, code->pairs, code->pair_count) {
		BA_AUTO_FREE char *name = ba_xprintf("%s %s", p->name, p->target);
		for (int m = 0; m < BA_CODE_METRIC_COUNT; m++) {
			const double both[] = {p->values[0][m], p->values[1][m]};
			BA_TRY(add_value(h, s, variant, v, name, (ba_code_metric)m, both,
				ba_code_verdict_name(p->verdict), err));
		}
	}
	for (size_t i = 0; i < code->size_count; i++) {
		const ba_code_size *x = &code->sizes[i];
		bool same = x->values[0] == x->values[1];
		BA_TRY(add_value(h, s, variant, v, x->name, x->metric, x->values,
			same ? "same" : "changed", err));
	}
	return 0;
}

static int add_all(ba_history *h, statements *s, const ba_result *r, const char (*plans)[65],
	const ba_code_document *code, ba_error *err)
{
	BA_TRY(add_run(h, s, r, code, err));
	int64_t run = sqlite3_last_insert_rowid(h->db);
	for (size_t v = 0; v < r->run.variant_count; v++) {
		const ba_variant *x = &r->run.variants[v];
		const cell values[] = {I(run), I(v), T(x->label), T(x->commit), T(x->tree_id),
			I(x->dirty), T(x->describe), T(x->subject)};
		BA_TRY(insert(h, s->variant, values, BA_COUNT(values), err));
		int64_t id = sqlite3_last_insert_rowid(h->db);
		BA_TRY(code ? add_code(h, s, code, v, id, err)
			    : add_points(h, s, r, v, id, plans, err));
	}
	return 0;
}

int ba_history_add(ba_history *h, const ba_result *r, const char (*plans)[65],
	const ba_code_document *code, ba_error *err)
{
	BA_AUTO(statements) statements s = {0};
	BA_TRY(prepare(&s, h, err));
	BA_TRY(ba_history_exec(h, "BEGIN IMMEDIATE", err));
	int rc = add_all(h, &s, r, plans, code, err);
	rc = rc ? rc : ba_history_exec(h, "COMMIT", err);
	if (rc)
		sqlite3_exec(h->db, "ROLLBACK", NULL, NULL, NULL);
	return rc;
}
