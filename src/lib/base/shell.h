/* Quotes words for a POSIX shell, so that printed commands can be copied, and splits
 * them again. */
#pragma once

#include "base/buf.h"
#include "base/error.h"
#include "base/strv.h"

/* Appends the word, in single quotes unless the shell takes it as it is. */
void ba_shell_put(ba_buf *out, const char *word);

/* "bench-against --filter 'copy/?' HEAD~ HEAD"; caller frees */
char *ba_shell_command(const ba_strv *words);

/* Appends the words of a text, as a shell splits it: blanks between words, '...', "..."
 * and \\ protect. Nothing is expanded: $, `, * and ~ are characters like others. BA_EINVAL:
 * a quotation without its end. */
int ba_shell_split(ba_strv *out, const char *text, ba_error *err);
