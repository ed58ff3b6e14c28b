/* Help pages: text around the option table of a command, wrapped at the width of the
 * terminal. The texts are in cli/pages.txt.
 *
 *     usage: bench-against run [OPTIONS] VARIANT        (page->usage, a line each)
 *
 *     What it answers ...                               (page->summary)
 *     Section                                           (those before the options)
 *     Options, in their groups                          (the rows)
 *     Commands, in their groups                         (of the tool's own page)
 *     Section                                           (those after the options)
 *
 * A command with a row --help-all has two forms of its page: --help shows the everyday
 * rows and sections, --help-all shows all of them.
 *
 * Text of a section:
 *
 *  - paragraphs are wrapped; an empty line separates them;
 *  - a line that begins with two spaces stays unchanged;
 *  - "term<TAB>description" becomes two columns, with the description wrapped. */
#pragma once

#include "cli/opt.h"

typedef struct ba_help_section {
	const char *title, *text;
	bool after_options;
	bool only_all; /* not on the short page */
} ba_help_section;

typedef struct ba_help_page {
	const char *name;  /* "run"; "" for the tool itself */
	const char *brief; /* one line, for lists of commands and completions */
	const char *usage; /* one or more lines, without "usage: " */
	const char *summary;
	const ba_help_section *sections; /* ends with a NULL title; may be NULL */
} ba_help_page;

/* How a page is written. */
typedef struct ba_help_style {
	size_t width; /* clamped to 40 .. 100 columns */
	bool colour;  /* bold titles */
	bool all;     /* the whole page, if there is a short form */
} ba_help_style;

/* rows may be NULL */
void ba_help_render(
	ba_buf *out, const ba_help_page *page, const ba_opt *rows, const ba_help_style *style);

/* Writes the named page to standard output, as wide as the terminal. */
void ba_help_show(const char *name, const ba_opt *rows, bool all);

/* The page with that name, or NULL. */
const ba_help_page *ba_help_page_named(const char *name);
/* every page, the tool's own first; ends with a NULL name */
const ba_help_page *ba_help_pages(void);
