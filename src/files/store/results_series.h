/* Reads the list of series of a results document, one at a time.
 * Inside the module only. */
#ifndef STORE_RESULTS_SERIES_H
#define STORE_RESULTS_SERIES_H

#include "json/file.h"
#include "model/result.h"

/* the lists of the file */
enum { BA_RESULTS_BENCHMARKS, BA_RESULTS_SERIES };

/* r must have everything but its series. Readings beyond readings_most bytes stay in
 * the file (ba_series.stored); then *stored becomes true. */
int ba_results_read_series(ba_result *r, bool *stored, ba_json_file *f, ba_json_value root,
	size_t readings_most, ba_error *err);
/* reads them again later; takes f */
ba_stored_readings *ba_results_stored_new(ba_json_file *f);

#endif
