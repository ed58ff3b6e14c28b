/*
 * What a program of a `command` suite loaded, as observer/loads.c and the Python
 * module's start/sitecustomize.py have told it: is all of it the variant's own, or of
 * nobody whom the run compares? A program that runs another variant's code, or the
 * user's checkout as it is now, says nothing about its own tree.
 */
#ifndef HOST_LOADED_H
#define HOST_LOADED_H

#include "host/engine.h"

/* The first stranger in the report, as a sentence with a remedy, or NULL. Of a program
 * with a Python that told nothing, *silent is set: what that one imported is not known.
 * The report may be missing, or nonsense: programs of variants can write to it. */
char *ba_loaded_stranger(bool *silent, const char *report,
	const ba_command_line *command, const ba_engine_spec *engine, size_t variant);

#endif
