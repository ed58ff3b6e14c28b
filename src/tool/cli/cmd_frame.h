/* The frame of commands that use a context: options, --help, the context, the work,
 * then an error message or the exit status. */
#ifndef CLI_CMD_FRAME_H
#define CLI_CMD_FRAME_H

#include "cli/context.h"
#include "model/result.h"

typedef struct ba_cmd_frame {
	const char *page; /* its page of help */
	ba_options_for options;
	/* sets what the command itself decides; or NULL */
	void (*adjust)(ba_options *o);
	/* r is empty at first; it then has the exit status */
	int (*work)(ba_context *c, const ba_strv *operands, ba_result *r, ba_error *err);
} ba_cmd_frame;

/* Returns the exit status. */
int ba_cmd_frame_run(const ba_cmd_frame *frame, int argc, char **argv);

/* "bench-against run HEAD", for results. argv begins with the program or with the
 * command's name. Caller frees. */
char *ba_cmd_line(int argc, char *const *argv);

#endif
