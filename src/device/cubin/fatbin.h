/* The entries of a fatbin: a container of cubins, PTX texts and code for a linker, each
 * of which may be compressed. Internal to this module. */
#pragma once

#include "base/base.h"

#define BA_FATBIN_MAGIC 0xba55ed50u

/* as the headers of entries have them */
enum { BA_FATBIN_PTX = 1, BA_FATBIN_CUBIN = 2 };

typedef struct ba_fatbin_entry {
	unsigned kind;
	int arch;
	bool is_packed;
	const unsigned char *data; /* packed, if it is */
	size_t bytes, raw_bytes;
} ba_fatbin_entry;

/* Could a fatbin begin at `data`, which has its magic number? True if too little follows to tell. */
bool ba_fatbin_begins(const void *data, size_t most);
/* The size by its header of a fatbin that begins at `data`; 0: it is none, or damaged. */
size_t ba_fatbin_bytes(const void *data, size_t most);

/* Reads the entry at *at and moves *at behind it. *at is 0 before the first; *more: false
 * after the last one, and *out is not set. BA_EINVAL. */
int ba_fatbin_next(bool *more, ba_fatbin_entry *out, size_t *at, const unsigned char *fatbin,
	size_t bytes, ba_error *err);

/* What the entry holds: *data points into the entry or into *owned, which the caller
 * frees. BA_EINVAL. */
int ba_fatbin_unpack(const unsigned char **data, size_t *bytes, unsigned char **owned,
	const ba_fatbin_entry *entry, ba_error *err);
