/* The bytes of a document: all of them in memory, or a window that moves over a file.
 * Offsets are those of the document. Inside the module only. */
#ifndef JSON_BYTES_H
#define JSON_BYTES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ba_json_bytes {
	const char *data; /* the bytes in reach */
	size_t base, len; /* offset of the first one, and their number */
	char *window;	  /* NULL: in memory */
	int fd;		  /* of the file; not owned */
	bool ended;	  /* the file has nothing behind the window */
	int io_errno;	  /* why it could not be read on */
} ba_json_bytes;

/* text must outlive it */
void ba_json_bytes_memory(ba_json_bytes *b, const char *text, size_t size);
void ba_json_bytes_file(ba_json_bytes *b, int fd);
void ba_json_bytes_dispose(ba_json_bytes *b);

/* How many bytes from `at` on are in reach: at least n, unless the document ends
 * before. The window only moves forwards: bytes before `at` may then be out of
 * reach. */
size_t ba_json_bytes_reach(ba_json_bytes *b, size_t at, size_t n);

/* Exactly n bytes from `from`, in any order of calls; false if the document has
 * fewer. */
bool ba_json_bytes_copy(char *out, ba_json_bytes *b, size_t from, size_t n);

/* column in characters, both from 1; reads from the start */
void ba_json_bytes_locate(
	const ba_json_bytes *b, size_t offset, unsigned *line, unsigned *column);

#endif
