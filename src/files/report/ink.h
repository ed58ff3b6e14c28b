/* Colour on a terminal, by meaning. */
#ifndef REPORT_INK_H
#define REPORT_INK_H

#include "base/buf.h"

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

void ba_ink_put(ba_buf *out, ba_colour colour, ba_ink ink, const char *text);

#endif
