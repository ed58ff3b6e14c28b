/* Pages of help for the commands that measure a project. */
#include "cli/help.h"

static const ba_help_section init_sections[] = {
	{.title = "What it writes",
		.text = ".bench-against.json\thow to build, what to measure\n"
			"bench/\tonly if the project has no benchmarks: a first one, which works as it is and says which line to edit (bench-against/ if bench/ is yours)\n"
			".github/ or .gitlab/\tthe workflow that measures each change; for GitHub in two steps, so that pull requests from forks are measured without credentials\n"
			"With --hook instead: the hook pre-push of this clone, which is not part of the repository.\n"},
	{.title = "What it looks for",
		.text = "Python\ttests with the fixture of pytest-benchmark, asv.conf.json; compiled parts, and a version that is known only after installation: then each variant is installed into its tree\n"
			"CMake\ta program that links with Google Benchmark; device code: then a launcher in C is written\n"
			"CMake, Meson, autotools, make\ta program of the project, which is timed from start to end\n"
			"It reads files and runs nothing.\n"},
	{.title = "Examples",
		.text = "  bench-against init\n"
			"  bench-against init --kind python --ci none\n"
			"  bench-against init --hook\n"},
	{0},
};

const ba_help_page ba_help_init = {
	.name = "init",
	.brief = "write a configuration, a first suite and a workflow",
	.usage = "bench-against init [OPTIONS]",
	.summary =
		"How do I begin? Looks at the repository and writes what a first comparison needs. "
		"Existing files stay unchanged. "
		"It prints what it wrote and what to do next.\n",
	.sections = init_sections,
};

static const ba_help_section run_sections[] = {
	{.title = "Examples",
		.text = "  bench-against run WORKTREE\n"
			"  bench-against run v1.2 --filter '*args=0*' -o v1.2.json\n"},
	{.title = "Exit status",
		.text = "0\tevery benchmark was measured\n"
			"125\ta benchmark could not be measured, or there was none\n"
			"129\tthe command line or the configuration is wrong\n",
		.after_options = true},
	{0},
};

const ba_help_page ba_help_run = {
	.name = "run",
	.brief = "measure one variant, compare nothing",
	.usage = "bench-against run [OPTIONS] [VARIANT]",
	.summary =
		"How fast is it? Builds and measures one variant (WORKTREE if none is given) and prints each benchmark with its spread. "
		"To learn whether something got slower, do not compare two such runs: clocks and memory layout change between runs by more than most changes do. "
		"Give both variants to one 'bench-against A B'.\n",
	.sections = run_sections,
};

static const ba_help_section list_sections[] = {
	{.title = "Examples",
		.text = "  bench-against list\n"
			"  bench-against list --filter 'launch/*path=signature*'\n"
			"  bench-against list --expected > .bench-against.expected\n"},
	{0},
};

const ba_help_page ba_help_list = {
	.name = "list",
	.brief = "print the benchmarks that would run",
	.usage = "bench-against list [OPTIONS] [VARIANT...]",
	.summary =
		"What would be measured? Prints the name of every benchmark that the configuration and the options select, one per line. "
		"Without VARIANT: of WORKTREE if that has changes, else of HEAD. "
		"--filter and the thresholds of the configuration match these names; '*' matches any characters, '/' included.\n",
	.sections = list_sections,
};

static const ba_help_section bisect_sections[] = {
	{.title = "Examples",
		.text = "  bench-against bisect v1.0 HEAD\n"
			"  bench-against bisect v1.0 HEAD --filter 'launch/args=4*' --threshold 5%\n"
			"  bench-against bisect v1.0 HEAD --budget 2m --format json\n"},
	{.title = "How",
		.text = "Follows first parents. A first run compares GOOD and BAD; the benchmark that stands out most is followed, unless --filter chooses others. "
			"Each step measures GOOD, several commits and BAD in one run, so that times of different runs are never compared. "
			"The search ends when one commit has a probability of 95 %. "
			"Commits that do not build are skipped and named. "
			"If two commits made it slower, both are named. "
			"A search that was killed continues when you run the same command again.\n",
		.after_options = true},
	{.title = "Exit status",
		.text = "0\tone commit is named, or two for two steps\n"
			"125\tnone can be named: BAD is not slower, the budget is over, or the commits around the change could not be measured\n"
			"129\tthe command line or the configuration is wrong\n",
		.after_options = true},
	{0},
};

const ba_help_page ba_help_bisect = {
	.name = "bisect",
	.brief = "find the commit that made it slower",
	.usage = "bench-against bisect [OPTIONS] GOOD BAD",
	.summary =
		"Which commit was it? Searches between a commit that was fast enough and one that is not. "
		"Your working tree, index and HEAD stay unchanged.\n",
	.sections = bisect_sections,
};

static const ba_help_section demo_sections[] = {
	{.title = "Try",
		.text = "  bench-against demo /tmp/demo && cd /tmp/demo\n"
			"  bench-against baseline contextvar v2\n"
			"  bench-against baseline contextvar v2 --target host   without a GPU\n"},
	{0},
};

const ba_help_page ba_help_demo = {
	.name = "demo",
	.brief = "make a repository with three variants to try this on",
	.usage = "bench-against demo [OPTIONS] DIR",
	.summary =
		"Makes a git repository in DIR, which must be empty or not exist. "
		"It has a small launch library and the branches baseline, contextvar and v2: three ways to keep state for each launch, with different costs.\n",
	.sections = demo_sections,
};
