/* Checks that results belong together, and that nothing in them is counted twice. */

#include "verify/verify.h"
#include "merge/merge.h"
#include "store/journal.h"
#include "store/results.h"

/* ---- each by itself ---- */

static int refuse(const ba_merge_input *in, ba_error *err, const char *why)
{
	return ba_fail(err, BA_EDATA, "'%s' %s", in->name, why);
}

static int check_whole(const ba_merge_input *in, ba_error *err)
{
	const ba_result *r = &in->r;
	if (ba_measured_is_of_files(&r->run))
		return refuse(
			in, err, "is a comparison of files and holds no samples: nothing to merge");
	if (r->document.schema_revision != BA_RESULTS_REVISION)
		return refuse(in, err,
			"was written by another version of bench-against: measure with one version");
	if (r->document.state != BA_DOCUMENT_AGREES)
		return refuse(in, err,
			"was damaged or edited after bench-against wrote it: its digest differs");
	if (r->run.interrupted)
		return refuse(in, err, "is of a run that was interrupted: resume it with --resume");
	if (r->run.variant_count < 2)
		return refuse(in, err, "has one variant: there is no verdict to merge");
	if (r->decided.design.looks == 1 && !r->decided.looks_done && *r->decided.stopped)
		return refuse(
			in, err, "is of a run that ended before its only look: raise --budget");
	return 0;
}

static int check_samples(ba_merge_input *in, ba_error *err)
{
	BA_AUTO(ba_verification) ba_verification v = {0};
	ba_verify(&v, &in->r);
	if (!v.disagreements.count)
		return 0;
	return ba_fail(err, BA_EDATA,
		"'%s' does not say what its samples say (bench-against verify shows all): %s",
		in->name, v.disagreements.items[0]);
}

/* ---- what must be equal ---- */

static void add_variant(ba_fingerprint *t, const ba_variant *v)
{
	ba_fingerprint_text(t, v->commit, "the commit of %s", v->label);
	ba_fingerprint_text(t, v->tree_id, "the tree of %s", v->label);
	ba_fingerprint_text(t, v->diff_sha256, "the changes of %s", v->label);
	/* a built tree has logs and times, too, which differ between equal builds */
	if (!v->artefact_count)
		ba_fingerprint_text(t, v->tree_sha256, "the built tree of %s", v->label);
	BA_AUTO_FREE char *parts = ba_strv_join(&v->environment.parts, " ");
	BA_AUTO_FREE char *packages = ba_strv_join(&v->environment.distributions, ", ");
	ba_fingerprint_text(t, parts, "the environment of %s", v->label);
	if (*parts)
		ba_fingerprint_text(t, packages, "the packages of %s", v->label);
	for (size_t i = 0; i < v->artefact_count; i++)
		ba_fingerprint_text(
			t, v->artefacts[i].sha256, "%s of %s", v->artefacts[i].path, v->label);
}

static void add_machine(ba_fingerprint *t, const ba_environment *e, const ba_merge_rules *rules)
{
	ba_fingerprint_text(t, e->target, "the target");
	ba_fingerprint_text(t, e->device_name, "the GPU model");
	ba_fingerprint_text(t, e->driver_version, "the driver");
	ba_fingerprint_text(t, e->cuda_version, "CUDA");
	ba_fingerprint_text(t, e->ecc, "ECC");
	ba_fingerprint_text(t, e->mig, "MIG");
	ba_fingerprint_text(t, e->flush, "how the L2 cache is flushed");
	if (!rules->different_cpus)
		ba_fingerprint_text(t, e->cpu_model, "the processor (--different-cpus allows it)");
}

static void add_policy(ba_fingerprint *t, const ba_result *r)
{
	BA_AUTO_FREE char *expected = ba_strv_join(&r->decided.expected, ", ");
	ba_fingerprint_number(t, r->decided.alpha, "--alpha");
	ba_fingerprint_text(t, r->decided.multiplicity, "--multiplicity");
	ba_fingerprint_flag(t, r->decided.strict, "--strict");
	ba_fingerprint_flag(t, r->run.measure_identical, "--measure-identical");
	ba_fingerprint_number(t, r->run.controls, "--only-changed, --controls");
	/* it draws the controls */
	if (r->run.controls)
		ba_fingerprint_add(
			t, "--seed with --only-changed", ba_xprintf("%" PRIu64, r->run.seed));
	ba_fingerprint_flag(t, r->run.evidence.untrusted, "--untrusted");
	ba_fingerprint_flag(t, r->decided.gate_strict, "--gate=strict");
	ba_fingerprint_flag(t, r->decided.undecided_fails, "--on-inconclusive=fail");
	ba_fingerprint_flag(t, r->decided.likely_fails, "--fail-on=likely");
	ba_fingerprint_text(t, expected, "what the gate expects");
	ba_fingerprint_flag(
		t, !ba_measured_is_combined(&r->run) && r->decided.design.looks == 1, "--fixed");
}

static char *name_of(const ba_result *r, const ba_series *s)
{
	return ba_xprintf(
		"%s, %s", r->run.benchmarks[s->benchmark].id, ba_metric_get(s->metric)->name);
}

static void add_series(ba_fingerprint *t, const ba_result *r, const ba_series *s)
{
	BA_AUTO_FREE char *name = name_of(r, s);
	for (size_t c = 0; c + 1 < r->run.variant_count; c++) {
		const ba_comparison *k = &s->comparisons[c];
		BA_AUTO_FREE char *threshold = ba_xprintf(
			"the threshold of %s for %s", name, r->run.variants[c + 1].label);
		double faster = k->threshold_given_ns > 0 ? 0 : k->threshold_faster;
		ba_fingerprint_add(t, threshold,
			ba_xprintf("%.10g slower, %.10g faster, %.10g ns", k->threshold_given,
				faster, k->threshold_given_ns));
	}
	if (s->sample_count && s->samples[0].layouts > 1) {
		BA_AUTO_FREE char *layouts = ba_xprintf("--layouts of %s", name);
		ba_fingerprint_number(t, s->samples[0].layouts, layouts);
	}
}

typedef void describe_fn(ba_fingerprint *, const ba_result *, const ba_merge_rules *);

static void describe_names(ba_fingerprint *t, const ba_result *r, const ba_merge_rules *rules)
{
	for (size_t i = 0; i < r->run.variant_count; i++)
		ba_fingerprint_text(t, r->run.variants[i].label, "variant %zu", i + 1);
	BA_EACH (const ba_series, s, r->series, r->series_count) {
		BA_AUTO_FREE char *name = name_of(r, s);
		ba_fingerprint_text(
			t, s->role == BA_ROLE_VERDICT ? "with a verdict" : "reported", "%s", name);
	}
}

static void describe(ba_fingerprint *t, const ba_result *r, const ba_merge_rules *rules)
{
	ba_fingerprint_text(t, r->run.tool_version, "the tool's version");
	for (size_t i = 0; i < r->run.variant_count; i++)
		add_variant(t, &r->run.variants[i]);
	ba_fingerprint_text(t, r->run.overlay.tree_id, "the overlay");
	add_machine(t, &r->run.env, rules);
	for (size_t i = 0; i < r->run.suite_count; i++)
		ba_fingerprint_text(t, r->run.suites[i].engine, "the engine of suite '%s'",
			r->run.suites[i].name);
	add_policy(t, r);
	ba_fingerprint_text(t, r->run.suite_sha256, "the plan of benchmarks (suite_sha256)");
	for (size_t i = 0; i < r->series_count; i++)
		add_series(t, r, &r->series[i]);
}

/* ---- together ---- */

#define DIFFERENCES_SHOWN 20u

static void put_value(ba_buf *out, const char *value, const char *file)
{
	ba_buf_printf(out, "%s%.40s%s in '%s'", *value ? "'" : "", *value ? value : "nothing",
		*value ? "'" : "", file);
}

static void add_differences(ba_strv *out, const ba_fingerprint *a, const ba_fingerprint *b,
	const char *a_file, const char *b_file)
{
	for (size_t pass = 0; pass < 2; pass++) {
		const ba_strv *names = pass ? &b->names : &a->names;
		for (size_t i = 0; i < names->count; i++) {
			BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
			const char *name = names->items[i];
			const char *x = ba_fingerprint_value(a, name, i),
				   *y = ba_fingerprint_value(b, name, i);
			x = x ? x : "";
			y = y ? y : "";
			/* differences that both have were reported in the first pass */
			if (strcmp(x, y) == 0 || (pass && *x))
				continue;
			ba_buf_printf(&text, "%s: ", name);
			put_value(&text, x, a_file);
			ba_buf_puts(&text, ", ");
			put_value(&text, y, b_file);
			ba_strv_push(out, text.data);
		}
	}
}

static int check_equal(describe_fn *describes, const ba_merge_input *inputs, size_t count,
	const ba_merge_rules *rules, ba_error *err)
{
	BA_AUTO(ba_strv) ba_strv differences = {0};
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO(ba_fingerprint) ba_fingerprint first = {0};
	describes(&first, &inputs[0].r, rules);
	for (size_t i = 1; i < count; i++) {
		BA_AUTO(ba_fingerprint) ba_fingerprint other = {0};
		describes(&other, &inputs[i].r, rules);
		add_differences(&differences, &first, &other, inputs[0].name, inputs[i].name);
	}
	if (!differences.count)
		return 0;
	for (size_t i = 0; i < differences.count && i < DIFFERENCES_SHOWN; i++)
		ba_buf_printf(&text, "\n  %s", differences.items[i]);
	if (differences.count > DIFFERENCES_SHOWN)
		ba_buf_printf(&text, "\n  and %zu more", differences.count - DIFFERENCES_SHOWN);
	return ba_fail(err, BA_EDATA, "these results do not belong together:%s", text.data);
}

/* ---- all parts ---- */

static bool has_part(const ba_merge_input *inputs, size_t count, const ba_result *of, unsigned part)
{
	return BA_ANY(inputs, count, in,
		in->r.run.seed == of->run.seed && in->r.run.parts == of->run.parts &&
			in->r.run.part == part);
}

/* All parts of a run must be among the inputs, so that a failed part is not overlooked. */
static int check_parts(const ba_merge_input *inputs, size_t count, ba_error *err)
{
	for (size_t i = 0; i < count; i++) {
		const ba_result *r = &inputs[i].r;
		for (unsigned part = 1; part <= r->run.parts; part++)
			if (!has_part(inputs, count, r, part))
				return ba_fail(err, BA_EDATA,
					"'%s' is part %u of %u of seed %" PRIu64
					", and part %u is missing",
					inputs[i].name, r->run.part, r->run.parts, r->run.seed,
					part);
	}
	return 0;
}

/* ---- nothing twice ---- */

/* An invocation of a schedule, and the file that has it. */
typedef struct drawn {
	uint64_t seed;
	unsigned number;
	size_t input;
} drawn;

BA_DEFINE_ORDER(by_schedule, drawn,
	BA_ORDER(a->seed, b->seed)
		?: BA_ORDER(a->number, b->number) ?: BA_ORDER(a->input, b->input))

static size_t add_drawn(drawn *out, const ba_result *r, size_t input)
{
	size_t n = 0;
	BA_AUTO_FREE bool *seen = ba_xcalloc(BA_INVOCATIONS_MOST, sizeof(*seen));
	for (size_t i = 0; i < r->series_count; i++)
		BA_EACH (const ba_samples, s, r->series[i].samples, r->series[i].sample_count) {
			if (seen[s->invocation])
				continue;
			seen[s->invocation] = true;
			out[n++] = (drawn){ba_measured_seed(&r->run, s),
				ba_measured_drawn_as(&r->run, s), input};
		}
	return n;
}

static int check_once(const ba_merge_input *inputs, size_t count, ba_error *err)
{
	BA_AUTO_FREE drawn *all = ba_xcalloc(count * BA_INVOCATIONS_MOST + 1, sizeof(*all));
	size_t n = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(inputs[i].r.document.sha256, inputs[k].r.document.sha256) == 0)
				return ba_fail(err, BA_EDATA,
					"'%s' and '%s' are the same document: it would be counted twice",
					inputs[k].name, inputs[i].name);
	for (size_t i = 0; i < count; i++)
		n += add_drawn(all + n, &inputs[i].r, i);
	qsort(all, n, sizeof(*all), by_schedule);
	for (size_t i = 1; i < n; i++)
		if (all[i].seed == all[i - 1].seed && all[i].number == all[i - 1].number)
			return ba_fail(err, BA_EDATA,
				"'%s' and '%s' both have invocation %u of seed %" PRIu64
				": it would be counted twice; give each run a --seed of its own, or split one with --part",
				inputs[all[i - 1].input].name, inputs[all[i].input].name,
				all[i].number, all[i].seed);
	return 0;
}

int ba_merge_check(ba_merge_input *inputs, size_t count, const ba_merge_rules *rules, ba_error *err)
{
	for (size_t i = 0; i < count; i++)
		BA_TRY(check_whole(&inputs[i], err));
	BA_TRY(check_once(inputs, count, err));
	BA_TRY(check_parts(inputs, count, err));
	/* names come first: if one file lacks a benchmark or a variant, its thresholds,
	 * commits and files differ, too, and are not worth a line */
	BA_TRY(check_equal(describe_names, inputs, count, rules, err));
	BA_TRY(check_equal(describe, inputs, count, rules, err));
	for (size_t i = 0; i < count; i++)
		BA_TRY(check_samples(&inputs[i], err));
	return 0;
}
