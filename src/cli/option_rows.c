/* The options of the commands that resolve, build, measure or report: one row an option,
 * with the groups that list it. */
#include <string.h>

#include "base/count.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "model/level.h"
#include "model/limits.h"
#include "report/format.h"

static const char *const public_targets[] = {"gpu", "host", NULL};
static const char *const pass_words[] = {"pass", "fail", NULL};
static const char *const multiplicity_words[] = {"bh", "holm", "by", "none", NULL};
static const char *const when_words[] = {"auto", "always", "never", NULL};

/* What the rows of the table point into; those of a command point into its own. */
static ba_options here;

enum {
	WHAT = BA_OPTS_WHAT,
	DECIDE = BA_OPTS_DECIDE,
	SAMPLE = BA_OPTS_SAMPLE,
	CALIBRATE = BA_OPTS_CALIBRATE,
	BUILD = BA_OPTS_BUILD,
	MACHINE = BA_OPTS_MACHINE,
	OUTPUT = BA_OPTS_OUTPUT,
	SCREEN = BA_OPTS_SCREEN,
	LIST = BA_OPTS_LIST,
	LOOK = BA_OPTS_LOOK,
	COMPARE = BA_OPTS_COMPARE
};

/* clang-format off */
static const struct {
	unsigned groups; /* that list it */
	ba_opt row;
} table[] = {
	/* which benchmarks */
	{WHAT, OPT_GROUP("What is measured")},
	{WHAT, OPT_STRING(0, "suite", &here.job.suite,
		"only the suite <name> of the configuration")},
	{COMPARE, OPT_GROUP("What is compared")},
	{WHAT | COMPARE, OPT_LIST('f', "filter", &here.job.filters,
		"only benchmarks whose name matches <glob>; may be repeated")},
	{WHAT, OPT_LIST(0, "path", &here.job.paths,
		"launch path <name>, a glob, or 'all'; may be repeated")},
	{WHAT, OPT_STRING(0, "args", &here.job.args,
		"<list>: numbers of pointer arguments, as 0,1,2,3,4 or 8,16,64")},
	{WHAT, OPT_STRING(0, "bytes", &here.job.bytes,
		"<list>: sizes of one argument passed by value, as 64,4096,32764")},
	{WHAT, OPT_LIST(0, "axis", &here.job.axes,
		"<axis>=<values> of benchmarks: n=1024,4096 or S=128:1024:*2; may be repeated")},
	{WHAT, OPT_STRING(0, "metrics", &here.job.metrics,
		"<list>: submit, sustained, roundtrip of launches (all three), gpu_cold, gpu_hot, gpu_rotate, wall_cold, wall_hot of benchmarks (gpu_cold, gpu_hot, wall_hot)")},
	{WHAT, OPT_STRING(0, "verdict-on", &here.job.verdict_on,
		"<list> of metrics that decide (submit and gpu_cold)")},
	{WHAT, OPT_STRING(0, "loops", &here.job.loops,
		"<list>: launches of a 'sustained' repeat, for 0, 1, 2, ... arguments (100000 up to three, 10000 from four)")},
	{WHAT, OPT_INT_IN('n', "repeats", &here.job.repeats, 1, 10000,
		"repeat 'sustained' <n> times in all (7)")},
	{WHAT, OPT_INT_IN(0, "warm-up", &here.job.warm_up, 0, 1000000,
		"<n> runs of a benchmark before its first reading (200)")},
	{WHAT, OPT_INT_IN(0, "iterations", &here.job.iterations, 1, 1000000,
		"<n> measured runs of each variant at least (500)")},
	{WHAT, OPT_FLAG(0, "measure-identical", &here.job.measure_identical,
		"measure variants whose builds or whose device code are identical like any others, not only as a control")},
	{WHAT, OPT_FLAG(0, "no-device-code", &here.job.no_device_code,
		"do not look at device code before measuring")},
	{COMPARE, OPT_STRING(0, "metric", &here.metric,
		"<name> of another figure than the time that a format is about: cpu_time, a counter, B/op")},
	{COMPARE, OPT_FLAG(0, "force", &here.force,
		"compare what was measured on another device, driver, target or suite, and say so")},

	/* what counts as slower */
	{DECIDE | COMPARE, OPT_GROUP("What counts as slower")},
	{DECIDE | COMPARE, OPT_STRING('t', "threshold", &here.job.threshold,
		"<limit>: '2%', or '2% and 25ns' where both must be exceeded")},
	{COMPARE, OPT_STRING('c', "config", &here.job.config,
		"thresholds by benchmark from <file>, a configuration")},
	{DECIDE | COMPARE, OPT_RATIO(0, "alpha", &here.job.alpha,
		"error <rate> of the family of verdicts (5%)")},
	{DECIDE | COMPARE, OPT_FLAG(0, "strict", &here.job.strict,
		"'regressed' means certainly more than the threshold")},
	{DECIDE | COMPARE, OPT_CHOICE(0, "multiplicity", &here.job.multiplicity,
		multiplicity_words, "<how> many verdicts share the error rate (bh)")},
	{COMPARE, OPT_CHOICE(0, "require", &here.require, ba_level_names,
		"least that a verdict may rest on, <level>: values of a process each, of repetitions in one process, of its batches (batch)")},
	{COMPARE, OPT_FLAG(0, "allow-summaries", &here.allow_summaries,
		"files without samples decide too: their ratio against the threshold, without an error rate")},
	{DECIDE, OPT_CHOICE_OR(0, "gate", &here.job.gate, ba_gate_words, "on",
		"<on>: the baseline's configuration rules; strict: what failed, vanished or is not decided is no success either (off)")},
	{COMPARE, OPT_CHOICE_OR(0, "gate", &here.job.gate, ba_gate_words, "on",
		"<on>, or strict: what failed, vanished or is not decided is no success either (off)")},
	{DECIDE | COMPARE, OPT_CHOICE(0, "on-inconclusive", &here.job.on_inconclusive,
		pass_words, "<pass> or fail where it is not decided (pass; --gate=strict: fail)")},
	{DECIDE, OPT_FLAG(0, "fail-fast", &here.job.fail_fast,
		"stop at the first regression")},
	{DECIDE, OPT_FLAG(0, "allow-below-floor", &here.job.allow_below_floor,
		"measure also with thresholds that the calibration of this machine calls undecidable")},

	/* how it is measured */
	{SAMPLE | CALIBRATE, OPT_GROUP("How it is measured")},
	{SAMPLE, OPT_DURATION(0, "budget", &here.job.budget_ns,
		"stop measuring after <time>, as 30s or 8m; invocations are made short enough for the first look, which always comes; verdicts stay valid")},
	{SAMPLE, OPT_INT_IN(0, "fixed", &here.job.fixed, 2, BA_INVOCATIONS_MOST,
		"exactly <n> invocations, one look at the end")},
	{SAMPLE, OPT_INT_IN(0, "min-invocations", &here.job.min_invocations, 2, 32,
		"no look before <n> invocations")},
	{SAMPLE, OPT_INT_IN(0, "max-invocations", &here.job.max_invocations, 2, 32,
		"no look after <n> invocations")},
	{SAMPLE, OPT_U64(0, "seed", &here.job.seed,
		"<seed> of the schedule (random, and recorded)")},
	{CALIBRATE, OPT_FLAG(0, "thorough", &here.thorough,
		"16 invocations, not 8: limits that are closer")},
	{CALIBRATE, OPT_STRING('t', "threshold", &here.job.threshold,
		"<limit> that the table is for: '2%', or '2% and 25ns'")},
	{CALIBRATE, OPT_U64(0, "seed", &here.job.seed, "<seed> of the schedule (random)")},
	{SAMPLE | CALIBRATE, OPT_CHOICE(0, "engine", &here.job.engine, ba_engine_words,
		"<engine>: all variants in one process, one each, or one after the other (auto)")},
	{SAMPLE, OPT_CHOICE(0, "flush", &here.job.flush, ba_flush_words,
		"<how> the L2 cache is emptied before a cold run: read leaves clean lines; write, a memset as other tools have it, leaves lines that the run pays for (read)")},
	{SAMPLE, OPT_INT_IN(0, "batch", &here.job.batch, 1, 1000000,
		"<n> launches between two clock reads (calibrated)")},
	{SAMPLE, OPT_INT_IN(0, "blocks", &here.job.blocks, 2, 100000,
		"<n> blocks an invocation (calibrated)")},
	{CALIBRATE, OPT_INT_IN(0, "blocks", &here.job.blocks, 2, 100000,
		"<n> blocks an invocation (by time)")},
	{SAMPLE | CALIBRATE, OPT_DURATION(0, "hang-after", &here.job.hang_ns,
		"a worker without a sign of life for <time> hangs (60s)")},
	{SAMPLE, OPT_STRING(0, "resume", &here.resume,
		"go on with a run that was ended, whose journal is <file>: RESULTS.journal of its --output RESULTS, else the newest in $(bench-against cache path)/journals")},

	/* configuration and builds */
	{BUILD, OPT_GROUP("Trees and builds")},
	{BUILD, OPT_STRING('C', "directory", &here.directory, "as if started in <dir>")},
	{BUILD, OPT_STRING('c', "config", &here.job.config,
		"read the configuration from <file>")},
	{BUILD, OPT_STRING(0, "config-from", &here.job.config_from,
		"<variant> whose configuration rules, by label, or 'worktree'")},
	{BUILD, OPT_INT_IN('j', "jobs", &here.job.jobs, 1, 1024,
		"build <n> variants side by side")},
	{BUILD, OPT_FLAG(0, "no-build", &here.job.no_build,
		"fail rather than build: only trees that are in the cache")},
	{BUILD, OPT_FLAG(0, "in-place", &here.job.in_place,
		"build path:DIR variants in their own directory")},
	{BUILD, OPT_FLAG(0, "keep", &here.job.keep,
		"keep temporary trees, and say where")},
	{BUILD, OPT_FLAG(0, "lfs-pointers", &here.job.allow_lfs_pointers,
		"leave Git LFS pointers where their content is missing")},
	{BUILD, OPT_STRING(0, "cache-dir", &here.cache_dir, "keep built trees in <dir>")},

	/* machine */
	{MACHINE, OPT_GROUP("Machine")},
	{MACHINE, OPT_CHOICE(0, "target", &here.job.target, public_targets,
		"<gpu>, or host: a driver that returns at once, no GPU needed (gpu)")},
	{MACHINE, OPT_INT_IN(0, "device", &here.job.device, 0, 1023, "GPU number <n> (0)")},
	{MACHINE, OPT_INT_IN(0, "cpu", &here.job.cpu, 0, 8191,
		"pin the workers to processor <n> (near the GPU, its core free of other runs)")},
	{MACHINE, OPT_STRING(0, "fake-driver", &here.job.fake_driver,
		"for tests of the tool: a test driver in <file>; its figures mean nothing")},

	/* output */
	{OUTPUT | SCREEN | CALIBRATE, OPT_GROUP("Output")},
	{OUTPUT, OPT_STRING('o', "output", &here.output,
		"write everything, samples too, to <file> (JSON)")},
	{OUTPUT, OPT_STRING(0, "report", &here.report,
		"write every format into <dir>; index.html is for people")},
	{OUTPUT, OPT_FLAG(0, "no-history", &here.no_history,
		"do not add this run to the history (bench-against history)")},
	{OUTPUT, OPT_CHOICE(0, "format", &here.format, ba_format_names,
		"<format> of the answer on standard output (term)")},
	{LOOK | SCREEN | CALIBRATE, OPT_CHOICE_OR(0, "color", &here.colour, when_words,
		"always", "colour <when> (auto)")},
	{LOOK | SCREEN, OPT_CHOICE_OR(0, "unicode", &here.unicode, when_words, "always",
		"characters beyond ASCII <when> (auto)")},
	{OUTPUT | SCREEN | CALIBRATE, OPT_CHOICE_OR(0, "progress", &here.progress,
		ba_progress_modes, "line", "progress on standard error, <how> (auto)")},
	{LOOK, OPT_FLAG('q', "quiet", &here.quiet, "the answer alone")},
	{SCREEN, OPT_FLAG('q', "quiet", &here.quiet, "no progress, no remarks")},
	{CALIBRATE, OPT_FLAG('q', "quiet", &here.quiet, "the table alone")},
	{LOOK, OPT_FLAG('v', "verbose", &here.verbose,
		"p-values, artefacts, what is being done")},
	{SCREEN | CALIBRATE, OPT_FLAG('v', "verbose", &here.verbose,
		"what is being done")},
	{LIST, OPT_GROUP("Form")},
	{LIST, OPT_FLAG(0, "expected", &here.expected,
		"as a file for the configuration's \"gate\": {\"expected\": ...}: benchmarks that a gate misses when they are not measured")},
};
/* clang-format on */

/* The row as the command has it: of its own struct. */
static ba_opt row_of(const ba_opt *row, ba_options *o)
{
	ba_opt mine = *row;
	if (mine.value)
		mine.value = (char *)o + ((char *)row->value - (char *)&here);
	return mine;
}

void ba_options_rows(ba_opt *rows, ba_options *o, unsigned groups)
{
	/* the order of groups on a page */
	static const unsigned order[] = {WHAT, DECIDE, SAMPLE, CALIBRATE, BUILD,
		MACHINE, OUTPUT, SCREEN, LIST, LOOK, COMPARE};
	const ba_opt end[] = {OPT_FLAG('h', "help", &o->help, "this page"), OPT_END};
	size_t n = 0;
	if (groups & OUTPUT)
		groups |= LOOK;
	for (size_t i = 0; i < BA_COUNT(order); i++)
		for (size_t k = 0; k < BA_COUNT(table); k++)
			if (groups & order[i] & table[k].groups)
				rows[n++] = row_of(&table[k].row, o);
	memcpy(rows + n, end, sizeof(end));
}
