/* The context of a command that builds or measures: the paths of the tool's parts and
 * of the cache, the style of output, and whether a signal has requested a stop. */
#pragma once

#include "cli/options.h"
#include "cli/progress.h"
#include "report/format.h"

typedef struct ba_context {
	const ba_options *options;
	ba_job_parts parts; /* strings owned */
	char *cache_root;
	ba_progress progress;
	ba_log log;
	ba_format_options format;
	bool unicode;
	ba_job_services services; /* all of the above, for a job */
} ba_context;

/* how to write to stdout: width, colour, characters */
ba_format_options ba_context_format(const ba_options *o);

/* Handlers for SIGINT, SIGTERM and SIGHUP only set a flag. SIGPIPE and SIGXFSZ (RLIMIT_FSIZE)
 * are ignored, but not in children: write() fails with EPIPE or EFBIG. */
int ba_context_init(ba_context *c, const ba_options *o, ba_error *err);
/* Changes into a directory (NULL: stays), to which all relative names refer. BA_EIO:
 * the directory was removed. ba_context_init() includes it. */
int ba_context_enter(const char *directory, ba_error *err);
BA_DECLARE_DISPOSE(ba_context)

/* A part of share/bench-against, in the build tree or installed; caller frees. NULL: missing. */
char *ba_context_share(const char *name);

/* The signal that requested a stop, or 0. */
extern volatile sig_atomic_t ba_stop_signal;

/* Writes "bench-against: " and the sentence to stderr, made safe for a terminal.
 * Returns the error's exit status, or 128 + N after a signal. */
int ba_context_complain(ba_context *c, const ba_error *err); /* c may be NULL */
/* Writes complete lines to stdout, made safe (base/text.h); clears the buffer. */
void ba_context_put(ba_buf *lines);
/* The last thing that main does. If a signal asked us to stop, the process ends by that
 * signal, so that its parent can see it: as an exit status, 128 + SIGHUP is 129, the
 * same as for a wrong command line. Otherwise returns status. */
int ba_context_leave(int status);
/* Flushes and checks stdout: a full disk is an error. Returns status, or 125. */
int ba_context_end(int status);
