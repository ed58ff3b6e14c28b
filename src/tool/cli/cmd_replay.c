#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/base.h"
#include "base/gunzip.h"
#include "base/number.h"
#include "cli/cmd.h"
#include "cli/context.h"
#include "cli/help.h"
#include "cli/opt.h"
#include "json/writer.h"
#include "report/text/csv.h"
#include "stats/replay.h"
#include "store/trace_csv.h"

enum { FORMAT_CSV, FORMAT_JSON };
enum { GATE_REGRESSED, GATE_STRICT };

static const char *const format_words[] = {"csv", "json", NULL};
static const char *const gate_words[] = {"regressed", "strict", NULL};
static const char *const multiplicity_words[] = {"bh", "holm", "by", "none", NULL};

typedef struct replay_opts {
	bool help, strict, any_blocks;
	int format, gate, multiplicity;
	int fixed, family, rule;
	double threshold, improvement, alpha;
	const char *baseline;
} replay_opts;

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

static int check_opts(replay_opts *o, const ba_opt *rows, ba_error *err)
{
	if (!ba_opt_seen(rows, "threshold-improvement"))
		o->improvement = o->threshold;
	int rc = check_ratio("threshold", o->threshold, err);
	rc = rc ? rc : check_ratio("threshold-improvement", o->improvement, err);
	if (rc < 0)
		return rc;
	if (!(o->alpha > 0 && o->alpha <= 0.5))
		return ba_fail(err, BA_EINVAL,
			"--alpha: %g is not an error rate; it lies above 0 and at most at 50%%",
			o->alpha);
	return 0;
}

/* cli/opt.h documents the rows; this one table is parser, help and manual */
static int parse_opts(replay_opts *o, ba_strv *operands, int argc, char **argv, ba_error *err)
{
	ba_opt rows[] = {
		OPT_GROUP("Decision"),
		OPT_RATIO('t', "threshold", &o->threshold,
			"the smallest change that matters, as <ratio> (default 2%)"),
		OPT_RATIO(0, "threshold-improvement", &o->improvement,
			"another <ratio> for improvements"),
		OPT_RATIO(0, "alpha", &o->alpha, "the error <rate> (default 5%)"),
		OPT_FLAG(0, "strict", &o->strict,
			"regressed only if certainly more than the threshold"),
		OPT_CHOICE(0, "multiplicity", &o->multiplicity, multiplicity_words,
			"<rule>: correction for multiple comparisons: bh, holm, by, none"),
		OPT_INT_IN('m', "m", &o->family, 1, INT32_MAX,
			"<n>: size of the family, where the trace is a part of a larger run"),
		OPT_INT_IN(0, "fixed", &o->fixed, 2, 1000000,
			"one look after <n> invocations, instead of several before"),
		OPT_INT_IN(0, "rule", &o->rule, 1, BA_RULE_NOW,
			"<n>: the decision rule of traces recorded under an earlier one (1)"),
		OPT_CHOICE(0, "gate", &o->gate, gate_words,
			"<policy>: exit 1 for regressed; strict: 125 if any is inconclusive"),
		OPT_GROUP("Input and output"),
		OPT_STRING(0, "baseline", &o->baseline, "the <variant> to compare with"),
		OPT_FLAG(0, "unequal-blocks", &o->any_blocks,
			"invocations may differ in their number of blocks"),
		OPT_CHOICE(0, "format", &o->format, format_words, "<format>: csv or json"),
		OPT_FLAG('h', "help", &o->help, "this text"),
		OPT_END,
	};
	int rc = ba_help_parse("replay", &o->help, operands, rows, argc, argv, err);

	if (rc || o->help)
		return rc;
	rc = ba_opt_one_operand(operands, "trace", "name a trace: bench-against replay FILE", err);
	return rc ? rc : check_opts(o, rows, err);
}

static int take_row(void *data, const ba_trace_row *row, ba_error *err)
{
	return ba_replay_row(data, row, err);
}

/* the whole file into a replay; *unordered says that another try may succeed */
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

static int open_trace(ba_replay **out, const replay_opts *o, const char *path, ba_error *err)
{
	bool unordered, is_stdin = strcmp(path, "-") == 0;
	BA_AUTO_FREE char *name = ba_text_safe(is_stdin ? "standard input" : path);
	BA_AUTO_FD int fd = is_stdin ? dup(STDIN_FILENO) : -1;
	int rc = is_stdin ? 0 : ba_gunzip_open(&fd, path, err);
	ba_replay_options options = {.baseline = o->baseline, .any_blocks = o->any_blocks};

	if (rc || fd < 0)
		return rc ? rc : ba_fail_errno(err, BA_EIO, "standard input");
	rc = read_trace(out, &unordered, fd, name, &options, err);
	/* rows in no order need all of them in memory; a pipe cannot be read again */
	if (rc < 0 && unordered && lseek(fd, 0, SEEK_SET) == 0) {
		options.any_order = true;
		return read_trace(out, &unordered, fd, name, &options, err);
	}
	if (rc < 0 && unordered)
		return ba_fail_context(err,
			"rows of an invocation must be adjacent in a pipe (a file may have any order)");
	return rc;
}

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

static void put_json_number(ba_buf *out, double value)
{
	if (isfinite(value))
		ba_buf_printf(out, "%.17g", value);
	else
		ba_buf_puts(out, "null");
}

static void put_json_interval(ba_buf *out, const ba_decision *d)
{
	bool known = d->looks > 0;

	ba_buf_puts(out, ", \"interval\": [");
	put_json_number(out, known ? exp(d->lo) : NAN);
	ba_buf_puts(out, ", ");
	put_json_number(out, known ? exp(d->hi) : NAN);
	ba_buf_puts(out, "]");
}

static void put_json(ba_buf *out, const ba_replay_result *r)
{
	const ba_decision *d = r->decision;

	ba_buf_puts(out, "    {\"benchmark\": ");
	ba_json_put_text(out, r->benchmark);
	ba_buf_puts(out, ", \"candidate\": ");
	ba_json_put_text(out, r->candidate);
	ba_buf_printf(out, ", \"verdict\": \"%s\", \"ratio\": %.17g, \"invocations\": %zu",
		ba_verdict_name(d->verdict), ba_decision_ratio(d), d->invocations);
	ba_buf_printf(out,
		", \"p_regressed\": %.17g, \"p_improved\": %.17g, \"p_unchanged\": %.17g", d->p_reg,
		d->p_imp, d->p_eq);
	put_json_interval(out, d);
	if (d->mean.known)
		ba_buf_printf(out,
			", \"mean_ratio\": %.17g, \"p_mean_regressed\": %.17g, \"p_mean_improved\": %.17g",
			exp(d->mean.zbar), d->mean.p_reg, d->mean.p_imp);
	ba_buf_printf(out, ", \"unstable\": %s, \"recorded\": %zu}",
		ba_decision_is_unstable(d) ? "true" : "false", r->recorded);
}

static void put_json_head(ba_buf *out, const ba_replay *replay, const replay_opts *o)
{
	const ba_trace_variants *variants = ba_replay_variants(replay);

	ba_buf_puts(out, "{\n  \"schema\": \"bench-against.replay/1\",\n");
	ba_buf_printf(out,
		"  \"threshold\": %.17g,\n  \"threshold_improvement\": %.17g,\n"
		"  \"alpha\": %.17g,\n  \"multiplicity\": \"%s\",\n  \"strict\": %s,\n"
		"  \"family\": %zu,\n",
		o->threshold, o->improvement, o->alpha, multiplicity_words[o->multiplicity],
		o->strict ? "true" : "false", ba_replay_family(replay));
	ba_buf_puts(out, "  \"baseline\": ");
	if (variants->count > 0)
		ba_json_put_text(out, variants->names[variants->baseline]);
	else
		ba_buf_puts(out, "null");
	ba_buf_puts(out, ",\n  \"benchmarks\": [\n");
}

static int print_results(const ba_replay *replay, const replay_opts *o, ba_error *err)
{
	BA_AUTO(ba_buf) ba_buf out = BA_BUF_INIT;
	bool several = ba_replay_variants(replay)->count > 2;
	size_t n = ba_replay_count(replay);

	if (o->format == FORMAT_JSON)
		put_json_head(&out, replay, o);
	else
		ba_buf_printf(&out,
			"benchmark,verdict,ratio,invocations,p_regressed,p_improved,p_unchanged%s\n",
			several ? ",candidate" : "");
	for (size_t i = 0; i < n; i++) {
		ba_replay_result r = ba_replay_at(replay, i);

		if (o->format == FORMAT_CSV) {
			put_csv(&out, &r, several);
		} else {
			put_json(&out, &r);
			ba_buf_puts(&out, i + 1 < n ? ",\n" : "\n");
		}
		ba_context_put(&out);
	}
	if (o->format == FORMAT_JSON)
		ba_buf_puts(&out, "  ]\n}\n");
	ba_context_put(&out);
	/* a full disk must not look like an answer */
	if (fflush(stdout) != 0 || ferror(stdout))
		return ba_fail_errno(err, BA_EIO, "cannot write to standard output");
	return 0;
}

/* what the table cannot say; one line a kind, however many benchmarks */
static void warn(const ba_replay *replay, const replay_opts *o)
{
	size_t first_look = o->fixed ? (size_t)o->fixed : 4, last = o->fixed ? first_look : 32;
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
	gaps = ba_replay_gaps(replay, &gap_name);
	if (gaps)
		fprintf(stderr,
			"bench-against: replay: invocation numbers have gaps in %zu %s; the first is '%s'\n",
			gaps, ba_plural(gaps, "benchmark", "benchmarks"), gap_name);
}

static int status_of(const ba_replay *replay, const replay_opts *o)
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
	if (looked == 0 || (o->gate == GATE_STRICT && inconclusive > 0))
		return 125;
	return 0;
}

int ba_cmd_replay(int argc, char **argv)
{
	replay_opts o = {.threshold = 0.02, .alpha = 0.05, .rule = BA_RULE_NOW};
	BA_AUTO(ba_strv) ba_strv operands = {0};
	BA_AUTO_PTR(ba_replay) ba_replay *replay = NULL;
	ba_error err = {0};

	if (parse_opts(&o, &operands, argc, argv, &err) < 0)
		return ba_context_complain(NULL, &err);
	if (o.help)
		return 0;
	ba_replay_rule rule = {
		.policy = {.alpha = o.alpha,
			.s_floor = BA_S_FLOOR,
			.strict = o.strict,
			.multiplicity = (ba_multiplicity)o.multiplicity,
			.rule = (unsigned)o.rule},
		.theta_reg = o.threshold,
		.theta_imp = o.improvement,
		.fixed = (size_t)o.fixed,
		.family = (size_t)o.family,
	};
	if (open_trace(&replay, &o, operands.items[0], &err) < 0 ||
		ba_replay_decide(replay, &rule, &err) < 0 || print_results(replay, &o, &err) < 0)
		return ba_context_complain(NULL, &err);
	warn(replay, &o);
	if (ba_replay_count(replay) == 0)
		fprintf(stderr,
			"bench-against: replay: the trace has no rows; nothing was measured\n");
	return status_of(replay, &o);
}
