/* `bench-against decide`: verdicts on samples that were taken before, in a results document or in
 * a trace (CSV). `replay` is its other name. */

#include "ba_build.h"
#include "cli/cmd.h"
#include "verify/verify.h"
#include "json/writer.h"
#include "report/escape.h"
#include "stats/replay.h"
#include "store/results.h"
#include "store/trace_csv.h"
#include "suite/runs.h"

enum { FORMAT_CSV, FORMAT_JSON };
enum { GATE_REGRESSED, GATE_STRICT };

static const char *const format_words[] = {"csv", "json", NULL};
static const char *const gate_words[] = {"regressed", "strict", NULL};
static const char *const multiplicity_words[] = {"bh", "holm", "by", "none", NULL};

static struct {
	const char *output;
	bool strict, any_blocks;
	int format, gate, multiplicity;
	int fixed, family, rule;
	double threshold, improvement, alpha;
	const char *baseline;
} here = {.threshold = 0.02, .alpha = 0.05, .rule = BA_RULE_NOW};
static const ba_opt rows[] = {
	OPT_GROUP("Decision on a trace (a document has a rule of its own)"),
	OPT_RATIO('t', "threshold", &here.threshold, NULL),
	OPT_RATIO(0, "threshold-improvement", &here.improvement, NULL),
	OPT_RATIO(0, "alpha", &here.alpha, NULL),
	OPT_FLAG(0, "strict", &here.strict, NULL),
	OPT_CHOICE(0, "multiplicity", &here.multiplicity, multiplicity_words, NULL),
	OPT_INT_IN('m', "m", &here.family, 1, INT32_MAX, NULL),
	OPT_INT_IN(0, "fixed", &here.fixed, 2, 1000000, NULL),
	OPT_INT_IN(0, "rule", &here.rule, 1, BA_RULE_NOW, NULL),
	OPT_CHOICE(0, "gate", &here.gate, gate_words, NULL),
	OPT_STRING(0, "baseline", &here.baseline, NULL),
	OPT_FLAG(0, "unequal-blocks", &here.any_blocks, NULL),
	OPT_CHOICE(0, "format", &here.format, format_words, NULL),
	OPT_GROUP("Output"),
	OPT_STRING('o', "output", &here.output, NULL),
	OPT_END,
};
const ba_own_options ba_decide_options = {"decide", rows, &here, sizeof(here), NULL};

/* ---- a document ---------------------------------------------------------- */

/* Marks verdicts and document as made by this version. */
static void sign(ba_result *r)
{
	ba_text_replace(&r->run.tool_version, BA_VERSION);
	r->document.schema_revision = BA_RESULTS_REVISION;
	r->decided.rule = BA_RULE_NOW;
	r->decided.decided_apart = true;
	ba_plan_sha256(r->run.suite_sha256, r->run.benchmarks, r->run.benchmark_count,
		ba_job_sample_rules(r));
}

/* Rules that the document does not state are as in a run without options. */
static void complete_rule(ba_result *r)
{
	if (r->decided.alpha == 0)
		r->decided.alpha = ((ba_policy)BA_POLICY_DEFAULT).alpha;
	if (!*r->decided.multiplicity)
		ba_text_replace(&r->decided.multiplicity, "bh");
	if (!r->decided.design.looks)
		r->decided.design = ba_result_decides_by_counts(r) ? ba_design_counts()
								   : ba_design_sequential();
}

/* the exit status of the answer, or an error */
static int decide_document(const char *path, ba_error *err)
{
	BA_AUTO(ba_result) ba_result r = {0};
	const char *file = strcmp(path, "-") == 0 ? "/dev/stdin" : path;
	BA_TRY(ba_results_read(&r, file, err));
	sign(&r);
	complete_rule(&r);
	int rc = ba_decide_again(&r, err);
	if (rc)
		return ba_fail_context(err, "%s", path);
	rc = here.output ? ba_results_write(here.output, &r, err) : ba_results_put(stdout, &r, err);
	return rc ? rc : r.decided.exit_status;
}

/* ---- a trace: reading ---------------------------------------------------- */

static int check_ratio(const char *option, double value, ba_error *err)
{
	if (!(value > 0))
		return ba_fail(err, BA_EINVAL,
			"--%s: 0 would call every difference a change; choose a threshold above the noise",
			option);
	if (value >= 1)
		return ba_fail(err, BA_EINVAL,
			"--%s: %g is %g %%; write 1%% or 0.01 for one per cent", option, value,
			100 * value);
	return 0;
}

static int check_opts(const ba_opt *given, ba_error *err)
{
	if (!ba_opt_seen(given, "threshold-improvement"))
		here.improvement = here.threshold;
	BA_TRY(check_ratio("threshold", here.threshold, err));
	BA_TRY(check_ratio("threshold-improvement", here.improvement, err));
	if (!(here.alpha > 0 && here.alpha <= 0.5))
		return ba_fail(err, BA_EINVAL,
			"--alpha: %g is not an error rate; it lies above 0 and at most at 50%%",
			here.alpha);
	return 0;
}

static int take_row(void *data, const ba_trace_row *row, ba_error *err)
{
	return ba_replay_row(data, row, err);
}

/* Reads the whole file. *unordered: another try, with all rows in memory, may succeed. */
static int read_trace(ba_replay **out, bool *unordered, int fd, const char *name,
	const ba_replay_options *options, ba_error *err)
{
	BA_AUTO_PTR(ba_replay) ba_replay *replay = ba_replay_new(options);
	int rc = ba_trace_csv_read(NULL, fd, name, take_row, replay, err);
	*unordered = ba_replay_is_unordered(replay);
	if (rc < 0)
		return rc;
	rc = ba_replay_end(replay, err);
	if (rc < 0)
		return ba_fail_context(err, "%s", name);
	*out = BA_TAKE(replay);
	return 0;
}

static int open_trace(ba_replay **out, const char *path, ba_error *err)
{
	bool unordered, is_stdin = strcmp(path, "-") == 0;
	BA_AUTO_FREE char *name = ba_text_safe(is_stdin ? "standard input" : path);
	BA_AUTO_FD int fd = is_stdin ? dup(STDIN_FILENO) : -1;
	int rc = is_stdin ? 0 : ba_gunzip_open(&fd, path, err);
	ba_replay_options options = {.baseline = here.baseline, .any_blocks = here.any_blocks};
	if (rc || fd < 0)
		return rc ? rc : ba_fail_errno(err, BA_EIO, "standard input");
	rc = read_trace(out, &unordered, fd, name, &options, err);
	/* unordered rows must all be in memory; a pipe cannot be read again */
	if (rc < 0 && unordered && lseek(fd, 0, SEEK_SET) == 0) {
		options.any_order = true;
		return read_trace(out, &unordered, fd, name, &options, err);
	}
	if (rc < 0 && unordered)
		return ba_fail_context(err,
			"rows of an invocation must be adjacent in a pipe (a file may have any order)");
	return rc;
}

/* ---- a trace: output ----------------------------------------------------- */

static void put_csv(ba_buf *out, const ba_replay_result *r, bool with_candidate)
{
	const ba_decision *d = r->decision;
	ba_csv_text(out, r->benchmark);
	ba_buf_printf(out, ",%s,%.17g,%zu,%.17g,%.17g,%.17g", ba_verdict_name(d->verdict),
		ba_decision_ratio(d), d->invocations, d->p_reg, d->p_imp, d->p_eq);
	if (with_candidate) {
		ba_buf_putc(out, ',');
		ba_csv_text(out, r->candidate);
	}
	ba_buf_putc(out, '\n');
}

static void print_csv(const ba_replay *replay)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	bool several = ba_replay_variants(replay)->count > 2;
	ba_buf_printf(&out,
		"benchmark,verdict,ratio,invocations,p_regressed,p_improved,p_unchanged%s\n",
		several ? ",candidate" : "");
	for (size_t i = 0; i < ba_replay_count(replay); i++) {
		ba_replay_result r = ba_replay_at(replay, i);
		put_csv(&out, &r, several);
		ba_context_put(&out);
	}
	ba_context_put(&out);
}

/* Before the first look there is no interval; later, an end may be infinite. */
static void put_json(ba_json_writer *w, const ba_replay_result *r)
{
	const ba_decision *d = r->decision;
	ba_json_put(w, "{benchmark: %s, candidate: %s, verdict: %s, ratio: %g, invocations: %zu",
		r->benchmark, r->candidate, ba_verdict_name(d->verdict), ba_decision_ratio(d),
		d->invocations);
	ba_json_put(w, "p_regressed: %g, p_improved: %g, p_unchanged: %g, interval: [%g, %g]",
		d->p_reg, d->p_imp, d->p_eq, d->looks ? exp(d->lo) : NAN,
		d->looks ? exp(d->hi) : NAN);
	if (d->mean.known)
		ba_json_put(w, "mean_ratio: %g, p_mean_regressed: %g, p_mean_improved: %g",
			exp(d->mean.zbar), d->mean.p_reg, d->mean.p_imp);
	ba_json_put(w, "unstable: %d, recorded: %zu}", ba_decision_is_unstable(d), r->recorded);
}

static int print_json(const ba_replay *replay, ba_error *err)
{
	const ba_trace_variants *variants = ba_replay_variants(replay);
	ba_json_writer w;
	ba_json_writer_to_file(&w, stdout, 2);
	ba_json_put(&w, "{schema: 'bench-against.replay/1', threshold: %g", here.threshold);
	ba_json_put(&w, "threshold_improvement: %g, alpha: %g, multiplicity: %s, strict: %d",
		here.improvement, here.alpha, multiplicity_words[here.multiplicity], here.strict);
	ba_json_put(&w, "family: %zu, baseline: %s, benchmarks: [", ba_replay_family(replay),
		variants->count > 0 ? variants->names[variants->baseline] : NULL);
	for (size_t i = 0; i < ba_replay_count(replay); i++) {
		ba_replay_result r = ba_replay_at(replay, i);
		put_json(&w, &r);
	}
	ba_json_put(&w, "]}");
	int rc = ba_json_writer_finish(&w, err);
	putchar('\n');
	return rc;
}

/* Prints warnings that the table cannot contain; one line for each kind. */
static void warn(const ba_replay *replay)
{
	size_t first_look = here.fixed ? (size_t)here.fixed : 4,
	       last = here.fixed ? first_look : 32;
	size_t short_of = 0, beyond = 0, gaps;
	const char *name = NULL, *gap_name;
	for (size_t i = 0; i < ba_replay_count(replay); i++) {
		ba_replay_result r = ba_replay_at(replay, i);
		if (r.recorded < first_look && short_of++ == 0)
			name = r.benchmark;
		beyond += r.recorded > last;
	}
	if (short_of)
		fprintf(stderr,
			"bench-against: replay: %zu of %zu comparisons have fewer than the %zu invocations of the first look, so no verdict is possible; the first is '%s'\n",
			short_of, ba_replay_count(replay), first_look, name);
	if (beyond)
		fprintf(stderr, "bench-against: replay: invocations beyond %zu are not used\n",
			last);
	if (ba_replay_count(replay) == 0)
		fprintf(stderr,
			"bench-against: replay: the trace has no rows; nothing was measured\n");
	gaps = ba_replay_gaps(replay, &gap_name);
	if (gaps)
		fprintf(stderr,
			"bench-against: replay: invocation numbers have gaps in %zu %s; the first is '%s'\n",
			gaps, ba_plural(gaps, "benchmark", "benchmarks"), gap_name);
}

static int status_of(const ba_replay *replay)
{
	size_t looked = 0, regressed = 0, inconclusive = 0;
	for (size_t i = 0; i < ba_replay_count(replay); i++) {
		const ba_decision *d = ba_replay_at(replay, i).decision;
		looked += d->looks > 0;
		regressed += ba_verdict_is_slower(d->verdict);
		inconclusive += d->verdict == BA_VERDICT_INCONCLUSIVE;
	}
	if (regressed > 0)
		return 1;
	if (looked == 0 || (here.gate == GATE_STRICT && inconclusive > 0))
		return 125;
	return 0;
}

static int decide_trace(const ba_opt *given, const char *path, ba_error *err)
{
	BA_AUTO_PTR(ba_replay) ba_replay *replay = NULL;
	BA_TRY(check_opts(given, err));
	const ba_replay_rule rule = {
		.policy = {.alpha = here.alpha,
			.s_floor = BA_S_FLOOR,
			.strict = here.strict,
			.multiplicity = (ba_multiplicity)here.multiplicity,
			.rule = (unsigned)here.rule},
		.theta_reg = here.threshold,
		.theta_imp = here.improvement,
		.fixed = (size_t)here.fixed,
		.family = (size_t)here.family,
	};
	BA_TRY(open_trace(&replay, path, err));
	BA_TRY(ba_replay_decide(replay, &rule, err));
	if (here.format == FORMAT_JSON)
		BA_TRY(print_json(replay, err));
	else
		print_csv(replay);
	/* a full disk must be reported as an error */
	if (fflush(stdout) != 0 || ferror(stdout))
		return ba_fail_errno(err, BA_EIO, "cannot write to standard output");
	warn(replay);
	return status_of(replay);
}

/* ---- which of them ------------------------------------------------------- */

/* A file's first letter shows its kind; if not, or it is read once, the command's name does. */
static bool is_trace(const ba_call *call)
{
	const char *path = call->operands.items[0];
	bool replay = strcmp(call->command->name, "replay") == 0;
	char begin[64] = "";
	struct stat st;
	if (strcmp(path, "-") == 0 || stat(path, &st) || !S_ISREG(st.st_mode))
		return replay;
	BA_AUTO_FD int fd = -1;
	if (ba_gunzip_open(&fd, path, NULL) || read(fd, begin, sizeof(begin) - 1) <= 0)
		return replay;
	char first = begin[strspn(begin, " \t\r\n")];
	return first == '#' || first == BA_TRACE_CSV_HEADER[0] || (replay && first != '{');
}

static int check_fit(const ba_call *call, bool trace, ba_error *err)
{
	for (const ba_opt *row = call->rows; row->kind != BA_OPT_END; row++) {
		bool of_document = row->value == &here.output;
		if (row->seen && of_document == trace)
			return ba_fail(err, BA_EINVAL, "--%s is for a %s, and '%s' is a %s",
				row->long_name, trace ? "document" : "trace",
				call->operands.items[0], trace ? "trace" : "document");
	}
	return 0;
}

int ba_cmd_decide(ba_call *call, ba_error *err)
{
	const char *path = call->operands.items[0];
	bool trace = is_trace(call);
	BA_TRY(check_fit(call, trace, err));
	return trace ? decide_trace(call->rows, path, err) : decide_document(path, err);
}
