/*
 * What is in a directory: every file with the digest of its content, every link with
 * its target, every folder, and the permissions of each. Two directories with equal
 * manifests have equal content; their paths and times may differ.
 *
 *     BA_AUTO(ba_manifest) ba_manifest m = {0};
 *     rc = ba_manifest_scan(&m, dir, NULL, NULL, err);
 *     ba_manifest_format(&text, &m);            keep the text
 *     ...
 *     rc = ba_manifest_parse(&kept, text.data, text.len, err);
 *     ba_manifest_diff(&kept, &m, NULL, changed, data);
 *
 * Not in it: owners, times, extended attributes, hard links between files.
 */
#pragma once

#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/strv.h"

typedef enum ba_manifest_kind {
	BA_MANIFEST_FILE,
	BA_MANIFEST_LINK,
	BA_MANIFEST_FOLDER,
	/* a pipe, a device or a file without permission, which is not read */
	BA_MANIFEST_OTHER
} ba_manifest_kind;

typedef struct ba_manifest_entry {
	char *path; /* owned; relative to the directory */
	ba_manifest_kind kind;
	unsigned mode;	 /* permission bits, 07777 */
	uint64_t size;	 /* of a file */
	char sha256[65]; /* digest of a file's content or a link's target, else "" */
} ba_manifest_entry;

typedef struct ba_manifest {
	ba_manifest_entry *entries; /* sorted by path, as strcmp orders them */
	size_t count;
} ba_manifest;

BA_DECLARE_DISPOSE(ba_manifest)

/* Reads everything below dir, with several threads; does not follow links. Returns
 * BA_EINTERRUPTED once stopped(data) is true; stopped may be NULL. A file that changes
 * meanwhile causes an error, or the manifest has it as it was at one moment. */
int ba_manifest_scan(
	ba_manifest *out, const char *dir, bool (*stopped)(void *data), void *data, ba_error *err);

/* To bytes and back. Bytes that _format did not write are BA_EDATA. */
void ba_manifest_format(ba_buf *out, const ba_manifest *m);
int ba_manifest_parse(ba_manifest *out, const char *data, size_t size, ba_error *err);

/* The digest of all entries except two groups: those that a glob of `without` matches,
 * and those whose paths are in `unused`, which strcmp orders. Both may be NULL. */
void ba_manifest_digest(
	char out[65], const ba_manifest *m, const ba_strv *without, const ba_strv *unused);

/* Calls differs() in order for each path that differs, until it returns false. a or b
 * is NULL if that manifest lacks the path. Ignores what the globs of `without`
 * match. */
void ba_manifest_diff(const ba_manifest *a, const ba_manifest *b, const ba_strv *without,
	bool (*differs)(void *data, const ba_manifest_entry *a, const ba_manifest_entry *b),
	void *data);
