/*
 * Measures how long a child was silent although it could have run. A watchdog should
 * count that time. A child does not hang while it is stopped (SIGSTOP, a debugger),
 * while it waits for a processor, or while this process itself gets none. Only a tenth
 * of such time counts, so that a child that is stopped for ever is still found.
 *
 *     ba_patience p = ba_patience_begin(proc);
 *     while (ba_proc_read_line(proc, slice_ns, &line, err) == BA_ETIMEOUT)
 *             if (ba_patience_spend(&p, proc, slice_ns) > limit_ns) ...     -- it hangs
 */
#ifndef PROC_PATIENCE_H
#define PROC_PATIENCE_H

#include <stdint.h>

#include "proc/proc.h"

typedef struct ba_patience {
	int64_t looked_ns;
	int64_t queued_ns; /* how long it has waited for a processor since it started */
	int64_t spent_ns;
} ba_patience;

ba_patience ba_patience_begin(const ba_proc *p);
/* Call after a wait that was meant to last slice_ns: the nanoseconds spent since the
 * beginning. If the kernel does not report waiting times (no schedstat), all time
 * counts. */
int64_t ba_patience_spend(ba_patience *w, const ba_proc *p, int64_t slice_ns);

#endif
