/* What a disassembler prints, damaged in any way: blocks that add up, or none. */
#include <stdint.h>
#include <stdlib.h>

#include "disasm/listing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	BA_AUTO(ba_listing) ba_listing a = {0};
	BA_AUTO(ba_listing) ba_listing b = {0};
	uint64_t classes[BA_CLASS_COUNT];
	size_t sum = 0, half = size / 2;
	bool read = ba_listing_read(&a, (const char *)data, size, "k");

	for (size_t i = 0; i < a.block_count; i++)
		sum += a.blocks[i].count;
	if (sum != a.count || read != (a.count > 0))
		abort();
	ba_listing_classes(classes, &a);
	ba_listing_read(&b, (const char *)data + half, size - half, "k");
	ba_block_changes *d = ba_listing_compare(&a, &b);
	if (d && (d->same > d->baseline || d->same > d->candidate))
		abort();
	ba_block_changes_free(d);
	return 0;
}
