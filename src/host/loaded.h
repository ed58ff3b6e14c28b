/*
 * Did a program of a `command` suite load code of another tree? observer/loads.c and
 * the Python module's start/sitecustomize.py report what it loaded. A program that runs
 * another variant's code, or the user's checkout, says nothing about its own tree.
 */
#ifndef HOST_LOADED_H
#define HOST_LOADED_H

#include "host/engine.h"

/* The first loaded file that does not belong to the variant, as a sentence with a
 * remedy, or NULL. *silent is set if a Python process reported nothing, so that its
 * imports are not known. The report may be missing or nonsense: the program of a
 * variant can write to it. */
char *ba_loaded_stranger(bool *silent, const char *report,
	const ba_command_line *command, const ba_engine_spec *engine, size_t variant);

#endif
