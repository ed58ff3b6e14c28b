/* bench-against.results/1: one value for each invocation of a variant, computed from
 * its samples as in a run (docs/statistics.md section 3.1). */

#include "import/source.h"
#include "json/digest.h"
#include "model/limits.h"
#include "stats/layouts.h"
#include "stats/logratio.h"
#include "stats/quantile.h"

typedef struct reader {
	const ba_source *s;
	ba_buf label;
	ba_strv labels;
	size_t variant; /* the label of the variant to read */
	/* the current series */
	ba_buf id, metric, role, failure;
	bool present;
	ba_level level;
	ba_values invocations; /* ns of each */
	/* the current invocation */
	ba_values order, ns;
	double positions, blocks, readings, batch, layouts;
	/* the values of its visits, and of those of the first invocation */
	ba_values visits, first;
	size_t count;
} reader;

/* ---- variants ------------------------------------------------------------ */

static int add_label(void *data, ba_pull *p, ba_error *err)
{
	reader *r = data;
	if (!r->label.len)
		return ba_pull_fail(err, p, "a variant without a label");
	ba_strv_push(&r->labels, r->label.data);
	if (r->labels.count > BA_VARIANTS_MOST)
		return ba_pull_fail(err, p, "more than %d variants", BA_VARIANTS_MOST);
	return 0;
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
	r->variant = ba_strv_find(&r->labels, r->s->part);
	if (r->variant < r->labels.count)
		return 0;
	return ba_fail(err, BA_EINVAL, "'%s' has no variant '%s'; it has: %.400s", r->s->name,
		r->s->part, all);
}

static int read_variants(void *data, ba_pull *p, ba_error *err)
{
	static const ba_member rows[] = {BA_TEXT("label", reader, label), {0}};
	reader *r = data;
	int rc = ba_records_pull(r, p, rows, add_label, err);
	ba_members_dispose(r, rows);
	return rc ? rc : choose_variant(r, err);
}

/* ---- samples ------------------------------------------------------------- */

/* Appends each visit's value (ba_visit_value) to r->visits: the log of a time per launch in ns. */
static int reduce(reader *r, ba_pull *p, ba_error *err)
{
	size_t blocks = (size_t)r->blocks, positions = (size_t)r->positions;
	size_t readings = (size_t)r->readings;
	if ((double)r->order.count != r->blocks * r->positions ||
		(double)r->ns.count != r->blocks * r->positions * r->readings || !readings ||
		!(r->batch > 0))
		return ba_pull_fail(err, p, "%zu visits and %zu times do not fit %g blocks",
			r->order.count, r->ns.count, r->blocks);
	for (size_t i = 0; i < blocks * positions; i++) {
		double *ns = r->ns.at + i * readings;
		if (r->order.at[i] != (double)r->variant)
			continue;
		for (size_t k = 0; k < readings; k++) {
			if (!(ns[k] > 0) || !isfinite(ns[k]))
				return ba_pull_fail(err, p, "a time of %g ns", ns[k]);
			ns[k] /= r->batch;
		}
		ba_values_add(&r->visits, ba_visit_value(ns, readings));
	}
	return 0;
}

/* the level of an invocation, from its visits */
static double level_of(reader *r)
{
	size_t blocks = (size_t)r->blocks, layouts = (size_t)r->layouts;
	ba_values *visits = &r->visits;
	double variance;
	if (layouts < 2 || blocks % layouts || visits->count % blocks)
		return ba_trim25(visits->at, visits->count);
	return ba_layouts_level(&variance, visits->at, blocks, visits->count / blocks, layouts);
}

/* A count is a whole number that is a possible size of the arrays. */
static int end_invocation(void *data, ba_pull *p, ba_error *err)
{
	reader *r = data;
	if (isnan(r->layouts))
		r->layouts = 0;
	const double counts[] = {r->positions, r->blocks, r->readings, r->batch, r->layouts};
	for (size_t i = 0; i < BA_COUNT(counts); i++)
		if (!(counts[i] <= UINT32_MAX) || counts[i] != floor(counts[i]))
			return ba_pull_fail(err, p,
				"'positions', 'blocks', 'readings', 'batch' and 'layouts' must be whole numbers");
	r->visits.count = 0;
	BA_TRY(reduce(r, p, err));
	if (!r->visits.count)
		return 0;
	for (size_t i = 0; r->count == 0 && i < r->visits.count; i++)
		ba_values_add(&r->first, exp(r->visits.at[i]));
	r->count++;
	ba_values_add(&r->invocations, exp(level_of(r)));
	return 0;
}

static const ba_member invocation_members[] = {BA_VALUES("order", reader, order, 1),
	BA_VALUES("ns", reader, ns, 1), BA_NUMBER("positions", reader, positions, 1),
	BA_NUMBER("blocks", reader, blocks, 1), BA_NUMBER("readings", reader, readings, 1),
	BA_NUMBER("batch", reader, batch, 1), BA_NUMBER("layouts", reader, layouts, 1), {0}};

/* One value per invocation; if there is only one, the values of its visits. */
static int read_samples(void *data, ba_pull *p, ba_error *err)
{
	reader *r = data;
	r->invocations.count = r->first.count = r->count = 0;
	int rc = ba_records_pull(r, p, invocation_members, end_invocation, err);
	r->level = r->count == 1 ? BA_LEVEL_BATCH : BA_LEVEL_PROCESS;
	if (r->count == 1) {
		ba_values_dispose(&r->invocations);
		r->invocations = BA_MOVE(r->first);
	}
	return rc;
}

/* ---- series -------------------------------------------------------------- */

static const ba_member presence_members[] = {
	BA_TEXT("failure", reader, failure), BA_MEMBER_AT("present", FLAG, reader, present), {0}};

static int read_presences(void *data, ba_pull *p, ba_error *err)
{
	reader *r = data;
	int rc = ba_pull_array(p, err);
	for (size_t i = 0; rc == 0 && (rc = ba_pull_element(p, err)) > 0; i++)
		rc = i == r->variant ? ba_members_pull(r, p, presence_members, err)
				     : ba_pull_skip(p, err);
	return rc;
}

static int emit(void *data, ba_pull *p, ba_error *err)
{
	reader *r = data;
	size_t count = r->invocations.count;
	r->invocations.count = 0; /* the next series may have none */
	const char *asked = r->s->sink->metric, *theirs = ba_metric_of_others(r->metric.data);
	if (!ba_source_wants(r->s, r->metric.data, strcmp(r->role.data, "verdict") == 0) &&
		!(asked && strcmp(asked, theirs) == 0))
		return 0;
	if (!r->id.len)
		return ba_pull_fail(err, p, "a series without an id");
	/* the variant does not have the benchmark */
	if (!r->present && !r->failure.len && !count)
		return 0;
	const ba_record record = {
		.id = r->id.data,
		.metric = r->metric.data,
		.is_time = true,
		.whole = true,
		.level = count ? r->level : BA_LEVEL_PROCESS,
		.values = r->invocations.at,
		.count = count,
		.failure = r->failure.len ? r->failure.data : NULL,
	};
	return ba_source_record(r->s, &record, err);
}

static const ba_member series_members[] = {BA_TEXT("id", reader, id),
	BA_TEXT("metric", reader, metric), BA_TEXT("role", reader, role),
	BA_READ("variants", read_presences, .rows = presence_members),
	BA_READ("samples", read_samples, .rows = invocation_members), {0}};

static int read_all_series(void *data, ba_pull *p, ba_error *err)
{
	const reader *r = data;
	if (!r->labels.count)
		return ba_pull_fail(err, p, "'variants' must come before it");
	return ba_records_pull(data, p, series_members, emit, err);
}

/* Is the file unchanged since it was written? (json/digest.h) */
static int digest_of(
	ba_digest_state *out, char found[65], char said[65], const ba_source *s, ba_error *err)
{
	if (!s->text) {
		BA_AUTO_FD int fd = -1;
		int rc = ba_gunzip_open(&fd, s->name, err);
		return rc ? rc : ba_json_digest_fd(out, found, said, fd, s->name, err);
	}
	*out = ba_json_digest_of(found, said, s->text, s->size);
	return 0;
}

static int check_digest(const ba_source *s, ba_error *err)
{
	char found[65], said[65];
	ba_digest_state state;
	int rc = digest_of(&state, found, said, s, err);
	if (rc || state != BA_DIGEST_DIFFERS || !s->sink->damaged)
		return rc;
	BA_AUTO_FREE char *text = ba_xprintf(
		"was damaged or edited after it was written (its SHA-256 is %.12s..., but document_sha256 is %.12s...)",
		found, said);
	s->sink->damaged(s->sink->data, text);
	return 0;
}

int ba_read_results(const ba_source *s, ba_error *err)
{
	static const ba_member environment[] = {BA_SAID("target", "target", true),
		BA_SAID("device_name", "device", true), BA_SAID("device_uuid", "device UUID", true),
		BA_SAID("driver_version", "driver", true), BA_SAID("cuda_version", "CUDA", false),
		BA_SAID("flush", "flush of the L2 cache", true), BA_SAID("cpu_model", "cpu", true),
		BA_SAID("host_name", "host", false), {0}};
	static const ba_member document[] = {BA_SAID_ALL("environment", environment),
		BA_SAID("suite_sha256", "suite_sha256", true), BA_READ("variants", read_variants),
		BA_READ("series", read_all_series, .rows = series_members), {0}};
	reader r = {.s = s};
	int rc = ba_document_pull(&r, document, err);
	ba_strv_dispose(&r.labels);
	BA_DISPOSE(ba_values, &r.invocations, &r.visits, &r.first);
	return rc ? rc : check_digest(s, err);
}
