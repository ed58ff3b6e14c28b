/*
 * Does any process open a file that differs between two built trees?
 *
 * Two commits with equal libraries seldom have equal trees: a comment, a page or a
 * build log differs. Such a file has no effect if no process opens it; and a file that
 * matters to a benchmark is opened when the benchmark runs. So the files that differ
 * are watched (inotify) in all trees while variants are measured. A file that only one
 * tree has is watched there; its folder is watched in every tree, because listing the
 * folder shows the file.
 *
 * Every doubt counts as "opened":
 *
 *  - a file whose kind or permissions differ, or a link;
 *  - more differences than can be watched;
 *  - a watch that cannot be set, or does not report; lost events;
 *  - an opening by any other process.
 *
 * What cannot be seen: a process that asks whether a file exists, how large it is or
 * when it was written, without opening it. The control (verdict/identity.h) covers that.
 */
#pragma once

#include "base/manifest.h"
#include "model/result.h"

typedef struct ba_opened_files ba_opened_files;

/* Watches the files that differ between the first variant's tree and the others, and
 * sets used_sha256 of all variants with a manifest. manifests[v] may be NULL; manifests
 * and `irrelevant` must outlive the handle. A note in r->notes names differences that
 * count as opened. Never fails: without a watch everything that differs counts as
 * opened. */
ba_opened_files *ba_opened_files_watch(
	ba_result *r, const ba_manifest *const *manifests, const ba_strv *irrelevant);
void ba_opened_files_free(ba_opened_files *o);

/* Takes account of what was opened since the last call: sets used_sha256 again and adds
 * a note. Appends the newly opened paths to *opened. True if there are any. */
bool ba_opened_files_look(ba_opened_files *o, ba_result *r, ba_strv *opened);

/* The same for paths that an earlier process saw opened. */
bool ba_opened_files_recall(ba_opened_files *o, ba_result *r, const ba_strv *opened);
