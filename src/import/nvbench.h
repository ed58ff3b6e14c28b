/* The files that NVBench --jsonbin writes beside its JSON. Inside the module. */
#ifndef IMPORT_NVBENCH_H
#define IMPORT_NVBENCH_H

#include "import/source.h"

/* a number as NVBench writes it, in quotes; "inf" is one */
bool ba_nvbench_number(double *out, const char *text);

/* Append the samples of `filename` (as the JSON at json_path names it) in ns, if it is
 * found beside that. `size`: how many there should be; NaN: any number. A name that
 * leaves the folder and a file of another size are BA_EDATA. */
int ba_nvbench_sidecar(ba_values *out, bool *found, const char *json_path,
	const char *filename, double size, ba_error *err);

#endif
