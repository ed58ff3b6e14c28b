/* The files that NVBench --jsonbin writes beside its JSON. Inside the module only. */
#pragma once

#include "import/source.h"

/* a number in quotes, as NVBench writes it; "inf" is accepted */
bool ba_nvbench_number(double *out, const char *text);
double ba_nvbench_or_nan(const char *text);

/* {"name": ..., "value": ...} */
int ba_nvbench_pair(ba_buf *name, ba_buf *value, ba_pull *p, ba_error *err);

/* Files of 2021 have an object of axes, and one of summaries by their tags or older
 * names. *mean, in ns, is set if a summary has the mean's tag. */
int ba_nvbench_old_axes(ba_strv *axes, ba_pull *p, ba_error *err);
int ba_nvbench_old_mean(double *mean, const char *tag, ba_pull *p, ba_error *err);

/* Appends the samples in `filename`, in ns, if the file is found next to the JSON at
 * json_path. `size`: the expected number of samples; NaN: any. BA_EDATA: a name that
 * leaves the folder, or a file of another size. */
int ba_nvbench_sidecar(ba_values *out, bool *found, const char *json_path, const char *filename,
	double size, ba_error *err);
