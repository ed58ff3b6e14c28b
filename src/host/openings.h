/*
 * Which of the files that differ between two built trees does anything open?
 *
 * Two commits whose libraries are equal seldom have equal trees: a comment, a page, a
 * log of the build is another one. Such a file decides nothing if no process opens it,
 * and a file that is read when a benchmark runs is opened. So the files that differ are
 * watched (inotify) in all trees while variants are measured. Every doubt counts as
 * "opened": a file whose kind or permissions differ, or a link; more differences than
 * can be watched; a watch that cannot be set or does not report; lost events; an
 * opening by anybody else. A file that only one tree has is watched there, and the
 * folder that it is in is watched in every tree, since who lists that sees it.
 *
 * What cannot be seen: a process that asks whether a file exists, how large it is or
 * when it was written, without opening it. The control (host/decide.h) is for that.
 */
#ifndef HOST_OPENINGS_H
#define HOST_OPENINGS_H

#include "base/auto.h"
#include "base/manifest.h"
#include "model/result.h"

typedef struct ba_openings ba_openings;

/* Watches what differs between the first variant's tree and the others', and sets
 * used_sha256 of all that have a manifest (manifests[v] may be NULL; borrowed for the
 * handle's life, as is `irrelevant`). A note in r->notes says what differs and cannot
 * be excused. Never fails: without a watch all that differs counts as opened. */
ba_openings *ba_openings_watch(
	ba_result *r, const ba_manifest *const *manifests, const ba_strv *irrelevant);
void ba_openings_free(ba_openings *o);
BA_DEFINE_AUTO_PTR(ba_openings, ba_openings_free)

/* What was opened since the last call is not excused any more: used_sha256 is set again
 * and a note says so. The paths go to *opened, those that are new. True: there were
 * some. */
bool ba_openings_look(ba_openings *o, ba_result *r, ba_strv *opened);

/* The same for paths of which an earlier process saw that they were opened. */
bool ba_openings_recall(ba_openings *o, ba_result *r, const ba_strv *opened);

#endif
