/* SHA-256 of files, remembered between runs. Inside the module only. */
#pragma once

#include "base/base.h"
#include "base/log.h"

typedef struct ba_hash_row ba_hash_row;

typedef struct ba_hashes {
	ba_hash_row *rows;
	size_t count, capacity;
	bool changed;
} ba_hashes;

void ba_hashes_load(ba_hashes *h, const char *path); /* empty if unreadable */
/* The SHA-256 of a file in hex. Reads the file only if no row has its device, inode, size
 * and time of change. */
int ba_hashes_get(char out[65], ba_hashes *h, const char *path, ba_error *err);
void ba_hashes_save(const ba_hashes *h, const char *path, const ba_log *log);
void ba_hashes_dispose(ba_hashes *h);
