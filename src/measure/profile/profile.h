/*
 * Explains a change of instruction counts: from the traces of two variants
 * (counter/trace.h) to rows by function, with the difference of each.
 *
 *     ba_profile_side old = {&a, 0, "/trees/main"}, new = {&b, 0, "/trees/feature"};
 *     ba_profile *p;
 *     ba_explanation e = {0};
 *     ba_profile_open(&p, &old, &err);
 *     ba_profile_explain(p, &e, &new, &err);
 *     ba_profile_close(p);
 *     ba_explanation_dispose(&e);
 *
 * Objects are read from the disk while this runs, so call it before a tree is removed.
 * An object that cannot be read, or that is damaged, counts as one without symbols.
 */
#pragma once

#include "counter/trace.h"
#include "model/explanation.h"

/* One call of one variant. */
typedef struct ba_profile_side {
	const ba_trace *trace;
	size_t call;
	/* the variant's directory, absolute, with links resolved; NULL: none */
	const char *tree;
	/* paths of objects whose instructions do not count (the worker, the counting
	 * library), then NULL; NULL: all objects count */
	const char *const *exclude;
} ba_profile_side;

/* The instructions of the call by scope. BA_EDATA: the trace has no addresses. */
int ba_profile_scopes(uint64_t scopes[BA_SCOPE_COUNT], const ba_profile_side *side, ba_error *err);

/* Where an address of an object's file is: the function (demangled) and the source line, whose
 * file is relative to the tree if it is in it. The object's base name and 0 without debug
 * information, and "?" without symbols. The caller frees both texts. */
void ba_profile_place(char **name, char **file, unsigned *line, const char *object,
	uint64_t address, const char *tree);

/* A baseline's call, which is compared with the calls of candidates one after another:
 * its trace is processed once, and a file that both sides use is opened once. */
typedef struct ba_profile ba_profile;

/* *baseline must outlive *out. BA_EDATA: the trace has no addresses. */
int ba_profile_open(ba_profile **out, const ba_profile_side *baseline, ba_error *err);
/* Sets everything in *out except its codes; *out was zeroed or set before. BA_EDATA:
 * the trace has no addresses. */
int ba_profile_explain(
	ba_profile *p, ba_explanation *out, const ba_profile_side *candidate, ba_error *err);
/* p may be NULL */
void ba_profile_close(ba_profile *p);
