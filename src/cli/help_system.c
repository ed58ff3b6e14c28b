/* Pages of help for the commands about the machine, and for scripts. */
#include "cli/help.h"

static const ba_help_section doctor_sections[] = {
	{.title = "Exit status",
		.text = "0\tthe machine can measure on its GPU\n"
			"125\tit cannot, for the reasons printed; --target host may still work\n",
		.after_options = true},
	{0},
};

const ba_help_page ba_help_doctor = {
	.name = "doctor",
	.brief = "check whether this machine can measure, and its noise",
	.usage = "bench-against doctor [OPTIONS]",
	.summary =
		"Can this machine measure, and how well? Looks at driver, device, clocks, other processes, CPU, timer and cache directory. "
		"Each finding says what it means and what to do about it. "
		"Nothing is changed: no clocks, no power limits, no persistence mode.\n",
	.sections = doctor_sections,
};

static const ba_help_section calibrate_sections[] = {
	{.title = "Examples",
		.text = "  bench-against calibrate\n"
			"  bench-against calibrate main --thorough --threshold 1%\n"},
	{.title = "What runs do with it",
		.text = "Later runs on this machine refuse thresholds that are too small for its noise (--allow-below-floor measures all the same), say beforehand which benchmarks will take long, and notice when the machine is noisier than it was. "
			"Verdicts do not depend on it.\n",
		.after_options = true},
	{.title = "Exit status",
		.text = "0\tcalibrated\n"
			"125\tnothing could be measured\n"
			"129\tthe command line or the configuration is wrong\n",
		.after_options = true},
	{0},
};

const ba_help_page ba_help_calibrate = {
	.name = "calibrate",
	.brief = "measure this machine's noise, and the least threshold",
	.usage = "bench-against calibrate [OPTIONS] [VARIANT]",
	.summary =
		"Which thresholds make sense here? Builds one variant (HEAD if none is given) twice and measures it against itself. "
		"Prints for each benchmark how much its results vary, the least threshold that gives a verdict, and how long it takes to show that nothing changed. "
		"The result is kept in the cache for this GPU, driver and host.\n",
	.sections = calibrate_sections,
};

static const ba_help_section cache_sections[] = {
	{.title = "Actions",
		.text = "list\tthe built trees: what, when, how large (the default)\n"
			"prune\tremove the least recently used ones until the rest fits --max-size\n"
			"clear\tremove every tree that no run is using, and logs of builds\n"
			"path\tprint the directory of the cache\n"},
	{0},
};

const ba_help_page ba_help_cache = {
	.name = "cache",
	.brief = "list, prune and clear built trees",
	.usage = "bench-against cache [list|prune|clear|path] [OPTIONS]",
	.summary =
		"What is kept, and where? A built tree is kept under a hash of everything that went into it: tree, submodules, build command, toolchain. "
		"As long as none of these changes, the next run builds nothing.\n",
	.sections = cache_sections,
};

static const ba_help_section replay_sections[] = {
	{.title = "The trace",
		.text = "CSV with this header; lines that begin with # are comments:\n"
			"  benchmark,invocation,block,position,variant,sample,ns\n"
			"The baseline is A if variants are single capital letters, else the variant of the first row.\n"},
	{.title = "Example", .text = "  bench-against replay trace.csv --threshold 1%\n"},
	{0},
};

const ba_help_page ba_help_replay = {
	.name = "replay",
	.brief = "apply the decision rule to a recorded trace",
	.usage = "bench-against replay [OPTIONS] FILE",
	.summary =
		"What would the decision rule have said? Reads recorded samples, looks at them as a run does, and prints the verdict, the ratio and the p-values of each benchmark at full precision. "
		"Nothing is measured. "
		"The same file always gives the same bytes.\n",
	.sections = replay_sections,
};

static const ba_help_section decide_sections[] = {
	{.title = "The document",
		.text = "A results file, or one in which everything that follows from the samples is missing: docs/results.md says what is needed. "
			"'-' is standard input.\n"},
	{.title = "Example",
		.text = "  bench-against decide samples.json -o results.json\n"
			"  bench-against report results.json\n"},
	{.title = "Exit status",
		.text = "that of a run: 0, 1 for a regression, 125 for nothing measured\n"
			"129\tthe command line is wrong, or the document cannot be read\n",
		.after_options = true},
	{0},
};

const ba_help_page ba_help_decide = {
	.name = "decide",
	.brief = "decide the verdicts of a document from its samples",
	.usage = "bench-against decide [OPTIONS] FILE",
	.summary =
		"Your program measured, and the decision rule is wanted? Reads interleaved samples, takes as many looks as they are enough for, and writes the document with estimates, intervals, verdicts and the answer. "
		"Nothing is measured. "
		"bench_against_worker.compare() in Python uses it.\n",
	.sections = decide_sections,
};

static const ba_help_section completion_sections[] = {
	{.title = "Examples",
		.text = "  source <(bench-against completion bash)     in ~/.bashrc\n"
			"  source <(bench-against completion zsh)      in ~/.zshrc, after compinit\n"
			"  bench-against completion fish | source      in config.fish\n"},
	{0},
};

const ba_help_page ba_help_completion = {
	.name = "completion",
	.brief = "print a completion script for bash, zsh or fish",
	.usage = "bench-against completion bash|zsh|fish",
	.summary =
		"Prints a completion script for the shell: commands, options and their words, files, and the refs of the repository. "
		"An installed bench-against has it in place already.\n",
	.sections = completion_sections,
};

static const ba_help_section manual_sections[] = {
	{.title = "Example", .text = "  bench-against manual | man -l -\n"},
	{0},
};

const ba_help_page ba_help_manual = {
	.name = "manual",
	.brief = "print the manual page: the tool and all its commands",
	.usage = "bench-against manual",
	.summary = "Prints bench-against(1), made from the same tables as --help. "
		   "An installed bench-against has it in place already.\n",
	.sections = manual_sections,
};
