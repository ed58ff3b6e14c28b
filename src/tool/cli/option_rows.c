/* The options of commands: one row each, with the commands that accept it. What --help says of
 * it is a line of options.txt. */
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
	ba_opt row; /* help: the name of its line in options.txt; NULL: the option's own */
} table[] = {
	{0, OPT_GROUP("What is measured")},
	{BUILD, OPT_STRING(0, "suite", &here.job.suite, NULL)},
	{BUILD | EVERYDAY, OPT_LIST('f', "filter", &here.job.filters, NULL)},
	{AGAINST | RUN, OPT_STRING(0, "filter-from", &here.filter_from, NULL)},
	{BUILD, OPT_LIST(0, "path", &here.job.paths, NULL)},
	{BUILD, OPT_STRING(0, "args", &here.job.args, NULL)},
	{BUILD, OPT_STRING(0, "bytes", &here.job.bytes, NULL)},
	{BUILD, OPT_LIST(0, "axis", &here.job.axes, NULL)},
	{MEASURE, OPT_STRING(0, "metrics", &here.job.metrics, NULL)},
	{AGAINST | BISECT | CALIBRATE | TRY, OPT_STRING(0, "verdict-on", &here.job.verdict_on,
		NULL)},
	{AGAINST | RUN, OPT_CHOICE(0, "explain", &here.job.explain, ba_explain_words, NULL)},
	{MEASURE, OPT_CHOICE(0, "count-with", &here.job.count_with, ba_count_words, NULL)},
	{MEASURE, OPT_U64(0, "count-most", &here.job.count_most, NULL)},
	{MEASURE, OPT_STRING(0, "loops", &here.job.loops, NULL)},
	{MEASURE, OPT_INT_IN('n', "repeats", &here.job.repeats, 1, 10000, NULL)},
	{MEASURE, OPT_INT_IN(0, "warm-up", &here.job.warm_up, 0, 1000000, NULL)},
	{MEASURE, OPT_INT_IN(0, "iterations", &here.job.iterations, 1, 1000000, NULL)},
	{JUDGE, OPT_FLAG(0, "measure-identical", &here.job.measure_identical, NULL)},
	{AGAINST, OPT_FLAG(0, "only-changed", &here.job.only_changed, NULL)},
	{AGAINST, OPT_INT_IN(0, "controls", &here.job.controls, 1, 1000000, NULL)},
	{JUDGE, OPT_FLAG(0, "ncu", &here.job.ncu, NULL)},
	{MEASURE, OPT_FLAG(0, "no-device-code", &here.job.no_device_code, NULL)},

	{0, OPT_GROUP("What is compared")},
	{COMPARE, OPT_LIST('f', "filter", &here.job.filters, NULL)},
	{COMPARE, OPT_STRING(0, "metric", &here.metric, NULL)},
	{COMPARE, OPT_LIST(0, "higher-is-better", &here.higher, NULL)},
	{COMPARE, OPT_LIST(0, "lower-is-better", &here.lower, NULL)},
	{MERGE, OPT_FLAG(0, "different-cpus", &here.different_cpus, NULL)},
	{COMPARE, OPT_FLAG(0, "force", &here.force, NULL)},

	{0, OPT_GROUP("What counts as slower")},
	{JUDGE | TRY | COMPARE | EVERYDAY, OPT_STRING('t', "threshold", &here.job.threshold, NULL)},
	{COMPARE, OPT_STRING('c', "config", &here.job.config, "compare config")},
	{JUDGE | TRY | COMPARE, OPT_RATIO(0, "alpha", &here.job.alpha, NULL)},
	{JUDGE | COMPARE, OPT_FLAG(0, "strict", &here.job.strict, NULL)},
	{JUDGE | COMPARE, OPT_CHOICE(0, "multiplicity", &here.job.multiplicity,
		multiplicity_words, NULL)},
	{COMPARE, OPT_CHOICE(0, "require", &here.require, ba_level_names, NULL)},
	{COMPARE, OPT_STRING(0, "csv-columns", &here.csv_columns, NULL)},
	{COMPARE, OPT_FLAG(0, "allow-summaries", &here.allow_summaries, NULL)},
	{JUDGE | EVERYDAY, OPT_CHOICE_OR(0, "gate", &here.job.gate, ba_gate_words, "on", NULL)},
	{COMPARE, OPT_CHOICE_OR(0, "gate", &here.job.gate, ba_gate_words, "on", "compare gate")},
	{CODE, OPT_CHOICE_OR(0, "gate", &here.job.gate, ba_gate_words, "on", "code gate")},
	{AGAINST, OPT_FLAG(0, "untrusted", &here.job.untrusted, NULL)},
	{JUDGE | COMPARE, OPT_CHOICE(0, "on-inconclusive", &here.job.on_inconclusive,
		pass_words, NULL)},
	{AGAINST | COMPARE, OPT_CHOICE(0, "fail-on", &here.job.fail_on, fail_words, NULL)},
	{AGAINST, OPT_FLAG(0, "fail-fast", &here.job.fail_fast, NULL)},
	{JUDGE, OPT_FLAG(0, "allow-below-floor", &here.job.allow_below_floor, NULL)},

	{0, OPT_GROUP("How it is measured")},
	{AGAINST | RUN | EVERYDAY, OPT_DURATION(0, "budget", &here.job.budget_ns, NULL)},
	{BISECT | EVERYDAY, OPT_DURATION(0, "budget", &here.job.budget_ns, "bisect budget")},
	{AGAINST, OPT_INT_IN(0, "fixed", &here.job.fixed, 2, BA_INVOCATIONS_MOST, NULL)},
	{BISECT, OPT_INT_IN(0, "fixed", &here.job.fixed, 2, BA_INVOCATIONS_MOST,
		"bisect fixed")},
	{BISECT | EVERYDAY, OPT_FLAG(0, "faster", &here.faster, NULL)},
	{BISECT, OPT_FLAG(0, "into-merges", &here.into_merges, NULL)},
	{BISECT, OPT_STRING(0, "versions", &here.versions, "bisect versions")},
	{BISECT, OPT_STRING(0, "among", &here.among, "bisect among")},
	{TRY | EVERYDAY, OPT_INT_IN(0, "fixed", &here.job.fixed, 2, BA_INVOCATIONS_MOST,
		"judge fixed")},
	{AGAINST, OPT_STRING(0, "part", &here.job.part, NULL)},
	{RUN, OPT_INT_IN(0, "fixed", &here.job.fixed, 2, BA_INVOCATIONS_MOST, "run fixed")},
	{AGAINST, OPT_INT_IN(0, "min-invocations", &here.job.min_invocations, 2, 32, NULL)},
	{AGAINST, OPT_INT_IN(0, "max-invocations", &here.job.max_invocations, 2, 32, NULL)},
	{CALIBRATE, OPT_FLAG(0, "thorough", &here.thorough, NULL)},
	{CALIBRATE | EVERYDAY, OPT_STRING('t', "threshold", &here.job.threshold,
		"calibrate threshold")},
	{MEASURE, OPT_U64(0, "seed", &here.job.seed, NULL)},
	{MEASURE & ~RUN & ~TRY, OPT_CHOICE(0, "engine", &here.job.engine, ba_engine_words, NULL)},
	{AGAINST | RUN | BISECT, OPT_CHOICE(0, "flush", &here.job.flush, ba_flush_words, NULL)},
	{AGAINST | RUN | BISECT, OPT_INT_IN(0, "batch", &here.job.batch, 1, 1000000, NULL)},
	{MEASURE, OPT_INT_IN(0, "blocks", &here.job.blocks, 2, 100000, NULL)},
	{AGAINST | RUN | BISECT, OPT_INT_IN(0, "layouts", &here.job.layouts, 1,
		BA_LAYOUTS_MOST, NULL)},
	{AGAINST, OPT_INT_IN(0, "rotation", &here.job.rotation, 1, 16, NULL)},
	{MEASURE, OPT_DURATION(0, "hang-after", &here.job.hang_ns, NULL)},
	{AGAINST | RUN, OPT_STRING(0, "resume", &here.resume, NULL)},

	{BISECT, OPT_STRING(0, "resume", &here.resume, "bisect resume")},

	{0, OPT_GROUP("Trees and builds")},
	{TREES, OPT_STRING('C', "directory", &here.directory, NULL)},
	{TREES, OPT_STRING('c', "config", &here.job.config, NULL)},
	{TREES, OPT_STRING(0, "config-from", &here.job.config_from, NULL)},
	{TREES, OPT_LIST(0, "overlay", &here.job.overlay, NULL)},
	{TREES & ~RUN, OPT_INT_IN('j', "jobs", &here.job.jobs, 1, 1024, NULL)},
	{BISECT, OPT_FLAG(0, "no-build-ahead", &here.no_build_ahead, NULL)},
	{TREES, OPT_FLAG(0, "no-build", &here.job.no_build, NULL)},
	{AGAINST | RUN | LIST | CODE, OPT_FLAG(0, "in-place", &here.job.in_place, NULL)},
	{TREES, OPT_FLAG(0, "sandbox", &here.job.sandbox, NULL)},
	{TREES, OPT_FLAG(0, "keep", &here.job.keep, NULL)},
	{TREES, OPT_FLAG(0, "lfs-pointers", &here.job.allow_lfs_pointers, NULL)},
	{TREES | DOCTOR, OPT_STRING(0, "cache-dir", &here.cache_dir, NULL)},

	{0, OPT_GROUP("System under test")},
	{MEASURE | DOCTOR | EVERYDAY, OPT_CHOICE(0, "target", &here.job.target,
		public_targets, NULL)},
	{BISECT | TRY, OPT_STRING(0, "device", &here.job.devices, "bisect device")},
	{DOCTOR, OPT_STRING(0, "device", &here.job.devices, "doctor device")},
	{BA_FOR_DEVICES, OPT_STRING(0, "device", &here.job.devices, NULL)},
	{AGAINST | RUN | BISECT, OPT_STRING(0, "on", &here.job.on, NULL)},
	{AGAINST | RUN | BISECT, OPT_STRING(0, "build-on", &here.job.build_on, NULL)},
	{AGAINST | RUN | BISECT, OPT_FLAG(0, "ship", &here.job.ship, NULL)},
	{AGAINST | RUN | BISECT, OPT_STRING(0, "desk", &here.job.exchange, NULL)},
	{AGAINST | RUN | BISECT, OPT_DURATION(0, "start-within", &here.job.start_within_ns, NULL)},
	{AGAINST | RUN | BISECT, OPT_DURATION(0, "keep-tasks", &here.job.keep_tasks_ns, NULL)},
	{MEASURE, OPT_INT_IN(0, "cpu", &here.job.cpu, 0, 8191, NULL)},
	{MEASURE, OPT_STRING(0, "fake-driver", &here.job.fake_driver, NULL)},

	{0, OPT_GROUP("Output")},
	{ANSWER | EVERYDAY, OPT_STRING('o', "output", &here.output, NULL)},
	{ANSWER | EVERYDAY, OPT_STRING(0, "report", &here.report, NULL)},
	{AGAINST, OPT_STRING(0, "attest", &here.attest, NULL)},
	{AGAINST | RUN | MERGE | CODE, OPT_FLAG(0, "no-history", &here.no_history, NULL)},
	{BISECT, OPT_CHOICE(0, "format", &here.bisect_format, bisect_formats, "bisect format")},
	{ANSWER, OPT_CHOICE(0, "format", &here.format, ba_format_names, NULL)},
	{TREES & ~BISECT, OPT_CHOICE_OR(0, "progress", &here.progress, ba_progress_modes,
		"line", NULL)},
	{ANSWER | CALIBRATE | DOCTOR | REPORT | EXPLAIN | CODE, OPT_CHOICE_OR(0, "color",
		&here.colour, when_words, "always", NULL)},
	{ANSWER | CALIBRATE | LIST | DOCTOR | REPORT | EXPLAIN | CODE, OPT_CHOICE_OR(0,
		"unicode", &here.unicode, when_words, "always", NULL)},
	{ANSWER | REPORT | BISECT | CODE, OPT_FLAG('q', "quiet", &here.quiet, NULL)},
	{LIST, OPT_FLAG('q', "quiet", &here.quiet, "list quiet")},
	{CALIBRATE, OPT_FLAG('q', "quiet", &here.quiet, "calibrate quiet")},
	{AGAINST | RUN, OPT_FLAG('v', "verbose", &here.verbose, NULL)},
	{COMPARE | REPORT | MERGE, OPT_FLAG('v', "verbose", &here.verbose, "compare verbose")},
	{LIST | CALIBRATE, OPT_FLAG('v', "verbose", &here.verbose, "list verbose")},
	{CODE, OPT_FLAG('v', "verbose", &here.verbose, "code verbose")},
	{LIST | EVERYDAY, OPT_FLAG(0, "expected", &here.expected, NULL)},
	{~0u, OPT_FLAG('h', "help", &here.help, NULL)},
	{BUILD | EVERYDAY, OPT_FLAG(0, "help-all", &here.help_all, NULL)},
};
/* clang-format on */

extern const char ba_option_texts[];
BA_EMBED(ba_option_texts, BA_PAGES_DIR "/options.txt");

/* The lines are never freed. */
const char *ba_option_text(const char *command, const char *option)
{
	static ba_strv lines;
	BA_AUTO_FREE char *key = ba_xprintf("%s%s%s\t", command, *command ? " " : "", option);
	if (!lines.count)
		ba_strv_split(&lines, ba_option_texts, '\n');
	char **line = BA_FIND(lines.items, lines.count, one, ba_text_starts(*one, key));
	return line ? *line + strlen(key) : "";
}

/* The row for a command, pointing into its own struct. */
static ba_opt row_of(size_t i, ba_options *o)
{
	ba_opt mine = table[i].row;
	if (mine.value)
		mine.value = (char *)o + ((char *)mine.value - (char *)&here);
	if (mine.kind != BA_OPT_GROUP)
		mine.help = ba_option_text("", mine.help ? mine.help : mine.long_name);
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
