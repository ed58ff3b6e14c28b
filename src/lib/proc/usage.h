/* What processes use, as the kernel counts it: processor time and memory. */
#pragma once

#include "base/base.h"

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
