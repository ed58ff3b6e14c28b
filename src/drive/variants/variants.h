/* From variants as the user names them to built trees: resolved, then found in the
 * cache, or written and built there. Freeing the handle removes everything outside the
 * cache, also after a signal. */
#pragma once

#include "base/seal.h"
#include "build/recipe.h"
#include "config/config.h"
#include "git/snapshot.h"
#include "git/workspace.h"
#include "model/result.h"
#include "request/request.h"

/* The sandbox of the configuration or --sandbox: what all builds and workers of a run may see. */

typedef struct ba_variants_sandbox {
	bool on;
	ba_sandbox all;
	ba_strv readable, writable, hidden, env;
} ba_variants_sandbox;

void ba_variants_sandbox_dispose(ba_variants_sandbox *s);

/* Readable are the configuration's paths and the tool's own files; "~" in them is HOME.
 * The cache is not readable. BA_EUNSUPPORTED: this machine cannot make sandboxes; the
 * run must stop. untrusted: BA_ECONFIG if variants would share writable files. */
int ba_variants_sandbox_make(ba_variants_sandbox *out, const ba_sandbox_config *config,
	const ba_job_services *services, bool untrusted, ba_error *err);
/* NULL: none */
const ba_sandbox *ba_variants_sandbox_of(const ba_variants_sandbox *s);

/* Files of a suite that a variant lacks, as old commits do; an overlay adds them. */

typedef struct ba_missing {
	size_t variant;
	/* the suite whose command names the file; NULL: the build names it */
	const ba_suite_config *suite;
	/* the missing file, which tree has it, and how to take it from there */
	char *sentence;
} ba_missing;

BA_LIST(ba_missing_list, ba_missing); /* one for each variant and suite */

void ba_missing_list_dispose(ba_missing_list *l);
/* The sentence, or NULL. */
const char *ba_missing_find(const ba_missing_list *l, size_t variant, const ba_suite_config *suite);

typedef struct ba_variants {
	const ba_job_request *request;
	const ba_job_services *services;
	ba_repo *repo; /* NULL if every variant is a directory */
	ba_workspace *workspace;
	ba_variant *variants; /* borrowed from the result */
	size_t count;
	/* objects of snapshots of the working tree, and of overlays */
	char *objects_dir;
	ba_overlaid *overlaid; /* [count], or NULL */
	ba_overlay_source overlay;
	/* files that suites or the build name but variants lack */
	ba_missing_list missing;
	ba_strv notes;	 /* changes made to trees, for the result */
	ba_slot **slots; /* [count]; NULL for a directory; equal trees share one */
	/* [count] of the built trees; NULL for a directory, and if not built */
	const ba_manifest **manifests;
	ba_manifest *kept; /* [count] manifests read from adopted trees; or NULL */
	/* [count] in runs with a sandbox: seals of the built trees; NULL as above */
	ba_seal **seals;
	char **failures;      /* [count] why a variant was not built, or NULL */
	struct ba_node *node; /* the node where builds run; NULL: here; borrowed */
	ba_config config;     /* the configuration that applies */
	bool config_loaded;
	char *config_path; /* its path, recorded in the result */
	char *repository;  /* for adopted trees: their repository; else NULL */
	/* the variant that the configuration was read from; NULL: from a file */
	const ba_variant *rules;
	ba_variants_sandbox sandbox; /* for builds and workers */
	ba_strv expected;	     /* the benchmarks that a gate expects: globs */
} ba_variants;

void ba_variants_dispose(ba_variants *t);

/* Resolves the operands, or the default variants if there are none. The caller owns
 * *variants, also after an error. request and services must be set. */
int ba_variants_resolve(ba_variants *t, ba_variant **variants, size_t *count,
	const ba_strv *operands, ba_error *err);

/* Sets commit, tree_id and the like of a variant to a snapshot of the working tree. */
int ba_variants_snapshot(ba_variants *t, ba_variant *v, ba_error *err);

/* Loads t->config and applies the threshold of the request. */
int ba_variants_configure(ba_variants *t, ba_error *err);

/* Only in a gate, after the configuration. Sets t->expected from the configuration.
 * Appends a sentence to *notes for everything that a candidate changes in the
 * configuration or in the expected set, because these changes are ignored. */
int ba_variants_rules(ba_variants *t, ba_strv *notes, ba_error *err);

/* Reads a file of a variant's commit or directory. BA_ENOTFOUND. */
int ba_variants_read(ba_buf *out, const ba_variants *t, const ba_variant *v, const char *path,
	size_t ceiling, ba_error *err);

/* The id of a path in a variant's tree; false and "" if it does not exist. */
bool ba_variants_path_id(char out[65], const ba_variants *t, size_t v, const char *path);

/* Applies the overlay to every tree_id, notes what it replaced, sets t->overlay. Call it after
 * loading configuration and rules, which come from the committed trees. */
int ba_variants_overlay(ba_variants *t, ba_error *err);

/* pytest loads `path`, not in the overlay and not equal in all: a note, in a gate BA_ECONFIG. */
int ba_variants_overlay_lacks(ba_strv *notes, bool gate, const char *path, const char *first,
	const char *second, ba_error *err);

/* A note for each file or folder that a suite's command names and that differs between
 * variants: the benchmark may have changed. Fills t->missing. Part of ba_variants_build. */
void ba_variants_compare_sources(ba_variants *t, const ba_suite_list *suites);

/* Part of ba_variants_build: makes the environments that variants name
 * (packages/packages.h). One that cannot be made is the variant's failure. */
int ba_variants_environments(ba_variants *t, ba_error *err);
/* Once workers told what they load: notes on candidates whose versions differ. */
void ba_variants_compare_environments(ba_strv *notes, const ba_variant *variants, size_t count);

/* Part of ba_variants_build: each variant's build key, and a slot, where it may be built. */
int ba_variants_find_slots(ba_variants *t, const ba_build_recipe *recipe, ba_error *err);

/* Writes and builds the trees. A variant that does not build has a sentence in
 * t->failures; it is an error only if nothing is left to measure. */
int ba_variants_build(ba_variants *t, const ba_suite_list *suites, ba_error *err);

/* Part of ba_variants_build: computes manifests, digests and seals of the built trees. */
int ba_variants_digest(ba_variants *t, ba_error *err);

/* Another process's built variants, instead of resolving. The caller fills t->failures. */
int ba_variants_adopt(ba_variants *t, ba_variant *variants, size_t count, ba_error *err);
/* Loads the given configuration, and applies the request to it. */
int ba_variants_configure_as(ba_variants *t, const char *name, const char *text, ba_error *err);
/* Instead of building: prepares sandbox, manifests and seals. */
int ba_variants_adopt_built(ba_variants *t, ba_error *err);

/* Empties the trash. Call it last: some file systems are slow after a deletion. */
void ba_variants_tidy(ba_variants *t);
