/* Reads a results document, and warns if it was changed since it was written. */
#pragma once

#include "model/result.h"

/* If r comes from a document that was damaged or edited: warns on standard error, and adds a
 * note to r, so that every report made from it says so, too. */
void ba_document_warn(ba_result *r, const char *path);

/* Reads a document for a report or a plot, and warns like ba_document_warn. For a file
 * of another tool, which has no verdicts, the sentence says how to compare it. */
int ba_document_read(ba_result *r, const char *path, ba_error *err);
