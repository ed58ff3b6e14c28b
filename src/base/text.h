/* Text from elsewhere: made safe for a terminal, measured, matched, compared. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Append text with control characters, escape sequences and invalid UTF-8 replaced by
 * visible "\x1b" forms. Newline and tab stay where keep_lines, else are escaped too. */
void ba_text_sanitize(ba_buf *out, const char *text, size_t n, bool keep_lines);
char *ba_text_safe(const char *text); /* one line, sanitised; caller frees */
/* The same of what may be megabytes long: a sentence of 2000 bytes, and "..." */
char *ba_text_sentence(const char *text);
/* columns on a terminal: UTF-8 decoded, combining 0, wide 2 */
size_t ba_text_width(const char *text);
/* bytes of the character beyond ASCII that text begins with, where it is one that is
 * seen as a part of a word: no control, space, mark that reorders, or invisible one;
 * else 0 */
size_t ba_text_letter(const char *text);
/* in place, for terminals without Unicode: "-" for the dash of our own sentences, "?"
 * for each column of anything else beyond ASCII; widths stay */
void ba_text_ascii(char *text);
/* glob: * ? [set]; '*' matches any characters, '/' too. Case-sensitive. */
bool ba_text_glob(const char *pattern, const char *text);
/* the candidate nearest to `word` (Damerau-Levenshtein, at most a third of its length
 * away), or NULL; candidates end with NULL */
const char *ba_text_nearest(const char *word, const char *const *candidates);
bool ba_text_starts(const char *text, const char *prefix);
bool ba_text_ends(const char *text, const char *suffix);
/* last n lines of text; points into it */
const char *ba_text_last_lines(const char *text, size_t n);
/* at most so many bytes from the end of text, whole characters; points into it */
const char *ba_text_last_bytes(const char *text, size_t most);

#endif
