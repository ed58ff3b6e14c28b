/* Declarations shared by the writer and the reader of results documents. Inside the
 * module only. */
#pragma once

#include "json/fields.h"
#include "json/file.h"
#include "model/result.h"

/* members of a ba_result, except benchmarks and series */
extern const ba_json_fields ba_head_fields;
/* members of a ba_series, except its arrays */
extern const ba_json_fields ba_series_fields;
extern const ba_json_fields ba_summary_fields;
extern const ba_json_fields ba_comparison_fields;

/* Reads the list of series of a results document, one at a time.
 * */

/* the lists of the file */
enum { BA_RESULTS_BENCHMARKS, BA_RESULTS_SERIES };

/* r must have everything but its series. Readings beyond readings_most bytes stay in
 * the file (ba_series.stored); then *stored becomes true. */
int ba_results_read_series(ba_result *r, bool *stored, ba_json_file *f, ba_json_value root,
	size_t readings_most, ba_error *err);
/* reads them again later; takes f */
ba_stored_readings *ba_results_stored_new(ba_json_file *f);
