/* Pages of help for the commands that read result files. */
#include "cli/help.h"

static const ba_help_section report_sections[] = {
	{.title = "Examples",
		.text = "  bench-against HEAD~ HEAD -o results.json\n"
			"  bench-against report results.json\n"
			"  bench-against report results.json --junit junit.xml\n"
			"  bench-against report results.json --report public/\n"
			"  bench-against report results.json --across backend=math --format markdown\n"
			"  bench-against report results.json --format summary >>\"$GITHUB_STEP_SUMMARY\"\n"},
	{.title = "Exit status",
		.text = "0\twritten, whatever the answer in the file is\n"
			"125\ta file cannot be written\n"
			"129\tthe command line is wrong, or the file is not a results file\n",
		.after_options = true},
	{0},
};

const ba_help_page ba_help_report = {
	.name = "report",
	.brief = "write results as a page, a comment, JUnit XML ...",
	.usage = "bench-against report [OPTIONS] RESULTS.json",
	.summary =
		"Writes a results file (--output) in other formats; without options as text on standard output. "
		"Nothing is measured or judged again: 'verify' does that.\n",
	.sections = report_sections,
};

static const ba_help_section explain_sections[] = {
	{.title = "Examples",
		.text = "  bench-against HEAD~ HEAD --target host -o results.json\n"
			"  bench-against explain results.json\n"
			"  bench-against explain results.json 'launch/args=2*'\n"
			"  bench-against explain results.json --format json\n"},
	{.title = "What it shows",
		.text = "A row for each function whose count differs; the rows add up to the whole difference. "
			"Below a function are the source lines that differ most, where there is debug information.\n"
			"new, gone\tonly the candidate, or only the baseline, executes it\n"
			"renamed\tthe same sequence of instructions under another name\n"
			"own\tlibraries and programs in the variant's tree\n"
			"runtime\tlibc, an interpreter, frameworks, code made at run time\n"
			"driver\tlibcuda; shown, and it decides nothing\n"
			"For Python, a first table has the bytecodes executed in each code object.\n"
			"Of each kernel that differs, it shows registers, shared and local memory, the size of the code, and the occupancy that they allow.\n",
		.after_options = true},
	{.title = "Exit status",
		.text = "0\texplained, or there is nothing to explain\n"
			"129\tthe command line is wrong, no benchmark matches, or the file is not a results file\n",
		.after_options = true},
	{0},
};

const ba_help_page ba_help_explain = {
	.name = "explain",
	.brief = "show why: functions and kernels that differ",
	.usage = "bench-against explain [OPTIONS] RESULTS.json [BENCHMARK...]",
	.summary =
		"Why did it get slower? A run counts the instructions of a launch in each variant, and notes where they are executed. "
		"This command shows the functions, source lines and Python code objects that make the difference, and the first place where the two variants part. "
		"For benchmarks on the GPU it shows how the kernels differ. "
		"Without names (or globs) it explains every benchmark that changed, or all if none did.\n",
	.sections = explain_sections,
};

static const ba_help_section merge_sections[] = {
	{.title = "Examples",
		.text = "  bench-against merge monday.json tuesday.json -o both.json\n"
			"  bench-against --gate --fixed 16 --seed 7 --part 1/4 main HEAD -o part-1.json\n"
			"  bench-against merge part-*.json -o results.json\n"},
	{.title = "What can be merged",
		.text = "Results of the same variants, built files, benchmarks, policy, target, GPU model and driver; whatever differs is named. "
			"No invocation may be in two of them: give each run a --seed of its own, or split one with --part.\n"
			"with --fixed\tall invocations together are one planned look, as of one run\n"
			"without\teach run stopped at a look of its own: their p-values are combined\n"
			"Decide before you look at the results which of them you merge.\n",
		.after_options = true},
	{.title = "Exit status",
		.text = "As of a run, by the policy that the results were made with; 129 also if they cannot be merged.\n",
		.after_options = true},
	{0},
};

const ba_help_page ba_help_merge = {
	.name = "merge",
	.brief = "make one result of runs that were made apart",
	.usage = "bench-against merge [OPTIONS] RESULTS.json RESULTS.json [MORE...]",
	.summary =
		"Pools results of the same comparison that were measured apart, for example by four runners of a CI matrix, into one result with one verdict and the same error rate. "
		"GPUs and machines count as places: where they differ, the verdict says so.\n",
	.sections = merge_sections,
};

static const ba_help_section compare_sections[] = {
	{.title = "Files",
		.text = "The format is recognised by content. "
			"Files with the same LABEL are one variant, and each is one process.\n"
			"bench-against\t--output FILE; FILE#LABEL chooses one of its variants\n"
			"Google Benchmark\t--benchmark_out=FILE --benchmark_out_format=json\n"
			"pytest-benchmark\t--benchmark-json=FILE, or saved with --benchmark-save-data\n"
			"NVBench\t--jsonbin FILE, with the folder of samples beside it\n"
			"hyperfine\t--export-json FILE\n"
			"Criterion\tthe directory target/criterion; #NAME chooses a baseline (new); critcmp --export\n"
			"JMH\t-rf json -rff FILE\n"
			"Go\tgo test -bench . -count 10 > FILE\n"
			"asv\ta file of results/MACHINE; run --record-samples\n"
			"Nsight\tnsys stats --format csv, nsys export -t sqlite; ncu --csv\n"
			"pyperf\t-o FILE\n"
			"others\tllama-bench, vLLM, nccl-tests, Catch2, perf stat and ten more: docs/compare.md\n"
			"any CSV\t--csv-columns name=COLUMN,value=COLUMN\n"},
	{.title = "Examples",
		.text = "  bench-against compare before.json after.json\n"
			"  bench-against compare a=a1.json a=a2.json b=b1.json b=b2.json\n"
			"  bench-against compare old.json new.json --threshold 5% --format markdown\n"
			"  bench-against compare r.json#main r.json#mine\n"},
	{.title = "What it can tell",
		.text = "The files were measured at different times, so every difference includes what changed on the machine in between. "
			"With one process for each file it also includes what differs from process to process. "
			"Runs of bench-against interleave the variants and have neither problem. "
			"docs/compare.md says what can be claimed from which file.\n",
		.after_options = true},
	{.title = "Exit status",
		.text = "0\tno benchmark got slower\n"
			"1\tat least one did; with --gate=strict also: one failed or is missing\n"
			"125\tnot compared: other devices or suites, failed benchmarks, summaries without samples; or inconclusive with --gate=strict\n"
			"129\tthe command line is wrong, or a file cannot be read\n",
		.after_options = true},
	{0},
};

const ba_help_page ba_help_compare = {
	.name = "compare",
	.brief = "compare result files, also those of other tools",
	.usage = "bench-against compare [OPTIONS] [LABEL=]BASELINE [LABEL=]CANDIDATE [MORE...]",
	.summary =
		"Did it get slower between these files? Reads results of bench-against and of eight other tools, matches their benchmarks by name, and reports each change with an interval. "
		"The first file is the baseline.\n",
	.sections = compare_sections,
};

static const ba_help_section history_sections[] = {
	{.title = "Examples",
		.text = "  bench-against history\n"
			"  bench-against history 'launch/args=4*' --metric submit\n"
			"  bench-against history launch/args=4,path=direct --plot args4.svg\n"},
	{.title = "What it is good for",
		.text = "Times of different runs differ by more than most changes do. "
			"So a change of the level is a hint where to look, not a verdict; it comes with the command that gives one.\n",
		.after_options = true},
	{.title = "Files and environment",
		.text = "BENCH_AGAINST_HISTORY\tthe file; else history.sqlite in $XDG_STATE_HOME/bench-against or ~/.local/state/bench-against\n",
		.after_options = true},
	{0},
};

const ba_help_page ba_help_history = {
	.name = "history",
	.brief = "show a benchmark over commits, and where it changed",
	.usage = "bench-against history [OPTIONS] [BENCHMARK]",
	.summary =
		"Since when is it this slow? Each run adds its results to a file of yours, by commit, device and benchmark. "
		"This command shows one benchmark (or those that match a glob) over the commits of a branch, and the commits at which its level changed, found by a permutation test (E-divisive). "
		"Without a name it lists every benchmark of the history.\n",
	.sections = history_sections,
};

static const ba_help_section plot_sections[] = {
	{.title = "Examples",
		.text = "  bench-against plot results.json\n"
			"  bench-against plot results.json --figure launch-overhead -o overhead.png\n"
			"  bench-against plot results.json --figure across --across backend=math\n"
			"  bench-against plot results.json --figure order -f '*args=4*' -o 4.svg\n"},
	{.title = "Exit status",
		.text = "0\tdrawn\n"
			"125\tthe file cannot be written, or rsvg-convert (for PNG) is missing\n"
			"129\tthe command line is wrong, no plot or more than one matches it, or the file is not a results file\n",
		.after_options = true},
	{0},
};

const ba_help_page ba_help_plot = {
	.name = "plot",
	.brief = "draw a plot of results, as SVG or PNG",
	.usage = "bench-against plot [OPTIONS] RESULTS.json",
	.summary = "Draws the samples of a results file (--output), not only its verdicts. "
		   "Without --figure, lists the kinds of plot and how many of each this file has. "
		   "PNG needs the program rsvg-convert; SVG needs nothing.\n",
	.sections = plot_sections,
};

static const ba_help_section verify_sections[] = {
	{.title = "Example",
		.text = "  bench-against HEAD~ HEAD -o results.json\n"
			"  bench-against verify results.json\n"},
	{.title = "Exit status",
		.text = "0\teverything agrees\n"
			"1\tsomething does not; the lines say what\n"
			"129\tthe file cannot be read, or is not a results file\n",
		.after_options = true},
	{0},
};

const ba_help_page ba_help_verify = {
	.name = "verify",
	.brief = "check that a results file agrees with its samples",
	.usage = "bench-against verify [OPTIONS] RESULTS.json",
	.summary =
		"Was it edited, or computed by another rule? Recomputes everything from the samples in the file, with the code that a run uses: every value, each look, the verdicts, the answer, the exit status, and the order of all measurements from the seed. "
		"Nothing is measured. "
		"Prints where the file disagrees: benchmark, metric, variant, field.\n",
	.sections = verify_sections,
};

static const ba_help_section convert_sections[] = {
	{.title = "Examples",
		.text = "  bench-against convert results.json#main -o main.json\n"
			"  bench-against convert old.txt --to pytest-benchmark -o old.json\n"},
	{.title = "Exit status",
		.text = "0\twritten; standard error names what the format has no place for\n"
			"125\tit could not be written\n"
			"129\tthe command line is wrong, or the file cannot be read\n",
		.after_options = true},
	{0},
};

const ba_help_page ba_help_convert = {
	.name = "convert",
	.brief = "write results in another tool's format",
	.usage = "bench-against convert [OPTIONS] FILE[#PART]",
	.summary =
		"Reads any file that 'compare' reads and writes it as samples of bench-against, as JSON of pytest-benchmark, or with the tags of NVBench. "
		"Samples are never invented: a file that has only a summary stays without samples.\n",
	.sections = convert_sections,
};
