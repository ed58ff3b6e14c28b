/* The structs of model/ as JSON, for the results document and for the journal. */
#ifndef STORE_PARTS_H
#define STORE_PARTS_H

#include "base/error.h"
#include "json/json.h"
#include "json/writer.h"
#include "model/result.h"
#include "json/fields.h"

/* key: NULL inside an array. The readers fill zeroed structs, which can be disposed of
 * after an error, too. */
void ba_variant_write(ba_json_writer *w, const char *key, const ba_variant *v);
int ba_variant_read(ba_variant *out, ba_json_value object, ba_error *err);

/* its member "artefacts" */
extern const ba_json_list ba_artefacts;

void ba_benchmark_write(ba_json_writer *w, const char *key, const ba_benchmark *b);
int ba_benchmark_read(ba_benchmark *out, ba_json_value object, ba_error *err);

/* the member "device_code" of a benchmark; if absent, *count stays 0 */
void ba_codes_write(ba_json_writer *w, const char *key, const ba_device_code *codes, size_t count);
/* the members of one kernel, into an open object */
void ba_kernel_write(ba_json_writer *w, const ba_kernel *k);
int ba_codes_read(
	ba_device_code **out, size_t *count, ba_json_value object, const char *key, ba_error *err);

void ba_environment_write(ba_json_writer *w, const char *key, const ba_environment *e);
int ba_environment_read(ba_environment *out, ba_json_value object, ba_error *err);

/* the member "why" of a comparison; NULL: nothing is written, and nothing was read */
void ba_explanation_write(ba_json_writer *w, const ba_explanation *e);
int ba_explanation_read(ba_explanation **out, ba_json_value object, ba_error *err);

void ba_origin_write(ba_json_writer *w, const char *key, const ba_origin *o);
int ba_origin_read(ba_origin *out, ba_json_value object, ba_error *err);
/* the member "origins" of the document; the reader needs r->merged */
void ba_origins_write(ba_json_writer *w, const ba_result *r);
int ba_origins_read(ba_result *r, ba_json_value root, ba_error *err);
/* the members "part", "parts" and "merged" of the decision */
void ba_merged_runs_write(ba_json_writer *w, const ba_result *r);
int ba_merged_runs_read(ba_result *r, ba_json_value decision, ba_error *err);
/* the members "p_agree", "places_differ" and "places" of a comparison; the reader needs
 * r->origins */
void ba_places_write(ba_json_writer *w, const ba_comparison *c);
int ba_places_read(ba_comparison *c, const ba_result *r, ba_json_value object, ba_error *err);
/* the members "looks" and "look_weights" of an object */
void ba_looks_write(ba_json_writer *w, const ba_design *design);
int ba_looks_read(ba_design *out, ba_json_value object, ba_error *err);

/* Writes the members into an open object. */
void ba_samples_write(ba_json_writer *w, const ba_samples *s);
/* An error that names the place: counts that do not fit the arrays, a participant out
 * of range (variant_count bounds them), a time of zero. */
int ba_samples_read(ba_samples *out, ba_json_value object, size_t variant_count, ba_error *err);

/* "kind"; absent: a launcher suite, once the only kind */
int ba_suite_kind_read(ba_suite_kind *out, ba_json_value object, ba_error *err);
/* "submit" -> BA_METRIC_SUBMIT */
int ba_metric_read(ba_metric *out, ba_json_value object, ba_error *err);
int ba_verdict_read(ba_verdict *out, ba_json_value object, const char *key, ba_error *err);

#endif
