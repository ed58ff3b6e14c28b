/* The style sheet of all figures, as it is in its file. */
#include "base/embed.h"
#include "report/figure/figure.h"

BA_EMBED(ba_figure_css, BA_ASSET_DIR "/figure.css");
