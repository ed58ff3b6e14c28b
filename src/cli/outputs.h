/* What becomes of a result: --output, --report and --format, and files in any format.
 * Each file is written whole or not at all. */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include "base/error.h"
#include "cli/context.h"

/* Before minutes of measuring: can what is asked for be written at all? */
int ba_outputs_check(const ba_options *o, ba_error *err);

/* The files that were asked for, and the answer on standard output. Each is written
 * also where another cannot be. */
int ba_outputs_answer(const ba_result *r, const ba_context *c, ba_error *err);

/* for a file: no colour, Unicode, lines of 100 columns */
extern const ba_format_options ba_outputs_plain;

/* To a file that is the caller's, who sees its errors; side by side where `across` is
 * not NULL. An error is one of reading r again. */
int ba_outputs_put(FILE *out, const ba_format *format, const ba_result *r,
	const ba_across *across, const ba_format_options *options, ba_error *err);
/* the old file or all of the new */
int ba_outputs_write(const char *path, const ba_format *format, const ba_result *r,
	const ba_across *across, ba_error *err);

/* Every format into the directory, by the names of ba_formats. The directory is made
 * if it is not there; what else is in it stays. */
int ba_outputs_write_all(const char *dir, const ba_result *r, ba_error *err);
/* makes the directory, and says whether it can be written */
int ba_outputs_prepare(const char *dir, ba_error *err);

#endif
