/* Characters and keys in JSON's notation; for this module, and for readers of text that
 * is not JSON. */
#ifndef JSON_CHARS_H
#define JSON_CHARS_H

#include <stddef.h>

#include "base/buf.h"

/* length of the UTF-8 sequence at text, 0 if it is not valid */
size_t ba_json_utf8(const char *text, size_t size);
/* a character as UTF-8 */
void ba_json_put_code(ba_buf *out, unsigned code);
/* ".key", "[\"odd key\"]" */
void ba_json_put_key(ba_buf *out, const char *key);

#endif
