#include "cli/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/parse.h"
#include "cli/help.h"
#include "cli/progress.h"
#include "model/level.h"
#include "proc/affinity.h"
#include "report/format.h"

static const char *const public_targets[] = {"gpu", "host", NULL};
static const char *const pass_words[] = {"pass", "fail", NULL};
static const char *const multiplicity_words[] = {"bh", "holm", "by", "none", NULL};
static const char *const colour_words[] = {"auto", "always", "never", NULL};
static const char *const unicode_words[] = {"auto", "always", "never", NULL};

void ba_options_init(ba_options *o)
{
	*o = (ba_options){.require = BA_LEVEL_BATCH};
	ba_job_request_init(&o->job);
}

void ba_options_dispose(ba_options *o)
{
	ba_job_request_dispose(&o->job);
}

/* Rows are appended group by group; a table of tables would need them all to be static.
 */
typedef struct row_list {
	ba_opt *rows;
	size_t count;
} row_list;

static void append(row_list *l, const ba_opt *rows, size_t n)
{
	memcpy(l->rows + l->count, rows, n * sizeof(*rows));
	l->count += n;
}
#define APPEND(l, table) append((l), (table), sizeof(table) / sizeof((table)[0]))

static void rows_what(row_list *l, ba_options *o)
{
	const ba_opt rows[] = {
		OPT_GROUP("What is measured"),
		OPT_STRING(0, "suite", &o->job.suite,
			"only the suite <name> of the configuration"),
		OPT_LIST('f', "filter", &o->job.filters,
			"only benchmarks whose name matches <glob>; may be repeated"),
		OPT_LIST(0, "path", &o->job.paths,
			"launch path <name>, a glob, or 'all'; may be repeated"),
		OPT_STRING(0, "args", &o->job.args,
			"<list>: numbers of pointer arguments, as 0,1,2,3,4 or 8,16,64"),
		OPT_STRING(0, "bytes", &o->job.bytes,
			"<list>: sizes of one argument passed by value, as 64,4096,32764"),
		OPT_LIST(0, "axis", &o->job.axes,
			"<axis>=<values> of benchmarks: n=1024,4096 or S=128:1024:*2; may be repeated"),
		OPT_STRING(0, "metrics", &o->job.metrics,
			"<list>: submit, sustained, roundtrip of launches (all three), gpu_cold, gpu_hot, gpu_rotate, wall_cold, wall_hot of benchmarks (gpu_cold, gpu_hot, wall_hot)"),
		OPT_STRING(0, "verdict-on", &o->job.verdict_on,
			"<list> of metrics that decide (submit and gpu_cold)"),
		OPT_STRING(0, "loops", &o->job.loops,
			"<list>: launches of a 'sustained' repeat, for 0, 1, 2, ... arguments (100000 up to three, 10000 from four)"),
		OPT_INT_IN('n', "repeats", &o->job.repeats, 1, 10000,
			"repeat 'sustained' <n> times in all (7)"),
		OPT_INT_IN(0, "warm-up", &o->job.warm_up, 0, 1000000,
			"<n> runs of a benchmark before its first reading (200)"),
		OPT_INT_IN(0, "iterations", &o->job.iterations, 1, 1000000,
			"<n> measured runs of each variant at least (500)"),
		OPT_FLAG(0, "measure-identical", &o->job.measure_identical,
			"measure variants whose builds or whose device code are identical like any others, not only as a control"),
		OPT_FLAG(0, "no-device-code", &o->job.no_device_code,
			"do not look at device code before measuring"),
	};
	APPEND(l, rows);
}

/* what a run and a comparison of files decide by */
static void rows_rule(row_list *l, ba_options *o)
{
	const ba_opt rows[] = {
		OPT_RATIO(0, "alpha", &o->job.alpha,
			"error <rate> of the family of verdicts (5%)"),
		OPT_FLAG(0, "strict", &o->job.strict,
			"'regressed' means certainly more than the threshold"),
		OPT_CHOICE(0, "multiplicity", &o->job.multiplicity, multiplicity_words,
			"<how> many verdicts share the error rate (bh)"),
	};
	APPEND(l, rows);
}

static void rows_decide(row_list *l, ba_options *o)
{
	const ba_opt rows[] = {
		OPT_GROUP("What counts as slower"),
		OPT_STRING('t', "threshold", &o->job.threshold,
			"<limit>: '2%', or '2% and 25ns' where both must be exceeded"),
	};
	APPEND(l, rows);
	rows_rule(l, o);
	const ba_opt more[] = {
		OPT_CHOICE_OR(0, "gate", &o->job.gate, ba_gate_words, "on",
			"<on>: the baseline's configuration rules; strict: what failed, vanished or is not decided is no success either (off)"),
		OPT_CHOICE(0, "on-inconclusive", &o->job.on_inconclusive, pass_words,
			"<pass> or fail where it is not decided (pass; --gate=strict: fail)"),
		OPT_FLAG(0, "fail-fast", &o->job.fail_fast,
			"stop at the first regression"),
		OPT_FLAG(0, "allow-below-floor", &o->job.allow_below_floor,
			"measure also with thresholds that the calibration of this machine calls undecidable"),
	};
	APPEND(l, more);
}

static void rows_sample(row_list *l, ba_options *o)
{
	const ba_opt rows[] = {
		OPT_GROUP("How it is measured"),
		OPT_DURATION(0, "budget", &o->job.budget_ns,
			"stop measuring after <time>, as 30s or 8m; invocations are made short enough for the first look, which always comes; verdicts stay valid"),
		OPT_INT_IN(0, "fixed", &o->job.fixed, 2, BA_INVOCATIONS_MOST,
			"exactly <n> invocations, one look at the end"),
		OPT_INT_IN(0, "min-invocations", &o->job.min_invocations, 2, 32,
			"no look before <n> invocations"),
		OPT_INT_IN(0, "max-invocations", &o->job.max_invocations, 2, 32,
			"no look after <n> invocations"),
		OPT_U64(0, "seed", &o->job.seed,
			"<seed> of the schedule (random, and recorded)"),
		OPT_CHOICE(0, "engine", &o->job.engine, ba_engine_words,
			"<engine>: all variants in one process, one each, or one after the other (auto)"),
		OPT_CHOICE(0, "flush", &o->job.flush, ba_flush_words,
			"<how> the L2 cache is emptied before a cold run: read leaves clean lines; write, a memset as other tools have it, leaves lines that the run pays for (read)"),
		OPT_INT_IN(0, "batch", &o->job.batch, 1, 1000000,
			"<n> launches between two clock reads (calibrated)"),
		OPT_INT_IN(0, "blocks", &o->job.blocks, 2, 100000,
			"<n> blocks an invocation (calibrated)"),
		OPT_DURATION(0, "hang-after", &o->job.hang_ns,
			"a worker without a sign of life for <time> hangs (60s)"),
		OPT_STRING(0, "resume", &o->resume,
			"go on with a run that was ended, whose journal is <file>: RESULTS.journal of its --output RESULTS, else the newest in $(bench-against cache path)/journals"),
	};
	APPEND(l, rows);
}

static void rows_calibrate(row_list *l, ba_options *o)
{
	const ba_opt rows[] = {
		OPT_GROUP("How it is measured"),
		OPT_FLAG(0, "thorough", &o->thorough,
			"16 invocations, not 8: limits that are closer"),
		OPT_STRING('t', "threshold", &o->job.threshold,
			"<limit> that the table is for: '2%', or '2% and 25ns'"),
		OPT_U64(0, "seed", &o->job.seed, "<seed> of the schedule (random)"),
		OPT_CHOICE(0, "engine", &o->job.engine, ba_engine_words,
			"<engine>: all variants in one process, one each, or one after the other (auto)"),
		OPT_INT_IN(0, "blocks", &o->job.blocks, 2, 100000,
			"<n> blocks an invocation (by time)"),
		OPT_DURATION(0, "hang-after", &o->job.hang_ns,
			"a worker without a sign of life for <time> hangs (60s)"),
		OPT_GROUP("Output"),
		OPT_CHOICE_OR(0, "color", &o->colour, colour_words, "always",
			"colour <when> (auto)"),
		OPT_CHOICE_OR(0, "progress", &o->progress, ba_progress_modes, "line",
			"progress on standard error, <how> (auto)"),
		OPT_FLAG('q', "quiet", &o->quiet, "the table alone"),
		OPT_FLAG('v', "verbose", &o->verbose, "what is being done"),
	};
	APPEND(l, rows);
}

static void rows_build(row_list *l, ba_options *o)
{
	const ba_opt rows[] = {
		OPT_GROUP("Trees and builds"),
		OPT_STRING('C', "directory", &o->directory, "as if started in <dir>"),
		OPT_STRING('c', "config", &o->job.config,
			"read the configuration from <file>"),
		OPT_STRING(0, "config-from", &o->job.config_from,
			"<variant> whose configuration rules, by label, or 'worktree'"),
		OPT_INT_IN('j', "jobs", &o->job.jobs, 1, 1024,
			"build <n> variants side by side"),
		OPT_FLAG(0, "no-build", &o->job.no_build,
			"fail rather than build: only trees that are in the cache"),
		OPT_FLAG(0, "in-place", &o->job.in_place,
			"build path:DIR variants in their own directory"),
		OPT_FLAG(
			0, "keep", &o->job.keep, "keep temporary trees, and say where"),
		OPT_FLAG(0, "lfs-pointers", &o->job.allow_lfs_pointers,
			"leave Git LFS pointers where their content is missing"),
		OPT_STRING(0, "cache-dir", &o->cache_dir, "keep built trees in <dir>"),
	};
	APPEND(l, rows);
}

static void rows_machine(row_list *l, ba_options *o)
{
	const ba_opt rows[] = {
		OPT_GROUP("Machine"),
		OPT_CHOICE(0, "target", &o->job.target, public_targets,
			"<gpu>, or host: a driver that returns at once, no GPU needed (gpu)"),
		OPT_INT_IN(0, "device", &o->job.device, 0, 1023, "GPU number <n> (0)"),
		OPT_INT_IN(0, "cpu", &o->job.cpu, 0, 8191,
			"pin the workers to processor <n> (near the GPU, its core free of other runs)"),
		OPT_STRING(0, "fake-driver", &o->job.fake_driver,
			"for tests of the tool: a test driver in <file>; its figures mean nothing"),
	};
	APPEND(l, rows);
}

static void rows_look(row_list *l, ba_options *o)
{
	const ba_opt rows[] = {
		OPT_CHOICE_OR(0, "color", &o->colour, colour_words, "always",
			"colour <when> (auto)"),
		OPT_CHOICE_OR(0, "unicode", &o->unicode, unicode_words, "always",
			"characters beyond ASCII <when> (auto)"),
		OPT_FLAG('q', "quiet", &o->quiet, "the answer alone"),
		OPT_FLAG('v', "verbose", &o->verbose,
			"p-values, artefacts, what is being done"),
	};
	APPEND(l, rows);
}

static void rows_output(row_list *l, ba_options *o)
{
	const ba_opt rows[] = {
		OPT_GROUP("Output"),
		OPT_STRING('o', "output", &o->output,
			"write everything, samples too, to <file> (JSON)"),
		OPT_STRING(0, "report", &o->report,
			"write every format into <dir>; index.html is for people"),
		OPT_FLAG(0, "no-history", &o->no_history,
			"do not add this run to the history (bench-against history)"),
		OPT_CHOICE(0, "format", &o->format, ba_format_names,
			"<format> of the answer on standard output (term)"),
		OPT_CHOICE_OR(0, "progress", &o->progress, ba_progress_modes, "line",
			"progress on standard error, <how> (auto)"),
	};
	APPEND(l, rows);
	rows_look(l, o);
}

static void rows_screen(row_list *l, ba_options *o)
{
	const ba_opt rows[] = {
		OPT_GROUP("Output"),
		OPT_CHOICE_OR(0, "color", &o->colour, colour_words, "always",
			"colour <when> (auto)"),
		OPT_CHOICE_OR(0, "unicode", &o->unicode, unicode_words, "always",
			"characters beyond ASCII <when> (auto)"),
		OPT_CHOICE_OR(0, "progress", &o->progress, ba_progress_modes, "line",
			"progress on standard error, <how> (auto)"),
		OPT_FLAG('q', "quiet", &o->quiet, "no progress, no remarks"),
		OPT_FLAG('v', "verbose", &o->verbose, "what is being done"),
	};
	APPEND(l, rows);
}

static void rows_list(row_list *l, ba_options *o)
{
	const ba_opt rows[] = {
		OPT_GROUP("Form"),
		OPT_FLAG(0, "expected", &o->expected,
			"as a file for the configuration's \"gate\": {\"expected\": ...}: benchmarks that a gate misses when they are not measured"),
	};
	APPEND(l, rows);
}

static void rows_compare(row_list *l, ba_options *o)
{
	const ba_opt rows[] = {
		OPT_GROUP("What is compared"),
		OPT_LIST('f', "filter", &o->job.filters,
			"only benchmarks whose name matches <glob>; may be repeated"),
		OPT_STRING(0, "metric", &o->metric,
			"<name> of another figure than the time that a format is about: cpu_time, a counter, B/op"),
		OPT_FLAG(0, "force", &o->force,
			"compare what was measured on another device, driver, target or suite, and say so"),
		OPT_GROUP("What counts as slower"),
		OPT_STRING('t', "threshold", &o->job.threshold,
			"<limit>: '2%', or '2% and 25ns' where both must be exceeded"),
		OPT_STRING('c', "config", &o->job.config,
			"thresholds by benchmark from <file>, a configuration"),
	};
	APPEND(l, rows);
	rows_rule(l, o);
	const ba_opt more[] = {
		OPT_CHOICE(0, "require", &o->require, ba_level_names,
			"least that a verdict may rest on, <level>: values of a process each, of repetitions in one process, of its batches (batch)"),
		OPT_FLAG(0, "allow-summaries", &o->allow_summaries,
			"files without samples decide too: their ratio against the threshold, without an error rate"),
		OPT_CHOICE_OR(0, "gate", &o->job.gate, ba_gate_words, "on",
			"<on>, or strict: what failed, vanished or is not decided is no success either (off)"),
		OPT_CHOICE(0, "on-inconclusive", &o->job.on_inconclusive, pass_words,
			"<pass> or fail where it is not decided (pass; --gate=strict: fail)"),
	};
	APPEND(l, more);
}

void ba_options_rows(ba_opt *rows, ba_options *o, unsigned groups)
{
	static const struct {
		unsigned group;
		void (*fn)(row_list *, ba_options *);
	} tables[] = {
		{BA_OPTS_WHAT, rows_what},
		{BA_OPTS_DECIDE, rows_decide},
		{BA_OPTS_SAMPLE, rows_sample},
		{BA_OPTS_CALIBRATE, rows_calibrate},
		{BA_OPTS_BUILD, rows_build},
		{BA_OPTS_MACHINE, rows_machine},
		{BA_OPTS_OUTPUT, rows_output},
		{BA_OPTS_SCREEN, rows_screen},
		{BA_OPTS_LIST, rows_list},
		{BA_OPTS_LOOK, rows_look},
		{BA_OPTS_COMPARE, rows_compare},
	};
	row_list l = {.rows = rows};
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (groups & tables[i].group)
			tables[i].fn(&l, o);
	const ba_opt end[] = {
		OPT_FLAG('h', "help", &o->help, "this page"),
		OPT_END,
	};
	APPEND(&l, end);
}

static int contradiction(
	const ba_opt *rows, const ba_options *o, unsigned groups, ba_error *err)
{
	const struct {
		bool both;
		const char *sentence;
	} pairs[] = {
		{(groups & BA_OPTS_SAMPLE) && o->job.fixed &&
				(o->job.min_invocations || o->job.max_invocations),
			"--fixed says how many invocations there are; leave out --min-invocations and --max-invocations"},
		{(groups & BA_OPTS_SAMPLE) && o->job.fixed && o->job.budget_ns,
			"--fixed looks once, at the end, where no --budget could stop it; leave out one of them"},
		{(groups & BA_OPTS_SAMPLE) && ba_opt_seen(rows, "budget") &&
				!o->job.budget_ns,
			"--budget 0 leaves no time to measure in"},
		{o->job.min_invocations && o->job.max_invocations &&
				o->job.min_invocations > o->job.max_invocations,
			"--min-invocations is more than --max-invocations"},
		{o->quiet && o->verbose, "--quiet and --verbose contradict each other"},
		{o->resume && !*o->resume, "--resume '' names no journal"},
		{o->job.config && o->job.config_from,
			"--config and --config-from each name a configuration; give one"},
		{o->job.fake_driver && (groups & BA_OPTS_MACHINE) &&
				ba_opt_seen(rows, "target"),
			"--fake-driver is a target of its own; leave out --target"},
		{o->job.no_build && o->job.in_place,
			"--no-build and --in-place contradict each other"},
		{o->job.alpha <= 0 || o->job.alpha >= 0.5,
			"--alpha lies between 0 and 50 %"},
	};
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (pairs[i].both)
			return ba_fail(err, BA_EINVAL, "%s", pairs[i].sentence);
	return 0;
}

/* A worker that cannot be pinned would run anywhere, and the report would not say so.
 */
static int check_cpu(int cpu, ba_error *err)
{
	if (cpu < 0 || ba_affinity_may(cpu))
		return 0;
	return ba_fail(err, BA_EINVAL,
		"--cpu %d: there is no such processor, or this process may not run on it; 'taskset -cp $$' lists those it may",
		cpu);
}

int ba_options_parse(ba_options *o, ba_strv *operands, const char *page,
	unsigned groups, int argc, char **argv, ba_error *err)
{
	ba_opt rows[BA_OPTION_ROWS_MOST];
	ba_options_rows(rows, o, groups);
	int rc = ba_opt_parse(operands, rows, argc - 1, argv + 1, err);
	if (rc)
		return rc;
	if (o->help) {
		ba_help_show(page, rows);
		return 0;
	}
	if (o->job.fake_driver)
		o->job.target = BA_ON_FAKE;
	rc = contradiction(rows, o, groups, err);
	return rc || !(groups & BA_OPTS_MACHINE) ? rc : check_cpu(o->job.cpu, err);
}
