/*
 * Finds out what a suite's benchmark makes the GPU execute, without executing it:
 *
 *  - its launches, from a capture of run();
 *  - the machine code of each kernel, from the image that the variant passed to the
 *    driver (observer/observer.h);
 *  - the values of parameters, with addresses replaced by what they point to;
 *  - the memory that the parameters reach.
 *
 * If two variants agree in all of it, there is nothing to compare on the GPU's clock.
 *
 *     inspect.c         the request, and its answer
 *     inspect_images.c  what was loaded, as the observer reports it
 *     inspect_graph.c   the nodes of a captured graph
 *     inspect_memory.c  allocations, and digests of their content
 *
 * All of it happens in a worker that holds one variant and measures nothing. Whatever
 * cannot be followed ends the inspection with a reason (BA_EUNSUPPORTED): an unseen
 * difference must not pass for equal code.
 */
#pragma once

#include "gpu/driver.h"
#include "observer/observer.h"
#include "wire/message.h"

typedef struct ba_worker ba_worker;
typedef struct ba_plugin_case ba_plugin_case;

/* One kernel in one launch shape, however often it is launched. */
typedef struct ba_kernel_row {
	char *name;
	char code[65];	   /* digest of its machine code, or of its PTX */
	size_t code_bytes; /* of its machine code; 0: not known */
	uint64_t symbol;   /* its number in the cubin that was kept */
	uint64_t launches;
	uint32_t grid[3], block[3], shared_bytes; /* shared_bytes: dynamic */
	int attributes[BA_CU_FUNC_LAST + 1];	  /* by CU_FUNC_ATTRIBUTE_... */
	cu_function function;
} ba_kernel_row;

typedef struct ba_allocation {
	cu_deviceptr base;
	size_t bytes;
} ba_allocation;

typedef struct ba_inspection {
	const ba_driver *driver;
	int arch;
	ba_kernel_row *kernels;
	size_t kernel_count, kernel_capacity;
	ba_allocation *allocations; /* in the order in which parameters refer to them */
	size_t allocation_count, allocation_capacity;
	uint64_t launches;
	size_t nodes;
	/* variables of modules, read like allocations */
	ba_allocation *variables;
	size_t variable_count, variable_capacity;
	const char *folder;   /* to keep cubins in; NULL: they are not kept */
	ba_sha256 code, work; /* of code, and of launches with their parameters */
} ba_inspection;

/* ---- inspect.c ---- */

/* Answers "inspect": a "code" message for each prepared case. */
int ba_worker_inspect(ba_worker *w, const ba_message *m, ba_error *err);

/* ---- inspect_images.c ---- */

/* Puts the observer at `path` before the driver; open the driver after it. */
int ba_images_watch(const char *path, ba_error *err);
/* From now on the observer forwards to the driver. */
void ba_images_start(void *driver_library);
/* a driver function as a variant gets it: host->driver_symbol */
void *ba_images_symbol(const char *name, void *real);
/* the observer's handle; NULL: nobody watches */
void *ba_images_observer(void);
/* Kernels launched so far, captured or not. */
uint64_t ba_images_launches(void);
/* A function that was called and makes launches depend on unseen state; or NULL. */
const char *ba_images_met(void);

/* Puts the digest of a kernel's code into row->code, and its
 * module's variables into x. */
int ba_images_code(ba_inspection *x, ba_kernel_row *row, ba_error *err);

/* ---- inspect_graph.c ---- */

int ba_inspect_graph(ba_inspection *x, cu_graph graph, ba_error *err);

/* ---- inspect_memory.c ---- */

/* Adds bytes to the digest of the work. An aligned word that is an address counts as
 * the allocation that it points into, and the offset. BA_EUNSUPPORTED: it points into
 * memory of a kind that cannot be followed. */
int ba_inspect_values(ba_inspection *x, const void *data, size_t bytes, ba_error *err);
/* The digest of the content of allocations and variables. */
int ba_inspect_memory(char out[65], const ba_inspection *x, ba_error *err);
