/*
 * Reads the tokens of JSON (RFC 8259), from memory or from a file through a window. All
 * readers of JSON use it: documents and cursors (json/), messages (wire/). It is part
 * of base because the worker reads messages and links nothing but libc.
 *
 *     ba_lex l;
 *     ba_lex_memory(&l, text, size);
 *     if (ba_lex_token(&l) == '"')
 *             fault = ba_lex_string(&name, NAME_MOST, &l);
 *
 * The lexer decides what a string is, and where a number or a word ends. The reader
 * checks the order of tokens and words the message for each fault. Offsets count the
 * bytes of the whole text, from 0.
 */
#pragma once

#include "base/buf.h"

typedef struct ba_lex {
	/* bytes in reach that were not taken yet; readers move `at` */
	const char *at, *end;
	unsigned line; /* line of `at`, from 1 */
	int io_errno;  /* errno if reading the file failed, else 0 */
	bool comments; /* of a text in memory: comments are white space */
	/* in the last string: its first byte that is not UTF-8 (0: none), and its
	 * position */
	unsigned char odd_byte;
	size_t odd_at;
	size_t escape_at; /* where the string's last escape begins */
	/* the following members are only for the lexer */
	const char *data; /* the whole text in memory, or the window */
	size_t base, len; /* the offset of its first byte, and its size */
	size_t stop;	  /* the offset at which the text ends, as far as known */
	char *window;	  /* NULL: in memory */
	int fd;
	bool ended; /* nothing follows the window */
} ba_lex;

/* text must outlive the lexer; it may be NULL if size is 0 */
void ba_lex_memory(ba_lex *l, const char *text, size_t size);
/* Reads from the present position of a file or a pipe. Does not own fd. */
void ba_lex_file(ba_lex *l, int fd);
void ba_lex_dispose(ba_lex *l);

/* Restricts it to [from, to) of a text in memory or of a regular file; lines count from
 * there. */
void ba_lex_part(ba_lex *l, size_t from, size_t to);

/* Returns how many bytes are in reach: at least n, unless the text ends before. n is at
 * most 128 KiB for a file. */
size_t ba_lex_reach(ba_lex *l, size_t n);

static inline size_t ba_lex_offset(const ba_lex *l)
{
	return l->base + (size_t)(l->at - l->data);
}

/* the next byte, without taking it, or -1 at the end */
static inline int ba_lex_peek(ba_lex *l)
{
	if (l->at == l->end && !ba_lex_reach(l, 1))
		return -1;
	return (unsigned char)*l->at;
}

/* the same for the next byte that is not white space */
int ba_lex_skip_space(ba_lex *l);
static inline int ba_lex_token(ba_lex *l)
{
	if (l->at == l->end || *l->at <= ' ' || *l->at == '/')
		return ba_lex_skip_space(l);
	return *l->at;
}

/* skips the byte order mark that some editors put before UTF-8 */
void ba_lex_skip_mark(ba_lex *l);

/* Why a string is not valid; `at` is then on the wrong byte. */
typedef enum ba_lex_fault {
	BA_LEX_FINE,
	BA_LEX_UNCLOSED, /* the text ends */
	BA_LEX_CONTROL,	 /* a byte below 0x20 */
	BA_LEX_ESCAPE,	 /* a backslash followed by none of "\/bfnrtu */
	BA_LEX_HEX,	 /* \u followed by fewer than four hexadecimal digits */
	BA_LEX_ZERO,	 /* \u0000, which would end a C string; `at` is after it */
	BA_LEX_HALF,	 /* half of a surrogate pair; `at` is after it */
	BA_LEX_LONG	 /* longer than `most` */
} ba_lex_fault;

/* Takes a string, of which a peek has just found the opening quote, and appends its
 * characters to `out`, which may be NULL. Bytes that are not UTF-8 are kept and
 * recorded (odd_byte). The buffer does not move if it has room for the characters and
 * BA_LEX_SPARE bytes more. */
enum { BA_LEX_SPARE = 256 };
ba_lex_fault ba_lex_string(ba_buf *out, size_t most, ba_lex *l);

/* The size of the number or word that begins here: letters, digits, '+', '-' and '.',
 * at most `most` of them. They are in reach, but not taken. */
size_t ba_lex_word(ba_lex *l, size_t most);

/* The line and the column (in characters) of an offset; both from 1. Reads the text
 * again from its beginning, so use it only for errors. A file must be a regular one. */
void ba_lex_locate(const ba_lex *l, size_t offset, unsigned *line, unsigned *column);
