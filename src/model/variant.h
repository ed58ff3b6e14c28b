/* A variant: a labelled ref, directory or working tree under test. Plain data; every
 * string is owned by the struct. The first variant of a run is the baseline. */
#ifndef MODEL_VARIANT_H
#define MODEL_VARIANT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/auto.h"
#include "base/error.h"

typedef enum ba_variant_kind {
	BA_VARIANT_REV,	    /* a commit */
	BA_VARIANT_PATH,    /* path:DIR, an existing tree */
	BA_VARIANT_WORKTREE /* the uncommitted state of the user's working tree */
} ba_variant_kind;

/* One loaded or built file, as proof of what ran. */
typedef struct ba_artefact {
	char *path; /* relative to the variant's tree where inside, else absolute */
	char sha256[65];
} ba_artefact;

typedef struct ba_variant {
	ba_variant_kind kind;
	char *label;	  /* shown and stored; unique in a run; safe for a terminal */
	char *spec;	  /* as the user wrote it, without the label */
	char commit[65];  /* hex; "" for a path */
	char tree_id[65]; /* hex of the tree that is built; "" for a path */
	char *describe;	  /* "v1.2-3-gabc" or the abbreviated commit; "" if unknown */
	char *subject;	  /* first line of the commit message, sanitised; "" if none */
	bool dirty;	  /* WORKTREE with changes */
	char diff_sha256[65]; /* of the difference to HEAD where dirty, else "" */
	char *tree_dir;	      /* absolute: where the tree is on disk */
	char *build_key; /* content key of the built tree, "" if nothing is built */
	/* of the built tree but for build.irrelevant; "": not known, which is no other
	 * tree's. The second is that without the files that differ from the baseline's
	 * and that nothing opened while they were watched. */
	char tree_sha256[65], used_sha256[65];
	bool build_cached; /* this run built nothing for it */
	double build_seconds;
	char *build_log; /* path, "" if none */
	ba_artefact *artefacts;
	size_t artefact_count;
} ba_variant;

void ba_variant_dispose(ba_variant *v);
BA_DEFINE_AUTO(ba_variant, ba_variant_dispose)
void ba_variant_add_artefact(ba_variant *v, const char *path, const char sha256[65]);

/* Split "[LABEL=]SPEC" and classify SPEC; sets kind, label ("" if none given), spec.
 * A label may hold letters (of any script, UTF-8), digits and ._+-@ only, at most 64
 * bytes: BA_EINVAL says so. "name=..." is a label only if what stands before '=' could
 * be one; a ref with '=' in it is written with a label before it. */
int ba_variant_parse(ba_variant *out, const char *text, ba_error *err);

/* Give every variant without a label one: its spec with other characters made '-', cut
 * to 32 columns, numbered where two would be equal. Equal explicit labels: BA_EINVAL.
 */
int ba_variants_label(ba_variant *variants, size_t count, ba_error *err);

#endif
