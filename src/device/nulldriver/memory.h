/* Device memory, and memory that host and device share. cuMemFree() and cuMemFreeAsync()
 * free both. */
#ifndef NULLDRIVER_MEMORY_H
#define NULLDRIVER_MEMORY_H

#include "gpu/abi.h"

cu_result memory_alloc_device(cu_deviceptr *address, size_t bytes);
/* real memory, in all of the tool's drivers */
cu_result memory_alloc_shared(cu_deviceptr *address, size_t bytes, bool is_managed);

#endif
