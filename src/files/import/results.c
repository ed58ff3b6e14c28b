/* bench-against.results/1: one value for each invocation of a variant, computed from
 * its samples as in a run (docs/statistics.md section 3.1). */
#include <math.h>

#include "import/source.h"
#include "model/limits.h"
#include "stats/layouts.h"
#include "stats/logratio.h"
#include "stats/quantile.h"

typedef struct reader {
	const ba_source *s;
	ba_pull *p;
	ba_strv labels;
	size_t variant; /* the label of the variant to read */
	/* the current series */
	ba_buf id, metric, failure;
	bool decides, present;
	ba_values invocations; /* ns of each */
	/* the current invocation */
	ba_values order, ns;
	double positions, blocks, readings, batch, layouts;
} reader;

static void reader_dispose(reader *r)
{
	ba_strv_dispose(&r->labels);
	BA_DISPOSE(ba_buf, &r->id, &r->metric, &r->failure);
	BA_DISPOSE(ba_values, &r->invocations, &r->order, &r->ns);
}

/* ---- variants ------------------------------------------------------------ */

static int read_label(reader *r, ba_error *err)
{
	const char *key, *label;
	size_t before = r->labels.count;
	int rc = ba_pull_object(r->p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, r->p, err)) > 0) {
		if (strcmp(key, "label") != 0) {
			rc = ba_pull_skip(r->p, err);
			continue;
		}
		rc = ba_pull_string(&label, r->p, err);
		if (rc == 0)
			ba_strv_push(&r->labels, label);
	}
	if (rc == 0 && r->labels.count != before + 1)
		rc = ba_pull_fail(err, r->p, "a variant without a label");
	if (rc == 0 && r->labels.count > BA_VARIANTS_MOST)
		rc = ba_pull_fail(err, r->p, "more than %d variants", BA_VARIANTS_MOST);
	return rc;
}

static int choose_variant(reader *r, ba_error *err)
{
	BA_AUTO_FREE char *joined = ba_strv_join(&r->labels, ", ");
	BA_AUTO_FREE char *all = ba_text_safe(joined);
	if (!r->s->part && r->labels.count == 1)
		return 0;
	if (!r->s->part)
		return ba_fail(err, BA_EINVAL,
			"'%s' has %zu variants (%.400s); choose one with '%s#LABEL'", r->s->name,
			r->labels.count, all, r->s->name);
	for (size_t i = 0; i < r->labels.count; i++)
		if (strcmp(r->labels.items[i], r->s->part) == 0) {
			r->variant = i;
			return 0;
		}
	return ba_fail(err, BA_EINVAL, "'%s' has no variant '%s'; it has: %.400s", r->s->name,
		r->s->part, all);
}

static int read_variants(reader *r, ba_error *err)
{
	int rc = ba_pull_array(r->p, err);
	while (rc == 0 && (rc = ba_pull_element(r->p, err)) > 0)
		rc = read_label(r, err);
	return rc ? rc : choose_variant(r, err);
}

/* ---- samples ------------------------------------------------------------- */

/* A count: a whole number that is a possible size of the arrays. */
static int read_count(double *out, ba_pull *p, ba_error *err)
{
	double value = 0;
	int rc = ba_time_pull(&value, p, err);
	if (rc == 0 && (!(value <= UINT32_MAX) || value != floor(value)))
		return ba_pull_fail(err, p, "must be a whole number");
	*out = value;
	return rc;
}

/* Appends the value of each visit of the variant (ba_visit_value) to *visits: the
 * logarithm of a time in ns per launch. */
static int reduce(reader *r, ba_values *visits, ba_error *err)
{
	size_t blocks = (size_t)r->blocks, positions = (size_t)r->positions;
	size_t readings = (size_t)r->readings;
	if ((double)r->order.count != r->blocks * r->positions ||
		(double)r->ns.count != r->blocks * r->positions * r->readings || !readings ||
		!(r->batch > 0))
		return ba_pull_fail(err, r->p, "%zu visits and %zu times do not fit %g blocks",
			r->order.count, r->ns.count, r->blocks);
	for (size_t i = 0; i < blocks * positions; i++) {
		double *ns = r->ns.at + i * readings;
		if (r->order.at[i] != (double)r->variant)
			continue;
		for (size_t k = 0; k < readings; k++) {
			if (!(ns[k] > 0) || !isfinite(ns[k]))
				return ba_pull_fail(err, r->p, "a time of %g ns", ns[k]);
			ns[k] /= r->batch;
		}
		ba_values_add(visits, ba_visit_value(ns, readings));
	}
	return 0;
}

static int read_invocation(reader *r, ba_values *visits, ba_error *err)
{
	const char *key;
	ba_pull *p = r->p;
	r->order.count = r->ns.count = visits->count = 0;
	r->positions = r->blocks = r->readings = r->batch = r->layouts = 0;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "order") == 0	     ? ba_values_pull(&r->order, p, 1, err)
		     : strcmp(key, "ns") == 0	     ? ba_values_pull(&r->ns, p, 1, err)
		     : strcmp(key, "positions") == 0 ? read_count(&r->positions, p, err)
		     : strcmp(key, "blocks") == 0    ? read_count(&r->blocks, p, err)
		     : strcmp(key, "readings") == 0  ? read_count(&r->readings, p, err)
		     : strcmp(key, "batch") == 0     ? read_count(&r->batch, p, err)
		     : strcmp(key, "layouts") == 0   ? read_count(&r->layouts, p, err)
						     : ba_pull_skip(p, err);
	return rc ? rc : reduce(r, visits, err);
}

/* the level of an invocation, from its visits */
static double level_of(const reader *r, ba_values *visits)
{
	size_t blocks = (size_t)r->blocks, layouts = (size_t)r->layouts;
	double variance;
	if (layouts < 2 || blocks % layouts || visits->count % blocks)
		return ba_trim25(visits->at, visits->count);
	return ba_layouts_level(&variance, visits->at, blocks, visits->count / blocks, layouts);
}

/* One value per invocation; if there is only one, the values of its visits. */
static int read_samples(reader *r, ba_level *level, ba_error *err)
{
	BA_AUTO(ba_values) ba_values visits = {0}, first = {0};
	size_t count = 0;
	r->invocations.count = 0;
	int rc = ba_pull_array(r->p, err);
	while (rc == 0 && (rc = ba_pull_element(r->p, err)) > 0) {
		rc = read_invocation(r, &visits, err);
		if (rc || !visits.count)
			continue;
		if (count++ == 0)
			for (size_t i = 0; i < visits.count; i++)
				ba_values_add(&first, exp(visits.at[i]));
		ba_values_add(&r->invocations, exp(level_of(r, &visits)));
	}
	*level = count == 1 ? BA_LEVEL_BATCH : BA_LEVEL_PROCESS;
	if (count == 1) {
		ba_values_dispose(&r->invocations);
		r->invocations = BA_MOVE(first);
	}
	return rc;
}

/* ---- series -------------------------------------------------------------- */

static int read_presence(reader *r, ba_error *err)
{
	const char *key;
	int rc = ba_pull_object(r->p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, r->p, err)) > 0)
		rc = strcmp(key, "failure") == 0   ? ba_text_pull(&r->failure, r->p, err)
		     : strcmp(key, "present") == 0 ? ba_pull_bool(&r->present, r->p, err)
						   : ba_pull_skip(r->p, err);
	return rc;
}

static int read_presences(reader *r, ba_error *err)
{
	int rc = ba_pull_array(r->p, err);
	for (size_t i = 0; rc == 0 && (rc = ba_pull_element(r->p, err)) > 0; i++)
		rc = i == r->variant ? read_presence(r, err) : ba_pull_skip(r->p, err);
	return rc;
}

static int emit(reader *r, ba_level level, ba_error *err)
{
	if (!ba_source_wants(r->s, r->metric.data, r->decides))
		return 0;
	if (!r->id.len)
		return ba_pull_fail(err, r->p, "a series without an id");
	/* the variant does not have the benchmark */
	if (!r->present && !r->failure.len && !r->invocations.count)
		return 0;
	const ba_record record = {
		.id = r->id.data,
		.metric = r->metric.data,
		.is_time = true,
		.whole = true,
		.level = level,
		.values = r->invocations.at,
		.count = r->invocations.count,
		.failure = r->failure.len ? r->failure.data : NULL,
	};
	return ba_source_record(r->s, &record, err);
}

static int read_series(reader *r, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf role = BA_BUF_INIT;
	ba_level level = BA_LEVEL_PROCESS;
	const char *key;
	ba_buf_clear(&r->id);
	ba_buf_clear(&r->metric);
	ba_buf_clear(&r->failure);
	r->invocations.count = 0;
	r->present = false;
	int rc = ba_pull_object(r->p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, r->p, err)) > 0)
		rc = strcmp(key, "id") == 0	    ? ba_text_pull(&r->id, r->p, err)
		     : strcmp(key, "metric") == 0   ? ba_text_pull(&r->metric, r->p, err)
		     : strcmp(key, "role") == 0	    ? ba_text_pull(&role, r->p, err)
		     : strcmp(key, "variants") == 0 ? read_presences(r, err)
		     : strcmp(key, "samples") == 0  ? read_samples(r, &level, err)
						    : ba_pull_skip(r->p, err);
	r->decides = strcmp(role.data, "verdict") == 0;
	return rc ? rc : emit(r, level, err);
}

static int read_all_series(reader *r, ba_error *err)
{
	if (!r->labels.count)
		return ba_pull_fail(err, r->p, "'variants' must come before it");
	int rc = ba_pull_array(r->p, err);
	while (rc == 0 && (rc = ba_pull_element(r->p, err)) > 0)
		rc = read_series(r, err);
	return rc;
}

static int read_suite(reader *r, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	int rc = ba_text_pull(&text, r->p, err);
	ba_source_field(r->s, "suite_sha256", text.data, true);
	return rc;
}

static int check_digest(const ba_source *s, ba_error *err)
{
	char found[65], said[65];
	ba_digest_state state;
	int rc = ba_source_digest(&state, found, said, s, err);
	if (rc || state != BA_DIGEST_DIFFERS)
		return rc;
	BA_AUTO_FREE char *text = ba_xprintf(
		"was damaged or edited after it was written (its SHA-256 is %.12s..., but document_sha256 is %.12s...)",
		found, said);
	ba_source_damaged(s, text);
	return 0;
}

int ba_read_results(const ba_source *s, ba_error *err)
{
	static const ba_field_row environment[] = {{"target", "target", true},
		{"device_name", "device", true}, {"device_uuid", "device UUID", true},
		{"driver_version", "driver", true}, {"cuda_version", "CUDA", false},
		{"flush", "flush of the L2 cache", true}, {"cpu_model", "cpu", true},
		{"host_name", "host", false}};
	reader r = {.s = s, .id = BA_BUF_INIT, .metric = BA_BUF_INIT, .failure = BA_BUF_INIT};
	const char *key;
	int rc = ba_source_pull(&r.p, s, err);
	rc = rc ? rc : ba_pull_object(r.p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, r.p, err)) > 0)
		rc = strcmp(key, "environment") == 0
			     ? ba_fields_pull(s, r.p, BA_ROWS(environment), err)
		     : strcmp(key, "suite_sha256") == 0 ? read_suite(&r, err)
		     : strcmp(key, "variants") == 0	? read_variants(&r, err)
		     : strcmp(key, "series") == 0	? read_all_series(&r, err)
							: ba_pull_skip(r.p, err);
	rc = rc ? rc : ba_pull_end(r.p, err);
	rc = rc ? rc : check_digest(s, err);
	ba_pull_free(r.p);
	reader_dispose(&r);
	return rc;
}
