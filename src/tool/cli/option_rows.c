/* The options of commands that resolve, build, measure, compare or report: one row for
 * each option, with the commands that accept it. */
#include "cli/options.h"
#include "cli/progress.h"
#include "model/level.h"
#include "report/format.h"
#include "stats/layouts.h"

static const char *const public_targets[] = {"gpu", "host", NULL};
static const char *const pass_words[] = {"pass", "fail", NULL};
static const char *const fail_words[] = {"regressed", "likely", NULL};
static const char *const multiplicity_words[] = {"bh", "holm", "by", "none", NULL};
static const char *const bisect_formats[] = {"term", "json", "verdict", NULL};
static const char *const when_words[] = {"auto", "always", "never", NULL};

/* The rows of the table point into this struct; ba_options_rows() moves them to the caller's. */
static ba_options here;

enum {
	AGAINST = BA_FOR_AGAINST,
	RUN = BA_FOR_RUN,
	BISECT = BA_FOR_BISECT,
	CALIBRATE = BA_FOR_CALIBRATE,
	LIST = BA_FOR_LIST,
	DOCTOR = BA_FOR_DOCTOR,
	COMPARE = BA_FOR_COMPARE,
	REPORT = BA_FOR_REPORT,
	EXPLAIN = BA_FOR_EXPLAIN,
	MERGE = BA_FOR_MERGE,
	CODE = BA_FOR_CODE,
	TRY = BA_FOR_JUDGE,
	JUDGE = AGAINST | BISECT,
	MEASURE = AGAINST | RUN | BISECT | CALIBRATE | TRY,
	BUILD = MEASURE | LIST,
	TREES = BUILD | CODE,
	ANSWER = AGAINST | RUN | COMPARE | MERGE,
	EVERYDAY = 1 << 15 /* shown on the short page of --help, too */
};

/* clang-format off */
static const struct {
	/* commands that accept the option; for a group 0, because its rows decide */
	unsigned commands;
	ba_opt row;
} table[] = {
	{0, OPT_GROUP("What is measured")},
	{BUILD, OPT_STRING(0, "suite", &here.job.suite,
		"only the suite <name> of the configuration")},
	{BUILD | EVERYDAY, OPT_LIST('f', "filter", &here.job.filters,
		"only benchmarks whose name matches <glob>; may be repeated")},
	{AGAINST | RUN, OPT_STRING(0, "filter-from", &here.filter_from,
		"only benchmarks that match a line of <file>, as 'code --format list' writes it; nothing if it has none")},
	{BUILD, OPT_LIST(0, "path", &here.job.paths,
		"launch path <name>, a glob, or 'all'; may be repeated")},
	{BUILD, OPT_STRING(0, "args", &here.job.args,
		"<list> of numbers of pointer arguments: 0,1,2,3,4 or 8,16,64")},
	{BUILD, OPT_STRING(0, "bytes", &here.job.bytes,
		"<list> of sizes of one argument passed by value: 64,4096,32764")},
	{BUILD, OPT_LIST(0, "axis", &here.job.axes,
		"only these values of an axis, <name=values>: n=1024,4096 or S=128:1024:*2; may be repeated")},
	{MEASURE, OPT_STRING(0, "metrics", &here.job.metrics,
		"<list> of metrics to measure. Launches have submit, sustained, roundtrip (all three); benchmarks have gpu_cold, gpu_hot, gpu_rotate, wall_cold, wall_hot (gpu_cold, gpu_hot, wall_hot); with --untrusted GPU suites have fresh. census: what a call asks of the driver. Processes have start, import, first_call, first_call_cached, host_peak, size")},
	{AGAINST | BISECT | CALIBRATE | TRY, OPT_STRING(0, "verdict-on", &here.job.verdict_on,
		"<list> of metrics that get a verdict (submit and gpu_cold)")},
	{AGAINST | RUN, OPT_CHOICE(0, "explain", &here.job.explain, ba_explain_words,
		"after the verdicts, count the instructions of nothing, of all that changed, or of all benchmarks (auto: of what changed, in at most a tenth of the run's time)")},
	{MEASURE, OPT_CHOICE(0, "count-with", &here.job.count_with, ba_count_words,
		"count instructions with the trap flag, ptrace or the processor's counter (auto)")},
	{MEASURE, OPT_U64(0, "count-most", &here.job.count_most,
		"count launches of at most <n> instructions (1000000)")},
	{MEASURE, OPT_STRING(0, "loops", &here.job.loops,
		"<list> of launches in one repeat of 'sustained', for 0, 1, 2, ... arguments (100000 up to three arguments, 10000 from four)")},
	{MEASURE, OPT_INT_IN('n', "repeats", &here.job.repeats, 1, 10000,
		"repeat 'sustained' <n> times (7)")},
	{MEASURE, OPT_INT_IN(0, "warm-up", &here.job.warm_up, 0, 1000000,
		"run each benchmark <n> times before its first reading (200)")},
	{MEASURE, OPT_INT_IN(0, "iterations", &here.job.iterations, 1, 1000000,
		"measure at least <n> runs of each variant (500)")},
	{JUDGE, OPT_FLAG(0, "measure-identical", &here.job.measure_identical,
		"measure variants with identical builds or device code in full, not only as a control")},
	{AGAINST, OPT_FLAG(0, "only-changed", &here.job.only_changed,
		"measure the benchmarks whose variants execute other code, and a few of the others as controls")},
	{AGAINST, OPT_INT_IN(0, "controls", &here.job.controls, 1, 1000000,
		"with --only-changed, one in <n> of the others is a control, drawn by chance (10)")},
	{JUDGE, OPT_FLAG(0, "ncu", &here.job.ncu,
		"after measuring, read the GPU's counters of kernels that differ with Nsight Compute")},
	{MEASURE, OPT_FLAG(0, "no-device-code", &here.job.no_device_code,
		"do not compare device code before measuring")},

	{0, OPT_GROUP("What is compared")},
	{COMPARE, OPT_LIST('f', "filter", &here.job.filters,
		"only benchmarks whose name matches <glob>; may be repeated")},
	{COMPARE, OPT_STRING(0, "metric", &here.metric,
		"compare the metric <name>, such as cpu_time, B/op or a counter (the format's time)")},
	{COMPARE, OPT_LIST(0, "higher-is-better", &here.higher,
		"more is better of metrics or benchmarks that match <glob>, such as a counter without a unit; may be repeated")},
	{COMPARE, OPT_LIST(0, "lower-is-better", &here.lower,
		"less is better of metrics or benchmarks that match <glob>; may be repeated")},
	{MERGE, OPT_FLAG(0, "different-cpus", &here.different_cpus,
		"also merge runs of machines with different processors")},
	{COMPARE, OPT_FLAG(0, "force", &here.force,
		"compare results of different devices, drivers, targets or suites, and say so in the answer")},

	{0, OPT_GROUP("What counts as slower")},
	{JUDGE | TRY | COMPARE | EVERYDAY, OPT_STRING('t', "threshold", &here.job.threshold,
		"<limit>: what counts as slower: 2%, 25ns, 2%+25ns; with both, a change must exceed both (2%)")},
	{COMPARE, OPT_STRING('c', "config", &here.job.config,
		"take thresholds from the configuration in <file>")},
	{JUDGE | TRY | COMPARE, OPT_RATIO(0, "alpha", &here.job.alpha,
		"error <rate> of all verdicts together (5%)")},
	{JUDGE | COMPARE, OPT_FLAG(0, "strict", &here.job.strict,
		"report 'regressed' only where the change certainly exceeds the threshold")},
	{JUDGE | COMPARE, OPT_CHOICE(0, "multiplicity", &here.job.multiplicity,
		multiplicity_words, "correction for multiple comparisons (bh)")},
	{COMPARE, OPT_CHOICE(0, "require", &here.require, ba_level_names,
		"lowest level of values that may give a verdict: of several processes, of repetitions in one process, or of its batches (batch)")},
	{COMPARE, OPT_STRING(0, "csv-columns", &here.csv_columns,
		"read any CSV by the names of its columns: <name=a,value=b>, and unit, group, level")},
	{COMPARE, OPT_FLAG(0, "allow-summaries", &here.allow_summaries,
		"also judge files without samples, and single values: their ratio against the threshold, without an error rate")},
	{JUDGE | EVERYDAY, OPT_CHOICE_OR(0, "gate", &here.job.gate, ba_gate_words, "on",
		"apply the baseline's configuration; strict: failed, missing or inconclusive benchmarks also fail (off)")},
	{COMPARE, OPT_CHOICE_OR(0, "gate", &here.job.gate, ba_gate_words, "on",
		"reject thresholds that match no benchmark; strict: failed, missing or inconclusive benchmarks also fail (off)")},
	{CODE, OPT_CHOICE_OR(0, "gate", &here.job.gate, ba_gate_words, "on",
		"apply the baseline's configuration, and report what the candidate changes about it (off)")},
	{AGAINST, OPT_FLAG(0, "untrusted", &here.job.untrusted,
		"judge candidates that may cheat: builds and workers in a sandbox, each variant by itself, times by the clock of bench-against, --gate=strict")},
	{JUDGE | COMPARE, OPT_CHOICE(0, "on-inconclusive", &here.job.on_inconclusive,
		pass_words, "whether an inconclusive answer passes or fails (pass; with --gate=strict: fail)")},
	{AGAINST | COMPARE, OPT_CHOICE(0, "fail-on", &here.job.fail_on, fail_words,
		"what makes the exit status 1 (regressed); likely: also a benchmark that is probably slower")},
	{AGAINST, OPT_FLAG(0, "fail-fast", &here.job.fail_fast,
		"stop at the first regression")},
	{JUDGE, OPT_FLAG(0, "allow-below-floor", &here.job.allow_below_floor,
		"also measure where this system is too noisy for the threshold, according to its calibration")},

	{0, OPT_GROUP("How it is measured")},
	{AGAINST | RUN | EVERYDAY, OPT_DURATION(0, "budget", &here.job.budget_ns,
		"stop measuring after <time>, such as 30s or 8m; verdicts stay valid (two refs on a terminal: a minute for 10 benchmarks)")},
	{BISECT | EVERYDAY, OPT_DURATION(0, "budget", &here.job.budget_ns,
		"measure for at most <time>, such as 2m or 1h, all steps together; then the commits that share 95 % are the answer")},
	{AGAINST, OPT_INT_IN(0, "fixed", &here.job.fixed, 2, BA_INVOCATIONS_MOST,
		"measure exactly <n> invocations and decide once, at the end")},
	{BISECT, OPT_INT_IN(0, "fixed", &here.job.fixed, 2, BA_INVOCATIONS_MOST,
		"measure <n> invocations in each step (chosen: 2, 4 or 8)")},
	{BISECT | EVERYDAY, OPT_FLAG(0, "faster", &here.faster,
		"search for the commit that made it faster, not slower")},
	{BISECT, OPT_FLAG(0, "into-merges", &here.into_merges,
		"if the commit is a merge, search the commits that it brought")},
	{TRY | EVERYDAY, OPT_INT_IN(0, "fixed", &here.job.fixed, 2, BA_INVOCATIONS_MOST,
		"measure <n> invocations before a candidate is given up (4); an acceptance has 16 or more of its own")},
	{AGAINST, OPT_STRING(0, "part", &here.job.part,
		"measure only part <k/n> of the invocations of --fixed and --seed; 'merge' makes one result of all parts")},
	{RUN, OPT_INT_IN(0, "fixed", &here.job.fixed, 2, BA_INVOCATIONS_MOST,
		"measure <n> invocations (4)")},
	{AGAINST, OPT_INT_IN(0, "min-invocations", &here.job.min_invocations, 2, 32,
		"do not decide before <n> invocations")},
	{AGAINST, OPT_INT_IN(0, "max-invocations", &here.job.max_invocations, 2, 32,
		"do not measure more than <n> invocations")},
	{CALIBRATE, OPT_FLAG(0, "thorough", &here.thorough,
		"measure 16 invocations instead of 8, for closer limits")},
	{CALIBRATE | EVERYDAY, OPT_STRING('t', "threshold", &here.job.threshold,
		"<limit> that the table is for: 2%, 25ns, 2%+25ns; with both, a change must exceed both (2%)")},
	{MEASURE, OPT_U64(0, "seed", &here.job.seed,
		"<seed> of the schedule (random; recorded in the results)")},
	{MEASURE & ~RUN & ~TRY, OPT_CHOICE(0, "engine", &here.job.engine, ba_engine_words,
		"measure all variants in one process, in one process each, or one after the other (auto)")},
	{AGAINST | RUN | BISECT, OPT_CHOICE(0, "flush", &here.job.flush, ba_flush_words,
		"how the L2 cache is emptied before a cold run: 'read' leaves clean lines, 'write' leaves dirty lines, which the run has to write back (read)")},
	{AGAINST | RUN | BISECT, OPT_INT_IN(0, "batch", &here.job.batch, 1, 1000000,
		"<n> launches between two clock readings (calibrated)")},
	{MEASURE, OPT_INT_IN(0, "blocks", &here.job.blocks, 2, 100000,
		"<n> blocks in each invocation (by time)")},
	{AGAINST | RUN | BISECT, OPT_INT_IN(0, "layouts", &here.job.layouts, 1, BA_LAYOUTS_MOST,
		"measure launches in <n> copies of each library at other addresses, drawn anew for each process: code that only moved is not slower, and the reports say how much layout matters (1: the library itself; x86-64)")},
	{AGAINST, OPT_INT_IN(0, "rotation", &here.job.rotation, 1, 16,
		"prepare <n> invocations of programs at a time, of which one measures (as many as have processors, at most 4)")},
	{MEASURE, OPT_DURATION(0, "hang-after", &here.job.hang_ns,
		"kill a worker that makes no progress for <time> (60s)")},
	{AGAINST | RUN, OPT_STRING(0, "resume", &here.resume,
		"resume the run whose journal is <file>: RESULTS.journal with --output RESULTS, else the newest in $(bench-against cache path)/journals")},

	{BISECT, OPT_STRING(0, "resume", &here.resume,
		"resume the search whose state is <file>, with its GOOD, BAD and options; the same command resumes by itself")},

	{0, OPT_GROUP("Trees and builds")},
	{TREES, OPT_STRING('C', "directory", &here.directory,
		"run as if started in <dir>")},
	{TREES, OPT_STRING('c', "config", &here.job.config,
		"read the configuration from <file>")},
	{TREES, OPT_STRING(0, "config-from", &here.job.config_from,
		"use the configuration of <variant>: a label, 'baseline' or 'worktree'")},
	{TREES, OPT_LIST(0, "overlay", &here.job.overlay,
		"use <path>, a file or folder of the working tree, in every variant: benchmarks that old commits do not have; may be repeated")},
	{TREES & ~RUN, OPT_INT_IN('j', "jobs", &here.job.jobs, 1, 1024,
		"build <n> variants in parallel")},
	{BISECT, OPT_FLAG(0, "no-build-ahead", &here.no_build_ahead,
		"do not build what later steps will probably need while a step times nothing here")},
	{TREES, OPT_FLAG(0, "no-build", &here.job.no_build,
		"fail instead of building: use only trees in the cache")},
	{AGAINST | RUN | LIST | CODE, OPT_FLAG(0, "in-place", &here.job.in_place,
		"build path:DIR variants in their own directory")},
	{TREES, OPT_FLAG(0, "sandbox", &here.job.sandbox,
		"run builds and measured programs in sandboxes, without network, home and other trees (bubblewrap)")},
	{TREES, OPT_FLAG(0, "keep", &here.job.keep,
		"keep temporary trees, and print where they are")},
	{TREES, OPT_FLAG(0, "lfs-pointers", &here.job.allow_lfs_pointers,
		"leave Git LFS pointers in place of missing content")},
	{TREES | DOCTOR, OPT_STRING(0, "cache-dir", &here.cache_dir,
		"keep built trees in <dir>")},

	{0, OPT_GROUP("System under test")},
	{MEASURE | DOCTOR | EVERYDAY, OPT_CHOICE(0, "target", &here.job.target, public_targets,
		"gpu, or host: launch code alone, without a GPU; its driver returns at once (the configuration's, else gpu)")},
	{BISECT | TRY, OPT_STRING(0, "device", &here.job.devices,
		"GPU number <n> (0)")},
	{DOCTOR, OPT_STRING(0, "device", &here.job.devices,
		"GPU number <n>, several as in 0,2 or 'all' (0)")},
	{BA_FOR_DEVICES, OPT_STRING(0, "device", &here.job.devices,
		"GPU number <n>, several as in 0,2 or 'all': they measure side by side, and each counts as a place of its own (0)")},
	{AGAINST | RUN | BISECT, OPT_STRING(0, "on", &here.job.on,
		"<scheduler: options>: measure in the tasks of a job array, as in 'slurm: --partition=gpu --gres=gpu:1 --array=8' with options of sbatch")},
	{AGAINST | RUN | BISECT, OPT_STRING(0, "build-on", &here.job.build_on,
		"<scheduler: options>: build in a job, as in 'slurm: --partition=cpu --cpus-per-task=16'; 'same': with the options of --on (on this host)")},
	{AGAINST | RUN | BISECT, OPT_FLAG(0, "ship", &here.job.ship,
		"nodes of --on share no directory with this host: copy tool and trees to them with sbcast, under the same paths")},
	{AGAINST | RUN | BISECT, OPT_STRING(0, "desk", &here.job.exchange,
		"talk to the tasks of --on through a folder in <dir>, which all nodes see (with the journal)")},
	{AGAINST | RUN | BISECT, OPT_DURATION(0, "start-within", &here.job.start_within_ns,
		"give up if no task of --on or --build-on starts within <time> (wait)")},
	{AGAINST | RUN | BISECT, OPT_DURATION(0, "keep-tasks", &here.job.keep_tasks_ns,
		"tasks of --on whose run is gone wait <time> for --resume, then end (5m)")},
	{MEASURE, OPT_INT_IN(0, "cpu", &here.job.cpu, 0, 8191,
		"pin the workers to processor <n> (one near the GPU that no other run uses)")},
	{MEASURE, OPT_STRING(0, "fake-driver", &here.job.fake_driver,
		"for tests of bench-against: use the test driver in <file>, whose clock is simulated")},

	{0, OPT_GROUP("Output")},
	{ANSWER | EVERYDAY, OPT_STRING('o', "output", &here.output,
		"write all results and samples to <file> (JSON)")},
	{ANSWER | EVERYDAY, OPT_STRING(0, "report", &here.report,
		"write every format into <dir>; index.html is the page to read")},
	{AGAINST, OPT_STRING(0, "attest", &here.attest,
		"write an in-toto statement about the verdict to <file>, for 'cosign' or 'actions/attest' to sign")},
	{AGAINST | RUN | MERGE | CODE, OPT_FLAG(0, "no-history", &here.no_history,
		"do not add this run to the history (bench-against history)")},
	{BISECT, OPT_CHOICE(0, "format", &here.bisect_format, bisect_formats,
		"<format> of the answer (term)")},
	{ANSWER, OPT_CHOICE(0, "format", &here.format, ba_format_names,
		"format of standard output (term)")},
	{TREES & ~BISECT, OPT_CHOICE_OR(0, "progress", &here.progress,
		ba_progress_modes, "line", "how to show progress on standard error (auto)")},
	{ANSWER | CALIBRATE | DOCTOR | REPORT | EXPLAIN | CODE, OPT_CHOICE_OR(0, "color", &here.colour,
		when_words, "always", "when to use colour (auto)")},
	{ANSWER | CALIBRATE | LIST | DOCTOR | REPORT | EXPLAIN | CODE, OPT_CHOICE_OR(0, "unicode", &here.unicode,
		when_words, "always", "when to use characters beyond ASCII (auto)")},
	{ANSWER | REPORT | BISECT | CODE, OPT_FLAG('q', "quiet", &here.quiet,
		"print only the answer")},
	{LIST, OPT_FLAG('q', "quiet", &here.quiet, "print only the names")},
	{CALIBRATE, OPT_FLAG('q', "quiet", &here.quiet, "print only the table")},
	{AGAINST | RUN, OPT_FLAG('v', "verbose", &here.verbose,
		"also print p-values, artefacts and each step")},
	{COMPARE | REPORT | MERGE, OPT_FLAG('v', "verbose", &here.verbose,
		"also print p-values and artefacts")},
	{LIST | CALIBRATE, OPT_FLAG('v', "verbose", &here.verbose,
		"also print each step")},
	{CODE, OPT_FLAG('v', "verbose", &here.verbose,
		"also print every kernel that differs, with parameters and file, and each step")},
	{LIST | EVERYDAY, OPT_FLAG(0, "expected", &here.expected,
		"print a file for \"gate\": {\"expected\": ...} of the configuration: the benchmarks that a gate must measure")},
	{~0u, OPT_FLAG('h', "help", &here.help, "print this page")},
	{BUILD | EVERYDAY, OPT_FLAG(0, "help-all", &here.help_all,
		"print this page with every option")},
};
/* clang-format on */

/* The row for a command, pointing into its own struct. */
static ba_opt row_of(size_t i, ba_options *o)
{
	ba_opt mine = table[i].row;
	if (mine.value)
		mine.value = (char *)o + ((char *)mine.value - (char *)&here);
	mine.everyday = table[i].commands & EVERYDAY;
	return mine;
}

void ba_options_rows(ba_opt *rows, ba_options *o, ba_options_for command)
{
	size_t n = 0;
	for (size_t i = 0; i < BA_COUNT(table); i++) {
		bool group = table[i].row.kind == BA_OPT_GROUP;
		/* remove a group without rows */
		if (n > 0 && group && rows[n - 1].kind == BA_OPT_GROUP)
			n--;
		BA_REQUIRE(n + 1 < BA_OPTION_ROWS_MOST);
		if (group || (table[i].commands & command))
			rows[n++] = row_of(i, o);
	}
	rows[n] = (ba_opt)OPT_END;
}

void ba_options_init(ba_options *o)
{
	*o = (ba_options){.require = BA_LEVEL_BATCH};
	ba_job_request_init(&o->job);
}

void ba_options_dispose(ba_options *o)
{
	ba_job_request_dispose(&o->job);
	BA_DISPOSE(ba_strv, &o->higher, &o->lower, &o->suggested);
}
