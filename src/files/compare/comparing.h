/* Reads files, collects where they were measured, and prepares the samples of each benchmark for
 * verdicts. Inside the module only. */
#pragma once

#include "compare/compare.h"
#include "compare/ledger.h"
#include "import/import.h"
#include "stats/apart.h"

typedef struct ba_field {
	char *name, *value;
	bool must_match;
} ba_field;

/* One file that was read. */
typedef struct ba_origin_file {
	const ba_compare_source *source;
	const ba_import_format *format;
	size_t variant;
	ba_field *fields;
	size_t field_count;
	uint64_t fingerprint; /* hash of names and values, in their order; 0: none */
} ba_origin_file;

typedef struct ba_collection {
	const ba_compare_spec *spec;
	ba_ledger ledger;
	ba_origin_file *files; /* [spec->source_count] */
	ba_strv labels;	       /* labels of the variants, in their order */
	ba_strv warnings;      /* sentences from the readers */
	ba_strv damages;       /* clauses: "'x.json' was damaged or edited ..." */
	size_t left_out;       /* number of records that no filter matches */
	/* set with the rows: the lowest level that a verdict relies on, or BA_LEVEL_COUNT */
	ba_level claim;
} ba_collection;

BA_DECLARE_DISPOSE(ba_collection)

/* *c must be zeroed. */
int ba_collect(ba_collection *c, const ba_compare_spec *spec, ba_error *err);

/* Appends sentences "device ('A' against 'B'), ..." for each file that differs from the
 * first: about fields that must not differ, or about the other fields. */
void ba_collection_differences(ba_strv *out, const ba_collection *c, bool must_match);
/* The value of a field of the first file that has it; "" if none does. */
const char *ba_collection_field(const ba_collection *c, const char *name);

/* The values of an entry after all files were read, and their level. With several files, values
 * below the level of processes become one value for each process. */
typedef struct ba_standing {
	const ba_moments *values;
	ba_level level;
} ba_standing;
ba_standing ba_standing_of(const ba_collection *c, size_t row, size_t variant);

typedef struct ba_comparing {
	ba_result *r;
	ba_collection *c;
	size_t candidates;
	/* the family of the comparisons that values can decide */
	ba_apart_family family;
	ba_t_table table, floors; /* floors: without quantiles */
	/* an initialised decision with these thresholds, before any estimate */
	ba_decision open;
	double open_slower, open_faster;
	int *metrics; /* ba_metric_from_name of each metric of the ledger */
	/* the current row */
	const ba_row *row;
	ba_standing standings[BA_COMPARE_VARIANTS_MOST];
} ba_comparing;

static inline const ba_entry *ba_comparing_entry_of(const ba_comparing *j, size_t variant)
{
	return &j->row->entries[variant];
}
/* Are there values that have logarithms? */
bool ba_comparing_has_values(const ba_comparing *j, size_t variant);
/* A few zeros among other values are readings below the step of a clock. If there are
 * many, the meaning of the other values is uncertain. */
bool ba_comparing_many_zeros(const ba_entry *e);
/* Are all of its values 0? */
bool ba_comparing_is_zero(const ba_comparing *j, size_t variant);
ba_level ba_comparing_level_of(const ba_comparing *j, size_t candidate);
/* Hypotheses that these data cannot decide count in the family, but are not judged. */
bool ba_comparing_may_decide(const ba_comparing *j, size_t candidate);

/* Fills the current row's comparison. If values can decide it, the family has judged d and x. */
void ba_comparing_settle(
	ba_comparing *j, ba_series *s, size_t candidate, const ba_decision *d, const ba_apart *x);

/* ---- the ledger as a result with verdicts ---- */

/* Makes the benchmarks, series and comparisons of r, whose variants are set; if the comparison
 * was forced, the first note of r says why. Sets c->claim. BA_EINVAL: a metric that is not a
 * time has a threshold in time. */
int ba_compare_unpaired(ba_result *r, ba_collection *c, ba_error *err);

/* Adds notes that readers need beside the table: levels, claims, warnings. */
void ba_compare_notes(ba_result *r, const ba_collection *c);
