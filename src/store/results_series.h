/* Inside the reader of results documents: the list of series, one at a time. */
#ifndef STORE_RESULTS_SERIES_H
#define STORE_RESULTS_SERIES_H

#include "json/file.h"
#include "model/result.h"

/* of the file */
enum { BA_RESULTS_BENCHMARKS, BA_RESULTS_SERIES };

/* All of r but its series is there. Readings beyond that many bytes are left in the
 * file (ba_series.stored); *stored becomes true if there are such. */
int ba_results_read_series(ba_result *r, bool *stored, ba_json_file *f,
	ba_json_value root, size_t readings_most, ba_error *err);
/* what reads them again; f is its own from then on */
ba_stored_readings *ba_results_stored_new(ba_json_file *f);

#endif
