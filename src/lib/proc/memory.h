/* How much memory processes take, and how much there is. */
#pragma once

#include <stdint.h>
#include <sys/types.h>

/* The most that the process has had in memory at a time, in bytes (VmHWM); 0: unknown. */
uint64_t ba_memory_peak(pid_t pid);
/* What processes can take without swapping (MemAvailable), in bytes; 0: unknown. A limit
 * of the control group counts, too. */
uint64_t ba_memory_available(void);
