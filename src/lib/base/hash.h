/* SHA-256 (FIPS 180-4) of bytes and files, as 64 hex digits; FNV-1a for tables. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct ba_sha256 {
	uint32_t h[8];
	uint64_t bytes;
	unsigned char block[64];
	size_t fill;
} ba_sha256;

void ba_sha256_init(ba_sha256 *s);
void ba_sha256_add(ba_sha256 *s, const void *data, size_t size);
/* with its NUL, so that two strings in a row are unambiguous */
void ba_sha256_add_string(ba_sha256 *s, const char *text);
/* The rest of an open file: 0, or -1 with errno. */
int ba_sha256_add_fd(ba_sha256 *s, int fd);
/* Ends the digest: initialise s before you use it again. */
void ba_sha256_hex(ba_sha256 *s, char out[65]);
void ba_sha256_of(char out[65], const void *data, size_t size);
int ba_sha256_file(char out[65], const char *path, ba_error *err);
uint64_t ba_fnv1a(const char *text);
