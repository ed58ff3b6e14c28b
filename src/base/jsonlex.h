/*
 * The tokens of JSON (RFC 8259), from memory or from a file through a window. Each
 * reader of JSON is built on it: documents and cursors (json/), messages (wire/). It is
 * part of base because the worker reads messages and links nothing but libc.
 *
 *     ba_lex l;
 *     ba_lex_memory(&l, text, size);
 *     if (ba_lex_token(&l) == '"')
 *             fault = ba_lex_string(&name, NAME_MOST, &l);
 *
 * The lexer decides what a string is, and where a number or a word ends. The order of
 * tokens, and the sentence for each fault, are its reader's business. Offsets count the
 * bytes of the whole text, from 0.
 */
#ifndef BASE_JSONLEX_H
#define BASE_JSONLEX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

typedef struct ba_lex {
	const char *at, *end; /* in reach and not yet taken; a reader moves `at` */
	unsigned line;	      /* of `at`, from 1 */
	int io_errno;	      /* why the file could not be read on; 0: it could */
	/* of the last string: its first byte that is not UTF-8, 0 if all are, and where */
	unsigned char odd_byte;
	size_t odd_at;
	size_t escape_at; /* where its last escape begins */
	/* the rest is the lexer's own */
	const char *data; /* all of a text in memory, or the window */
	size_t base, len; /* where in the text that begins, and its size */
	size_t stop;	  /* nothing from there on is seen */
	char *window;	  /* NULL: in memory */
	int fd;
	bool ended; /* nothing follows the window */
} ba_lex;

/* text must outlive the lexer, and may be NULL where size is 0 */
void ba_lex_memory(ba_lex *l, const char *text, size_t size);
/* From the file's place on, which may be a pipe. Does not own fd. */
void ba_lex_file(ba_lex *l, int fd);
void ba_lex_dispose(ba_lex *l);

/* Only [from, to) of a text in memory or a regular file, which counts as line 1. */
void ba_lex_part(ba_lex *l, size_t from, size_t to);

/* Returns how many bytes are in reach: at least n, unless the text ends before. n is at
 * most 128 KiB for a file. */
size_t ba_lex_reach(ba_lex *l, size_t n);

static inline size_t ba_lex_offset(const ba_lex *l)
{
	return l->base + (size_t)(l->at - l->data);
}

/* the next byte, which is not taken, or -1 at the end */
static inline int ba_lex_peek(ba_lex *l)
{
	if (l->at == l->end && !ba_lex_reach(l, 1))
		return -1;
	return (unsigned char)*l->at;
}

/* the same of the next byte that is no white space */
int ba_lex_skip_space(ba_lex *l);
static inline int ba_lex_token(ba_lex *l)
{
	if (l->at == l->end || *l->at <= ' ')
		return ba_lex_skip_space(l);
	return *l->at;
}

/* takes the mark that some editors put before UTF-8 */
void ba_lex_skip_mark(ba_lex *l);

/* Why it is no string; `at` is then on the byte that is wrong. */
typedef enum ba_lex_fault {
	BA_LEX_FINE,
	BA_LEX_UNCLOSED, /* the text ends */
	BA_LEX_CONTROL,	 /* a byte below 0x20 */
	BA_LEX_ESCAPE,	 /* none of "\/bfnrtu after a backslash */
	BA_LEX_HEX,	 /* no hexadecimal digit where \u has four */
	BA_LEX_ZERO,	 /* \u0000, which would end a string of C; `at` is behind it */
	BA_LEX_HALF,	 /* half of a surrogate pair; `at` is behind it */
	BA_LEX_LONG	 /* longer than `most` */
} ba_lex_fault;

/* Takes a string, whose quote a peek has just found, and appends its characters to `out`,
 * which may be NULL. Bytes that are not UTF-8 are kept and noted: see odd_byte. A
 * buffer with room for BA_LEX_SPARE bytes more than the characters does not move. */
enum { BA_LEX_SPARE = 256 };
ba_lex_fault ba_lex_string(ba_buf *out, size_t most, ba_lex *l);

/* The size of the number or word that begins here: letters, digits, '+', '-' and '.',
 * at most `most` of them. They are in reach, and not taken. */
size_t ba_lex_word(ba_lex *l, size_t most);

/* Line and column, in characters, of an offset; both from 1. Reads the text again from
 * its beginning, which only errors need; a file must be a regular one. */
void ba_lex_locate(const ba_lex *l, size_t offset, unsigned *line, unsigned *column);

#endif
