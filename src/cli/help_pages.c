/* What --help says beside the options, a page for each command. */
#include "cli/help.h"

#define EXIT_STATUS                                                              \
	"0\tno benchmark got slower\n"                                           \
	"1\tat least one did; with --gate=strict also: one failed or vanished\n" \
	"125\tcould not be measured (no GPU, no build, no samples), or with "    \
	"--gate=strict not decided; git bisect run calls this skip\n"            \
	"129\tthe command line or the configuration is wrong\n"                  \
	"128+N\tin a shell: the process died of signal N\n"

/* ---- every day ---- */

static const ba_help_section top_sections[] = {
	{.title = "Variants",
		.text = "A variant is code under test. "
			"The first is the baseline, the others are compared with it.\n"
			"REV\ta commit: HEAD~3, v1.2, a branch, an abbreviated id\n"
			"WORKTREE\tthe working tree as it is now, uncommitted work included\n"
			"path:DIR\ta directory outside of the repository\n"
			"LABEL=...\tany of these under a name of your choice\n"
			"With none, HEAD is compared with WORKTREE if that has changes, else HEAD~ with HEAD.\n"},
	{.title = "Commands",
		.text = "run VARIANT\tmeasure one variant, compare nothing\n"
			"list\tthe benchmarks that would run\n"
			"doctor\twhat this machine is fit for, and what makes it noisy\n"
			"cache\tlist, prune and clear built trees\n"
			"demo DIR\ta repository with three variants to try all this on\n"
			"compare FILE FILE\tresult files against each other, of other tools too\n"
			"convert FILE\ta result file as another tool's\n"
			"replay FILE\tthe decision rule on a recorded trace\n"
			"verify FILE\tdoes a result file say what its samples say?\n"
			"report FILE\ta result file as a page, a comment, JUnit XML ...\n"
			"plot FILE\ta figure of a result file, as SVG or PNG\n"
			"calibrate\thow noisy is this machine, and what can be decided on it?\n"
			"bisect GOOD BAD\twhich commit made it slower?\n"
			"init\twrite configuration, a first suite and a workflow\n"
			"history [BENCHMARK]\ta benchmark over commits, and where its level changed\n"
			"completion SHELL\tlet bash, zsh or fish complete the command line\n"
			"manual\tall these pages as one, for man\n"
			"'bench-against COMMAND --help' explains each.\n"},
	{.title = "Examples",
		.text = "  bench-against                         what did I just change?\n"
			"  bench-against HEAD~ HEAD              the last commit\n"
			"  bench-against main WORKTREE --filter 'launch/args=4*'\n"
			"  bench-against old=v1.0 new=v2.0 --threshold 1% -o results.json\n"
			"  bench-against HEAD~ HEAD --target host   no GPU needed\n"
			"  git bisect run bench-against v1.0 HEAD   which commit was it?\n"},
	{.title = "What the answer means",
		.text = "regressed\tslower by more than the threshold; wrong for at most 1 in 20 of those it is said of\n"
			"improved\tthe mirror image\n"
			"tail-regressed\tthe mean is slower by more than the threshold, the typical time is not; counts as regressed\n"
			"tail-improved\tthe mirror image; counts as improved\n"
			"identical\tboth variants run the same code; measured only briefly, as a control\n"
			"unchanged\tshown to lie within the threshold, not merely \"no difference found\"\n"
			"inconclusive\tneither could be shown; the report says what would decide it\n"
			"The 95 % intervals hold however often the tool looked before it stopped.\n",
		.after_options = true},
	{.title = "Exit status", .text = EXIT_STATUS, .after_options = true},
	{.title = "Files and environment",
		.text = ".bench-against.json\thow to build and what to measure (JSON with comments)\n"
			"BENCH_AGAINST_CACHE\twhere built trees are kept; else $XDG_CACHE_HOME/bench-against\n"
			"BENCH_AGAINST_HISTORY\twhere runs are remembered; see 'bench-against history --help'\n"
			"NO_COLOR\tno colour, as --color=never\n",
		.after_options = true},
	{0},
};

static const ba_help_page top = {
	.name = "",
	.brief = "did this change make kernel launches slower?",
	.usage = "bench-against [OPTIONS] [BASELINE CANDIDATE [MORE...]]\n"
		 "bench-against COMMAND [OPTIONS] ...",
	.summary =
		"Did this change make CUDA kernel launches or kernels slower? bench-against checks each variant out beside your working tree, builds it, runs the variants in turns of microseconds in one process on the GPU, and says which benchmarks got slower, with a known error rate. "
		"Your refs, index and working tree are not touched.\n",
	.sections = top_sections,
};

static const ba_help_section run_sections[] = {
	{.title = "Examples",
		.text = "  bench-against run WORKTREE\n"
			"  bench-against run v1.2 --filter '*args=0*' -o v1.2.json\n"},
	{.title = "Exit status",
		.text = "0\tevery benchmark was measured\n"
			"125\tone could not be, or there was nothing to measure\n"
			"129\tthe command line or the configuration is wrong\n",
		.after_options = true},
	{0},
};

static const ba_help_page run = {
	.name = "run",
	.brief = "measure one variant, compare nothing",
	.usage = "bench-against run [OPTIONS] [VARIANT]",
	.summary =
		"How fast is it? Builds and measures one variant (WORKTREE if none is given) and shows each benchmark with its spread. "
		"To know whether something got slower, do not compare the figures of two such runs: clocks and layout differ between them by more than most changes do. "
		"Give both variants to one 'bench-against A B'.\n",
	.sections = run_sections,
};

static const ba_help_section bisect_sections[] = {
	{.title = "Examples",
		.text = "  bench-against bisect v1.0 HEAD\n"
			"  bench-against bisect v1.0 HEAD --filter 'launch/args=4*' --threshold 5%\n"},
	{.title = "How",
		.text = "The first parents between the two are halved until one is left. "
			"Each step is a run of its own, of GOOD and the commit in question, so that figures of different runs are never compared. "
			"After the first step only the benchmark that got slower most is measured, unless --filter says which. "
			"What does not build, or cannot be decided, is passed over. "
			"Where several commits made it a little slower each, it is the one with which the sum exceeds the threshold.\n",
		.after_options = true},
	{.title = "Exit status",
		.text = "0\tone commit is named\n"
			"125\tnone can be: BAD is not slower, or the commits around it could not be measured\n"
			"129\tthe command line or the configuration is wrong\n",
		.after_options = true},
	{0},
};

static const ba_help_page bisect = {
	.name = "bisect",
	.brief = "which commit made it slower?",
	.usage = "bench-against bisect [OPTIONS] GOOD BAD",
	.summary =
		"Which commit was it? Searches between a commit that was fast enough and one that is not. "
		"Your working tree, index and HEAD are not touched, as by a run.\n",
	.sections = bisect_sections,
};

static const ba_help_section history_sections[] = {
	{.title = "Examples",
		.text = "  bench-against history\n"
			"  bench-against history 'launch/args=4*' --metric submit\n"
			"  bench-against history launch/args=4,path=direct --plot args4.svg\n"},
	{.title = "What it is good for",
		.text = "Figures of different runs differ by more than most changes do, so a change of the level is a hint where to look, not a verdict: it names the command that gives one.\n",
		.after_options = true},
	{.title = "Files and environment",
		.text = "BENCH_AGAINST_HISTORY\tthe file; else history.sqlite in $XDG_STATE_HOME/bench-against or ~/.local/state/bench-against\n",
		.after_options = true},
	{0},
};

static const ba_help_page history = {
	.name = "history",
	.brief = "a benchmark over commits, and where its level changed",
	.usage = "bench-against history [OPTIONS] [BENCHMARK]",
	.summary =
		"Since when is it this slow? Each run adds what it measured to a file of yours, by commit, device and benchmark. "
		"This shows one benchmark (or those that match a glob) over the commits of a branch, with the points where its level changed, found by a test of permutations (E-divisive). "
		"Without a name: everything there is, a line each.\n",
	.sections = history_sections,
};

static const ba_help_section demo_sections[] = {
	{.title = "Try",
		.text = "  bench-against demo /tmp/demo && cd /tmp/demo\n"
			"  bench-against baseline contextvar v2\n"
			"  bench-against baseline contextvar v2 --target host   without a GPU\n"},
	{0},
};

static const ba_help_page demo = {
	.name = "demo",
	.brief = "a repository with three variants to try it on",
	.usage = "bench-against demo [OPTIONS] DIR",
	.summary =
		"Makes a git repository in DIR (which must not exist, or be empty) with a small launch library and the branches baseline, contextvar and v2: three ways to keep state for each launch, of different cost.\n",
	.sections = demo_sections,
};

static const ba_help_section init_sections[] = {
	{.title = "What it writes",
		.text = ".bench-against.json\thow to build, what to measure\n"
			"bench/\ta first suite: a launcher in C, or a Python file\n"
			".github/ or .gitlab/\twhat runs for each change; for GitHub in two steps, so that pull requests from forks are measured without credentials\n"
			"With --hook instead: pre-push, which is not part of the repository.\n"},
	{.title = "Examples",
		.text = "  bench-against init\n"
			"  bench-against init --kind python --ci none\n"
			"  bench-against init --hook\n"},
	{0},
};

static const ba_help_page init = {
	.name = "init",
	.brief = "write configuration, a first suite and a workflow",
	.usage = "bench-against init [OPTIONS]",
	.summary =
		"How do I begin? Looks at the repository it is started in and writes what a first comparison needs. "
		"Files that are there stay as they are. "
		"It says what it wrote and what to do next.\n",
	.sections = init_sections,
};

/* ---- results ---- */

static const ba_help_section compare_sections[] = {
	{.title = "Files",
		.text = "What a file is, its content says. "
			"Files of one LABEL are one variant: each is a process.\n"
			"bench-against\t--output FILE; FILE#LABEL chooses one of its variants\n"
			"Google Benchmark\t--benchmark_out=FILE --benchmark_out_format=json\n"
			"pytest-benchmark\t--benchmark-json=FILE, or saved with --benchmark-save-data\n"
			"NVBench\t--jsonbin FILE, with the folder of samples beside it\n"
			"hyperfine\t--export-json FILE\n"
			"Criterion\tthe directory target/criterion; #NAME chooses a baseline (new); critcmp --export\n"
			"JMH\t-rf json -rff FILE\n"
			"Go\tgo test -bench . -count 10 > FILE\n"
			"asv\ta file of results/MACHINE; run --record-samples\n"},
	{.title = "Examples",
		.text = "  bench-against compare before.json after.json\n"
			"  bench-against compare a=a1.json a=a2.json b=b1.json b=b2.json\n"
			"  bench-against compare old.json new.json --threshold 5% --format markdown\n"
			"  bench-against compare r.json#main r.json#mine\n"},
	{.title = "What it can tell",
		.text = "The files were measured apart, so that what changed on the machine between them is in every difference; of one process each, what differs from process to process is, too. "
			"Interleaved runs of this tool have neither. docs/compare.md says what can be claimed of which file.\n",
		.after_options = true},
	{.title = "Exit status",
		.text = "0\tno benchmark got slower\n"
			"1\tat least one did; with --gate=strict also: one failed or vanished\n"
			"125\tcould not be compared: other devices or suites, failed benchmarks, summaries without samples, or with --gate=strict not decided\n"
			"129\tthe command line is wrong, or a file cannot be read\n",
		.after_options = true},
	{0},
};

static const ba_help_page compare = {
	.name = "compare",
	.brief = "result files against each other, of other tools too",
	.usage =
		"bench-against compare [OPTIONS] [LABEL=]BASELINE [LABEL=]CANDIDATE [MORE...]",
	.summary =
		"Did it get slower between these files? Reads results of this tool and of seven others, lines them up by benchmark, and says it with an interval. "
		"The first file is the baseline.",
	.sections = compare_sections,
};

static const ba_help_section verify_sections[] = {
	{.title = "Example",
		.text = "  bench-against HEAD~ HEAD -o results.json\n"
			"  bench-against verify results.json\n"},
	{.title = "Exit status",
		.text = "0\teverything agrees\n"
			"1\tsomething does not; the lines say what\n"
			"129\tthe file cannot be read, or is no result file\n",
		.after_options = true},
	{0},
};

static const ba_help_page verify = {
	.name = "verify",
	.brief = "does a result file say what its samples say?",
	.usage = "bench-against verify [OPTIONS] RESULTS.json",
	.summary =
		"Was it edited, or computed by another rule? Computes everything again from the raw samples in the file, with the code of a run: every figure, each look, the verdicts, the answer, the exit status, and the order of all visits from the seed. "
		"Nothing is measured. "
		"Says where the file disagrees: benchmark, metric, variant, field.\n",
	.sections = verify_sections,
};

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
			"129\tthe command line is wrong, or the file is no result file\n",
		.after_options = true},
	{0},
};

static const ba_help_page report = {
	.name = "report",
	.brief = "a result file as a page, a comment, JUnit XML ...",
	.usage = "bench-against report [OPTIONS] RESULTS.json",
	.summary =
		"Writes what a result file (--output) says in other forms. "
		"Without options the terminal's, on standard output. "
		"Nothing is measured and nothing judged again: 'verify' does that.\n",
	.sections = report_sections,
};

static const ba_help_section plot_sections[] = {
	{.title = "Examples",
		.text = "  bench-against plot results.json\n"
			"  bench-against plot results.json --figure launch-overhead -o overhead.png\n"
			"  bench-against plot results.json --figure across --across backend=math\n"
			"  bench-against plot results.json --figure order -f '*args=4*' -o 4.svg\n"},
	{.title = "Exit status",
		.text = "0\tdrawn\n"
			"125\tthe file cannot be written, or there is no rsvg-convert for a PNG\n"
			"129\tthe command line is wrong, nothing or too much fits it, or the file is no result file\n",
		.after_options = true},
	{0},
};

static const ba_help_page plot = {
	.name = "plot",
	.brief = "a figure of a result file, as SVG or PNG",
	.usage = "bench-against plot [OPTIONS] RESULTS.json",
	.summary =
		"Draws what a result file (--output) holds: the samples, not only the verdict. "
		"Without --figure, lists the figures and how many drawings each has here. "
		"An SVG needs nothing; a PNG needs the program rsvg-convert.\n",
	.sections = plot_sections,
};

static const ba_help_section convert_sections[] = {
	{.title = "Examples",
		.text = "  bench-against convert results.json#main -o main.json\n"
			"  bench-against convert old.txt --to pytest-benchmark -o old.json\n"},
	{.title = "Exit status",
		.text = "0\twritten; what had no place in the format is named on standard error\n"
			"125\tit could not be written\n"
			"129\tthe command line is wrong, or the file cannot be read\n",
		.after_options = true},
	{0},
};

static const ba_help_page convert = {
	.name = "convert",
	.brief = "a result file as another tool's",
	.usage = "bench-against convert [OPTIONS] FILE[#PART]",
	.summary =
		"Reads whatever compare reads and writes it as samples of our own, as pytest-benchmark's JSON, or with NVBench's tags. "
		"Samples are never made up: where there is a summary alone, there is none in the other format either.\n",
	.sections = convert_sections,
};

static const ba_help_section replay_sections[] = {
	{.title = "The trace",
		.text = "CSV with this header; lines that begin with # are comments:\n"
			"  benchmark,invocation,block,position,variant,sample,ns\n"
			"The baseline is A, where variants are single capital letters; else the variant of the first row.\n"},
	{.title = "Example",
		.text = "  bench-against replay trace.csv --threshold 1%\n"},
	{0},
};

static const ba_help_page replay = {
	.name = "replay",
	.brief = "the decision rule on a recorded trace",
	.usage = "bench-against replay [OPTIONS] FILE",
	.summary =
		"What would the decision rule have said? Reads recorded samples, looks at them as a run would have, and prints for each benchmark the verdict, the ratio and the p-values at full precision. "
		"Nothing is measured. "
		"The same file always gives the same bytes.\n",
	.sections = replay_sections,
};

/* ---- this machine ---- */

static const ba_help_section doctor_sections[] = {
	{.title = "Exit status",
		.text = "0\tfit for measuring on the GPU\n"
			"125\tnot fit, for the reasons printed; --target host may still work\n",
		.after_options = true},
	{0},
};

static const ba_help_page doctor = {
	.name = "doctor",
	.brief = "what this machine is fit for, and what makes it noisy",
	.usage = "bench-against doctor [OPTIONS]",
	.summary =
		"Can this machine measure, and how well? Looks at driver, device, clocks, other processes, CPU, timer and cache directory. "
		"Each finding comes with what it means and what to do about it. "
		"It changes nothing: no clocks, no power limits, no persistence mode.\n",
	.sections = doctor_sections,
};

static const ba_help_section calibrate_sections[] = {
	{.title = "Examples",
		.text = "  bench-against calibrate\n"
			"  bench-against calibrate main --thorough --threshold 1%\n"},
	{.title = "What becomes of it",
		.text = "Runs on this machine then refuse thresholds that its noise does not let be decided (--allow-below-floor: measure all the same), say beforehand what will take long, and notice when the machine is noisier than it was. "
			"Verdicts do not rest on it.\n",
		.after_options = true},
	{.title = "Exit status",
		.text = "0\tcalibrated\n"
			"125\tnothing could be measured\n"
			"129\tthe command line or the configuration is wrong\n",
		.after_options = true},
	{0},
};

static const ba_help_page calibrate = {
	.name = "calibrate",
	.brief = "how noisy is this machine, and what can be decided on it?",
	.usage = "bench-against calibrate [OPTIONS] [VARIANT]",
	.summary =
		"Which thresholds make sense here? Builds one variant (HEAD if none is given) twice, measures it against itself, and prints for each benchmark how much its results vary, the least threshold that can be decided, and how long it takes to show that nothing changed. "
		"Kept in the cache for this GPU, driver and host.\n",
	.sections = calibrate_sections,
};

static const ba_help_section cache_sections[] = {
	{.title = "Actions",
		.text = "list\tthe built trees: what, when, how large (the default)\n"
			"prune\tremove those unused for longest until the rest fits --max-size\n"
			"clear\tremove all that no run is using, logs of builds too\n"
			"path\tprint where it is\n"},
	{0},
};

static const ba_help_page cache = {
	.name = "cache",
	.brief = "list, prune and clear built trees",
	.usage = "bench-against cache [list|prune|clear|path] [OPTIONS]",
	.summary =
		"What is kept, and where? A built tree is kept under the content of everything that went into it: tree, submodules, build command, toolchain. "
		"As long as none of these changes, the next run builds nothing.\n",
	.sections = cache_sections,
};

/* ---- for scripts ---- */

static const ba_help_section list_sections[] = {
	{.title = "Examples",
		.text = "  bench-against list\n"
			"  bench-against list --filter 'launch/*path=signature*'\n"
			"  bench-against list --expected > .bench-against.expected\n"},
	{0},
};

static const ba_help_page list = {
	.name = "list",
	.brief = "the benchmarks that would run",
	.usage = "bench-against list [OPTIONS] [VARIANT...]",
	.summary =
		"What would be measured? Prints the name of every benchmark that the configuration and the options select, one a line; without VARIANT, of WORKTREE if that has changes, else of HEAD. The names are what --filter and the thresholds of the configuration match; '*' matches anything, '/' too.\n",
	.sections = list_sections,
};

static const ba_help_section completion_sections[] = {
	{.title = "Examples",
		.text = "  source <(bench-against completion bash)     in ~/.bashrc\n"
			"  source <(bench-against completion zsh)      in ~/.zshrc, after compinit\n"
			"  bench-against completion fish | source      in config.fish\n"},
	{0},
};

static const ba_help_page completion = {
	.name = "completion",
	.brief = "a script that lets bash, zsh or fish complete commands and options",
	.usage = "bench-against completion bash|zsh|fish",
	.summary =
		"Prints a completion script for the shell. "
		"An installation has it in place already; this is for other places. "
		"It completes commands, options and their words, files, and the refs of the repository.\n",
	.sections = completion_sections,
};

static const ba_help_section manual_sections[] = {
	{.title = "Example", .text = "  bench-against manual | man -l -\n"},
	{0},
};

static const ba_help_page manual = {
	.name = "manual",
	.brief = "the manual page of the tool and all its commands",
	.usage = "bench-against manual",
	.summary =
		"Prints bench-against(1), for man, made from the same tables as --help. "
		"An installation has it in place already.\n",
	.sections = manual_sections,
};

/* ---- all of them, in the order of the manual ---- */

const ba_help_page *const ba_help_pages[] = {
	&top,
	&run,
	&list,
	&doctor,
	&cache,
	&demo,
	&compare,
	&convert,
	&replay,
	&verify,
	&report,
	&plot,
	&calibrate,
	&history,
	&init,
	&bisect,
	&completion,
	&manual,
	NULL,
};
