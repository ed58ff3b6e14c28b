/* What a command says of a results document that is not as it was written. */
#ifndef CLI_DOCUMENT_H
#define CLI_DOCUMENT_H

#include "model/result.h"

/* Where r is of a document that was damaged or edited: a warning on the standard error,
 * and a note in r, so that every report made of it says so, too. */
void ba_document_warn(ba_result *r, const char *path);

#endif
