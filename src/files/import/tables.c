/* Tools whose files are one table. The times of all of them are means, so summaries. */

#include "import/table.h"

/* cutlass_profiler --output=FILE: a CSV with a row for each kernel and problem, whose
 * runtime is the mean of its iterations, in milliseconds. */
static const ba_table cutlass = {
	.needs = (const char *const[]){"Operation", "Disposition", "Runtime", NULL},
	.name = "Operation",
	.after = "Status",
	.before = "Bytes",
	.status = "Disposition",
	.skip = "not_run",
	.good = (const char *const[]){"passed", "not_verified", NULL},
	.metrics = (const ba_table_metric[]){{"Runtime", "time", 1e6}, {"GFLOPs", "GFLOPs", 0},
		{"GB/s", "GB/s", 0}, {NULL, NULL, 0}},
	.level = BA_LEVEL_SUMMARY,
	.whole = true};

BA_TABLE_FORMAT(cutlass, cutlass)

/* rocprof --stats (results.stats.csv) and rocprofv3 --stats (kernel_stats.csv): a row for
 * each kernel with the mean of its calls. */
static const ba_table rocprof = {.needs = (const char *const[]){"Name", "Calls", "AverageNs", NULL},
	.name = "Name",
	.metrics =
		(const ba_table_metric[]){{"AverageNs", "time", 1}, {"TotalDurationNs", "total", 1},
			{"MinNs", "min", 1}, {"MaxNs", "max", 1}, {NULL, NULL, 0}},
	.level = BA_LEVEL_SUMMARY,
	.whole = true};

BA_TABLE_FORMAT(rocprof, rocprof)

/* NVBench --csv and --md: tables of means. With --jsonbin there are samples (nvbench.c). */
static const ba_table_metric nvbench_metrics[] = {{"GPU Time", "gpu_time", 1e9},
	{"CPU Time", "cpu_time", 1e9}, {"Batch GPU", "batch_time", 1e9}, {NULL, NULL, 0}};
static const ba_table nvbench = {
	.needs = (const char *const[]){"Benchmark", "Device Name", "Skipped", NULL},
	.name = "Benchmark",
	.after = "Device Name",
	.before = "Skipped",
	.status = "Skipped",
	.skip = "Yes",
	.good = (const char *const[]){"No", NULL},
	.device = "Device Name",
	.metrics = nvbench_metrics,
	.in_order = true,
	.level = BA_LEVEL_SUMMARY,
	.whole = true};

static const char nvbench_title[] = "# Benchmark Results";

bool ba_is_nvbench_table(const char *line, size_t size)
{
	return ba_table_is(&nvbench, line, size) ||
	       (size == strlen(nvbench_title) && memcmp(line, nvbench_title, size) == 0);
}

/* --md: "## copy", "### [0] NVIDIA H100", and a table whose cells contain units. For an axis
 * "2^10", the number itself is in the next column. Other tables have no samples. */
static const ba_table nvbench_markdown = {
	.needs = (const char *const[]){"Samples", "GPU Time", NULL},
	.title = nvbench_title,
	.before = "Samples",
	.metrics = nvbench_metrics,
	.in_order = true,
	.level = BA_LEVEL_SUMMARY,
	.whole = true};

int ba_read_nvbench_table(const ba_source *s, ba_error *err)
{
	BA_AUTO(ba_lines) ba_lines lines = {0};
	const char *line;
	size_t size;
	bool csv = false;
	int rc = ba_lines_open(&lines, s, err);
	while (rc == 0 && !csv && (rc = ba_lines_next(&line, &size, &lines, err)) > 0) {
		csv = ba_table_is(&nvbench, line, size);
		rc = 0;
	}
	if (rc < 0)
		return rc;
	return csv ? ba_table_read(&nvbench, s, err) : ba_table_read(&nvbench_markdown, s, err);
}
