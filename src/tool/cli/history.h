/* Where the history is, and how a run adds to it. */
#ifndef CLI_HISTORY_H
#define CLI_HISTORY_H

#include "cli/context.h"
#include "model/result.h"

/* its path, from the environment; NULL if there is no place for it; caller frees */
char *ba_history_file(void);

/* Can a file that BENCH_AGAINST_HISTORY names be written? Ask before anything is built.
 * Nobody asked for the file at the default place: there, ba_history_remember warns. */
int ba_history_check(const ba_context *c, ba_error *err);

/* Adds the result, unless --no-history. An error is only a warning. */
void ba_history_remember(const ba_result *r, ba_context *c);

#endif
