/* Reads files, and collects where they were measured. Inside the module only. */
#pragma once

#include "compare/compare.h"
#include "compare/ledger.h"
#include "import/import.h"

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
