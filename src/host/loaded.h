/*
 * Did a program of a `command` suite load code of another tree? observer/loads.c and
 * the Python module's start/sitecustomize.py report what it loaded. A program that runs
 * another variant's code, or the user's checkout, does not measure its own tree.
 */
#ifndef HOST_LOADED_H
#define HOST_LOADED_H

#include "host/engine.h"

/* A sentence, with a remedy, about the first loaded file that does not belong to the
 * variant; NULL if there is none. *silent is set if a Python process reported nothing,
 * so that its imports are unknown. The report may be missing or nonsense, because a
 * variant's program can write to it. */
char *ba_loaded_stranger(bool *silent, const char *report,
	const ba_command_line *command, const ba_engine_spec *engine, size_t variant);

#endif
