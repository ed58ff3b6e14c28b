/* NVBench --csv and --md: tables of means. With --jsonbin there are samples (nvbench.c). */
#include "import/table.h"

static const char *const needs[] = {"Benchmark", "Device Name", "Skipped", NULL};
static const char *const good[] = {"No", NULL};
static const ba_table_metric metrics[] = {{"GPU Time", "gpu_time", 1e9},
	{"CPU Time", "cpu_time", 1e9}, {"Batch GPU", "batch_time", 1e9}, {NULL, NULL, 0}};
static const ba_table table = {.needs = needs,
	.name = "Benchmark",
	.after = "Device Name",
	.before = "Skipped",
	.status = "Skipped",
	.skip = "Yes",
	.good = good,
	.device = "Device Name",
	.metrics = metrics,
	.in_order = true,
	.level = BA_LEVEL_SUMMARY,
	.whole = true};

static const char results[] = "# Benchmark Results";

bool ba_is_nvbench_table(const char *line, size_t size)
{
	return ba_table_is(&table, line, size) ||
	       (size == strlen(results) && memcmp(line, results, size) == 0);
}

/* --md: "## copy", "### [0] NVIDIA H100", and a table whose cells contain units. For an axis
 * "2^10", the number itself is in the next column. Other tables have no samples. */
static const char *const needs_markdown[] = {"Samples", "GPU Time", NULL};
static const ba_table markdown = {.needs = needs_markdown,
	.title = results,
	.before = "Samples",
	.metrics = metrics,
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
		csv = ba_table_is(&table, line, size);
		rc = 0;
	}
	if (rc < 0)
		return rc;
	return csv ? ba_table_read(&table, s, err) : ba_table_read(&markdown, s, err);
}
