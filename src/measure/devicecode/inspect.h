/* Which device code do the variants run? And after everything was measured and decided, when no
 * clock runs: how do differing kernels differ? Missing details have a reason in the device code;
 * they are not errors. */
#pragma once

#include "session/session.h"

/* Puts the device code of a plugin's benchmarks into result->benchmarks if it can be
 * determined and there is a variant to compare with. An error means that the run was
 * interrupted. */
int ba_session_inspect(ba_session *s, ba_error *err);

/* ---- details ---- */

/* Classes of instructions, and basic blocks that differ, by nvdisasm (disassemble.c). */
void ba_session_disassemble(ba_session *s);

/* Reads the GPU's counters with ncu, if spec->ncu (ncu.c). */
void ba_session_read_counters(ba_session *s);

/* For both: did a time of that benchmark on the GPU's clock regress or improve? */
bool ba_task_changed_on_gpu(const ba_session *s, const ba_task *t);
