/* SVG to PNG by rsvg-convert (librsvg), which most systems have a package of. */
#ifndef CLI_PNG_H
#define CLI_PNG_H

#include "base/buf.h"
#include "base/error.h"

/* Two pixels for each unit of the drawing. BA_EUNSUPPORTED where the program is not
 * installed, with the package's name; BA_EIO where it does not do its work. */
int ba_png_of_svg(ba_buf *out, const ba_buf *svg, ba_error *err);

#endif
