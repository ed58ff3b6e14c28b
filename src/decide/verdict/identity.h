/*
 * When are two variants identical, and does a control agree?
 *
 * - One tree: both variants lie in one directory. Nothing could differ, so nothing is
 *   measured.
 * - Equal builds: the libraries are equal, and so are the trees, except for files that
 *   no process opened (experiment/opened_files.h). A program may load any file at any time, so
 *   for programs the whole tree counts.
 * - Equal work: the GPU runs the same code with the same launches and data.
 *
 * The last two are conclusions from evidence that can be incomplete: a variant can read
 * a file outside of its tree, or ask only whether a file exists. So both variants are
 * also measured, as a control: up to the first look and with a part of the usual time.
 * A control counts in the family of hypotheses like any comparison. If its estimates of
 * time and mean are within the threshold at a look, the control ends. If not, measuring
 * continues, and a verdict of a change replaces `identical`. If the run ends before that,
 * `inconclusive` replaces it.
 *
 * Documents before BA_IDENTITY_REVISION have neither digests of trees nor controls. For
 * them, equal libraries are enough.
 */
#ifndef VERDICT_IDENTITY_H
#define VERDICT_IDENTITY_H

#include "model/result.h"

/* the first schema_revision that has digests of trees, and controls */
#define BA_IDENTITY_REVISION 3u
/* the first schema_revision in which a control without a look is not `identical` */
#define BA_IDENTITY_REVISION_LOOK 5u

typedef enum ba_sameness {
	BA_SAME_NOT,
	BA_SAME_TREE, /* both variants are in one directory */
	BA_SAME_BUILD /* two equal builds */
} ba_sameness;

/* Have both the same artefacts, byte for byte, and at least one?
 * Their trees may differ. */
bool ba_identity_same_libraries(const ba_variant *a, const ba_variant *b);

/* Do both variants run the same code in benchmarks of that kind? */
ba_sameness ba_identity_of(const ba_result *r, size_t candidate, ba_suite_kind kind);

/* Does a program run other files of machine code? Then a linker may have placed its loops
 * elsewhere, which alone changes their time. (Launchers have --layouts for that.) */
bool ba_identity_is_elsewhere(const ba_result *r, const ba_benchmark *b, size_t candidate);

/* Decides comparisons that need no measurement: added, removed, skipped, identical. */
void ba_identity_settle(ba_result *r);
/* Withdraws `identical` if a differing file was opened later. Returns how many it
 * withdrew. */
size_t ba_identity_withdraw(ba_result *r);

/* Are both variants prepared and checked, even if not measured? True unless they are in
 * one directory. */
bool ba_identity_is_run(const ba_result *r, const ba_series *series, size_t candidate);
/* Is the comparison `identical` in a deciding metric, and measured as a control? */
bool ba_identity_has_control(const ba_result *r, const ba_series *series, size_t candidate);
/* Call after a look at which the family was judged. A control that agrees is
 * closed; one that contradicts loses its identity. Returns 1 if this closed an
 * open decision, else 0. */
size_t ba_identity_look(ba_comparison *k, ba_decision *d);
/* Was it identical at first, but then judged by its samples? */
bool ba_identity_is_contradicted(const ba_result *r, const ba_series *series, size_t candidate);
/* Adds a sentence about the contradiction to the reason of its verdict. */
void ba_identity_contradict(ba_comparison *k, const ba_result *r, const ba_series *series,
	size_t candidate, bool looked);

/* takes `reason` */
void ba_identity_replace(ba_comparison *c, ba_verdict verdict, char *reason);

#endif
