/* Keeps text in a log from being taken for a command of a CI system. */
#ifndef BASE_DISARM_H
#define BASE_DISARM_H

#include "base/buf.h"

/* GitHub executes a line of a log that begins with "::", after any white space, and
 * "##[...]" anywhere in a line; Azure and TeamCity execute "##vso[...]" and
 * "##teamcity[...]". The first character of each becomes visible as "\x3a" or "\x23",
 * so that no line of *text is a command. Call it on whole lines, before printing. */
void ba_text_disarm(ba_buf *text);

#endif
