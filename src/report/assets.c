/* Style sheets and the script of the HTML page, as they are in their files. */
#include "base/embed.h"
#include "report/figure.h"

BA_EMBED(ba_figure_css, BA_ASSET_DIR "/figure.css");
