/*
 * Examines differing kernels after everything was measured and decided: no clock runs.
 * Missing details have a reason in the device code; they are not errors.
 */
#pragma once

#include "session/session.h"

/* Classes of instructions, and basic blocks that differ, by nvdisasm (disassemble.c). */
void ba_session_disassemble(ba_session *s);

/* Reads the GPU's counters with ncu, if spec->ncu (ncu.c). */
void ba_session_read_counters(ba_session *s);

/* For both: did a time of that benchmark on the GPU's clock regress or improve? */
bool ba_task_changed_on_gpu(const ba_session *s, const ba_task *t);
