/* Where the history is, and a run's way into it. */
#ifndef CLI_HISTORY_H
#define CLI_HISTORY_H

#include "cli/context.h"
#include "model/result.h"

/* from the environment; NULL where there is no place for it; caller frees */
char *ba_history_file(void);

/* Adds the result, unless --no-history. What goes wrong is a warning: the run stands.
 */
void ba_history_remember(const ba_result *r, ba_context *c);

#endif
