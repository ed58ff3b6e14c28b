/* Style sheet and script of the HTML page, as they are in their files. */
#include "base/embed.h"
#include "report/html/page.h"

BA_EMBED(ba_page_css, BA_ASSET_DIR "/page.css");
BA_EMBED(ba_page_js, BA_ASSET_DIR "/page.js");
