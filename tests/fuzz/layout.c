/* A variant's library, damaged in any way, that is to be moved: it is rejected, or moved
 * by every offset that fits. */
#include <stdint.h>
#include <stdlib.h>

#include "layout/shift.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	BA_AUTO(ba_movable) ba_movable m = {0};
	if (ba_movable_of(&m, data, size, 4096, NULL))
		return 0;
	for (size_t offset = 0; offset < m.page; offset += BA_SHIFT_STEP)
		if (ba_movable_fits(&m, offset)) {
			BA_AUTO(ba_buf) ba_buf copy = BA_BUF_INIT;
			ba_movable_shift(&copy, &m, offset);
			if (copy.len <= offset)
				abort();
		}
	return 0;
}
