/* The table of readable formats. Inside the module only. */
#pragma once

/* clang-format off */
/* code, name, title, reader, how to make such a file */
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
