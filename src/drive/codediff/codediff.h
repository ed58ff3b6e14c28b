/*
 * Compares the machine code of two builds, kernel by kernel, without a GPU:
 *
 *     BA_AUTO(ba_codediff) ba_codediff d = {.config = &config.code};
 *     ba_codediff_read(&d.sides[0], "main/build", NULL, err)      finds and reads kernels
 *     ba_codediff_read(&d.sides[1], "mine/build", NULL, err)
 *     ba_codediff_check(&d, err)                                  can they be compared?
 *     ba_codediff_compare(&d)                                     pairs, verdicts, limits
 *     ba_machine_format_named("term")->write(&out, &d.found, &options)
 *                                                                 report/machine/machine.h
 *
 * Kernels are paired by file, name and target; then by the file's name alone, so that
 * folders with a hash in their name do not matter; then by name and target; and what is
 * left in a file by equal code. Copies of a kernel in several files count once.
 */
#pragma once

#include "config/config.h"
#include "cubin/kernels.h"
#include "model/code_document.h"
#include "model/measured.h"

typedef struct ba_code_file {
	char *path; /* relative to the side's folder */
	uint64_t bytes;
	size_t kernels;
	char host[65];	  /* digest of its host code (cubin/kernels.h); "": unknown */
	bool is_library;  /* any program may load it */
	char *unreadable; /* a sentence; its kernels are unknown. NULL: it was read */
	char sha256[65];  /* of such a file */
} ba_code_file;

/* What one variant built. */
typedef struct ba_code_side {
	char *label; /* owned; safe for a terminal */
	char *root;  /* a folder, or one file */
	ba_code_file *files;
	size_t file_count, file_capacity;
	size_t searched; /* files that were looked into */
	ba_kernel_codes kernels;
	size_t *file_of; /* [kernels.count] */
	size_t file_of_capacity;
	ba_strv toolkits; /* "cuda_13.0.r13.0/compiler.36424714_0", sorted */
} ba_code_side;

typedef struct ba_codediff {
	const ba_code_config *config;
	ba_code_side sides[2]; /* baseline, candidate */
	ba_code_document found;
} ba_codediff;

BA_DECLARE_DISPOSE(ba_code_side)
BA_DECLARE_DISPOSE(ba_codediff)

/* Which files of a folder to leave out: those that were not built. */
typedef bool ba_code_skips(void *data, const char *path);

/* Reads all device code below the folder, or of one file. `paths` (NULL or empty: the
 * whole folder) are relative to it. BA_EINVAL with a sentence: a file that was named
 * cannot be read; of other files side->files[].unreadable says so. */
int ba_codediff_read(ba_code_side *side, const char *label, const char *root, const ba_strv *paths,
	ba_code_skips *skips, void *data, ba_error *err);
/* After both sides were read. BA_EINVAL with a sentence: one has no kernel, or a file could
 * not be read and is not byte for byte the other's. */
int ba_codediff_check(ba_codediff *d, ba_error *err);

/* Pairs the kernels and fills `found`. */
void ba_codediff_compare(ba_codediff *d);

/* Compares the basic blocks of changed kernels by nvdisasm, in `scratch`; notes why not. */
int ba_codediff_explain(
	ba_codediff *d, const char *scratch, const volatile sig_atomic_t *stop, ba_error *err);

/* Appends to executes, host and kernels what processes of the suite execute of what was built: its
 * program or library, other libraries, and device code in files of its own. "": not known,
 * because the program is a script, or a file cannot be read exactly. config: of all suites. */
void ba_code_suite_put(ba_measured_suite *out, const ba_code_side *side,
	const ba_suite_config *suite, const ba_config *config);

/* Globs of the benchmarks whose files differ in what a process executes, one line each;
 * without suites (NULL) the kernels that are not the same. config: as above. */
void ba_codediff_list(
	ba_buf *out, const ba_codediff *d, const ba_suite_list *suites, const ba_config *config);

/* ---- for the parts of this module ---- */

const ba_kernel_code *ba_code_kernel(const ba_codediff *d, const ba_code_pair *p, int side);
/* the kernel of the candidate, else of the baseline */
const ba_kernel_code *ba_code_shown(const ba_codediff *d, const ba_code_pair *p);
/* NULL: the side has no such kernel */
const ba_code_file *ba_code_file_of(const ba_codediff *d, const ba_code_pair *p, int side);
/* NULL: the side has no such file */
const ba_code_file *ba_code_file_find(const ba_code_side *side, const char *path);
/* pair.c: pairs without names, values and judgement */
void ba_code_pair_all(ba_codediff *d);
