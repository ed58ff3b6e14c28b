/* Converts SVG to PNG with rsvg-convert (librsvg), which most systems package. */
#pragma once

#include "base/base.h"

/* Two pixels for each unit of the drawing. BA_EUNSUPPORTED: the program is not
 * installed; the sentence names the package. BA_EIO: it fails. */
int ba_png_of_svg(ba_buf *out, const ba_buf *svg, ba_error *err);
