/* The source being read, and what readers share. Inside the module only. */
#pragma once

#include "base/lines.h"
#include "import/import.h"
#include "import/members.h"

/* clang-format off */
/* The formats: code, name, title, reader, how to make such a file */
#define FORMATS(X)                                                                        \
	X(RESULTS, "bench-against", "bench-against", ba_read_results,                     \
		"--output FILE of this tool; #LABEL chooses a variant")                   \
	X(SAMPLES, "bench-against-samples", "bench-against samples", ba_read_samples,     \
		"bench-against convert --to samples")                                     \
	X(GOOGLE, "google-benchmark", "Google Benchmark", ba_read_google,                 \
		"--benchmark_out=FILE --benchmark_out_format=json, or csv")                   \
	X(PYTEST, "pytest-benchmark", "pytest-benchmark", ba_read_pytest,                 \
		"--benchmark-json=FILE, or --benchmark-save-data")                        \
	X(NVBENCH, "nvbench", "NVBench", ba_read_nvbench,                                 \
		"--jsonbin FILE; with --json FILE summaries alone")                       \
	X(HYPERFINE, "hyperfine", "hyperfine", ba_read_hyperfine, "--export-json FILE")   \
	X(CRITERION, "criterion", "Criterion", ba_read_criterion,                         \
		"the directory target/criterion; #NAME chooses a baseline")               \
	X(CRITCMP, "critcmp", "critcmp", ba_read_critcmp, "critcmp --export NAME")        \
	X(JMH, "jmh", "JMH", ba_read_jmh, "-rf json -rff FILE")                           \
	X(GO, "go", "Go", ba_read_go, "go test -bench . -count 10 > FILE")                \
	X(ASV, "asv", "asv", ba_read_asv,                                                 \
		"asv run --record-samples; a file of results/MACHINE")                    \
	X(NSYS, "nsys", "Nsight Systems", ba_read_nsys,                                   \
		"nsys stats --report cuda_gpu_kern_sum --format csv; nsys export -t sqlite") \
	X(NCU, "ncu", "Nsight Compute", ba_read_ncu, "ncu --csv ... > FILE")              \
	X(NVBENCH_TABLE, "nvbench-table", "NVBench's table", ba_read_nvbench_table,       \
		"--csv FILE, or --md FILE")                                               \
	X(TRITON, "triton", "triton.testing", ba_read_triton,                             \
		"perf_report(...).run(save_path=FOLDER): a CSV there")                    \
	X(LLAMA, "llama-bench", "llama-bench", ba_read_llama,                             \
		"llama-bench -o json, -o jsonl, or -o md")                                \
	X(GITHUB, "github-action-benchmark", "github-action-benchmark", ba_read_github,   \
		"a list for customSmallerIsBetter, or data.js; #COMMIT chooses a run of it") \
	X(PYPERF, "pyperf", "pyperf", ba_read_pyperf,                                     \
		"-o FILE of a script with pyperf.Runner, of pyperf timeit or command")    \
	X(SERVING, "serving", "vLLM or SGLang serving", ba_read_serving,                  \
		"vllm bench serve --save-result, or throughput; sglang.bench_serving --output-file FILE") \
	X(NCCL, "nccl-tests", "nccl-tests", ba_read_nccl,                                 \
		"all_reduce_perf ... > FILE")                                             \
	X(CUTLASS, "cutlass-profiler", "cutlass_profiler", ba_read_cutlass,               \
		"cutlass_profiler ... --output=FILE")                                     \
	X(ROCPROF, "rocprof", "rocprof", ba_read_rocprof,                                 \
		"rocprof --stats, or rocprofv3 --kernel-trace --stats: a CSV")            \
	X(GO_JSON, "go-json", "go test -json", ba_read_go_json,                           \
		"go test -bench . -count 10 -json > FILE")                                \
	X(JULIA, "julia", "BenchmarkTools.jl", ba_read_julia,                             \
		"BenchmarkTools.save(FILE, results)")                                     \
	X(NANOBENCH, "nanobench", "nanobench", ba_read_nanobench,                         \
		"bench.render(ankerl::nanobench::templates::json(), FILE)")               \
	X(CATCH2, "catch2", "Catch2", ba_read_catch2,                                     \
		"-r xml")                                                                 \
	X(PERF, "perf-stat", "perf stat", ba_read_perf,                                   \
		"perf stat -x, -o FILE")                                                  \
	X(DOTNET, "benchmarkdotnet", "BenchmarkDotNet", ba_read_dotnet,                   \
		"the json or briefjson exporter, or the default ones: CSV, Markdown")     \
	X(BENCHER, "bencher", "Bencher", ba_read_bencher,                                 \
		"Bencher's metric format (BMF): JSON of the json adapter")                \
	X(CODSPEED, "codspeed", "CodSpeed", ba_read_codspeed,                             \
		"a results file of a walltime run of CodSpeed")                           \
	X(COLUMNS, "csv", "CSV", ba_read_columns,                                         \
		"any CSV, with --csv-columns name=COLUMN,value=COLUMN")

/* formats other than JSON, in the order in which a line is tested: code, test */
#define TEXT_FORMATS(X)                                                                   \
	X(GO, ba_is_go) X(NSYS, ba_is_nsys) X(NCU, ba_is_ncu) X(PERF, ba_is_perf)         \
	X(CATCH2, ba_is_catch2) X(ROCPROF, ba_is_rocprof) X(CUTLASS, ba_is_cutlass)       \
	X(NCCL, ba_is_nccl) X(GITHUB, ba_is_github) X(GOOGLE, ba_is_google)               \
	X(DOTNET, ba_is_dotnet) X(LLAMA, ba_is_llama) X(TRITON, ba_is_triton)             \
	X(NVBENCH_TABLE, ba_is_nvbench_table)
/* clang-format on */

/* For FILE#PART, if the parts of the file are its benchmarks. */
typedef struct ba_parts {
	ba_strv names; /* the first benchmarks of the file, for a message */
	/* number of all benchmarks, without repetitions of the listed names */
	size_t count;
	ba_buf name; /* name of the current record */
	bool found;
} ba_parts;

BA_DECLARE_DISPOSE(ba_parts)

struct ba_source {
	const char *name; /* path, or its name in messages */
	const char *part; /* or NULL */
	ba_parts *parts;  /* set for FILE#PART of a format without other parts; or NULL */
	const char *text; /* NULL: read from the path */
	size_t size;
	const ba_sink *sink;
};

/* A tool's statistics of the samples of a time, in ns; NaN: not in the file. */
typedef struct ba_statistics {
	double mean, median, min, max;
} ba_statistics;
#define BA_STATISTICS_NONE ((ba_statistics){NAN, NAN, NAN, NAN})
/* the rows of ba_statistics `of`, under these keys, as ns */
#define BA_STATISTICS(type, of, mean_, median_, min_, max_, ns)                       \
	BA_NUMBER(mean_, type, of.mean, ns), BA_NUMBER(median_, type, of.median, ns), \
		BA_NUMBER(min_, type, of.min, ns), BA_NUMBER(max_, type, of.max, ns)

/* nanoseconds in a unit: "ns", "us", "ms", "s", ...; 0 if it is not a unit of time */
double ba_unit_ns(const char *unit);
/* Is more of it better? "GB/s", "tokens per second", "items_per_second", "TFLOPS" */
bool ba_unit_is_rate(const char *unit);

/* lists end with NULL, and may be NULL */
bool ba_is_among(const char *const *list, const char *word);

/* Fails with BA_EINVAL and a list of the available parts if the part was not found. */
int ba_parts_check(const ba_parts *p, const ba_source *s, ba_error *err);

/* Lines of the source, of at most 1 MiB; they are still to be closed after an error. */
int ba_lines_open(ba_lines *l, const ba_source *s, ba_error *err);

/* Appends the text, each line with '\n'. Fails beyond 1 GiB, and if it is not UTF-8. */
int ba_lines_load(ba_buf *out, const ba_source *s, ba_error *err);

/* JSON Lines: calls `read` for each line that is not empty, or, if `mixed`, that begins with
 * '{'; its errors get the line number. data begins with the source, as in members.h. */
int ba_json_lines(void *data, ba_member_read *read, bool mixed, ba_error *err);

/* What other tools call the metric that a run measures of their benchmarks: "gpu_time" for
 * "gpu_cold"; "" if they do not have it. */
const char *ba_metric_of_others(const char *ours);
/* Does the sink want this metric? `own`: it is the format's default. */
bool ba_source_wants(const ba_source *s, const char *metric, bool own);
/* Does the sink only ask which metrics there are? If so, offers it this one. */
bool ba_source_offer(const ba_source *s, const char *metric);
/* Passes on the time of a benchmark that has one record: its samples; without samples,
 * the median or else the mean, as a summary; or the statistic that the sink asks for.
 * `of` has id and level, and may say that the benchmark failed or was skipped. */
int ba_source_time(const ba_source *s, const ba_record *of, const ba_values *samples,
	const ba_statistics *statistics, ba_error *err);
/* Passes a record on. If one of r->values has no logarithm, it becomes a failure. */
int ba_source_record(const ba_source *s, const ba_record *r, ba_error *err);
void ba_source_warn(const ba_source *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* the readers */
#define FORMAT_READS(code, name, title, reader, help) int reader(const ba_source *s, ba_error *err);
FORMATS(FORMAT_READS)
#undef FORMAT_READS

#define FORMAT_IS(code, is) bool is(const char *line, size_t size);
TEXT_FORMATS(FORMAT_IS)
#undef FORMAT_IS
