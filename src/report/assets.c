/* Style sheets and the script of the HTML page, as they are in their files. */
#include "base/embed.h"
#include "report/figure.h"
#include "report/html.h"

BA_EMBED(ba_figure_css, BA_ASSET_DIR "/figure.css");
BA_EMBED(ba_page_css, BA_ASSET_DIR "/page.css");
BA_EMBED(ba_page_js, BA_ASSET_DIR "/page.js");
