/* NVBench --json and --jsonbin, JSON 1.0.0, whose samples are in files beside it; and the files of
 * 2021, which have objects, keyed by names, in the place of lists.
 *
 * The names are those of a suite of kind `nvbench` (measure/hook): axes in their order, and 2^10
 * for a power of two. */

#include "import/source.h"

typedef struct reader {
	const ba_source *s;
	size_t devices, missing;
	/* the benchmark, its axes with powers of two, and one of its axes */
	ba_buf benchmark, axis, flags;
	ba_strv powers;
	/* the state; axes: "name=value" */
	ba_strv axes;
	ba_buf id, device, reason, filename;
	ba_values times; /* ns */
	/* the number of samples that the file beside should have; NaN: not stated */
	double size;
	double mean; /* in ns; NaN: not stated */
	bool skipped, has_samples;
	const char *mean_tag;
	/* One of its summaries. The tag, which may come later, gives the data their meaning. */
	ba_buf tag, sum_filename, sum_size, sum_value;
	ba_buf name, value; /* of a datum, or of an axis */
} reader;

/* ---- the files that --jsonbin writes beside the JSON ---------------------- */

enum { SIDECAR_MOST = 1 << 28 };

/* Relative to the JSON's folder; older versions wrote the path from the folder above,
 * or from where the program was started. *inside: it is a file of that folder. */
static char *find(bool *inside, const char *json_path, const char *filename)
{
	BA_AUTO_FREE char *dir = ba_path_dir(json_path);
	BA_AUTO_FREE char *above = ba_path_join(dir, "..");
	const char *const dirs[] = {dir, above, "."};
	for (size_t i = 0; i < BA_COUNT(dirs); i++) {
		char *path = ba_path_join(dirs[i], filename);
		if (ba_fs_exists(path) && !ba_fs_is_dir(path)) {
			*inside = ba_fs_is_file_below(path, dirs[i]);
			return path;
		}
		free(path);
	}
	return NULL;
}

/* packed float32, little-endian, seconds */
static void unpack(ba_values *out, const ba_buf *bytes)
{
	for (size_t i = 0; i + 4 <= bytes->len; i += 4) {
		const unsigned char *b = (const unsigned char *)bytes->data + i;
		uint32_t bits = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
				(uint32_t)b[3] << 24;
		float seconds;
		memcpy(&seconds, &bits, sizeof(seconds));
		ba_values_add(out, (double)seconds * 1e9);
	}
}

/* Appends the samples, in ns, of `filename` if it lies beside json_path. `size`: their number;
 * NaN: any. BA_EDATA: a name that leaves the folder, or another size. */
static int read_sidecar(ba_values *out, bool *found, const char *json_path, const char *filename,
	double size, ba_error *err)
{
	BA_AUTO_FREE char *safe = ba_text_safe(filename);
	if (!ba_path_is_inside(filename))
		return ba_fail(err, BA_EDATA,
			"the samples file '%s' is outside of the folder of the results, so it is not read",
			safe);
	bool inside = false;
	BA_AUTO_FREE char *path = find(&inside, json_path, filename);
	*found = path != NULL;
	if (!path)
		return 0;
	if (!inside)
		return ba_fail(err, BA_EDATA,
			"the samples file '%s' is not a regular file, or is a link that leaves the folder of the results, so it is not read",
			safe);
	BA_AUTO(ba_buf) ba_buf bytes = BA_BUF_INIT;
	BA_TRY(ba_fs_read(&bytes, path, SIDECAR_MOST, err));
	if (bytes.len % 4 || (!isnan(size) && (double)bytes.len != 4 * size))
		return ba_fail(err, BA_EDATA,
			"'%s' has %zu bytes, but should have %.15g samples of 4 bytes; it is truncated, or belongs to another run",
			safe, bytes.len, size);
	unpack(out, &bytes);
	return 0;
}

static const ba_member pair_members[] = {
	BA_TEXT("name", reader, name), BA_TEXT("value", reader, value), {0}};

/* a number in quotes, as NVBench writes it; "inf" is accepted */
static double number_or_nan(const char *text)
{
	double value;
	bool minus = *text == '-';
	if (strcmp(text + minus, "inf") == 0)
		return minus ? -INFINITY : INFINITY;
	return ba_parse_decimal(&value, text, strlen(text)) ? value : NAN;
}

/* A list, or an object whose keys are what elements of the list name themselves: key "". */
static int pull_either(reader *r, ba_pull *p, ba_key_read *read, ba_error *err)
{
	if (ba_pull_peek(p) == BA_JSON_OBJECT)
		return ba_keys_pull(r, p, read, err);
	if (ba_pull_peek(p) == BA_JSON_NULL)
		return ba_pull_skip(p, err);
	int rc = ba_pull_array(p, err);
	while (rc == 0 && (rc = ba_pull_element(p, err)) > 0)
		rc = read(r, "", p, err);
	return rc;
}

/* ---- axes ---------------------------------------------------------------- */

/* measure/hook/nvbench_list.c makes the same words for ids */
static void add_axis(reader *r, const char *axis)
{
	uint64_t n;
	BA_AUTO_FREE char *word = ba_xstrdup(r->value.data);
	bool power = ba_strv_has(&r->powers, axis) &&
		     ba_parse_u64(&n, word, 1, INT64_MAX, "", NULL) == 0 && !(n & (n - 1));
	if (power)
		ba_text_own(&word, ba_xprintf("2^%d", __builtin_ctzll(n)));
	for (char *c = word; *c; c++)
		if ((unsigned char)*c <= ' ' || strchr(",=/", *c))
			*c = '-';
	ba_strv_printf(&r->axes, "%s=%s", axis, word);
}

static int pull_axis(void *data, const char *key, ba_pull *p, ba_error *err)
{
	reader *r = data;
	ba_members_clear(r, pair_members);
	BA_TRY(ba_pull_peek(p) == BA_JSON_OBJECT ? ba_members_pull(r, p, pair_members, err)
						 : ba_text_pull(&r->value, p, err));
	add_axis(r, *key ? key : r->name.data);
	return 0;
}

static int pull_axes(void *data, ba_pull *p, ba_error *err)
{
	return pull_either(data, p, pull_axis, err);
}

static int note_power(void *data, ba_pull *p, ba_error *err)
{
	reader *r = data;
	if (strcmp(r->flags.data, "pow2") == 0)
		ba_strv_push(&r->powers, r->axis.data);
	return 0;
}

static const ba_member declared_members[] = {
	BA_TEXT("name", reader, axis), BA_TEXT("flags", reader, flags), {0}};

static int pull_declared(void *data, ba_pull *p, ba_error *err)
{
	if (ba_pull_peek(p) != BA_JSON_ARRAY)
		return ba_pull_skip(p, err);
	return ba_records_pull(data, p, declared_members, note_power, err);
}

/* ---- summaries ----------------------------------------------------------- */

static const ba_member datum_members[] = {BA_TEXT("filename", reader, sum_filename),
	BA_TEXT("size", reader, sum_size), BA_TEXT("value", reader, sum_value), {0}};

static int take_datum(void *data, ba_pull *p, ba_error *err)
{
	const reader *r = data;
	for (const ba_member *m = datum_members; m->key; m++)
		if (strcmp(r->name.data, m->key) == 0) {
			ba_buf *to = (ba_buf *)(void *)((char *)data + m->at);
			ba_buf_clear(to);
			ba_buf_puts(to, r->value.data);
		}
	return 0;
}

static const ba_member summary_members[] = {
	BA_TEXT("tag", reader, tag), BA_RECORDS("data", pair_members, take_datum), {0}};

static int end_summary(reader *r, ba_pull *p, ba_error *err)
{
	if (strcmp(r->tag.data, r->mean_tag) == 0) {
		r->mean = number_or_nan(r->sum_value.data) * 1e9;
		if (r->mean < 0)
			return ba_pull_fail(err, p,
				"%s is negative, which a measured value cannot be", r->mean_tag);
	} else if (strcmp(r->tag.data, "nv/json/bin:nv/cold/sample_times") == 0 &&
		   r->sum_filename.len) {
		ba_buf_puts(&r->filename, r->sum_filename.data);
		r->size = number_or_nan(r->sum_size.data);
		r->has_samples = true;
	}
	return 0;
}

/* The former names of today's tags. */
static const char *tag_of(const char *key)
{
	static const char *const rows[][2] = {{"Average GPU Time (Cold)", "nv/cold/time/gpu/mean"},
		{"Average CPU Time (Cold)", "nv/cold/time/cpu/mean"},
		{"Average GPU Time (Batch)", "nv/batch/time/gpu/mean"},
		{"Average GPU Time (Hot)", "nv/batch/time/gpu/mean"}};
	for (size_t i = 0; i < BA_COUNT(rows); i++)
		if (strcmp(key, rows[i][0]) == 0)
			return rows[i][1];
	return key;
}

static int pull_summary(void *data, const char *key, ba_pull *p, ba_error *err)
{
	static const ba_member old_members[] = {BA_OBJECT("value", pair_members), {0}};
	reader *r = data;
	ba_members_clear(r, summary_members);
	ba_members_clear(r, datum_members);
	if (*key && strcmp(tag_of(key), r->mean_tag) != 0)
		return ba_pull_skip(p, err);
	BA_TRY(ba_members_pull(r, p, *key ? old_members : summary_members, err));
	if (*key) {
		ba_buf_puts(&r->tag, r->mean_tag);
		ba_buf_puts(&r->sum_value, r->value.data);
	}
	return end_summary(r, p, err);
}

static int pull_summaries(void *data, ba_pull *p, ba_error *err)
{
	if (!((reader *)data)->mean_tag)
		return ba_pull_skip(p, err);
	return pull_either(data, p, pull_summary, err);
}

/* ---- as a record --------------------------------------------------------- */

static void put_id(reader *r)
{
	ba_buf_clear(&r->id);
	BA_AUTO_FREE char *axes = ba_strv_join(&r->axes, ",");
	ba_buf_printf(&r->id, "%s%s%s", r->benchmark.data, r->axes.count ? "/" : "", axes);
	if (r->devices > 1)
		ba_buf_printf(&r->id, "%sdevice=%s", r->axes.count ? "," : "/", r->device.data);
}

static int load_samples(reader *r, ba_error *err)
{
	bool found = false;
	int rc = read_sidecar(&r->times, &found, r->s->name, r->filename.data, r->size, err);
	if (rc)
		return ba_fail_context(err, "%s: %s", r->s->name, r->id.data);
	if (!found && r->missing++ == 0)
		ba_source_warn(r->s,
			"%s: the file with the samples of %s is missing ('%s'), so only its summaries are read; keep the folder that --jsonbin writes beside the JSON file",
			r->s->name, r->id.data, r->filename.data);
	return 0;
}

static int emit(reader *r, const char *metric, ba_error *err)
{
	put_id(r);
	BA_TRY(r->has_samples && !r->skipped ? load_samples(r, err) : 0);
	const ba_record record = {
		.id = r->id.data,
		.metric = metric,
		.is_time = true,
		.whole = true,
		.level = r->times.count ? BA_LEVEL_BATCH : BA_LEVEL_SUMMARY,
		.values = r->times.count ? r->times.at : &r->mean,
		.count = r->times.count ? r->times.count : 1,
		.skipped = !r->skipped	   ? NULL
			   : r->reason.len ? r->reason.data
					   : "skipped",
		.failure = !r->skipped && isnan(r->mean) && !r->times.count ? "no samples" : NULL,
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

static int read_skipped(void *data, ba_pull *p, ba_error *err)
{
	if (ba_pull_peek(p) != BA_JSON_BOOL)
		return ba_pull_skip(p, err);
	return ba_pull_bool(&((reader *)data)->skipped, p, err);
}

static const ba_member state_members[] = {BA_READ("axis_values", pull_axes, .rows = pair_members),
	BA_TEXT("device", reader, device), BA_READ("is_skipped", read_skipped),
	BA_TEXT("skip_reason", reader, reason),
	BA_READ("summaries", pull_summaries, .rows = summary_members), {0}};

static int read_state(void *data, const char *key, ba_pull *p, ba_error *err)
{
	reader *r = data;
	const char *metric = NULL;
	r->mean_tag = wanted_mean(r->s, &metric);
	ba_members_clear(r, state_members);
	ba_buf_clear(&r->filename);
	ba_strv_dispose(&r->axes);
	r->times.count = 0;
	r->size = r->mean = NAN;
	r->skipped = r->has_samples = false;
	BA_TRY(ba_members_pull(r, p, state_members, err));
	if (!metric)
		return 0;
	/* the file beside has only GPU times */
	r->has_samples &= strcmp(metric, "gpu_time") == 0;
	return emit(r, metric, err);
}

static int read_states(void *data, ba_pull *p, ba_error *err)
{
	if (!((reader *)data)->benchmark.len)
		return ba_pull_fail(
			err, p, "the 'name' of a benchmark must come before its 'states'");
	return pull_either(data, p, read_state, err);
}

static const ba_member benchmark_members[] = {BA_TEXT("name", reader, benchmark),
	BA_READ("axes", pull_declared, .rows = declared_members),
	BA_READ("states", read_states, .rows = state_members), {0}};

static int read_benchmark(void *data, const char *key, ba_pull *p, ba_error *err)
{
	reader *r = data;
	ba_members_clear(r, benchmark_members);
	ba_strv_dispose(&r->powers);
	ba_buf_puts(&r->benchmark, key);
	return ba_members_pull(r, p, benchmark_members, err);
}

static int read_benchmarks(void *data, ba_pull *p, ba_error *err)
{
	return pull_either(data, p, read_benchmark, err);
}

static int read_device(void *data, ba_pull *p, ba_error *err)
{
	static const ba_member rows[] = {
		BA_SAID("name", "device", true), BA_SAID("ecc_state", "ECC", true), {0}};
	reader *r = data;
	r->devices++;
	return ba_pull_peek(p) == BA_JSON_OBJECT ? ba_members_pull(r, p, rows, err)
						 : ba_pull_skip(p, err);
}

int ba_read_nvbench(const ba_source *s, ba_error *err)
{
	static const ba_member document[] = {BA_ELEMENTS("devices", read_device),
		BA_READ("benchmarks", read_benchmarks, .rows = benchmark_members), {0}};
	reader r = {.s = s, .id = BA_BUF_INIT, .filename = BA_BUF_INIT};
	int rc = ba_document_pull(&r, document, err);
	ba_members_dispose(&r, datum_members);
	BA_DISPOSE(ba_buf, &r.id, &r.filename);
	BA_DISPOSE(ba_strv, &r.axes, &r.powers);
	ba_values_dispose(&r.times);
	return rc;
}
