/* Declarations shared by the files of ba_convert: the document that was read, and the
 * writers of other tools' formats. Inside the module only. */
#pragma once

#include "compare/collect.h"
#include "json/writer.h"

typedef struct ba_convert_item {
	double *values;
	size_t count, capacity;
	ba_level level;
	char *failure;
	bool skipped; /* skipped on purpose; `failure` has the reason */
} ba_convert_item;

typedef struct ba_convert_document {
	const char *path;
	ba_ledger names;
	ba_convert_item *items; /* one for each row of `names` */
	size_t item_capacity;
	ba_field *fields;
	size_t field_count;
	ba_strv *remarks;
	size_t without_samples, no_times, failed, other_direction;
} ba_convert_document;

/* These formats hold only sampled times; *d counts omitted benchmarks. */
void ba_convert_write_pytest(ba_json_writer *w, ba_convert_document *d);
void ba_convert_write_nvbench(ba_json_writer *w, ba_convert_document *d);
/* Holds one value of each benchmark, which may be a summary. */
void ba_convert_write_github(ba_json_writer *w, ba_convert_document *d);
