/* Reads line by line, and leaves out lines that are incomplete or changed. */

#include "base/lines.h"
#include "store/journal_parts.h"
#include "store/parts.h"

enum { DEPTH_MAX = 8 };
#define LINE_MOST ((size_t)256 << 20)

BA_OWNS(ba_journal_content, c, BA_FREE(c->tool_version, c->started, c->directory),
	ba_strv_dispose(&c->argv), ba_fingerprint_dispose(&c->fingerprint),
	ba_environment_dispose(&c->env), ba_resumed_dispose(&c->resumed))

/* ---- the state of benchmarks after an invocation -------------------------- */

static const ba_json_field metric_fields[] = {
	BA_FIELD_EACH(ba_metric_state, F64, slower, faster),
	BA_FIELD_EACH(ba_metric_state, UNSIGNED, batch, readings, blocks, blocks_most, discard),
};

static void write_metrics(ba_json_writer *w, const void *base)
{
	const ba_benchmark_state *b = base;
	ba_json_open_object(w, "metrics");
	for (int m = 0; m < BA_METRIC_COUNT; m++)
		if (b->has_metric & UINT64_C(1) << m)
			ba_fields_write_object(w, ba_metric_get((ba_metric)m)->name,
				BA_FIELDS(metric_fields), &b->metrics[m]);
	ba_json_close(w);
}

static int read_metrics(void *base, ba_json_value object, ba_error *err)
{
	ba_benchmark_state *b = base;
	ba_json_value metrics, one;
	BA_TRY(ba_json_get_object(&metrics, object, "metrics", err));
	BA_JSON_EACH (v, metrics) {
		int m = ba_metric_from_name(ba_json_key(v));
		if (m < 0)
			return ba_json_fail(err, v, "is not a metric that this version knows");
		BA_TRY(ba_json_as_object(&one, v, err));
		BA_TRY(ba_fields_read(&b->metrics[m], BA_FIELDS(metric_fields), one, err));
		const ba_metric_state *s = &b->metrics[m];
		if (!(s->slower >= 0 && s->faster >= 0 && isfinite(s->slower) &&
			    isfinite(s->faster)))
			return ba_json_fail(err, v, "has no thresholds");
		b->has_metric |= UINT64_C(1) << m;
	}
	return 0;
}

static const ba_json_field variant_fields[] = {
	BA_FIELD(ba_variant_state, wanted, BOOL),
	BA_FIELD_EACH(ba_variant_state, MAYBE, failure, output, skipped),
};

static const ba_json_field benchmark_rows[] = {
	BA_FIELD_AS("benchmark", ba_benchmark_state, id, TEXT),
	BA_FIELD_EACH(ba_benchmark_state, BOOL, active, sized),
	BA_FIELD(ba_benchmark_state, sets, UNSIGNED),
	BA_FIELD_EACH(ba_benchmark_state, F64, flop, bytes_read, bytes_written, items),
	BA_FIELD_LIST("variants", ba_benchmark_state, variants, variant_count,
		BA_FIELDS(variant_fields), .required = true),
};
static const ba_json_fields benchmark_fields =
	BA_FIELDS_INIT(benchmark_rows, .write = write_metrics, .read = read_metrics);

static const ba_json_field checkpoint_rows[] = {
	BA_FIELD(ba_checkpoint, elapsed_ns, I64, .required = true),
	BA_FIELD(ba_checkpoint, samples, U64, .required = true),
	BA_FIELD_LIST(
		"suites", ba_checkpoint, suites, suite_count, &ba_engine_fields, .required = true),
	BA_FIELD_EACH(ba_checkpoint, LIST, notes, opened),
	/* trusted runs have none */
	BA_FIELD_OBJECT("evidence", ba_checkpoint, evidence, &ba_evidence_fields,
		BA_IF(ba_checkpoint, evidence.untrusted)),
	BA_FIELD_LIST("benchmarks", ba_checkpoint, benchmarks, benchmark_count, &benchmark_fields,
		.required = true),
};
const ba_json_fields ba_checkpoint_fields = BA_FIELDS_INIT(checkpoint_rows);

/* Fills a zeroed checkpoint, which the caller disposes of, also after an error. */
static int read_checkpoint(
	ba_checkpoint *out, ba_json_value object, size_t variant_count, ba_error *err)
{
	BA_TRY(ba_fields_read(out, &ba_checkpoint_fields, object, err));
	if (out->elapsed_ns < 0 || out->samples > UINT32_MAX)
		return ba_json_fail(err, object, "has impossible times or counts of samples");
	ba_json_value v = ba_json_first(ba_json_find(object, "benchmarks"));
	for (size_t i = 0; i < out->benchmark_count; i++, v = ba_json_next(v))
		if (out->benchmarks[i].variant_count != variant_count)
			return ba_json_fail(err, ba_json_find(v, "variants"),
				"has %zu entries where %zu are expected",
				out->benchmarks[i].variant_count, variant_count);
	return 0;
}

/* ---- records ------------------------------------------------------------- */

static int read_fingerprint(ba_fingerprint *out, ba_json_value header, ba_error *err)
{
	ba_json_value terms;
	BA_TRY(ba_json_get_object(&terms, header, "terms", err));
	BA_JSON_EACH (v, terms) {
		const char *text;
		BA_TRY(ba_json_as_string(&text, v, err));
		ba_fingerprint_add(out, ba_json_key(v), ba_xstrdup(text));
	}
	return 0;
}

static int read_header(ba_journal_content *c, ba_json_value root, ba_error *err)
{
	static const ba_json_field fields[] = {
		BA_FIELD(ba_journal_content, tool_version, TEXT),
		BA_FIELD(ba_journal_content, started, TEXT),
		BA_FIELD(ba_journal_content, directory, TEXT),
		BA_FIELD(ba_journal_content, seed, U64),
		BA_FIELD(ba_journal_content, argv, LIST),
		BA_FIELD_OBJECT("environment", ba_journal_content, env, &ba_environment_fields,
			.required = true),
	};
	const char *schema;
	uint64_t variants;
	if (c->variant_count)
		return ba_json_fail(err, root, "is a second header");
	BA_TRY(ba_json_get_string(&schema, root, "schema", err));
	if (strcmp(schema, BA_JOURNAL_SCHEMA) != 0)
		return ba_json_fail(err, ba_json_find(root, "schema"),
			"is not '" BA_JOURNAL_SCHEMA "', which this version can resume");
	BA_TRY(ba_fields_read(c, BA_FIELDS(fields), root, err));
	BA_TRY(read_fingerprint(&c->fingerprint, root, err));
	BA_TRY(ba_json_get_u64(&variants, root, "variants", 1, BA_VARIANTS_MOST, err));
	if (c->argv.count == 0)
		return ba_json_fail(err, root, "does not say how the run was started");
	c->variant_count = (size_t)variants;
	return 0;
}

static int read_samples(ba_journal_content *c, ba_json_value root, ba_error *err)
{
	ba_resumed *p = &c->resumed;
	static const ba_json_field fields[] = {
		BA_FIELD(ba_resumed_samples, benchmark, TEXT, .required = true),
		BA_FIELD_WORD(
			"metric", ba_resumed_samples, metric, ba_metric_words, .required = true),
	};
	ba_resumed_samples *s = BA_PUSH(p->samples, p->sample_count, p->sample_capacity);
	*s = (ba_resumed_samples){0};
	BA_TRY(ba_fields_read(s, BA_FIELDS(fields), root, err));
	BA_TRY(ba_samples_read(&s->samples, s->metric, root, c->variant_count, err));
	if (s->samples.origin && s->samples.origin >= p->origin_count)
		return ba_json_fail(err, root, "is of origin %u, and there are %zu",
			s->samples.origin, p->origin_count);
	if (s->samples.invocation != p->first + p->count)
		return ba_json_fail(err, root, "is of invocation %u where %zu is being measured",
			s->samples.invocation, p->first + p->count);
	return 0;
}

static size_t samples_of_invocation(const ba_resumed *p, size_t invocation)
{
	size_t n = 0;
	while (n < p->sample_count &&
		p->samples[p->sample_count - 1 - n].samples.invocation == invocation)
		n++;
	return n;
}

static int read_origin(ba_journal_content *c, ba_json_value root, ba_error *err)
{
	ba_resumed *p = &c->resumed;
	ba_json_value object;
	BA_TRY(ba_json_get_object(&object, root, "origin", err));
	if (samples_of_invocation(p, p->first + p->count))
		return ba_json_fail(err, root, "comes within an invocation");
	if (p->origin_count >= BA_ORIGINS_MOST)
		return ba_json_fail(
			err, root, "is beyond the %d origins of a run", BA_ORIGINS_MOST);
	ba_origin *origin = BA_APPEND(p->origins, p->origin_count);
	*origin = (ba_origin){0};
	return ba_fields_read(origin, &ba_origin_fields, object, err);
}

static int read_invocation(ba_journal_content *c, ba_json_value root, ba_error *err)
{
	ba_resumed *p = &c->resumed;
	uint64_t number, next = p->first + p->count;
	p->checkpoints = BA_GROW(p->checkpoints, &p->capacity, p->count + 1);
	ba_checkpoint *k = &p->checkpoints[p->count];
	*k = (ba_checkpoint){0};
	int rc = ba_json_get_u64(&number, root, "invocation", next, next, err);
	rc = rc ? rc : read_checkpoint(k, root, c->variant_count, err);
	size_t has = samples_of_invocation(p, next);
	p->count++; /* Count it even after an error, so that it is disposed of with the others. */
	if (rc == 0 && has != k->samples)
		rc = ba_json_fail(err, root,
			"ends an invocation of %zu lines of samples, of which %zu are present",
			k->samples, has);
	return rc;
}

/* *whole: an interrupted run can resume from here */
static int read_record(ba_journal_content *c, bool *whole, ba_json_value root, ba_error *err)
{
	const char *type;
	BA_TRY(ba_json_get_string(&type, root, "t", err));
	*whole = strcmp(type, "samples") != 0;
	if (strcmp(type, "header") == 0)
		return read_header(c, root, err);
	if (!c->variant_count)
		return ba_json_fail(err, root, "comes before a header");
	if (!*whole)
		return read_samples(c, root, err);
	if (strcmp(type, "origin") == 0)
		return read_origin(c, root, err);
	if (strcmp(type, "invocation") == 0)
		return read_invocation(c, root, err);
	if (strcmp(type, "restart") != 0)
		return ba_json_fail(err, ba_json_find(root, "t"), "is not a record of a journal");
	size_t first = c->resumed.first;
	ba_resumed_dispose(&c->resumed);
	c->resumed.first = first;
	return 0;
}

/* ---- sums ---------------------------------------------------------------- */

#define SUM_BEFORE ",\"sum\":\""
#define SUM_BEHIND "\"}"

void ba_journal_sum(
	char out[BA_JOURNAL_SUM + 1], const char *previous, const char *line, size_t size)
{
	ba_sha256 s;
	char hex[65];
	ba_sha256_init(&s);
	ba_sha256_add_string(&s, previous);
	ba_sha256_add(&s, line, size);
	ba_sha256_hex(&s, hex);
	memcpy(out, hex, BA_JOURNAL_SUM);
	out[BA_JOURNAL_SUM] = '\0';
}

/* Is the line unchanged, and after the one with the sum `previous`? Sets its own `sum`. */
static bool check_sum(
	char sum[BA_JOURNAL_SUM + 1], const char *previous, const char *line, size_t n)
{
	const size_t before = sizeof(SUM_BEFORE) - 1, behind = sizeof(SUM_BEHIND) - 1;
	if (n < before + BA_JOURNAL_SUM + behind)
		return false;
	size_t body = n - before - BA_JOURNAL_SUM - behind;
	ba_journal_sum(sum, previous, line, body);
	return memcmp(line + body, SUM_BEFORE, before) == 0 &&
	       memcmp(line + body + before, sum, BA_JOURNAL_SUM) == 0 &&
	       memcmp(line + n - behind, SUM_BEHIND, behind) == 0;
}

/* ---- lines --------------------------------------------------------------- */

static int read_line(ba_journal_content *c, bool *whole, const ba_lines *l, const char *text,
	size_t length, ba_error *err)
{
	BA_AUTO_FREE char *name = ba_xprintf("%s: line %zu", l->name, l->number);
	BA_AUTO_PTR(ba_json) ba_json *doc = NULL;
	ba_json_options options = {
		.name = name, .unique_keys = true, .ceiling = LINE_MOST, .depth = DEPTH_MAX};
	ba_json_value root;
	BA_TRY(ba_json_parse(&doc, text, length, &options, err));
	BA_TRY(ba_json_as_object(&root, ba_json_root(doc), err));
	return read_record(c, whole, root, err);
}

/* The first line has no valid sum: says so if the file is of another kind or version. */
static int refuse_first(const ba_lines *l, const char *line, size_t length, ba_error *err)
{
	BA_AUTO(ba_journal_content) ba_journal_content nothing = {0};
	bool ignored;
	int rc = read_line(&nothing, &ignored, l, line, length, err);
	return rc ? rc
		  : ba_fail(err, BA_EDATA, "%s: line 1, the header, is damaged: its sum differs",
			    l->name);
}

static int read_lines(ba_journal_content *c, ba_journal_place *whole, ba_lines *l, ba_error *err)
{
	ba_journal_place place = {0};
	for (;;) {
		const char *line;
		char sum[BA_JOURNAL_SUM + 1];
		size_t length;
		bool holds = false;
		int rc = ba_lines_next(&line, &length, l, err);
		if (rc <= 0 || !l->whole)
			return rc < 0 ? rc : 0;
		if (line[length] == '\r' || !check_sum(sum, place.sum, line, length)) {
			c->damaged_line = l->number;
			return l->number > 1 ? 0 : refuse_first(l, line, length, err);
		}
		BA_TRY(read_line(c, &holds, l, line, length, err));
		place.at = (off_t)l->offset;
		memcpy(place.sum, sum, sizeof(sum));
		if (holds)
			*whole = place;
	}
}

int ba_journal_read(ba_journal_content *out, ba_journal_place *whole, int fd, const char *path,
	size_t first, ba_error *err)
{
	BA_AUTO(ba_lines) ba_lines l = {0};
	BA_AUTO(ba_journal_content) ba_journal_content content = {.resumed.first = first};
	ba_journal_place end = {0};
	ba_lines_file(&l, path, fd, LINE_MOST);
	BA_TRY(read_lines(&content, &end, &l, err));
	if (!content.variant_count)
		return ba_fail(err, BA_EDATA,
			"%s: no header: the run ended before it measured anything", path);
	ba_resumed_drop_incomplete(&content.resumed);
	*out = BA_MOVE(content);
	*whole = end;
	return 0;
}

int ba_journal_read_invocation(
	ba_journal_content *out, const char *path, size_t number, ba_error *err)
{
	BA_AUTO(ba_journal_content) ba_journal_content content = {0};
	ba_journal_place whole;
	BA_AUTO_FD int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return ba_fail_errno(err, ba_fs_code(errno), "journal '%s'", path);
	BA_TRY(ba_journal_read(&content, &whole, fd, path, number, err));
	if (content.damaged_line || content.resumed.count != 1)
		return ba_fail(
			err, BA_EDATA, "%s: does not have invocation %zu as a whole", path, number);
	*out = BA_MOVE(content);
	return 0;
}
