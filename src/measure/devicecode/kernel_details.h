/*
 * A closer look at kernels that differ, once everything is measured and decided: no
 * clock runs. What cannot be found out has a reason in the device code, and is not an
 * error.
 */
#ifndef DEVICECODE_KERNEL_DETAILS_H
#define DEVICECODE_KERNEL_DETAILS_H

#include "session/session.h"

/* Classes of instructions, and basic blocks that differ, by nvdisasm (disassemble.c). */
void ba_session_disassemble(ba_session *s);

/* The GPU's counters, by ncu, if spec->ncu (ncu.c). */
void ba_session_read_counters(ba_session *s);

/* for both: did a time of that benchmark on the GPU's clock regress or improve? */
bool ba_task_changed_on_gpu(const ba_session *s, const ba_task *t);

#endif
