/* Words for a POSIX shell: what is shown can be copied into one. */
#ifndef BASE_SHELL_H
#define BASE_SHELL_H

#include "base/buf.h"
#include "base/strv.h"

/* Appends the word, in single quotes unless the shell takes it as it is. */
void ba_shell_put(ba_buf *out, const char *word);

/* "bench-against --filter 'copy/?' HEAD~ HEAD"; caller frees */
char *ba_shell_command(const ba_strv *words);

#endif
