/* rocprof --stats (results.stats.csv) and rocprofv3 --stats (kernel_stats.csv): a row for
 * each kernel with the mean of its calls. */
#include "import/table.h"

static const char *const needs[] = {"Name", "Calls", "AverageNs", NULL};
static const ba_table_metric metrics[] = {{"AverageNs", "time", 1}, {"TotalDurationNs", "total", 1},
	{"MinNs", "min", 1}, {"MaxNs", "max", 1}, {NULL, NULL, 0}};
static const ba_table table = {.needs = needs,
	.name = "Name",
	.metrics = metrics,
	.level = BA_LEVEL_SUMMARY,
	.whole = true};

BA_TABLE_FORMAT(rocprof, table)
