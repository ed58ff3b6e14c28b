/* Writes a result: --output, --report and --format, and files in any format. Each file
 * is written completely or not at all. */
#pragma once

#include "cli/context.h"

/* Checks, before minutes of measuring, that everything requested can be written. */
int ba_outputs_check(const ba_options *o, ba_error *err);
/* The same for one file; option is "--junit", for the error. BA_EINVAL, BA_EIO. */
int ba_outputs_check_file(const char *option, const char *path, ba_error *err);

/* Writes the requested files, and the answer to standard output. A file that cannot be
 * written does not stop the others. */
int ba_outputs_answer(const ba_result *r, const ba_context *c, ba_error *err);

/* Writes to the caller's file; the caller checks that file for errors. With `across`,
 * side by side. Returns an error only if r's readings cannot be read again. */
int ba_outputs_put(FILE *out, const ba_format *format, const ba_result *r, const ba_across *across,
	const ba_format_options *options, ba_error *err);
/* replaces the file atomically: it is the old or the new one */
int ba_outputs_write(const char *path, const ba_format *format, const ba_result *r,
	const ba_across *across, ba_error *err);

/* Writes every format into the directory, under the names in ba_formats. Creates the
 * directory if it is missing; keeps other files in it. */
int ba_outputs_write_all(const char *dir, const ba_result *r, ba_error *err);
