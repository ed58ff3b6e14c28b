/*
 * How a variant is built: its commands and their environment; and the key under which
 * the cache keeps the built tree.
 *
 * A build inherits only the variables that the configuration allows by name. It also
 * gets PATH, HOME, LANG=C, a private TMPDIR and GIT_CEILING_DIRECTORIES. With the last
 * one, git commands of the build see its own tree and no repository above it.
 */
#pragma once

#include "sandbox/sandbox.h"

/* part of the key; increase it when equal inputs are built or kept differently */
#define BA_BUILD_FORMAT 1

typedef struct ba_build_recipe {
	const ba_strv *commands; /* [command_count], each an argv; borrowed */
	size_t command_count;
	ba_strv base;	      /* "PATH=...", "HOME=...", "LANG=C" */
	ba_strv passed;	      /* allowed and set: "NAME=value", sorted by name */
	ba_strv unset;	      /* names that are allowed but not set */
	int64_t timeout_ns;   /* for all commands of one variant together; 0: no limit */
	uint64_t log_ceiling; /* 0: 64 MiB */
	/* for builds, with what is visible besides the tree; NULL: no sandbox; borrowed */
	const ba_sandbox *sandbox;
} ba_build_recipe;

/* environment is the tool's own, NULL-terminated. Variables that would point git at
 * another repository (GIT_DIR and similar ones) are left out, with a warning. */
void ba_build_recipe_init(ba_build_recipe *r, const ba_strv *commands, size_t count,
	const ba_strv *allowed, const char *const *environment, const ba_log *log);
/* Appends the names of the variables that builds receive. */
void ba_build_recipe_names(ba_strv *out, const ba_build_recipe *r);
/* Adapts the recipe to a sandbox: PATH contains what is visible inside, and allowed
 * variables with secrets are removed, with a warning. */
void ba_build_recipe_confine(ba_build_recipe *r, const ba_sandbox *sandbox, const ba_log *log);
BA_DECLARE_DISPOSE(ba_build_recipe)

/* the PATH of the build, e.g. "/usr/bin:/bin" */
const char *ba_build_recipe_path(const ba_build_recipe *r);
/* the value of an allowed variable; NULL: not set, or not allowed */
const char *ba_build_recipe_get(const ba_build_recipe *r, const char *name);
/* Appends the whole environment of a build in `dir` with that TMPDIR. */
void ba_build_environment(
	ba_strv *out, const ba_build_recipe *r, const char *dir, const char *tmp_dir);

/* A part of the tree that the key covers: the whole tree, or one of the configured `inputs`. */
typedef struct ba_build_input {
	const char *path; /* "" for the whole tree */
	const char *id;	  /* its object id; "" if the path does not exist */
} ba_build_input;

/* A SHA-256, as 64 hex digits, over everything that affects the result of a build. The
 * order of inputs does not matter; tree ids include submodules. */
void ba_build_key(char out[65], const ba_build_recipe *r, const ba_build_input *inputs,
	size_t count, const char *toolchain_sha256);
