/* Handles foreign text: makes it safe for a terminal, measures, matches and compares
 * it. */
#pragma once

#include "base/buf.h"
#include "base/error.h"
#include "base/strv.h"

/* Appends text and replaces control characters, escape sequences and invalid UTF-8 by
 * visible forms ("\x1b"). With keep_lines, newlines and tabs stay. */
void ba_text_sanitize(ba_buf *out, const char *text, size_t n, bool keep_lines);
/* Frees *where and puts text there, or a copy of it; NULL stays NULL. The new text
 * may be made of the old one. */
void ba_text_own(char **where, char *text);
void ba_text_replace(char **where, const char *text);
char *ba_text_safe(const char *text); /* one line, sanitised; caller frees */
/* The same for text that may be megabytes long: at most 2000 bytes of it, then "..." */
char *ba_text_sentence(const char *text);
/* The length of the UTF-8 sequence that text begins with; 0 if it is not valid. */
size_t ba_text_utf8(const char *text, size_t size);
/* The code point that text begins with, if it is a control character or a mark that
 * reorders text; else 0. */
unsigned ba_text_hostile(const char *text, size_t size);
/* Is all of it valid UTF-8 without a NUL? */
bool ba_text_is_utf8(const char *text, size_t size);
/* columns on a terminal: UTF-8 decoded, combining 0, wide 2 */
size_t ba_text_width(const char *text);
/* the width of its first `size` bytes */
size_t ba_text_width_of(const char *text, size_t size);
/* The length in bytes of the non-ASCII character that text begins with, if it is a
 * visible part of a word. Else 0: ASCII, a control, a space, an invisible character, or
 * a mark that reorders text. */
size_t ba_text_letter(const char *text);
/* Changes text in place for terminals without Unicode. The dash of our own sentences
 * becomes "-", any other non-ASCII character a "?" for each of its columns. Widths
 * stay. */
void ba_text_ascii(char *text);
/* Glob with * ? [set]; '*' matches any characters, '/' included. Case-sensitive. */
bool ba_text_glob(const char *pattern, const char *text);
/* The glob that matches this text alone; caller frees. */
char *ba_text_glob_of(const char *text);
/* The candidate nearest to `word` (Damerau-Levenshtein distance, at most a third of its
 * length), or NULL; candidates end with NULL. */
const char *ba_text_nearest(const char *word, const char *const *candidates);
bool ba_text_starts(const char *text, const char *prefix);
bool ba_text_ends(const char *text, const char *suffix);
/* the value in an entry "NAME=value" of an environment; NULL: the entry has another name */
const char *ba_env_value(const char *entry, const char *name);
/* in a list that ends with NULL, which may itself be NULL */
const char *ba_env_find(const char *const *env, const char *name);
/* last n lines of text; points into it */
const char *ba_text_last_lines(const char *text, size_t n);
/* at most `most` bytes from the end of text, whole characters; points into it */
const char *ba_text_last_bytes(const char *text, size_t most);

/* GitHub executes a line of a log that begins with "::", after any white space, and
 * "##[...]" anywhere in a line; Azure and TeamCity execute "##vso[...]" and
 * "##teamcity[...]". The first character of each becomes visible as "\x3a" or "\x23",
 * so that no line of *text is a command. Call it on whole lines, before printing. */
void ba_text_disarm(ba_buf *text);

/* Append text in lines of at most `width` columns, broken at its spaces. The first line
 * begins in column `column`, each further line with `indent` spaces. A word longer than
 * a line stands alone. Runs of spaces become one; "5 %" is one word. There is no
 * newline at the end. */
void ba_text_fold(ba_buf *out, const char *text, size_t width, size_t indent, size_t column);

/* A name on lines of at most `width` columns, without a newline at the end: a longer one
 * is broken behind a '/' or ',', or where it has to be. Later lines are indented by 2. */
void ba_text_break(ba_buf *out, const char *text, size_t width);

/* text in at most `width` columns: in a wider text, "…" replaces the middle (".."
 * without Unicode). Where both halves cannot be equal, the end is the longer one, since
 * names differ at their ends. A number is never cut, or n=160 could be read as n=16: it
 * stays or goes as a whole if anything else is left on its side. width >= 3. Caller
 * frees. */
char *ba_text_shorten(const char *text, size_t width, bool unicode);

/* the same, but keeps at most `head` columns of the beginning; head < width - 2 */
char *ba_text_shorten_at(const char *text, size_t width, size_t head, bool unicode);

/* the same, but cuts off the end; for sentences */
char *ba_text_cut(const char *text, size_t width, bool unicode);

/* Quotes words for a POSIX shell, so that printed commands can be copied, and splits
 * them again. Appends the word, in single quotes unless the shell takes it as it is. */
void ba_shell_put(ba_buf *out, const char *word);

/* "bench-against --filter 'copy/?' HEAD~ HEAD"; caller frees */
char *ba_shell_command(const ba_strv *words);

/* Appends the words of a text, as a shell splits it: blanks between words, '...', "..."
 * and \\ protect. Nothing is expanded: $, `, * and ~ are characters like others. BA_EINVAL:
 * a quotation without its end. */
int ba_shell_split(ba_strv *out, const char *text, ba_error *err);

/* The name of a C++ function as people write it: "_Z3foov" -> "foo()", safe for a terminal.
 * Other names are unchanged, and all names on a machine without the C++ runtime. Caller
 * frees. */
char *ba_demangle(const char *name);
/* "queue::push(int, std::less<int>) const", demangled, without its parameters. Caller frees. */
char *ba_demangle_short(const char *name);
