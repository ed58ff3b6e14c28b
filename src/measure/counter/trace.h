/*
 * A trace: the instructions of some counted calls, and the files that they lie in. A
 * worker writes it, and the host reads it once, on the same machine.
 *
 *     8 bytes    "ba-trc 1"
 *     3 numbers  calls, addresses of all calls, bytes of maps
 *     numbers    [calls] instructions of each call
 *     numbers    [addresses] call after call, in the order of execution
 *     text       what /proc/self/maps said after the last call
 *
 * Numbers have 64 bits in the machine's byte order. A call that was counted without
 * addresses makes the number of addresses 0 for all.
 */
#pragma once

#include "counter/counter.h"

#define BA_TRACE_MAGIC "ba-trc 1"

/* A file that the process had mapped as code, or memory with code that is not from a
 * file. */
typedef struct ba_trace_object {
	char *path;	    /* "" for code made at run time; "[vdso]" */
	uint64_t low, high; /* addresses of all its mappings: [low, high) */
	/* of the first mapping: its address minus its offset in the file */
	uint64_t base;
} ba_trace_object;

typedef struct ba_trace {
	uint64_t *counts; /* [calls] */
	size_t calls;
	/* call c has counts[c] addresses, starting at the sum of the earlier counts; or
	 * NULL */
	uint64_t *addresses;
	size_t address_count;
	ba_trace_object *objects; /* [object_count] by address */
	size_t object_count;
} ba_trace;

/* ---- to write, in the process that counts ---- */

typedef struct ba_trace_file ba_trace_file;

/* Addresses are kept in memory until the trace is written, which replaces the file at path. */
ba_trace_file *ba_trace_create(const char *path);
void ba_trace_add(ba_trace_file *f, const ba_counted *counted);
int ba_trace_write(const ba_trace_file *f, ba_error *err);
BA_DECLARE_FREE(ba_trace_file)

/* ---- to read ---- */

/* BA_EDATA: it is not a trace, or a damaged one. */
int ba_trace_read(ba_trace *out, const char *path, ba_error *err);
void ba_trace_dispose(ba_trace *t);
/* the first address of a call; NULL if the trace has no addresses */
const uint64_t *ba_trace_call(const ba_trace *t, size_t call);
/* the object that contains the address; NULL: none */
const ba_trace_object *ba_trace_find(const ba_trace *t, uint64_t address);
