/* What NVBench prints about benchmarks and states: --jsonlist-benches, and the JSON of a
 * state that was not measured. It writes one member a line, indented by two for each level. */
#pragma once

#include "base/base.h"

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

typedef struct ba_nvbench_list {
	ba_nvbench_benchmark *items;
	size_t count;
} ba_nvbench_list;

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
