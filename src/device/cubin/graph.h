/*
 * The functions and variables of an image and what refers to what. A kernel's digests
 * cover what it reaches, in the order in which it is first reached, so they do not
 * depend on names and on the rest of the image. Internal to this module.
 */
#pragma once

#include "cubin/kernels.h"

/* constant banks of a module: variables of __constant__, and addresses */
enum { BA_BANK_VARIABLES, BA_BANK_SLOTS, BA_BANKS };

typedef struct ba_node {
	char *mangled;	 /* NULL: it has no name that matters */
	uint64_t symbol; /* of a kernel in a cubin: its number among the symbols */
	bool is_kernel, is_variable;
	unsigned unknown; /* bits of banks that it reads at addresses that are not known */
	ba_sha256 code, data, limits;
	size_t *refs; /* [ref_count] nodes, in the order in which they occur */
	size_t ref_count, ref_capacity;
	char *open; /* a sentence; NULL: everything in it is understood */
	ba_kernel_metrics metrics;
} ba_node;

typedef struct ba_graph {
	ba_node *nodes;
	size_t count, capacity;
	/* nodes that refer to all that a bank holds, and their digests, if known */
	size_t banks[BA_BANKS];
	char bank_sha256[BA_BANKS][65], *bank_open[BA_BANKS];
	/* of the walk in progress: [count] */
	size_t *order, *number;
	char target[16];
	bool is_ptx, is_linked;
} ba_graph;

BA_DECLARE_DISPOSE(ba_graph)

size_t ba_graph_add(ba_graph *g, const char *mangled); /* mangled may be NULL */
void ba_graph_refer(ba_graph *g, size_t from, size_t to);
/* keeps the first reason */
void ba_graph_open(ba_graph *g, size_t node, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Is it a function of the driver, which no object and no module defines? */
bool ba_graph_is_of_driver(const char *name);

/* Describes a kernel; no node is added or changed after it. */
void ba_graph_kernel(ba_kernel_code *out, ba_graph *g, size_t node);
/* Appends all kernels. */
void ba_graph_kernels(ba_kernel_codes *out, ba_graph *g);
/* the node of the kernel of that mangled name; SIZE_MAX: there is none */
size_t ba_graph_find(const ba_graph *g, const char *kernel);
/* The names of all variables that a program can look up. They may hold the addresses of
 * others. */
void ba_graph_variables(ba_strv *out, const ba_graph *g);
/* their names and initial values */
void ba_graph_add_variables(ba_sha256 *sum, const ba_graph *g);

/* ---- readers; *out was zeroed ---- */

/* a cubin or PTX, by one of the next */
int ba_graph_read(ba_graph *out, const ba_image *image, int gpu, ba_error *err);
/* gpu: 103 for a GPU of compute capability 10.3; 0: one for which the cubin was made. On
 * another one the second form of its code, in .nv.merc.* and .nv.capmerc.*, counts as well.
 * BA_EINVAL. */
int ba_cubin_read(ba_graph *out, const void *data, size_t bytes, int gpu, ba_error *err);
/* The text needs no NUL at its end. What a compiler renumbers (registers, labels), line
 * information and comments do not count. BA_EINVAL: a declaration does not end. */
int ba_ptx_read(ba_graph *out, const void *text, size_t bytes, ba_error *err);
