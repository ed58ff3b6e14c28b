/* How commands that stand on a context begin and end: options, --help, the context, the
 * work, a complaint or the exit status. */
#ifndef CLI_ROUTINE_H
#define CLI_ROUTINE_H

#include "cli/context.h"
#include "model/result.h"

typedef struct ba_routine {
	const char *page;	       /* of the help */
	unsigned groups;	       /* BA_OPTS_... */
	void (*adjust)(ba_options *o); /* what the command decides itself; or NULL */
	/* r is empty before; afterwards it has the exit status */
	int (*work)(
		ba_context *c, const ba_strv *operands, ba_result *r, ba_error *err);
} ba_routine;

/* Returns the exit status. */
int ba_routine_run(const ba_routine *routine, int argc, char **argv);

/* Version, time and command line into a result; no repository, no configuration. argv
 * begins with the program or with the command's name. */
void ba_routine_describe(ba_result *r, int argc, char *const *argv);

#endif
