/*
 * What is in a directory: every file with the digest of its content, every link with
 * its target, every folder, and the permissions of each. Two directories with equal
 * manifests hold the same, whatever their paths and times.
 *
 *     BA_AUTO(ba_manifest) ba_manifest m = {0};
 *     rc = ba_manifest_scan(&m, dir, NULL, NULL, err);
 *     ba_manifest_format(&text, &m);            to be kept
 *     ...
 *     rc = ba_manifest_parse(&kept, text.data, text.len, err);
 *     ba_manifest_diff(&kept, &m, NULL, changed, data);
 *
 * Not in it: owners, times, extended attributes, hard links between files.
 */
#ifndef BASE_MANIFEST_H
#define BASE_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/strv.h"

typedef enum ba_manifest_kind {
	BA_MANIFEST_FILE,
	BA_MANIFEST_LINK,
	BA_MANIFEST_FOLDER,
	BA_MANIFEST_OTHER /* a pipe, a device, a file without permission: not read */
} ba_manifest_kind;

typedef struct ba_manifest_entry {
	char *path; /* relative to the directory, owned */
	ba_manifest_kind kind;
	unsigned mode;	 /* permission bits, 07777 */
	uint64_t size;	 /* of a file */
	char sha256[65]; /* of a file's content or a link's target, else "" */
} ba_manifest_entry;

typedef struct ba_manifest {
	ba_manifest_entry *entries; /* by path, as strcmp orders them */
	size_t count;
} ba_manifest;

void ba_manifest_dispose(ba_manifest *m);
BA_DEFINE_AUTO(ba_manifest, ba_manifest_dispose)

/* Reads everything below dir, with several threads; links are not followed. It ends
 * with BA_EINTERRUPTED once stopped(data) says so; stopped may be NULL. What is changed
 * meanwhile is an error or in the manifest as it was at one moment. */
int ba_manifest_scan(ba_manifest *out, const char *dir, bool (*stopped)(void *data),
	void *data, ba_error *err);

/* To bytes and back. BA_EDATA for what _format did not write. */
void ba_manifest_format(ba_buf *out, const ba_manifest *m);
int ba_manifest_parse(ba_manifest *out, const char *data, size_t size, ba_error *err);

/* Is the path, or a folder that it is in, matched by one of the globs? globs may be
 * NULL: no. */
bool ba_manifest_matches(const ba_strv *globs, const char *path);

/* Of all entries but those that the globs of `without` match and those of the paths in
 * `unused`, which are in the order of strcmp. Both may be NULL. */
void ba_manifest_digest(char out[65], const ba_manifest *m, const ba_strv *without,
	const ba_strv *unused);

/* Calls differs() for each path that is not the same in both, in order; a or b is NULL
 * where that manifest has it not. Until it returns false. */
void ba_manifest_diff(const ba_manifest *a, const ba_manifest *b,
	const ba_strv *without,
	bool (*differs)(
		void *data, const ba_manifest_entry *a, const ba_manifest_entry *b),
	void *data);

#endif
