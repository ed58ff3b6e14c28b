/* cutlass_profiler --output=FILE: a CSV with a row for each kernel and problem, whose
 * runtime is the mean of its iterations, in milliseconds. */
#include "import/table.h"

static const char *const needs[] = {"Operation", "Disposition", "Runtime", NULL};
static const char *const good[] = {"passed", "not_verified", NULL};
static const ba_table_metric metrics[] = {
	{"Runtime", "time", 1e6}, {"GFLOPs", "GFLOPs", 0}, {"GB/s", "GB/s", 0}, {NULL, NULL, 0}};
static const ba_table table = {.needs = needs,
	.name = "Operation",
	.after = "Status",
	.before = "Bytes",
	.status = "Disposition",
	.skip = "not_run",
	.good = good,
	.metrics = metrics,
	.level = BA_LEVEL_SUMMARY,
	.whole = true};

BA_TABLE_FORMAT(cutlass, table)
