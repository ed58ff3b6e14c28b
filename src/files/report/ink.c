#include "report/ink.h"

/* the 256 ones are legible on light and on dark backgrounds, and differ in lightness
 * for those who do not see red and green */
static const char *const sequences[BA_INK_COUNT][3] = {
	[BA_INK_PLAIN] = {"", "", ""},
	[BA_INK_BOLD] = {"", "\033[1m", "\033[1m"},
	[BA_INK_DIM] = {"", "\033[2m", "\033[38;5;245m"},
	[BA_INK_GOOD] = {"", "\033[32m", "\033[38;5;35m"},
	[BA_INK_BAD] = {"", "\033[1;31m", "\033[1;38;5;160m"},
	[BA_INK_DOUBT] = {"", "\033[33m", "\033[38;5;172m"},
};

void ba_ink_put(ba_buf *out, ba_colour colour, ba_ink ink, const char *text)
{
	ba_buf_puts(out, sequences[ink][colour]);
	ba_buf_puts(out, text);
	if (colour != BA_COLOUR_NONE && ink != BA_INK_PLAIN)
		ba_buf_puts(out, "\033[0m");
}
