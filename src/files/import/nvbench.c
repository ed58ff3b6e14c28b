/* NVBench --json and --jsonbin, JSON 1.0.0. The samples are in files beside it. */
#include <math.h>

#include "import/nvbench.h"

/* The members of a state that are read; others are skipped. */
typedef struct state {
	ba_strv axes; /* "name=value" */
	ba_buf id, device, reason, filename;
	ba_values times; /* ns */
	/* the number of samples that the sidecar should have; NaN: not stated */
	double size;
	double mean; /* in ns; NaN: not stated */
	bool skipped, has_samples;
} state;

static void state_dispose(state *t)
{
	ba_strv_dispose(&t->axes);
	BA_DISPOSE(ba_buf, &t->id, &t->device, &t->reason, &t->filename);
	ba_values_dispose(&t->times);
}
BA_DEFINE_AUTO(state, state_dispose)

typedef struct reader {
	const ba_source *s;
	ba_pull *p;
	ba_buf benchmark, key; /* key: of the current member, in files of 2021 */
	state state;
	size_t devices, missing;
} reader;

static void state_clear(state *t)
{
	ba_strv_dispose(&t->axes);
	ba_buf_clear(&t->device);
	ba_buf_clear(&t->reason);
	ba_buf_clear(&t->filename);
	t->times.count = 0;
	t->size = t->mean = NAN;
	t->skipped = t->has_samples = false;
}

/* ---- what one state says ------------------------------------------------- */

static int read_axes(state *t, ba_pull *p, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf name = BA_BUF_INIT, value = BA_BUF_INIT;
	if (ba_pull_peek(p) == BA_JSON_OBJECT)
		return ba_nvbench_old_axes(&t->axes, p, err);
	if (ba_pull_peek(p) != BA_JSON_ARRAY)
		return ba_pull_skip(p, err);
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0) {
		rc = ba_nvbench_pair(&name, &value, p, err);
		ba_strv_printf(&t->axes, "%s=%s", name.data, value.data);
	}
	return rc;
}

/* The data of one summary. Its tag, which may come later, gives them their meaning. */
typedef struct summary {
	ba_buf tag, filename, size, value;
} summary;

static void summary_dispose(summary *m)
{
	BA_DISPOSE(ba_buf, &m->tag, &m->filename, &m->size, &m->value);
}
BA_DEFINE_AUTO(summary, summary_dispose)

static int read_data(summary *m, ba_pull *p, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf name = BA_BUF_INIT, value = BA_BUF_INIT;
	if (ba_pull_peek(p) != BA_JSON_ARRAY)
		return ba_pull_skip(p, err);
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0) {
		rc = ba_nvbench_pair(&name, &value, p, err);
		ba_buf *to = strcmp(name.data, "filename") == 0 ? &m->filename
			     : strcmp(name.data, "size") == 0	? &m->size
			     : strcmp(name.data, "value") == 0	? &m->value
								: NULL;
		if (to) {
			ba_buf_clear(to);
			ba_buf_puts(to, value.data);
		}
	}
	return rc;
}

static int read_summary(state *t, const char *mean, ba_pull *p, ba_error *err)
{
	BA_AUTO(summary)
	summary m = {.tag = BA_BUF_INIT,
		.filename = BA_BUF_INIT,
		.size = BA_BUF_INIT,
		.value = BA_BUF_INIT};
	const char *key;
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "tag") == 0	? ba_text_pull(&m.tag, p, err)
		     : strcmp(key, "data") == 0 ? read_data(&m, p, err)
						: ba_pull_skip(p, err);
	if (rc)
		return rc;
	if (strcmp(m.tag.data, mean) == 0) {
		t->mean = ba_nvbench_or_nan(m.value.data) * 1e9;
		if (t->mean < 0)
			return ba_pull_fail(
				err, p, "%s is negative, which a measured value cannot be", mean);
	} else if (strcmp(m.tag.data, "nv/json/bin:nv/cold/sample_times") == 0 && m.filename.len) {
		ba_buf_puts(&t->filename, m.filename.data);
		t->size = ba_nvbench_or_nan(m.size.data);
		t->has_samples = true;
	}
	return 0;
}

static int read_summaries(state *t, const char *mean, ba_pull *p, ba_error *err)
{
	if (ba_pull_peek(p) == BA_JSON_OBJECT)
		return ba_nvbench_old_mean(&t->mean, mean, p, err);
	if (ba_pull_peek(p) != BA_JSON_ARRAY)
		return ba_pull_skip(p, err);
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0)
		rc = read_summary(t, mean, p, err);
	return rc;
}

static int read_skipped(state *t, ba_pull *p, ba_error *err)
{
	bool flag = false;
	if (ba_pull_peek(p) != BA_JSON_BOOL)
		return ba_pull_skip(p, err);
	int rc = ba_pull_bool(&flag, p, err);
	t->skipped = flag;
	return rc;
}

/* ---- as a record --------------------------------------------------------- */

static void put_id(reader *r)
{
	state *t = &r->state;
	ba_buf_clear(&t->id);
	ba_buf_puts(&t->id, r->benchmark.data);
	if (t->axes.count)
		ba_buf_putc(&t->id, '/');
	ba_parameters_join(&t->id, &t->axes);
	if (r->devices > 1)
		ba_buf_printf(&t->id, "%sdevice=%s", t->axes.count ? "," : "/", t->device.data);
}

static int load_samples(reader *r, ba_error *err)
{
	state *t = &r->state;
	bool found = false;
	int rc = ba_nvbench_sidecar(&t->times, &found, r->s->name, t->filename.data, t->size, err);
	if (rc)
		return ba_fail_context(err, "%s: %s", r->s->name, t->id.data);
	if (!found && r->missing++ == 0)
		ba_source_warn(r->s,
			"%s: the file with the samples of %s is missing ('%s'), so only its summaries are read; keep the folder that --jsonbin writes beside the JSON file",
			r->s->name, t->id.data, t->filename.data);
	return 0;
}

static int emit(reader *r, const char *metric, ba_error *err)
{
	state *t = &r->state;
	put_id(r);
	BA_TRY(t->has_samples && !t->skipped ? load_samples(r, err) : 0);
	const ba_record record = {
		.id = t->id.data,
		.metric = metric,
		.is_time = true,
		.whole = true,
		.level = t->times.count ? BA_LEVEL_BATCH : BA_LEVEL_SUMMARY,
		.values = t->times.count ? t->times.at : &t->mean,
		.count = t->times.count ? t->times.count : 1,
		.skipped = !t->skipped	   ? NULL
			   : t->reason.len ? t->reason.data
					   : "skipped",
		.failure = !t->skipped && isnan(t->mean) && !t->times.count ? "no samples" : NULL,
	};
	return ba_source_record(r->s, &record, err);
}

/* ---- the document -------------------------------------------------------- */

/* NVBench measures GPU time; CPU time is only a summary. */
static const char *wanted_mean(const ba_source *s, const char **metric)
{
	static const struct {
		const char *metric, *tag;
	} rows[] = {{"gpu_time", "nv/cold/time/gpu/mean"}, {"cpu_time", "nv/cold/time/cpu/mean"},
		{"batch_time", "nv/batch/time/gpu/mean"}};
	for (size_t i = 0; i < BA_COUNT(rows); i++)
		if (ba_source_wants(s, rows[i].metric, i == 0)) {
			*metric = rows[i].metric;
			return rows[i].tag;
		}
	return NULL;
}

static int read_state(reader *r, ba_error *err)
{
	const char *key, *metric = NULL, *mean = wanted_mean(r->s, &metric);
	state *t = &r->state;
	ba_pull *p = r->p;
	state_clear(t);
	int rc = ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "axis_values") == 0	     ? read_axes(t, p, err)
		     : strcmp(key, "device") == 0	     ? ba_text_pull(&t->device, p, err)
		     : strcmp(key, "is_skipped") == 0	     ? read_skipped(t, p, err)
		     : strcmp(key, "skip_reason") == 0	     ? ba_text_pull(&t->reason, p, err)
		     : strcmp(key, "summaries") == 0 && mean ? read_summaries(t, mean, p, err)
							     : ba_pull_skip(p, err);
	if (rc || !mean)
		return rc;
	/* the sidecar has only GPU times */
	t->has_samples &= strcmp(metric, "gpu_time") == 0;
	return emit(r, metric, err);
}

/* Calls `read` for each element of an array, or for each member of an object (2021),
 * whose key is then in r->key. */
static int read_each(reader *r, int (*read)(reader *r, ba_error *err), ba_error *err)
{
	const char *key;
	if (ba_pull_peek(r->p) == BA_JSON_OBJECT) {
		int rc = ba_pull_object(r->p, err);
		while (rc == 0 && (rc = ba_pull_member(&key, r->p, err)) > 0) {
			ba_buf_clear(&r->key);
			ba_buf_puts(&r->key, key);
			rc = read(r, err);
		}
		return rc;
	}
	if (ba_pull_peek(r->p) != BA_JSON_ARRAY)
		return ba_pull_skip(r->p, err);
	int rc = ba_pull_array(r->p, err);
	while (rc == 0 && (rc = ba_pull_element(r->p, err)) > 0)
		rc = read(r, err);
	return rc;
}

static int read_benchmark(reader *r, ba_error *err)
{
	const char *key;
	ba_buf_clear(&r->benchmark);
	ba_buf_puts(&r->benchmark, r->key.data);
	int rc = ba_pull_object(r->p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, r->p, err)) > 0) {
		if (strcmp(key, "name") == 0)
			rc = ba_text_pull(&r->benchmark, r->p, err);
		else if (strcmp(key, "states") != 0)
			rc = ba_pull_skip(r->p, err);
		else if (!r->benchmark.len)
			rc = ba_pull_fail(err, r->p,
				"the 'name' of a benchmark must come before its 'states'");
		else
			rc = read_each(r, read_state, err);
	}
	return rc;
}

static int read_devices(reader *r, ba_error *err)
{
	static const ba_field_row rows[] = {{"name", "device", true}, {"ecc_state", "ECC", true}};
	if (ba_pull_peek(r->p) != BA_JSON_ARRAY)
		return ba_pull_skip(r->p, err);
	int rc = ba_pull_array(r->p, err);
	while (rc == 0 && (rc = ba_pull_element(r->p, err)) > 0) {
		r->devices++;
		rc = ba_fields_pull(r->s, r->p, BA_ROWS(rows), err);
	}
	return rc;
}

static int read_benchmarks(reader *r, ba_error *err)
{
	ba_buf_clear(&r->key);
	return read_each(r, read_benchmark, err);
}

int ba_read_nvbench(const ba_source *s, ba_error *err)
{
	BA_AUTO_PTR(ba_pull) ba_pull *p = NULL;
	BA_AUTO(ba_buf) ba_buf benchmark = BA_BUF_INIT, name = BA_BUF_INIT;
	BA_AUTO(state)
	state t = {.id = BA_BUF_INIT,
		.device = BA_BUF_INIT,
		.reason = BA_BUF_INIT,
		.filename = BA_BUF_INIT};
	const char *key;
	int rc = ba_source_pull(&p, s, err);
	reader r = {.s = s, .p = p, .benchmark = benchmark, .key = name, .state = t};
	rc = rc ? rc : ba_pull_object(p, err);
	while (rc == 0 && (rc = ba_pull_member(&key, p, err)) > 0)
		rc = strcmp(key, "devices") == 0      ? read_devices(&r, err)
		     : strcmp(key, "benchmarks") == 0 ? read_benchmarks(&r, err)
						      : ba_pull_skip(p, err);
	/* NOLINTBEGIN(clang-analyzer-deadcode.DeadStores): the scope frees them */
	benchmark = r.benchmark;
	name = r.key;
	t = r.state;
	/* NOLINTEND(clang-analyzer-deadcode.DeadStores) */
	return rc ? rc : ba_pull_end(p, err);
}
