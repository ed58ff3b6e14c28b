/* The rows that the writer and the reader of results documents share. Inside the module
 * only. */
#ifndef STORE_RESULTS_FIELDS_H
#define STORE_RESULTS_FIELDS_H

#include "json/fields.h"

typedef struct ba_field_table {
	const ba_json_field *rows;
	size_t count;
} ba_field_table;
#define BA_TABLE(table) (table).rows, (table).count

extern const ba_field_table ba_run_table;
extern const ba_field_table ba_decision_table;
extern const ba_json_list ba_suites;
extern const ba_field_table ba_gate_table;
extern const ba_field_table ba_spent_table;
extern const ba_field_table ba_evidence_table;
extern const ba_field_table ba_overlay_table;
extern const ba_field_table ba_summary_table;
extern const ba_field_table ba_layout_table;
extern const ba_field_table ba_throughput_table; /* of doubles */
extern const ba_field_table ba_comparison_table;

#endif
