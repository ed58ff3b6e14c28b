/* How a format is written: for which width, in which colours, with which characters. */
#pragma once

#include "base/base.h"

/* Colour on a terminal, by meaning. */
typedef enum ba_colour {
	BA_COLOUR_NONE,
	BA_COLOUR_16,
	BA_COLOUR_256,
} ba_colour;

typedef enum ba_ink {
	BA_INK_PLAIN,
	BA_INK_BOLD,
	BA_INK_DIM,
	BA_INK_GOOD,
	BA_INK_BAD,
	BA_INK_DOUBT,
	BA_INK_COUNT
} ba_ink;

typedef struct ba_format_options {
	size_t width;	  /* columns; 0: 80. The format `term` takes 40 at least */
	ba_colour colour; /* the caller applies NO_COLOR and --color */
	bool unicode;	  /* else ASCII: "+/-", "us" */
	bool verbose;	  /* p-values, quantiles, artefacts, all rows of long tables */
	bool quiet;	  /* only the answer */
	/* receives a long text piece by piece (ba_format_spill); NULL: all of it stays
	 * in the buffer. The file's owner checks it for write errors. */
	FILE *file;
} ba_format_options;

size_t ba_format_width(const ba_format_options *o); /* in columns */

/* After each row of a format of any length: moves the buffer to the file. */
void ba_format_spill(ba_buf *out, const ba_format_options *o);

void ba_ink_put(ba_buf *out, ba_colour colour, ba_ink ink, const char *text);
/* A sentence, maybe with foreign text, folded into lines, indented after the first. */
void ba_format_sentence(ba_buf *out, const ba_format_options *o, size_t indent, const char *fmt,
	...) __attribute__((format(printf, 4, 5)));
/* The same after a word such as "note: ", which gets that ink. */
void ba_format_remark(ba_buf *out, const ba_format_options *o, size_t indent, ba_ink ink,
	const char *lead, const char *text);
/* One line in that ink, not folded. */
void ba_format_line(ba_buf *out, const ba_format_options *o, ba_ink ink, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* Without Unicode, replaces the text from out->data[start] on by ASCII. */
void ba_format_ascii(ba_buf *out, const ba_format_options *o, size_t start);
