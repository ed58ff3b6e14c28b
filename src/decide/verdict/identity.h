/*
 * When are two variants identical, and does a control agree?
 *
 * - One tree: both variants lie in one directory. Nothing could differ, so nothing is
 *   measured.
 * - Equal builds: the libraries are equal, and so are the trees, except for files that
 *   no process opened (experiment/opened_files.h). A program may load any file at any time, so
 *   for programs the whole tree counts.
 * - Equal work: the GPU runs the same code with the same launches and data.
 * - Equal code, only with --only-changed: processes of the suite execute the same host
 *   code and kernels. Sources, scripts and data files may differ.
 *
 * The last three are conclusions from evidence that can be incomplete: a variant can read
 * a file outside of its tree, or ask only whether a file exists. So both variants are
 * also measured, as a control: up to the first look and with a part of the usual time.
 * A control counts in the family of hypotheses like any comparison. If its estimates of
 * time and mean are within the threshold at a look, the control ends. If not, measuring
 * continues, and a verdict of a change replaces `identical`. If the run ends before that,
 * `inconclusive` replaces it.
 *
 * With --only-changed, of benchmarks with equal code only one in run.controls is a
 * control, and the others are not measured. The seed draws the controls. If one of them
 * contradicts, ba_identity_distrust() ends this rule, and the run begins again.
 *
 * Documents before BA_IDENTITY_REVISION have neither digests of trees nor controls. For
 * them, equal libraries are enough.
 */
#pragma once

#include "model/result.h"

/* the first schema_revision that has digests of trees, and controls */
#define BA_IDENTITY_REVISION 3u
/* the first schema_revision in which a control without a look is not `identical` */
#define BA_IDENTITY_REVISION_LOOK 5u

typedef enum ba_sameness {
	BA_SAME_NOT,
	BA_SAME_TREE,  /* both variants are in one directory */
	BA_SAME_BUILD, /* two equal builds */
	BA_SAME_CODE   /* processes execute the same */
} ba_sameness;

/* Have both the same artefacts, byte for byte, and at least one? Trees may differ. */
bool ba_identity_same_libraries(const ba_variant *a, const ba_variant *b);

/* Do both variants run the same code in that benchmark? */
ba_sameness ba_identity_of(const ba_result *r, size_t candidate, const ba_benchmark *b);

/* Does a program run other files of machine code? Then a linker may have placed its loops
 * elsewhere, which alone changes their time. (Launchers have --layouts for that.) */
bool ba_identity_is_elsewhere(const ba_result *r, const ba_benchmark *b, size_t candidate);

/* Decides comparisons that need no measurement: added, removed, skipped, identical. Draws
 * the controls of equal code. */
void ba_identity_settle(ba_result *r);
/* Withdraws `identical` if a differing file was opened later; returns how many. */
size_t ba_identity_withdraw(ba_result *r);
/* After a look: a control of equal code that has lost its identity; or NULL. */
const ba_benchmark *ba_identity_doubted(const ba_result *r);
/* Withdraws all identities that rest on equal code, and what they rest on. */
void ba_identity_distrust(ba_result *r);

/* Are both variants prepared and checked, even if not measured? True unless they are in
 * one directory, or have equal code and are not drawn as a control. */
bool ba_identity_is_run(const ba_result *r, const ba_series *series, size_t candidate);
/* Is the comparison `identical` in a deciding metric, and measured as a control? */
bool ba_identity_has_control(const ba_result *r, const ba_series *series, size_t candidate);
/* Call after a look at the family. A control that agrees is closed; one that contradicts loses
 * its identity. Returns 1 if this closed an open decision, else 0. */
size_t ba_identity_look(ba_comparison *k, ba_decision *d);
/* Was it identical at first, but then judged by its samples? */
bool ba_identity_is_contradicted(const ba_result *r, const ba_series *series, size_t candidate);
/* Adds a sentence about the contradiction to the reason of its verdict. */
void ba_identity_contradict(ba_comparison *k, const ba_result *r, const ba_series *series,
	size_t candidate, bool looked);

/* takes `reason` */
void ba_identity_replace(ba_comparison *c, ba_verdict verdict, char *reason);
