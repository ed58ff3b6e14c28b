/* A comparison of machine code as JSON: bench-against.code/1 (share/schema/code.schema.json).
 *
 *     ba_fields_format(&out, 2, &ba_code_document_fields, &d)
 *     ba_fields_load(&d, &ba_code_document_fields, path, NULL, err)
 *
 * Pairs that are the same are counted, and not kept. */
#pragma once

#include "json/fields.h"
#include "model/code_document.h"

extern const ba_json_fields ba_code_document_fields;

/* Does the file begin like such a document? */
bool ba_code_document_is(const char *path);
