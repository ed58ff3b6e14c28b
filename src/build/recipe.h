/*
 * How a variant is built: commands and the environment they see; and the key under
 * which the built tree is kept.
 *
 * The environment is made, not inherited: PATH, HOME, LANG=C, a private TMPDIR, the
 * variables the configuration allows by name, and GIT_CEILING_DIRECTORIES, so that a
 * build that asks git sees the tree it is in and nothing above it.
 */
#ifndef BUILD_RECIPE_H
#define BUILD_RECIPE_H

#include <stdint.h>

#include "base/auto.h"
#include "base/log.h"
#include "base/strv.h"

/* changes when the same inputs would be built or kept in another way */
#define BA_BUILD_FORMAT 1

typedef struct ba_build_recipe {
	const ba_strv *commands; /* [command_count], each an argv; borrowed */
	size_t command_count;
	ba_strv base;	/* "PATH=...", "HOME=...", "LANG=C" */
	ba_strv passed; /* allowed variables that are set, "NAME=value", sorted by name
			 */
	ba_strv unset;	/* allowed names that are not */
	int64_t timeout_ns;   /* of all commands of one variant together; 0: none */
	uint64_t log_ceiling; /* 0: 64 MiB */
} ba_build_recipe;

/* environment is the tool's own, NULL-terminated. Variables that would point git at
 * another repository (GIT_DIR and its kin) are left out with a warning. */
void ba_build_recipe_init(ba_build_recipe *r, const ba_strv *commands, size_t count,
	const ba_strv *allowed, const char *const *environment, const ba_log *log);
void ba_build_recipe_dispose(ba_build_recipe *r);
BA_DEFINE_AUTO(ba_build_recipe, ba_build_recipe_dispose)

/* "/usr/bin:/bin": the PATH of the build */
const char *ba_build_recipe_path(const ba_build_recipe *r);
/* value of an allowed variable, or NULL */
const char *ba_build_recipe_get(const ba_build_recipe *r, const char *name);
/* The whole environment for a build in `dir` with that TMPDIR, appended to *out. */
void ba_build_environment(
	ba_strv *out, const ba_build_recipe *r, const char *dir, const char *tmp_dir);

/* what of the tree counts: the whole, or the parts that `inputs` names */
typedef struct ba_build_input {
	const char *path; /* "" for the whole tree */
	const char *id;	  /* its object id; "" where the path does not exist */
} ba_build_input;

/* 64 hex digits of everything that decides what comes out. The order of inputs counts
 * for nothing; submodules are inside the tree ids. */
void ba_build_key(char out[65], const ba_build_recipe *r, const ba_build_input *inputs,
	size_t count, const char *toolchain_sha256);

#endif
