/* What processes use, as the kernel counts it: processor time and memory; and whether a silent one
 * hangs. */
#pragma once

#include "proc/proc.h"

/* How long its first thread could have run, but another process had the processor, in
 * ns; 0: unknown. */
int64_t ba_usage_waited_ns(pid_t pid);

/* Processor time of all threads of a process, including ended ones, without its
 * children, in ns; -1: unknown. */
int64_t ba_usage_cpu_ns(pid_t pid);

/* Of a program that is alone in a sandbox (sandbox/sandbox.h), whose first process is its
 * parent: a process whose own parent has ended becomes a child of that one. */

/* Processor time of all processes that live in the sandbox, and of those that ended and
 * were waited for, in ns; -1: unknown. Of a child that nobody waits for (SIGCHLD is
 * ignored), the kernel keeps nothing. */
int64_t ba_usage_box_cpu_ns(pid_t pid);
/* Are there other processes in the sandbox, or were there some that took measurable
 * time? */
bool ba_usage_has_company(pid_t pid);

/* The most that the process has had in memory at a time, in bytes (VmHWM); 0: unknown. */
uint64_t ba_memory_peak(pid_t pid);
/* What processes can take without swapping (MemAvailable), in bytes; 0: unknown. A limit
 * of the control group counts, too. */
uint64_t ba_memory_available(void);

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
typedef struct ba_deadline {
	int64_t looked_ns; /* when the child was last examined */
	int64_t queued_ns; /* how long it has waited for a processor since it started */
	int64_t used_ns;
} ba_deadline;

ba_deadline ba_deadline_start(const ba_proc *p);
/* Call after a wait that was meant to last slice_ns: returns the nanoseconds used since the
 * start. If the kernel does not report waiting times (no schedstat), all time counts. */
int64_t ba_deadline_used(ba_deadline *d, const ba_proc *p, int64_t slice_ns);
