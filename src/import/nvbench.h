/* The files that NVBench --jsonbin writes beside its JSON. Inside the module only. */
#ifndef IMPORT_NVBENCH_H
#define IMPORT_NVBENCH_H

#include "import/source.h"

/* a number in quotes, as NVBench writes it; "inf" counts as one */
bool ba_nvbench_number(double *out, const char *text);

/* Appends the samples of `filename` in ns, if the file is found beside the JSON at
 * json_path, which names it. `size`: how many there should be; NaN: any number.
 * BA_EDATA: a name that leaves the folder, a file of another size. */
int ba_nvbench_sidecar(ba_values *out, bool *found, const char *json_path,
	const char *filename, double size, ba_error *err);

#endif
