/*
 * Variants as the user names them, to trees that are built: resolved, found in the
 * cache or written and built there. Everything that is not the cache's is gone when the
 * handle is freed, also after a signal.
 */
#ifndef RUN_TREES_H
#define RUN_TREES_H

#include "build/recipe.h"
#include "config/config.h"
#include "git/overlay.h"
#include "git/repo.h"
#include "git/workspace.h"
#include "model/variant.h"
#include "run/run.h"

typedef struct ba_trees {
	const ba_job_request *request;
	const ba_job_services *services;
	ba_repo *repo; /* NULL where every variant is a directory */
	ba_workspace *workspace;
	ba_variant *variants; /* borrowed from the result */
	size_t count;
	char *objects_dir;     /* of a snapshot of the working tree, and of overlays */
	ba_overlaid *overlaid; /* [count], or NULL */
	ba_strv notes;	       /* what was done to trees, for the result */
	ba_slot **slots; /* [count]; NULL for a directory; equal trees share one */
	/* [count] what is in the built trees; NULL for a directory, and for what was
	 * not built */
	const ba_manifest **manifests;
	char **failures;  /* [count] why a variant was not built, or NULL */
	ba_config config; /* the one that rules */
	bool config_loaded;
	char *config_path;	 /* where it was read, for the result */
	const ba_variant *rules; /* that it was read from; NULL: from a file */
	ba_strv expected;	 /* what a gate expects to be measured: globs */
} ba_trees;

void ba_trees_dispose(ba_trees *t);
BA_DEFINE_AUTO(ba_trees, ba_trees_dispose)

/* What the operands name, or what is compared when there are none. *variants belongs to
 * the caller also after an error. request and services are set. */
int ba_trees_resolve(ba_trees *t, ba_variant **variants, size_t *count,
	const ba_strv *operands, ba_error *err);

/* Into t->config, with the threshold of the request applied. */
int ba_trees_configure(ba_trees *t, ba_error *err);

/* In a gate, after the configuration: t->expected from what the configuration says, and
 * a sentence in *notes for everything that a candidate changes in the configuration or
 * in the expected set, since it is not obeyed. Outside of a gate nothing happens. */
int ba_trees_rules(ba_trees *t, ba_strv *notes, ba_error *err);

/* A file of a variant's tree, as it is committed or lies in the directory.
 * BA_ENOTFOUND. */
int ba_trees_read(ba_buf *out, const ba_trees *t, const ba_variant *v, const char *path,
	size_t ceiling, ba_error *err);

/* The overlay of the configuration laid over every variant's tree_id; what was replaced
 * is in t->notes. Part of ba_trees_build. */
int ba_trees_overlay(ba_trees *t, ba_error *err);

/* A note for every file or folder of the tree that the command of a suite names and
 * that is not the same in all variants: a change may be the benchmark's. After the
 * overlay; part of ba_trees_build. */
void ba_trees_compare_sources(ba_trees *t, const ba_suite_list *suites);

/* Part of ba_trees_build: each variant gets the key of its build, and a slot of the
 * cache, where it may be built already. */
int ba_trees_find_slots(ba_trees *t, const ba_build_recipe *recipe, ba_error *err);

/* Trees written and built. A variant that does not build is in t->failures; it is an
 * error where that leaves nothing to measure. */
int ba_trees_build(ba_trees *t, const ba_suite_list *suites, ba_error *err);

/* Empty the trash: last, since deleting makes some file systems slow to create. */
void ba_trees_tidy(ba_trees *t);

#endif
