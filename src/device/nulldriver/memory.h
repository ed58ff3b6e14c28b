/* Device memory, and memory that host and device share. cuMemFree() and cuMemFreeAsync()
 * free both. */
#pragma once

#include "gpu/abi.h"

cu_result memory_alloc_device(cu_deviceptr *address, size_t bytes);
/* real memory, in all of the tool's drivers */
cu_result memory_alloc_shared(cu_deviceptr *address, size_t bytes, bool is_managed);
