/* The structs of model/ as JSON, for the results document and for the journal. */
#pragma once

#include "json/fields.h"
#include "model/effect.h"
#include "model/result.h"

extern const ba_json_words ba_suite_kind_words;
extern const ba_json_words ba_metric_words;
extern const ba_json_words ba_verdict_words;

extern const ba_json_fields ba_variant_fields;
extern const ba_json_fields ba_artefact_fields;
extern const ba_json_fields ba_benchmark_fields;
extern const ba_json_fields ba_kernel_fields;
extern const ba_json_fields ba_block_fields; /* of a ba_block_changes */
extern const ba_json_fields ba_environment_fields;
extern const ba_json_fields ba_explanation_fields;
extern const ba_json_fields ba_evidence_fields;
extern const ba_json_fields ba_engine_fields; /* of a ba_measured_suite, without its kind */
extern const ba_json_fields ba_origin_fields;
extern const ba_json_fields ba_merged_fields; /* of a ba_merged_run */
extern const ba_json_fields ba_place_fields;  /* of a ba_place_estimate */

/* Do the origins fit each other and the merged runs? */
int ba_origins_check(const ba_result *r, ba_json_value root, ba_error *err);
/* Do they belong to places that the result has? */
int ba_places_check(
	const ba_comparison *c, const ba_result *r, ba_json_value object, ba_error *err);

/* the members "looks" and "look_weights" of an object, whose "looks_done" is at most their number */
void ba_looks_write(ba_json_writer *w, const ba_design *design);
int ba_looks_read(ba_design *out, size_t done, ba_json_value object, ba_error *err);

/* Writes the members into an open object. */
void ba_samples_write(ba_json_writer *w, const ba_samples *s);
/* Fails for counts unlike the arrays, a participant beyond variant_count, a time of zero. */
int ba_samples_read(ba_samples *out, ba_metric metric, ba_json_value object, size_t variant_count,
	ba_error *err);

/* ---- of results documents ---- */

/* members of a ba_result, except benchmarks and series */
extern const ba_json_fields ba_head_fields;
/* members of a ba_series, except its arrays */
extern const ba_json_fields ba_series_fields;
extern const ba_json_fields ba_summary_fields;
extern const ba_json_fields ba_comparison_fields;
extern const ba_json_fields ba_effects_fields; /* of a ba_series: its effects */
