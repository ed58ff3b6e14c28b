/* Finds the file of the history and adds runs to it. */
#pragma once

#include "cli/context.h"

/* The path, from the environment. NULL: there is no home directory. Caller frees. */
char *ba_history_file(void);

/* Can a file that BENCH_AGAINST_HISTORY names be written? Call before anything is
 * built. The user did not ask for the default file: for that one, ba_history_remember() only warns. */
int ba_history_check(const ba_context *c, ba_error *err);

/* Adds the result, unless --no-history. An error is only a warning. */
void ba_history_remember(const ba_result *r, ba_context *c);
/* The same of a comparison of machine code between r's variants. */
void ba_history_remember_code(const ba_result *r, const ba_code_document *code, ba_context *c);
