/* The files that NVBench --jsonbin writes beside its JSON. Inside the module only. */
#pragma once

#include "import/source.h"

/* a number in quotes, as NVBench writes it; "inf" is accepted */
bool ba_nvbench_number(double *out, const char *text);

/* Appends the samples in `filename`, in ns, if the file is found next to the JSON at
 * json_path. `size`: the expected number of samples; NaN: any. BA_EDATA: a name that
 * leaves the folder, or a file of another size. */
int ba_nvbench_sidecar(ba_values *out, bool *found, const char *json_path, const char *filename,
	double size, ba_error *err);
