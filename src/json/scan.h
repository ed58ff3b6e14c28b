/* The grammar, checked before cJSON sees the text: cJSON takes numbers such as 01 and
 * raw control characters, knows no positions and reports no reason. Inside the module
 * only. */
#ifndef JSON_SCAN_H
#define JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ba_json_scan {
	const char *text;
	size_t size;
	unsigned depth_max;
	bool keep_offsets;
	size_t *offsets; /* where each value begins, parents first; caller frees */
	size_t count, capacity;
	/* where and why it is no JSON */
	size_t error_at;
	char error[96];
} ba_json_scan;

/* false: see error_at and error */
bool ba_json_scan_run(ba_json_scan *s);
/* Comments and commas before a closing bracket to spaces, in place; false: as above. */
bool ba_json_scan_relax(ba_json_scan *s, char *text);
/* length of the UTF-8 sequence at text, 0 if it is not valid */
size_t ba_json_utf8(const char *text, size_t size);

#endif
