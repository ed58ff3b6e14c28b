/* Declarations shared by the writer and the reader of results documents. Inside the
 * module only. */
#ifndef STORE_RESULTS_FIELDS_H
#define STORE_RESULTS_FIELDS_H

#include "json/fields.h"

/* members of a ba_result, except benchmarks and series */
extern const ba_json_fields ba_head_fields;
/* members of a ba_series, except its arrays */
extern const ba_json_fields ba_series_fields;
extern const ba_json_fields ba_summary_fields;
extern const ba_json_fields ba_comparison_fields;

#endif
