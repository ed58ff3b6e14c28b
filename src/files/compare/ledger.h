/* What is known of each benchmark while files are read, by name. Inside the module only. */
#pragma once

#include "base/pile.h"
#include "stats/unpaired.h"

/* limited because each record searches the list of metrics */
enum { BA_LEDGER_METRICS_MOST = 1000 };

/* What is known of one benchmark in one variant. */
typedef struct ba_entry {
	/* moments of the logarithms at its level, in the present file or in all files */
	ba_moments values;
	double mean, min; /* mean and minimum of the samples */
	/* as the tool computed it; 0: unknown, or there are several records */
	double median;
	size_t failure;		 /* ba_ledger_text; 0: none */
	uint32_t samples, zeros; /* zeros: samples of 0, which have no logarithm */
	/* number of the last file with this benchmark, from 1; 0: none yet */
	uint16_t file;
	uint8_t level;
	bool missing; /* it has no value; `failure` has the reason */
	bool skipped; /* skipped on purpose; `failure` has the reason */
} ba_entry;

typedef struct ba_row {
	size_t id;	 /* ba_ledger_text */
	uint16_t metric; /* index of ba_ledger.metrics */
	bool is_time, higher_is_better;
	/* the metric is one of ba_metric; else the row's name ends with its name */
	bool has_metric_name;
	uint8_t direction; /* ba_direction: what determined the direction */
	ba_entry entries[];
} ba_row;

typedef struct ba_slot {
	uint32_t hash, row; /* row + 1, or 0 */
} ba_slot;

/* Rows and texts are in piles (base/pile.h). The index takes 11 to 21 bytes a row until closed. */
typedef struct ba_ledger {
	size_t variants;
	ba_pile *rows;
	ba_pile *texts; /* names and failures */
	/* size with its entries, and the ba_moments of files if there are any */
	size_t row_size;
	size_t per_chunk; /* rows in a chunk */
	uint64_t inverse; /* 2^64 / per_chunk, rounded up */
	size_t count;
	bool several_files;
	ba_slot *slots; /* open addressing */
	size_t slot_count;
	uint64_t seed; /* random, so that hostile files cannot provoke collisions */
	size_t last;   /* the row found last, because files often have the same order */
	ba_strv metrics;
} ba_ledger;

void ba_ledger_init(ba_ledger *l, size_t variants, bool several_files);
BA_DECLARE_DISPOSE(ba_ledger)

/* Is there room for a row with this metric? BA_EDATA, with the file's name. */
int ba_ledger_check(const ba_ledger *l, const char *metric, const char *path, ba_error *err);
/* The row with that name; adds it if there is none. ba_ledger_check must have passed. */
size_t ba_ledger_row(ba_ledger *l, const char *id, const char *metric);
bool ba_ledger_has(const ba_ledger *l, const char *id, const char *metric);
/* Frees the index: names cannot be looked up afterwards. */
void ba_ledger_close(ba_ledger *l);

/* Stores a text and returns its place, which is above 0. */
size_t ba_ledger_add_text(ba_ledger *l, const char *text);
/* The text at that place; NULL for place 0. */
static inline const char *ba_ledger_text(const ba_ledger *l, size_t place)
{
	return place ? ba_pile_at(l->texts, place) : NULL;
}

/* Rows do not move, so pointers into them stay valid. */
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

/* One value for each file, if a variant of the ledger has several files; else NULL. */
ba_moments *ba_ledger_files(const ba_ledger *l, size_t row, size_t variant);
