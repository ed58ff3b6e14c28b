/* What a process that we started uses, as the kernel counts it. */
#ifndef PROC_USAGE_H
#define PROC_USAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Processor time of all its threads, those that have ended included, in ns; -1:
 * unknown. Not of its children. */
int64_t ba_usage_cpu_ns(pid_t pid);
/* How long its first thread could have run, but another process had the processor, in
 * ns; 0: unknown. */
int64_t ba_usage_waited_ns(pid_t pid);
/* Has it children now, or had it some that it waited for and that took measurable time? */
bool ba_usage_has_children(pid_t pid);

#endif
