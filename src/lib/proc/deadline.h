/*
 * A deadline for silence: how long a child said nothing although it could have run. A
 * child does not hang while it is stopped (SIGSTOP, a debugger), while it waits for a
 * processor, or while this process itself gets none. Only a tenth of such time counts, so
 * that a child that is stopped for ever is still found.
 *
 *     ba_deadline d = ba_deadline_start(proc);
 *     while (ba_proc_read_line(proc, slice_ns, &line, err) == BA_ETIMEOUT)
 *             if (ba_deadline_used(&d, proc, slice_ns) > limit_ns) ...     -- it hangs
 */
#pragma once

#include "proc/proc.h"

typedef struct ba_deadline {
	int64_t looked_ns; /* when the child was last examined */
	int64_t queued_ns; /* how long it has waited for a processor since it started */
	int64_t used_ns;
} ba_deadline;

ba_deadline ba_deadline_start(const ba_proc *p);
/* Call after a wait that was meant to last slice_ns: returns the nanoseconds used since the
 * start. If the kernel does not report waiting times (no schedstat), all time counts. */
int64_t ba_deadline_used(ba_deadline *d, const ba_proc *p, int64_t slice_ns);
