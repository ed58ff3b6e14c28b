/*
 * Handles of our own drivers: contexts, modules, functions, streams, events. A list has
 * every live one, so a foreign or deleted handle is recognised without a look at its
 * memory.
 */
#pragma once

#include "base/base.h"

typedef enum object_kind {
	OBJECT_CONTEXT = 1,
	OBJECT_MODULE,	 /* also used for a CUlibrary: is_library */
	OBJECT_FUNCTION, /* also a CUkernel */
	OBJECT_STREAM,
	OBJECT_EVENT,
	OBJECT_GRAPH,
	OBJECT_POOL,
	OBJECT_USER,  /* user_object.h */
	OBJECT_HOLD,  /* a graph's reference to a user object */
	OBJECT_OTHER, /* executable graphs, ... */
	OBJECT_HOST_MEMORY
} object_kind;

typedef struct object object;
struct object {
	object_kind kind;
	object *next;
	object *owner; /* a function's module */
	char *text;    /* module: PTX or NULL; function: entry name */
	void *memory;  /* host memory, a graph's nodes, or other content */
	size_t bytes;  /* of host memory */
	/* fake driver: an event's time, or the end of a stream's last kernel */
	int64_t at_ns;
	bool is_library;
	bool is_managed; /* managed host memory, which the device has, too */
};

object *object_new(object_kind kind, object *owner, const char *text);
/* The object, or NULL unless `handle` is live and of that kind. */
object *object_of(const void *handle, object_kind kind);
/* Frees it and the objects that it owns; false if it was not of that kind. */
bool object_delete(const void *handle, object_kind kind);
/* The function with that name, if it was requested before; or NULL. */
object *object_find_function(const object *module, const char *name);
/* the block of host memory that holds p, or NULL */
object *object_of_memory(const void *p);
/* Iterates over the live objects of a kind: the first if `after` is NULL; NULL at the
 * end. */
object *object_next(object_kind kind, const object *after);
