/*
 * Help that teaches: a page is free text around the option table of its command, folded
 * to the width of the terminal.
 *
 *     usage: bench-against run [OPTIONS] VARIANT        (page->usage, a line each)
 *
 *     What it answers ...                               (page->summary)
 *     Section                                           (those before the options)
 *     Options, in their groups                          (the rows)
 *     Section                                           (those after the options)
 *
 * Text of a section:
 *
 *  - paragraphs are folded; an empty line separates them;
 *  - a line that begins with two spaces stays unchanged;
 *  - "term<TAB>description" becomes two columns, with the description folded.
 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "cli/opt.h"

typedef struct ba_help_section {
	const char *title;
	const char *text;
	bool after_options;
} ba_help_section;

typedef struct ba_help_page {
	const char *name;  /* "run"; "" for the tool itself */
	const char *brief; /* one line, for lists of commands and completions */
	const char *usage; /* one or more lines, without "usage: " */
	const char *summary;
	const ba_help_section *sections; /* ends with a NULL title; may be NULL */
} ba_help_page;

/* rows may be NULL. width is clamped to 40 .. 100 columns; colour adds bold titles. */
void ba_help_render(ba_buf *out, const ba_help_page *page, const ba_opt *rows,
	size_t width, bool colour);

/* --help in every command: writes the named page to standard output, as wide as the
 * terminal. */
void ba_help_show(const char *name, const ba_opt *rows);

/* While a taker is set, ba_help_show passes page and rows to it, valid during the call,
 * and prints nothing. So completions and the manual get the rows of each command, which
 * exist only inside the command. NULL: no taker. */
typedef void ba_help_taker(void *data, const ba_help_page *page, const ba_opt *rows);
void ba_help_take(ba_help_taker *taker, void *data);

/* NULL if there is no page of that name */
const ba_help_page *ba_help_page_named(const char *name);
/* every page, the tool's own first; ends with NULL */
extern const ba_help_page *const ba_help_pages[];

#endif
