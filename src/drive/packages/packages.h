/*
 * The environments of variants: resolves "env:" parts to releases of packages, and installs
 * them once, into a virtual environment in the cache. environments.py, which is a part of the
 * program, does that with the `python3` of PATH.
 *
 *     for each variant:
 *             rc = ba_packages_prepare(variants, v, &options, err);
 *
 * It calls uv if PATH has it, else the pip of that Python. Only resolving and installing use
 * the network. What was resolved is kept in <cache>/environments under a digest of the request,
 * and the environment in a slot of the cache under the digest of what was resolved.
 *
 *  - Packages alone are laid over the present Python: what they do not bring comes from there.
 *  - With a requirements or lock file the environment has only what the file brings.
 *  - A folder that is an environment already is used as it is, and by itself.
 */
#pragma once

#include "git/workspace.h"
#include "model/variant.h"
#include "request/request.h"

/* Everything is borrowed. */
typedef struct ba_packages_options {
	const ba_job_services *services;
	ba_workspace *workspace; /* holds the environments until it is freed */
	const char *directory;	 /* absolute: where relative files and folders are searched */
	/* no package may run code while it is installed: only wheels are used */
	bool wheels;
	bool only_cached; /* installs nothing */
	/* reads a file of the variant's tree, of at most `ceiling` bytes; BA_ENOTFOUND */
	int (*read)(ba_buf *out, void *data, const ba_variant *v, const char *path, size_t ceiling);
	void *data;
} ba_packages_options;

/* Fills variants[v].environment; those before it are filled. Without "env:" parts only its
 * distributions. BA_EBUILD: the environment cannot be made. Other errors are of this machine or
 * of the network: no variant is to blame. BA_ENOTFOUND: there is no python3. */
int ba_packages_prepare(
	ba_variant *variants, size_t v, const ba_packages_options *options, ba_error *err);

/* The index's versions of a package, oldest first; uses only `services` and `workspace`. */
int ba_packages_versions(
	ba_strv *out, const char *name, const ba_packages_options *options, ba_error *err);
