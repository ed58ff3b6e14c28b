/* Formats of other tools, a row for each of what their files say (tests/data/foreign). */
#include "test.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/base.h"
#include "import/import.h"

typedef struct expected {
	const char *file, *metric;     /* the one that is asked for, or NULL */
	const char *format, *id, *has; /* `has`: the metric that comes */
	ba_level level;
	size_t count;
	double mean;	  /* of the values; 0: it failed; -1: it was skipped */
	const char *more; /* "time", "less" or "more": is less better, or more? */
} expected;

#define GEMM "void gemm<float, (int)128>(float *, float *, int)"

#define NCU "gemm(float *, int)/block=256x1x1,grid=128x1x1"

#define FOLD "fold(float *, int)/block=128x1x1,grid=132x1x1"

#define LLAMA(test)           \
	"llama 7B Q4_0/" test \
	"/flash_attn=true,n_batch=2048,n_gpu_layers=99,n_threads=16,n_ubatch=512,split_mode=layer,type_k=f16,type_v=f16"

#define LLAMA_CPU(test, threads)                                            \
	"llama ?B all F32/" test                                            \
	"/flash_attn=false,n_batch=2048,n_gpu_layers=99,n_threads=" threads \
	",n_ubatch=512,split_mode=layer,type_k=f16,type_v=f16"

#define VLLM \
	"meta-llama/Llama-3.1-8B-Instruct/burstiness=1,max_concurrency=64,num_prompts=200,request_rate=inf"
#define SGLANG \
	"serving/backend=sglang,dataset_name=random,random_input_len=1024,random_output_len=128,request_rate="

#define NCCL "all_reduce_perf/"

#define CUTLASS \
	"cutlass_tensorop_s1688gemm_f16_256x128_32x2_nn_align8/A=f16:column,B=f16:column,C=f32:column,accum=f32,alpha=1,batch_count=1,beta=0,cta_k=32,cta_m=256,cta_n=128,gemm_kind=universal,"

static const expected rows[] = {
	{"nsys.csv", NULL, "nsys", GEMM, "time", BA_LEVEL_SUMMARY, 1, 12000, "time"},
	{"nsys.csv", NULL, "nsys", "axpy", "time", BA_LEVEL_SUMMARY, 1, 4000, "time"},
	{"nsys.csv", "median", "nsys", "axpy", "median", BA_LEVEL_SUMMARY, 1, 3950, "time"},
	{"nsys.csv", "Instances", "nsys", "axpy", "Instances", BA_LEVEL_SUMMARY, 1, 100, "less"},
	{"nsys.sqlite", NULL, "nsys", GEMM, "time", BA_LEVEL_BATCH, 12, 12055, "time"},
	{"nsys.sqlite", NULL, "nsys", "axpy(float *)", "time", BA_LEVEL_BATCH, 12, 4005.5, "time"},
	{"ncu.csv", NULL, "ncu", NCU, "time", BA_LEVEL_REPETITION, 2, 1205000, "time"},
	{"ncu.csv", NULL, "ncu", "gemm(float *, int)/block=256x1x1,grid=64x1x1", "time",
		BA_LEVEL_REPETITION, 1, 0, "time"},
	{"ncu.csv", "Memory Throughput", "ncu", NCU, "Memory Throughput", BA_LEVEL_REPETITION, 2,
		812, "more"},
	{"ncu-raw.csv", NULL, "ncu", NCU, "time", BA_LEVEL_REPETITION, 2, 1205500, "time"},
	{"ncu-raw.csv", "dram__bytes.sum", "ncu", NCU, "dram__bytes.sum", BA_LEVEL_REPETITION, 2,
		2000.5, "less"},
	{"h100-ncu.csv", NULL, "ncu", FOLD, "time", BA_LEVEL_REPETITION, 6, 171616.0 / 6, "time"},
	{"h100-ncu.csv", "launch__registers_per_thread", "ncu", FOLD,
		"launch__registers_per_thread", BA_LEVEL_REPETITION, 6, 16, "less"},
	{"h100-ncu-details.csv", NULL, "ncu", FOLD, "time", BA_LEVEL_REPETITION, 2, 28416, "time"},
	{"h100-nvbench.csv", NULL, "nvbench-table", "scale/m=1", "gpu_time", BA_LEVEL_SUMMARY, 1,
		48888.000017541615, "time"},
	{"h100-nvbench.md", NULL, "nvbench-table", "scale/m=2", "gpu_time", BA_LEVEL_SUMMARY, 1,
		93385, "time"},
	{"h100-triton.csv", NULL, "triton", "Mul/N=16777216", "time", BA_LEVEL_SUMMARY, 1, 49664,
		"time"},
	{"nvbench.csv", NULL, "nvbench-table", "copy/Elements=2^20,Block=64", "gpu_time",
		BA_LEVEL_SUMMARY, 1, 12500, "time"},
	{"nvbench.csv", "batch_time", "nvbench-table", "copy/Elements=2^24,Block=128", "batch_time",
		BA_LEVEL_SUMMARY, 1, 120000, "time"},
	{"nvbench.csv", "GlobalMem BW", "nvbench-table", "copy/Elements=2^20,Block=64",
		"GlobalMem BW", BA_LEVEL_SUMMARY, 1, 671088640000, "more"},
	{"nvbench.csv", NULL, "nvbench-table", "copy/Elements=2^24,Block=64", "gpu_time",
		BA_LEVEL_SUMMARY, 1, -1, "time"},
	{"nvbench.md", NULL, "nvbench-table", "copy/Elements=2^20,Block=64", "gpu_time",
		BA_LEVEL_SUMMARY, 1, 12500, "time"},
	{"nvbench.md", "cpu_time", "nvbench-table", "copy/Elements=2^24,Block=128", "cpu_time",
		BA_LEVEL_SUMMARY, 1, 131000, "time"},
	{"triton.csv", NULL, "triton", "Triton/M=1024,N=256", "GB/s", BA_LEVEL_SUMMARY, 1, 812.5,
		"more"},
	{"triton.csv", NULL, "triton", "Torch/M=1024,N=512", "GB/s", BA_LEVEL_SUMMARY, 1, 0,
		"more"},
	{"triton-ms.csv", "time", "triton", "triton/N=128", "time", BA_LEVEL_SUMMARY, 1, 15000,
		"time"},
	{"llama.json", NULL, "llama-bench", LLAMA("pp512"), "time", BA_LEVEL_REPETITION, 5,
		50000000, "time"},
	{"llama.jsonl", NULL, "llama-bench", LLAMA("tg128"), "time", BA_LEVEL_REPETITION, 5,
		800000000, "time"},
	{"llama.json", "t/s", "llama-bench", LLAMA("tg128"), "t/s", BA_LEVEL_REPETITION, 5,
		160.01000156274418, "more"},
	{"llama-cpu.json", NULL, "llama-bench", LLAMA_CPU("pp32", "1"), "time", BA_LEVEL_REPETITION,
		5, 261265.2, "time"},
	{"llama-cpu.json", "t/s", "llama-bench", LLAMA_CPU("pp32", "2"), "t/s", BA_LEVEL_REPETITION,
		5, 74837.26, "more"},
	{"github.json", NULL, "github-action-benchmark", "copy/n=1024", "time", BA_LEVEL_SUMMARY, 1,
		120.5, "time"},
	{"github.json", NULL, "github-action-benchmark", "copy/n=1024 rate", "GB/s",
		BA_LEVEL_SUMMARY, 1, 800, "more"},
	{"github.json", "Megabytes", "github-action-benchmark", "heap", "Megabytes",
		BA_LEVEL_SUMMARY, 1, 12, "less"},
	{"data.js", NULL, "github-action-benchmark", "Benchmark/fold", "time", BA_LEVEL_SUMMARY, 1,
		1500, "time"},
	{"data.js#b2580", NULL, "github-action-benchmark", "Benchmark/fold", "time",
		BA_LEVEL_SUMMARY, 1, 1200, "time"},
	{"data.js", "points", "github-action-benchmark", "Scores/score", "points", BA_LEVEL_SUMMARY,
		1, 7, "more"},
	{"pyperf.json", NULL, "pyperf", "sorted", "time", BA_LEVEL_PROCESS, 4, 1332.8714958940207,
		"time"},
	{"pyperf-suite.json", NULL, "pyperf", "fold", "time", BA_LEVEL_PROCESS, 3,
		568.8324157138898, "time"},
	{"pyperf-suite.json", NULL, "pyperf", "sort", "time", BA_LEVEL_PROCESS, 3,
		1136.3819994585356, "time"},
	{"pyperf-one.json", NULL, "pyperf", "one", "time", BA_LEVEL_REPETITION, 5,
		718.9463600661838, "time"},
	{"vllm.json", NULL, "serving", VLLM, "median_ttft", BA_LEVEL_SUMMARY, 1, 640250000, "time"},
	{"vllm.json", NULL, "serving", VLLM, "output_throughput", BA_LEVEL_SUMMARY, 1,
		1044.8979591836735, "more"},
	{"vllm-lines.json", "mean_itl_ms", "serving", VLLM, "mean_itl", BA_LEVEL_SUMMARY, 1,
		42000000, "time"},
	{"sglang.jsonl", NULL, "serving", SGLANG "4", "request_throughput", BA_LEVEL_SUMMARY, 1,
		3.96, "more"},
	{"sglang.jsonl", "median_e2e_latency", "serving", SGLANG "8", "median_e2e_latency",
		BA_LEVEL_SUMMARY, 1, 1150000000, "time"},
	{"nccl.txt", NULL, "nccl-tests", NCCL "size=8,type=float,redop=sum,root=-1/out-of-place",
		"time", BA_LEVEL_SUMMARY, 1, 12500, "time"},
	{"nccl.txt", NULL, "nccl-tests", NCCL "size=8,type=float,redop=sum,root=-1/in-place",
		"time", BA_LEVEL_SUMMARY, 1, 11250, "time"},
	{"nccl.txt", "busbw", "nccl-tests",
		NCCL "size=1048576,type=float,redop=sum,root=-1/out-of-place", "busbw",
		BA_LEVEL_SUMMARY, 1, 41.94, "more"},
	{"nccl.txt", NULL, "nccl-tests", NCCL "size=1048576,type=float,redop=sum,root=-1/in-place",
		"time", BA_LEVEL_SUMMARY, 1, 0, "time"},
	{"nccl-2.10.txt", NULL, "nccl-tests",
		"nccl-tests/size=16,type=float,redop=none/out-of-place", "time", BA_LEVEL_SUMMARY,
		1, 14000, "time"},
	{"nccl-2.10.txt", "busbw", "nccl-tests", "nccl-tests/size=8,type=float,redop=none/in-place",
		"busbw", BA_LEVEL_SUMMARY, 1, 0, "more"},
	{"llama-1.json", NULL, "llama-bench", LLAMA("pp512"), "time", BA_LEVEL_REPETITION, 2,
		50000000, "time"},
	{"cutlass.csv", NULL, "cutlass-profiler",
		CUTLASS
		"k=1024,m=1024,max_cc=1024,min_cc=75,n=1024,op_class=tensorop,split_k_slices=1,stages=2",
		"time", BA_LEVEL_SUMMARY, 1, 24500, "time"},
	{"cutlass.csv", NULL, "cutlass-profiler",
		"cutlass_simt_sgemm_128x128_8x2_nn_align1/A=f16:column,B=f16:column,C=f32:column,accum=f32,alpha=1,batch_count=1,beta=0,cta_k=8,cta_m=128,cta_n=128,gemm_kind=universal,k=1024,m=1024,max_cc=1024,min_cc=50,n=1024,op_class=simt,split_k_slices=1,stages=2",
		"time", BA_LEVEL_SUMMARY, 1, -1, "time"},
	{"cutlass.csv", "GFLOPs", "cutlass-profiler",
		CUTLASS
		"k=1024,m=2048,max_cc=1024,min_cc=75,n=1024,op_class=tensorop,split_k_slices=1,stages=2",
		"GFLOPs", BA_LEVEL_SUMMARY, 1, 87737, "more"},
	{"rocprof.csv", NULL, "rocprof", "gemm(float*, int) [clone .kd]", "time", BA_LEVEL_SUMMARY,
		1, 12000, "time"},
	{"rocprof.csv", "total", "rocprof", "axpy.kd", "total", BA_LEVEL_SUMMARY, 1, 400000,
		"time"},
	{"go.json", NULL, "go-json", "example.com/fold.BenchmarkFold-2", "time",
		BA_LEVEL_REPETITION, 3, 66.52666666666666, "time"},
	{"go.json", NULL, "go-json", "example.com/fold.BenchmarkFails-2", "time",
		BA_LEVEL_REPETITION, 3, 0, "time"},
	{"julia.json", NULL, "julia", "trig/sin", "time", BA_LEVEL_BATCH, 4, 6.7, "time"},
	{"julia.json", NULL, "julia", "sort", "time", BA_LEVEL_SUMMARY, 1, 1250.5, "time"},
	{"julia.json", "memory", "julia", "sort", "memory", BA_LEVEL_SUMMARY, 1, 8064, "less"},
	{"nanobench.json", NULL, "nanobench", "random/splitmix", "time", BA_LEVEL_BATCH, 3, 1.1,
		"time"},
	{"catch2.xml", NULL, "catch2", "fold & co/sum <1000>", "time", BA_LEVEL_SUMMARY, 1, 538.983,
		"time"},
	{"catch2.xml", NULL, "catch2", "fold & co/inner/copy", "time", BA_LEVEL_SUMMARY, 1, 104.385,
		"time"},
	{"perf.csv", NULL, "perf-stat", "perf stat", "task-clock", BA_LEVEL_PROCESS, 1, 530000,
		"time"},
	{"perf.csv", "duration_time", "perf-stat", "perf stat", "duration_time", BA_LEVEL_PROCESS,
		1, 15820151, "time"},
	{"perf.csv", NULL, "perf-stat", "perf stat", "instructions", BA_LEVEL_PROCESS, 1, -1,
		"less"},
	{"perf-repeats.csv", NULL, "perf-stat", "perf stat", "page-faults", BA_LEVEL_SUMMARY, 1, 49,
		"less"},
	{"dotnet.json", NULL, "benchmarkdotnet", "Bench.Fold.Sum(N: 100)", "time", BA_LEVEL_PROCESS,
		2, 12.5, "time"},
	{"dotnet.json", NULL, "benchmarkdotnet", "Bench.Fold.Copy(N: 100)", "time",
		BA_LEVEL_REPETITION, 4, 6, "time"},
	{"dotnet.json", "BytesAllocatedPerOperation", "benchmarkdotnet", "Bench.Fold.Sum(N: 100)",
		"BytesAllocatedPerOperation", BA_LEVEL_SUMMARY, 1, 24, "less"},
	{"dotnet-report.csv", NULL, "benchmarkdotnet", "Sum/N=1000", "time", BA_LEVEL_SUMMARY, 1,
		1024.5, "time"},
	{"dotnet-report.csv", "median", "benchmarkdotnet", "Sum/N=100", "median", BA_LEVEL_SUMMARY,
		1, 23.98, "time"},
	{"dotnet-report.csv", "Allocated", "benchmarkdotnet", "Sum/N=1000", "Allocated",
		BA_LEVEL_SUMMARY, 1, 1536, "less"},
	{"dotnet-report.csv", NULL, "benchmarkdotnet", "Copy/Job=Job-ABCDEF,N=100", "time",
		BA_LEVEL_SUMMARY, 1, 0, "time"},
	{"dotnet-report-github.md", NULL, "benchmarkdotnet", "Sum/N=1000", "time", BA_LEVEL_SUMMARY,
		1, 1025, "time"},
	{"llama.md", NULL, "llama-bench", "llama 7B Q4_0/fa=1,ngl=99,test=tg128", "t/s",
		BA_LEVEL_SUMMARY, 1, 160.01, "more"},
	{"google.csv", NULL, "google-benchmark", "BM_fold/100", "time", BA_LEVEL_REPETITION, 2,
		2000, "time"},
	{"google.csv", "cpu_time", "google-benchmark", "BM_fold/100", "cpu_time",
		BA_LEVEL_REPETITION, 2, 1500, "time"},
	{"google.csv", "items_per_second", "google-benchmark", "BM_fold/100", "items_per_second",
		BA_LEVEL_REPETITION, 2, 8e7, "more"},
	{"google.csv", NULL, "google-benchmark", "BM_gpu", "time", BA_LEVEL_REPETITION, 1, 0,
		"time"},
	{"bencher.json", NULL, "bencher", "fold/100", "time", BA_LEVEL_SUMMARY, 1, 88, "time"},
	{"bencher.json", NULL, "bencher", "fold/100", "throughput", BA_LEVEL_SUMMARY, 1, 5.55,
		"more"},
	{"bencher.json", "file-size", "bencher", "app", "file-size", BA_LEVEL_SUMMARY, 1, 42,
		"less"},
	{"codspeed.json", NULL, "codspeed", "tests/test_fold.py::test_fold[100]", "time",
		BA_LEVEL_SUMMARY, 1, 1250, "time"},
	{"codspeed.json", "mean", "codspeed", "tests/test_fold.py::test_fold[100]", "mean",
		BA_LEVEL_SUMMARY, 1, 1500.25, "time"},
	{"vllm-throughput.json", NULL, "serving", "serving", "elapsed_time", BA_LEVEL_SUMMARY, 1,
		12.5e9, "time"},
	{"vllm-throughput.json", "tokens_per_second", "serving", "serving", "tokens_per_second",
		BA_LEVEL_SUMMARY, 1, 36495.36, "more"},
	{"dotnet-brief.json", NULL, "benchmarkdotnet", "Bench.Fold.Sum(N: 100)", "time",
		BA_LEVEL_REPETITION, 6, 12.5, "time"},
};

/* what is found of a row, and what else the file has */
typedef struct found {
	const expected *row;
	size_t count, records;
	double sum;
	const char *more;
	bool failed, skipped;
	ba_buf ids;
} found;

static int record(void *data, const ba_record *r, ba_error *err)
{
	found *f = data;
	(void)err;
	f->records++;
	ba_buf_printf(&f->ids, "%s: %s (%s)\n", r->id, r->metric, ba_level_name(r->level));
	if (strcmp(r->id, f->row->id) != 0 || strcmp(r->metric, f->row->has) != 0 ||
		r->level != f->row->level)
		return 0;
	for (size_t i = 0; i < r->count; i++)
		f->sum += r->values[i];
	f->count += r->count;
	f->failed |= r->failure != NULL;
	f->skipped |= r->skipped != NULL;
	f->more = r->is_time ? "time" : r->higher_is_better ? "more" : "less";
	return 0;
}

TEST(each_format_says_what_its_file_says)
{
	for (size_t i = 0; i < BA_COUNT(rows); i++) {
		const expected *row = &rows[i];
		found f = {.row = row, .ids = BA_BUF_INIT};
		ba_error err = {0};
		const ba_import_format *format = NULL;
		const ba_sink sink = {.data = &f, .record = record, .metric = row->metric};
		BA_AUTO_FREE char *path =
			ba_xprintf("%s/tests/data/foreign/%s", BA_SOURCE_DIR, row->file);
		char *part = strchr(path, '#');
		if (part)
			*part++ = '\0';
		if (ba_import_read(&format, path, part, &sink, &err))
			fail_msg("%s: %s", row->file, err.text);
		assert_string_equal(format->name, row->format);
		if (!f.more)
			fail_msg("%s: no '%s' (%s) among\n%s", row->file, row->id, row->has,
				f.ids.data);
		assert_string_equal(f.more, row->more);
		assert_int_equal(f.failed, row->mean == 0);
		assert_int_equal(f.skipped, row->mean == -1);
		assert_int_equal(f.count, row->mean > 0 ? row->count : 0);
		if (row->mean > 0)
			assert_close(f.sum / (double)f.count, row->mean, 1e-9);
		ba_buf_dispose(&f.ids);
	}
}

TEST(what_is_wrong_is_said_with_its_place)
{
	static const struct {
		const char *text, *sentence;
	} wrong[] = {
		{"Instances,Avg (ns),Name\n1,2\n", "x.csv: line 2: 2 cells, but the header has 3"},
		{"Instances,Avg (ns),Name\n1,-2,a\n",
			"x.csv: line 2: '-2' is negative, which a measured value cannot be"},
		{"Instances,Avg (ns),Name\n1,2,\"a\n", "x.csv: line 2: a quote is not closed"},
		{"Instances,Avg (ns),Name\n1,2,\n", "x.csv: line 2: a row without 'Name'"},
		{"Instances,Avg (ns),Name\n1,2,\xff\n", "line 2: the text is not UTF-8"},
		{"ID,Kernel Name,Metric Name,Metric Unit,Metric Value\n0,k,Duration,ns\n",
			"x.csv: line 2: 4 cells, but the header has 5"},
		{"# Benchmark Results\n\n## b\n\n| Samples | GPU Time |\n|---|---|\n| 3x |\n",
			"x.csv: line 7: 1 cells, but the header has 2"},
		{"# Benchmark Results\n\n| Samples | GPU Time |\n|---|---|\n| 3x | 1 s |\n",
			"x.csv: line 5: the name of the benchmark ('## NAME') must come before its table"},
		{"Method,Mean,Error\nSum,1 ns\n", "x.csv: line 2: 2 cells, but the header has 3"},
		{"| Method | Mean | Error |\n|---|---|---|\n| a | -1 ns | 0 |\n",
			"x.csv: line 3: '-1 ns' is negative"},
		{"We measured it on a quiet machine.\n| Method | Mean | Error |\n|---|---|---|\n"
		 "| a | 1 ns | 0 |\n",
			"'x.csv' is not a result file of a known format"},
		{"goos: linux\nPASS\n",
			"'x.csv' has lines of go test, but no result of a benchmark; run go test with -bench"},
		{"We measured it on a quiet machine.\nkey: value\n",
			"'x.csv' is not a result file of a known format: it is not JSON, no line of it is a result of go test -bench"},
		{"{\"context\": {\"build\": {\"brand\": \"a\"}}, \"benchmarks\": []}",
			"x.csv: line 1: $.context.build: this seems to be a file of AndroidX Benchmark, which"},
		{"{\"context\": {\"arch\": \"a\", \"runtime\": \"node\"}, \"benchmarks\": []}",
			"x.csv: line 1: $.context.runtime: this seems to be a file of mitata, which"},
		{"In this table we see times,Triton (ms)\n1,1\n",
			"'x.csv' is not a result file of a known format"},
		{"name,iterations,real_time,cpu_time,time_unit\na,1,-1,1,ns\n",
			"x.csv: line 2: a time is negative"},
		{"name,iterations,real_time,cpu_time,time_unit\n,1,1,1,ns\n",
			"x.csv: line 2: a row without 'name'"},
		{"{\"a\": {\"latency\": {\"value\": 1}}, \"b\": {\"latency\": {\"value\": -1}}}",
			"x.csv: line 1: $.b.latency.value: -1 is negative"},
		{"{\"creator\": {}, \"benchmarks\": [{\"stats\": {}}]}",
			"x.csv: line 1: $.benchmarks[0]: a benchmark without a name"},
		{"N,Triton (ms)\n1\n", "x.csv: line 2: 1 cells, but the header has 2"},
		{"N,Triton (ms)\n1,-1\n", "x.csv: line 2: '-1' is negative"},
		{"[{\"build_commit\": \"a\", \"samples_ns\": [1]}]",
			"x.csv: line 1: $[0]: a test without 'model_type'"},
		{"{\"build_commit\": \"a\", \"model_type\": \"b\"}\n{\"model_type\": 1,",
			"x.csv: line 2: line 1, column 18: a key in double quotes expected, but the text ends"},
		{"[{\"unit\": \"ns\", \"value\": 1}]",
			"x.csv: line 1: $[0]: a benchmark without a name"},
		{"window.BENCHMARK_DATA = {\n\"entries\": {\"a\": [{\"benches\": [{\"name\": \"b\", \"value\": -1}]}]}}",
			"x.csv: line 2: $.entries.a[0].benches[0].value: -1 is negative"},
		{"{\"benchmarks\": [{\"runs\": [{\"values\": [1]}]}], \"metadata\": {}}",
			"x.csv: a benchmark without a name in its metadata"},
		{"{\"metadata\": {\"name\": \"a\"}, \"benchmarks\": [{\"runs\": [{\"values\": [1, -2]}]}]}",
			"x.csv: line 1: $.benchmarks[0].runs[0].values[1]: -2 is negative"},
		{"{\"request_throughput\": 1, \"a_ms\": -1}",
			"x.csv: line 1: line 1: $.a_ms: -1 is negative"},
		{"{\"request_throughput\": 1}\n{\"a\": ",
			"x.csv: line 2: line 1, column 7: $.a: a value expected, but the text ends"},
		{"#  size  count  time  algbw  busbw #wrong  time  algbw  busbw #wrong\n 8 2 12.5 0.0\n",
			"x.csv: line 2: a row with other columns than the header"},
		{"#  size  count  time  algbw  busbw #wrong  time  algbw  busbw #wrong\n 8 2 -1 0 0 0 1 0 0 0\n",
			"x.csv: line 2: a value is negative"},
		{"Operation,Disposition,Status,m,Bytes,Runtime\na,passed,success,1,2\n",
			"x.csv: line 2: 5 cells, but the header has 6"},
		{"Name,Calls,AverageNs\na,1,-5\n", "x.csv: line 2: '-5' is negative"},
		{"{\"Action\": \"output\", \"Output\": \"BenchmarkA 1 2\\n\"}",
			"x.csv, output of the tests: line 2: a value without its unit"},
		{"{\"Action\": \"output\"}\n{\"Output\": 1",
			"x.csv: line 2: line 1, column 13: $.Output: ',' or '}' expected, but the text ends"},
		{"[{\"BenchmarkTools\": \"1\"}, [[\"Trial\", {\"times\": [-1]}]]]",
			"x.csv: line 1: $[1][0][1].times[0]: -1 is negative"},
		{"{\"results\": [{\"title\": \"a\", \"measurements\": []}]}",
			"x.csv: line 1: $.results[0]: a result without a name"},
		{"<Catch name=\"a\">\n<TestCase name=\"b\">\n</Catch>",
			"x.csv: line 3: mismatched tag"},
		{"<Catch name=\"a\">\n<BenchmarkResults name=\"b\"><mean value=\"x\"/>",
			"x.csv: line 2: a mean that is not a number"},
		{"<Catch name=\"a\">\n<BenchmarkResults name=\"b", "x.csv: line 2: unclosed token"},
		{"<Catch name=\"a\">\n<!DOCTYPE x [<!ENTITY a \"b\">]>",
			"x.csv: line 2: not well-formed"},
		{"<?xml version=\"1.0\"?>\n<!DOCTYPE x [<!ENTITY a \"b\">]>\n<Catch name=\"a\"/>",
			"x.csv: line 2: a document type is not accepted"},
		{"0.53,msec,task-clock,530106,100.00,0.034,CPUs utilized\n50,,pa",
			"x.csv: line 2: a row of perf stat must have"},
		{"{\"HostEnvironmentInfo\": {}, \"Benchmarks\": [{\"Type\": \"a\"}]}",
			"x.csv: line 1: $.Benchmarks[0]: a benchmark without 'FullName'"},
		{"{\"HostEnvironmentInfo\": {}, \"Benchmarks\": [{\"Measurements\": [{\"IterationStage\": \"Result\", \"LaunchIndex\": 0}]}]}",
			"$.Benchmarks[0].Measurements[0]: 'LaunchIndex' is not from 1 to 10000"},
	};
	for (size_t i = 0; i < BA_COUNT(wrong); i++) {
		ba_error err = {0};
		const ba_sink sink = {0};
		assert_int_equal(ba_import_memory(NULL, wrong[i].text, strlen(wrong[i].text),
					 "x.csv", NULL, &sink, &err),
			BA_EDATA);
		assert_has(err.text, wrong[i].sentence);
	}
}

TEST(a_text_of_no_format_gets_none)
{
	static const char text[] = "some notes\nkey: value\n",
			  failed[] = "--- FAIL: BenchmarkA-8\n";
	const ba_import_format *format = NULL;
	const ba_sink sink = {0};
	ba_error err = {0};
	assert_int_equal(
		ba_import_memory(&format, text, strlen(text), "x", NULL, &sink, &err), BA_EDATA);
	assert_null(format);
	assert_int_equal(
		ba_import_memory(&format, failed, strlen(failed), "x", NULL, &sink, &err), 0);
	assert_string_equal(format->name, "go");
}

/* what stands in the file, as one metric of one level */
TEST(any_csv_is_read_by_its_columns)
{
	static const struct {
		const char *columns, *text, *id, *metric, *more;
		ba_level level;
		size_t count;
		double mean;
	} cases[] = {
		{"name=k,value=t,unit=ms", "k,t\na,1\nb,5\na,3\n", "a", "time", "time",
			BA_LEVEL_REPETITION, 2, 2e6},
		{"name=k,value=t,unit=u,level=process", "k;t;u\na;1;us\na;3;us\n", "a", "time",
			"time", BA_LEVEL_PROCESS, 2, 2e3},
		{"name=k,name=v,value=t (ns),group=n,group=m",
			"n,k,v,t (ns),m\n8,a,x,\"1,000\",2\n", "a/x/n=8,m=2", "time", "time",
			BA_LEVEL_REPETITION, 1, 1000},
		{"name=k,value=rate,unit=GB/s", "noise\nk\trate\na\t7\n\n", "a", "rate", "more",
			BA_LEVEL_REPETITION, 1, 7},
		{"name=k,value=us,unit=us", "k,us\na,7\n", "a", "time", "time", BA_LEVEL_REPETITION,
			1, 7000},
		/* BenchmarkDotNet's cells */
		{"name=k,value=t", "k,t\na,\"1,024.5 \xce\xbcs\"\na,24 ns\n", "a", "time", "time",
			BA_LEVEL_REPETITION, 2, 512262},
		{"name=k,value=heap", "k,heap\na,1.5 KB\n", "a", "heap", "less",
			BA_LEVEL_REPETITION, 1, 1536},
		{"name=k,value=heap", "k,heap\na,7\n", "a", "heap", "less", BA_LEVEL_REPETITION, 1,
			7},
	};
	for (size_t i = 0; i < BA_COUNT(cases); i++) {
		const expected row = {
			.id = cases[i].id, .has = cases[i].metric, .level = cases[i].level};
		found f = {.row = &row, .ids = BA_BUF_INIT};
		ba_error err = {0};
		const ba_sink sink = {
			.data = &f, .record = record, .csv_columns = cases[i].columns};
		if (ba_import_memory(
			    NULL, cases[i].text, strlen(cases[i].text), "x.csv", NULL, &sink, &err))
			fail_msg("%s: %s", cases[i].columns, err.text);
		if (!f.more)
			fail_msg("%s: %s", cases[i].columns, f.ids.data);
		assert_string_equal(f.more, cases[i].more);
		assert_int_equal(f.count, cases[i].count);
		assert_close(f.sum / (double)f.count, cases[i].mean, 1e-9);
		ba_buf_dispose(&f.ids);
	}
}

TEST(columns_that_are_wrong_are_refused)
{
	static const struct {
		const char *columns, *sentence;
	} cases[] = {
		{"name=k", "needs the columns of the name and the value"},
		{"value=k", "needs the columns of the name and the value"},
		{"name=k,value", "'value' is not KEY=COLUMN"},
		{"name=k,value=t,value=u", "'value' is unknown or appears twice"},
		{"name=k,values=t", "'values' is unknown or appears twice"},
		{"name=k,value=t,level=run", "not 'run'"},
		{"name=no,value=t", "x.csv: no line has the columns of --csv-columns: 'no', 't'"},
		{"name=k,value=t", "x.csv: line 2: 1 cells, but the header has 2"},
	};
	for (size_t i = 0; i < BA_COUNT(cases); i++) {
		ba_error err = {0};
		const ba_sink sink = {.csv_columns = cases[i].columns};
		assert_true(ba_import_memory(NULL, "k,t\na\n", 6, "x.csv", NULL, &sink, &err) < 0);
		assert_has(err.text, cases[i].sentence);
	}
}

TEST(a_cut_database_is_said_to_be_one)
{
	BA_AUTO(ba_buf) ba_buf text = BA_BUF_INIT;
	BA_AUTO_FREE char *path = ba_xprintf("%s/tests/data/foreign/nsys.sqlite", BA_SOURCE_DIR);
	found f = {.row = &rows[4], .ids = BA_BUF_INIT};
	const ba_sink sink = {.data = &f, .record = record};
	ba_error err = {0};
	assert_int_equal(ba_fs_read(&text, path, 1 << 20, &err), 0);
	assert_int_equal(ba_import_memory(NULL, text.data, text.len, "x", NULL, &sink, &err), 0);
	assert_int_equal(f.count, 12);
	assert_int_equal(ba_import_memory(NULL, text.data, 1500, "x", NULL, &sink, &err), BA_EDATA);
	assert_has(err.text, "'x' is not a readable SQLite file");
	ba_buf_dispose(&f.ids);
}
