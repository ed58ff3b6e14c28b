/* `bench-against compare`: compares result files of this tool and of others. */
#include "cli/cmd.h"
#include "gate/policy.h"
#include "gate/status.h"
#include "import/import.h"
#include "job/unused_thresholds.h"

static ba_compare_threshold threshold_of(void *data, const char *benchmark, ba_metric metric)
{
	ba_threshold t = ba_config_threshold(data, benchmark, metric);
	return (ba_compare_threshold){t.slower, t.faster, t.floor_ns};
}

static int load_thresholds(ba_config *config, const ba_options *o, ba_error *err)
{
	int rc = o->job.config ? ba_config_load(config, o->job.config, err) : 0;
	if (rc == 0 && o->job.threshold)
		rc = ba_config_set_threshold(config, o->job.threshold, err);
	return rc;
}

/* Records the digest of each file; directories have none. */
static int record_files(ba_result *r, const ba_sources *sources, ba_error *err)
{
	BA_EACH (const ba_compare_source, s, sources->items, sources->count) {
		char digest[65];
		if (ba_fs_is_dir(s->path))
			continue;
		BA_TRY(ba_sha256_file(digest, s->path, err));
		for (size_t v = 0; v < r->run.variant_count; v++)
			if (strcmp(r->run.variants[v].label, s->label) == 0)
				ba_variant_add_artefact(&r->run.variants[v], s->path, digest);
	}
	return 0;
}

/* most rows kept for each verdict, more than a screen shows */
enum { SCREEN_ROWS = 20000 };

/* Rows that need not stay in memory: CSV writes each; a screen shows only some. */
typedef struct flow {
	/* NULL: all rows stay, for formats that need the whole result */
	ba_digest *digest;
	bool csv;
	ba_format_options format;
	ba_buf text;
} flow;

static void take_rows(void *data, const ba_result *r, size_t row)
{
	flow *f = data;
	for (size_t i = 0; i < r->series_count; i++)
		ba_digest_add(f->digest, r, &r->series[i], row + i);
	if (f->csv)
		ba_csv_rows(&f->text, r, &f->format);
}

static void choose(void *data, bool *stays)
{
	const flow *f = data;
	ba_digest_choose(f->digest, stays);
}

static bool is_of(
	const ba_context *c, void (*write)(ba_buf *, const ba_result *, const ba_format_options *))
{
	return ba_formats[c->options->format].write == write;
}

/* A configuration's rules are checked against all names; thresholds on a screen may differ. */
static flow flow_of(const ba_context *c, const ba_sources *sources, const ba_config *thresholds)
{
	const ba_options *o = c->options;
	flow f = {.text = BA_BUF_INIT, .format = c->format, .csv = is_of(c, ba_csv_write)};
	bool whole = o->output || o->report || o->job.config ||
		     ba_config_threshold(thresholds, "", BA_METRIC_TIME).floor_ns > 0;
	bool screen = is_of(c, ba_term_write) && !c->format.quiet;
	f.format.file = stdout;
	if (whole || !(f.csv || is_of(c, ba_term_write)))
		return f;
	f.digest = ba_digest_new(sources->count, screen ? SCREEN_ROWS : 1);
	if (f.csv)
		ba_csv_head(&f.text, NULL);
	return f;
}

BA_OWNS_HERE(flow, f, ba_digest_free(f->digest), ba_buf_dispose(&f->text))

static void note_left_out(ba_result *r)
{
	const ba_left_out *l = &r->document.left_out;
	if (l->doubts + l->others)
		ba_strv_printf(&r->run.notes,
			"this screen is about %zu of %zu benchmarks, with the largest changes of each verdict; --format csv has all",
			r->run.benchmark_count,
			r->run.benchmark_count + l->calm + l->doubts + l->others);
}

/* Adds to the answer what --force permitted, because the answer may be shown alone. */
static void say_forced(ba_result *r)
{
	for (size_t i = 0; i < r->run.notes.count; i++) {
		if (strncmp(r->run.notes.items[i], "--force: ", 9) != 0)
			continue;
		ba_text_own(&r->decided.answer, ba_xprintf("%s Compared with %s.",
							r->decided.answer, r->run.notes.items[i]));
	}
}

static int compare(ba_result *r, const ba_options *o, const ba_sources *sources,
	ba_config *thresholds, flow *f, ba_error *err)
{
	const ba_compare_spec spec = {.sources = sources->items,
		.source_count = sources->count,
		.metric = o->metric,
		.csv_columns = o->csv_columns,
		.filters = &o->job.filters,
		.higher = &o->higher,
		.lower = &o->lower,
		.require = (ba_level)o->require,
		.allow_summaries = o->allow_summaries,
		.force = o->force,
		.alpha = o->job.alpha,
		.strict = o->job.strict,
		.multiplicity = (ba_multiplicity)o->job.multiplicity,
		.threshold = threshold_of,
		.threshold_data = thresholds,
		.take_rows = f->digest ? take_rows : NULL,
		.choose = choose,
		.take_data = f};
	const ba_unused_thresholds unused = {.config = thresholds,
		.partial = o->job.filters.count > 0,
		.gate = o->job.gate != BA_GATE_OFF,
		.complete = true};
	int rc = ba_compare(r, &spec, err);
	rc = rc ? rc : ba_unused_thresholds_check(r, &unused, err);
	return rc || !o->output ? rc : record_files(r, sources, err);
}

int ba_compare_files(ba_result *r, const ba_options *o, const ba_strv *operands, ba_error *err)
{
	BA_AUTO(ba_sources) ba_sources sources = {0};
	BA_AUTO(ba_config) ba_config thresholds;
	flow whole = {0};
	ba_config_init(&thresholds);
	ba_sources_parse(&sources, operands);
	return compare(r, o, &sources, &thresholds, &whole, err);
}

static int work(ba_context *c, const ba_strv *operands, ba_result *r, ba_error *err)
{
	const ba_options *o = c->options;
	BA_AUTO(ba_sources) ba_sources sources = {0};
	BA_AUTO(ba_config) ba_config thresholds;
	int64_t start = ba_now_ns();
	ba_config_init(&thresholds);
	BA_TRY(ba_outputs_check(o, err));
	if (o->csv_columns)
		BA_TRY(ba_import_check_columns(o->csv_columns, err));
	BA_TRY(load_thresholds(&thresholds, o, err));
	ba_sources_parse(&sources, operands);
	BA_AUTO(flow) flow f = flow_of(c, &sources, &thresholds);
	BA_TRY(compare(r, o, &sources, &thresholds, &f, err));
	const ba_gate_policy policy = {.strict = o->job.gate == BA_GATE_STRICT,
		.undecided_fails = o->job.on_inconclusive == 1,
		.likely_fails = o->job.fail_on == 1,
		.digest = f.digest};
	ba_gate_set_status(r, &policy);
	note_left_out(r);
	say_forced(r);
	r->run.wall_seconds = (double)(ba_now_ns() - start) / 1e9;
	if (!f.digest || !f.csv)
		return ba_outputs_answer(r, c, err);
	ba_context_put(&f.text);
	return fflush(stdout) ? ba_fail_errno(err, BA_EIO, "standard output") : 0;
}

int ba_cmd_compare(ba_call *call, ba_error *err)
{
	return ba_cmd_work(call, work, err);
}
