/* The PTX of our own kernels (folder kernels/), NUL-terminated, for ba_module_load(). */
#pragma once

extern const char ba_kernel_spin[];    /* entry "ba_spin" */
extern const char ba_kernel_proof[];   /* entry "ba_proof" */
extern const char ba_kernel_ceiling[]; /* entries "ba_copy", "ba_matrix" */
/* for sm_90a only: entry "ba_matrix_group" */
extern const char ba_kernel_ceiling_hopper[];
extern const char ba_kernel_read[]; /* entry "ba_read" */
