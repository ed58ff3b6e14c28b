/*
 * Did a program of a variant load code of another tree? A program that runs another
 * variant's code, or the user's checkout, does not measure its own tree.
 *
 *  - A program of a `command` suite is run once without being measured, and
 *    observer/loads.c and the Python module's start/sitecustomize.py report what it and
 *    its children loaded.
 *  - A process of a `worker` suite waits between two requests. What is mapped in it and
 *    in its children is read from /proc, so that nothing of ours is in a process that
 *    measures. The Python module says more about the modules of Python workers.
 */
#pragma once

#include "engine/spec.h"

/* The folders from which a variant may load code besides its tree, and from which it
 * may not. NULL: none. */
typedef struct ba_code_origin {
	/* the user's working tree: code from there is not allowed */
	const char *checkout;
	const char *start_dir;	   /* folder with the tool's sitecustomize.py */
	const char *scratch;	   /* code compiled there belongs to the variant */
	const ba_strv *pythonpath; /* folders of the tree that are in PYTHONPATH (empty: its top) */
} ba_code_origin;

/* A sentence, with a remedy, about the first loaded file that does not belong to the
 * variant; NULL if there is none. *silent is set if a Python process reported nothing,
 * so that its imports are unknown. The report may be missing or nonsense, because a
 * variant's program can write to it. */
char *ba_foreign_code_reported(bool *silent, const char *report, const ba_code_origin *origin,
	const ba_engine_spec *engine, size_t variant);

/* The same for the process of a worker and its children: a sentence about the first file
 * that is mapped as code, or NULL. NULL also if /proc cannot be read. On the host target
 * also about a libcuda.so that is not ours. */
char *ba_foreign_code_mapped(long pid, const ba_engine_spec *engine, size_t variant);
