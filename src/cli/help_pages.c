/* The tool's own page of help, and the list of all pages. */
#include "cli/help.h"

static const ba_help_section sections[] = {
	{.title = "Variants",
		.text = "The first variant is the baseline; the others are compared with it.\n"
			"REV\ta commit: HEAD~3, v1.2, a branch, an abbreviated id\n"
			"WORKTREE\tthe working tree with its uncommitted changes\n"
			"path:DIR\ta directory outside the repository\n"
			"LABEL=...\tany of these under a name of your choice\n"
			"Without variants: HEAD and WORKTREE if that has changes, else HEAD~ and HEAD.\n"},
	{.title = "Examples",
		.text = "  bench-against                         what did I just change?\n"
			"  bench-against HEAD~ HEAD              the last commit\n"
			"  bench-against main WORKTREE --filter 'launch/args=4*'\n"
			"  bench-against old=v1.0 new=v2.0 --threshold 1% -o results.json\n"
			"  bench-against HEAD~ HEAD --target host   without a GPU\n"
			"  bench-against bisect v1.0 HEAD        which commit was it?\n",
		.only_all = true},
	{.title = "What the answer means",
		.text = "regressed\tslower by more than the threshold; at most 1 in 20 of these verdicts is wrong\n"
			"improved\tfaster by more than the threshold\n"
			"tail-regressed\tthe mean is slower by more than the threshold, the typical time is not; counts as regressed\n"
			"tail-improved\tthe mean is faster by more than the threshold, the typical time is not; counts as improved\n"
			"identical\tthe variants run the same code; measured briefly, as a control\n"
			"unchanged\tshown to lie within the threshold, not merely \"no difference found\"\n"
			"inconclusive\tnone of these could be shown; the report says what would help\n"
			"The 95 % intervals hold however often the tool looked before it stopped.\n",
		.after_options = true,
		.only_all = true},
	{.title = "Exit status",
		.text = "0\tno benchmark got slower\n"
			"1\tat least one did; with --gate=strict also: one failed or is missing\n"
			"125\tcould not be measured; with --gate=strict also: inconclusive\n"
			"129\tthe command line or the configuration is wrong\n"
			"128+N\tended by signal N, as a shell reports it\n",
		.after_options = true},
	{.title = "Files and environment",
		.text = ".bench-against.json\thow to build and what to measure (JSON with comments)\n"
			"BENCH_AGAINST_CACHE\twhere built trees are kept; else $XDG_CACHE_HOME/bench-against\n"
			"BENCH_AGAINST_HISTORY\tthe file of the history; see 'bench-against history --help'\n"
			"NO_COLOR\tno colour, as with --color=never\n",
		.after_options = true,
		.only_all = true},
	{0},
};

static const ba_help_page top = {
	.name = "",
	.brief = "did this change make kernel launches slower?",
	.usage = "bench-against [OPTIONS] [BASELINE CANDIDATE [MORE...]]\n"
		 "bench-against COMMAND [OPTIONS] ...",
	.summary =
		"Did this change make CUDA launches or kernels slower? It measures plain C++ and Python, too, without a GPU, and its error rate is known.\n",
	.sections = sections,
};

const ba_help_page *const ba_help_pages[] = {
	&top,
	&ba_help_init,
	&ba_help_run,
	&ba_help_list,
	&ba_help_bisect,
	&ba_help_demo,
	&ba_help_report,
	&ba_help_explain,
	&ba_help_merge,
	&ba_help_compare,
	&ba_help_history,
	&ba_help_plot,
	&ba_help_verify,
	&ba_help_convert,
	&ba_help_doctor,
	&ba_help_calibrate,
	&ba_help_cache,
	&ba_help_replay,
	&ba_help_decide,
	&ba_help_completion,
	&ba_help_manual,
	NULL,
};
