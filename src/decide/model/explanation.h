/*
 * Why two variants execute different numbers of instructions in one call: by function,
 * by Python code object, by source line.
 *
 * The rows add up: the sum over `functions` of what the baseline executed is the sum of
 * its totals, in each scope, and the same is true of the candidate. profile/profile.h
 * makes one from traces.
 */
#pragma once

#include "base/base.h"

/* The most functions, code objects, and lines of a function that an explanation names. */
#define BA_EXPLAINED_FUNCTIONS 40
#define BA_EXPLAINED_CODES 40
#define BA_EXPLAINED_LINES 5

/* Whose instructions they are. */
typedef enum ba_scope {
	BA_SCOPE_OWN,	  /* an object in the variant's tree */
	BA_SCOPE_RUNTIME, /* libc, an interpreter, frameworks, code made at run time */
	BA_SCOPE_DRIVER,  /* libcuda, libnvidia-*; shown, but not used for the verdict */
	BA_SCOPE_COUNT
} ba_scope;

typedef enum ba_row_kind {
	BA_ROW_BOTH,	/* both variants execute it */
	BA_ROW_NEW,	/* only the candidate */
	BA_ROW_GONE,	/* only the baseline */
	BA_ROW_RENAMED, /* the same sequence of instructions under another name */
	/* the sum of the functions (in one scope) that have no row of their own */
	BA_ROW_OTHERS,
} ba_row_kind;

/* A source line of a function, and the instructions executed for it. */
typedef struct ba_explained_line {
	char *file;    /* relative to the tree if it is in the tree */
	unsigned line; /* line in the candidate, or in the baseline if `gone` */
	bool gone;     /* only the baseline has instructions there */
	uint64_t baseline, candidate;
} ba_explained_line;

typedef struct ba_explained_function {
	ba_row_kind kind;
	ba_scope scope;
	char *name;   /* demangled; "code made at run time", "other functions", ... */
	char *was;    /* the baseline's name if it differs, else NULL */
	char *object; /* path in the tree, or base name; "" for code without a file */
	char *file;   /* NULL without debug information */
	unsigned line;
	uint64_t baseline, candidate;
	/* For a function of the variant's tree: instructions that other functions
	 * execute because of it. These are the runtime functions it calls and, if only
	 * one variant executes it, all functions it calls. The rows of those functions
	 * contain them, too. */
	uint64_t calls_baseline, calls_candidate;
	/* the function of the tree whose calls_* have more than half of the difference, or NULL */
	char *through;
	uint64_t count;		  /* BA_ROW_OTHERS: the number of functions; else 1 */
	ba_explained_line *lines; /* [line_count] largest difference first */
	size_t line_count;
} ba_explained_function;

/* A Python code object, and the bytecodes executed in it. */
typedef struct ba_explained_code {
	ba_row_kind kind; /* never BA_ROW_RENAMED */
	char *name;	  /* "Dispatcher.call" */
	char *file;	  /* "" of BA_ROW_OTHERS */
	unsigned line;	  /* line in the candidate, or in the baseline if `gone` */
	uint64_t baseline, candidate;
	/* bytecodes executed on its behalf by code outside the tree, comprehensions and
	 * lambdas; their rows contain them, too */
	uint64_t calls_baseline, calls_candidate;
	uint64_t count; /* BA_ROW_OTHERS: the number of code objects; else 1 */
} ba_explained_code;

typedef struct ba_explanation {
	/* of a census: the places that call the driver, not what they execute */
	uint64_t baseline[BA_SCOPE_COUNT], candidate[BA_SCOPE_COUNT];
	/* Both executed the same instructions of `own` and `runtime`, in the same
	 * functions and the same order; operands may differ. */
	bool same_path;
	/* "dispatch() (launch.c:214): ..."; NULL if the paths do not diverge */
	char *parting;
	/* [function_count] largest difference first, with calls_* */
	ba_explained_function *functions;
	size_t function_count;
	ba_explained_code *codes; /* [code_count] in the same order */
	size_t code_count;
} ba_explanation;

/* What a Python code object executed in one call (docs/workers.md). */
typedef struct ba_code_count {
	const char *name, *file;
	unsigned line;
	uint64_t count;
	uint64_t calls; /* as of ba_explained_code */
	unsigned what;	/* in a census: the metric that it belongs to */
	/* in a census of machine code: `file` is a whole path, and this the address of the call
	 * in it; the rest is not known yet. 0: it is. Of device code that was loaded: its bytes. */
	uint64_t offset;
} ba_code_count;

const char *ba_scope_name(ba_scope scope);	/* "own", "runtime", "driver" */
const char *ba_row_kind_name(ba_row_kind kind); /* "both", "new", "gone", ... */

/* the deciding instructions: those of the tree and of the runtime */
uint64_t ba_explanation_baseline(const ba_explanation *e);
uint64_t ba_explanation_candidate(const ba_explanation *e);

/* Sets out->codes from the code objects of both variants; replaces earlier ones. */
void ba_explain_code(ba_explanation *out, const ba_code_count *baseline, size_t n,
	const ba_code_count *candidate, size_t m);

void ba_explanation_dispose(ba_explanation *e);
/* *e must come from malloc(); NULL is fine */
void ba_explanation_free(ba_explanation *e);
