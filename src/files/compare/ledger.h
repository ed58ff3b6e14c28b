/* What is known of each benchmark while files are read: a row for each, found by its
 * name. Inside the module only. */
#ifndef COMPARE_LEDGER_H
#define COMPARE_LEDGER_H

#include "base/base.h"
#include "base/pile.h"
#include "model/level.h"
#include "stats/unpaired.h"

/* a row has its metric's index, and each record searches the list of metrics */
enum { BA_LEDGER_METRICS_MOST = 1000 };

/* What is known of one benchmark in one variant. */
typedef struct ba_entry {
	ba_moments values;	 /* of logs at its level, from the present file or from all */
	double mean, min;	 /* of the samples themselves */
	double median;		 /* as the tool computed it; 0: unknown, or of several records */
	size_t failure;		 /* ba_ledger_text; 0: none */
	uint32_t samples, zeros; /* zeros: samples of 0, which have no logarithm */
	uint16_t file;		 /* counts from 1; 0: nothing yet */
	uint8_t level;
	bool missing; /* no value: see failure */
	bool skipped; /* on purpose; failure says why */
} ba_entry;

typedef struct ba_row {
	size_t id;	 /* ba_ledger_text */
	uint16_t metric; /* index of ba_ledger.metrics */
	bool is_time, higher_is_better;
	bool has_metric_name; /* among ba_metric; else the row's name ends with it */
	uint8_t direction;    /* ba_direction: who says so */
	ba_entry entries[];
} ba_row;

typedef struct ba_slot {
	uint32_t hash, row; /* row + 1, or 0 */
} ba_slot;

/* Rows and texts are in piles (base/pile.h). So memory has 11 to 21 bytes for each row
 * until it is closed, and none then. */
typedef struct ba_ledger {
	size_t variants;
	ba_pile *rows;
	ba_pile *texts;	  /* names and failures */
	size_t row_size;  /* with entries, and perhaps ba_moments of files behind them */
	size_t per_chunk; /* rows of a chunk */
	uint64_t inverse; /* 2^64 / per_chunk, rounded up */
	size_t count;
	bool several_files;
	ba_slot *slots; /* open addressing */
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
int ba_ledger_check(const ba_ledger *l, const char *metric, const char *path, ba_error *err);
/* The row of that name; makes it if there is none. ba_ledger_check must have passed. */
size_t ba_ledger_row(ba_ledger *l, const char *id, const char *metric);
/* No name is looked for after it. */
void ba_ledger_close(ba_ledger *l);

/* Keeps a text; its place is above 0. */
size_t ba_ledger_add_text(ba_ledger *l, const char *text);
/* NULL for place 0 */
static inline const char *ba_ledger_text(const ba_ledger *l, size_t place)
{
	return place ? ba_pile_at(l->texts, place) : NULL;
}

/* Rows and what is in them stay where they are. */
static inline ba_row *ba_ledger_at(const ba_ledger *l, size_t row)
{
	/* row / per_chunk, for rows below 2^32 */
	__extension__ typedef unsigned __int128 wide;
	size_t chunk = (size_t)((wide)row * l->inverse >> 64);
	size_t in_chunk = row - chunk * l->per_chunk;
	return ba_pile_at(l->rows, (chunk << BA_PILE_SHIFT) + in_chunk * l->row_size);
}

static inline const char *ba_ledger_id(const ba_ledger *l, size_t row)
{
	return ba_ledger_text(l, ba_ledger_at(l, row)->id);
}

static inline ba_entry *ba_ledger_entry(const ba_ledger *l, size_t row, size_t variant)
{
	return &ba_ledger_at(l, row)->entries[variant];
}

/* one value for each file; of a ledger with several files a variant, else NULL */
ba_moments *ba_ledger_files(const ba_ledger *l, size_t row, size_t variant);

#endif
