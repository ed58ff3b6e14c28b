/*
 * The functions of NVBench's library in this process: calls to it, and calls by it, which
 * take the place of some of its functions (symbols.h).
 */
#pragma once

#include "base/base.h"

typedef enum ba_nvbench_amount {
	BA_NVBENCH_ELEMENTS,
	BA_NVBENCH_READ,
	BA_NVBENCH_WRITTEN,
	BA_NVBENCH_AMOUNTS
} ba_nvbench_amount;

/* What is called in NVBench's stead. */
typedef struct ba_nvbench_calls {
	void (*begins)(void);		/* a state is about to run */
	bool (*turn)(void);		/* between two samples; true: no more samples */
	void (*sample)(double seconds); /* a sample that NVBench did not discard */
	void (*amount)(ba_nvbench_amount what, size_t amount); /* of one run */
	/* once, when the program is about to run its benchmarks with these arguments. It
	 * must not return. */
	void (*serve)(const ba_strv *arguments);
} ba_nvbench_calls;

/* Are all functions here that are needed? */
bool ba_nvbench_find_functions(void);
/* From now on, `calls` are called. ba_nvbench_find_functions() must have returned true.
 * False: this system does not let code be changed. */
bool ba_nvbench_take_over(const ba_nvbench_calls *calls);

/* Bytes of the memory of the GPU in use that are free; 0: there is none, or it is unknown. */
uint64_t ba_nvbench_free_memory(void);

/* ---- only within serve() ---- */

/* What NVBench prints to standard output for arguments that make it exit. */
void ba_nvbench_print(ba_buf *out, const ba_strv *arguments);
/* Does the first state of the chosen benchmark have a device? Nothing is run. */
bool ba_nvbench_uses_gpu(const ba_strv *arguments);
/* Runs all states that the arguments choose. results: as JSON, if turn() never returned
 * true. If NVBench rejects the arguments, its exception goes on to the program. */
void ba_nvbench_run(ba_buf *results, const ba_strv *arguments);

/* What NVBench prints about benchmarks and states: --jsonlist-benches, and the JSON of a
 * state that was not measured. It writes one member a line, indented by two for each level. */

typedef struct ba_nvbench_axis {
	char *name, *kind; /* kind: a word of the worker protocol */
	bool power_of_two;
	ba_strv words;	/* values as in ids: "2^10" */
	ba_strv inputs; /* the same values as the option --axis accepts them: "10" */
} ba_nvbench_axis;

typedef struct ba_nvbench_benchmark {
	char *name;
	ba_nvbench_axis *axes;
	size_t axis_count;
} ba_nvbench_benchmark;

BA_LIST(ba_nvbench_list, ba_nvbench_benchmark);

/* text: what --jsonlist-benches printed; it is changed. */
void ba_nvbench_list_read(ba_nvbench_list *out, char *text);
/* The axis of a benchmark; NULL: there is none. */
const ba_nvbench_axis *ba_nvbench_find(
	const ba_nvbench_list *l, const char *benchmark, const char *axis);
/* "Elements[pow2]=10", for a value as in ids. Caller frees. */
char *ba_nvbench_option(const ba_nvbench_axis *a, const char *word);
/* Why the one state in these results has no samples; "" if nothing is said. text: the
 * document, which is changed. Caller frees. */
char *ba_nvbench_reason(char *text);
