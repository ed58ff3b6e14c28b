/* A variant: a labelled ref, directory or working tree under test, and its environment. Plain
 * data that owns its strings. A run's first is the baseline. */
#pragma once

#include "base/base.h"

typedef enum ba_variant_kind {
	BA_VARIANT_REV,	    /* a commit */
	BA_VARIANT_PATH,    /* path:DIR, an existing tree */
	BA_VARIANT_WORKTREE /* the uncommitted state of the user's working tree */
} ba_variant_kind;

/* A loaded or built file, as evidence of what ran. */
typedef struct ba_artefact {
	char *path; /* relative to the variant's tree if inside it, else absolute */
	char sha256[65];
} ba_artefact;

/* What a variant names beside its tree. Empty: the environment of the caller. */
typedef struct ba_variant_environment {
	char *dir;     /* absolute: the virtual environment or conda prefix; NULL: none */
	ba_strv parts; /* "env:torch==2.9.0", "env:FILE", "env:DIR", "var:NAME=VALUE" */
	/* digests of what was resolved, and of the modules that are installed; "": unknown */
	char resolved_sha256[65], installed_sha256[65];
	/* "torch 2.9.0": the distributions that its Python finds; and those of them that a
	 * worker had loaded when it listed its benchmarks. Sorted. */
	ba_strv distributions, loaded;
} ba_variant_environment;

typedef struct ba_variant {
	ba_variant_kind kind;
	char *label; /* shown and stored; unique in a run; safe for a terminal */
	char *spec;  /* as the user wrote it, without the label */
	ba_variant_environment environment;
	char commit[65];      /* hex; "" for a path */
	char tree_id[65];     /* hex of the tree that is built; "" for a path */
	char *describe;	      /* "v1.2-3-gabc" or the abbreviated commit; "" if unknown */
	char *subject;	      /* first line of the commit message, sanitised; "" if none */
	bool dirty;	      /* WORKTREE with changes */
	char diff_sha256[65]; /* of the difference to HEAD if dirty, else "" */
	char *tree_dir;	      /* absolute: where the tree is on disk */
	char *build_key;      /* content key of the built tree, "" if nothing is built */
	/* The first is the digest of the built tree without build.irrelevant. The
	 * second also leaves out files that differ from the baseline's but were not
	 * opened while opens were watched. "": unknown, and not equal to any other. */
	char tree_sha256[65], used_sha256[65];
	bool build_cached; /* this run built nothing for it */
	double build_seconds;
	char *build_log; /* path, "" if none */
	ba_artefact *artefacts;
	size_t artefact_count;
} ba_variant;

BA_DECLARE_DISPOSE(ba_variant)
/* Copies everything but the artefacts; *out is zeroed. */
void ba_variant_copy(ba_variant *out, const ba_variant *from);
void ba_variant_add_artefact(ba_variant *v, const char *path, const char sha256[65]);

/* The spec without the environment: "HEAD", "path:DIR". Caller frees. */
char *ba_variant_tree_spec(const ba_variant *v);
/* "torch==2.9.0+CUDA_MODULE_LOADING=EAGER", for people; "": the caller's. Caller frees. */
char *ba_variant_environment_name(const ba_variant *v);

/* Appends `env` ("NAME=value", ends with NULL) as processes in e (or NULL) get it: its programs
 * first in PATH; with `variables` also its "var:" parts. */
void ba_variant_environment_put(
	ba_strv *out, const ba_variant_environment *e, const char *const *env, bool variables);

/* Splits "[LABEL=]SPEC" and classifies SPEC; sets kind, label ("" if none), spec and the
 * parts of the environment, which follow the tree as "+env:..." and "+var:...". A
 * label has at most 64 bytes: letters (of any script, UTF-8), digits and ._+-@;
 * BA_EINVAL says so. In "name=..." the part before '=' is a label only if it could be
 * one; a ref with '=' in it needs a label before it. */
int ba_variant_parse(ba_variant *out, const char *text, ba_error *err);

/* Labels those without one: their spec with other characters made '-', cut to 32 columns,
 * numbered where equal. Equal explicit labels are BA_EINVAL. */
int ba_variants_label(ba_variant *variants, size_t count, ba_error *err);
