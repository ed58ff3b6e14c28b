/*
 * Does many small pieces of work in several threads. The calling thread is one of them: if no
 * other can be started, the work takes longer, and that is all.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* most threads; more would only wait for the disk or memory */
enum { BA_PARALLEL_MOST = 8 };

typedef struct ba_parallel {
	size_t count;
	size_t chunk;	  /* number of pieces that a thread takes at a time */
	unsigned threads; /* 1 .. BA_PARALLEL_MOST */
	/* does piece i; `thread` counts from 0. An error ends the work of all threads soon */
	int (*work)(void *data, unsigned thread, size_t i, ba_error *err);
	void *data;
	/* asked before each chunk: BA_EINTERRUPTED once it is true; may be NULL */
	bool (*stopped)(void *data);
	void *stopped_data;
} ba_parallel;

/* Returns the first error, or 0 if all pieces are done. */
int ba_parallel_run(const ba_parallel *p, ba_error *err);

/* How many threads help: one a processor, at most `most`, each with `share` pieces or more. */
unsigned ba_parallel_threads(size_t count, size_t share, unsigned most);
