/* Where members run, as a user writes it: `--on 'slurm: --partition=gpu --gres=gpu:1
 * --array=8'`. The options are those of sbatch and belong to the site; only --array is
 * ours, because each task is a member. */
#pragma once

#include "base/base.h"

#define BA_SLURM_TASKS_MOST 1000

typedef struct ba_slurm_spec {
	ba_strv options; /* options for sbatch, without --array */
	size_t tasks;	 /* number of members; 1 without --array */
	size_t at_once;	 /* --array=8%2: run at most 2 at a time; 0: no limit */
} ba_slurm_spec;

BA_DECLARE_DISPOSE(ba_slurm_spec)

/* BA_EINVAL for another scheduler, an --array without a number of tasks, and options
 * that would replace the script, its output or the answer of sbatch. Other wrong
 * options are rejected by sbatch. `option` is the name of the option for messages:
 * "--on". */
int ba_slurm_spec_parse(ba_slurm_spec *out, const char *option, const char *text, ba_error *err);
