/* What json.c and file.c share: documents parsed whole, and parts of larger ones.
 * Inside the module only. */
#ifndef JSON_JSON_INTERNAL_H
#define JSON_JSON_INTERNAL_H

#include "json/json.h"
#include "json/scan.h"

#define BA_JSON_CEILING ((size_t)1 << 30)
enum { BA_JSON_LISTS_MOST = 4 };

/* The part's text from offset `at` on is the document's text from offset `from` on. */
typedef struct ba_json_piece {
	size_t at, from;
} ba_json_piece;

/* Where in a larger document a part comes from; zeroed: it is a document of its own. */
typedef struct ba_json_origin {
	const ba_json_bytes *bytes; /* of the whole, which outlives the part */
	const char *list; /* the part is element `index` of it; NULL: the root */
	size_t index;
	ba_json_piece pieces[BA_JSON_LISTS_MOST + 1];
	size_t piece_count;
} ba_json_origin;

/* A NUL must follow text. The document owns text from then on, also after an error. */
int ba_json_parse_text(ba_json **out, char *text, size_t size,
	const ba_json_options *options, const ba_json_origin *origin, ba_error *err);

/* the sentences about errors that the scanner found, and about what it did not read */
int ba_json_fail_scan(
	ba_error *err, const ba_json_scan *s, const char *name, int error_code);
int ba_json_fail_twice(ba_error *err, const ba_json_scan *s, const char *name,
	int error_code, bool positions);
int ba_json_too_large(ba_error *err, const char *name, size_t ceiling, int error_code);

#endif
