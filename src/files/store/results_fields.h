/* The rows that the writer and the reader of results documents share. Inside the module
 * only. */
#ifndef STORE_RESULTS_FIELDS_H
#define STORE_RESULTS_FIELDS_H

#include "json/fields.h"

extern const ba_json_fields ba_head_fields;   /* of a ba_result, without benchmarks and series */
extern const ba_json_fields ba_series_fields; /* of a ba_series, without its arrays */
extern const ba_json_fields ba_summary_fields;
extern const ba_json_fields ba_comparison_fields;

#endif
