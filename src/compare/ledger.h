/* What is known of each benchmark while files are read: a row for each, found by its
 * name. Inside the module only. */
#ifndef COMPARE_LEDGER_H
#define COMPARE_LEDGER_H

#include <stdint.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/strv.h"
#include "model/level.h"
#include "stats/unpaired.h"

/* a row has its metric's index, and each record searches the list of metrics */
enum { BA_LEDGER_METRICS_MOST = 1000 };

/* What is known of one benchmark in one variant. */
typedef struct ba_entry {
	ba_moments values; /* of logs at its level, from the present file or from all */
	double mean, min;  /* of the samples themselves */
	uint32_t samples, zeros; /* zeros: samples of 0, which have no logarithm */
	uint16_t file;		 /* counts from 1; 0: nothing yet */
	uint8_t level;
	bool missing; /* no value: see failure */
	bool skipped; /* on purpose; failure says why */
	char *failure;
} ba_entry;

typedef struct ba_row {
	uint64_t hash;
	char *id;
	uint16_t metric; /* index of ba_ledger.metrics */
	bool is_time, higher_is_better;
	uint8_t direction; /* ba_direction: who says so */
} ba_row;

typedef struct ba_ledger {
	size_t variants;
	ba_row *rows;
	size_t count, capacity;
	ba_entry *entries; /* [count * variants] */
	/* [count * variants] one value a file; NULL: one file each */
	ba_moments *files;
	bool several_files;
	uint32_t *slots; /* row + 1, or 0; open addressing */
	size_t slot_count;
	uint64_t seed; /* random, so that foreign names cannot be made to collide */
	size_t last;   /* row found last: files often have the same order */
	ba_strv metrics;
} ba_ledger;

void ba_ledger_init(ba_ledger *l, size_t variants, bool several_files);
void ba_ledger_dispose(ba_ledger *l);
BA_DEFINE_AUTO(ba_ledger, ba_ledger_dispose)

/* Is there room for a row of this metric? Metrics come from files: 0 or BA_EDATA, with
 * the file's name. */
int ba_ledger_check(
	const ba_ledger *l, const char *metric, const char *path, ba_error *err);
/* The row of that name; makes it if there is none. ba_ledger_check must have passed. */
size_t ba_ledger_row(ba_ledger *l, const char *id, const char *metric);
ba_entry *ba_ledger_entry(ba_ledger *l, size_t row, size_t variant);
ba_moments *ba_ledger_files(ba_ledger *l, size_t row, size_t variant);

#endif
