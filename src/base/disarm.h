/* Text that programs which read logs must not obey. */
#ifndef BASE_DISARM_H
#define BASE_DISARM_H

#include "base/buf.h"

/* GitHub obeys a line of a log that begins with "::", after any white space, and
 * "##[...]" anywhere in a line; Azure and TeamCity obey "##vso[...]" and
 * "##teamcity[...]". The first character of each becomes visible as "\x3a" or "\x23",
 * so that no line of *text is a command. Call it on whole lines, before they leave. */
void ba_text_disarm(ba_buf *text);

#endif
